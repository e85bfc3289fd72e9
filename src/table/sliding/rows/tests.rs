//! Distances of patterns against a plain search on arrays.

use super::super::tests::{Plain, plain_distances};
use super::*;

fn check(rows: usize, cols: usize, tiles: &[u8], blank: u8) {
    let shape = Shape::new(rows, cols).unwrap();
    let pattern = TilePattern { shape, tiles: tiles.to_vec(), blank };
    let limits = Limits::default();
    let table = RowTable::build(pattern.clone(), &mut SharedSets::default(), &limits).unwrap();
    let goal: Plain = (tiles.iter().map(|&cell| cell.into()).collect(), blank.into());
    let bytes = |cells: &[usize]| -> Vec<u8> { cells.iter().map(|&cell| cell as u8).collect() };
    let tracks = Tracks::new(&table).unwrap();
    for ((cells, blank), &distance) in &plain_distances(shape, goal) {
        let found = table.distance(&bytes(cells), *blank as u8);
        assert_eq!(found, u32::from(distance), "{pattern:?}: {cells:?}, {blank}");
        for (tile, &from) in cells.iter().enumerate() {
            let (rows, cols) = shape.apart(from, *blank);
            if rows + cols == 1 {
                let mut after = cells.clone();
                after[tile] = *blank;
                let placement = table.place(&bytes(&after));
                let by_step = table.after_step(distance as u8, placement, from as u8);
                let from_scratch = table.distance(&bytes(&after), from as u8);
                let before = Tracked::new(&bytes(cells));
                let tracked = tracks.step(before, tile as u8, from as u8, *blank as u8);
                assert_eq!(tracked, Tracked::new(&bytes(&after)));
                let entry = table.entry(&tracks, tracked, from as u8);
                let entry = table.find(entry, from as u8);
                assert_eq!(table.after_step_to(distance as u8, entry), by_step);
                assert_eq!(u32::from(by_step), from_scratch, "{pattern:?}: {cells:?}, {tile}");
            }
        }
    }
}

#[test]
fn distances_are_those_of_a_plain_search() {
    check(2, 2, &[1, 2, 3], 0);
    check(2, 3, &[1, 2, 3, 4, 5], 0);
    check(3, 3, &[1, 2, 3], 0);
    check(3, 3, &[0, 5, 7], 4);
    check(3, 3, &[1, 3, 4, 5, 8], 6);
    check(3, 4, &[1, 4, 5, 6], 0);
    check(4, 4, &[13, 14, 15], 0);
    check(5, 5, &[6, 7, 12], 0);
    check(7, 7, &[1, 7], 0);
    check(2, 14, &[5], 27);
}

#[test]
fn limits_are_kept() {
    let shape = Shape::new(6, 6).unwrap();
    let pattern = TilePattern { shape, tiles: vec![1, 2, 3, 4], blank: 0 };
    let few = Limits { bytes: Some(1 << 20), ..Limits::default() };
    let stopped = RowTable::build(pattern, &mut SharedSets::default(), &few);
    assert_eq!(stopped.err(), Some(StopReason::Memory));
}
