//! Puzzles without a blank: words in the moves for all elements of their group
//! ([`Factorization`](crate::puzzle::factorization::Factorization)), one after the other, and what
//! cancels left out.

use crate::limits::{Limits, StopReason};
use crate::puzzle::{Frame, Move};
use crate::search::insertion::cancelled;

/// The moves of a solution of a board that can be solved, which is given by the label in each
/// cell.
///
/// # Errors
/// If a limit is hit. Where every word for a board has more moves than there is memory, that is
/// the limit on memory.
pub(super) fn solve(
    frame: &Frame,
    start: &[u8],
    limits: &Limits<'_>,
) -> Result<Vec<Move>, StopReason> {
    let factorization = frame.factorization(limits)?;
    let library = factorization.library();
    // The solver has made sure that the goal can be reached.
    let elements = factorization.solve(start).ok_or(StopReason::Depth)?;
    let length = elements.iter().fold(0u64, |sum, &id| sum.saturating_add(library.length(id)));
    // Written out once, and once more without what cancels.
    limits.check_bytes(length.saturating_mul(2).saturating_add(library.bytes()))?;
    let mut moves = Vec::new();
    let room = usize::try_from(length).map_err(|_| StopReason::Memory)?;
    moves.try_reserve_exact(room).map_err(|_| StopReason::Memory)?;
    for id in elements {
        limits.check_time()?;
        library.write_word(id, &mut moves);
    }
    let moves = cancelled(frame.moves(), &moves);
    match limits.depth {
        Some(most) if moves.len() > most as usize => Err(StopReason::Depth),
        _ => Ok(moves),
    }
}
