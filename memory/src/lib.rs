//! Memory that is returned to the system.
//!
//! The engine forbids `unsafe`; this crate contains the little that memory management needs: arenas for
//! parsers, and a call of the C library that returns freed memory.

#![deny(missing_docs)]

#[cfg(feature = "parsers")]
mod arena;

#[cfg(feature = "parsers")]
pub use arena::{Arena, Usage};

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
