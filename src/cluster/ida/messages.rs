//! What the ranks of a search tell each other.

use crate::cluster::wire::{Decoder, Encoder, Garbled};
use crate::puzzle::{Depth, Move};
use crate::search::{Outcome, Path, Statistics, StopReason};
use std::ops::Range;
use std::time::Duration;

/// Which search: the board's number in the job, and the number of the search on that board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) board: u64,
    pub(crate) search: u64,
}

/// From rank 0 to another rank.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Order {
    /// Solve this board, of which it is known that no solution is shorter.
    Board { number: u64, board: String, at_least: Depth },
    /// Search these packets under this bound.
    Packets { key: Key, bound: Depth, ranges: Vec<Range<usize>> },
    /// There is a solution in this packet: those after it are of no interest.
    Cut { key: Key, bound: Depth, packet: usize },
    /// Other ranks have `given` now: unless they are begun, they are to be left to them. Others are
    /// done with `done`, which is of no interest any more.
    Relieve { key: Key, bound: Depth, given: Vec<Range<usize>>, done: Vec<Range<usize>> },
    /// The search is over, and this is what came of it.
    Over { key: Key, outcome: Outcome },
    /// The board is done with.
    Done { number: u64 },
    /// It is all done.
    End,
}

/// What came of a range of packets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct RangeResult {
    pub(crate) range: Range<usize>,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) deepest: Depth,
    pub(crate) next_bound: Depth,
    /// The first packet with a solution, and the solution; what comes after it does not count.
    pub(crate) found: Option<(usize, Vec<Move>)>,
}

/// From another rank to rank 0.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Report {
    /// It is ready for this search. The fingerprint is that of its packets.
    Join { key: Key, fingerprint: u64 },
    /// What came of some packets under a bound; how long that took its threads; and how many nodes
    /// it has expanded under this bound in all, also in packets that are not finished.
    Results { key: Key, bound: Depth, results: Vec<RangeResult>, busy: Duration, expanded: u64 },
    /// It knows a solution of so many moves.
    Improved { number: u64, length: Depth },
    /// The best solution that it has found, as it looks for no more.
    Best { number: u64, moves: Vec<Move>, improvements: Vec<(Duration, u32)>, expanded: u64 },
    /// It cannot go on.
    Failed { reason: String },
}

fn key(encoder: &mut Encoder, key: Key) -> &mut Encoder {
    encoder.number(key.board).number(key.search)
}

fn read_key(decoder: &mut Decoder<'_>) -> Result<Key, Garbled> {
    Ok(Key { board: decoder.number()?, search: decoder.number()? })
}

fn moves(encoder: &mut Encoder, moves: &[Move]) {
    let bytes: Vec<u8> = moves.iter().map(|m| m.0).collect();
    encoder.bytes(&bytes);
}

fn read_moves(decoder: &mut Decoder<'_>) -> Result<Vec<Move>, Garbled> {
    Ok(decoder.bytes()?.iter().map(|&m| Move(m)).collect())
}

fn range(encoder: &mut Encoder, range: &Range<usize>) {
    encoder.number(range.start as u64).number(range.end as u64);
}

fn read_range(decoder: &mut Decoder<'_>) -> Result<Range<usize>, Garbled> {
    Ok(decoder.size()?..decoder.size()?)
}

const STOPS: [StopReason; 5] = [
    StopReason::Time,
    StopReason::Nodes,
    StopReason::Memory,
    StopReason::Depth,
    StopReason::Cancelled,
];

/// What others have to know of an outcome, to go on from it in the same way.
fn outcome(encoder: &mut Encoder, outcome: &Outcome) {
    let solution: Vec<&Path> = outcome.solution.iter().collect();
    encoder.list(&solution, |encoder, path| moves(encoder, &path.moves));
    let stop = outcome.stop.and_then(|stop| STOPS.iter().position(|&other| other == stop));
    encoder.number(outcome.lower_bound.into()).byte(stop.map_or(u8::MAX, |stop| stop as u8));
    encoder.number(outcome.statistics.expanded).number(outcome.statistics.generated);
}

fn read_outcome(decoder: &mut Decoder<'_>) -> Result<Outcome, Garbled> {
    let moves = decoder.list(read_moves)?.pop();
    let lower_bound = decoder.small()?;
    let stop = match decoder.byte()? {
        u8::MAX => None,
        stop => Some(*STOPS.get(usize::from(stop)).ok_or(Garbled)?),
    };
    let (expanded, generated) = (decoder.number()?, decoder.number()?);
    let statistics = Statistics { expanded, generated, ..Statistics::default() };
    let solution = moves.map(|moves| Path { moves, optimal: true });
    Ok(Outcome { solution, lower_bound, stop, statistics })
}

impl Order {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        match self {
            Order::Board { number, board, at_least } => {
                encoder.byte(0).number(*number).bytes(board.as_bytes());
                encoder.number((*at_least).into());
            }
            Order::Packets { key: of, bound, ranges } => {
                key(encoder.byte(1), *of).number((*bound).into()).list(ranges, range);
            }
            Order::Cut { key: of, bound, packet } => {
                key(encoder.byte(2), *of).number((*bound).into()).number(*packet as u64);
            }
            Order::Over { key: of, outcome: came } => {
                outcome(key(encoder.byte(3), *of), came);
            }
            Order::Done { number } => _ = encoder.byte(4).number(*number),
            Order::End => _ = encoder.byte(5),
            Order::Relieve { key: of, bound, given, done } => {
                key(encoder.byte(6), *of).number((*bound).into());
                encoder.list(given, range).list(done, range);
            }
        }
        encoder.take()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Order, Garbled> {
        let decoder = &mut Decoder::new(bytes);
        let order = match decoder.byte()? {
            0 => Order::Board {
                number: decoder.number()?,
                board: decoder.text()?,
                at_least: decoder.small()?,
            },
            1 => Order::Packets {
                key: read_key(decoder)?,
                bound: decoder.small()?,
                ranges: decoder.list(read_range)?,
            },
            2 => Order::Cut {
                key: read_key(decoder)?,
                bound: decoder.small()?,
                packet: decoder.size()?,
            },
            3 => Order::Over { key: read_key(decoder)?, outcome: read_outcome(decoder)? },
            4 => Order::Done { number: decoder.number()? },
            5 => Order::End,
            6 => Order::Relieve {
                key: read_key(decoder)?,
                bound: decoder.small()?,
                given: decoder.list(read_range)?,
                done: decoder.list(read_range)?,
            },
            _ => return Err(Garbled),
        };
        decoder.end().map(|()| order)
    }
}

impl Report {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        match self {
            Report::Join { key: of, fingerprint } => {
                key(encoder.byte(0), *of).number(*fingerprint);
            }
            Report::Results { key: of, bound, results, busy, expanded } => {
                key(encoder.byte(1), *of).number((*bound).into());
                encoder.list(results, |encoder, result| {
                    range(encoder, &result.range);
                    encoder.number(result.expanded).number(result.generated);
                    encoder.number(result.deepest.into()).number(result.next_bound.into());
                    let found: Vec<&(usize, Vec<Move>)> = result.found.iter().collect();
                    encoder.list(&found, |encoder, (packet, solution)| {
                        moves(encoder.number(*packet as u64), solution);
                    });
                });
                encoder.number(busy.as_nanos() as u64).number(*expanded);
            }
            Report::Improved { number, length } => {
                encoder.byte(2).number(*number).number((*length).into());
            }
            Report::Best { number, moves: best, improvements, expanded } => {
                moves(encoder.byte(3).number(*number), best);
                encoder.list(improvements, |encoder, (after, length)| {
                    encoder.number(after.as_nanos() as u64).number((*length).into());
                });
                encoder.number(*expanded);
            }
            Report::Failed { reason } => _ = encoder.byte(4).bytes(reason.as_bytes()),
        }
        encoder.take()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Report, Garbled> {
        let decoder = &mut Decoder::new(bytes);
        let report = match decoder.byte()? {
            0 => Report::Join { key: read_key(decoder)?, fingerprint: decoder.number()? },
            1 => Report::Results {
                key: read_key(decoder)?,
                bound: decoder.small()?,
                results: decoder.list(|decoder| {
                    Ok(RangeResult {
                        range: read_range(decoder)?,
                        expanded: decoder.number()?,
                        generated: decoder.number()?,
                        deepest: decoder.small()?,
                        next_bound: decoder.small()?,
                        found: decoder
                            .list(|decoder| Ok((decoder.size()?, read_moves(decoder)?)))?
                            .pop(),
                    })
                })?,
                busy: Duration::from_nanos(decoder.number()?),
                expanded: decoder.number()?,
            },
            2 => Report::Improved { number: decoder.number()?, length: decoder.small()? },
            3 => Report::Best {
                number: decoder.number()?,
                moves: read_moves(decoder)?,
                improvements: decoder.list(|decoder| {
                    Ok((Duration::from_nanos(decoder.number()?), decoder.small()?))
                })?,
                expanded: decoder.number()?,
            },
            4 => Report::Failed { reason: decoder.text()? },
            _ => return Err(Garbled),
        };
        decoder.end().map(|()| report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_meant() {
        let key = Key { board: 3, search: 1 };
        let outcome = Outcome {
            solution: Some(Path { moves: vec![Move(1), Move(0)], optimal: true }),
            lower_bound: 2,
            stop: Some(StopReason::Nodes),
            statistics: Statistics { expanded: 5, generated: 6, ..Statistics::default() },
        };
        for order in [
            Order::Board { number: 1, board: "1 0 2 3".to_owned(), at_least: 4 },
            Order::Packets { key, bound: 7, ranges: vec![3..9, 9..10] },
            Order::Cut { key, bound: 7, packet: 4 },
            Order::Relieve { key, bound: 7, given: vec![3..6, 7..9], done: vec![1..2, 2..3] },
            Order::Over { key, outcome: Outcome { stop: None, ..outcome.clone() } },
            Order::Over { key, outcome: Outcome { solution: None, ..outcome } },
            Order::Done { number: 8 },
            Order::End,
        ] {
            assert_eq!(Order::decode(&order.encode()), Ok(order));
        }
        let results = vec![RangeResult {
            range: 3..5,
            expanded: 10,
            generated: 20,
            deepest: 7,
            next_bound: 9,
            found: Some((4, vec![Move(2)])),
        }];
        let busy = Duration::from_micros(5);
        for report in [
            Report::Join { key, fingerprint: u64::MAX },
            Report::Results { key, bound: 7, results, busy, expanded: 11 },
            Report::Improved { number: 2, length: 80 },
            Report::Best {
                number: 2,
                moves: vec![Move(3)],
                improvements: vec![(Duration::from_secs(1), 80)],
                expanded: 5,
            },
            Report::Failed { reason: "no memory".to_owned() },
        ] {
            assert_eq!(Report::decode(&report.encode()), Ok(report));
        }
        assert_eq!(Order::decode(&[77]), Err(Garbled));
    }
}
