//! Replies in memory that may not suffice.

use std::collections::TryReserveError;

/// Collects `len` items into a list.
pub(crate) fn collect<T>(
    items: impl Iterator<Item = T>,
    len: usize,
) -> Result<Vec<T>, TryReserveError> {
    let mut list = Vec::new();
    list.try_reserve_exact(len)?;
    list.extend(items.take(len));
    Ok(list)
}

/// A writer into memory; fails if there is not enough.
#[derive(Debug)]
pub(crate) struct Writer<'b>(pub(crate) &'b mut Vec<u8>);

impl std::io::Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.try_reserve(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.write(bytes).map(|_| ())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_writer_appends() {
        let mut buffer = vec![1];
        Writer(&mut buffer).write_all(b"ab").expect("there is room");
        assert_eq!(buffer, [1, b'a', b'b']);
    }
}
