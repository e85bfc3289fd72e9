//! Real searches by several ranks of threads in one process.

use super::{Leader, follow};
use crate::cluster::channels::Channels;
use crate::cluster::hello::Team;
use crate::cluster::post::Post;
use crate::lab::solvers::Solvers;
use crate::puzzle::arch::Simd;
use crate::puzzle::{Depth, Goal};
use crate::search::{Aim, Limits, Observer, SearchOptions, Silent, StopReason};
use crate::solver::{Answer, Report};
use std::thread;
use std::time::Duration;

/// The first of Korf's 15-puzzles, and its length.
const BOARD: (&str, u32) = ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 57);

/// What rank 0 says of boards that ranks with so many threads each solve together.
fn solved(
    threads: &[usize],
    improver: Option<usize>,
    boards: &[&str],
    options: &SearchOptions<'_>,
    observer: &mut (dyn Observer + Send),
) -> Vec<Report> {
    let team = &Team { threads: threads.to_vec() };
    thread::scope(|scope| {
        let mut ends = Channels::connect(threads.len()).into_iter();
        let first = ends.next().unwrap();
        for (end, &threads) in ends.zip(&threads[1..]) {
            let options = SearchOptions { threads, ..options.clone() };
            scope.spawn(move || {
                Post::serve(end, |post| {
                    let solvers = Solvers::new(None, Goal::Default, Simd::detect()).unwrap();
                    follow(post, team, Some(300), improver, &solvers, &options).unwrap();
                });
            });
        }
        Post::serve(first, |post| {
            let solvers = Solvers::new(None, Goal::Default, Simd::detect()).unwrap();
            let leader = Leader::new(post, team, Some(300), improver);
            let crew: Option<&dyn crate::search::Crew> = Some(&leader);
            let options = SearchOptions { crew, threads: threads[0], ..options.clone() };
            let solve = |board: &&str| {
                let board = board.parse().unwrap();
                let solver = solvers.for_board(&board).unwrap();
                match solver.solve(&board, &options, observer).unwrap() {
                    Answer::Searched(report) => report,
                    Answer::Unsolvable(reason) => panic!("{reason}"),
                }
            };
            let reports = boards.iter().map(solve).collect();
            leader.dismiss();
            leader.check().unwrap();
            assert!(leader.left_out().is_empty());
            reports
        })
    })
}

fn pida(heuristic: &str) -> SearchOptions<'static> {
    SearchOptions {
        algorithm: "pida".parse().unwrap(),
        heuristic: Some(heuristic.parse().unwrap()),
        ..SearchOptions::default()
    }
}

#[test]
fn nodes_and_solution_do_not_depend_on_the_ranks() {
    let options = pida("linear-conflict");
    let by = |threads: &[usize]| {
        let report = solved(threads, None, &[BOARD.0], &options, &mut Silent).remove(0);
        let solution = report.solution.unwrap();
        assert!(solution.is_optimal());
        assert_eq!(report.threads, threads.iter().sum::<usize>());
        (solution.into_names(), report.statistics.iterations)
    };
    let (moves, iterations) = by(&[1]);
    assert_eq!(moves.len(), BOARD.1 as usize);
    for threads in [&[2][..], &[1, 1], &[1, 2, 3]] {
        assert_eq!(by(threads), (moves.clone(), iterations.clone()), "{threads:?}");
    }
    // As one process counts them, but for the last one, which it ends with any solution.
    let solvers = Solvers::new(None, Goal::Default, Simd::detect()).unwrap();
    let board = BOARD.0.parse().unwrap();
    let options = SearchOptions { threads: 2, ..options };
    let alone = solvers.for_board(&board).unwrap().solve(&board, &options, &mut Silent).unwrap();
    let Answer::Searched(alone) = alone else { panic!("it can be solved") };
    let before = iterations.len() - 1;
    let bounds = |all: &[crate::search::Iteration]| -> Vec<Depth> {
        all.iter().map(|iteration| iteration.bound).collect()
    };
    assert_eq!(bounds(&alone.statistics.iterations), bounds(&iterations));
    for (alone, shared) in alone.statistics.iterations.iter().zip(&iterations[..before]) {
        // Another cut counts a few more or fewer nodes above it.
        assert!(alone.expanded.abs_diff(shared.expanded) < 2_000, "{alone:?}, {shared:?}");
    }
}

#[test]
fn several_boards_are_solved_one_after_the_other() {
    let boards = [
        "8 6 7 2 5 4 3 0 1",
        BOARD.0,
        "6 4 7 8 5 0 3 2 1",
        "2 13 3 11 8 14 6 4 1 5 16 12 15 9 7 10",
    ];
    let options = SearchOptions { aim: Aim::Proven, ..SearchOptions::default() };
    let reports = solved(&[1, 1, 2], None, &boards, &options, &mut Silent);
    let lengths: Vec<usize> =
        reports.into_iter().map(|report| report.solution.unwrap().len()).collect();
    assert_eq!(lengths, [27, 57, 25, 14]);
}

/// Remembers the best length and the highest bound.
#[derive(Default)]
struct Seen {
    best: Option<Depth>,
    bound: Depth,
}

impl Observer for Seen {
    fn progress(&mut self, bound: Depth, _: u64) {
        self.bound = self.bound.max(bound);
    }

    fn improved(&mut self, length: Depth, _: Depth) {
        assert!(self.best.is_none_or(|best| length < best));
        self.best = Some(length);
    }
}

#[test]
fn one_rank_looks_for_solutions_while_the_others_prove() {
    // Nothing like it can be proven in that time.
    let board = "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11";
    let limits = Limits { bytes: Some(1 << 28), ..Limits::default() };
    let timeout = Some(Duration::from_millis(1_500));
    let options = SearchOptions { timeout, limits, ..SearchOptions::default() };
    let mut seen = Seen::default();
    let report = solved(&[1, 1, 1], Some(2), &[board], &options, &mut seen).remove(0);
    assert_eq!(report.stop, Some(StopReason::Time));
    let solution = report.solution.unwrap();
    assert!(!solution.is_optimal() && report.lower_bound < solution.len() as Depth);
    assert_eq!(report.lower_bound, seen.bound);
    assert!(seen.best.is_none_or(|best| best >= solution.len() as Depth));
}

#[test]
fn a_limit_on_nodes_ends_the_search_of_all() {
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    let options = SearchOptions { limits, ..pida("manhattan") };
    for report in solved(&[1, 2], None, &[BOARD.0, BOARD.0], &options, &mut Silent) {
        assert_eq!(report.stop, Some(StopReason::Nodes));
        assert!(report.solution.is_none() && report.lower_bound >= 41);
    }
}
