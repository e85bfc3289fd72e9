//! Depth-first search, with the conventions of the courses: successors are put on the stack in
//! reverse, so that they are taken in the order of the moves, unless the user wants it otherwise; a
//! state that is on the stack or has
//! been expanded is not put there again; the goal is recognised when it is taken, and is not
//! counted as expanded. Its solutions are as long as they happen to be.

use super::chunked_list::ChunkedList;
use super::closed::{Closed, Met};
use super::estimator::{Estimator, on_key};
use super::graph::{Graph, START, path_to};
use super::node_counts::DepthCounts;
use super::poller::Poller;
use super::{Algorithm, Observer, Optimality, Outcome, Setting, Statistics, StopReason, Task};
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Move};

/// Depth-first search.
pub static DFS: Algorithm = Algorithm {
    name: "dfs",
    summary: "depth-first search with a stack: some solution, however long; stores every state met",
    optimality: Optimality::Never,
    guided: false,
    parallel: false,
    follows: &[Setting::Order, Setting::LastFirst],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    let mut statistics = Statistics::default();
    let end = on_key!(estimator.expander(), expander => {
        search_graph(task, expander.graph(), &mut statistics, observer)
    });
    Outcome::from_first(end, false, 0, statistics)
}

fn search_graph<K: Packed>(
    task: &Task<'_>,
    graph: &dyn Graph<K>,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<Vec<Move>, StopReason> {
    let limits = &task.limits;
    let mut order = task.move_order(graph.frame());
    if !task.options.last_first {
        order.reverse();
    }
    let (start, goal) = (graph.key(task.start), graph.goal());
    let mut closed: Closed<K, u8> = Closed::new();
    closed.insert(start, START, limits, 0)?;
    let mut stack: ChunkedList<(K, Depth)> = ChunkedList::new();
    stack.push((start, 0), limits, closed.bytes())?;
    let mut successors = Vec::new();
    let mut depths = DepthCounts::if_asked(observer);
    depths.open(0);
    let mut poller = Poller::new(limits, observer);
    while let Some((key, depth)) = stack.pop() {
        if key == goal {
            poller.finish(statistics.expanded, &|| depths.counts());
            let led_to = |key| closed.get(key).expect("each state on the way was stored");
            return Ok(path_to(graph, key, &led_to));
        }
        poller.steps(1, depth, statistics.expanded, &|| depths.counts())?;
        statistics.expanded += 1;
        depths.expand(depth);
        graph.successors(key, &order, &mut successors);
        for &(m, successor) in &successors {
            statistics.generated += 1;
            match closed.insert(successor, m.0, limits, stack.bytes())? {
                Met::Before(..) => statistics.duplicates += 1,
                Met::New => {
                    statistics.max_depth = statistics.max_depth.max(depth + 1);
                    stack.push((successor, depth + 1), limits, closed.bytes())?;
                    depths.open(depth + 1);
                }
            }
            statistics.peak_bytes = statistics.peak_bytes.max(closed.bytes() + stack.bytes());
        }
    }
    // The solver has made sure that the goal can be reached.
    Err(StopReason::Depth)
}
