//! Hash-distributed A* (Kishimoto, Fukunaga and Botea 2009, "Scalable, parallel best-first
//! search for optimal sequential planning").
//!
//! Each state belongs to one worker, by its hash. A worker keeps the states that it owns in its
//! own closed and open lists, which nobody else touches; a successor that another worker owns
//! is sent there, in batches. So nothing is locked but the inboxes, and these seldom. They are
//! large: a worker may be held up for as long as its closed list takes to grow.
//!
//! Workers run ahead of each other, so that a state may be expanded before its shortest path is
//! known; it is then reopened. A solution that comes up first need not be shortest: its
//! length becomes the bound that all workers share, and the search is over when none of them
//! has a node whose depth and estimate stay below it, and no message is on its way.
//!
//! **Termination.** One counter holds the active workers and the batches that wait in an inbox.
//! A batch is counted while the inbox is locked, and taken off by a worker that is counted as
//! active; only an active worker sends. So once the counter is zero, it stays zero, and nobody
//! has anything to do.

use super::best_first::{Batch, Nodes, OpenNode, Order, Run, Runs, SuccessorRules, Successors};
use super::estimator::{Estimator, Expand, on_key};
use super::graph::path_to;
use super::node_counts::{Tally, report};
use super::{
    Algorithm, Limits, NodeCount, Observer, Optimality, Outcome, Path, Silent, Statistics,
    StopReason, Task,
};
use crate::puzzle::Depth;
use crate::puzzle::packed::Packed;
use crate::sync::lock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// How many nodes are sent together.
const BATCH: usize = 256;

/// No more nodes are put into an inbox that holds this many, so that memory stays bounded.
const INBOX: usize = 512 * BATCH;

/// How many nodes a worker that nobody watches itself expands before it says again what it has, for
/// the one that is watched.
const NODES_BETWEEN_COUNTS: u64 = 256;

/// How many nodes a worker expands before it looks into its inbox again.
const NODES_BETWEEN_MAIL: usize = 32;

/// Hash-distributed A*.
pub static PARALLEL_ASTAR: Algorithm = Algorithm {
    name: "pastar",
    summary: "A* by several threads, each with its share of the states: shortest solutions, much memory",
    optimality: Optimality::IfAdmissible,
    guided: true,
    parallel: true,
    follows: &[],
    search: |task, estimator, observer| search(task, estimator, observer, INBOX),
};

/// The search, with inboxes of a size.
fn search(
    task: &Task<'_>,
    estimator: &dyn Estimator,
    observer: &mut dyn Observer,
    inbox: usize,
) -> Outcome {
    let rules = &SuccessorRules::new(estimator.frame(), task.start);
    let estimate = rules.raised(estimator.estimate(task.start), 0);
    on_key!(estimator.expander(), expander => {
        search_with(&Ground { task, expander, rules, estimate }, observer, inbox)
    })
}

/// What stays the same during a search.
struct Ground<'a, K: Packed> {
    task: &'a Task<'a>,
    expander: &'a dyn Expand<K>,
    rules: &'a SuccessorRules,
    /// The estimate of the start.
    estimate: Depth,
}

fn search_with<K: Packed>(
    ground: &Ground<'_, K>,
    observer: &mut dyn Observer,
    inbox: usize,
) -> Outcome {
    let mut threads = ground.task.options.threads.max(1);
    loop {
        match search_on(threads, ground, observer, inbox) {
            Ok(outcome) => return outcome,
            // Each state has its owner, so the search begins anew.
            Err(started) => threads = started,
        }
    }
}

/// The search on so many threads; how many there are, if the system does not start all of them.
fn search_on<K: Packed>(
    threads: usize,
    ground: &Ground<'_, K>,
    observer: &mut dyn Observer,
    inbox: usize,
) -> Result<Outcome, usize> {
    let task = ground.task;
    let shared = Shared::new(threads, inbox, observer.nodes_until_counts(0).is_some());
    // Hashes share out the states evenly, and so the memory.
    let limits =
        Limits { bytes: task.limits.bytes.map(|most| share_of(most, threads)), ..task.limits };
    let worker = |id| Worker::new(id, ground, &limits, &shared);
    let workers = thread::scope(|scope| {
        let start = |id| {
            let run = move || worker(id).run(&mut Silent);
            thread::Builder::new().spawn_scoped(scope, run).ok()
        };
        let others: Vec<_> = (1..threads).map_while(start).collect();
        if others.len() + 1 < threads {
            shared.stop(StopReason::Cancelled);
            return Err(others.len() + 1);
        }
        let first = worker(0).run(observer);
        let join = |other: thread::ScopedJoinHandle<'_, _>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        Ok([first].into_iter().chain(others.into_iter().map(join)).collect::<Vec<_>>())
    })?;
    let counts: Vec<_> = workers.iter().map(Nodes::counts).collect();
    let expanded = workers.iter().map(|nodes| nodes.statistics.expanded).sum();
    report(observer, expanded, &|| sum(&counts));
    Ok(outcome(ground, &shared, workers))
}

/// What workers have expanded and what they have open, together.
fn sum(counts: &[Vec<NodeCount>]) -> Vec<NodeCount> {
    let mut tally = Tally::default();
    counts.iter().for_each(|counts| tally.add(counts));
    tally.counts()
}

/// What each worker may hold: where there are several, a part is left for what comes in while a
/// worker is not running.
fn share_of(bytes: u64, threads: usize) -> u64 {
    let on_its_way = if threads > 1 { bytes / 8 } else { 0 };
    (bytes - on_its_way) / threads as u64
}

/// What the workers found out together.
fn outcome<K: Packed>(
    ground: &Ground<'_, K>,
    shared: &Shared<K>,
    mut workers: Vec<Nodes<K>>,
) -> Outcome {
    let moves = shared.best_length().map(|_| {
        let graph = ground.expander.graph();
        path_to(graph, graph.goal(), &|key| {
            let nodes = &workers[owner(key, workers.len())];
            nodes.led_to(nodes.closed.get(key))
        })
    });
    let length = moves.as_ref().map_or(Depth::MAX, |moves| moves.len() as Depth);
    let least = |mail: &Mail<_>| mail.lists.iter().map(Runs::least_length).min();
    let in_mail = shared.inboxes.iter().filter_map(|inbox| least(&inbox.lock()));
    let bound = in_mail.fold(length, Depth::min);
    let bound = workers.iter().fold(bound, |bound, nodes| nodes.lower_bound(bound));
    let lower_bound = bound.max(ground.task.at_least).min(length);
    let mut statistics = Statistics::default();
    let mut bytes = 0;
    for nodes in &mut workers {
        bytes += nodes.statistics.peak_bytes;
        nodes.statistics.expanded_below = nodes.expanded_below(lower_bound);
        statistics.add(std::mem::take(&mut nodes.statistics));
    }
    statistics.peak_bytes = bytes;
    let proven = lower_bound == length;
    let stop = match shared.stop.get() {
        Some(&stop) => Some(stop),
        None => moves.is_none().then_some(StopReason::Depth),
    };
    Outcome {
        solution: moves.map(|moves| Path { moves, optimal: proven }),
        lower_bound,
        // What is proven stays proven, whatever happened at the same time.
        stop: stop.filter(|_| !proven || length == Depth::MAX),
        statistics,
    }
}

/// Who owns a state: by the low bits of the hash, of which the closed list uses the high ones.
#[inline]
fn owner<K: Packed>(key: K, workers: usize) -> usize {
    (((key.hash64() & u64::from(u32::MAX)) * workers as u64) >> 32) as usize
}

/// What has been sent to a worker, in cache lines of its own, so that those who send to others are
/// not in its way.
#[derive(Debug)]
#[repr(align(128))]
struct Inbox<K: Copy>(Mutex<Mail<K>>);

/// Nodes in the lists that senders have put them in: they are not copied on their way.
#[derive(Debug)]
struct Mail<K: Copy> {
    lists: Vec<Runs<K>>,
    nodes: usize,
}

impl<K: Copy> Inbox<K> {
    /// No code that may panic runs while it is locked.
    fn lock(&self) -> MutexGuard<'_, Mail<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What all workers see.
#[derive(Debug)]
struct Shared<K: Copy> {
    inboxes: Vec<Inbox<K>>,
    /// An inbox with so many nodes is full.
    full: usize,
    /// How many workers are active, and how many batches wait.
    pending: AtomicUsize,
    /// The length of the best solution so far; [`Depth::MAX`] if there is none.
    best: AtomicU32,
    /// How many nodes have been expanded, as far as workers have told; if their number is
    /// limited, how many have been or will be at once.
    expanded: AtomicU64,
    /// Why all are to stop.
    stop: OnceLock<StopReason>,
    /// What each worker said last of its nodes, if an observer asks for that.
    counts: Option<Mutex<Vec<Vec<NodeCount>>>>,
}

impl<K: Copy> Shared<K> {
    fn new(workers: usize, full: usize, is_watched: bool) -> Shared<K> {
        let inbox = |_| Inbox(Mutex::new(Mail { lists: Vec::new(), nodes: 0 }));
        Shared {
            inboxes: (0..workers).map(inbox).collect(),
            full,
            pending: AtomicUsize::new(workers),
            best: AtomicU32::new(Depth::MAX),
            expanded: AtomicU64::new(0),
            stop: OnceLock::new(),
            counts: is_watched.then(|| Mutex::new(vec![Vec::new(); workers])),
        }
    }

    fn best_length(&self) -> Option<Depth> {
        Some(self.best.load(Ordering::Relaxed)).filter(|&best| best < Depth::MAX)
    }

    /// Stops all workers; the first reason counts.
    fn stop(&self, stop: StopReason) {
        let _ = self.stop.set(stop);
    }

    fn is_stopped(&self) -> bool {
        self.stop.get().is_some()
    }
}

/// Stops the others if its worker panics: they would wait for it for ever.
struct Alarm<'a, K: Copy>(&'a Shared<K>);

impl<K: Copy> Drop for Alarm<'_, K> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop(StopReason::Cancelled);
        }
    }
}

/// One worker and the states that it owns.
struct Worker<'a, K: Packed> {
    id: usize,
    ground: &'a Ground<'a, K>,
    limits: &'a Limits<'a>,
    shared: &'a Shared<K>,
    nodes: Nodes<K>,
    /// The longest solution of interest.
    longest: Depth,
    goal: K,
    /// For each worker, what is to be sent; for this one, what it keeps.
    outgoing: Vec<Runs<K>>,
    /// What was taken from the inbox.
    mail: Vec<Runs<K>>,
    /// Lists that were read, to be filled again.
    spare: Vec<Runs<K>>,
    /// How many batch there may be before the limits are looked at.
    unchecked: u64,
    /// How many of this worker's nodes are in the common count.
    counted: u64,
}

impl<'a, K: Packed> Worker<'a, K> {
    fn new(
        id: usize,
        ground: &'a Ground<'a, K>,
        limits: &'a Limits<'a>,
        shared: &'a Shared<K>,
    ) -> Self {
        let graph = ground.expander.graph();
        Worker {
            id,
            ground,
            limits,
            shared,
            nodes: Nodes::for_task(ground.task, graph.frame(), Order::BY_LENGTH),
            longest: ground.task.limits.depth.unwrap_or(Depth::MAX),
            goal: graph.goal(),
            outgoing: shared.inboxes.iter().map(|_| Runs::new()).collect(),
            mail: Vec::new(),
            spare: Vec::new(),
            unchecked: 0,
            counted: 0,
        }
    }

    /// Works until all are done or one has to stop.
    fn run(mut self, observer: &mut dyn Observer) -> Nodes<K> {
        let _alarm = Alarm(self.shared);
        if let Err(stop) = self.begin().and_then(|()| self.work(observer)) {
            self.shared.stop(stop);
        }
        // What has not been sent or read has not been searched.
        let left = self.outgoing.iter().chain(&self.mail);
        left.for_each(|runs| self.nodes.give_up(runs.least_length()));
        self.nodes.statistics.peak_bytes = self.nodes.bytes();
        self.nodes
    }

    /// The owner of the start begins there.
    fn begin(&mut self) -> Result<(), StopReason> {
        let Ground { task, expander, estimate, .. } = *self.ground;
        let node = OpenNode::start(expander.graph().key(task.start), estimate);
        if owner(node.key, self.outgoing.len()) != self.id {
            return Ok(());
        }
        self.nodes.statistics.evaluations += 1;
        self.accept(node)
    }

    fn work(&mut self, observer: &mut dyn Observer) -> Result<(), StopReason> {
        let (mut batch, mut successors) = (Batch::new(), Successors::new(self.goal));
        loop {
            self.receive()?;
            let mut expanded = 0;
            while expanded < NODES_BETWEEN_MAIL && self.next(&mut batch)? {
                self.poll(&batch, observer)
                    .and_then(|()| self.expand(&batch, &mut successors))
                    .inspect_err(|_| self.nodes.give_up(batch.length()))?;
                expanded += batch.len();
            }
            if self.shared.is_stopped() {
                return Ok(());
            }
            if expanded < NODES_BETWEEN_MAIL {
                (0..self.outgoing.len()).try_for_each(|to| self.send(to))?;
                // What was received while others' inboxes were full may be work again.
                if !self.has_work() && self.next_mail_or_end()? {
                    return Ok(());
                }
            }
        }
    }

    /// Whether a node may lead to a better solution than is known.
    #[inline]
    fn has_work(&mut self) -> bool {
        let best = self.shared.best.load(Ordering::Relaxed) as usize;
        self.nodes.open.first_row().is_some_and(|row| row < best)
    }

    /// Takes the next nodes that may lead to a better solution than is known; whether there are
    /// any.
    #[inline]
    fn next(&mut self, batch: &mut Batch<K>) -> Result<bool, StopReason> {
        if !self.has_work() {
            return Ok(false);
        }
        // Where their number is limited, nodes are granted one by one.
        let most = if self.limits.nodes.is_some() { 1 } else { usize::MAX };
        self.nodes.take(most, batch, self.limits)?;
        Ok(!batch.is_empty())
    }

    /// Takes in a node that this worker owns. If it is the goal, nobody need look for longer
    /// ways to it.
    #[inline]
    fn accept(&mut self, node: OpenNode<K>) -> Result<(), StopReason> {
        if node.key != self.goal || node.depth > self.longest {
            return self.nodes.push(node, self.limits);
        }
        self.nodes.settle(node, self.limits)?;
        self.shared.best.fetch_min(node.depth, Ordering::Relaxed);
        Ok(())
    }

    /// Takes in nodes that this worker owns.
    #[inline]
    fn accept_all(&mut self, run: Run<'_, K>) -> Result<(), StopReason> {
        if run.estimate > 0 {
            return self.nodes.push_all(run, self.limits);
        }
        run.nodes().try_for_each(|node| self.accept(node))
    }

    /// Generates the successors of nodes: keeps its own, and sends the others.
    #[inline]
    fn expand(
        &mut self,
        batch: &Batch<K>,
        successors: &mut Successors<K>,
    ) -> Result<(), StopReason> {
        if !self.nodes.count(batch) {
            return Ok(());
        }
        let Ground { expander, rules, .. } = *self.ground;
        expander.expand(batch, rules, Order::BY_LENGTH, successors)?;
        self.nodes.statistics.generated += successors.generated;
        self.nodes.statistics.evaluations += successors.evaluations;
        successors.try_for_each_run(|run| self.share_out(run))?;
        self.keep_own()?;
        for to in 0..self.outgoing.len() {
            if self.outgoing[to].len() >= BATCH {
                self.send(to)?;
            }
        }
        Ok(())
    }

    /// Gives each worker its share of a run. Whose a node is is as good as random, so there is no
    /// branch on it.
    #[inline]
    fn share_out(&mut self, run: Run<'_, K>) -> Result<(), StopReason> {
        let workers = self.outgoing.len();
        for runs in &mut self.outgoing {
            runs.reserve(run.items.len())?;
            runs.begin(run.depth, run.estimate);
        }
        for &item in run.items {
            self.outgoing[owner(item.key(), workers)].push(item);
        }
        Ok(())
    }

    /// Takes in what has been gathered for this worker itself.
    #[inline]
    fn keep_own(&mut self) -> Result<(), StopReason> {
        let mut own = std::mem::replace(&mut self.outgoing[self.id], Runs::new());
        let kept = own.iter().try_for_each(|run| self.accept_all(run));
        if kept.is_ok() {
            own.clear();
        }
        self.outgoing[self.id] = own;
        kept
    }

    /// Sends what there is for a worker, as soon as its inbox has room.
    fn send(&mut self, to: usize) -> Result<(), StopReason> {
        while !self.outgoing[to].is_empty() && !self.shared.is_stopped() {
            let mut inbox = self.shared.inboxes[to].lock();
            if inbox.nodes < self.shared.full {
                inbox.lists.try_reserve(1).map_err(|_| StopReason::Memory)?;
                let empty = self.spare.pop().unwrap_or_else(Runs::new);
                let list = std::mem::replace(&mut self.outgoing[to], empty);
                // Batches that wait in the same inbox count as one.
                if inbox.nodes == 0 {
                    self.shared.pending.fetch_add(1, Ordering::AcqRel);
                }
                inbox.nodes += list.len();
                inbox.lists.push(list);
                return Ok(());
            }
            drop(inbox);
            // The other may be waiting for room here: reading needs no room anywhere.
            self.receive()?;
            thread::yield_now();
        }
        Ok(())
    }

    /// Takes in what others have sent.
    fn receive(&mut self) -> Result<(), StopReason> {
        {
            let mut inbox = self.shared.inboxes[self.id].lock();
            if inbox.nodes == 0 {
                return Ok(());
            }
            inbox.nodes = 0;
            std::mem::swap(&mut inbox.lists, &mut self.mail);
            self.shared.pending.fetch_sub(1, Ordering::AcqRel);
        }
        let bytes = |lists: &[Runs<_>]| lists.iter().map(Runs::bytes).sum::<u64>();
        // There may soon be as much in the inbox again.
        self.nodes.besides = bytes(&self.outgoing) + bytes(&self.spare) + 2 * bytes(&self.mail);
        while let Some(mut list) = self.mail.pop() {
            let accepted = list.iter().try_for_each(|run| self.accept_all(run));
            if accepted.is_err() {
                self.mail.push(list);
                return accepted;
            }
            list.clear();
            self.spare.push(list);
        }
        Ok(())
    }

    /// Waits, as one who is not active, for mail or for the end; whether it is the end.
    fn next_mail_or_end(&mut self) -> Result<bool, StopReason> {
        self.shared.pending.fetch_sub(1, Ordering::AcqRel);
        loop {
            if self.shared.pending.load(Ordering::Acquire) == 0 || self.shared.is_stopped() {
                return Ok(true);
            }
            {
                // The batch is counted for as long as the inbox is locked, and this worker
                // before it is unlocked.
                let inbox = self.shared.inboxes[self.id].lock();
                if inbox.nodes > 0 {
                    self.shared.pending.fetch_add(1, Ordering::AcqRel);
                    return Ok(false);
                }
            }
            self.limits.check(0)?;
            thread::yield_now();
        }
    }

    /// Looks at the limits from time to time; before each node if their number is limited.
    #[inline]
    fn poll(&mut self, batch: &Batch<K>, observer: &mut dyn Observer) -> Result<(), StopReason> {
        if self.limits.nodes.is_some() && batch.nodes().all(|node| !node.again) {
            self.limits.check(self.shared.expanded.fetch_add(1, Ordering::Relaxed))?;
        }
        if self.unchecked == 0 {
            self.unchecked = Limits::default().stride(0);
            // The number of nodes was looked at above.
            Limits { nodes: None, ..*self.limits }.check(0)?;
            let expanded = self.nodes.statistics.expanded;
            let fresh = std::mem::replace(&mut self.counted, expanded).abs_diff(expanded);
            let total = match self.limits.nodes {
                Some(_) => self.shared.expanded.load(Ordering::Relaxed),
                None => self.shared.expanded.fetch_add(fresh, Ordering::Relaxed) + fresh,
            };
            observer.progress(batch.length(), total);
            if let Some(counts) = &self.shared.counts {
                let mut counts = lock(counts);
                counts[self.id] = self.nodes.counts();
                let until_next = report(observer, total, &|| sum(&counts));
                self.unchecked = until_next.unwrap_or(NODES_BETWEEN_COUNTS).min(self.unchecked);
            }
        }
        self.unchecked = self.unchecked.saturating_sub(batch.len() as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::zero::Zero;
    use crate::puzzle::registry::on_engine;
    use crate::puzzle::{AnyPuzzle, Puzzle};
    use crate::search::SearchOptions;
    use crate::search::astar::ASTAR;
    use crate::search::estimator::{OnEngine, SearchKey};
    use std::sync::Arc;

    /// Solves boards on a walk, with inboxes that are nearly always full.
    fn walk<P: Puzzle<Key: SearchKey>>(puzzle: &Arc<P>) {
        let options = SearchOptions { threads: 4, ..SearchOptions::default() };
        let estimator = OnEngine::new(Arc::clone(puzzle), Zero);
        let mut start = puzzle.goal();
        for step in 0..200 {
            let moves: Vec<_> = puzzle.legal(start).collect();
            start = puzzle.apply(start, moves[step * 7 % 5 % moves.len()]);
            let labels = puzzle.labels(start);
            let task = Task::new(&labels, Limits::default(), &options);
            let length = |outcome: Outcome| {
                outcome.solution.map(|solution| (solution.moves.len(), solution.optimal))
            };
            let alone = length((ASTAR.search)(&task, &estimator, &mut Silent));
            assert_eq!(length(search(&task, &estimator, &mut Silent, 1)), alone, "step {step}");
        }
    }

    #[test]
    fn full_inboxes_lose_nothing() {
        for id in ["sliding:2x3", "torus:2x3"] {
            on_engine!(&AnyPuzzle::from_id(id).unwrap(), puzzle => walk(puzzle));
        }
    }
}
