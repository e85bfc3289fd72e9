//! What code that shares data between threads has in common.

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. That another thread panicked while it held the lock does not matter here: its
/// panic is passed on when it is joined.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a mutex guarded, under the same rule as [`lock`].
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Padding against false sharing: the value has cache lines of its own, so that a thread that
/// writes to it does not slow down others that use its neighbours. Processors prefetch lines in
/// pairs, hence 128 bytes.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct CachePadded<T>(T);

impl<T> CachePadded<T> {
    pub(crate) fn new(value: T) -> CachePadded<T> {
        CachePadded(value)
    }

    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for CachePadded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
