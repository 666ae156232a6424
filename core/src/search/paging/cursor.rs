//! Cursors: opaque tokens with everything a request needs to continue.
//!
//! A cursor names a position in the order of results. An offset would skip or repeat results whenever a file
//! before it appears or vanishes.
//!
//! A token refers to no state of the process. A registry of open pages would be lost with the process, and
//! would have to expire pages that no caller continues. A forged token is harmless: it only sets a position
//! and bounds of time, which its caller may choose anyway.

use crate::error::{Error, Result};
use crate::search::file::limits::FileLimits;
use crate::search::{FindRequest, Order, SearchRequest};
use crate::walk::{FileOptions, Reached};
use crate::workspace::{RelPath, is_plain_name};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fnv::FnvHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// The first byte of every token: the version of the format.
const VERSION: u8 = 1;
/// The size of a token without its path.
const FIXED_BYTES: usize = 1 + 8 + 16 + 8 + 8 + 2 * 17 + 1 + 8;
/// Far longer than any real path; longer tokens are refused unread.
const TOKEN_BYTES_MAX: usize = 1024 * 1024;

/// The position at which a stopped search or find continues.
///
/// It names a place in the order of results, so it stays valid when files appear or vanish: an unchanged file
/// is reported exactly once. In the orders by time and size a changed file moves, and may be reported twice
/// or not at all; the report then says that something changed. The request may differ from the first one only
/// in its timeout and its limits on matches, files and output in all; a `path_filter` must have the same
/// identity. Bounds on modification times are those of the first request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The identity of the request it belongs to.
    pub(in crate::search) request: u64,
    pub(in crate::search) position: Position,
    /// The sum of the stamps of all files up to and including the one at the position.
    pub(in crate::search) stamps: u64,
    /// The bounds on the modification time, as the first page resolved them; they hold for all pages. A bound
    /// such as "within the last hour" would otherwise move between pages, and files before the position would
    /// drop out of the sum.
    pub(in crate::search) times: (Option<i128>, Option<i128>),
}

/// A place in the order of results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::search) struct Position {
    /// The sort key that precedes the path; 0 in the order of paths.
    pub(in crate::search) key: i128,
    /// The file; the root is the beginning.
    pub(in crate::search) path: RelPath,
    /// The number of its matches that were reported.
    pub(in crate::search) given: u64,
    /// Whether the file is finished.
    pub(in crate::search) done: bool,
    /// Whether it was visited: then the sum includes its stamp.
    pub(in crate::search) stamped: bool,
}

impl Position {
    /// Returns the position that a run has reached.
    pub(in crate::search) fn of(reached: Reached) -> Position {
        let (path, done) = match reached {
            Reached::File(path) => (path, true),
            Reached::Before(path) => (path, false),
        };
        Position { path, done, stamped: done, ..Position::default() }
    }
}

impl fmt::Display for Cursor {
    /// Writes the token as text: URL-safe base64, to be handed back unchanged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { key, path, given, done, stamped } = &self.position;
        let mut bytes = Vec::with_capacity(FIXED_BYTES + path.as_bytes().len());
        bytes.push(VERSION);
        bytes.extend_from_slice(&self.request.to_le_bytes());
        bytes.extend_from_slice(&key.to_le_bytes());
        bytes.extend_from_slice(&given.to_le_bytes());
        bytes.extend_from_slice(&self.stamps.to_le_bytes());
        for time in [self.times.0, self.times.1] {
            bytes.push(u8::from(time.is_some()));
            bytes.extend_from_slice(&time.unwrap_or(0).to_le_bytes());
        }
        bytes.push(u8::from(*done) | (u8::from(*stamped) << 1));
        bytes.extend_from_slice(path.as_bytes());
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        f.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl FromStr for Cursor {
    type Err = Error;

    /// Reads a token as its `Display` writes it.
    ///
    /// # Errors
    ///
    /// `invalid_param` for anything else.
    fn from_str(text: &str) -> Result<Cursor> {
        Cursor::read(text).ok_or_else(|| {
            let predicate = "must be a cursor from a reply, unchanged";
            Error::invalid_param("cursor", predicate)
        })
    }
}

impl Cursor {
    fn read(text: &str) -> Option<Cursor> {
        if text.len() > TOKEN_BYTES_MAX {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (bytes, sum) = bytes.split_last_chunk::<8>()?;
        if u64::from_le_bytes(*sum) != checksum(bytes) {
            return None;
        }
        let (version, rest) = bytes.split_first()?;
        let (request, rest) = rest.split_first_chunk()?;
        let (key, rest) = rest.split_first_chunk()?;
        let (given, rest) = rest.split_first_chunk()?;
        let (stamps, rest) = rest.split_first_chunk()?;
        let (after, rest) = read_time(rest)?;
        let (before, rest) = read_time(rest)?;
        let (flags, path) = rest.split_first()?;
        // Anyone can compute the checksum, so the path is validated as one from a stranger.
        let names: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
        let is_path = path.is_empty() || names.iter().all(|name| is_plain_name(name));
        if *version != VERSION || *flags > 3 || !is_path {
            return None;
        }
        let names = names.into_iter().filter(|name| !name.is_empty());
        Some(Cursor {
            request: u64::from_le_bytes(*request),
            position: Position {
                key: i128::from_le_bytes(*key),
                path: RelPath::from_components(names),
                given: u64::from_le_bytes(*given),
                done: flags & 1 != 0,
                stamped: flags & 2 != 0,
            },
            stamps: u64::from_le_bytes(*stamps),
            times: (after, before),
        })
    }

    /// Returns the file that the request continues in and the number of its matches already reported, if an
    /// earlier page visited it.
    pub(in crate::search) fn resumed(&self) -> Option<(RelPath, u64)> {
        let Position { path, given, done, stamped, .. } = &self.position;
        (*stamped && !done).then(|| (path.clone(), *given))
    }

    /// Sets the bounds on times that hold for all pages of the request.
    pub(super) fn set_times(&self, files: &mut FileOptions) {
        let attributes = &mut files.attributes;
        (attributes.modified_after_ns, attributes.modified_before_ns) = self.times;
    }

    /// Refuses a cursor of another request, or of a request without an identity.
    pub(in crate::search) fn check(&self, request: Option<u64>) -> Result<()> {
        if request.is_none() {
            let predicate = "cannot be used: the path filter of the request has no identity";
            return Err(Error::invalid_param("cursor", predicate));
        }
        if request == Some(self.request) {
            return Ok(());
        }
        let predicate = "belongs to another request; only the timeout and the limits on \
                       matches, files and output may differ";
        Err(Error::invalid_param("cursor", predicate))
    }
}

fn read_time(bytes: &[u8]) -> Option<(Option<i128>, &[u8])> {
    let (is_there, rest) = bytes.split_first()?;
    let (time, rest) = rest.split_first_chunk()?;
    Some(((*is_there == 1).then(|| i128::from_le_bytes(*time)), rest))
}

/// Returns a checksum that distinguishes a damaged token from one of another request.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// Returns the identity of a search, equal on all its pages; `None` if a filter of the host has no identity.
/// Cursors of such a filter could not be distinguished from those of another one, and a page would continue
/// in another set of files.
pub(in crate::search) fn identity_of_search(
    request: &SearchRequest,
    paths: &[RelPath],
) -> Option<u64> {
    let mut hasher = FnvHasher::default();
    let SearchRequest { pattern, exclude, mode, encoding, encodings, limits, .. } = request;
    (b"search", pattern, paths, exclude, mode, encoding, encodings).hash(&mut hasher);
    request.search_context.hash(&mut hasher);
    if let Some(kinds) = &request.uses {
        kinds.hash(&mut hasher);
    }
    (request.context_before, request.context_after).hash(&mut hasher);
    // These two limits change which matches exist. The others only decide where a page ends, so a caller may
    // change them from page to page.
    let limits = FileLimits::of(limits);
    (limits.matches_per_file_max, limits.file_bytes_max).hash(&mut hasher);
    hash_files(&request.files, request.order, &mut hasher)?;
    Some(hasher.finish())
}

/// Returns the identity of a find, equal on all its pages; `None` as for a search.
pub(in crate::search) fn identity_of_find(request: &FindRequest, paths: &[RelPath]) -> Option<u64> {
    let mut hasher = FnvHasher::default();
    (b"find", paths).hash(&mut hasher);
    hash_files(&request.files, request.order, &mut hasher)?;
    Some(hasher.finish())
}

fn hash_files(files: &FileOptions, order: Order, hasher: &mut FnvHasher) -> Option<()> {
    let attributes = &files.attributes;
    // The bounds themselves are those of the first page, in the cursor.
    let times = (attributes.modified_after_ns.is_some(), attributes.modified_before_ns.is_some());
    (order, &files.globs, &files.name_glob, &files.glob_bases, &files.names).hash(hasher);
    (attributes.types, &attributes.sizes, times, files.depth_max).hash(hasher);
    (files.hidden, files.no_ignore, files.unignore_named, files.follow).hash(hasher);
    (files.worktrees, files.unicode_form).hash(hasher);
    let filter = match &files.path_filter {
        Some(filter) => Some(filter.identity()?),
        None => None,
    };
    filter.hash(hasher);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cursor(path: &str) -> Cursor {
        let names = path.split('/').filter(|name| !name.is_empty()).map(str::as_bytes);
        let path = RelPath::from_components(names);
        let position = Position { key: -5, path, given: 7, done: true, stamped: true };
        Cursor { request: 1, position, stamps: u64::MAX, times: (Some(-1), None) }
    }

    #[test]
    fn a_token_encodes_its_cursor() {
        // A path of 3,000 directories is valid too.
        for path in ["", "a", "a/ü b/c", &"a/long/name/".repeat(3_000)] {
            let cursor = cursor(path);
            assert_eq!(Cursor::from_str(&cursor.to_string()).expect("a token"), cursor);
        }
        for (done, stamped) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut cursor = cursor("a");
            (cursor.position.done, cursor.position.stamped) = (done, stamped);
            assert_eq!(Cursor::from_str(&cursor.to_string()).expect("a token"), cursor);
        }
        let longest = TOKEN_BYTES_MAX / 4 * 3 - FIXED_BYTES;
        for (bytes, expected) in [(longest, true), (longest + 1, false), (2 * longest, false)] {
            let text = cursor(&"a".repeat(bytes)).to_string();
            assert_eq!(Cursor::from_str(&text).is_ok(), expected, "{bytes}");
        }
    }

    #[test]
    fn a_token_with_a_valid_checksum_is_still_validated() {
        let bytes = URL_SAFE_NO_PAD.decode(cursor("a/b").to_string()).expect("base64");
        let (right, _) = bytes.split_last_chunk::<8>().expect("a sum");
        let path_at = right.len() - b"a/b".len();
        type Change<'a> = &'a dyn Fn(&mut Vec<u8>);
        let with = |change: Change<'_>| {
            let mut bytes = right.to_vec();
            change(&mut bytes);
            let sum = checksum(&bytes);
            bytes.extend_from_slice(&sum.to_le_bytes());
            Cursor::from_str(&URL_SAFE_NO_PAD.encode(bytes)).is_ok()
        };
        assert!(with(&|_| {}));
        assert!(with(&|bytes| bytes.truncate(path_at)), "the beginning is a place too");
        let wrong: [(&str, Change<'_>); 7] = [
            ("another version", &|bytes| bytes[0] = VERSION + 1),
            ("unknown flags", &|bytes| bytes[path_at - 1] = 4),
            ("a path that leaves", &|bytes| bytes.splice(path_at.., *b"..").for_each(drop)),
            ("an absolute path", &|bytes| bytes[path_at] = b'/'),
            ("a path with NUL", &|bytes| bytes[path_at] = 0),
            ("no flags", &|bytes| bytes.truncate(path_at - 1)),
            ("nothing", &|bytes| bytes.clear()),
        ];
        for (what, change) in wrong {
            assert!(!with(change), "{what}");
        }
    }

    #[test]
    fn an_unfinished_file_is_continued() {
        for (stamped, done, expected) in
            [(true, false, true), (true, true, false), (false, false, false), (false, true, false)]
        {
            let mut cursor = cursor("a/b");
            (cursor.position.stamped, cursor.position.done) = (stamped, done);
            let resumed = cursor.resumed();
            assert_eq!(resumed.is_some(), expected, "{stamped} {done}");
            assert!(resumed.is_none_or(|of| of == (cursor.position.path, 7)));
        }
    }

    #[test]
    fn invalid_tokens_are_refused_by_name() {
        let text = cursor("a/b").to_string();
        let mut flipped = text.clone().into_bytes();
        flipped[20] = if flipped[20] == b'A' { b'B' } else { b'A' };
        let flipped = String::from_utf8(flipped).expect("text");
        for wrong in ["", "x", &text[1..], &text[..text.len() - 1], &flipped, &format!("{text}A")] {
            let error = Cursor::from_str(wrong).expect_err(wrong);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some("cursor")));
        }
        let check = |request| cursor("a").check(request);
        assert!(check(Some(2)).is_err() && check(None).is_err() && check(Some(1)).is_ok());
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(text in "\\PC{0,80}", bytes in proptest::collection::vec(any::<u8>(), 0..90)) {
            let _ = Cursor::from_str(&text);
            let mut bytes = bytes;
            let sum = checksum(&bytes);
            bytes.extend_from_slice(&sum.to_le_bytes());
            let _ = Cursor::from_str(&URL_SAFE_NO_PAD.encode(bytes));
        }
    }
}
