//! Files as `file://` URLs.

use crate::Workspace;
use crate::workspace::RelPath;
use percent_encoding::{AsciiSet, CONTROLS, percent_encode};

/// What no segment of a path in a URL may hold; everything that is not ASCII beside it.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Makes URLs of the files of a workspace: its real root, and the path below.
#[derive(Debug)]
pub(super) struct FileUrls {
    root: String,
}

impl FileUrls {
    pub(super) fn new(workspace: &Workspace) -> FileUrls {
        let root = workspace.root().as_os_str().as_encoded_bytes();
        let root = root.strip_suffix(b"/").unwrap_or(root);
        FileUrls { root: format!("file://{}", percent_encode(root, ENCODED)) }
    }

    /// The URL of a file; bytes that are not UTF-8 are encoded as they are.
    pub(super) fn of(&self, path: &RelPath) -> String {
        if path.is_root() && self.root != "file://" {
            return self.root.clone();
        }
        format!("{}/{}", self.root, percent_encode(path.as_bytes(), ENCODED))
    }
}
