//! Breadth-first search, with the conventions of the courses: a state is marked when it is
//! generated, the goal is recognised when it is taken from the queue, and it is not counted as
//! expanded.

use super::chunked_list::ChunkedList;
use super::closed::{Closed, Met};
use super::estimator::{Estimator, on_key};
use super::graph::{Graph, START, path_to};
use super::poller::Poller;
use super::{
    Algorithm, NodeCount, Observer, Optimality, Outcome, Setting, Statistics, StopReason, Task,
};
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Move};

/// Breadth-first search.
pub static BFS: Algorithm = Algorithm {
    name: "bfs",
    summary: "breadth-first search: shortest solutions, stores every state met",
    optimality: Optimality::Always,
    guided: false,
    parallel: false,
    follows: &[Setting::Order],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    let mut statistics = Statistics::default();
    let mut depth = 0;
    let end = on_key!(estimator.expander(), expander => {
        search_graph(task, expander.graph(), &mut depth, &mut statistics, observer)
    });
    Outcome::from_first(end, true, depth, statistics)
}

fn search_graph<K: Packed>(
    task: &Task<'_>,
    graph: &dyn Graph<K>,
    depth: &mut Depth,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<Vec<Move>, StopReason> {
    let limits = &task.limits;
    let order = task.move_order(graph.frame());
    let (start, goal) = (graph.key(task.start), graph.goal());
    let mut closed: Closed<K, u8> = Closed::new();
    closed.insert(start, START, limits, 0)?;
    let mut layer = ChunkedList::new();
    layer.push(start, limits, closed.bytes())?;
    let mut successors = Vec::new();
    let mut poller = Poller::new(limits, observer);
    // How many states there are at each depth.
    let mut sizes = Vec::new();
    while !layer.is_empty() {
        let mut next = ChunkedList::new();
        sizes.push(layer.len() as u64);
        while !layer.is_empty() {
            // Those that are being expanded are held, too.
            let held = layer.bytes();
            for key in layer.take_chunk() {
                if key == goal {
                    poller.finish(statistics.expanded, &|| {
                        counts(&sizes, statistics.expanded, next.len() as u64)
                    });
                    let led_to = |key| closed.get(key).expect("each state on the way was stored");
                    return Ok(path_to(graph, key, &led_to));
                }
                poller.steps(1, *depth, statistics.expanded, &|| {
                    counts(&sizes, statistics.expanded, next.len() as u64)
                })?;
                statistics.expanded += 1;
                graph.successors(key, &order, &mut successors);
                for &(m, successor) in &successors {
                    statistics.generated += 1;
                    match closed.insert(successor, m.0, limits, held + next.bytes())? {
                        Met::Before(..) => statistics.duplicates += 1,
                        Met::New => {
                            statistics.max_depth = *depth + 1;
                            next.push(successor, limits, held + closed.bytes())?;
                        }
                    }
                }
                let bytes = held + next.bytes() + closed.bytes();
                statistics.peak_bytes = statistics.peak_bytes.max(bytes);
            }
        }
        statistics.expanded_below = statistics.expanded;
        layer = next;
        *depth += 1;
    }
    // The solver has made sure that the goal can be reached.
    Err(StopReason::Depth)
}

/// What was expanded and what waits, given the sizes of the layers, the last of which is being
/// expanded, and that of the next.
fn counts(sizes: &[u64], expanded: u64, next: u64) -> Vec<NodeCount> {
    let mut left = expanded;
    let count = |(depth, &size): (Depth, &u64)| {
        let expanded = left.min(size);
        left -= expanded;
        NodeCount { depth: Some(depth), length: depth, expanded, open: size - expanded }
    };
    (0..).zip(sizes.iter().chain([&next])).map(count).collect()
}
