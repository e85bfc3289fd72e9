//! Searches on threads of their own: few at once, some waiting, and no more; each is stopped when
//! nobody waits for its answer.

use super::error::ApiError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

/// Where work of one kind is done.
pub(super) struct Workplace {
    /// Those who work and those who wait.
    places: Arc<Semaphore>,
    /// Those who work.
    running: Arc<Semaphore>,
}

/// The right to do a piece of work, given back when it is dropped.
pub(super) struct Permit {
    _place: OwnedSemaphorePermit,
    _running: OwnedSemaphorePermit,
}

/// Stops a piece of work when it is dropped: when the client has gone, or has the answer.
pub(super) struct StopOnDrop(Arc<AtomicBool>);

impl StopOnDrop {
    /// With the flag that the work polls.
    pub(super) fn new() -> (StopOnDrop, Arc<AtomicBool>) {
        let flag = Arc::new(AtomicBool::new(false));
        (StopOnDrop(Arc::clone(&flag)), flag)
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Workplace {
    /// With so many pieces of work at once, and so many that wait.
    pub(super) fn new(running: usize, waiting: usize) -> Workplace {
        Workplace {
            places: Arc::new(Semaphore::new(running + waiting)),
            running: Arc::new(Semaphore::new(running)),
        }
    }

    /// A place in the queue.
    ///
    /// # Errors
    /// If the queue is full.
    pub(super) fn queue(&self) -> Result<Place, ApiError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ApiError::busy())?;
        Ok(Place { place, running: Arc::clone(&self.running) })
    }

    /// Waits for its turn, and does a piece of work, which polls a flag that is set when nobody
    /// waits for it any more.
    ///
    /// # Errors
    /// If the queue is full, or as the work says.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = self.queue()?.turn().await?;
        let (_stop, flag) = StopOnDrop::new();
        on_a_thread(permit, move || work(&flag)).await
    }
}

/// A place in the queue, given back when it is dropped.
pub(super) struct Place {
    place: OwnedSemaphorePermit,
    running: Arc<Semaphore>,
}

impl Place {
    /// Waits for its turn.
    ///
    /// # Errors
    /// If the server is being shut down.
    pub(super) async fn turn(self) -> Result<Permit, ApiError> {
        let running = self.running.acquire_owned().await.map_err(|_| ApiError::busy())?;
        Ok(Permit { _place: self.place, _running: running })
    }
}

/// Does a piece of work on a thread that may block. The permit is given back when it is done, and
/// not when nobody waits for it.
///
/// # Errors
/// As the work says, or if it panics.
pub(super) async fn on_a_thread<T: Send + 'static>(
    permit: Permit,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let work = move || {
        let _permit = permit;
        work()
    };
    spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(ApiError::internal(
            &"internal error: the search ended abnormally; please report the board",
        ))
    })
}
