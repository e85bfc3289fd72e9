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

/// The roots of the parts, each with the number of its part, and how they were reached.
struct Parts<C, R> {
    /// As on the stack: the first is on top.
    roots: Vec<Node<C, R>>,
    /// By part, the last step to its root.
    reached: Vec<usize>,
    /// The steps near the root of the tree: each after another one, with a move.
    steps: Vec<(usize, Move)>,
}

/// Before the first step.
const NO_STEP: usize = usize::MAX;

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
        let mut stack = parts.roots.clone();
        let mut taken = Vec::with_capacity(BATCH);
        let mut pending = Vec::with_capacity(BATCH * ORDER.len());
        while !stack.is_empty() {
            let rest = stack.len().saturating_sub(BATCH);
            taken.clear();
            taken.extend_from_slice(&stack[rest..]);
            stack.truncate(rest);
            self.look_after(&taken, &mut pending)?;
            for pending in &pending {
                let Some(child) = self.child(&taken[usize::from(pending.node)], pending) else {
                    continue;
                };
                if child.budget == 0 {
                    return self.solve(&parts, child.part);
                }
                stack.push(child);
            }
        }
        Continue(())
    }

    /// Cuts the tree into parts.
    fn cut<R: BlankRelative>(
        &mut self,
        root: Node<S::Carried, R>,
    ) -> ControlFlow<End, Parts<S::Carried, R>> {
        let mut parts = Parts { roots: vec![root], reached: vec![NO_STEP], steps: Vec::new() };
        let mut pending = Vec::with_capacity(BATCH * ORDER.len());
        while !parts.roots.is_empty() && parts.roots.len() < PARTS {
            let Parts { roots, reached, mut steps } = parts;
            let most = roots.len() * (ORDER.len() - 1);
            let (mut next, mut reached_next) = (Vec::with_capacity(most), Vec::with_capacity(most));
            for taken in roots.chunks(BATCH) {
                self.look_after(taken, &mut pending)?;
                for pending in &pending {
                    let node = &taken[usize::from(pending.node)];
                    let Some(child) = self.child(node, pending) else { continue };
                    reached_next.push(steps.len());
                    steps.push((reached[usize::from(node.part)], Move(pending.m)));
                    if child.budget == 0 {
                        self.retrace(&steps, steps.len() - 1);
                        return Break(End::Found);
                    }
                    next.push(Node { part: next.len() as u16, ..child });
                }
            }
            parts = Parts { roots: next, reached: reached_next, steps };
        }
        Continue(parts)
    }

    /// Finds the solution in a part.
    fn solve<R: BlankRelative>(
        &mut self,
        parts: &Parts<S::Carried, R>,
        part: u16,
    ) -> ControlFlow<End> {
        let Node { carried, ring, row, budget, blank, .. } = parts.roots[usize::from(part)];
        let end = self.below::<R, NONE>(ring, blank.into(), carried, row, budget.into());
        if end == Break(End::Found) {
            self.retrace(&parts.steps, parts.reached[usize::from(part)]);
        }
        end
    }

    /// Notes the moves near the root of the tree up to a step, last move first.
    fn retrace(&mut self, steps: &[(usize, Move)], last: usize) {
        let mut last = last;
        while let Some(&(before, m)) = steps.get(last) {
            self.tail.push(m);
            last = before;
        }
    }

    /// Counts nodes that are expanded, and asks for what is to be read about all their moves: the
    /// first move of the last node comes last.
    #[inline(always)]
    fn look_after<R: BlankRelative>(
        &mut self,
        nodes: &[Node<S::Carried, R>],
        pending: &mut Vec<PendingMove<S::Look>>,
    ) -> ControlFlow<End> {
        pending.clear();
        for (number, node) in nodes.iter().enumerate() {
            let moves = self.enter(node)?;
            let (listed, count) = LAST_FIRST[usize::from(moves)];
            let listed = listed.iter().take(count.into());
            pending.extend(listed.map(|&m| self.look(node, number, m.into())));
        }
        Continue(())
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
