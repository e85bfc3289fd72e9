//! Thousands of simulated batches: whatever messages do, every board is solved once, and if a rank
//! dies, nothing that was written is solved again by the next run.

use super::dispenser::{Dispenser, DispenserError, Source};
use super::messages::{Finished, Job, Order, Report};
use super::station::Station;
use crate::cluster::simulation::{Event, Network};
use std::collections::VecDeque;
use std::time::Duration;

/// The boards of a simulated batch, by their numbers.
#[derive(Default)]
struct Boards {
    untaken: VecDeque<usize>,
    /// How often each was solved.
    solved: Vec<u32>,
    idle_threads: usize,
    is_over: bool,
}

impl Source for Boards {
    type Board = usize;

    fn next(&mut self) -> Option<usize> {
        self.untaken.pop_front()
    }

    fn left(&self) -> usize {
        // An estimate, as of files that are not read.
        self.untaken.len() * 9 / 10
    }

    fn idle_threads(&self) -> usize {
        self.idle_threads
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn describe(board: &usize) -> (String, String) {
        (board.to_string(), String::new())
    }

    fn finish(&mut self, board: usize, line: &[u8]) -> Result<(), DispenserError> {
        assert_eq!(line, board.to_string().as_bytes(), "the record is of that board");
        self.solved[board] += 1;
        Ok(())
    }

    fn give_back(&mut self, board: usize) {
        self.untaken.push_front(board);
    }
}

#[derive(Debug)]
enum Planned {
    /// A thread of rank 0 has solved a board.
    SolvedHere(usize),
    /// A thread of a rank has solved some.
    Solved(usize, Vec<Job>, Duration),
    /// Some rank may have something to report.
    Look,
    /// The user wants to stop.
    Interrupt,
    /// The job is killed, because a rank has died.
    Kill,
    /// Somebody asks one rank to end.
    Leave(usize),
}

/// What is to happen besides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mishap {
    None,
    Interrupt,
    Kill,
    Leave,
}

struct Batch {
    network: Network<Planned>,
    boards: Boards,
    /// How long each board takes.
    times: Vec<Duration>,
    dispenser: Dispenser<Boards>,
    stations: Vec<Station>,
    idle: Vec<usize>,
    left: Vec<bool>,
}

/// How a batch ended.
#[derive(PartialEq, Debug)]
struct Ended {
    solved: Vec<u32>,
    elapsed: Duration,
    killed: bool,
}

impl Batch {
    /// A batch of boards, some of which may be solved already.
    fn new(seed: u64, times: &[Duration], solved: Vec<u32>) -> Batch {
        let mut network = Network::new(seed);
        let ranks = 2 + network.below(5) as usize;
        let threads: Vec<usize> = (0..ranks).map(|_| 1 + network.below(4) as usize).collect();
        let untaken = (0..times.len()).filter(|&board| solved[board] == 0).collect();
        let boards = Boards { untaken, solved, idle_threads: threads[0], is_over: false };
        Batch {
            network,
            boards,
            times: times.to_vec(),
            dispenser: Dispenser::new(&threads),
            stations: threads.iter().map(|&threads| Station::new(threads, ranks)).collect(),
            left: vec![false; ranks],
            idle: threads,
        }
    }

    fn run(mut self, mishap: Mishap) -> Ended {
        let total: Duration = self.times.iter().sum();
        let at = Duration::from_micros(self.network.below(total.as_micros() as u64 / 4 + 1));
        let rank = 1 + self.network.below(self.stations.len() as u64 - 1) as usize;
        match mishap {
            Mishap::None => {}
            Mishap::Interrupt => self.network.plan(at, Planned::Interrupt),
            Mishap::Kill => self.network.plan(at, Planned::Kill),
            Mishap::Leave => self.network.plan(at, Planned::Leave(rank)),
        }
        let mut done = false;
        self.settle();
        self.network.plan(Duration::ZERO, Planned::Look);
        while let Some(event) = self.network.next() {
            match event {
                Event::Arrival { to: 0, from, bytes } => {
                    let report = Report::decode(&bytes).unwrap();
                    self.dispenser.take(from, report, &mut self.boards).unwrap();
                }
                Event::Arrival { to, bytes, .. } => {
                    self.stations[to].obey(Order::decode(&bytes).unwrap());
                }
                Event::Planned(Planned::SolvedHere(board)) => {
                    self.idle[0] += 1;
                    self.boards.solved[board] += 1;
                }
                Event::Planned(Planned::Solved(rank, jobs, took)) => {
                    self.idle[rank] += 1;
                    let line = |job: Job| Finished { id: job.id, line: job.name.into_bytes() };
                    self.stations[rank].finish(jobs.into_iter().map(line).collect(), took);
                }
                Event::Planned(Planned::Look) => {}
                Event::Planned(Planned::Interrupt) => self.boards.is_over = true,
                Event::Planned(Planned::Leave(rank)) => {
                    self.left[rank] = true;
                    self.stations[rank].leave();
                }
                Event::Planned(Planned::Kill) => {
                    return Ended {
                        solved: self.boards.solved,
                        elapsed: self.network.now(),
                        killed: true,
                    };
                }
            }
            self.settle();
            if self.dispenser.is_done() && !done {
                done = true;
                for rank in 1..self.stations.len() {
                    self.network.send(0, rank, Order::End.encode());
                }
            }
        }
        assert!(done, "nothing happens any more, but it is not done");
        assert!(self.stations[1..].iter().all(Station::is_ended));
        Ended { solved: self.boards.solved, elapsed: self.network.now(), killed: false }
    }

    /// Does everything that can be done now.
    fn settle(&mut self) {
        let now = self.network.now();
        while self.idle[0] > 0
            && !self.boards.is_over
            && let Some(board) = self.boards.next()
        {
            self.idle[0] -= 1;
            self.network.plan(now + self.times[board], Planned::SolvedHere(board));
        }
        self.boards.idle_threads = self.idle[0];
        for (rank, order) in self.dispenser.orders(&mut self.boards) {
            self.network.send(0, rank, order.encode());
        }
        for rank in 1..self.stations.len() {
            let station = &mut self.stations[rank];
            while self.idle[rank] > 0 && !station.is_empty() && !station.is_ended() {
                let jobs = station.begin();
                let time = |job: &Job| self.times[job.name.parse::<usize>().unwrap()];
                // What is given up takes no time.
                let took: Duration = jobs.iter().map(time).sum();
                self.idle[rank] -= 1;
                self.network.plan(now + took, Planned::Solved(rank, jobs, took));
            }
            match station.due() {
                Some(due) if due <= now => {
                    let report = station.report(now);
                    self.network.send(rank, 0, report.encode());
                }
                Some(due) => self.network.plan(due, Planned::Look),
                None => {}
            }
        }
    }
}

/// The times of some boards: most of one kind, and a few that take much longer.
fn times(seed: u64) -> Vec<Duration> {
    let mut random: Network<()> = Network::new(seed ^ 0x5eed);
    let boards = 1 + random.below(300);
    let usual = [5, 300, 20_000, 1_000_000][random.below(4) as usize];
    let time = |_| {
        let factor = if random.below(40) == 0 { 200 } else { 2 };
        Duration::from_micros(1 + random.below(usual * factor))
    };
    (0..boards).map(time).collect()
}

#[test]
fn every_board_is_solved_once() {
    for seed in 0..4_000 {
        let times = times(seed);
        let run = || Batch::new(seed, &times, vec![0; times.len()]).run(Mishap::None);
        let ended = run();
        assert!(ended.solved.iter().all(|&solved| solved == 1), "seed {seed}");
        if seed % 100 == 0 {
            assert_eq!(run(), ended, "seed {seed}: the same seed is the same job");
        }
    }
}

#[test]
fn nobody_waits_for_long() {
    // With messages that take a tenth of a millisecond, a batch takes hardly longer than its boards
    // need, divided by the threads, and the longest of them.
    for seed in 0..1_000 {
        let times = times(seed);
        let mut batch = Batch::new(seed, &times, vec![0; times.len()]);
        batch.network.set_delay(100);
        let threads: usize = batch.idle.iter().sum();
        let total: Duration = times.iter().sum();
        let longest = times.iter().max().copied().unwrap_or_default();
        let ended = batch.run(Mishap::None);
        let enough = total / threads as u32 + longest + Duration::from_millis(40);
        assert!(ended.elapsed <= enough, "seed {seed}: {:?}, {enough:?}", ended.elapsed);
    }
}

#[test]
fn after_a_death_the_rest_is_solved_and_nothing_twice() {
    for seed in 0..2_000 {
        let times = times(seed);
        let killed = Batch::new(seed, &times, vec![0; times.len()]).run(Mishap::Kill);
        assert!(killed.solved.iter().all(|&solved| solved <= 1), "seed {seed}");
        let resumed = Batch::new(seed + 1, &times, killed.solved).run(Mishap::None);
        assert!(resumed.solved.iter().all(|&solved| solved == 1), "seed {seed}");
    }
}

#[test]
fn an_interrupted_batch_ends_and_can_be_resumed() {
    for seed in 0..1_000 {
        let times = times(seed);
        let ended = Batch::new(seed, &times, vec![0; times.len()]).run(Mishap::Interrupt);
        assert!(!ended.killed && ended.solved.iter().all(|&solved| solved <= 1), "seed {seed}");
        let resumed = Batch::new(seed + 1, &times, ended.solved).run(Mishap::None);
        assert!(resumed.solved.iter().all(|&solved| solved == 1), "seed {seed}");
    }
}

#[test]
fn what_a_rank_leaves_is_solved_by_others() {
    for seed in 0..1_000 {
        let times = times(seed);
        let ended = Batch::new(seed, &times, vec![0; times.len()]).run(Mishap::Leave);
        assert!(ended.solved.iter().all(|&solved| solved == 1), "seed {seed}");
    }
}

#[test]
fn a_report_on_a_board_that_was_not_given_is_refused() {
    let mut dispenser: Dispenser<Boards> = Dispenser::new(&[1, 1]);
    let finished = vec![Finished { id: 7, line: Vec::new() }];
    let report = Report { finished, ..Report::default() };
    let mut boards = Boards::default();
    let error = dispenser.take(1, report, &mut boards).unwrap_err();
    assert_eq!(error, DispenserError::NotGiven { rank: 1 });
    let report = Report { failure: Some("it burns".to_owned()), ..Report::default() };
    let error = dispenser.take(1, report, &mut boards).unwrap_err();
    assert_eq!(error.to_string(), "rank 1: it burns");
}
