//! File systems that may never respond, such as those of a server that is gone.
//!
//! A system call on such a file system cannot be interrupted. The kernel's list of mounts names them without
//! touching one (`list`). If a workspace reaches one, its calls run on separate threads (`abandon`), and
//! their callers return soon after the deadline (`watch`).

mod abandon;
#[cfg(target_os = "linux")]
mod list;
mod watch;

pub(crate) use watch::MountWatch;
