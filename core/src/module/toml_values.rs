//! Values of a TOML file that are used where they have the expected type.

use toml::{Table, Value};

/// More texts of a list are left out.
const TEXTS_MAX: usize = 5_000;

/// The table of that name; none where it is something else.
pub(super) fn table<'t>(holder: &'t Table, name: &str) -> Option<&'t Table> {
    holder.get(name)?.as_table()
}

/// The texts of a list; none where it is something else.
pub(super) fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).take(TEXTS_MAX)
}
