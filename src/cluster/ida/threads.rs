//! The threads of one rank that search packets.

use crate::cluster::post::Post;
use crate::puzzle::Depth;
use crate::search::ida::PassResult;
use crate::search::packets::Packets;
use crate::search::poller::Poll;
use crate::search::{Limits, StopReason};
use crate::sync::lock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Who has packets for threads.
pub(super) trait Work: Send {
    /// A packet, and the bound under which it is to be searched.
    fn begin(&mut self) -> Option<(usize, Depth)>;

    /// What came of it, after some time.
    fn finish(&mut self, packet: usize, bound: Depth, result: PassResult, took: Duration);

    /// Whether this rank has something to do now besides searching.
    fn has_news(&self) -> bool;

    /// Whether a packet that is being searched is still of interest.
    fn is_wanted(&self, packet: usize, bound: Depth) -> bool;
}

/// What the threads of a rank share.
pub(super) struct Threads<'a, W> {
    packets: &'a Packets<'a>,
    post: &'a Post,
    work: Mutex<W>,
    changed: Condvar,
    /// How often it has changed what is of interest, for threads that are searching. It changes
    /// with the work, under its lock.
    changes: AtomicU64,
    /// The nodes expanded under the current bound.
    expanded: AtomicU64,
    over: AtomicBool,
    /// How many nodes are expanded before a thread looks around.
    stride: u64,
}

impl<'a, W: Work> Threads<'a, W> {
    /// For a job of so many threads.
    pub(super) fn new(
        packets: &'a Packets<'a>,
        post: &'a Post,
        work: W,
        limits: &Limits<'_>,
        all_threads: usize,
    ) -> Threads<'a, W> {
        // Near a limit on nodes, all of them together should not go far beyond it.
        const LOOKS: u64 = 8;
        let least = limits.stride(0);
        let share = limits.nodes.map_or(least, |nodes| nodes / (LOOKS * all_threads as u64));
        Threads {
            packets,
            post,
            work: Mutex::new(work),
            changed: Condvar::new(),
            changes: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            over: AtomicBool::new(false),
            stride: share.clamp(1, least.max(1)),
        }
    }

    /// What there is to do.
    pub(super) fn work(&self) -> MutexGuard<'_, W> {
        lock(&self.work)
    }

    /// To be called when there are more packets, or fewer are of interest.
    pub(super) fn changed(&self) {
        let _work = self.work();
        self.changes.fetch_add(1, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The nodes expanded under the current bound.
    pub(super) fn expanded(&self) -> u64 {
        self.expanded.load(Ordering::Relaxed)
    }

    /// Counts from the beginning: another bound is tried.
    pub(super) fn count_anew(&self) {
        self.expanded.store(0, Ordering::Relaxed);
    }

    /// Has all threads end soon.
    pub(super) fn end(&self) {
        let _work = self.work();
        self.over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Searches packets until the end.
    pub(super) fn search(&self) {
        while let Some(((packet, bound), changes)) = self.next() {
            let mut poll = PacketPoll { threads: self, packet, bound, changes, counted: 0 };
            let began = Instant::now();
            let result = self.packets.search(packet, bound, &mut poll);
            poll.count(result.expanded);
            let has_solution = matches!(result.end, Ok(Some(_)));
            if let Err(stop) = result.end
                && stop != StopReason::Cancelled
            {
                // Nobody would search what is left of it. A panic ends the job.
                panic!("a packet could not be searched: {stop:?}");
            }
            let mut work = self.work();
            work.finish(packet, bound, result, began.elapsed());
            if has_solution {
                self.changes.fetch_add(1, Ordering::Relaxed);
            }
            self.tell_news(&work);
        }
    }

    fn tell_news(&self, work: &W) {
        if work.has_news() {
            self.post.nudge();
        }
    }

    /// The next packet, for which it waits, and the changes before it; `None` at the end.
    fn next(&self) -> Option<((usize, Depth), u64)> {
        let mut work = self.work();
        loop {
            if self.over.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(packet) = work.begin() {
                self.tell_news(&work);
                return Some((packet, self.changes.load(Ordering::Relaxed)));
            }
            let _waiting = self.post.wait_for_message();
            work = self.changed.wait(work).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends the threads, whatever happens: the scope that they belong to waits for them.
pub(super) struct EndOnDrop<'a, 'b, W: Work>(pub(super) &'a Threads<'b, W>);

impl<W: Work> Drop for EndOnDrop<'_, '_, W> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Looks around while a packet is searched.
struct PacketPoll<'a, 'b, W> {
    threads: &'a Threads<'b, W>,
    packet: usize,
    bound: Depth,
    /// The changes that it knows of.
    changes: u64,
    counted: u64,
}

impl<W> PacketPoll<'_, '_, W> {
    fn count(&mut self, expanded: u64) {
        self.threads.expanded.fetch_add(expanded - self.counted, Ordering::Relaxed);
        self.counted = expanded;
    }
}

impl<W: Work> PacketPoll<'_, '_, W> {
    /// Whether the packet is still of interest.
    fn is_wanted(&mut self) -> bool {
        let changes = self.threads.changes.load(Ordering::Relaxed);
        std::mem::replace(&mut self.changes, changes) == changes
            || self.threads.work().is_wanted(self.packet, self.bound)
    }
}

impl<W: Work> Poll for PacketPoll<'_, '_, W> {
    fn poll(&mut self, _: Depth, expanded: u64) -> Result<u64, StopReason> {
        // What was granted is expanded by now.
        self.count(expanded);
        if self.threads.over.load(Ordering::Relaxed) || !self.is_wanted() {
            return Err(StopReason::Cancelled);
        }
        Ok(self.threads.stride)
    }
}
