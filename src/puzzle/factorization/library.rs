//! Elements of a group with words for them: the moves, and short products of these that leave
//! most cells as they are.
//!
//! Words are not written out: an element is a move or a product of other elements, so that words
//! that nobody could make take no memory.

use crate::hash::HashMap;
use crate::limits::{Limits, StopReason};
use crate::puzzle::moves::{Move, MoveTable};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An element of a [`Library`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ElementId(u32);

/// From which cell to which contents are carried, in the order of the first.
pub(crate) type Carried = Box<[(u8, u8)]>;

/// What an element does, and how.
#[derive(Debug)]
struct Element {
    carried: Carried,
    word: Word,
    length: u64,
}

#[derive(Debug)]
enum Word {
    Move(Move),
    /// One after the other.
    Product(Box<[ElementId]>),
}

/// Elements, no two of which do the same unless the later one is shorter.
#[derive(Debug)]
pub(crate) struct Library {
    elements: Vec<Element>,
    by_effect: HashMap<Carried, ElementId>,
    moves: Vec<MoveElement>,
}

/// A move, without those that do the same as another.
#[derive(Debug)]
struct MoveElement {
    id: ElementId,
    /// Where each cell's content goes.
    target: Box<[u8]>,
    /// What undoes it, if that is no long word.
    inverse: Option<ElementId>,
}

/// The longest power of a move that stands for its inverse, or that is taken for leaving more
/// cells as they are.
const LONGEST_POWER: u64 = 64;

/// How many conjugates of moves and their powers there are at most.
const CONJUGATES: usize = 2_000;

/// How many of the best of these are made into commutators.
const COMMUTING: usize = 160;

/// The most cells that a commutator may move.
const FEW_CELLS: usize = 6;

/// How many elements there are at most, before those are added that a chain lacks.
const ELEMENTS: usize = 6_000;

impl Library {
    /// The moves, some of their powers, their conjugates and commutators, and conjugates of these:
    /// the shortest that move the fewest cells.
    pub(crate) fn new(table: &MoveTable, limits: &Limits<'_>) -> Result<Library, StopReason> {
        let mut library =
            Library { elements: Vec::new(), by_effect: HashMap::default(), moves: Vec::new() };
        for m in table.all().without(table.duplicates()) {
            library.add_move(m, table);
        }
        library.find_inverses(table);
        library.add_powers();
        library.add_conjugates(CONJUGATES, limits)?;
        library.add_commutators(limits)?;
        library.add_conjugates(ELEMENTS, limits)?;
        Ok(library)
    }

    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }

    /// All elements, in the order in which they were found.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ElementId> + use<> {
        (0..self.elements.len() as u32).map(ElementId)
    }

    /// The moves.
    pub(crate) fn moves(&self) -> impl Iterator<Item = ElementId> {
        self.moves.iter().map(|m| m.id)
    }

    /// The number of moves of an element's word; saturating.
    pub(crate) fn length(&self, id: ElementId) -> u64 {
        self.elements[id.index()].length
    }

    /// From which cell to which an element carries contents.
    pub(crate) fn carried(&self, id: ElementId) -> &[(u8, u8)] {
        &self.elements[id.index()].carried
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let of_element = |element: &Element| {
            let parts = match &element.word {
                Word::Move(_) => 0,
                Word::Product(parts) => parts.len() * size_of::<ElementId>(),
            };
            2 * (size_of::<Element>() + 2 * element.carried.len()) + parts
        };
        self.elements.iter().map(of_element).sum::<usize>() as u64
    }

    /// Appends the moves of an element's word.
    pub(crate) fn write_word(&self, id: ElementId, moves: &mut Vec<Move>) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            match &self.elements[id.index()].word {
                Word::Move(m) => moves.push(*m),
                Word::Product(parts) => stack.extend(parts.iter().rev()),
            }
        }
    }

    /// The product of some elements, one after the other; `None` if it does nothing. An element
    /// that does the same and is no longer is returned in its place.
    pub(crate) fn add_product(&mut self, parts: &[ElementId]) -> Option<ElementId> {
        let carried = self.effect(parts);
        if carried.is_empty() {
            return None;
        }
        Some(self.add(carried, parts))
    }

    /// What undoes an element, if no long words are needed for that.
    pub(crate) fn add_inverse(&mut self, id: ElementId) -> Option<ElementId> {
        let parts: Vec<ElementId> = match &self.elements[id.index()].word {
            Word::Move(_) => return self.moves.iter().find(|m| m.id == id)?.inverse,
            Word::Product(parts) => parts.to_vec(),
        };
        let mut inverse: Carried =
            self.elements[id.index()].carried.iter().map(|&(from, to)| (to, from)).collect();
        inverse.sort_unstable();
        if let Some(&known) = self.by_effect.get(&inverse)
            && self.length(known) <= self.length(id)
        {
            return Some(known);
        }
        let parts: Option<Vec<ElementId>> =
            parts.into_iter().rev().map(|part| self.add_inverse(part)).collect();
        Some(self.add(inverse, &parts?))
    }

    fn add(&mut self, carried: Carried, parts: &[ElementId]) -> ElementId {
        let length = parts.iter().fold(0, |sum: u64, &part| sum.saturating_add(self.length(part)));
        if let Some(&known) = self.by_effect.get(&carried)
            && self.length(known) <= length
        {
            return known;
        }
        self.push(carried, Word::Product(parts.into()), length)
    }

    fn push(&mut self, carried: Carried, word: Word, length: u64) -> ElementId {
        let id = ElementId(self.elements.len() as u32);
        self.by_effect.insert(carried.clone(), id);
        self.elements.push(Element { carried, word, length });
        id
    }

    /// What some elements do, one after the other.
    fn effect(&self, parts: &[ElementId]) -> Carried {
        let mut labels: Vec<u8> = (0..self.cells()).map(|cell| cell as u8).collect();
        for &part in parts {
            rearrange(&mut labels, self.carried(part));
        }
        sparse(&labels)
    }

    fn cells(&self) -> usize {
        self.moves.first().map_or(0, |m| m.target.len())
    }

    fn add_move(&mut self, m: Move, table: &MoveTable) {
        let permutation = table.permutation(m).expect("the puzzle has no blank");
        let target = permutation.inverse().sources().into();
        let id = self.push(sparse(permutation.sources()), Word::Move(m), 1);
        self.moves.push(MoveElement { id, target, inverse: None });
    }

    fn find_inverses(&mut self, table: &MoveTable) {
        for index in 0..self.moves.len() {
            let id = self.moves[index].id;
            let Word::Move(m) = self.elements[id.index()].word else { continue };
            self.moves[index].inverse = match table.inverse(m) {
                Some(inverse) => self.moves.iter().map(|m| m.id).find(|&other| {
                    matches!(self.elements[other.index()].word, Word::Move(m) if m == inverse)
                }),
                None => table
                    .order(m)
                    .filter(|&order| order <= LONGEST_POWER)
                    .and_then(|order| self.add_product(&vec![id; order as usize - 1])),
            };
        }
    }

    /// Powers of moves that leave more cells as they are.
    fn add_powers(&mut self) {
        for index in 0..self.moves.len() {
            let id = self.moves[index].id;
            let mut fewest = self.carried(id).len();
            let mut labels: Vec<u8> = (0..self.cells()).map(|cell| cell as u8).collect();
            rearrange(&mut labels, self.carried(id));
            for times in 2..=LONGEST_POWER as usize {
                rearrange(&mut labels, self.carried(id));
                let carried = sparse(&labels);
                if carried.is_empty() {
                    break;
                }
                if carried.len() < fewest {
                    fewest = carried.len();
                    self.add(carried, &vec![id; times]);
                }
            }
        }
    }

    /// The shorter a word is and the fewer cells it moves, the better.
    fn worth(&self, id: ElementId) -> Reverse<(u64, ElementId)> {
        Reverse((self.length(id).saturating_mul(self.carried(id).len() as u64), id))
    }

    /// Elements before and after which a move is undone and made, the best first, until there are
    /// `most` of them.
    fn add_conjugates(&mut self, most: usize, limits: &Limits<'_>) -> Result<(), StopReason> {
        let mut best: BinaryHeap<_> = self.ids().map(|id| self.worth(id)).collect();
        while let Some(Reverse((_, id))) = best.pop() {
            limits.check_time()?;
            for m in 0..self.moves.len() {
                if self.len() >= most {
                    return Ok(());
                }
                let before = self.len();
                if let Some(conjugate) = self.add_conjugate(id, m)
                    && self.len() > before
                {
                    best.push(self.worth(conjugate));
                }
            }
        }
        Ok(())
    }

    fn add_conjugate(&mut self, id: ElementId, m: usize) -> Option<ElementId> {
        let MoveElement { id: there, ref target, inverse } = self.moves[m];
        let carried = self.carried(id);
        if id == there || carried.iter().all(|&(cell, _)| target[usize::from(cell)] == cell) {
            return None;
        }
        let image = |cell: u8| target[usize::from(cell)];
        let mut images: Carried =
            carried.iter().map(|&(from, to)| (image(from), image(to))).collect();
        images.sort_unstable();
        Some(self.add(images, &[inverse?, id, there]))
    }

    /// Of elements that share few cells: what is left of one after the other if both are undone
    /// first.
    fn add_commutators(&mut self, limits: &Limits<'_>) -> Result<(), StopReason> {
        let mut best: Vec<_> = self.ids().map(|id| self.worth(id)).collect();
        best.sort_unstable_by_key(|&worth| Reverse(worth));
        let chosen: Vec<(ElementId, ElementId)> = best
            .into_iter()
            .take(COMMUTING)
            .filter_map(|Reverse((_, id))| Some((id, self.add_inverse(id)?)))
            .collect();
        for &(a, back_a) in &chosen {
            limits.check_time()?;
            for &(b, back_b) in &chosen {
                let parts = [back_a, back_b, a, b];
                let carried = self.effect(&parts);
                if (1..=FEW_CELLS).contains(&carried.len()) {
                    self.add(carried, &parts);
                }
            }
        }
        Ok(())
    }
}

impl ElementId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Carries labels from cell to cell.
pub(crate) fn rearrange(labels: &mut [u8], carried: &[(u8, u8)]) {
    let mut held = [0; crate::board::MAX_CELLS];
    for (held, &(from, _)) in held.iter_mut().zip(carried) {
        *held = labels[usize::from(from)];
    }
    for (&held, &(_, to)) in held.iter().zip(carried) {
        labels[usize::from(to)] = held;
    }
}

/// From which cell to which contents are carried, given for each cell where its content is from.
pub(crate) fn sparse(sources: &[u8]) -> Carried {
    let moved = sources.iter().enumerate().filter(|&(to, &from)| to != usize::from(from));
    let mut carried: Carried = moved.map(|(to, &from)| (from, to as u8)).collect();
    carried.sort_unstable();
    carried
}
