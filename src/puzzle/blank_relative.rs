//! A board with a blank as a cyclic list of labels, rotated so that the blank is always in place 0:
//! the neighbours of the blank are then at constant offsets, in whichever cell it is.

/// The labels of all cells in cyclic order, from the blank on, which is 0 there.
pub trait BlankRelative: Copy {
    /// How many places there are.
    const CELLS: usize;

    /// Packs a board with the blank in that cell, whatever its label.
    fn new(labels: &[u8], blank: usize) -> Self;

    /// The label in a place.
    fn label(self, place: usize) -> usize;

    /// The board after the blank has changed places with this label, rotated to begin there.
    fn slid(self, place: usize, label: usize) -> Self;
}

/// The labels of all cells but the blank's, with their places relative to the blank.
fn placed<R: BlankRelative>(labels: &[u8], blank: usize) -> impl Iterator<Item = (usize, u8)> {
    let place = move |cell: usize| (cell + R::CELLS - blank) % R::CELLS;
    let all = labels.iter().enumerate().map(move |(cell, &label)| (place(cell), label));
    all.filter(|&(place, _)| place != 0)
}

impl BlankRelative for u64 {
    const CELLS: usize = 16;

    fn new(labels: &[u8], blank: usize) -> u64 {
        placed::<u64>(labels, blank).map(|(place, label)| u64::from(label) << (4 * place)).sum()
    }

    #[inline(always)]
    fn label(self, place: usize) -> usize {
        (self >> (4 * place)) as usize & 15
    }

    #[inline(always)]
    fn slid(self, place: usize, label: usize) -> u64 {
        let label = label as u64;
        (self ^ label ^ label << (4 * place)).rotate_right(4 * place as u32)
    }
}

impl BlankRelative for u128 {
    const CELLS: usize = 25;

    fn new(labels: &[u8], blank: usize) -> u128 {
        placed::<u128>(labels, blank).map(|(place, label)| u128::from(label) << (5 * place)).sum()
    }

    #[inline(always)]
    fn label(self, place: usize) -> usize {
        (self >> (5 * place)) as usize & 31
    }

    #[inline(always)]
    fn slid(self, place: usize, label: usize) -> u128 {
        const ALL: u128 = (1 << 125) - 1;
        let label = label as u128;
        let labels = self ^ label ^ label << (5 * place);
        labels >> (5 * place) | labels << (125 - 5 * place) & ALL
    }
}
