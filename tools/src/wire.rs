//! The JSON that several tools share: arguments that choose files, and reports of a search.

use super::values;
use jiff::Timestamp;
use schemars::JsonSchema;
use searchscope::{Case, FileAttributes, FileTypes, Order, Report, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of entry, as in `fd --type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) enum TypeArg {
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
pub(super) enum CaseArg {
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
pub(super) enum OrderArg {
    /// By the bytes of the path, ascending.
    #[default]
    Path,
    /// By modification time, newest first, then by path.
    Mtime,
    /// By size, largest first, then by path.
    Size,
}

/// Skipped entries, by reason; a directory counts once, whatever it contains.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct Skipped {
    /// Left out by .gitignore, .ignore or .git/info/exclude.
    ignored: u64,
    /// Left out because the name starts with a dot.
    hidden: u64,
    /// Binary files: a NUL in the first 64 KiB.
    binary: u64,
    /// Files over the maximum size.
    too_large: u64,
    /// Symlinks that were not followed, or lead outside the root, to nothing or in a circle.
    symlink: u64,
    /// Entries not opened, listed or read to the end, ignore files included.
    unreadable: u64,
    /// Names that the system cannot return unchanged.
    undecodable_name: u64,
    /// FIFOs, sockets, devices and kernel file systems.
    special: u64,
    /// Directories deeper than the maximum.
    too_deep: u64,
    /// Denied entries, such as possible credentials; never named. Absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    denied: Option<u64>,
    /// Git worktrees of a repository inside the root. Absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worktree: Option<u64>,
}

/// An entry missed, wholly or in part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Warning {
    /// Relative to the root.
    pub(super) path: String,
    /// The reason, in a few words.
    pub(super) reason: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", self.path, self.reason)
    }
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

impl From<searchscope::Skipped> for Skipped {
    fn from(skipped: searchscope::Skipped) -> Skipped {
        Skipped {
            ignored: skipped.ignored,
            hidden: skipped.hidden,
            binary: skipped.binary,
            too_large: skipped.too_large,
            symlink: skipped.symlink,
            unreadable: skipped.unreadable,
            undecodable_name: skipped.undecodable_name,
            special: skipped.special,
            too_deep: skipped.too_deep,
            denied: Some(skipped.denied).filter(|&n| n > 0),
            worktree: Some(skipped.worktree).filter(|&n| n > 0),
        }
    }
}

/// Returns the warnings of an incomplete report, for contracts without another way to say so.
pub(super) fn warnings_of_a_lack(report: &Report) -> Vec<Warning> {
    let skipped = &report.skipped;
    let is_whole = skipped.unreadable == 0 && skipped.too_deep == 0 && report.given_up == 0;
    let mut shown = if is_whole { Vec::new() } else { warnings(report) };
    shown.extend(
        all_ignored(report).map(|reason| Warning { path: ".".to_owned(), reason: reason.into() }),
    );
    shown
}

/// Returns a sentence for an empty reply where ignore files leave out everything: its caller would
/// conclude that the directory is empty.
pub(super) fn all_ignored(report: &Report) -> Option<&'static str> {
    let is_empty = report.searched_files == 0 && report.filtered_files == 0 && report.total == 0;
    let skipped = &report.skipped;
    let is_all = skipped.ignored > 0 && skipped.binary == 0 && skipped.too_large == 0;
    (is_empty && is_all).then_some(
        "ignore files leave out everything here; name a directory below it as the path, or call \
         'search' or 'find' with 'no_ignore'",
    )
}

/// Returns the warnings of a report.
pub(super) fn warnings(report: &Report) -> Vec<Warning> {
    let shown = |warning: &searchscope::Warning| Warning {
        path: warning.path.clone(),
        reason: warning.reason.clone(),
    };
    report.warnings.iter().map(shown).collect()
}

/// Converts `types`: `f`, `d` and `l` choose kinds, `x` and `e` narrow; as in fd, `x` chooses
/// files, and `e` alone files and directories.
pub(super) fn file_types(types: &[TypeArg]) -> FileTypes {
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
pub(super) fn attributes(
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
