//! Messages between the processes of one job.

/// Carries messages between the processes of a job, which are numbered from 0: their ranks.
///
/// What one rank sends to another arrives once and in that order; nothing is promised about
/// messages of different ranks.
pub trait Transport {
    /// The number of this process.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn size(&self) -> usize;

    /// How many of them run on this machine, this one included.
    fn neighbours(&self) -> usize;

    /// Sends a message, without waiting until it is received.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// The next message that has arrived, if there is one.
    ///
    /// # Errors
    /// If a process is gone, so that the job cannot be finished.
    fn receive(&mut self) -> Result<Option<Message>, Lost>;

    /// Waits until all that was sent is on its way.
    fn flush(&mut self) {}
}

/// A message that has arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Who sent it.
    pub from: usize,
    /// What it says.
    pub bytes: Vec<u8>,
}

/// A process is gone before the end of the job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("rank {rank} is gone before the end of the job")]
pub struct Lost {
    /// Which one.
    pub rank: usize,
}
