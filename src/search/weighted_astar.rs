//! Weighted A* (Pohl 1970, "Heuristic search viewed as path finding in a graph"): A* that
//! trusts an estimate more than it deserves.
//!
//! With an admissible heuristic the solution is at most as many times longer than the shortest
//! as the weight says. What is proven is usually better than that: the least sum of depth and
//! plain estimate over all open nodes is a lower bound, and is reported.

use super::best_first::{self, Order, SuccessorRules};
use super::estimator::Estimator;
use super::{Algorithm, Observer, Optimality, Outcome, Setting, Task};

/// Weighted A*.
pub static WEIGHTED_ASTAR: Algorithm = Algorithm {
    name: "wastar",
    summary: "weighted A*: sooner than A*, and longer by no more than the weight",
    optimality: Optimality::Never,
    guided: true,
    parallel: false,
    follows: &[Setting::Weight],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    let rules = SuccessorRules::new(estimator.frame(), task.start);
    best_first::search(task, estimator, &rules, order(task.options.weight), observer)
}

/// The weight is rounded down to a sixteenth, so that what it promises holds.
const DENOMINATOR_BITS: u32 = 4;

/// With this weight the order is that of greedy search, but for ties.
const MOST: f64 = 256.0;

fn order(weight: f64) -> Order {
    let denominator = 1 << DENOMINATOR_BITS;
    let factor = (weight.clamp(1.0, MOST) * f64::from(denominator)) as usize;
    // Few rows make a quick queue: the fraction is reduced.
    let common = factor.trailing_zeros().min(DENOMINATOR_BITS);
    Order::weighted(DENOMINATOR_BITS - common, factor >> common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_sixteenths_rounded_down() {
        let same = |weight, shift, factor| order(weight) == Order::weighted(shift, factor);
        assert!(same(1.0, 0, 1) && same(0.0, 0, 1));
        assert!(same(1.5, 1, 3) && same(1.2, 4, 19));
        assert!(same(2.0, 0, 2) && same(1e9, 0, 256));
    }
}
