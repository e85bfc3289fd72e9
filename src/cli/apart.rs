//! Memory that threads do not take away from each other.

/// Something in cache lines of its own, because it is written to all the time. Processors fetch
/// lines in pairs, so that these are 128 bytes.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);
