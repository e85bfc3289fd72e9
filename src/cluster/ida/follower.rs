//! The part of the other ranks in a search: they make the same decisions as rank 0, and search the
//! packets that it sends.

use super::messages::{Key, Order, Report};
use super::packets_wanted;
use super::portion::Portion;
use super::threads::{EndOnDrop, Threads, Work};
use crate::board::Board;
use crate::cluster::hello::{JobError, Team};
use crate::cluster::post::Post;
use crate::lab::solvers::Solvers;
use crate::puzzle::{Depth, Move};
use crate::search::packets::Packets;
use crate::search::{
    Crew, CrewSolution, Estimator, Limits, Observer, Outcome, Role, SearchOptions, Silent,
    Statistics, StopReason, Task,
};
use crate::solver::{Answer, Solution, SolveError, Solver};
use crate::sync::lock;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for a message before looking around.
const PATIENCE: Duration = Duration::from_millis(100);

/// A rank that is to stop waits for rank 0's orders so many times: the job may be stopped because
/// rank 0 is gone.
const LAST_WAITS: u32 = 4;

/// How often rank 0 is told how many nodes were expanded.
const TELL_NODES: Duration = Duration::from_millis(100);

/// Solves the boards that rank 0 sends, together with it, until it says that all is done. The
/// options are those of rank 0, and their flag that cancels has this rank leave; `improver` is the
/// rank that looks for solutions.
///
/// # Errors
/// If a rank is gone.
pub fn follow(
    post: &Post,
    team: &Team,
    packets: Option<usize>,
    improver: Option<usize>,
    solvers: &Solvers,
    options: &SearchOptions<'_>,
) -> Result<(), JobError> {
    let kept = Mutex::new(VecDeque::new());
    let orders = Orders { post, kept, limits: &options.limits, waits: AtomicU32::new(0) };
    loop {
        match orders.next(PATIENCE)? {
            Some(Order::Board { number, board, at_least }) => {
                let is_improver = improver == Some(post.rank());
                let board: Board = match board.parse() {
                    Ok(board) => board,
                    Err(_) => continue,
                };
                let follow = Following {
                    orders: &orders,
                    team,
                    packets,
                    number,
                    cancelled: AtomicBool::new(false),
                };
                // What is wrong with the board or the options, rank 0 finds out as well.
                let Ok(solver) = solvers.for_board(&board) else { continue };
                let options = SearchOptions { at_least, ..options.clone() };
                let followed = follow.solve(is_improver, solver, &board, &options);
                if let Err(reason) = followed {
                    post.send(0, Report::Failed { reason }.encode());
                }
            }
            Some(Order::End) => return Ok(()),
            _ if orders.is_over() => return Ok(()),
            _ => {}
        }
    }
}

/// The orders of rank 0, with those that came too early.
struct Orders<'a> {
    post: &'a Post,
    kept: Mutex<VecDeque<Order>>,
    /// The limits of this rank, which may be asked to end.
    limits: &'a Limits<'a>,
    /// How often nothing came after that.
    waits: AtomicU32,
}

impl Orders<'_> {
    fn next(&self, patience: Duration) -> Result<Option<Order>, JobError> {
        if let Some(order) = lock(&self.kept).pop_front() {
            return Ok(Some(order));
        }
        let message = self.post.receive(patience)?;
        if message.is_none() && self.limits.check_time().is_err() {
            self.waits.fetch_add(1, Ordering::Relaxed);
        }
        Ok(message.map(|message| Order::decode(&message.bytes)).transpose()?)
    }

    /// Whether this rank was asked to end, and rank 0 says nothing.
    fn is_over(&self) -> bool {
        self.waits.load(Ordering::Relaxed) >= LAST_WAITS
    }

    /// Keeps an order for later.
    fn keep(&self, order: Order) {
        lock(&self.kept).push_back(order);
    }
}

/// The part of a rank in one board.
struct Following<'a> {
    orders: &'a Orders<'a>,
    team: &'a Team,
    packets: Option<usize>,
    /// The number of the board.
    number: u64,
    /// The board is done with.
    cancelled: AtomicBool,
}

impl Following<'_> {
    /// Does what this rank has to do about a board.
    fn solve(
        &self,
        is_improver: bool,
        solver: &Solver,
        board: &Board,
        options: &SearchOptions<'_>,
    ) -> Result<(), String> {
        if is_improver {
            self.improve(solver, board, options)?;
        }
        if !self.cancelled.load(Ordering::Relaxed) {
            self.run(Role::Prove, solver, board, options, &mut Silent)?;
        }
        Ok(())
    }

    fn run(
        &self,
        role: Role,
        solver: &Solver,
        board: &Board,
        options: &SearchOptions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Answer>, String> {
        let follower = Follower { following: self, role, searches: AtomicU64::new(0) };
        let limits = Limits { cancelled: Some(&self.cancelled), ..options.limits };
        let options = SearchOptions { crew: Some(&follower), limits, ..options.clone() };
        match solver.solve(board, &options, observer) {
            Ok(answer) => Ok(Some(answer)),
            Err(SolveError::Request(_)) => Ok(None),
            Err(SolveError::Internal(error)) => Err(error.to_string()),
        }
    }

    /// Looks for solutions, and tells rank 0 of them, until there are no better ones to be found or
    /// the board is done with.
    fn improve(
        &self,
        solver: &Solver,
        board: &Board,
        options: &SearchOptions<'_>,
    ) -> Result<(), String> {
        let post = self.orders.post;
        let solving = AtomicBool::new(true);
        let answer = thread::scope(|scope| {
            scope.spawn(|| {
                while solving.load(Ordering::Relaxed) && !self.cancelled.load(Ordering::Relaxed) {
                    match self.orders.next(PATIENCE) {
                        Ok(Some(order)) => self.watch(order),
                        Ok(None) => {}
                        // It is told to whoever asks next.
                        Err(_) => return,
                    }
                }
            });
            let mut observer = Improved { post, number: self.number };
            let answer = self.run(Role::Improve, solver, board, options, &mut observer);
            solving.store(false, Ordering::Relaxed);
            post.nudge();
            answer
        })?;
        let best = match answer {
            Some(Answer::Searched(report)) => {
                let name = |name: &String| solver.frame().moves().by_name(name);
                let names = report.solution.iter().flat_map(Solution::names);
                let moves: Vec<Move> = names.filter_map(name).collect();
                let improvements =
                    report.improvements.iter().map(|i| (i.after, i.length)).collect();
                let expanded = report.statistics.expanded;
                Report::Best { number: self.number, moves, improvements, expanded }
            }
            _ => Report::Best {
                number: self.number,
                moves: Vec::new(),
                improvements: Vec::new(),
                expanded: 0,
            },
        };
        post.send(0, best.encode());
        Ok(())
    }

    /// Notices that the board is done with; what else there is waits.
    fn watch(&self, order: Order) {
        match order {
            Order::Done { number } if number == self.number => {}
            Order::Board { .. } | Order::End => self.orders.keep(order),
            Order::Done { .. }
            | Order::Over { .. }
            | Order::Cut { .. }
            | Order::Packets { .. }
            | Order::Relieve { .. } => return,
        }
        self.cancelled.store(true, Ordering::SeqCst);
    }
}

/// Tells rank 0 of shorter solutions.
struct Improved<'a> {
    post: &'a Post,
    number: u64,
}

impl Observer for Improved<'_> {
    fn improved(&mut self, length: Depth, _: Depth) {
        self.post.send(0, Report::Improved { number: self.number, length }.encode());
    }
}

/// A rank that follows rank 0 in its searches.
struct Follower<'a> {
    following: &'a Following<'a>,
    role: Role,
    /// How many searches it has come to.
    searches: AtomicU64,
}

impl fmt::Debug for Follower<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Follower").field("role", &self.role).finish_non_exhaustive()
    }
}

impl Follower<'_> {
    /// Does what rank 0 says, until the search is over; `None` if that is because the board is.
    fn obey(&self, key: Key, threads: &Threads<'_, Portion>) -> Option<Outcome> {
        let Following { orders, number, .. } = *self.following;
        let mut told = (Instant::now(), 0);
        loop {
            let order = orders.next(PATIENCE).ok()?;
            match order {
                Some(Order::Packets { key: of, bound, ranges }) if of == key => {
                    if threads.work().add(bound, ranges) {
                        threads.count_anew();
                    }
                    threads.changed();
                }
                Some(Order::Cut { key: of, bound, packet }) if of == key => {
                    threads.work().cut(bound, packet);
                    threads.changed();
                }
                Some(Order::Relieve { key: of, bound, given, done }) if of == key => {
                    threads.work().relieve(bound, &given, &done);
                    threads.changed();
                }
                Some(Order::Over { key: of, outcome }) if of == key => return Some(outcome),
                None if orders.is_over() => return None,
                Some(order @ (Order::Done { .. } | Order::Board { .. } | Order::End)) => {
                    self.following.watch(order);
                    if self.following.cancelled.load(Ordering::Relaxed) {
                        return None;
                    }
                }
                _ => {}
            }
            debug_assert_eq!(key.board, number, "it is of this board");
            let mut work = threads.work();
            let expanded = threads.expanded();
            let is_due = told.0.elapsed() >= TELL_NODES && expanded != told.1;
            if work.has_news() || is_due {
                let bound = work.bound();
                let (results, busy) = work.report();
                drop(work);
                told = (Instant::now(), expanded);
                let report = Report::Results { key, bound, results, busy, expanded };
                orders.post.send(0, report.encode());
            }
        }
    }
}

impl Crew for Follower<'_> {
    fn role(&self) -> Role {
        self.role
    }

    fn threads(&self) -> usize {
        self.following.team.all_threads()
    }

    fn begin(&self, _: &Board, _: Depth) {}

    fn search(&self, task: &Task<'_>, estimator: &dyn Estimator, _: &mut dyn Observer) -> Outcome {
        let Following { orders, team, packets, number, .. } = *self.following;
        let post = orders.post;
        let packets = Packets::new(
            task,
            estimator,
            task.loops(estimator.frame(), u64::MAX),
            packets_wanted(packets, team),
        );
        let key = Key { board: number, search: self.searches.fetch_add(1, Ordering::Relaxed) };
        let portion = Portion::new(team.threads[post.rank()]);
        let all_threads = team.all_threads();
        let threads = Threads::new(&packets, post, portion, &task.limits, all_threads);
        post.send(0, Report::Join { key, fingerprint: packets.fingerprint() }.encode());
        let outcome = thread::scope(|scope| {
            let _end = EndOnDrop(&threads);
            let start = || thread::Builder::new().spawn_scoped(scope, || threads.search()).is_ok();
            let _ = (0..team.threads[post.rank()]).take_while(|_| start()).count();
            self.obey(key, &threads)
        });
        outcome.unwrap_or_else(|| Outcome {
            solution: None,
            lower_bound: task.at_least,
            stop: Some(StopReason::Cancelled),
            statistics: Statistics::default(),
        })
    }

    fn end(&self, _: bool) -> Option<CrewSolution> {
        None
    }
}
