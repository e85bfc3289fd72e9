//! A list of values that are made once and then only read, by several threads.
//!
//! Readers write nothing at all, not even a count of readers, so that threads that look up the same
//! values all the time share their cache lines.

use std::sync::{Mutex, OnceLock, PoisonError};

/// The list.
#[derive(Debug)]
pub(crate) struct OnceList<T> {
    first: OnceLock<Box<Link<T>>>,
    /// Held while a value is made.
    making: Mutex<()>,
}

#[derive(Debug)]
struct Link<T> {
    value: T,
    next: OnceLock<Box<Link<T>>>,
}

impl<T> Default for OnceList<T> {
    fn default() -> Self {
        OnceList { first: OnceLock::new(), making: Mutex::new(()) }
    }
}

impl<T> OnceList<T> {
    /// The first matching value, if there is one.
    pub(crate) fn get(&self, matches: impl Fn(&T) -> bool) -> Option<&T> {
        self.find(matches).ok()
    }

    /// The first matching value, made if there is none yet; other threads that look for one that
    /// is not there wait meanwhile.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn find_or_try_make<E>(
        &self,
        matches: impl Fn(&T) -> bool,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<&T, E> {
        if let Ok(value) = self.find(&matches) {
            return Ok(value);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have made it meanwhile.
        match self.find(&matches) {
            Ok(value) => Ok(value),
            Err(end) => {
                let value = make()?;
                Ok(&end.get_or_init(|| Box::new(Link { value, next: OnceLock::new() })).value)
            }
        }
    }

    /// The values that are there, first to last.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        let first = self.first.get();
        std::iter::successors(first, |link| link.next.get()).map(|link| &link.value)
    }

    /// The first matching value; if there is none, the end of the list.
    fn find(&self, matches: impl Fn(&T) -> bool) -> Result<&T, &OnceLock<Box<Link<T>>>> {
        let mut next = &self.first;
        while let Some(link) = next.get() {
            if matches(&link.value) {
                return Ok(&link.value);
            }
            next = &link.next;
        }
        Err(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn each_value_is_made_once() {
        let (list, made) = (OnceList::default(), AtomicUsize::new(0));
        let get = |number: usize| {
            let make = || {
                made.fetch_add(1, Ordering::Relaxed);
                if number == 3 { Err("three") } else { Ok(number) }
            };
            list.find_or_try_make(|&value| value == number, make).copied()
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!((0..3).cycle().take(300).all(|n| get(n) == Ok(n))));
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 3);
        assert_eq!((get(3), get(3), get(4)), (Err("three"), Err("three"), Ok(4)));
        let mut values: Vec<usize> = list.iter().copied().collect();
        values.sort_unstable();
        assert_eq!(values, [0, 1, 2, 4]);
    }
}
