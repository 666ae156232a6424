//! Arguments with a choice of values that several tools share: kinds of entries, case, order.

use crate::arguments::values;
use jiff::Timestamp;
use schemars::JsonSchema;
use searchscope::{Case, FileAttributes, FileTypes, Order, Result};
use serde::Deserialize;

/// A kind of entry, as in `fd --type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) enum TypeArg {
    /// Regular files.
    #[serde(rename = "f")]
    File,
    /// Directories.
    #[serde(rename = "d")]
    Directory,
    /// Symlinks.
    #[serde(rename = "l")]
    Symlink,
    /// Executable: of the chosen files, those with an execute bit.
    #[serde(rename = "x")]
    Executable,
    /// Empty: of the chosen entries only empty files and directories.
    #[serde(rename = "e")]
    Empty,
}

/// Case of letters.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CaseArg {
    /// Like insensitive, unless the text has an upper-case letter.
    Smart,
    /// Letters match in both cases.
    Insensitive,
    /// Letters match as written.
    #[default]
    Sensitive,
}

/// Order of files.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OrderArg {
    /// By the bytes of the path, ascending.
    #[default]
    Path,
    /// By modification time, newest first, then by path.
    Mtime,
    /// By size, largest first, then by path.
    Size,
}

impl From<CaseArg> for Case {
    fn from(case: CaseArg) -> Case {
        match case {
            CaseArg::Smart => Case::Smart,
            CaseArg::Insensitive => Case::Insensitive,
            CaseArg::Sensitive => Case::Sensitive,
        }
    }
}

impl From<OrderArg> for Order {
    fn from(order: OrderArg) -> Order {
        match order {
            OrderArg::Path => Order::Path,
            OrderArg::Mtime => Order::Mtime,
            OrderArg::Size => Order::Size,
        }
    }
}

/// Converts `types`: `f`, `d` and `l` choose kinds, `x` and `e` narrow; as in fd, `x` chooses
/// files, and `e` alone files and directories.
pub(crate) fn file_types(types: &[TypeArg]) -> FileTypes {
    let has = |wanted| types.contains(&wanted);
    let empty_only = has(TypeArg::Empty);
    let (mut files, mut directories) =
        (has(TypeArg::File) || has(TypeArg::Executable), has(TypeArg::Directory));
    let symlinks = has(TypeArg::Symlink);
    if types.is_empty() {
        files = true;
    } else if empty_only && !files && !directories {
        (files, directories) = (true, true);
    }
    FileTypes {
        files,
        directories,
        symlinks,
        executable_only: has(TypeArg::Executable),
        empty_only,
    }
}

/// Parses the bounds that callers write as text.
pub(crate) fn attributes(
    types: &[TypeArg],
    size: &[String],
    changed_within: Option<&str>,
    changed_before: Option<&str>,
    now: Timestamp,
) -> Result<FileAttributes> {
    let instant = |param, text: Option<&str>| {
        text.map(|text| values::instant_ns(param, text, now)).transpose()
    };
    Ok(FileAttributes {
        types: file_types(types),
        sizes: values::size_bounds("size", size)?,
        modified_after_ns: instant("changed_within", changed_within)?,
        modified_before_ns: instant("changed_before", changed_before)?,
    })
}
