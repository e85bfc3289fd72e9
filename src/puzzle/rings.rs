//! The rings: the torus, and each concentric ring of cells turns by one cell,
//! clockwise or counter-clockwise.

use super::definition::{Definition, Dynamics, NamedMove};
use super::permutation::Permutation;
use super::registry::{Family, short_id};
use super::torus;
use crate::board::Shape;
use crate::board::check::Rules;

pub(super) const FAMILY: Family = Family {
    name: "rings",
    summary: "the torus, and every concentric ring of cells turns by one, clockwise or counter-clockwise",
    shapes: "rings:RxC with R,C from 3 to 9; short: rings3, rings4, ... rings9",
    fits: |shape| shape.rows().min(shape.cols()) >= 3 && shape.rows().max(shape.cols()) <= 9,
    define,
};

fn define(shape: Shape) -> Definition {
    let mut moves = torus::line_moves(shape);
    let rings = (0..).map(|inset| clockwise_ring(shape, inset));
    // A single cell in the centre is no ring.
    for (inset, ring) in rings.take_while(|ring| ring.len() >= 2).enumerate() {
        let name = ring_name(inset);
        let clockwise = Permutation::from_cycles(shape.cells(), &[ring]);
        let counter = clockwise.inverse();
        moves.push(NamedMove::new(format!("{name}c"), clockwise));
        moves.push(NamedMove::new(format!("{name}cc"), counter));
    }
    Definition {
        id: short_id(FAMILY.name, shape),
        shape,
        dynamics: Dynamics::Permutations(moves),
        rules: Rules::Rings(shape),
    }
}

/// `O` for the outer ring, `I` for the next one in, then `I2`, `I3` and so on.
fn ring_name(inset: usize) -> String {
    match inset {
        0 => "O".to_owned(),
        1 => "I".to_owned(),
        _ => format!("I{inset}"),
    }
}

/// The cells of the ring that is `inset` cells away from the edge, clockwise from its
/// top left. A strip one cell wide is walked from one end to the other.
fn clockwise_ring(shape: Shape, inset: usize) -> Vec<usize> {
    let (top, left) = (inset, inset);
    let (Some(bottom), Some(right)) =
        ((shape.rows() - 1).checked_sub(inset), (shape.cols() - 1).checked_sub(inset))
    else {
        return Vec::new();
    };
    if top > bottom || left > right {
        return Vec::new();
    }
    let mut ring: Vec<usize> = Vec::new();
    ring.extend((left..=right).map(|col| shape.cell(top, col)));
    ring.extend((top + 1..=bottom).map(|row| shape.cell(row, right)));
    if top < bottom {
        ring.extend((left..right).rev().map(|col| shape.cell(bottom, col)));
    }
    if left < right {
        ring.extend((top + 1..bottom).rev().map(|row| shape.cell(row, left)));
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_walked_clockwise() {
        let shape = Shape::new(4, 4).unwrap();
        assert_eq!(clockwise_ring(shape, 0), [0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4]);
        assert_eq!(clockwise_ring(shape, 1), [5, 6, 10, 9]);
        assert!(clockwise_ring(shape, 2).is_empty());
        assert_eq!(clockwise_ring(Shape::new(3, 5).unwrap(), 1), [6, 7, 8]);
        assert_eq!(clockwise_ring(Shape::new(5, 3).unwrap(), 1), [4, 7, 10]);
        assert_eq!(clockwise_ring(Shape::new(3, 3).unwrap(), 1), [4]);
    }
}
