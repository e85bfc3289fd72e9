//! Many runs in a few numbers: means, ratios to the baseline, branching factors.

use super::results::{Quartiles, Ratios, Row, RowQuartiles, Subject, Trial};
use crate::lab::record::Status;
use crate::puzzle::Depth;
use std::collections::BTreeMap;

/// The branching factor b of a full tree of this depth with so many nodes besides its root:
/// b + b² + … + bᵈ = N (Russell and Norvig's "effective branching factor").
pub(super) fn effective_branching(nodes: u64, depth: Depth) -> Option<f64> {
    if depth == 0 || nodes == 0 {
        return None;
    }
    let nodes = nodes as f64;
    let tree = |b: f64| (0..depth).fold(0.0, |sum, _| (sum + 1.0) * b);
    // One branch of that depth has too few nodes or just enough; as many branches as nodes have
    // too many or just enough.
    let (mut low, mut high) = (0.0, nodes);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if tree(middle) < nodes { low = middle } else { high = middle }
    }
    Some(high)
}

/// The contenders on some of the boards.
pub(super) fn rows(
    members: &[usize],
    boards: &[Subject],
    trials: &[Trial],
    contenders: usize,
) -> Vec<Row> {
    let of = |contender: usize| -> BTreeMap<usize, &Trial> {
        let is_of = |trial: &&Trial| {
            trial.contender == contender && members.binary_search(&trial.board).is_ok()
        };
        trials.iter().filter(is_of).map(|trial| (trial.board, trial)).collect()
    };
    let is_solved = |trial: &&&Trial| trial.status == Status::Solved;
    let baseline = of(0);
    (0..contenders)
        .map(|contender| {
            let all = of(contender);
            let solved: Vec<&Trial> = all.values().filter(is_solved).copied().collect();
            let mean = |value: &dyn Fn(&Trial) -> f64| {
                let sum: f64 = solved.iter().map(|trial| value(trial)).sum();
                (!solved.is_empty()).then(|| sum / solved.len() as f64)
            };
            let (seconds, generated) =
                (mean(&|trial| trial.seconds), mean(&|trial| trial.generated as f64));
            let judged = solved.iter().filter_map(|trial| {
                let distance = boards[trial.board].distance?;
                trial.length.map(|length| u64::from(length.saturating_sub(distance)))
            });
            let judged: Vec<u64> = judged.collect();
            let branching: Vec<f64> = solved.iter().filter_map(|trial| trial.branching).collect();
            let estimates: Vec<f64> =
                all.values().filter_map(|trial| trial.h.map(f64::from)).collect();
            let mean_of =
                |of: &[f64]| (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64);
            let both: Vec<(&Trial, &Trial)> = solved
                .iter()
                .filter_map(|trial| Some((*trial, *baseline.get(&trial.board).filter(is_solved)?)))
                .collect();
            let quartiles = |value: &dyn Fn(&Trial) -> f64| {
                Quartiles::from_numbers(solved.iter().map(|trial| value(trial)).collect())
            };
            let lengths: Vec<f64> =
                solved.iter().filter_map(|trial| trial.length.map(f64::from)).collect();
            Row {
                contender,
                runs: all.len(),
                solved: solved.len(),
                proven: solved.iter().filter(|trial| trial.optimal).count(),
                length: mean_of(&lengths),
                lower_bound: mean(&|trial| f64::from(trial.lower_bound)),
                max_depth: mean(&|trial| f64::from(trial.max_depth)),
                expanded: mean(&|trial| trial.expanded as f64),
                generated,
                expanded_below: mean(&|trial| trial.expanded_below as f64),
                seconds,
                ns_per_node: seconds
                    .zip(generated.filter(|&generated| generated > 0.0))
                    .map(|(seconds, generated)| seconds * 1e9 / generated),
                mean_h: mean_of(&estimates),
                branching: mean_of(&branching),
                shortest: judged.iter().filter(|&&excess| excess == 0).count(),
                judged: judged.len(),
                excess: judged.iter().sum(),
                ratios: ratios(&both),
                quartiles: quartiles(&|trial| trial.expanded as f64)
                    .zip(quartiles(&|trial| trial.generated as f64))
                    .zip(quartiles(&|trial| trial.seconds))
                    .map(|((expanded, generated), seconds)| RowQuartiles {
                        expanded,
                        generated,
                        seconds,
                    }),
            }
        })
        .collect()
}

/// The geometric means of what one took for each unit of the other. Nothing counts as one node,
/// as on boards that are solved already.
fn ratios(both: &[(&Trial, &Trial)]) -> Option<Ratios> {
    let mean = |value: &dyn Fn(&Trial) -> f64| {
        let logs: f64 = both.iter().map(|(own, base)| (value(own) / value(base)).ln()).sum();
        (logs / both.len() as f64).exp()
    };
    let nodes = |count: u64| count.max(1) as f64;
    let (generated, seconds) =
        (mean(&|trial| nodes(trial.generated)), mean(&|trial| trial.seconds.max(1e-9)));
    (!both.is_empty()).then(|| Ratios {
        boards: both.len(),
        expanded: mean(&|trial| nodes(trial.expanded)),
        generated,
        seconds,
        ns_per_node: seconds / generated,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_numbers_of_the_list() {
        let of = |numbers: &[f64]| {
            Quartiles::from_numbers(numbers.to_vec()).map(|q| (q.lower, q.median, q.upper))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[7.0]), Some((7.0, 7.0, 7.0)));
        assert_eq!(of(&[2.0, 1.0]), Some((1.0, 1.0, 2.0)));
        assert_eq!(of(&[4.0, 3.0, 2.0, 1.0]), Some((1.0, 2.0, 3.0)));
        assert_eq!(of(&[5.0, 4.0, 3.0, 2.0, 1.0]), Some((2.0, 3.0, 4.0)));
    }

    #[test]
    fn the_branching_factor_is_that_of_the_full_tree() {
        let near = |nodes, depth, b: f64| {
            let found = effective_branching(nodes, depth).unwrap();
            assert!((found - b).abs() < 1e-6, "{nodes} nodes, depth {depth}: {found}");
        };
        near(2 + 4 + 8, 3, 2.0);
        near(5, 5, 1.0);
        near(52, 5, 1.916_729);
        near(10, 1, 10.0);
        assert_eq!(effective_branching(0, 0), None);
    }
}
