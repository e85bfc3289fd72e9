//! Messages between threads of one process that stand for the processes of a job.

use super::transport::{Lost, Message, Transport};
use std::sync::mpsc::{self, Receiver, Sender};

/// One end of the channels between all ranks.
#[derive(Debug)]
pub struct Channels {
    rank: usize,
    to: Vec<Sender<Letter>>,
    inbox: Receiver<Letter>,
    /// Whether everything was done: then nobody is told that this one is gone.
    finished: bool,
}

#[derive(Debug)]
enum Letter {
    Message(Message),
    /// A rank is gone before the end.
    Gone(usize),
}

impl Channels {
    /// The ends for a job of so many ranks.
    pub fn connect(size: usize) -> Vec<Channels> {
        let (to, inboxes): (Vec<_>, Vec<_>) = (0..size).map(|_| mpsc::channel()).unzip();
        let end = |(rank, inbox)| Channels { rank, to: to.clone(), inbox, finished: false };
        inboxes.into_iter().enumerate().map(end).collect()
    }
}

impl Transport for Channels {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn neighbours(&self) -> usize {
        self.size()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        // Who has finished needs no message.
        let _ = self.to[to].send(Letter::Message(Message { from: self.rank, bytes }));
    }

    fn receive(&mut self) -> Result<Option<Message>, Lost> {
        match self.inbox.try_recv() {
            Ok(Letter::Message(message)) => Ok(Some(message)),
            Ok(Letter::Gone(rank)) => Err(Lost { rank }),
            // This end has a sender of its own, so that the channel is never closed.
            Err(_) => Ok(None),
        }
    }

    fn flush(&mut self) {
        self.finished = true;
    }
}

impl Drop for Channels {
    fn drop(&mut self) {
        if !self.finished {
            for to in &self.to {
                let _ = to.send(Letter::Gone(self.rank));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_rank_arrive_in_their_order_and_a_loss_is_told() {
        let mut ends = Channels::connect(3);
        let mut last = ends.pop().unwrap();
        last.send(0, vec![1]);
        last.send(0, vec![2]);
        let first = &mut ends[0];
        assert_eq!((first.rank(), first.size()), (0, 3));
        assert_eq!(first.receive(), Ok(Some(Message { from: 2, bytes: vec![1] })));
        assert_eq!(first.receive(), Ok(Some(Message { from: 2, bytes: vec![2] })));
        assert_eq!(first.receive(), Ok(None));
        drop(last);
        assert_eq!(ends[0].receive(), Err(Lost { rank: 2 }));
        let mut second = ends.pop().unwrap();
        second.flush();
        drop(second);
        assert_eq!(ends[0].receive(), Ok(None), "that one had finished");
    }
}
