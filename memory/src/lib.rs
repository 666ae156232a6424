//! Memory that is returned to the system.
//!
//! The engine forbids `unsafe`; this crate contains the little that memory management needs: arenas for
//! parsers, and calls of the C library that return freed memory and keep it together.

#![deny(missing_docs)]

#[cfg(feature = "parsers")]
mod arena;

#[cfg(feature = "parsers")]
pub use arena::{Arena, Usage};

/// Lets the threads of this process share `n` heaps, at least one, where its C library would give each of them
/// one of its own: freed blocks are then used again, wherever they were allocated. For programs whose process
/// is theirs, before they start threads; only glibc has such heaps.
pub fn limit_heaps(n: u8) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// glibc's name of the setting.
        const M_ARENA_MAX: std::ffi::c_int = -8;
        unsafe extern "C" {
            fn mallopt(name: std::ffi::c_int, value: std::ffi::c_int) -> std::ffi::c_int;
        }
        // SAFETY: glibc has this function with this signature; it takes its own locks and moves no block.
        unsafe { mallopt(M_ARENA_MAX, n.max(1).into()) };
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
