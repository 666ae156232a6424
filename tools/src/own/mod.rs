//! The tools of our own: `search`, `find`, `look` and `read`.

pub(crate) mod count_all;
pub(crate) mod find;
pub(crate) mod look;
pub(crate) mod read;
pub(crate) mod search;
pub(crate) mod search_result;
pub(crate) mod summary;
pub(crate) mod why_nothing;
