//! Distances of patterns against a plain search on arrays.

use super::*;
use std::collections::{HashMap, VecDeque};

/// Where the tiles are, in the order of their goals, and where the blank is.
pub(super) type Plain = (Vec<usize>, usize);

/// How many steps of its own tiles a pattern needs from everywhere, with the blank in its very
/// cell: blank moves that carry no tile of the pattern are free and come first.
pub(super) fn plain_distances(shape: Shape, goal: Plain) -> HashMap<Plain, u16> {
    let mut distances: HashMap<Plain, u16> = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some(((tiles, blank), distance)) = queue.pop_front() {
        if distances[&(tiles.clone(), blank)] < distance {
            continue;
        }
        let beside = |&cell: &usize| {
            let (rows, cols) = shape.apart(cell, blank);
            rows + cols == 1
        };
        for next in (0..shape.cells()).filter(beside) {
            let mut after = tiles.clone();
            let carried = after.iter().position(|&cell| cell == next);
            if let Some(tile) = carried {
                after[tile] = blank;
            }
            let cost = u16::from(carried.is_some());
            let known = distances.entry((after.clone(), next)).or_insert(u16::MAX);
            if distance + cost < *known {
                *known = distance + cost;
                let found = ((after, next), distance + cost);
                if cost == 0 { queue.push_front(found) } else { queue.push_back(found) }
            }
        }
    }
    distances
}

fn check(rows: usize, cols: usize, tiles: &[u32], blank: u8) {
    let shape = Shape::new(rows, cols).unwrap();
    let pattern = Pattern { shape, tiles: tiles.iter().map(|&tile| 1 << tile).sum(), blank };
    let limits = Limits::default();
    let table = SlidingTable::build(pattern, &mut SharedIndexes::default(), &limits).unwrap();
    let state = |(places, blank): &Plain| {
        let cells = places.iter().map(|&cell| 1 << cell).sum();
        let in_cell = |cell: u32| places.iter().position(|&place| place == cell as usize).unwrap();
        let order: Vec<u8> = bits(cells).map(|cell| in_cell(cell) as u8).collect();
        table.state(cells, &order, *blank as u32)
    };
    let goal = (tiles.iter().map(|&cell| cell as usize).collect(), blank.into());
    let distances = plain_distances(shape, goal);
    for (place, &distance) in &distances {
        let here = state(place);
        assert_eq!(here.distance, distance, "{pattern:?}: {place:?}");
        for (tile, &from) in place.0.iter().enumerate() {
            let (rows, cols) = shape.apart(from, place.1);
            if rows + cols == 1 {
                let mut after = place.clone();
                (after.0[tile], after.1) = (place.1, from);
                let look = table.look(here, tile, &TileSlide::new(shape, from, place.1));
                let slid = table.seen(here, &look);
                assert_eq!(slid, state(&after), "{pattern:?}: {place:?}, tile {tile}");
            }
        }
    }
}

#[test]
fn distances_are_those_of_a_plain_search() {
    check(2, 2, &[1, 2, 3], 0);
    check(3, 2, &[1, 2, 3, 4, 5], 0);
    check(3, 3, &[1, 2, 3], 0);
    check(3, 3, &[0, 5, 7], 4);
    check(3, 3, &[1, 3, 4, 5, 8], 6);
    check(4, 3, &[1, 3, 4, 6], 0);
    check(4, 4, &[13, 14, 15], 0);
    check(4, 4, &[1, 4, 5, 9], 0);
    check(5, 5, &[6, 7, 12], 0);
}

#[test]
fn limits_are_kept() {
    let pattern = Pattern { shape: Shape::new(4, 4).unwrap(), tiles: 0b1111_1100, blank: 0 };
    let few = Limits { bytes: Some(1 << 20), ..Limits::default() };
    let stopped = SlidingTable::build(pattern, &mut SharedIndexes::default(), &few);
    assert_eq!(stopped.err(), Some(StopReason::Memory));
}
