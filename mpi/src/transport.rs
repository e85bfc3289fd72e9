//! Messages by MPI: sends that do not wait, and probes for what has arrived. Nothing else is used:
//! operations on the memory of others fail between hosts with some builds of Open MPI, and
//! receiving by waiting would keep a core busy.

use mpi::point_to_point::{Destination, Source};
use mpi::request::{Request, StaticScope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Equivalence};
use permutile::cluster::transport::{Lost, Message, Transport};
use std::collections::VecDeque;

/// The ranks of `MPI_COMM_WORLD`.
pub struct MpiTransport {
    world: SimpleCommunicator,
    neighbours: usize,
    /// What is being sent, oldest first.
    sending: VecDeque<Sending>,
}

/// A message that is being sent.
struct Sending {
    request: Request<'static, [u8], StaticScope>,
    /// The message, which the request reads.
    bytes: *mut [u8],
}

impl MpiTransport {
    pub(crate) fn new(world: SimpleCommunicator) -> MpiTransport {
        let neighbours = world.split_shared(world.rank()).size() as usize;
        MpiTransport { world, neighbours, sending: VecDeque::new() }
    }

    /// Forgets messages that are on their way.
    fn clear_sent(&mut self) {
        while let Some(Sending { request, bytes }) = self.sending.pop_front() {
            match request.test() {
                Ok(_) => give_back(bytes),
                Err(request) => {
                    self.sending.push_front(Sending { request, bytes });
                    return;
                }
            }
        }
    }
}

/// Frees a message whose request is complete.
fn give_back(bytes: *mut [u8]) {
    // SAFETY: it is the box that was leaked when the message was sent; the only other reference to
    // it was that of the request, which is gone.
    drop(unsafe { Box::from_raw(bytes) });
}

impl Transport for MpiTransport {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn neighbours(&self) -> usize {
        self.neighbours
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        self.clear_sent();
        let bytes = Box::into_raw(message.into_boxed_slice());
        // SAFETY: it was just leaked, and is not written to until `give_back` frees it, after the
        // request is complete.
        let leaked: &'static [u8] = unsafe { &*bytes };
        let to = self.world.process_at_rank(to as i32);
        let request = to.immediate_send(StaticScope, leaked);
        self.sending.push_back(Sending { request, bytes });
    }

    fn receive(&mut self) -> Result<Option<Message>, Lost> {
        self.clear_sent();
        let Some((message, status)) = self.world.any_process().immediate_matched_probe() else {
            return Ok(None);
        };
        let mut bytes = vec![0; status.count(u8::equivalent_datatype()) as usize];
        message.matched_receive_into(&mut bytes[..]);
        Ok(Some(Message { from: status.source_rank() as usize, bytes }))
    }

    fn flush(&mut self) {
        for Sending { request, bytes } in self.sending.drain(..) {
            request.wait_without_status();
            give_back(bytes);
        }
    }
}
