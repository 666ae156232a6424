//! Attributes of a file other than its name: type, size and time.

use crate::workspace::fs::{Kind, Meta};

/// A bound on a file's size, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a number has no other bounds")]
pub enum SizeBound {
    /// At least this size.
    AtLeast(u64),
    /// At most this size.
    AtMost(u64),
    /// Exactly this size.
    Exactly(u64),
}

/// The kinds of entries that a request covers, as `fd --type`. The default is every regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "five switches, as callers write them")]
pub struct FileTypes {
    /// Regular files.
    pub files: bool,
    /// Directories; a search has no content of theirs to read.
    pub directories: bool,
    /// Symlinks that are not followed; a search does not read them.
    pub symlinks: bool,
    /// Limits the kinds above to entries with an execute bit; a symlink never counts as executable.
    pub executable_only: bool,
    /// Limits the kinds above to empty entries.
    pub empty_only: bool,
}

/// Bounds on the attributes of files. The default admits every regular file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers write the fields that differ from a default"
)]
pub struct FileAttributes {
    /// The kinds of entries.
    pub types: FileTypes,
    /// Bounds on the size; all apply, and only regular files have a size. Default: empty.
    pub sizes: Vec<SizeBound>,
    /// Modified later than this, in nanoseconds since 1970. Default: any time.
    pub modified_after_ns: Option<i128>,
    /// Modified earlier than this, in nanoseconds since 1970. Default: any time.
    pub modified_before_ns: Option<i128>,
}

impl Default for FileTypes {
    fn default() -> FileTypes {
        FileTypes {
            files: true,
            directories: false,
            symlinks: false,
            executable_only: false,
            empty_only: false,
        }
    }
}

impl FileTypes {
    /// Returns whether all regular files are wanted, and nothing else.
    fn is_default(self) -> bool {
        self == FileTypes::default()
    }
}

impl SizeBound {
    /// Returns whether a file of `size` bytes is within the bound.
    pub(crate) fn admits(self, size: u64) -> bool {
        match self {
            SizeBound::AtLeast(bound) => size >= bound,
            SizeBound::AtMost(bound) => size <= bound,
            SizeBound::Exactly(bound) => size == bound,
        }
    }
}

impl FileAttributes {
    /// Returns whether every regular file passes, which saves looking at each.
    pub(crate) fn passes_all(&self) -> bool {
        self.types.is_default()
            && self.sizes.is_empty()
            && self.modified_after_ns.is_none()
            && self.modified_before_ns.is_none()
    }

    /// Returns whether `meta` is within the bounds. It does not show whether a directory is empty. A symlink counts
    /// as executable if `meta` says so; on disk all are.
    pub(crate) fn admit(&self, meta: &Meta) -> bool {
        let is_file = meta.kind == Kind::File;
        let of_kind = match meta.kind {
            Kind::File => self.types.files,
            Kind::Dir => self.types.directories,
            Kind::Symlink => self.types.symlinks,
            Kind::Special => false,
        };
        let is_empty = || meta.kind == Kind::Dir || (is_file && meta.size == 0);
        of_kind
            && (!self.types.executable_only || meta.executable)
            && (!self.types.empty_only || is_empty())
            && (self.sizes.is_empty()
                || (is_file && self.sizes.iter().all(|bound| bound.admits(meta.size))))
            && self.modified_after_ns.is_none_or(|after| meta.mtime_ns > after)
            && self.modified_before_ns.is_none_or(|before| meta.mtime_ns < before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(kind: Kind, size: u64, mtime_ns: i128, executable: bool) -> Meta {
        Meta {
            kind,
            size,
            mtime_ns,
            ctime_ns: mtime_ns,
            id: (1, 1),
            executable,
            owner_executable: executable,
            has_links: false,
        }
    }

    #[test]
    fn bounds_are_inclusive_for_sizes_and_exclusive_for_times() {
        let file = meta(Kind::File, 10, 100, false);
        for (sizes, after, before, expected) in [
            (vec![], None, None, true),
            (vec![SizeBound::AtLeast(10)], None, None, true),
            (vec![SizeBound::AtLeast(11)], None, None, false),
            (vec![SizeBound::AtMost(10)], None, None, true),
            (vec![SizeBound::AtMost(9)], None, None, false),
            (vec![SizeBound::Exactly(10)], None, None, true),
            (vec![SizeBound::AtLeast(5), SizeBound::AtMost(9)], None, None, false),
            (vec![], Some(99), Some(101), true),
            (vec![], Some(100), None, false),
            (vec![], None, Some(100), false),
        ] {
            let attributes = FileAttributes {
                sizes,
                modified_after_ns: after,
                modified_before_ns: before,
                ..FileAttributes::default()
            };
            assert_eq!(attributes.admit(&file), expected, "{attributes:?}");
        }
    }

    #[test]
    fn types_choose_kinds_and_then_narrow() {
        let file = meta(Kind::File, 1, 0, false);
        let program = meta(Kind::File, 1, 0, true);
        let empty = meta(Kind::File, 0, 0, false);
        let dir = meta(Kind::Dir, 4096, 0, true);
        let link = meta(Kind::Symlink, 3, 0, true);
        let types = FileTypes::default();
        let dirs = FileTypes { files: false, directories: true, ..types };
        for (types, expected) in [
            (types, [true, true, true, false, false]),
            (dirs, [false, false, false, true, false]),
            (FileTypes { symlinks: true, ..types }, [true, true, true, false, true]),
            (FileTypes { executable_only: true, ..types }, [false, true, false, false, false]),
            (FileTypes { empty_only: true, ..types }, [false, false, true, false, false]),
        ] {
            let attributes = FileAttributes { types, ..FileAttributes::default() };
            let admitted = [file, program, empty, dir, link].map(|meta| attributes.admit(&meta));
            assert_eq!(admitted, expected, "{types:?}");
        }
        let sized = FileAttributes {
            types: dirs,
            sizes: vec![SizeBound::AtLeast(0)],
            ..FileAttributes::default()
        };
        assert!(!sized.admit(&dir), "a directory has no size of its own");
    }
}
