//! God's-algorithm counts against the known values.

use permutile::Limits;
use permutile::puzzle::arch::Simd;
use permutile::puzzle::moves::Action;
use permutile::puzzle::{AnyPuzzle, Goal, Puzzle, PuzzleVisitor, custom};
use permutile::table::layers::{LayerSize, Layers};
use permutile::table::pattern::PatternTable;

struct Count {
    depth: u32,
}

impl PuzzleVisitor for Count {
    type Output = Vec<LayerSize>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Vec<LayerSize> {
        let mut layers = Layers::new(puzzle);
        let mut sizes = vec![layers.size()];
        while layers.depth() < self.depth {
            layers.advance(&Limits::default(), &mut |_| {}).unwrap();
            if layers.current().is_empty() {
                break;
            }
            sizes.push(layers.size());
        }
        sizes
    }
}

fn boards(id: &str, depth: u32) -> Vec<u64> {
    let sizes = AnyPuzzle::from_id(id).unwrap().visit(Count { depth });
    sizes.iter().map(|size| size.boards).collect()
}

fn classes(id: &str, depth: u32) -> Vec<u64> {
    let sizes = AnyPuzzle::from_id(id).unwrap().visit(Count { depth });
    sizes.iter().map(|size| size.classes).collect()
}

#[test]
fn torus3_is_counted_completely() {
    assert_eq!(boards("torus3", 99), [1, 12, 96, 736, 5208, 28674, 89497, 54741, 2475]);
}

#[test]
fn torus4_has_its_known_layers() {
    let known = [1, 16, 184, 2032, 21932, 230_480, 2_377_512, 24_093_488];
    assert_eq!(boards("torus4", 7), known);
    assert_eq!(classes("torus4", 7), [1, 1, 6, 18, 132, 1014, 9793, 95545]);
}

#[test]
fn torus5_has_its_known_layers() {
    assert_eq!(boards("torus5", 6), [1, 20, 300, 4320, 60920, 845_184, 11_615_730]);
}

#[test]
fn rings5_has_its_known_layers() {
    assert_eq!(boards("rings5", 5), [1, 24, 452, 8252, 148_295, 2_636_434]);
    assert_eq!(classes("rings5", 5), [1, 5, 44, 588, 9577, 166_179]);
}

#[test]
fn sliding3_is_counted_completely() {
    let counts = boards("sliding3", 99);
    assert_eq!(counts.len(), 32);
    assert_eq!(counts.iter().sum::<u64>(), 181_440);
    assert_eq!((counts[1], counts[31]), (2, 2));
    // 8-puzzle layers with the blank in a corner: OEIS A089473.
    assert_eq!(counts[..10], [1, 2, 4, 8, 16, 20, 39, 62, 116, 152]);
}

#[test]
fn one_way_puzzles_are_counted_the_right_way_round() {
    // One turn of four: each board can only be solved by going on in the same sense.
    let text = "shape = \"2x2\"\n[[move]]\nname = \"t\"\ncycles = [[1, 2, 4, 3]]\n";
    let definition = custom::define("t.toml", text).unwrap();
    let puzzle = AnyPuzzle::new(definition, Goal::Default, Simd::off()).unwrap();
    let sizes: Vec<u64> = puzzle.visit(Count { depth: 9 }).iter().map(|size| size.boards).collect();
    assert_eq!(sizes, [1, 1, 1, 1]);
}

#[test]
fn small_puzzles_are_counted_to_the_order_of_their_group() {
    for id in ["torus:2x2", "torus:2x3", "torus:3x2", "torus:2x4", "rings3"] {
        let puzzle = AnyPuzzle::from_id(id).unwrap();
        let total: u64 = puzzle.visit(Count { depth: 99 }).iter().map(|size| size.boards).sum();
        let order = puzzle.frame().group().unwrap().order().as_u128().unwrap();
        assert_eq!(u128::from(total), order, "{id}");
    }
    assert_eq!(boards("sliding:2x2", 99).iter().sum::<u64>(), 12);
    assert_eq!(boards("sliding:2x3", 99).iter().sum::<u64>(), 360);
    assert_eq!(boards("sliding:3x2", 99).len(), 22);
}

/// Known: a block of two by three tiles of the 5x5 torus, all its 127,512,000 places.
#[test]
fn six_tiles_of_torus5_have_their_known_distances() {
    let puzzle = AnyPuzzle::from_id("torus5").unwrap();
    let Action::Permutations(moves) = puzzle.frame().moves().action() else {
        unreachable!("a torus has no blank")
    };
    let limits = Limits::default();
    let table =
        PatternTable::build(moves, &[0, 1, 2, 5, 6, 7], &limits, &mut permutile::Silent).unwrap();
    let known = [
        1, 10, 94, 880, 7558, 58_432, 402_862, 2_335_840, 10_374_813, 30_419_907, 47_958_515,
        30_962_779, 4_936_603, 53_706,
    ];
    assert_eq!(table.counts(), known);
}
