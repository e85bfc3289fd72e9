//! Thousands of simulated searches: whatever messages do, whoever comes late and whatever is searched
//! twice, each iteration counts what one process would count, and finds the same solution.

use super::dispatch::Dispatch;
use super::messages::{Key, Order, Report};
use super::portion::Portion;
use super::threads::Work;
use crate::cluster::simulation::{Event, Network};
use crate::puzzle::{Depth, Move};
use crate::search::StopReason;
use crate::search::ida::PassResult;
use std::time::Duration;

const KEY: Key = Key { board: 1, search: 0 };

/// The packets of a simulated search.
struct Tree {
    /// How long each takes under the first bound, in microseconds; that is also the number of its
    /// nodes.
    sizes: Vec<u64>,
    /// The bound under which there are solutions, and the packets that have one.
    last_bound: Depth,
    solutions: Vec<usize>,
}

impl Tree {
    fn new(network: &mut Network<Planned>) -> Tree {
        let packets = 1 + network.below(200) as usize;
        let usual = [2, 100, 5_000][network.below(3) as usize];
        let size = |network: &mut Network<Planned>| {
            let factor = if network.below(20) == 0 { 100 } else { 1 };
            network.below(usual * factor)
        };
        let sizes = (0..packets).map(|_| size(network)).collect();
        let solutions = (0..1 + network.below(4)).map(|_| network.below(packets as u64) as usize);
        let solutions = solutions.collect();
        Tree { sizes, last_bound: 1 + network.below(3) as Depth, solutions }
    }

    /// What comes of a packet.
    fn search(&self, packet: usize, bound: Depth) -> PassResult {
        let expanded = self.sizes[packet] * u64::from(bound);
        let found = bound == self.last_bound && self.solutions.contains(&packet);
        PassResult {
            end: Ok(found.then(|| vec![Move(packet as u8); bound as usize])),
            expanded,
            generated: 2 * expanded,
            deepest: bound,
            next_bound: bound + 1,
            ..PassResult::default()
        }
    }

    /// What comes of an iteration by one process: all packets up to the first with a solution.
    fn expected(&self, bound: Depth) -> (Option<Vec<Move>>, u64) {
        let mut nodes = 0;
        for packet in 0..self.sizes.len() {
            let PassResult { end, expanded, .. } = self.search(packet, bound);
            nodes += expanded;
            if let Ok(Some(moves)) = end {
                return (Some(moves), nodes);
            }
        }
        (None, nodes)
    }
}

#[derive(Debug)]
enum Planned {
    /// A rank is ready.
    Join(usize),
    /// A thread of a rank is done with a packet.
    Done { rank: usize, packet: usize, bound: Depth, took: Duration },
}

struct Job {
    network: Network<Planned>,
    tree: Tree,
    dispatch: Dispatch,
    portions: Vec<Portion>,
    threads: usize,
    idle: Vec<usize>,
    /// By packet, how often it was searched in this iteration.
    searched: Vec<usize>,
    seen: Seen,
}

/// What has happened in simulated jobs.
#[derive(Default)]
struct Seen {
    /// Ranges that a rank has taken over from another one.
    taken_over: usize,
    /// Packets that were searched more than once in an iteration.
    searched_again: usize,
    /// Packets that were given up on the way, because they were of no interest any more.
    given_up: usize,
}

impl Job {
    fn new(seed: u64) -> Job {
        let mut network = Network::new(seed);
        let tree = Tree::new(&mut network);
        let ranks = 1 + network.below(5) as usize;
        let threads: Vec<usize> = (0..ranks).map(|_| 1 + network.below(3) as usize).collect();
        for rank in 1..ranks {
            let late = if network.below(3) == 0 { 1_000_000 } else { 100 };
            let at = Duration::from_micros(network.below(late));
            network.plan(at, Planned::Join(rank));
        }
        let dispatch = Dispatch::new(KEY, tree.sizes.len(), &threads);
        let portions = threads.iter().map(|&threads| Portion::new(threads)).collect();
        let all_threads = threads.iter().sum();
        let searched = vec![0; tree.sizes.len()];
        let seen = Seen::default();
        Job {
            network,
            tree,
            dispatch,
            portions,
            threads: all_threads,
            idle: threads,
            searched,
            seen,
        }
    }

    /// Runs one iteration, and compares it.
    fn iterate(&mut self, bound: Depth) {
        self.dispatch.begin_iteration(bound);
        self.searched.fill(0);
        loop {
            self.settle();
            if self.dispatch.is_complete() {
                break;
            }
            match self.network.next().expect("something is still to happen") {
                Event::Arrival { to: 0, from, bytes } => match Report::decode(&bytes).unwrap() {
                    Report::Join { key: KEY, .. } => self.dispatch.join(from),
                    Report::Results { key: KEY, bound, results, busy, expanded } => {
                        self.dispatch.take_results(from, bound, results, busy, expanded);
                    }
                    other => panic!("{other:?}"),
                },
                Event::Arrival { to, bytes, .. } => match Order::decode(&bytes).unwrap() {
                    Order::Packets { key: KEY, bound, ranges } => {
                        self.portions[to].add(bound, ranges);
                    }
                    Order::Cut { key: KEY, bound, packet } => self.portions[to].cut(bound, packet),
                    Order::Relieve { key: KEY, bound, given, done } => {
                        self.portions[to].relieve(bound, &given, &done);
                    }
                    other => panic!("{other:?}"),
                },
                Event::Planned(Planned::Join(rank)) => {
                    let join = Report::Join { key: KEY, fingerprint: 0 };
                    self.network.send(rank, 0, join.encode());
                }
                Event::Planned(Planned::Done { rank, packet, bound, took }) => {
                    self.idle[rank] += 1;
                    let mut result = self.tree.search(packet, bound);
                    let work: &mut dyn Work = match rank {
                        0 => &mut self.dispatch,
                        _ => &mut self.portions[rank],
                    };
                    if !work.is_wanted(packet, bound) {
                        result.end = Err(StopReason::Cancelled);
                        result.expanded /= 2;
                        self.seen.given_up += 1;
                    }
                    work.finish(packet, bound, result, took);
                }
            }
        }
        let result = self.dispatch.result();
        let found = result.end.expect("nothing has stopped it");
        assert_eq!((found, result.expanded), self.tree.expected(bound));
        assert_eq!(result.generated, 2 * result.expanded);
        assert_eq!((result.deepest, result.next_bound), (bound, bound + 1));
    }

    /// Does everything that can be done now.
    fn settle(&mut self) {
        let now = self.network.now();
        for rank in 0..self.idle.len() {
            while self.idle[rank] > 0 {
                let begun = match rank {
                    0 => self.dispatch.begin(),
                    _ => self.portions[rank].begin(),
                };
                let Some((packet, bound)) = begun else { break };
                self.idle[rank] -= 1;
                self.searched[packet] += 1;
                self.seen.searched_again += usize::from(self.searched[packet] > 1);
                let took = Duration::from_micros(self.tree.search(packet, bound).expanded);
                let done = Planned::Done { rank, packet, bound, took };
                self.network.plan(now + took, done);
            }
            let portion = &mut self.portions[rank];
            if portion.has_news() {
                let bound = portion.bound();
                let (results, busy) = portion.report();
                let report = Report::Results { key: KEY, bound, results, busy, expanded: 0 };
                self.network.send(rank, 0, report.encode());
            }
        }
        for (rank, order) in self.dispatch.orders() {
            if let Order::Relieve { given, .. } = &order {
                self.seen.taken_over += given.len();
            }
            self.network.send(0, rank, order.encode());
        }
    }
}

#[test]
fn iterations_count_what_one_process_counts() {
    let mut seen = Seen::default();
    for seed in 0..6_000 {
        let mut job = Job::new(seed);
        (1..=job.tree.last_bound).for_each(|bound| job.iterate(bound));
        seen.taken_over += job.seen.taken_over;
        seen.searched_again += job.seen.searched_again;
        seen.given_up += job.seen.given_up;
    }
    let Seen { taken_over, searched_again, given_up } = seen;
    assert!(taken_over > 2_000, "{taken_over}");
    assert!(searched_again > 500, "{searched_again}");
    assert!(given_up > 500, "{given_up}");
}

/// Where messages are quick, nobody waits while others have packets that are not begun: what an
/// iteration takes is little more than the work of each thread, or the longest packet.
#[test]
fn ranks_are_done_at_about_the_same_time() {
    for seed in 0..500 {
        let mut job = Job::new(seed);
        job.network.set_delay(5);
        // Everybody is there.
        for rank in 1..job.portions.len() {
            job.dispatch.join(rank);
        }
        job.tree.last_bound += 1;
        for bound in 1..job.tree.last_bound {
            let began = job.network.now();
            job.iterate(bound);
            let took = job.network.now() - began;
            let sizes = job.tree.sizes.iter().map(|&size| size * u64::from(bound));
            let longest = Duration::from_micros(sizes.clone().max().unwrap());
            let share = Duration::from_micros(sizes.sum()) / job.threads as u32;
            let most = share + longest + Duration::from_millis(2);
            assert!(took <= most, "seed {seed}: {took:?}, {share:?} and {longest:?}");
        }
    }
}
