//! Replies as plain text, for agents and people: the same content as the JSON in a fraction of the size.

mod frame;

pub(super) use frame::{Mark, Row, common_indent, heading, quoted};
