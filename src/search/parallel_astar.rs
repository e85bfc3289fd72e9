//! Hash-distributed A* (Kishimoto, Fukunaga and Botea 2009, "Scalable, parallel best-first
//! search for optimal sequential planning").
//!
//! Each state belongs to one worker, by its hash. A worker keeps the states that it owns in its
//! own closed and open lists, which nobody else touches; a successor that another worker owns
//! is sent there, in batches. So nothing is locked but the inboxes, and these seldom.
//!
//! Workers run ahead of each other, so that a state may be expanded before its shortest path is
//! known; it is then reopened. A solution that comes up first need not be shortest: its
//! length becomes the bound that all workers share, and the search is over when none of them
//! has a node whose depth and estimate stay below it, and no message is on its way.
//!
//! **Termination.** One counter holds the active workers and the batches that wait in an inbox.
//! A batch is counted before it is put there, and taken off by a worker that is counted as
//! active; only an active worker sends. So once the counter is zero, it stays zero, and nobody
//! has anything to do.

use super::best_first::{Entry, Ground, Nodes, Order, Turns};
use super::{
    Described, Guided, Limits, Observer, Optimality, Outcome, Silent, Solution, Statistics, Stop,
    Task,
};
use crate::heuristic::Heuristic;
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Puzzle};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// How many messages are sent together.
const BATCH: usize = 256;

/// No more messages are put into an inbox that holds this many, so that memory stays bounded.
const INBOX: usize = 32 * BATCH;

/// How many nodes a worker expands before it looks into its inbox again.
const NODES_BETWEEN_MAIL: usize = 32;

/// Hash-distributed A*.
#[derive(Clone, Copy, Debug)]
pub struct ParallelAStar;

impl Described for ParallelAStar {
    const NAME: &'static str = "pastar";
    const SUMMARY: &'static str =
        "A* by several threads, each with its share of the states: shortest solutions, much memory";
    const OPTIMALITY: Optimality = Optimality::IfAdmissible;
    const PARALLEL: bool = true;
}

impl Guided for ParallelAStar {
    fn search<P: Puzzle, H: Heuristic<P>>(
        task: &Task<'_, P>,
        heuristic: &H,
        observer: &mut dyn Observer,
    ) -> Outcome {
        search(task, heuristic, observer, INBOX)
    }
}

/// The search, with inboxes of a size.
fn search<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    heuristic: &H,
    observer: &mut dyn Observer,
    inbox: usize,
) -> Outcome {
    let ground = Ground::new(task, heuristic);
    let threads = task.settings.threads.max(1);
    let shared = Shared::new(threads, inbox);
    // Hashes share out the states evenly, and so the memory.
    let limits =
        Limits { bytes: task.limits.bytes.map(|most| most / threads as u64), ..task.limits };
    let worker = |id| Worker::new(id, &ground, &limits, &shared);
    let workers = thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|id| scope.spawn(move || worker(id).run(task.start, &mut Silent)))
            .collect();
        let first = worker(0).run(task.start, observer);
        let join = |other: thread::ScopedJoinHandle<'_, _>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        [first].into_iter().chain(others.into_iter().map(join)).collect::<Vec<_>>()
    });
    outcome(task, &ground, &shared, workers)
}

/// What the workers found out together.
fn outcome<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    ground: &Ground<'_, P, H>,
    shared: &Shared<P::Key>,
    mut workers: Vec<Nodes<P::Key>>,
) -> Outcome {
    let note_of = |key: P::Key| workers[owner(key, workers.len())].closed.get(key);
    let moves = shared.best_length().map(|_| ground.solution(note_of));
    let length = moves.as_ref().map_or(Depth::MAX, |moves| moves.len() as Depth);
    let in_mail = shared.inboxes.iter().flat_map(|inbox| {
        let messages = std::mem::take(&mut *lock(inbox));
        messages.into_iter().map(|message| message.length())
    });
    let bound = in_mail.fold(length, Depth::min);
    let bound = workers.iter().fold(bound, |bound, nodes| nodes.lower_bound(bound));
    let lower_bound = bound.max(task.at_least).min(length);
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
        None => moves.is_none().then_some(Stop::Depth),
    };
    Outcome {
        solution: moves.map(|moves| Solution { moves, optimal: proven }),
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

/// What all workers see.
#[derive(Debug)]
struct Shared<K> {
    inboxes: Vec<Mutex<Vec<Entry<K>>>>,
    /// An inbox with so many messages is full.
    full: usize,
    /// How many workers are active, and how many batches wait.
    pending: AtomicUsize,
    /// The length of the best solution so far; [`Depth::MAX`] if there is none.
    best: AtomicU32,
    /// How many nodes have been expanded, as far as workers have told; if their number is
    /// limited, how many have been or will be at once.
    expanded: AtomicU64,
    /// Why all are to stop.
    stop: OnceLock<Stop>,
}

impl<K> Shared<K> {
    fn new(workers: usize, full: usize) -> Shared<K> {
        Shared {
            inboxes: (0..workers).map(|_| Mutex::new(Vec::new())).collect(),
            full,
            pending: AtomicUsize::new(workers),
            best: AtomicU32::new(Depth::MAX),
            expanded: AtomicU64::new(0),
            stop: OnceLock::new(),
        }
    }

    fn best_length(&self) -> Option<Depth> {
        Some(self.best.load(Ordering::Relaxed)).filter(|&best| best < Depth::MAX)
    }

    /// Stops all workers; the first reason counts.
    fn stop(&self, stop: Stop) {
        let _ = self.stop.set(stop);
    }

    fn is_stopped(&self) -> bool {
        self.stop.get().is_some()
    }
}

/// An inbox; no code that may panic runs while one is locked.
fn lock<T>(inbox: &Mutex<T>) -> MutexGuard<'_, T> {
    inbox.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stops the others if its worker panics: they would wait for it for ever.
struct Alarm<'a, K>(&'a Shared<K>);

impl<K> Drop for Alarm<'_, K> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop(Stop::Cancelled);
        }
    }
}

/// One worker and the states that it owns.
struct Worker<'a, P: Puzzle, H> {
    id: usize,
    ground: &'a Ground<'a, P, H>,
    limits: &'a Limits<'a>,
    shared: &'a Shared<P::Key>,
    nodes: Nodes<P::Key>,
    goal: P::Key,
    /// For each other worker, what is to be sent.
    outgoing: Vec<Vec<Entry<P::Key>>>,
    /// What was taken from the inbox.
    mail: Vec<Entry<P::Key>>,
    /// How many turns there may be before the limits are looked at.
    unchecked: u64,
    /// How many of this worker's nodes are in the common count.
    counted: u64,
}

impl<'a, P: Puzzle, H: Heuristic<P>> Worker<'a, P, H> {
    fn new(
        id: usize,
        ground: &'a Ground<'a, P, H>,
        limits: &'a Limits<'a>,
        shared: &'a Shared<P::Key>,
    ) -> Self {
        Worker {
            id,
            ground,
            limits,
            shared,
            nodes: Nodes::new(ground, Order::BY_LENGTH),
            goal: ground.puzzle.key(ground.puzzle.goal()),
            outgoing: shared.inboxes.iter().map(|_| Vec::new()).collect(),
            mail: Vec::new(),
            unchecked: 0,
            counted: 0,
        }
    }

    /// Works until all are done or one has to stop.
    fn run(mut self, start: P::State, observer: &mut dyn Observer) -> Nodes<P::Key> {
        let _alarm = Alarm(self.shared);
        if let Err(stop) = self.begin(start).and_then(|()| self.work(observer)) {
            self.shared.stop(stop);
        }
        // What has not been sent or read has not been searched.
        let left = self.outgoing.iter().flatten().chain(&self.mail);
        let least = left.map(Entry::length).fold(Depth::MAX, Depth::min);
        self.nodes.given_up = self.nodes.given_up.min(least);
        self.nodes.statistics.peak_bytes = self.nodes.bytes();
        self.nodes
    }

    /// The owner of the start begins there.
    fn begin(&mut self, start: P::State) -> Result<(), Stop> {
        let node = self.ground.start(start);
        if owner(node.key, self.outgoing.len()) != self.id {
            return Ok(());
        }
        self.nodes.statistics.evaluations += 1;
        self.accept(node)
    }

    fn work(&mut self, observer: &mut dyn Observer) -> Result<(), Stop> {
        let mut turns = Turns::new();
        loop {
            self.receive()?;
            let mut expanded = 0;
            while expanded < NODES_BETWEEN_MAIL && self.next(&mut turns)? {
                self.look_around(&turns, observer)
                    .and_then(|()| self.expand(&turns))
                    .inspect_err(|_| self.nodes.give_up(turns.length()))?;
                expanded += turns.len();
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
    fn next(&mut self, turns: &mut Turns<P::Key>) -> Result<bool, Stop> {
        if !self.has_work() {
            return Ok(false);
        }
        // Where their number is limited, nodes are granted one by one.
        let most = if self.limits.nodes.is_some() { 1 } else { usize::MAX };
        self.nodes.take(most, turns, self.limits)?;
        Ok(!turns.is_empty())
    }

    /// Takes in a node that this worker owns. If it is the goal, nobody need look for longer
    /// ways to it.
    #[inline]
    fn accept(&mut self, node: Entry<P::Key>) -> Result<(), Stop> {
        if node.key != self.goal || node.depth > self.ground.longest {
            return self.nodes.push(node, self.limits);
        }
        self.nodes.settle(node, self.limits)?;
        self.shared.best.fetch_min(node.depth, Ordering::Relaxed);
        Ok(())
    }

    /// Generates the successors of nodes: keeps its own, and sends the others.
    #[inline]
    fn expand(&mut self, turns: &Turns<P::Key>) -> Result<(), Stop> {
        if !self.nodes.count(turns) {
            return Ok(());
        }
        let mut end = Ok(());
        for node in turns.nodes().rev() {
            let evaluations = self.ground.expand(node, Order::BY_LENGTH, |child| {
                self.nodes.statistics.generated += u64::from(!child.again);
                let to = owner(child.key, self.outgoing.len());
                if to != self.id {
                    self.outgoing[to].push(child);
                } else if end.is_ok() {
                    end = self.accept(child);
                }
            });
            self.nodes.statistics.evaluations += evaluations;
        }
        end?;
        for to in 0..self.outgoing.len() {
            if self.outgoing[to].len() >= BATCH {
                self.send(to)?;
            }
        }
        Ok(())
    }

    /// Sends what there is for a worker, as soon as its inbox has room.
    fn send(&mut self, to: usize) -> Result<(), Stop> {
        while !self.outgoing[to].is_empty() && !self.shared.is_stopped() {
            let mut inbox = lock(&self.shared.inboxes[to]);
            if inbox.len() < self.shared.full {
                inbox.try_reserve(BATCH).map_err(|_| Stop::Memory)?;
                // Batches that wait in the same inbox count as one.
                if inbox.is_empty() {
                    self.shared.pending.fetch_add(1, Ordering::AcqRel);
                }
                inbox.append(&mut self.outgoing[to]);
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
    fn receive(&mut self) -> Result<(), Stop> {
        {
            let mut inbox = lock(&self.shared.inboxes[self.id]);
            if inbox.is_empty() {
                return Ok(());
            }
            std::mem::swap(&mut *inbox, &mut self.mail);
            self.shared.pending.fetch_sub(1, Ordering::AcqRel);
        }
        // The inbox is about as large as what was in it.
        let room =
            self.outgoing.iter().map(Vec::capacity).sum::<usize>() + 2 * self.mail.capacity();
        self.nodes.besides = (room * size_of::<Entry<P::Key>>()) as u64;
        // One that there is no room for is given up as it is accepted.
        while let Some(node) = self.mail.pop() {
            self.accept(node)?;
        }
        Ok(())
    }

    /// Waits, as one who is not active, for mail or for the end; whether it is the end.
    fn next_mail_or_end(&mut self) -> Result<bool, Stop> {
        self.shared.pending.fetch_sub(1, Ordering::AcqRel);
        loop {
            if self.shared.pending.load(Ordering::Acquire) == 0 || self.shared.is_stopped() {
                return Ok(true);
            }
            {
                // The batch is counted for as long as the inbox is locked, and this worker
                // before it is unlocked.
                let inbox = lock(&self.shared.inboxes[self.id]);
                if !inbox.is_empty() {
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
    fn look_around(
        &mut self,
        turns: &Turns<P::Key>,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        if self.limits.nodes.is_some() && turns.nodes().all(|node| !node.again) {
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
            observer.progress(turns.length(), total);
        }
        self.unchecked = self.unchecked.saturating_sub(turns.len() as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::zero::Zero;
    use crate::puzzle::{AnyPuzzle, PuzzleVisitor};
    use crate::search::Settings;
    use crate::search::astar::AStar;

    /// Solves boards on a walk, with inboxes that are nearly always full.
    struct FullInboxes;

    impl PuzzleVisitor for FullInboxes {
        type Output = ();

        fn visit<P: Puzzle>(self, puzzle: &P) {
            let settings = Settings { threads: 4, ..Settings::default() };
            let mut start = puzzle.goal();
            for step in 0..200 {
                let moves: Vec<_> = puzzle.legal(start).collect();
                start = puzzle.apply(start, moves[step * 7 % 5 % moves.len()]);
                let limits = Limits::default();
                let task = Task { puzzle, start, at_least: 0, limits, settings: &settings };
                let length = |outcome: Outcome| {
                    outcome.solution.map(|solution| (solution.moves.len(), solution.optimal))
                };
                let alone = length(AStar::search(&task, &Zero, &mut Silent));
                assert_eq!(length(search(&task, &Zero, &mut Silent, 1)), alone, "step {step}");
            }
        }
    }

    #[test]
    fn full_inboxes_lose_nothing() {
        for id in ["sliding:2x3", "torus:2x3"] {
            AnyPuzzle::from_id(id).unwrap().visit(FullInboxes);
        }
    }
}
