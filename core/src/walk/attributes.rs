//! What a file is beside its name: its type, size and time.

use crate::workspace::fs::{Kind, Meta};

/// A bound on a file's size, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there are no other bounds on a number")]
pub enum SizeBound {
    /// So many or more.
    AtLeast(u64),
    /// So many or fewer.
    AtMost(u64),
    /// Exactly so many.
    Exactly(u64),
}

/// Which kinds of entries a request is about, as `fd --type`. The default is every regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "five switches, as callers write them")]
pub struct FileTypes {
    /// Regular files.
    pub files: bool,
    /// Directories; a search looks into none of them itself.
    pub directories: bool,
    /// Symlinks that are not followed; a search looks into none of them.
    pub symlinks: bool,
    /// Of the others only what somebody may execute; a symlink is not asked for its target.
    pub executable_only: bool,
    /// Of the others only what is empty.
    pub empty_only: bool,
}

/// Bounds on the attributes of files. The default admits every regular file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FileAttributes {
    /// Which kinds.
    pub types: FileTypes,
    /// Bounds on the size; all must hold, and only regular files have one. Default: none.
    pub sizes: Vec<SizeBound>,
    /// Modified later than this, in nanoseconds since 1970. Default: whenever.
    pub modified_after_ns: Option<i128>,
    /// Modified earlier than this, in nanoseconds since 1970. Default: whenever.
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
    /// Whether only regular files are wanted, and all of them.
    fn is_default(self) -> bool {
        self == FileTypes::default()
    }
}

impl SizeBound {
    /// Whether a file of `size` bytes is within the bound.
    pub(crate) fn admits(self, size: u64) -> bool {
        match self {
            SizeBound::AtLeast(bound) => size >= bound,
            SizeBound::AtMost(bound) => size <= bound,
            SizeBound::Exactly(bound) => size == bound,
        }
    }
}

impl FileAttributes {
    /// Whether every regular file passes, so that none needs to be looked at to ask.
    pub(crate) fn passes_all(&self) -> bool {
        self.types.is_default()
            && self.sizes.is_empty()
            && self.modified_after_ns.is_none()
            && self.modified_before_ns.is_none()
    }

    /// Whether what `meta` says is within the bounds. Whether a directory is empty it does not say.
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
            && (!self.types.executable_only || (meta.executable && meta.kind != Kind::Symlink))
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
