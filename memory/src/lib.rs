//! Memory that is returned to the system.
//!
//! The engine forbids `unsafe`; this crate contains the little that memory management needs: arenas for
//! parsers, and calls of the C library that return freed memory and keep it together.

#![deny(missing_docs)]

#[cfg(feature = "parsers")]
mod arena;

#[cfg(feature = "parsers")]
pub use arena::{Arena, Usage};

/// Lets the threads of this process share `n` heaps, at least one, and gives each large block memory of its own.
/// By itself glibc has a heap for each thread, whose freed blocks stay unused by the others, and puts large blocks
/// into the heaps once one of them was freed, where later small blocks keep their memory from the system. Call
/// it before the process starts threads, in a program whose process is its own. Does nothing in other C libraries.
pub fn limit_heaps(n: u8) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// glibc's names of the settings.
        const M_MMAP_THRESHOLD: std::ffi::c_int = -3;
        const M_ARENA_MAX: std::ffi::c_int = -8;
        /// Size from which a block is large.
        const LARGE_BYTES: std::ffi::c_int = 512 << 10;
        unsafe extern "C" {
            fn mallopt(name: std::ffi::c_int, value: std::ffi::c_int) -> std::ffi::c_int;
        }
        for (name, value) in [(M_ARENA_MAX, n.max(1).into()), (M_MMAP_THRESHOLD, LARGE_BYTES)] {
            // SAFETY: glibc has this function with this signature; it takes its own locks and moves no block.
            unsafe { mallopt(name, value) };
        }
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = n;
}

/// Returns freed memory of the process to the system if its C library keeps it for later: glibc has a
/// heap for each thread and returns none of the many small blocks of a JSON value by itself. Takes
/// milliseconds, longer if the heaps of the host have much free memory.
pub fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: glibc has this function with this signature; it takes its own locks and moves no block.
        unsafe { malloc_trim(0) };
    }
}
