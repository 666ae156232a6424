//! TOML values of the expected type.

use toml::{Table, Value};

/// The maximum number of strings of a list.
const TEXTS_MAX: usize = 5_000;

/// Returns the table of that name; `None` if it has another type.
pub(super) fn table<'t>(holder: &'t Table, name: &str) -> Option<&'t Table> {
    holder.get(name)?.as_table()
}

/// Yields the strings of a list; none if it has another type.
pub(super) fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).take(TEXTS_MAX)
}
