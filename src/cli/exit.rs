//! How the program ends.

use permutile::StopReason;
use permutile::lab::record::Status;

/// The meaning of an exit code. Of several boards, the gravest decides; the order here is
/// from the mildest on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    /// Every board was solved, or every check passed.
    Success,
    /// A limit was hit.
    Limit,
    /// A board is proven unsolvable, or a check found a violation.
    Refuted,
    /// Usage or input error.
    Usage,
    /// The user stopped it.
    Interrupted,
    /// A bug in this program.
    Internal,
}

impl Exit {
    fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Refuted => 1,
            Exit::Usage => 2,
            Exit::Limit => 3,
            Exit::Internal => 4,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> std::process::ExitCode {
        exit.code().into()
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Exit {
        match status {
            Status::Solved => Exit::Success,
            Status::Unsolvable => Exit::Refuted,
            Status::Timeout | Status::NodeLimit | Status::MemoryLimit => Exit::Limit,
            Status::Interrupted => Exit::Interrupted,
            Status::Invalid => Exit::Usage,
        }
    }
}

impl From<StopReason> for Exit {
    fn from(stop: StopReason) -> Exit {
        match stop {
            StopReason::Cancelled => Exit::Interrupted,
            StopReason::Time | StopReason::Nodes | StopReason::Memory | StopReason::Depth => {
                Exit::Limit
            }
        }
    }
}
