//! Breadth-first search from both ends (Pohl 1971, "Bi-directional search"), meeting in the middle.
//!
//! The smaller frontier is expanded, a whole layer at a time. When the layers up to `a` from the
//! start and up to `b` from the goal have no state in common, no solution has `a + b` moves or
//! fewer; the first state that both have gives a shortest one. On one-way puzzles the search
//! from the goal undoes moves.

use super::chunked_list::ChunkedList;
use super::closed::{Closed, Met};
use super::estimator::{Estimator, on_key};
use super::graph::{Graph, START, path_to};
use super::node_counts::Tally;
use super::poller::Poller;
use super::{
    Algorithm, Limits, NodeCount, Observer, Optimality, Outcome, Statistics, StopReason, Task,
};
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Move};

/// Breadth-first search from both ends.
pub static BIDIRECTIONAL: Algorithm = Algorithm {
    name: "bidirectional",
    summary: "breadth-first search from both ends: shortest solutions, about the square root of bfs in states",
    optimality: Optimality::Always,
    guided: false,
    parallel: false,
    follows: &[],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    on_key!(estimator.expander(), expander => search_graph(task, expander.graph(), observer))
}

fn search_graph<K: Packed>(
    task: &Task<'_>,
    graph: &dyn Graph<K>,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut search = Search {
        task,
        graph,
        statistics: Statistics::default(),
        poller: Poller::new(&task.limits, observer),
        from_start: Side::new(),
        from_goal: Side::new(),
        layers: Vec::new(),
    };
    let end = search.run();
    let lower_bound = match &end {
        Ok(moves) => moves.len() as Depth,
        Err(_) => search.from_start.depth + search.from_goal.depth + 1,
    };
    Outcome::from_first(end, true, lower_bound, search.statistics)
}

/// One of the two searches: all states within `depth` of its end.
struct Side<K: Packed> {
    closed: Closed<K, u8>,
    frontier: ChunkedList<K>,
    depth: Depth,
}

impl<K: Packed> Side<K> {
    fn new() -> Side<K> {
        Side { closed: Closed::new(), frontier: ChunkedList::new(), depth: 0 }
    }

    fn begin(&mut self, key: K, limits: &Limits<'_>) -> Result<(), StopReason> {
        self.closed.insert(key, START, limits, 0)?;
        self.frontier.push(key, limits, self.closed.bytes())
    }

    fn bytes(&self) -> u64 {
        self.closed.bytes() + self.frontier.bytes()
    }
}

/// Which end a side grows from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Start,
    Goal,
}

struct Search<'a, K: Packed> {
    task: &'a Task<'a>,
    graph: &'a dyn Graph<K>,
    poller: Poller<'a>,
    statistics: Statistics,
    from_start: Side<K>,
    from_goal: Side<K>,
    layers: Vec<Layer>,
}

/// The nodes of a layer that were expanded.
#[derive(Clone, Copy)]
struct Layer {
    /// How far they are from the end that they were reached from.
    depth: Depth,
    /// How long a solution through them is at least: the other end is farther than that side had come.
    length: Depth,
    nodes: u64,
}

/// What was expanded and what waits, by the distance from the one end or the other; `next` is the
/// layer that is being made.
fn counts<K: Packed>(
    done: &[Layer],
    now: Layer,
    own: &Side<K>,
    other: &Side<K>,
    next: usize,
) -> Vec<NodeCount> {
    let mut tally = Tally::default();
    for layer in done.iter().chain([&now]) {
        tally.add_expanded(layer.depth, layer.length, layer.nodes);
    }
    tally.add_open(now.depth, now.length, own.frontier.len() as u64);
    tally.add_open(now.depth + 1, now.length + 1, next as u64);
    tally.add_open(other.depth, now.length, other.frontier.len() as u64);
    tally.counts()
}

impl<K: Packed> Search<'_, K> {
    fn run(&mut self) -> Result<Vec<Move>, StopReason> {
        let limits = &self.task.limits;
        let (start, goal) = (self.graph.key(self.task.start), self.graph.goal());
        if start == goal {
            return Ok(Vec::new());
        }
        self.from_start.begin(start, limits)?;
        self.from_goal.begin(goal, limits)?;
        loop {
            let end = if self.from_start.frontier.len() <= self.from_goal.frontier.len() {
                End::Start
            } else {
                End::Goal
            };
            if let Some(meeting) = self.advance(end)? {
                return Ok(self.joined(meeting));
            }
            let (own, other) = (&self.from_start, &self.from_goal);
            if own.frontier.is_empty() || other.frontier.is_empty() {
                // The solver has made sure that the goal can be reached.
                return Err(StopReason::Depth);
            }
        }
    }

    /// Makes the next layer of one side; a state that the other side has, too, ends it.
    fn advance(&mut self, end: End) -> Result<Option<K>, StopReason> {
        let limits = &self.task.limits;
        let all: Vec<Move> = self.graph.frame().moves().all().collect();
        let mut neighbours = Vec::new();
        let (own, other) = match end {
            End::Start => (&mut self.from_start, &self.from_goal),
            End::Goal => (&mut self.from_goal, &self.from_start),
        };
        let statistics = &mut self.statistics;
        let mut next = ChunkedList::new();
        let (depth, length) = (own.depth, own.depth + other.depth + 1);
        let mut layer = Layer { depth, length, nodes: 0 };
        while !own.frontier.is_empty() {
            // Those that are being expanded are held, too.
            let besides = other.bytes() + own.frontier.bytes();
            for key in own.frontier.take_chunk() {
                self.poller.steps(1, depth + other.depth, statistics.expanded, &|| {
                    counts(&self.layers, layer, own, other, next.len())
                })?;
                statistics.expanded += 1;
                layer.nodes += 1;
                match end {
                    End::Start => self.graph.successors(key, &all, &mut neighbours),
                    End::Goal => self.graph.predecessors(key, &mut neighbours),
                }
                for &(m, child) in &neighbours {
                    statistics.generated += 1;
                    match own.closed.insert(child, m.0, limits, besides + next.bytes())? {
                        Met::Before(..) => statistics.duplicates += 1,
                        Met::New => {
                            statistics.max_depth = statistics.max_depth.max(own.depth + 1);
                            if other.closed.get(child).is_some() {
                                self.poller.finish(statistics.expanded, &|| {
                                    counts(&self.layers, layer, own, other, next.len())
                                });
                                return Ok(Some(child));
                            }
                            next.push(child, limits, besides + own.closed.bytes())?;
                        }
                    }
                }
                let bytes = besides + next.bytes() + own.closed.bytes();
                statistics.peak_bytes = statistics.peak_bytes.max(bytes);
            }
        }
        self.layers.push(layer);
        own.frontier = next;
        own.depth += 1;
        statistics.expanded_below = statistics.expanded;
        Ok(None)
    }

    /// The way from the start to where the sides have met, and on to the goal.
    fn joined(&self, meeting: K) -> Vec<Move> {
        let note = |side: &Side<K>, key| side.closed.get(key).expect("both sides have been here");
        let mut moves = path_to(self.graph, meeting, &|key| note(&self.from_start, key));
        let mut key = meeting;
        loop {
            let m = note(&self.from_goal, key);
            if m == START {
                return moves;
            }
            moves.push(Move(m));
            key = self.graph.apply(key, Move(m));
        }
    }
}
