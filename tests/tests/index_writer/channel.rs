//! Sends numbers between two processes through pipes: the receiver wakes when the sender's call returns.

use std::io::{Read, Write};

pub(crate) fn send(to: &mut impl Write, number: u64) {
    to.write_all(&number.to_le_bytes()).expect("the other process is there");
}

/// Returns the next number; `None` if the other process has exited.
pub(crate) fn receive(from: &mut impl Read) -> Option<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes).ok()?;
    Some(u64::from_le_bytes(bytes))
}
