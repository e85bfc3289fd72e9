//! What can be said of a path without any search.

use crate::hash::HashMap;
use crate::puzzle::moves::Action;
use crate::puzzle::{Frame, Move};

/// A path without its detours: what lies between two visits of the same board is cut out. It leads
/// where the longer one led.
pub fn cancel_loops(frame: &Frame, start: &[u8], moves: &[Move]) -> Vec<Move> {
    let mut labels = start.to_vec();
    let mut path: Vec<Move> = Vec::new();
    let mut boards = vec![labels.clone()];
    // How many moves of the path lead to each board on it.
    let mut visits = HashMap::default();
    visits.insert(labels.clone(), 0);
    for &m in moves {
        make(frame, &mut labels, m);
        if let Some(&visit) = visits.get(&labels) {
            for board in boards.drain(visit + 1..) {
                visits.remove(&board);
            }
            path.truncate(visit);
        } else {
            path.push(m);
            boards.push(labels.clone());
            visits.insert(labels.clone(), path.len());
        }
    }
    path
}

/// The board, as the label of each cell, after legal moves.
pub fn after(frame: &Frame, start: &[u8], moves: &[Move]) -> Vec<u8> {
    let mut labels = start.to_vec();
    moves.iter().for_each(|&m| make(frame, &mut labels, m));
    labels
}

/// Makes a legal move on labels.
fn make(frame: &Frame, labels: &mut Vec<u8>, m: Move) {
    match frame.moves().action() {
        Action::Permutations(moves) => {
            let sources = moves[m.index()].sources();
            *labels = sources.iter().map(|&source| labels[usize::from(source)]).collect();
        }
        Action::Blank(targets) => {
            let blank = labels.iter().position(|label| Some(*label) == frame.blank_label());
            let blank = blank.expect("one cell is blank");
            let target = targets[m.index()][blank].expect("the move is legal");
            labels.swap(blank, target.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::AnyPuzzle;

    fn cancelled(id: &str, moves: &str) -> String {
        let puzzle = AnyPuzzle::from_id(id).unwrap();
        let (frame, table) = (puzzle.frame(), puzzle.frame().moves());
        let start: Vec<u8> = (0..frame.shape().cells() as u8).collect();
        let path: Vec<Move> = moves.split(' ').filter_map(|name| table.by_name(name)).collect();
        let short = cancel_loops(frame, &start, &path);
        let (mut long_end, mut short_end) = (start.clone(), start.clone());
        path.iter().for_each(|&m| make(frame, &mut long_end, m));
        short.iter().for_each(|&m| make(frame, &mut short_end, m));
        assert_eq!(short_end, long_end);
        short.iter().map(|&m| table.name(m)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn loops_are_cut_out() {
        assert_eq!(cancelled("sliding3", "Right Left Down"), "Down");
        assert_eq!(cancelled("sliding3", "Right Down Down Up Up Right"), "Right Right");
        // Twelve moves around four cells.
        let around = "Right Down Left Up ".repeat(3);
        assert_eq!(cancelled("sliding3", &format!("Down {around}Up Right")), "Right");
        assert_eq!(cancelled("sliding3", "Right Down Left"), "Right Down Left");
        // The longer loop goes, whatever was cut out of it before.
        assert_eq!(cancelled("sliding3", "Right Down Up Left Down"), "Down");
        assert_eq!(cancelled("torus3", "R1 R1 R1 D2"), "D2");
        assert_eq!(cancelled("torus3", "R1 D2 L1 R1 D2"), "R1 D2 D2");
        assert_eq!(cancelled("rings4", ""), "");
    }
}
