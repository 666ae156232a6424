//! Tests of the command as a user runs it.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests make files and start programs"
)]

mod call;
mod changed;
mod command;
mod habits;
mod hostile;
mod peers;
mod support;
#[cfg(unix)]
mod terminal;
