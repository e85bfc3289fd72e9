//! Rank 0's part in a search: it decides about bounds, hands out packets and collects results.

use super::dispatch::Dispatch;
use super::messages::{Key, Order, Report};
use super::threads::{EndOnDrop, Threads};
use super::{packets_wanted, proven_by};
use crate::board::Board;
use crate::cluster::hello::{JobError, Team};
use crate::cluster::post::Post;
use crate::cluster::transport::Message;
use crate::puzzle::Depth;
use crate::search::ida::{PassResult, deepen};
use crate::search::packets::Packets;
use crate::search::{Crew, CrewSolution, Estimator, Observer, Outcome, Role, StopReason, Task};
use crate::sync::lock;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// An iteration that this rank's threads finish within this time is not shared: the messages would
/// take longer.
const ALONE: Duration = Duration::from_millis(1);

/// After an iteration that took longer than this, the next one is taken to be long enough.
const SHORT: Duration = Duration::from_micros(300);

/// How often the limits are looked at.
const LOOK_AROUND: Duration = Duration::from_millis(5);

/// How long to wait, at most, for the best solution of the rank that looks for any.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Rank 0 of a search.
pub struct Leader<'a> {
    post: &'a Post,
    team: &'a Team,
    /// How many packets there are, if the user said so.
    packets: Option<usize>,
    /// The rank that looks for solutions and leaves the proof to the others, if there is one.
    improver: Option<usize>,
    state: Mutex<State>,
}

/// What is known of the board at hand.
#[derive(Debug, Default)]
struct State {
    /// The number of the board, from 1.
    board: u64,
    /// What came of the searches that are over.
    over: Vec<Outcome>,
    /// The search that each rank is ready for, if rank 0 is not: with the fingerprint.
    ready: Vec<Option<(Key, u64)>>,
    /// The length of the best solution that the improver has.
    best: Option<Depth>,
    solution: Option<CrewSolution>,
    /// Ranks that do something else, and were left out.
    left_out: BTreeSet<usize>,
    failure: Option<JobError>,
}

impl fmt::Debug for Leader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Leader").field("team", self.team).finish_non_exhaustive()
    }
}

/// A search that is going on.
struct Search<'a, 'b> {
    key: Key,
    fingerprint: u64,
    threads: &'a Threads<'b, Dispatch>,
}

impl<'a> Leader<'a> {
    /// For the ranks of a job. `packets` is how many there are at least, by default 256 a thread;
    /// `improver` is the rank that looks for solutions instead of the proof.
    pub fn new(
        post: &'a Post,
        team: &'a Team,
        packets: Option<usize>,
        improver: Option<usize>,
    ) -> Leader<'a> {
        let state = State { ready: vec![None; team.threads.len()], ..State::default() };
        Leader { post, team, packets, improver, state: Mutex::new(state) }
    }

    /// Lets the other ranks go.
    pub fn dismiss(&self) {
        self.tell_all(&Order::End);
    }

    /// What went wrong with other ranks, if anything did.
    ///
    /// # Errors
    /// If something did.
    pub fn check(&self) -> Result<(), JobError> {
        lock(&self.state).failure.clone().map_or(Ok(()), Err)
    }

    /// Ranks that could not take part in a search, because they came to another one.
    pub fn left_out(&self) -> Vec<usize> {
        lock(&self.state).left_out.iter().copied().collect()
    }

    fn tell_all(&self, order: &Order) {
        self.post.others().for_each(|rank| self.post.send(rank, order.encode()));
    }

    /// Takes in a message, if there is one within some time.
    fn receive(
        &self,
        patience: Duration,
        state: &mut State,
        search: Option<&Search<'_, '_>>,
    ) -> Result<bool, JobError> {
        let Some(Message { from, bytes }) = self.post.receive(patience)? else { return Ok(false) };
        match Report::decode(&bytes)? {
            Report::Join { key, fingerprint } => {
                state.ready[from] = Some((key, fingerprint));
                self.admit(from, state, search);
            }
            Report::Results { key, bound, results, busy, expanded } => {
                if let Some(search) = search.filter(|search| search.key == key) {
                    search.threads.work().take_results(from, bound, results, busy, expanded);
                    search.threads.changed();
                }
            }
            Report::Improved { number, length } if number == state.board => {
                state.best = Some(state.best.map_or(length, |best| best.min(length)));
            }
            Report::Best { number, moves, improvements, expanded } if number == state.board => {
                // It may have found nothing.
                if !moves.is_empty() {
                    state.best = Some(moves.len() as Depth);
                }
                state.solution = Some(CrewSolution { moves, improvements, expanded });
            }
            Report::Improved { .. } | Report::Best { .. } => {}
            Report::Failed { reason } => return Err(JobError::Unable { rank: from, reason }),
        }
        Ok(true)
    }

    /// Lets a rank take part that is ready for a search: for this one, or for one that is over, so
    /// that it can catch up.
    fn admit(&self, rank: usize, state: &mut State, search: Option<&Search<'_, '_>>) {
        let Some((key, fingerprint)) =
            state.ready[rank].filter(|(key, _)| key.board == state.board)
        else {
            return;
        };
        if let Some(outcome) = state.over.get(key.search as usize) {
            state.ready[rank] = None;
            self.post.send(rank, Order::Over { key, outcome: outcome.clone() }.encode());
            return;
        }
        let Some(search) = search.filter(|search| search.key == key) else { return };
        state.ready[rank] = None;
        if fingerprint == search.fingerprint {
            search.threads.work().join(rank);
        } else {
            state.left_out.insert(rank);
            self.post.send(rank, Order::Done { number: key.board }.encode());
        }
    }

    /// One iteration, by this rank for some time, and then by all that take part.
    fn iterate(
        &self,
        (bound, before): (Depth, u64),
        alone: Duration,
        task: &Task<'_>,
        search: &Search<'_, '_>,
        observer: &mut dyn Observer,
    ) -> PassResult {
        let threads = search.threads;
        let mut state = lock(&self.state);
        let state = &mut *state;
        let mut told = state.best;
        threads.count_anew();
        threads.work().begin_iteration(bound);
        threads.changed();
        let began = Instant::now();
        let mut patience = alone;
        loop {
            if let Err(error) = self.receive(patience, state, Some(search)) {
                state.failure.get_or_insert(error);
                threads.work().halt(StopReason::Cancelled);
            }
            if state.best != told {
                told = state.best;
                told.into_iter().for_each(|length| observer.improved(length, bound));
            }
            let mut work = threads.work();
            if work.is_complete() {
                return work.result();
            }
            let expanded = before + threads.expanded() + work.expanded_elsewhere();
            if let Err(stop) = task.limits.check(expanded) {
                work.halt(stop);
            }
            if state.best.is_some_and(|best| proven_by(best, bound, task.options.aim)) {
                work.halt(StopReason::Depth);
            }
            patience = alone.saturating_sub(began.elapsed());
            let mut orders = Vec::new();
            if patience.is_zero() {
                orders = work.orders();
                patience = LOOK_AROUND;
            }
            drop(work);
            for (rank, order) in orders {
                self.post.send(rank, order.encode());
            }
            observer.progress(bound, expanded);
        }
    }
}

impl Crew for Leader<'_> {
    fn role(&self) -> Role {
        Role::Prove
    }

    fn threads(&self) -> usize {
        self.team.all_threads()
    }

    fn begin(&self, board: &Board, at_least: Depth) {
        let mut state = lock(&self.state);
        let State { board: last, left_out, failure, .. } = std::mem::take(&mut *state);
        let number = last + 1;
        *state = State {
            board: number,
            ready: vec![None; self.team.threads.len()],
            left_out,
            failure,
            ..State::default()
        };
        self.tell_all(&Order::Board { number, board: board.to_string(), at_least });
    }

    fn search(
        &self,
        task: &Task<'_>,
        estimator: &dyn Estimator,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let packets = Packets::new(
            task,
            estimator,
            task.loops(estimator.frame(), u64::MAX),
            packets_wanted(self.packets, self.team),
        );
        let key = {
            let state = lock(&self.state);
            Key { board: state.board, search: state.over.len() as u64 }
        };
        let dispatch = Dispatch::new(key, packets.count(), &self.team.threads);
        let all_threads = self.team.all_threads();
        let threads = Threads::new(&packets, self.post, dispatch, &task.limits, all_threads);
        let search = Search { key, fingerprint: packets.fingerprint(), threads: &threads };
        let outcome = thread::scope(|scope| {
            let _end = EndOnDrop(&threads);
            let start = || thread::Builder::new().spawn_scoped(scope, || threads.search()).is_ok();
            // Where the system has no threads, others have to do without this rank's.
            let _ = (0..self.team.threads[0]).take_while(|_| start()).count();
            for rank in self.post.others() {
                self.admit(rank, &mut lock(&self.state), Some(&search));
            }
            let mut alone = ALONE;
            deepen(task, estimator, &mut |bound, so_far| {
                let began = Instant::now();
                let bound = (bound, so_far.expanded);
                let result = self.iterate(bound, alone, task, &search, observer);
                alone = if began.elapsed() < SHORT { ALONE } else { Duration::ZERO };
                result
            })
        });
        lock(&self.state).over.push(outcome.clone());
        let over = Order::Over { key, outcome: outcome.clone() }.encode();
        threads.work().joined().for_each(|rank| self.post.send(rank, over.clone()));
        outcome
    }

    fn end(&self, is_solved: bool) -> Option<CrewSolution> {
        let mut state = lock(&self.state);
        self.tell_all(&Order::Done { number: state.board });
        let deadline = Instant::now() + LAST_WORDS;
        while !is_solved && self.improver.is_some() && state.solution.is_none() {
            let patience = deadline.saturating_duration_since(Instant::now());
            let received = self.receive(patience, &mut state, None);
            if let Err(error) = received {
                state.failure.get_or_insert(error);
            }
            if patience.is_zero() || state.failure.is_some() {
                break;
            }
        }
        state.solution.take().filter(|found| !is_solved && !found.moves.is_empty())
    }
}
