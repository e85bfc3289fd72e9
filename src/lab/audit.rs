//! Audits: try to refute what a heuristic promises, by comparing it with exact distances.
//!
//! Every board of the layers around the goal is checked, each symmetric one separately (a
//! heuristic need not know the symmetries), and every edge that leads to one. Farther away, the
//! boards on shortest paths of random ones are checked, as many as an optimal search can solve.
//! What is found is evidence: one counterexample refutes, and no number of boards proves.

use super::random::Random;
use super::symmetric_boards::SymmetricBoards;
use crate::parallel;
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Move, Puzzle, PuzzleVisitor};
use crate::search::astar::ASTAR;
use crate::search::estimator::{Edge, Estimator};
use crate::search::{Aim, HeuristicKind, Limits, SearchOptions, Silent};
use crate::solver::{Answer, RequestError, Solution, Solver};
use crate::table::layers::Layers;
use serde::Serialize;
use std::time::Duration;

/// How many boards around the goal are checked by default.
pub const DEFAULT_STATES: u64 = 10_000_000;

/// How many random boards farther away are checked by default.
pub const DEFAULT_RANDOM: usize = 20;

/// How many classes of symmetric boards a thread takes at a time.
const PIECE: usize = 1 << 4;

/// Which heuristic is audited, and on which boards.
#[derive(Clone, Debug)]
pub struct AuditPlan<'a> {
    /// The heuristic to audit.
    pub heuristic: HeuristicKind,
    /// How many boards around the goal, if there are so many: whole layers, and of the last one
    /// as much as is needed.
    pub states: u64,
    /// No board farther away than this, but for the random ones.
    pub depth: Depth,
    /// How many random boards farther away.
    pub random: usize,
    /// How long the search for the distance of one of those may take.
    pub patience: Duration,
    /// The seed of the random boards.
    pub seed: u64,
    /// Limits for the whole audit.
    pub limits: Limits<'a>,
}

impl AuditPlan<'_> {
    /// An audit on ten million boards, and some random ones farther away.
    pub fn new(heuristic: HeuristicKind) -> Self {
        AuditPlan {
            heuristic,
            states: DEFAULT_STATES,
            depth: Depth::MAX,
            random: DEFAULT_RANDOM,
            patience: Duration::from_secs(1),
            seed: 0,
            limits: Limits::default(),
        }
    }
}

/// The result of an audit.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The name of the heuristic.
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
    /// How many boards were checked in total.
    pub states: u64,
    /// How many edges were checked.
    pub edges: u64,
    /// The layers around the goal.
    pub layers: Vec<LayerAudit>,
    /// The random boards whose distances were found.
    pub random: RandomAudit,
    /// Why the layers end early, if they do.
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
    /// How many boards were checked.
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
    /// How many boards were checked on their paths.
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
    /// The solution that A* returns.
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
/// ```
/// use permutile::lab::audit::{AuditPlan, audit};
/// use permutile::puzzle::{arch::Simd, registry};
/// use permutile::{Goal, Solver};
///
/// let solver = Solver::new(registry::define("torus3")?, Goal::Default, Simd::detect())?;
/// // A move shifts three tiles, so that the misplaced ones may be more than the moves.
/// let plan = AuditPlan { states: 1000, random: 0, ..AuditPlan::new("misplaced".parse()?) };
/// let found = audit(&solver, &plan)?;
/// assert!(!found.admissible && !found.claims_admissible);
/// assert_eq!(found.counterexample.unwrap().distance, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the heuristic does not apply to the puzzle, or if a limit is hit before its tables are
/// built.
pub fn audit(solver: &Solver, plan: &AuditPlan<'_>) -> Result<Audit, RequestError> {
    let kind = &plan.heuristic;
    let promise = solver.promise(kind)?;
    let heuristic = solver.estimator(kind, &plan.limits)?;
    let frame = solver.frame();
    let goal = frame.encode(frame.goal())?;
    let mut audit = Audit {
        puzzle: frame.id().to_owned(),
        heuristic: kind.name().to_owned(),
        claims_admissible: promise.admissible,
        admissible: true,
        claims_consistent: promise.consistent,
        consistent: true,
        zero_at_goal: heuristic.estimate(&goal) == 0,
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
    let trial = Trial { solver, plan, heuristic, images: &SymmetricBoards::new(frame) };
    solver.puzzle().visit(AroundTheGoal { trial, audit: &mut audit });
    solver.puzzle().visit(FartherAway { trial, audit: &mut audit });
    if let Some(Counterexample { distance: nearest, .. }) = audit.counterexample {
        audit.misled = solver.puzzle().visit(Misleading { trial, nearest });
    }
    Ok(audit)
}

/// One heuristic on one puzzle.
#[derive(Clone, Copy)]
struct Trial<'a> {
    solver: &'a Solver,
    plan: &'a AuditPlan<'a>,
    heuristic: &'a dyn Estimator,
    images: &'a SymmetricBoards,
}

/// Checks the layers around the goal.
struct AroundTheGoal<'a> {
    trial: Trial<'a>,
    audit: &'a mut Audit,
}

impl PuzzleVisitor for AroundTheGoal<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let AroundTheGoal { trial, audit } = self;
        let plan = trial.plan;
        let mut layers = Layers::new(puzzle);
        loop {
            let size = layers.size();
            // From the last layer, an evenly spread sample of classes, rounded up.
            let step = (size.boards / (plan.states - audit.states)).max(1) as usize;
            let depth = layers.depth();
            let classes = layers.current();
            let labels = |number: usize| classes[number * step].labels(trial.images.cells);
            let findings = trial.check_classes(classes.len().div_ceil(step), &labels, depth);
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
                audit.counterexample = Some(trial.counterexample(found, depth));
            }
            if audit.jump.is_none()
                && let Some(found) = &findings.jumps.first
            {
                audit.jump = Some(trial.jump(puzzle, found));
            }
            if let Err(stop) = plan.limits.check_time() {
                audit.stop = Some(stop.to_string());
                return;
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
}

/// Checks the boards on shortest paths from random ones.
struct FartherAway<'a> {
    trial: Trial<'a>,
    audit: &'a mut Audit,
}

impl PuzzleVisitor for FartherAway<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let FartherAway { trial, audit } = self;
        let plan = trial.plan;
        let reached = audit.layers.last().map_or(0, |layer| layer.depth);
        for number in 0..plan.random {
            if plan.limits.check_time().is_err() {
                return;
            }
            let mut random = Random::new(plan.seed, number as u64);
            let mut state = puzzle.goal();
            for _ in 0..reached + 1 + (number % 8) as Depth {
                let moves: Vec<Move> = puzzle.legal_back(state).collect();
                state = puzzle.apply_back(state, moves[random.below(moves.len() as u64) as usize]);
            }
            audit.random.tried += 1;
            let labels = puzzle.labels(state);
            let Some(moves) = trial.shortest(&labels) else { continue };
            audit.random.solved += 1;
            audit.random.deepest = audit.random.deepest.max(moves.len() as Depth);
            trial.check_path(&labels, &moves, audit);
        }
    }
}

impl Trial<'_> {
    /// Checks all boards of so many classes, which `labels` has a member of each of.
    fn check_classes(
        &self,
        classes: usize,
        labels: &(dyn Fn(usize) -> Vec<u8> + Sync),
        distance: Depth,
    ) -> Findings {
        let findings = parallel::map_pieces(classes, PIECE, |range| {
            let findings = range.map(|number| match self.plan.limits.check_time() {
                Ok(()) => self.check_class(&labels(number), distance),
                Err(_) => Findings::default(),
            });
            findings.fold(Findings::default(), Findings::joined)
        });
        findings.into_iter().fold(Findings::default(), Findings::joined)
    }

    /// Checks all boards of a class, at a known distance.
    fn check_class(&self, labels: &[u8], distance: Depth) -> Findings {
        let mut findings = Findings::default();
        let mut first = None;
        let mut edges = Vec::new();
        for labels in self.images.all(labels) {
            edges.clear();
            let h = self.heuristic.estimate_with_edges(&labels, &mut edges);
            findings.add(&labels, distance, h, &edges);
            findings.asymmetric |= *first.get_or_insert(h) != h;
        }
        findings
    }

    /// Checks the boards on a shortest path.
    fn check_path(&self, labels: &[u8], moves: &[Move], audit: &mut Audit) {
        let estimates = self.heuristic.path_estimates(labels, moves);
        audit.incremental &= estimates.iter().all(|estimate| estimate.agrees);
        for (made, h) in estimates.iter().map(|estimate| estimate.estimate).enumerate() {
            let distance = (moves.len() - made) as Depth;
            audit.states += 1;
            audit.random.states += 1;
            if h > distance {
                audit.random.too_high += 1;
                audit.admissible = false;
                if audit.counterexample.as_ref().is_none_or(|known| known.distance > distance) {
                    let last = made.checked_sub(1).map(|last| moves[last]);
                    let engine = self.heuristic.engine();
                    let reach = |labels: Vec<u8>, &m: &Move| engine.apply(&labels, m);
                    let labels = moves[..made].iter().fold(labels.to_vec(), reach);
                    let found = Found { labels, last, before: 0, h };
                    audit.counterexample = Some(self.counterexample(&found, distance));
                }
            }
        }
        for edge in estimates.windows(2) {
            audit.edges += 1;
            audit.consistent &= edge[0].estimate <= edge[1].estimate + 1;
        }
    }

    /// A shortest solution, if there is time for it.
    fn shortest(&self, labels: &[u8]) -> Option<Vec<Move>> {
        let board = self.solver.frame().decode(labels);
        let limits = Limits { nodes: None, ..self.plan.limits };
        let timeout = Some(self.plan.patience);
        let options =
            SearchOptions { limits, timeout, aim: Aim::Proven, ..SearchOptions::default() };
        match self.solver.solve(&board, &options, &mut Silent) {
            Ok(Answer::Searched(found)) => found
                .solution
                .filter(Solution::is_optimal)
                .map(|solution| solution.moves().to_vec()),
            _ => None,
        }
    }

    fn counterexample(&self, found: &Found, distance: Depth) -> Counterexample {
        let moves = self.shortest(&found.labels).unwrap_or_default();
        Counterexample {
            board: self.tiles(&found.labels),
            last_move: found.last.map(|m| self.solver.frame().moves().name(m).to_owned()),
            h: found.h,
            distance,
            moves: self.names(&moves),
        }
    }

    fn jump<P: Puzzle>(&self, puzzle: &P, found: &Found) -> Jump {
        let m = found.last.expect("an edge has a move");
        let before = puzzle.apply_back(puzzle.state_of(&found.labels), m);
        Jump {
            board: self.tiles(&puzzle.labels(before)),
            made: puzzle.frame().moves().name(m).to_owned(),
            before: found.before,
            after: found.h,
        }
    }

    /// What A* returns for a board at a known distance, if it is too much.
    fn too_long(&self, labels: &[u8], distance: Depth) -> Option<Misled> {
        let limits = Limits { nodes: Some(MOST_NODES), ..self.plan.limits };
        let options = SearchOptions {
            algorithm: (&ASTAR).into(),
            heuristic: Some(self.plan.heuristic.clone()),
            limits,
            ..SearchOptions::default()
        };
        let board = self.solver.frame().decode(labels);
        let Ok(Answer::Searched(found)) = self.solver.solve(&board, &options, &mut Silent) else {
            return None;
        };
        let solution = found.solution?;
        (solution.len() as Depth > distance).then(|| Misled {
            board: self.tiles(labels),
            distance,
            moves: solution.into_names(),
        })
    }

    fn tiles(&self, labels: &[u8]) -> Vec<u16> {
        self.solver.frame().decode(labels).tiles().iter().map(|tile| tile.0).collect()
    }

    fn names(&self, moves: &[Move]) -> Vec<String> {
        self.solver.names(moves).into_iter().map(str::to_owned).collect()
    }
}

/// About how many boards of each layer A* is tried on.
const TRIED_PER_LAYER: usize = 20_000;

/// How many layers beyond a counterexample.
const LAYERS_BEYOND: Depth = 6;

/// No layer is made beyond one that has more boards than this.
const MOST_BOARDS: u64 = 10_000_000;

/// How many nodes it may expand on each.
const MOST_NODES: u64 = 100_000;

/// Looks for the first board, from the goal on, for which A* returns too many moves.
struct Misleading<'a> {
    trial: Trial<'a>,
    /// The distance of the nearest board for which the heuristic is too high.
    nearest: Depth,
}

impl PuzzleVisitor for Misleading<'_> {
    type Output = Option<Misled>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Option<Misled> {
        let Misleading { trial, nearest } = self;
        let limits = &trial.plan.limits;
        let mut layers = Layers::new(puzzle);
        while layers.depth() <= nearest + LAYERS_BEYOND {
            let depth = layers.depth();
            let size = layers.size().boards;
            // An evenly spread sample of whole classes.
            let classes = layers.current().iter();
            let step = (size as usize / TRIED_PER_LAYER).max(1);
            let members = |&key: &P::Key| trial.images.all(&key.labels(trial.images.cells));
            let boards: Vec<Vec<u8>> = classes.step_by(step).flat_map(members).collect();
            let misled = parallel::find_first(boards.len(), 1, |range| {
                limits.check_time().ok()?;
                trial.too_long(&boards[range.start], depth)
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
    /// Adds a board at a known distance and the edges that lead there.
    fn add(&mut self, labels: &[u8], distance: Depth, h: Depth, edges: &[Edge]) {
        let found = |last, before, h| Found { labels: labels.to_vec(), last, before, h };
        self.states += 1;
        self.sum += u64::from(h);
        let mut too_high = (h > distance).then(|| found(None, 0, h));
        for &Edge { m, before, after, agrees } in edges {
            self.edges += 1;
            self.disagrees |= !agrees;
            if before > after + 1 {
                self.jumps.add(|| found(Some(m), before, after));
            }
            // The estimate may depend on the move that led here.
            if after > distance && too_high.is_none() {
                too_high = Some(found(Some(m), before, after));
            }
        }
        if let Some(found) = too_high {
            self.too_high.add(|| found);
        }
    }

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
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Goal, registry as puzzles};

    #[test]
    fn what_is_not_claimed_is_not_refuted() {
        let definition = puzzles::define("torus3").unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        let heuristic = "misplaced".parse().unwrap();
        let plan = AuditPlan { states: 1_000, depth: 2, random: 0, ..AuditPlan::new(heuristic) };
        let found = audit(&solver, &plan).unwrap();
        assert!(!found.admissible && !found.consistent && !found.refutes_claims());
        assert!(Audit { claims_admissible: true, ..found.clone() }.refutes_claims());
        assert!(Audit { claims_consistent: true, ..found.clone() }.refutes_claims());
        assert!(Audit { incremental: false, ..found.clone() }.refutes_claims());
        assert!(Audit { zero_at_goal: false, ..found }.refutes_claims());
    }
}
