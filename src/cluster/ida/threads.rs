//! The threads of one rank that search packets.

use crate::cluster::post::Post;
use crate::puzzle::Depth;
use crate::search::ida::PassResult;
use crate::search::packets::Packets;
use crate::search::poller::Poll;
use crate::search::{Limits, StopReason};
use crate::sync::lock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Who has packets for threads.
pub(super) trait Work: Send {
    /// A packet, and the bound under which it is to be searched.
    fn begin(&mut self) -> Option<(usize, Depth)>;

    /// What came of it, after some time; whether this rank has something to do now besides
    /// searching.
    fn finish(&mut self, packet: usize, bound: Depth, result: PassResult, took: Duration) -> bool;

    /// The last packet of interest.
    fn last(&self) -> usize;
}

/// What the threads of a rank share.
pub(super) struct Threads<'a, W> {
    packets: &'a Packets<'a>,
    post: &'a Post,
    work: Mutex<W>,
    changed: Condvar,
    /// The last packet of interest, for threads that are searching another one.
    last: AtomicUsize,
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
            last: AtomicUsize::new(usize::MAX),
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
        self.last.store(self.work().last(), Ordering::Relaxed);
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
        while let Some((packet, bound)) = self.next() {
            let mut poll = PacketPoll { threads: self, packet, counted: 0 };
            let began = Instant::now();
            let result = self.packets.search(packet, bound, &mut poll);
            poll.count(result.expanded);
            let mut work = self.work();
            let has_news = work.finish(packet, bound, result, began.elapsed());
            self.last.store(work.last(), Ordering::Relaxed);
            drop(work);
            if has_news {
                self.post.nudge();
            }
        }
    }

    /// The next packet, for which it waits; `None` at the end.
    fn next(&self) -> Option<(usize, Depth)> {
        let mut work = self.work();
        loop {
            if self.over.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(packet) = work.begin() {
                return Some(packet);
            }
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
    counted: u64,
}

impl<W> PacketPoll<'_, '_, W> {
    fn count(&mut self, expanded: u64) {
        self.threads.expanded.fetch_add(expanded - self.counted, Ordering::Relaxed);
        self.counted = expanded;
    }
}

impl<W> Poll for PacketPoll<'_, '_, W> {
    fn poll(&mut self, _: Depth, expanded: u64) -> Result<u64, StopReason> {
        // What was granted is expanded by now.
        self.count(expanded);
        let Threads { last, over, stride, .. } = self.threads;
        if over.load(Ordering::Relaxed) || last.load(Ordering::Relaxed) < self.packet {
            return Err(StopReason::Cancelled);
        }
        Ok(*stride)
    }
}
