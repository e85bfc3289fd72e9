//! Nodes of sliding puzzles in batches, for steps that wait for memory.
//!
//! Nodes are on a stack. Those on top are taken together; what is to be read for all their moves is
//! asked for, and only then read, so that a batch waits for memory about once. Apart from that, the
//! nodes are those of the recursion, but for the last iteration, where other ones may come before
//! the solution.
//!
//! Nodes do not know how they were reached. The tree below the root is cut into many parts, and
//! each node knows its part: in the one where a solution is met, the recursion finds it again.

use super::{NONE, SIZES, Slide};
use crate::heuristic::unit_steps::BatchSteps;
use crate::puzzle::automaton::loops::{Loops, Row};
use crate::puzzle::blank_relative::BlankRelative;
use crate::puzzle::{Depth, Move};
use crate::search::ida::{End, ORDER};
use std::ops::ControlFlow::{self, Break, Continue};

/// How many nodes are taken together.
const BATCH: usize = 16;

/// Into how many parts the tree is cut, at least.
const PARTS: usize = 128;

/// A node to search below.
#[derive(Clone, Copy)]
struct Node<C, R> {
    carried: C,
    ring: R,
    row: Row,
    budget: u16,
    part: u16,
    blank: u8,
}

/// A move of one of the nodes that were taken, and where it is to be read what it does.
#[derive(Clone, Copy)]
struct PendingMove<L> {
    look: L,
    node: u8,
    m: u8,
    label: u8,
}

/// A root of a part of the tree, and the moves that lead there.
type Part<C, R> = (Node<C, R>, Vec<Move>);

impl<S: BatchSteps, const COLS: usize> Slide<'_, '_, S, Loops, COLS> {
    /// Searches below a board in batches.
    pub(super) fn run_in_batches<R: BlankRelative>(
        &mut self,
        labels: &[u8],
        (budget, carried, row): (Depth, S::Carried, Row),
    ) -> ControlFlow<End> {
        let blank = self.blank(labels);
        let ring = R::new(labels, blank);
        let root = Node { carried, ring, row, budget: budget as u16, part: 0, blank: blank as u8 };
        let parts = self.cut(root)?;
        // The first part is on top.
        let nodes = parts.iter().map(|(node, _)| *node).enumerate().rev();
        let mut stack: Vec<_> =
            nodes.map(|(part, node)| Node { part: part as u16, ..node }).collect();
        let mut taken = Vec::with_capacity(BATCH);
        let mut pending = Vec::with_capacity(BATCH * ORDER.len());
        while !stack.is_empty() {
            let rest = stack.len().saturating_sub(BATCH);
            taken.clear();
            taken.extend_from_slice(&stack[rest..]);
            stack.truncate(rest);
            pending.clear();
            for (number, node) in taken.iter().enumerate() {
                let moves = self.enter(node)?;
                // The first move of the node on top ends on top.
                let (listed, count) = LAST_FIRST[usize::from(moves)];
                let listed = listed.iter().take(count.into());
                pending.extend(listed.map(|&m| self.look(node, number, m.into())));
            }
            for pending in &pending {
                let Some(child) = self.child(&taken[usize::from(pending.node)], pending) else {
                    continue;
                };
                if child.budget == 0 {
                    let (root, path) = &parts[usize::from(child.part)];
                    return self.solve(root, path);
                }
                stack.push(child);
            }
        }
        Continue(())
    }

    /// Cuts the tree into parts: their roots, with the moves that lead there.
    fn cut<R: BlankRelative>(
        &mut self,
        root: Node<S::Carried, R>,
    ) -> ControlFlow<End, Vec<Part<S::Carried, R>>> {
        let mut parts = vec![(root, Vec::new())];
        while !parts.is_empty() && parts.len() < PARTS {
            let mut next = Vec::new();
            for (node, path) in parts {
                let moves = self.enter(&node)?;
                for m in ORDER.into_iter().filter(|m| moves >> m.0 & 1 == 1) {
                    let Some(child) = self.child(&node, &self.look(&node, 0, m.index())) else {
                        continue;
                    };
                    let path = [&path[..], &[m]].concat();
                    if child.budget == 0 {
                        self.tail.extend(path.iter().rev());
                        return Break(End::Found);
                    }
                    next.push((child, path));
                }
            }
            parts = next;
        }
        Continue(parts)
    }

    /// Finds the solution in a part.
    fn solve<R: BlankRelative>(
        &mut self,
        root: &Node<S::Carried, R>,
        path: &[Move],
    ) -> ControlFlow<End> {
        let Node { carried, ring, row, budget, blank, .. } = *root;
        let end = self.below::<R, NONE>(ring, blank.into(), carried, row, budget.into());
        if end == Break(End::Found) {
            self.tail.extend(path.iter().rev());
        }
        end
    }

    /// Counts a node that is expanded: the moves to be tried there, one bit each.
    #[inline(always)]
    fn enter<R>(&mut self, node: &Node<S::Carried, R>) -> ControlFlow<End, u8> {
        self.meter.count(Depth::from(node.budget) - 1)?;
        let moves = self.legal[usize::from(node.blank) & 31] & node.row.allowed() & 15;
        self.meter.generated += u64::from(SIZES[usize::from(moves)]);
        Continue(moves)
    }

    /// Asks for what is to be read about a move of a node.
    #[inline(always)]
    fn look<R: BlankRelative>(
        &self,
        node: &Node<S::Carried, R>,
        number: usize,
        m: usize,
    ) -> PendingMove<S::Look> {
        let label = node.ring.label(Self::place::<R>(m));
        let look = self.steps.look(&node.carried, m, node.blank.into(), label);
        PendingMove { look, node: number as u8, m: m as u8, label: label as u8 }
    }

    /// The node after a move, if there is slack for it.
    #[inline(always)]
    fn child<R: BlankRelative>(
        &self,
        node: &Node<S::Carried, R>,
        pending: &PendingMove<S::Look>,
    ) -> Option<Node<S::Carried, R>> {
        let carried = self.steps.see(&node.carried, &pending.look)?;
        let m = usize::from(pending.m);
        Some(Node {
            carried,
            ring: node.ring.slid(Self::place::<R>(m), pending.label.into()),
            row: self.followers.next(node.row, m),
            budget: node.budget - 1,
            part: node.part,
            blank: usize::from(node.blank).wrapping_add(Self::step(m)) as u8,
        })
    }
}

/// The moves of each set, those that are tried first last, and how many there are.
const LAST_FIRST: [([u8; 4], u8); 16] = {
    let mut lists = [([0; 4], 0); 16];
    let mut set = 0;
    while set < lists.len() {
        let mut place = ORDER.len();
        while place > 0 {
            place -= 1;
            let m = ORDER[place].0;
            if set >> m & 1 == 1 {
                let count = lists[set].1 as usize;
                lists[set].0[count] = m;
                lists[set].1 += 1;
            }
        }
        set += 1;
    }
    lists
};
