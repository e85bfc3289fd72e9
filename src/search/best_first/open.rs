//! The open list: keys in buckets, a stack for each pair of depth and estimate.
//!
//! Depths and estimates are small whole numbers, so that a queue of buckets (Dial 1969,
//! "Algorithm 360: shortest-path forest with topological ordering") pushes and pops in a few
//! instructions, and an node needs no more than the bare key and one byte: its depth and its
//! estimate follow from the bucket.

use super::runs::Run;
use crate::puzzle::{Depth, Move};
use crate::search::{Limits, StopReason};

/// Which node comes next.
///
/// Each pair of a depth and an estimate has a place of its own, a row and a column. Nodes are
/// taken from the least row, there from the least column, and there the last one first. Rows
/// are weighted sums of depth and estimate. It is a value and not a type, so that the
/// searches that differ in nothing else are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// The weight of the depth, as a power of two; `None` for no weight at all.
    depth_shift: Option<u32>,
    /// The weight of the estimate.
    estimate_factor: usize,
    /// Whether a node that was expanded is expanded again when a shorter path to it is found.
    pub(super) reopens: bool,
    /// Whether rows are lengths of solutions.
    pub(super) by_length: bool,
}

impl Order {
    /// By depth, where there are no estimates.
    pub(in crate::search) const BY_DEPTH: Order = Order::weighted(0, 1);

    /// By depth plus estimate, then by estimate: A*.
    pub(in crate::search) const BY_LENGTH: Order = Order { by_length: true, ..Order::BY_DEPTH };

    /// By estimate, then by depth: greedy search, which expands each node once.
    pub(in crate::search) const BY_ESTIMATE: Order =
        Order { depth_shift: None, estimate_factor: 1, reopens: false, by_length: false };

    /// By a weighted sum, then by estimate.
    pub(in crate::search) const fn weighted(depth_shift: u32, estimate_factor: usize) -> Order {
        Order { depth_shift: Some(depth_shift), estimate_factor, reopens: true, by_length: false }
    }

    /// The row and the column of a node.
    #[inline]
    fn place(self, depth: Depth, estimate: Depth) -> (usize, usize) {
        let (depth, estimate) = (depth as usize, estimate as usize);
        match self.depth_shift {
            Some(shift) => ((depth << shift) + self.estimate_factor * estimate, estimate),
            None => (estimate, depth),
        }
    }

    /// The depth and the estimate of the nodes at a place.
    #[inline]
    fn node(self, row: usize, column: usize) -> (Depth, Depth) {
        match self.depth_shift {
            Some(shift) => {
                let depth = (row - self.estimate_factor * column) >> shift;
                (depth as Depth, column as Depth)
            }
            None => (column as Depth, row as Depth),
        }
    }
}

/// How many bytes a stack grows by once it is large.
const CHUNK_BYTES: usize = 1 << 14;

/// How many keys a stack has room for when it gets its first one.
const FIRST_ROOM: usize = 32;

/// The nodes that are to be expanded.
#[derive(Debug)]
pub(in crate::search) struct Open<K: Copy> {
    order: Order,
    rows: Vec<Row<K>>,
    /// No row before this one has any node.
    front: usize,
    /// Chunks that a stack has emptied, for others to fill.
    spare: Vec<Vec<PackedNode<K>>>,
    bytes: u64,
}

/// The stacks of one row.
#[derive(Debug)]
struct Row<K: Copy> {
    columns: Vec<Stack<K>>,
    /// No column before this one has any node.
    front: usize,
}

/// A stack in chunks, so that a large one grows by little and without copying.
#[derive(Debug)]
struct Stack<K: Copy> {
    top: Vec<PackedNode<K>>,
    full: Vec<Vec<PackedNode<K>>>,
}

/// A node in a stack, without any byte between its parts or after.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub(in crate::search) struct PackedNode<K: Copy> {
    key: K,
    /// The last move, and in the highest bit whether it comes up again.
    mark: u8,
}

/// Nodes taken together, all of one depth and one estimate.
#[derive(Debug)]
pub struct Batch<K: Copy> {
    pub(in crate::search) depth: Depth,
    pub(in crate::search) estimate: Depth,
    items: Vec<PackedNode<K>>,
}

impl<K: Copy> Batch<K> {
    pub(in crate::search) fn new() -> Batch<K> {
        Batch { depth: 0, estimate: 0, items: Vec::new() }
    }

    /// The depth and the estimate together.
    pub(in crate::search) fn length(&self) -> Depth {
        self.depth + self.estimate
    }

    /// The nodes, in the order in which they were put on the list.
    #[inline]
    pub(in crate::search) fn nodes(&self) -> impl DoubleEndedIterator<Item = OpenNode<K>> {
        self.items.iter().map(|item| item.node(self.depth, self.estimate))
    }

    /// Keeps those of which this is so.
    #[inline]
    pub(in crate::search) fn retain<E>(
        &mut self,
        mut keep: impl FnMut(OpenNode<K>) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut kept = 0;
        for i in 0..self.items.len() {
            let item = self.items[i];
            let keep = keep(item.node(self.depth, self.estimate))?;
            // Which are kept is as good as random: it had better not be a branch.
            self.items[kept] = item;
            kept += usize::from(keep);
        }
        self.items.truncate(kept);
        Ok(())
    }

    pub(in crate::search) fn len(&self) -> usize {
        self.items.len()
    }

    pub(in crate::search) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// A node to be expanded.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct OpenNode<K> {
    pub(in crate::search) key: K,
    pub(in crate::search) depth: Depth,
    pub(in crate::search) estimate: Depth,
    /// The move that led to it; of no meaning at the start.
    pub(in crate::search) last: Move,
    /// Whether it has been expanded in part.
    pub(in crate::search) again: bool,
}

impl<K: Copy> OpenNode<K> {
    const AGAIN: u8 = 1 << 7;

    /// Where a search starts.
    pub(in crate::search) fn start(key: K, estimate: Depth) -> OpenNode<K> {
        OpenNode { key, depth: 0, estimate, last: Move(0), again: false }
    }

    /// The depth and the estimate together.
    #[inline]
    pub(in crate::search) fn length(&self) -> Depth {
        self.depth + self.estimate
    }

    #[inline]
    pub(in crate::search) fn item(self) -> PackedNode<K> {
        let again = if self.again { Self::AGAIN } else { 0 };
        PackedNode { key: self.key, mark: self.last.0 | again }
    }
}

impl<K: Copy> PackedNode<K> {
    #[inline]
    pub(in crate::search) fn key(self) -> K {
        self.key
    }

    #[inline]
    pub(super) fn node(self, depth: Depth, estimate: Depth) -> OpenNode<K> {
        let last = Move(self.mark & !OpenNode::<K>::AGAIN);
        let again = self.mark & OpenNode::<K>::AGAIN != 0;
        OpenNode { key: self.key, depth, estimate, last, again }
    }
}

impl<K: Copy> Open<K> {
    /// How many keys a chunk holds.
    const CHUNK: usize = {
        let keys = CHUNK_BYTES / size_of::<PackedNode<K>>();
        if keys > FIRST_ROOM { keys } else { FIRST_ROOM }
    };

    pub(in crate::search) fn new(order: Order) -> Open<K> {
        Open { order, rows: Vec::new(), front: 0, spare: Vec::new(), bytes: 0 }
    }

    /// Which node comes next.
    #[inline]
    pub(in crate::search) fn order(&self) -> Order {
        self.order
    }

    /// How many bytes the list takes.
    pub(in crate::search) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds a node. `held` is what the search holds besides, for the limit on memory.
    ///
    /// # Errors
    /// If there is no room for it.
    #[inline]
    pub(in crate::search) fn push(
        &mut self,
        node: OpenNode<K>,
        limits: &Limits<'_>,
        held: u64,
    ) -> Result<(), StopReason> {
        let (index, column) = self.order.place(node.depth, node.estimate);
        loop {
            if let Some(row) = self.rows.get_mut(index)
                && let Some(stack) = row.columns.get_mut(column)
                && stack.top.len() < stack.top.capacity()
            {
                stack.top.push(node.item());
                row.front = row.front.min(column);
                self.front = self.front.min(index);
                return Ok(());
            }
            self.make_room(index, column, limits, held)?;
        }
    }

    /// Adds nodes of one depth and one estimate, as [`push`](Self::push) does one after the other.
    ///
    /// # Errors
    /// If there is no room for all of them.
    #[inline]
    pub(super) fn push_all(
        &mut self,
        run: Run<'_, K>,
        limits: &Limits<'_>,
        held: u64,
    ) -> Result<(), StopReason> {
        let (index, column) = self.order.place(run.depth, run.estimate);
        let mut left = run.items;
        while !left.is_empty() {
            let room = self.room(index, column);
            if room == 0 {
                self.make_room(index, column, limits, held)?;
                continue;
            }
            let (now, later) = left.split_at(room.min(left.len()));
            let row = &mut self.rows[index];
            row.columns[column].top.extend_from_slice(now);
            row.front = row.front.min(column);
            self.front = self.front.min(index);
            left = later;
        }
        Ok(())
    }

    /// How many more keys there is room for at a place.
    #[inline]
    fn room(&self, row: usize, column: usize) -> usize {
        let stack = self.rows.get(row).and_then(|row| row.columns.get(column));
        stack.map_or(0, |stack| stack.top.capacity() - stack.top.len())
    }

    /// Takes the first nodes, `most` of them or fewer, in place of what `batch` held: none only
    /// if there is none.
    #[inline]
    pub(in crate::search) fn pop(&mut self, most: usize, batch: &mut Batch<K>) {
        batch.items.clear();
        let Some(index) = self.first_row() else { return };
        let row = &mut self.rows[index];
        (batch.depth, batch.estimate) = self.order.node(index, row.front);
        let stack = &mut row.columns[row.front];
        let left = stack.top.len().saturating_sub(most);
        batch.items.extend_from_slice(&stack.top[left..]);
        stack.top.truncate(left);
        if stack.top.is_empty()
            && let Some(below) = stack.full.pop()
        {
            self.spare.push(std::mem::replace(&mut stack.top, below));
        }
    }

    /// How many nodes of which depth and estimate there are.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (Depth, Depth, u64)> {
        self.rows.iter().enumerate().flat_map(move |(index, row)| {
            row.columns.iter().enumerate().filter(|(_, stack)| !stack.top.is_empty()).map(
                move |(column, stack)| {
                    let (depth, estimate) = self.order.node(index, column);
                    let full: usize = stack.full.iter().map(Vec::len).sum();
                    (depth, estimate, (stack.top.len() + full) as u64)
                },
            )
        })
    }

    /// The first row that has a node.
    #[inline]
    pub(in crate::search) fn first_row(&mut self) -> Option<usize> {
        loop {
            let row = self.rows.get_mut(self.front)?;
            while let Some(stack) = row.columns.get(row.front) {
                if !stack.top.is_empty() {
                    return Some(self.front);
                }
                row.front += 1;
            }
            self.front += 1;
        }
    }

    /// The least sum of depth and estimate, if it is below `bound`, of the nodes that are
    /// `live`; there may be others, on longer paths than are known.
    pub(in crate::search) fn least_length(
        &self,
        bound: Depth,
        live: impl Fn(OpenNode<K>) -> bool,
    ) -> Depth {
        let mut stacks: Vec<_> = self.stacks().filter(|&(d, h, _)| d + h < bound).collect();
        stacks.sort_unstable_by_key(|&(depth, estimate, _)| depth + estimate);
        let has_live = |&(depth, estimate, stack): &(Depth, Depth, &Stack<K>)| {
            let mut keys = stack.full.iter().chain([&stack.top]).flatten();
            keys.any(|&item| live(item.node(depth, estimate)))
        };
        stacks.iter().find(|stack| has_live(stack)).map_or(bound, |&(d, h, _)| d + h)
    }

    /// All stacks that are not empty, with the depths and estimates of their nodes.
    fn stacks(&self) -> impl Iterator<Item = (Depth, Depth, &Stack<K>)> {
        self.rows.iter().enumerate().flat_map(move |(r, row)| {
            let columns = row.columns.iter().enumerate();
            columns.filter(|(_, stack)| !stack.top.is_empty()).map(move |(c, stack)| {
                let (depth, estimate) = self.order.node(r, c);
                (depth, estimate, stack)
            })
        })
    }

    /// Makes room for one more key at a place.
    #[cold]
    fn make_room(
        &mut self,
        row: usize,
        column: usize,
        limits: &Limits<'_>,
        held: u64,
    ) -> Result<(), StopReason> {
        let budget = Budget { limits, held };
        if row >= self.rows.len() {
            let new = || Row { columns: Vec::new(), front: 0 };
            grow_with(&mut self.rows, row + 1, new, &mut self.bytes, budget)?;
        }
        let row = &mut self.rows[row];
        if column >= row.columns.len() {
            let new = || Stack { top: Vec::new(), full: Vec::new() };
            grow_with(&mut row.columns, column + 1, new, &mut self.bytes, budget)?;
        }
        let stack = &mut row.columns[column];
        if stack.top.len() < stack.top.capacity() {
            return Ok(());
        }
        if stack.top.capacity() < Self::CHUNK {
            let room = (4 * stack.top.capacity()).clamp(FIRST_ROOM, Self::CHUNK);
            return reserve(&mut stack.top, room, &mut self.bytes, budget);
        }
        let mut top = self.spare.pop().unwrap_or_default();
        if top.capacity() == 0 {
            reserve(&mut top, Self::CHUNK, &mut self.bytes, budget)?;
        }
        if stack.full.len() == stack.full.capacity() {
            let room = (2 * stack.full.len()).max(FIRST_ROOM);
            reserve(&mut stack.full, room, &mut self.bytes, budget)?;
        }
        stack.full.push(std::mem::replace(&mut stack.top, top));
        Ok(())
    }
}

/// What may be held, and what is held besides.
#[derive(Clone, Copy)]
struct Budget<'a> {
    limits: &'a Limits<'a>,
    held: u64,
}

/// Gives a vector room for so many elements, if that is allowed; `bytes` is what all vectors
/// of the list take.
fn reserve<T>(
    vector: &mut Vec<T>,
    room: usize,
    bytes: &mut u64,
    budget: Budget<'_>,
) -> Result<(), StopReason> {
    let size = |room: usize| (room * size_of::<T>()) as u64;
    // While its elements are copied, the old room is still held.
    budget.limits.check_bytes(budget.held + *bytes + size(room))?;
    *bytes -= size(vector.capacity());
    let reserved = vector.try_reserve_exact(room - vector.len());
    *bytes += size(vector.capacity());
    reserved.map_err(|_| StopReason::Memory)
}

/// Extends a vector to a length.
fn grow_with<T>(
    vector: &mut Vec<T>,
    len: usize,
    new: impl FnMut() -> T,
    bytes: &mut u64,
    budget: Budget<'_>,
) -> Result<(), StopReason> {
    if len > vector.capacity() {
        reserve(vector, len.next_power_of_two(), bytes, budget)?;
    }
    vector.resize_with(len, new);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_order_and_can_be_read_back() {
        let orders = [
            (Order::BY_LENGTH, 1, 1),
            (Order::BY_ESTIMATE, 0, 1),
            (Order::weighted(0, 2), 1, 2),
            (Order::weighted(4, 19), 16, 19),
        ];
        for (order, of_depth, of_estimate) in orders {
            let sum = |(depth, estimate): (u32, u32)| of_depth * depth + of_estimate * estimate;
            let nodes = (0..40).flat_map(|depth| (0..20).map(move |estimate| (depth, estimate)));
            let mut nodes: Vec<(u32, u32)> = nodes.collect();
            assert!(nodes.iter().all(|&(depth, estimate)| {
                let (row, column) = order.place(depth, estimate);
                order.node(row, column) == (depth, estimate)
            }));
            nodes.sort_by_key(|&(depth, estimate)| order.place(depth, estimate));
            assert!(nodes.is_sorted_by(|&a, &b| sum(a) <= sum(b)), "{order:?}");
        }
    }
}
