//! Children that wait for a place in the next layer.

use crate::heuristic::scorer::Child;

/// Children by rank, and those of the same rank in the order of their parents. They are stored in
/// blocks, which are free for other ranks as soon as their children are taken: the ranks in use
/// change from layer to layer.
#[derive(Default)]
pub(super) struct Queues {
    queues: Vec<Queue>,
    #[expect(clippy::vec_box, reason = "growing copies no block, and holds none twice")]
    blocks: Vec<Box<Block>>,
    free: Vec<u32>,
}

/// The blocks of one rank. Where there is none, there are no children.
#[derive(Clone, Copy)]
struct Queue {
    first: u32,
    last: u32,
    /// How many children of the first block were taken, and how many the last one has.
    taken: u32,
    filled: u32,
}

struct Block {
    children: [Child; Block::CHILDREN],
    next: u32,
}

impl Block {
    const CHILDREN: usize = 62;

    /// Stands for no block.
    const NONE: u32 = u32::MAX;
}

impl Queue {
    const EMPTY: Queue = Queue { first: Block::NONE, last: Block::NONE, taken: 0, filled: 0 };
}

impl Queues {
    /// How many ranks there are queues for.
    pub(super) fn ranks(&self) -> usize {
        self.queues.len()
    }

    pub(super) fn clear(&mut self) {
        self.queues.fill(Queue::EMPTY);
        self.free.clear();
        self.free.extend(0..self.blocks.len() as u32);
    }

    #[inline]
    pub(super) fn push(&mut self, rank: usize, child: Child) {
        if rank >= self.queues.len() {
            self.queues.resize(rank + 1, Queue::EMPTY);
        }
        let Queue { last, filled, .. } = self.queues[rank];
        if last == Block::NONE || filled as usize == Block::CHILDREN {
            self.push_to_more(rank, child);
        } else {
            self.blocks[last as usize].children[filled as usize] = child;
            self.queues[rank].filled += 1;
        }
    }

    #[cold]
    fn push_to_more(&mut self, rank: usize, child: Child) {
        let block = self.free.pop().unwrap_or_else(|| {
            let children = [child; Block::CHILDREN];
            self.blocks.push(Box::new(Block { children, next: Block::NONE }));
            self.blocks.len() as u32 - 1
        });
        let Block { children, next } = &mut *self.blocks[block as usize];
        (children[0], *next) = (child, Block::NONE);
        let queue = &mut self.queues[rank];
        match queue.last {
            Block::NONE => (queue.first, queue.taken) = (block, 0),
            last => self.blocks[last as usize].next = block,
        }
        (queue.last, queue.filled) = (block, 1);
    }

    #[inline]
    pub(super) fn pop(&mut self, rank: usize) -> Option<Child> {
        let queue = &mut self.queues[rank];
        if queue.first == Block::NONE {
            return None;
        }
        let Block { children, next } = &*self.blocks[queue.first as usize];
        let child = children[queue.taken as usize];
        queue.taken += 1;
        let of_block =
            if queue.first == queue.last { queue.filled as usize } else { Block::CHILDREN };
        if queue.taken as usize == of_block {
            self.free.push(queue.first);
            *queue = if queue.first == queue.last {
                Queue::EMPTY
            } else {
                Queue { first: *next, taken: 0, ..*queue }
            };
        }
        Some(child)
    }

    /// Drops all children of a rank.
    pub(super) fn drop_rank(&mut self, rank: usize) {
        let mut block = self.queues[rank].first;
        while block != Block::NONE {
            self.free.push(block);
            block = self.blocks[block as usize].next;
        }
        self.queues[rank] = Queue::EMPTY;
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.len() * size_of::<Block>() + self.queues.len() * size_of::<Queue>()
    }
}
