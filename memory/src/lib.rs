//! Memory that is returned to the system.
//!
//! The engine forbids `unsafe`; this crate has the little of it that memory needs: arenas for parsers,
//! and a call of the C library that returns what was freed.

#![deny(missing_docs)]

#[cfg(feature = "parsers")]
mod arena;

#[cfg(feature = "parsers")]
pub use arena::{Arena, Usage};

/// Returns freed memory of the process to the system, where its C library keeps it for later: glibc
/// does so in a heap for each thread, and of the many small blocks of a JSON value it returns nothing by
/// itself. Takes milliseconds, and longer where the heaps of the host have much free memory.
pub fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: glibc has this function, of this type; it takes its own locks and moves no block.
        unsafe { malloc_trim(0) };
    }
}
