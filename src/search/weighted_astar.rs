//! Weighted A* (Pohl 1970, "Heuristic search viewed as path finding in a graph"): A* that
//! trusts an estimate more than it deserves.
//!
//! With an admissible heuristic the solution is at most as many times longer than the shortest
//! as the weight says. What is proven is usually better than that: the least sum of depth and
//! plain estimate over all open nodes is a lower bound, and is reported.

use super::best_first::{Ground, Order, search};
use super::{Described, Guided, Observer, Optimality, Outcome, Task};
use crate::heuristic::Heuristic;
use crate::puzzle::{Depth, Puzzle};

/// Weighted A*.
#[derive(Clone, Copy, Debug)]
pub struct WeightedAStar;

impl Described for WeightedAStar {
    const NAME: &'static str = "wastar";
    const SUMMARY: &'static str =
        "weighted A*: sooner than A*, and longer by no more than the weight";
    const OPTIMALITY: Optimality = Optimality::Never;
}

impl Guided for WeightedAStar {
    fn search<P: Puzzle, H: Heuristic<P>>(
        task: &Task<'_, P>,
        heuristic: &H,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let order = Weighted::new(task.settings.weight);
        search(task, &Ground::new(task, heuristic), order, observer)
    }
}

/// By depth plus weighted estimate, then by estimate.
#[derive(Clone, Copy, Debug)]
struct Weighted {
    /// The weight of the depth, as a power of two.
    depth_shift: u32,
    /// The weight of the estimate.
    estimate_factor: usize,
}

impl Weighted {
    /// The weight is rounded down to a sixteenth, so that what it promises holds.
    const DENOMINATOR_BITS: u32 = 4;

    /// With this weight the order is that of greedy search, but for ties.
    const MOST: f64 = 256.0;

    fn new(weight: f64) -> Weighted {
        let denominator = 1 << Self::DENOMINATOR_BITS;
        let factor = (weight.clamp(1.0, Self::MOST) * f64::from(denominator)) as usize;
        // Few rows make a quick queue: the fraction is reduced.
        let common = factor.trailing_zeros().min(Self::DENOMINATOR_BITS);
        Weighted { depth_shift: Self::DENOMINATOR_BITS - common, estimate_factor: factor >> common }
    }
}

impl Order for Weighted {
    const REOPENS: bool = true;

    #[inline]
    fn place(self, depth: Depth, estimate: Depth) -> (usize, usize) {
        let estimate = estimate as usize;
        (((depth as usize) << self.depth_shift) + self.estimate_factor * estimate, estimate)
    }

    #[inline]
    fn node(self, row: usize, column: usize) -> (Depth, Depth) {
        let depth = (row - self.estimate_factor * column) >> self.depth_shift;
        (depth as Depth, column as Depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_order_of_the_weighted_sum_and_can_be_read_back() {
        for (weight, exact) in [(1.0, 1.0), (1.2, 1.1875), (2.0, 2.0), (0.0, 1.0), (1e9, 256.0)] {
            let order = Weighted::new(weight);
            let sum =
                |(depth, estimate): (u32, u32)| f64::from(depth) + exact * f64::from(estimate);
            let nodes = (0..40).flat_map(|depth| (0..20).map(move |estimate| (depth, estimate)));
            let mut nodes: Vec<(u32, u32)> = nodes.collect();
            assert!(nodes.iter().all(|&(depth, estimate)| {
                let (row, column) = order.place(depth, estimate);
                order.node(row, column) == (depth, estimate)
            }));
            nodes.sort_by_key(|&(depth, estimate)| order.place(depth, estimate));
            assert!(nodes.is_sorted_by(|&a, &b| sum(a) <= sum(b)), "weight {weight}");
        }
    }
}
