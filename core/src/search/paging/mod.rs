//! Pages: the files of a request in its order, the place where a page begins, and the limit that ends it.

pub(super) mod cursor;
pub(super) mod files;
pub(super) mod page;
#[cfg(test)]
mod tests;

pub use cursor::Cursor;
