//! Audits: tries to refute what a heuristic promises, against exact distances.
//!
//! Every board of the layers around the goal is looked at, each symmetric one for itself (a
//! heuristic need not know the symmetries), and every edge that leads to one. Farther away, the
//! boards on shortest paths of random ones are looked at, as many as an optimal search can solve.
//! What is found is evidence: one counterexample refutes, and no number of boards proves.

use super::images::Images;
use super::random::Random;
use crate::heuristic::Heuristic;
use crate::heuristic::registry::{self, Built, HeuristicVisitor};
use crate::puzzle::arch::Simd;
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Move, Puzzle, PuzzleVisitor};
use crate::search::astar::AStar;
use crate::search::{Guided, Limits, Settings, Silent, Task};
use crate::solver::{Answer, Request, SolveError, Solver};
use crate::table::BuildLimits;
use crate::table::layers::Layers;
use rayon::prelude::*;
use serde::Serialize;
use std::time::{Duration, Instant};

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub struct AuditPlan<'a> {
    /// The heuristic.
    pub heuristic: &'a str,
    /// How many boards around the goal, if there are so many: whole layers, and of the last one
    /// as much as is needed.
    pub states: u64,
    /// No board farther away than this, but for the random ones.
    pub depth: Depth,
    /// How many random boards farther away.
    pub random: usize,
    /// How long the search for the distance of one of those may take.
    pub patience: Duration,
    /// Which random boards.
    pub seed: u64,
    /// What may cut it short.
    pub limits: BuildLimits<'a>,
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// The puzzle.
    pub puzzle: String,
    /// The heuristic.
    pub heuristic: String,
    /// Whether it promises never to exceed the distance.
    pub claims_admissible: bool,
    /// Whether it did not exceed it anywhere.
    pub admissible: bool,
    /// Whether it promises that no move lowers it by more than one.
    pub claims_consistent: bool,
    /// Whether none did.
    pub consistent: bool,
    /// Whether it is 0 at the goal.
    pub zero_at_goal: bool,
    /// Whether updates along moves agreed with evaluations from scratch.
    pub incremental: bool,
    /// Whether it was the same for all symmetric boards.
    pub symmetric: bool,
    /// How many boards were looked at, all in all.
    pub states: u64,
    /// How many edges.
    pub edges: u64,
    /// The layers around the goal.
    pub layers: Vec<LayerAudit>,
    /// The random boards whose distances were found.
    pub random: RandomAudit,
    /// Why the layers end, if not because enough was looked at.
    pub stop: Option<String>,
    /// A board nearest to the goal for which it is too high.
    pub counterexample: Option<Counterexample>,
    /// An edge nearest to the goal on which it drops by more than one.
    pub jump: Option<Jump>,
    /// A board for which A* with it returns more moves than are needed.
    pub misled: Option<Misled>,
}

/// What was found in one layer.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct LayerAudit {
    /// The distance from the goal.
    pub depth: Depth,
    /// How many boards were looked at.
    pub states: u64,
    /// Whether there are others.
    pub partial: bool,
    /// How many edges lead to them.
    pub edges: u64,
    /// The mean of the heuristic.
    pub mean_h: f64,
    /// For how many boards it is too high.
    pub too_high: u64,
    /// On how many edges it drops by more than one.
    pub jumps: u64,
}

/// What was found on the shortest paths of random boards.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct RandomAudit {
    /// How many boards were tried.
    pub tried: usize,
    /// How many of them were solved in time.
    pub solved: usize,
    /// The largest distance among them.
    pub deepest: Depth,
    /// How many boards were looked at on their paths.
    pub states: u64,
    /// For how many of those it is too high.
    pub too_high: u64,
}

/// A board for which a heuristic is too high.
#[derive(Clone, Debug, Serialize)]
pub struct Counterexample {
    /// The board, row by row.
    pub board: Vec<u16>,
    /// The move that led there, if the estimate depends on it.
    pub last_move: Option<String>,
    /// The estimate.
    pub h: Depth,
    /// The true distance.
    pub distance: Depth,
    /// A shortest solution.
    pub moves: Vec<String>,
}

/// An edge on which a heuristic drops by more than one.
#[derive(Clone, Debug, Serialize)]
pub struct Jump {
    /// The board before the move, row by row.
    pub board: Vec<u16>,
    /// The move.
    pub made: String,
    /// The estimate before.
    pub before: Depth,
    /// The estimate after.
    pub after: Depth,
}

/// A board for which A* returns too many moves.
#[derive(Clone, Debug, Serialize)]
pub struct Misled {
    /// The board, row by row.
    pub board: Vec<u16>,
    /// The true distance.
    pub distance: Depth,
    /// What A* returns.
    pub moves: Vec<String>,
}

impl Audit {
    /// Whether something that the heuristic promises does not hold.
    pub fn refutes_claims(&self) -> bool {
        (self.claims_admissible && !self.admissible)
            || (self.claims_consistent && !self.consistent)
            || !self.zero_at_goal
            || !self.incremental
    }
}

/// Audits a heuristic on the puzzle of a solver.
///
/// # Errors
/// If there is no such heuristic, or if it does not apply to the puzzle.
pub fn audit(solver: &Solver, plan: &AuditPlan<'_>, simd: Simd) -> Result<Audit, SolveError> {
    let name = plan.heuristic.to_owned();
    registry::find(plan.heuristic).ok_or(SolveError::UnknownHeuristic { name: name.clone() })?;
    let puzzle = solver.frame().id().to_owned();
    let trial = Trial { solver, plan, simd };
    solver.puzzle().visit(trial).ok_or(SolveError::Inapplicable { name, puzzle })
}

#[derive(Clone, Copy)]
struct Trial<'a> {
    solver: &'a Solver,
    plan: &'a AuditPlan<'a>,
    simd: Simd,
}

impl PuzzleVisitor for Trial<'_> {
    type Output = Option<Audit>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Option<Audit> {
        registry::visit(self.plan.heuristic, puzzle, &Built::default(), self)
    }
}

impl<P: Puzzle> HeuristicVisitor<P> for Trial<'_> {
    type Output = Audit;

    fn visit<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) -> Audit {
        let Trial { plan, simd, .. } = self;
        let entry = registry::find(plan.heuristic).expect("it was found before");
        let promise = (entry.promise)(puzzle.frame()).expect("it applies");
        let goal = heuristic.estimate(heuristic.evaluate(puzzle, puzzle.goal()));
        let mut audit = Audit {
            puzzle: puzzle.frame().id().to_owned(),
            heuristic: entry.name.to_owned(),
            claims_admissible: promise.admissible,
            admissible: true,
            claims_consistent: promise.consistent,
            consistent: true,
            zero_at_goal: goal == 0,
            incremental: true,
            symmetric: true,
            states: 0,
            edges: 0,
            layers: Vec::new(),
            random: RandomAudit::default(),
            stop: None,
            counterexample: None,
            jump: None,
            misled: None,
        };
        let ground = Ground { puzzle, heuristic, images: Images::new(puzzle.frame()) };
        self.look_around_the_goal(&ground, &mut audit);
        self.look_farther_away(&ground, &mut audit);
        if let Some(counterexample) = &audit.counterexample {
            audit.misled = ground.misled(counterexample.distance, &plan.limits, simd);
        }
        audit
    }
}

impl Trial<'_> {
    fn look_around_the_goal<P: Puzzle, H: Heuristic<P>>(
        &self,
        ground: &Ground<'_, P, H>,
        audit: &mut Audit,
    ) {
        let plan = self.plan;
        let mut layers = Layers::new(ground.puzzle, self.simd);
        loop {
            let size = layers.size();
            // Of the last layer, classes from everywhere, and rather too many.
            let step = (size.boards / (plan.states - audit.states)).max(1) as usize;
            let depth = layers.depth();
            let findings = (layers.current().par_iter().step_by(step))
                .map(|&key| ground.look_at_class(key, depth))
                .reduce(Findings::default, Findings::joined);
            audit.states += findings.states;
            audit.edges += findings.edges;
            audit.admissible &= findings.too_high.count == 0;
            audit.consistent &= findings.jumps.count == 0;
            audit.incremental &= !findings.disagrees;
            audit.symmetric &= !findings.asymmetric;
            audit.layers.push(LayerAudit {
                depth,
                states: findings.states,
                partial: findings.states < size.boards,
                edges: findings.edges,
                mean_h: findings.sum as f64 / findings.states.max(1) as f64,
                too_high: findings.too_high.count,
                jumps: findings.jumps.count,
            });
            if audit.counterexample.is_none()
                && let Some(found) = &findings.too_high.first
            {
                audit.counterexample = Some(self.counterexample(ground.puzzle, found, depth));
            }
            if audit.jump.is_none()
                && let Some(found) = &findings.jumps.first
            {
                audit.jump = Some(ground.jump(found));
            }
            if audit.states >= plan.states || step > 1 || depth >= plan.depth {
                return;
            }
            if let Err(stop) = layers.advance(&plan.limits, &mut |_| {}) {
                audit.stop = Some(stop.to_string());
                return;
            }
            if layers.current().is_empty() {
                return;
            }
        }
    }

    /// Looks at the boards on shortest paths from random ones.
    fn look_farther_away<P: Puzzle, H: Heuristic<P>>(
        &self,
        ground: &Ground<'_, P, H>,
        audit: &mut Audit,
    ) {
        let (plan, puzzle, heuristic) = (self.plan, ground.puzzle, ground.heuristic);
        let reached = audit.layers.last().map_or(0, |layer| layer.depth);
        for number in 0..plan.random {
            if plan.limits.check().is_err() {
                return;
            }
            let mut random = Random::new(plan.seed, number as u64);
            let mut state = puzzle.goal();
            for _ in 0..reached + 1 + (number % 8) as Depth {
                let moves: Vec<Move> = puzzle.legal_back(state).collect();
                state = puzzle.apply_back(state, moves[random.below(moves.len() as u64) as usize]);
            }
            audit.random.tried += 1;
            let Some(moves) = self.shortest(&puzzle.labels(state)) else { continue };
            audit.random.solved += 1;
            audit.random.deepest = audit.random.deepest.max(moves.len() as Depth);
            let mut value = heuristic.evaluate(puzzle, state);
            let mut last = None;
            for (made, m) in (0..).zip(moves.iter().copied().map(Some).chain([None])) {
                let (h, distance) = (heuristic.estimate(value), moves.len() as Depth - made);
                audit.states += 1;
                audit.random.states += 1;
                if h > distance {
                    audit.random.too_high += 1;
                    audit.admissible = false;
                    if audit.counterexample.as_ref().is_none_or(|known| known.distance > distance) {
                        let found = Found { labels: puzzle.labels(state), last, before: 0, h };
                        audit.counterexample = Some(self.counterexample(puzzle, &found, distance));
                    }
                }
                let Some(m) = m else { break };
                let after = heuristic.update(puzzle, value, state, m);
                audit.edges += 1;
                audit.consistent &= h <= heuristic.estimate(after) + 1;
                state = puzzle.apply(state, m);
                audit.incremental &= after == heuristic.evaluate(puzzle, state);
                (value, last) = (after, Some(m));
            }
        }
    }

    /// A shortest solution, if there is time for it.
    fn shortest(&self, labels: &[u8]) -> Option<Vec<Move>> {
        let board = self.solver.frame().decode(labels);
        let limits = Limits {
            deadline: Some(Instant::now() + self.plan.patience),
            bytes: self.plan.limits.bytes,
            cancelled: self.plan.limits.cancelled,
            ..Limits::default()
        };
        let request = Request { limits, ..Request::default() };
        match self.solver.solve(&board, &request, &mut Silent) {
            Ok(Answer::Searched(found)) => {
                found.outcome.solution.filter(|solution| solution.optimal).map(|found| found.moves)
            }
            _ => None,
        }
    }

    fn counterexample<P: Puzzle>(
        &self,
        puzzle: &P,
        found: &Found,
        distance: Depth,
    ) -> Counterexample {
        let moves = self.shortest(&found.labels).unwrap_or_default();
        Counterexample {
            board: tiles(puzzle, &found.labels),
            last_move: found.last.map(|m| puzzle.frame().moves().name(m).to_owned()),
            h: found.h,
            distance,
            moves: names(puzzle, &moves),
        }
    }
}

fn tiles<P: Puzzle>(puzzle: &P, labels: &[u8]) -> Vec<u16> {
    puzzle.frame().decode(labels).tiles().iter().map(|tile| tile.0).collect()
}

fn names<P: Puzzle>(puzzle: &P, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&m| puzzle.frame().moves().name(m).to_owned()).collect()
}

/// About how many boards of each layer A* is tried on.
const TRIED_PER_LAYER: usize = 20_000;

/// How many layers beyond a counterexample.
const LAYERS_BEYOND: Depth = 6;

/// No layer is made beyond one that has more boards than this.
const MOST_BOARDS: u64 = 10_000_000;

/// How many nodes it may expand on each.
const MOST_NODES: u64 = 100_000;

struct Ground<'a, P: Puzzle, H> {
    puzzle: &'a P,
    heuristic: &'a H,
    images: Images,
}

impl<P: Puzzle, H: Heuristic<P>> Ground<'_, P, H> {
    /// Looks at all boards of a class, at a known distance.
    fn look_at_class(&self, key: P::Key, distance: Depth) -> Findings {
        let mut findings = Findings::default();
        let mut first = None;
        for labels in self.images.all(&key.labels(self.images.cells)) {
            let h = self.look_at(&labels, distance, &mut findings);
            findings.asymmetric |= *first.get_or_insert(h) != h;
        }
        findings
    }

    /// Looks at a board at a known distance, and at the edges that lead there; its estimate.
    fn look_at(&self, labels: &[u8], distance: Depth, findings: &mut Findings) -> Depth {
        let (puzzle, heuristic) = (self.puzzle, self.heuristic);
        let state = puzzle.state_of(labels);
        let value = heuristic.evaluate(puzzle, state);
        let h = heuristic.estimate(value);
        findings.states += 1;
        findings.sum += u64::from(h);
        let found = |last, before, h| Found { labels: labels.to_vec(), last, before, h };
        let mut too_high = (h > distance).then(|| found(None, 0, h));
        for m in puzzle.legal_back(state) {
            findings.edges += 1;
            let from = puzzle.apply_back(state, m);
            let value_before = heuristic.evaluate(puzzle, from);
            let after = heuristic.update(puzzle, value_before, from, m);
            let (before, after_move) =
                (heuristic.estimate(value_before), heuristic.estimate(after));
            findings.disagrees |= after != value;
            if before > after_move + 1 {
                findings.jumps.add(|| found(Some(m), before, after_move));
            }
            // The estimate may depend on the move that led here.
            if after_move > distance && too_high.is_none() {
                too_high = Some(found(Some(m), before, after_move));
            }
        }
        if let Some(found) = too_high {
            findings.too_high.add(|| found);
        }
        h
    }

    fn jump(&self, found: &Found) -> Jump {
        let m = found.last.expect("an edge has a move");
        let before = self.puzzle.apply_back(self.puzzle.state_of(&found.labels), m);
        Jump {
            board: tiles(self.puzzle, &self.puzzle.labels(before)),
            made: self.puzzle.frame().moves().name(m).to_owned(),
            before: found.before,
            after: found.h,
        }
    }

    /// The first board, from the goal on, for which A* returns too many moves.
    fn misled(&self, nearest: Depth, limits: &BuildLimits<'_>, simd: Simd) -> Option<Misled> {
        let mut layers = Layers::new(self.puzzle, simd);
        while layers.depth() <= nearest + LAYERS_BEYOND {
            let depth = layers.depth();
            let size = layers.size().boards;
            // Whole classes from everywhere.
            let classes = layers.current().iter();
            let step = (size as usize / TRIED_PER_LAYER).max(1);
            let members = |&key: &P::Key| self.images.all(&key.labels(self.images.cells));
            let boards: Vec<Vec<u8>> = classes.step_by(step).flat_map(members).collect();
            let misled = boards.par_iter().find_map_first(|labels| {
                limits.check().ok()?;
                self.too_long(labels, depth)
            });
            if misled.is_some() || size > MOST_BOARDS {
                return misled;
            }
            let advanced = layers.advance(limits, &mut |_| {});
            if advanced.is_err() || layers.current().is_empty() {
                return None;
            }
        }
        None
    }

    /// What A* returns for a board at a known distance, if it is too much.
    fn too_long(&self, labels: &[u8], distance: Depth) -> Option<Misled> {
        let limits = Limits { nodes: Some(MOST_NODES), ..Limits::default() };
        let settings = Settings::default();
        let (puzzle, start) = (self.puzzle, self.puzzle.state_of(labels));
        let task = Task { puzzle, start, at_least: 0, limits, settings: &settings };
        let moves = AStar::search(&task, self.heuristic, &mut Silent).solution?.moves;
        (moves.len() as Depth > distance).then(|| Misled {
            board: tiles(puzzle, labels),
            distance,
            moves: names(puzzle, &moves),
        })
    }
}

/// What was found in a part of a layer.
#[derive(Default)]
struct Findings {
    states: u64,
    edges: u64,
    /// The sum of all estimates.
    sum: u64,
    too_high: Violations,
    jumps: Violations,
    disagrees: bool,
    asymmetric: bool,
}

impl Findings {
    fn joined(self, other: Findings) -> Findings {
        Findings {
            states: self.states + other.states,
            edges: self.edges + other.edges,
            sum: self.sum + other.sum,
            too_high: self.too_high.joined(other.too_high),
            jumps: self.jumps.joined(other.jumps),
            disagrees: self.disagrees | other.disagrees,
            asymmetric: self.asymmetric | other.asymmetric,
        }
    }
}

/// How often something was violated, and the first board in order.
#[derive(Default)]
struct Violations {
    count: u64,
    first: Option<Found>,
}

impl Violations {
    fn add(&mut self, found: impl FnOnce() -> Found) {
        let found = found();
        let earlier = self.first.as_ref().is_none_or(|first| found.labels < first.labels);
        self.count += 1;
        if earlier {
            self.first = Some(found);
        }
    }

    fn joined(self, other: Violations) -> Violations {
        let firsts = self.first.into_iter().chain(other.first);
        Violations {
            count: self.count + other.count,
            first: firsts.min_by(|a, b| a.labels.cmp(&b.labels)),
        }
    }
}

/// A board where something was violated.
struct Found {
    labels: Vec<u8>,
    /// The move that led there, where it matters.
    last: Option<Move>,
    /// The estimate before that move.
    before: Depth,
    h: Depth,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Goal, registry as puzzles};

    #[test]
    fn what_is_not_claimed_is_not_refuted() {
        let definition = puzzles::define("torus3").unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        let plan = AuditPlan {
            heuristic: "misplaced",
            states: 1_000,
            depth: 2,
            random: 0,
            patience: Duration::ZERO,
            seed: 0,
            limits: BuildLimits::default(),
        };
        let found = audit(&solver, &plan, Simd::detect()).unwrap();
        assert!(!found.admissible && !found.consistent && !found.refutes_claims());
        assert!(Audit { claims_admissible: true, ..found.clone() }.refutes_claims());
        assert!(Audit { claims_consistent: true, ..found.clone() }.refutes_claims());
        assert!(Audit { incremental: false, ..found.clone() }.refutes_claims());
        assert!(Audit { zero_at_goal: false, ..found }.refutes_claims());
    }
}
