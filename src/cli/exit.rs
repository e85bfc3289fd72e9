//! How the program ends.

use permutile::StopReason;
use permutile::lab::record::{Record, Status};

/// The meaning of an exit code. Of several boards, the gravest decides; the order here is
/// from the mildest on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
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

impl From<&Record> for Exit {
    fn from(record: &Record) -> Exit {
        if record.is_interrupted() { Exit::Interrupted } else { record.status.into() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_is_success_unless_the_user_stopped_the_search() {
        let exit = |status, stopped_by| {
            let record = Record::invalid(String::new(), String::new());
            Exit::from(&Record { status, stopped_by, ..record }).code()
        };
        assert_eq!(exit(Status::Solved, None), 0);
        assert_eq!(exit(Status::Solved, Some(Status::Timeout)), 0);
        assert_eq!(exit(Status::Solved, Some(Status::Interrupted)), 130);
        assert_eq!(exit(Status::Timeout, None), 3);
        assert_eq!(exit(Status::Interrupted, None), 130);
    }
}
