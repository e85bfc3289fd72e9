//! The move-ordering automaton of real puzzles, beside the true layer sizes.

use permutile::puzzle::AnyPuzzle;

/// Branching factor, boards at each distance, and the sequences let through for them.
type Known = (&'static str, f64, [u128; 8], [u128; 8]);

const KNOWN: &[Known] = &[
    (
        "torus4",
        11.05,
        [1, 16, 184, 2032, 21932, 230_480, 2_377_512, 24_093_488],
        [1, 16, 184, 2032, 22444, 247_984, 2_739_928, 30_272_848],
    ),
    (
        "torus5",
        14.39,
        [1, 20, 300, 4320, 60920, 845_184, 11_615_730, 158_566_880],
        [1, 20, 300, 4320, 62120, 893_584, 12_854_320, 184_910_080],
    ),
    (
        "rings5",
        18.22,
        [1, 24, 452, 8252, 148_295, 2_636_434, 46_582_294, 819_610_198],
        [1, 24, 452, 8252, 150_343, 2_738_976, 49_899_128, 909_070_448],
    ),
];

/// Up to three moves nothing is generated twice; what comes on top later are longer relations.
#[test]
fn sequences_are_hardly_more_than_boards() {
    for (id, branching, boards, expected) in KNOWN {
        let puzzle = AnyPuzzle::from_id(id).unwrap();
        let automaton = puzzle.frame().automaton();
        assert!((automaton.branching_factor() - branching).abs() < 0.005, "{id}");
        let sequences: Vec<u128> = automaton.sequences().take(8).collect();
        assert_eq!(sequences, expected, "{id}");
        assert_eq!(sequences[..4], boards[..4], "{id}");
        assert!(sequences.iter().zip(boards).all(|(sequences, boards)| sequences >= boards));
    }
}

#[test]
fn a_sliding_blank_never_goes_straight_back() {
    let puzzle = AnyPuzzle::from_id("sliding4").unwrap();
    let automaton = puzzle.frame().automaton();
    assert_eq!(automaton.states(), 5);
    assert_eq!(automaton.sequences().take(4).collect::<Vec<_>>(), [1, 4, 12, 36]);
}
