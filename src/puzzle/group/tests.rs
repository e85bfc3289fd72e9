//! The group against brute force and known orders.

use std::collections::BTreeSet;

use super::chain::SplitMix64;
use super::order::rank;
use super::*;

/// The cyclic shifts of the rows and columns of a torus.
fn torus(rows: usize, cols: usize) -> Vec<Permutation> {
    let row = |r: usize| (0..cols).map(move |c| r * cols + c).collect::<Vec<_>>();
    let col = |c: usize| (0..rows).map(move |r| r * cols + c).collect::<Vec<_>>();
    (0..rows)
        .map(row)
        .chain((0..cols).map(col))
        .map(|cycle| Permutation::from_cycles(rows * cols, &[cycle]))
        .collect()
}

fn torus_group(rows: usize, cols: usize) -> Group {
    Group::generated_by(rows * cols, &torus(rows, cols))
}

fn group(cells: usize, generators: &[Vec<Vec<usize>>]) -> Group {
    let generators: Vec<Permutation> =
        generators.iter().map(|cycles| Permutation::from_cycles(cells, cycles)).collect();
    Group::generated_by(cells, &generators)
}

/// The chain of `generators` by Schreier's lemma alone, with no help from chance.
fn proven_levels(cells: usize, generators: &[Permutation]) -> Vec<Level> {
    let mut builder = ChainBuilder::new(cells, generators);
    builder.prove(&Limits::default()).unwrap();
    builder.levels
}

fn size(levels: &[Level]) -> usize {
    orbit_lengths(levels).product()
}

/// All elements, by trying everything.
fn closure(cells: usize, generators: &[Permutation]) -> BTreeSet<Permutation> {
    let mut elements = BTreeSet::from([Permutation::identity(cells)]);
    let mut fresh: Vec<Permutation> = elements.iter().cloned().collect();
    while let Some(element) = fresh.pop() {
        for product in generators.iter().map(|generator| element.then(generator)) {
            if elements.insert(product.clone()) {
                fresh.push(product);
            }
        }
    }
    elements
}

fn shuffled(cells: usize, numbers: &mut SplitMix64) -> Permutation {
    let mut sources: Vec<u8> = (0..cells).map(|cell| cell as u8).collect();
    for last in (1..cells).rev() {
        sources.swap(last, numbers.below(last + 1));
    }
    Permutation::from_sources(sources).unwrap()
}

/// All elements in the order of the numbers that `random` draws for them.
fn enumerated(group: &Group) -> Vec<Permutation> {
    let total = u64::try_from(group.order().as_u128().unwrap()).unwrap();
    (0..total)
        .map(|rank| {
            let (mut rank, mut total) = (rank, total);
            group.random(|bound| {
                total /= bound;
                let digit = rank / total;
                rank %= total;
                digit
            })
        })
        .collect()
}

#[test]
fn trivial_groups() {
    for generators in [vec![], vec![Permutation::identity(4)]] {
        let group = Group::generated_by(4, &generators);
        assert_eq!(group.order().as_u128(), Some(1));
        assert_eq!(group.order().to_string(), "1");
        assert_eq!(group.orbits(), [[0], [1], [2], [3]]);
        assert!(!group.is_transitive());
        assert!(group.all_even());
        assert!(group.contains(&Permutation::identity(4)));
        assert!(group.random(|_| unreachable!("there is no choice")).is_identity());
        let swap = Permutation::from_cycles(4, &[[1, 2]]);
        assert_eq!(group.why_not(&swap), Some(Obstacle::Orbit { cell: 2, to: 1 }));
    }
    assert!(Group::generated_by(0, &[]).is_transitive());
    assert!(Group::generated_by(1, &[]).is_transitive());
}

#[test]
fn cyclic_and_dihedral_groups() {
    let rotation = vec![(0..12).collect::<Vec<_>>()];
    let reflection = (1..6).map(|i| vec![i, 12 - i]).collect::<Vec<_>>();
    let cyclic = group(12, std::slice::from_ref(&rotation));
    assert_eq!(cyclic.order().to_string(), "12");
    assert!(cyclic.is_transitive());
    let dihedral = group(12, &[rotation, reflection.clone()]);
    assert_eq!(dihedral.order().to_string(), "24");
    let reflection = Permutation::from_cycles(12, &reflection);
    assert!(dihedral.contains(&reflection));
    assert_eq!(cyclic.why_not(&reflection), Some(Obstacle::Other));
}

#[test]
fn rows_and_columns_of_a_torus() {
    assert_eq!(torus_group(2, 2).order().to_string(), "4! = 24");
    assert_eq!(torus_group(3, 3).order().to_string(), "9!/2 = 181440");
    assert_eq!(torus_group(4, 4).order().to_string(), "16! = 20922789888000");
    assert_eq!(torus_group(5, 5).order().to_string(), "25!/2 = 7755605021665492992000000");
    assert_eq!(torus_group(10, 10).order().to_string(), "100! ≈ 9.33e157");
    assert_eq!(torus_group(16, 16).order().to_string(), "256! ≈ 8.58e506");
    assert!((torus_group(10, 10).order().log10() - 157.970_003_654_7).abs() < 1e-9);
    assert_eq!(torus_group(10, 10).order().as_u128(), None);
}

#[test]
fn names_and_roundings_of_orders() {
    let order =
        |factors: &[usize], cells, moved| Order::new(factors.to_vec(), cells, moved).to_string();
    assert_eq!(order(&[4, 3, 2], 9, 4), "4! = 24");
    assert_eq!(order(&[4, 3], 9, 4), "4!/2 = 12");
    assert_eq!(order(&[2], 2, 2), "2");
    assert_eq!(order(&[10; 40], 99, 99), "≈ 1.00e40");
    let nearly_ten = [[10; 39].as_slice(), &[249, 251, 2, 2, 2, 2]].concat();
    assert_eq!(order(&nearly_ten, 99, 99), "≈ 1.00e45");
}

#[test]
fn mathieu_groups() {
    let eleven = vec![(0..11).collect::<Vec<_>>()];
    let fours = vec![vec![2, 6, 10, 7], vec![3, 9, 4, 5]];
    let m11 = group(12, &[eleven.clone(), fours.clone()]);
    assert_eq!(m11.order().as_u128(), Some(7920));
    let swaps: Vec<Vec<usize>> =
        [[0, 11], [1, 10], [2, 5], [3, 7], [4, 8], [6, 9]].map(Vec::from).to_vec();
    let m12 = group(12, &[eleven, fours, swaps]);
    assert_eq!(m12.order().as_u128(), Some(95040));
    assert_eq!(m12.order().factors(), [12, 11, 10, 9, 8]);
    assert!(m12.all_even());
    let three = Permutation::from_cycles(12, &[[0, 1, 2]]);
    assert_eq!(m12.why_not(&three), Some(Obstacle::Other));
    assert_eq!(m12.why_not(&Permutation::from_cycles(12, &[[0, 1]])), Some(Obstacle::Parity));
}

#[test]
fn obstacles_are_the_true_ones() {
    // Two orbits that are always turned and swapped alike.
    let linked = group(6, &[vec![vec![0, 2, 4], vec![1, 3, 5]], vec![vec![0, 2], vec![1, 3]]]);
    assert!(linked.all_even());
    assert_eq!(linked.order().as_u128(), Some(6));
    assert_eq!(linked.orbits(), [[0, 2, 4], [1, 3, 5]]);
    let swap = Permutation::from_cycles(6, &[[0, 2]]);
    assert_eq!(linked.why_not(&swap), Some(Obstacle::Parity));
    let turn = Permutation::from_cycles(6, &[[0, 2, 4]]);
    assert_eq!(linked.why_not(&turn), Some(Obstacle::Other));
    let cross = Permutation::from_cycles(6, &[[3, 4]]);
    assert_eq!(linked.why_not(&cross), Some(Obstacle::Orbit { cell: 4, to: 3 }));

    // Here a move is odd, so that parity explains nothing.
    let square = group(4, &[vec![vec![0, 1, 2, 3]]]);
    assert!(!square.all_even());
    let swap = Permutation::from_cycles(4, &[[0, 1]]);
    assert_eq!(square.why_not(&swap), Some(Obstacle::Other));
    assert_eq!(square.why_not(&Permutation::identity(5)), Some(Obstacle::Other));
    assert_eq!(square.why_not(&Permutation::identity(4)), None);
}

#[test]
fn intransitive_groups_with_linked_parities() {
    // S5 on the first five cells and S4 on the next four, but a swap only in both.
    let generators = [
        vec![vec![0, 1, 2, 3, 4]],
        vec![vec![5, 6, 7]],
        vec![vec![0, 1], vec![5, 6]],
        vec![vec![7, 8], vec![2, 3]],
    ];
    let group = group(10, &generators);
    assert_eq!(group.orbits(), [vec![0, 1, 2, 3, 4], vec![5, 6, 7, 8], vec![9]]);
    assert_eq!(group.order().as_u128(), Some(120 * 24 / 2));
}

#[test]
fn bounds_count_parities_per_orbit() {
    let bound = |cells, generators: &[Permutation]| {
        OrderBound::new(&orbits(cells, generators), generators).halvings
    };
    assert_eq!(bound(9, &torus(3, 3)), 1);
    assert_eq!(bound(16, &torus(4, 4)), 0);
    let swap_both = Permutation::from_cycles(5, &[[0, 1], [2, 3]]);
    assert_eq!(bound(5, std::slice::from_ref(&swap_both)), 1);
    assert_eq!(bound(5, &[swap_both, Permutation::from_cycles(5, &[[0, 1]])]), 0);
    assert_eq!(bound(5, &[]), 0);
    assert_eq!(rank([0b110, 0b011, 0b101, 0].into_iter()), 2);
}

/// The shifts of a torus acting on pairs of cells: they move blocks about, and
/// `flip` exchanges the two cells of one block.
fn doubled(rows: usize, cols: usize, flip: bool) -> Vec<Permutation> {
    let cells = 2 * rows * cols;
    let double = |p: &Permutation| {
        let sources: Vec<u8> = (0..cells).map(|c| (2 * p.source(c / 2) + c % 2) as u8).collect();
        Permutation::from_sources(sources).unwrap()
    };
    let flip = flip.then(|| Permutation::from_cycles(cells, &[[0, 1]]));
    torus(rows, cols).iter().map(double).chain(flip).collect()
}

#[test]
fn wreath_products() {
    let blocks = Group::generated_by(8, &doubled(2, 2, true));
    assert_eq!(blocks.order().as_u128(), Some(24 << 4));
    assert!(blocks.is_transitive());
    let group = Group::generated_by(32, &doubled(4, 4, true));
    assert_eq!(group.order().as_u128(), Some(20_922_789_888_000 << 16));
    assert!(group.contains(&Permutation::from_cycles(32, &[[30, 31]])));
    assert_eq!(group.why_not(&Permutation::from_cycles(32, &[[30, 29]])), Some(Obstacle::Other));
    // Two copies that always move alike.
    let group = Group::generated_by(32, &doubled(4, 4, false));
    assert_eq!(group.order().to_string(), "20922789888000");
}

#[test]
fn schreiers_lemma_alone_gives_the_same_groups() {
    assert_eq!(size(&proven_levels(9, &torus(3, 3))), 181_440);
    assert_eq!(size(&proven_levels(16, &torus(4, 4))), 20_922_789_888_000);
    assert_eq!(size(&proven_levels(16, &doubled(2, 4, true))), 40320 << 8);
    assert_eq!(size(&proven_levels(16, &doubled(2, 4, false))), 40320);
}

#[test]
fn small_groups_are_those_found_by_trying_everything() {
    let mut numbers = SplitMix64 { state: 1 };
    for round in 0..300 {
        let cells = 2 + round % 6;
        // Powers and products of few give small groups too, not just all or half.
        let mut generators = vec![shuffled(cells, &mut numbers)];
        match round % 4 {
            0 => {}
            1 => generators.push(shuffled(cells, &mut numbers)),
            2 => {
                let cycles = shuffled(cells, &mut numbers).cycles();
                generators = cycles
                    .into_iter()
                    .map(|cycle| Permutation::from_cycles(cells, &[cycle]))
                    .collect();
            }
            _ => {
                let half = shuffled(cells, &mut numbers);
                generators = vec![generators[0].then(&generators[0]), half.then(&half)];
            }
        }
        let elements = closure(cells, &generators);
        let group = Group::generated_by(cells, &generators);
        assert_eq!(group.order().as_u128(), Some(elements.len() as u128));
        assert_eq!(size(&proven_levels(cells, &generators)), elements.len());
        for _ in 0..40 {
            let element = shuffled(cells, &mut numbers);
            assert_eq!(group.contains(&element), elements.contains(&element));
            assert_eq!(group.why_not(&element).is_none(), elements.contains(&element));
        }
        assert!(enumerated(&group).iter().eq(&elements), "in lexicographic order");
    }
}

#[test]
fn sparse_generators_leave_no_gap() {
    // Few cells moved at a time: orbits fall apart soon, so that every kind of
    // check is the only one to find what is missing somewhere.
    let mut numbers = SplitMix64 { state: 3 };
    for round in 0..3_000 {
        let cells = 4 + round % 9;
        let generators: Vec<Permutation> = (0..2 + numbers.below(3))
            .map(|_| {
                let length = 2 + numbers.below(3);
                let cycles: Vec<Vec<usize>> = shuffled(cells, &mut numbers)
                    .sources()
                    .chunks(length)
                    .take(1 + numbers.below(3))
                    .map(|cycle| cycle.iter().map(|&cell| usize::from(cell)).collect())
                    .collect();
                Permutation::from_cycles(cells, &cycles)
            })
            .collect();
        // Here the two constructions vouch for each other; those that are small
        // enough for it are also enumerated.
        let order = Group::generated_by(cells, &generators).order().as_u128().unwrap();
        assert_eq!(size(&proven_levels(cells, &generators)) as u128, order);
        if order <= 720 {
            assert_eq!(closure(cells, &generators).len() as u128, order);
        }
    }
}

#[test]
fn random_elements_depend_on_the_group_only() {
    let mut generators = torus(5, 5);
    let first = Group::generated_by(25, &generators);
    generators.reverse();
    let second = Group::generated_by(25, &generators);
    let draw = |group: &Group, seed| {
        let mut numbers = SplitMix64 { state: seed };
        group.random(|bound| numbers.below(bound as usize) as u64)
    };
    for seed in 0..50 {
        let element = draw(&first, seed);
        assert!(first.contains(&element));
        assert!(!element.is_odd());
        assert_eq!(element, draw(&second, seed));
    }
}

#[test]
fn random_elements_are_uniform() {
    let group = torus_group(2, 2);
    let mut numbers = SplitMix64 { state: 2 };
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..24_000 {
        let element = group.random(|bound| numbers.below(bound as usize) as u64);
        *counts.entry(element).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 24);
    assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
}
