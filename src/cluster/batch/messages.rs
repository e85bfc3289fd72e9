//! What the ranks of a batch tell each other.

use crate::cluster::wire::{Decoder, Encoder, Garbled};
use std::time::Duration;

/// A board on its way to be solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Job {
    /// By which rank 0 knows it.
    pub(crate) id: u64,
    pub(crate) name: String,
    /// The board as text.
    pub(crate) board: String,
}

/// From rank 0 to another rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Solve these.
    Solve(Vec<Job>),
    /// Give back up to so many that are not begun: others have nothing to do.
    GiveBack(usize),
    /// Give up what is being solved, and give back the rest.
    Stop,
    /// It is all done.
    End,
}

/// A board that was solved, or given up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finished {
    pub(crate) id: u64,
    /// Its record, as a line of a journal.
    pub(crate) line: Vec<u8>,
}

/// From another rank to rank 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Report {
    pub(crate) finished: Vec<Finished>,
    /// The boards that were not begun and are not going to be.
    pub(crate) given_back: Vec<u64>,
    /// Whether this is the answer to [`Order::GiveBack`].
    pub(crate) answers: bool,
    /// How long the threads of the rank took for what is finished, added up.
    pub(crate) busy: Duration,
    /// Whether it takes no more boards: somebody has asked this process alone to end.
    pub(crate) leaves: bool,
    /// What went wrong, so that the run has to end.
    pub(crate) failure: Option<String>,
}

impl Order {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        match self {
            Order::Solve(jobs) => encoder.byte(0).list(jobs, |encoder, job| {
                encoder.number(job.id).bytes(job.name.as_bytes()).bytes(job.board.as_bytes());
            }),
            Order::GiveBack(boards) => encoder.byte(1).number(*boards as u64),
            Order::Stop => encoder.byte(2),
            Order::End => encoder.byte(3),
        };
        encoder.take()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Order, Garbled> {
        let mut decoder = Decoder::new(bytes);
        let order = match decoder.byte()? {
            0 => Order::Solve(decoder.list(|decoder| {
                let id = decoder.number()?;
                Ok(Job { id, name: decoder.text()?, board: decoder.text()? })
            })?),
            1 => Order::GiveBack(decoder.size()?),
            2 => Order::Stop,
            3 => Order::End,
            _ => return Err(Garbled),
        };
        decoder.end().map(|()| order)
    }
}

impl Report {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        encoder.list(&self.finished, |encoder, finished| {
            encoder.number(finished.id).bytes(&finished.line);
        });
        encoder.list(&self.given_back, |encoder, &id| _ = encoder.number(id));
        encoder.byte(self.answers.into()).byte(self.leaves.into());
        encoder.number(self.busy.as_nanos() as u64);
        let failure: Vec<&String> = self.failure.iter().collect();
        encoder.list(&failure, |encoder, text| _ = encoder.bytes(text.as_bytes())).take()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Report, Garbled> {
        let mut decoder = Decoder::new(bytes);
        let report = Report {
            finished: decoder.list(|decoder| {
                Ok(Finished { id: decoder.number()?, line: decoder.bytes()?.to_vec() })
            })?,
            given_back: decoder.list(Decoder::number)?,
            answers: decoder.byte()? == 1,
            leaves: decoder.byte()? == 1,
            busy: Duration::from_nanos(decoder.number()?),
            failure: decoder.list(Decoder::text)?.pop(),
        };
        decoder.end().map(|()| report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_meant() {
        let job = Job { id: 7, name: "a\tb\n".to_owned(), board: "1 0 2 3".to_owned() };
        for order in [Order::Solve(vec![job]), Order::GiveBack(5), Order::Stop, Order::End] {
            assert_eq!(Order::decode(&order.encode()), Ok(order));
        }
        let report = Report {
            finished: vec![Finished { id: 3, line: b"{}\n".to_vec() }],
            given_back: vec![8, 9],
            answers: true,
            leaves: true,
            busy: Duration::from_micros(77),
            failure: Some("it burns".to_owned()),
        };
        assert_eq!(Report::decode(&report.encode()), Ok(report));
        assert_eq!(Order::decode(&[9]), Err(Garbled));
    }
}
