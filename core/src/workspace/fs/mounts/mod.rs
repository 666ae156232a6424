//! File systems that may never answer, such as those of a server that is gone.
//!
//! A system call on such a file system cannot be interrupted. The kernel's list of mounts names them
//! without touching one (`list`); where a workspace reaches one, its calls run on threads of their own
//! (`abandon`), and their callers leave soon after the deadline (`watch`).

mod abandon;
#[cfg(target_os = "linux")]
mod list;
mod watch;

pub(crate) use watch::MountWatch;
