//! Fetching memory before it is needed. Its scalar twin does nothing: a program without it is
//! slower and otherwise the same.

/// Asks for the memory at `place` to be brought near. Nothing waits for it: if several places
/// are asked for before the first is read, their cache misses overlap.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(permutile_scalar)))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = std::ptr::from_ref(place).cast::<i8>();
        // SAFETY: every x86-64 processor has this instruction (SSE); it changes no value and
        // cannot fault, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(permutile_scalar))))]
    let _ = place;
}
