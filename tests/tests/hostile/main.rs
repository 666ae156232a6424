//! Malicious trees, and systems that refuse requests.
//!
//! Defects that broke tools of this kind before are in `findings.rs`; the opener alone is tested beside
//! its code.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests start programs and make files of every kind"
)]

mod ask;
mod changing;
mod dead_mount;
mod depth;
mod full_disk;
mod ignore_files;
mod kinds;
#[cfg(target_os = "linux")]
mod letter_case;
mod limits;
mod memory;
mod names;
mod races;
mod secrets;
mod sizes;
mod strace;
mod worktrees;
