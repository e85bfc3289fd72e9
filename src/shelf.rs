//! Things that are made once and then only read, by several threads: a list that only grows.
//!
//! Whoever reads writes nothing at all, not even a count of readers, so that threads that look
//! up the same things all the time do not take memory away from each other.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a thread stays awake while another makes what it waits for.
const AWAKE: Duration = Duration::from_millis(2);

/// The list.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    first: OnceLock<Box<Place<T>>>,
    /// Held while something is made.
    making: Mutex<()>,
}

#[derive(Debug)]
struct Place<T> {
    thing: T,
    next: OnceLock<Box<Place<T>>>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Shelf { first: OnceLock::new(), making: Mutex::new(()) }
    }
}

impl<T> Shelf<T> {
    /// The thing that is the one, made if it is not there yet; whoever asks in the meantime for
    /// one that is not there waits.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn find_or_make<E>(
        &self,
        is_it: impl Fn(&T) -> bool,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<&T, E> {
        if let Ok(thing) = self.find(&is_it) {
            return Ok(thing);
        }
        let _making = self.wait_to_make();
        // Another thread may have been quicker.
        match self.find(&is_it) {
            Ok(thing) => Ok(thing),
            Err(end) => {
                let thing = make()?;
                Ok(&end.get_or_init(|| Box::new(Place { thing, next: OnceLock::new() })).thing)
            }
        }
    }

    /// Waits until nobody makes anything, at first without going to sleep: a thread that is woken
    /// up may find itself on the processor of the one that has woken it, and stay there for longer
    /// than most things take to be made.
    fn wait_to_make(&self) -> MutexGuard<'_, ()> {
        let began = Instant::now();
        while began.elapsed() < AWAKE {
            match self.making.try_lock() {
                Ok(making) => return making,
                Err(TryLockError::Poisoned(error)) => return error.into_inner(),
                Err(TryLockError::WouldBlock) => thread::yield_now(),
            }
        }
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thing that is the one; if it is not there, the end of the list.
    fn find(&self, is_it: impl Fn(&T) -> bool) -> Result<&T, &OnceLock<Box<Place<T>>>> {
        let mut next = &self.first;
        while let Some(place) = next.get() {
            if is_it(&place.thing) {
                return Ok(&place.thing);
            }
            next = &place.next;
        }
        Err(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn each_thing_is_made_once() {
        let (shelf, made) = (Shelf::default(), AtomicUsize::new(0));
        let get = |number: usize| {
            let make = || {
                made.fetch_add(1, Ordering::Relaxed);
                if number == 3 { Err("three") } else { Ok(number) }
            };
            shelf.find_or_make(|&thing| thing == number, make).copied()
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!((0..3).cycle().take(300).all(|n| get(n) == Ok(n))));
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 3);
        assert_eq!((get(3), get(3), get(4)), (Err("three"), Err("three"), Ok(4)));
    }
}
