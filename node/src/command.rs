//! The command `searchscope`, which the program `cli/launcher` runs inside the addon.

use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The status of a panic, as that of a Rust program.
const PANICKED: i32 = 101;
/// The launcher is of another version.
const OTHER_VERSION: i32 = -1;

/// Runs the command, and returns its exit status, or -1 for a launcher of another version.
///
/// `text` has the version of the launcher and the arguments, each followed by a NUL.
///
/// # Safety
///
/// `text` must be valid for reads of `len` bytes. The arguments must be encoded as by
/// `OsStr::as_encoded_bytes` in a program that the same compiler built.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn searchscope_command(text: *const u8, len: usize) -> i32 {
    // SAFETY: the caller promises it.
    let text = unsafe { std::slice::from_raw_parts(text, len) };
    let mut fields = text.strip_suffix(&[0]).unwrap_or(text).split(|&byte| byte == 0);
    if fields.next() != Some(env!("CARGO_PKG_VERSION").as_bytes()) {
        return OTHER_VERSION;
    }
    let args = fields.map(|field| {
        // SAFETY: the caller promises it.
        unsafe { OsString::from_encoded_bytes_unchecked(field.to_vec()) }
    });
    let args = args.collect();
    let run = AssertUnwindSafe(|| searchscope_cli::run_command(args));
    let status = catch_unwind(run).map_or(PANICKED, i32::from);
    // The launcher has a standard output of its own and cannot flush this one.
    #[expect(clippy::disallowed_methods, reason = "the command prints")]
    let _ = std::io::stdout().flush();
    status
}
