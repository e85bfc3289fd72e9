//! Ranks by MPI: how the messages of a job travel between its processes. Everything else is in the
//! library `permutile`, in its module `cluster`.

mod transport;

pub use transport::MpiTransport;

use mpi::Threading;
use mpi::topology::SimpleCommunicator;
use mpi::traits::Communicator;
use std::panic;

/// The exit code of a job that a panic has ended: an internal error.
const PANICKED: i32 = 4;

/// Does the part of this process in a job. `None` if the library was initialised before.
///
/// At the end the ranks wait for each other, unless `is_cut_short` says that there is nothing to wait
/// for: whoever has stopped the job ends it soon, and a rank may be gone.
pub fn as_rank<T>(
    work: impl FnOnce(MpiTransport) -> T,
    is_cut_short: impl FnOnce(&T) -> bool,
) -> Option<T> {
    // Only this thread sends and receives.
    let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
    abort_on_panic();
    let done = work(MpiTransport::new(universe.world()));
    if is_cut_short(&done) {
        std::mem::forget(universe);
    }
    Some(done)
}

/// Has a panic of any thread end the job: while unwinding, this rank would wait for the others to
/// end, and they for it.
fn abort_on_panic() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        print(panic);
        SimpleCommunicator::world().abort(PANICKED);
    }));
}
