//! Conversions between the content of a file and that of its blob, as git applies them before hashing.
//!
//! Filters are programs that a configuration names, and the engine starts none. The one filter that is
//! widespread, Git LFS, is computed here. A file under any other filter may count as changed although git
//! considers it unchanged, and the reply says so.

use super::attributes::{Attributes, State};
use super::failure::Failure;
use super::id::{Id, ObjectFormat};
use crate::digest::{Sha256, hex};
use encoding_rs::Encoding;

/// The option `core.autocrlf` and the format of the repository.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub format: ObjectFormat,
    pub auto_crlf: bool,
}

/// The conversion of line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnds {
    Kept,
    Text,
    /// Converted unless the file looks binary or its blob has carriage returns. Git leaves such blobs alone,
    /// because files that were committed with carriage returns would otherwise count as changed right after a
    /// checkout.
    Auto,
}

/// The ids that the blob of a file may have.
#[derive(Debug, Default)]
pub(super) struct BlobIds {
    pub ids: Vec<Id>,
    /// A conversion that the engine cannot apply, such as `filter 'x'`.
    pub unknown: Option<String>,
}

impl LineEnds {
    /// Returns the meaning of a state of `text` or `crlf`; git ignores values that it does not know.
    fn of(state: &State) -> Option<LineEnds> {
        match state {
            State::Set => Some(LineEnds::Text),
            State::Unset => Some(LineEnds::Kept),
            State::Value(value) => match value.as_str() {
                "auto" => Some(LineEnds::Auto),
                "input" => Some(LineEnds::Text),
                _ => None,
            },
        }
    }
}

impl Attributes {
    fn line_ends(&self, settings: Settings) -> LineEnds {
        let by_eol =
            |eol: &State| matches!(eol, State::Value(eol) if matches!(eol.as_str(), "lf" | "crlf"));
        let stated = self.text.as_ref().and_then(LineEnds::of);
        match stated.or_else(|| self.crlf.as_ref().and_then(LineEnds::of)) {
            Some(line_ends) => line_ends,
            None if self.eol.as_ref().is_some_and(by_eol) => LineEnds::Text,
            None if settings.auto_crlf => LineEnds::Auto,
            None => LineEnds::Kept,
        }
    }

    /// Returns whether a file with these attributes is hashed without conversion. Most files are, and need
    /// not be loaded as a whole.
    pub(super) fn keeps_contents(&self, settings: Settings) -> bool {
        let is_set = |state: &Option<State>| matches!(state, Some(State::Set | State::Value(_)));
        self.line_ends(settings) == LineEnds::Kept
            && !is_set(&self.ident)
            && !matches!(self.filter, Some(State::Value(_)))
            && !matches!(self.encoding, Some(State::Value(_)))
    }

    /// Returns the ids that git may compute for the blob of a file with these contents. `blob` returns the
    /// contents of the staged one.
    pub(super) fn blob_ids(
        &self,
        contents: &[u8],
        settings: Settings,
        blob: &dyn Fn() -> Result<Vec<u8>, Failure>,
    ) -> Result<BlobIds, Failure> {
        let mut found = BlobIds::default();
        if let Some(State::Value(filter)) = &self.filter {
            if filter == "lfs" {
                found.ids.push(settings.format.blob_id(&lfs_pointer(contents)));
            } else {
                found.unknown = Some(format!("filter '{}'", crate::nearest::shorten(filter)));
            }
        }
        // The order is git's: encoding, line ends, `ident`. Each step sees the result of the one before, so
        // another order would hash other bytes.
        let mut bytes = contents.to_vec();
        if let Some(State::Value(label)) = &self.encoding {
            match decoded(contents, label) {
                Some(text) => bytes = text,
                None => {
                    let label = crate::nearest::shorten(label);
                    found.unknown = Some(format!("working-tree-encoding '{label}'"));
                }
            }
        }
        let is_converted = match self.line_ends(settings) {
            LineEnds::Kept => false,
            LineEnds::Text => true,
            LineEnds::Auto => !is_binary(&bytes) && !has_line_ends_of_two(&blob()?),
        };
        if is_converted {
            without_carriage_returns(&mut bytes);
        }
        if self.ident == Some(State::Set) {
            bytes = without_ident(&bytes);
        }
        found.ids.push(settings.format.blob_id(&bytes));
        Ok(found)
    }
}

/// Returns the text that Git LFS stores in place of large contents.
fn lfs_pointer(contents: &[u8]) -> Vec<u8> {
    let is_pointer = contents.len() < 1024 && contents.starts_with(b"version https://git-lfs");
    if contents.is_empty() || is_pointer {
        return contents.to_vec();
    }
    let hex = hex(&Sha256::digest(contents));
    let size = contents.len();
    let version = "https://git-lfs.github.com/spec/v1";
    format!("version {version}\noid sha256:{hex}\nsize {size}\n").into_bytes()
}

fn decoded(contents: &[u8], label: &str) -> Option<Vec<u8>> {
    let label = label.strip_suffix("-BOM").unwrap_or(label);
    let (text, _, has_errors) = Encoding::for_label(label.as_bytes())?.decode(contents);
    (!has_errors).then(|| text.into_owned().into_bytes())
}

/// Returns whether git treats contents as binary when it converts line ends. The rule is that of git's
/// `convert.c`, because any other would convert other files.
fn is_binary(bytes: &[u8]) -> bool {
    let (mut printable, mut other) = (0_usize, 0_usize);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            0 => return true,
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => return true,
            b'\r' | b'\n' => {}
            8 | b'\t' | 0x1b | 0x0c => printable += 1,
            0x1a if at + 1 == bytes.len() => {}
            0..=0x1f | 0x7f => other += 1,
            _ => printable += 1,
        }
    }
    (printable >> 7) < other
}

fn has_line_ends_of_two(blob: &[u8]) -> bool {
    memchr::memmem::find(blob, b"\r\n").is_some() && !is_binary(blob)
}

fn without_carriage_returns(bytes: &mut Vec<u8>) {
    let mut kept = 0;
    for at in 0..bytes.len() {
        if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
            continue;
        }
        bytes[kept] = bytes[at];
        kept += 1;
    }
    bytes.truncate(kept);
}

/// Shortens `$Id: ... $` to `$Id$`.
fn without_ident(bytes: &[u8]) -> Vec<u8> {
    let mut output = Vec::new();
    let mut rest = bytes;
    while let Some(at) = memchr::memmem::find(rest, b"$Id:") {
        let after = &rest[at + 4..];
        let end = after.iter().position(|byte| matches!(byte, b'$' | b'\n'));
        match end.filter(|end| after[*end] == b'$') {
            Some(end) => {
                output.extend_from_slice(&rest[..at]);
                output.extend_from_slice(b"$Id$");
                rest = &after[end + 1..];
            }
            None => {
                output.extend_from_slice(&rest[..at + 4]);
                rest = after;
            }
        }
    }
    output.extend_from_slice(rest);
    output
}
