//! Ref ids, and the URLs in them.

use crate::error::{Error, ErrorKind, Result};
use crate::workspace::{RelPath, Workspace};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use sha2::{Digest, Sha256};

/// Characters to escape in the path of a URL: all but these.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// Returns the first 12 hex digits of a text's SHA-256.
pub(super) fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the `file://` URL of a path in the workspace.
pub fn file_url(workspace: &Workspace, path: &RelPath) -> String {
    let root = workspace.root().as_os_str().as_encoded_bytes();
    let root = if cfg!(windows) { windows_path(root) } else { root.to_vec() };
    let mut bytes = root.strip_suffix(b"/").unwrap_or(&root).to_vec();
    if !path.is_root() || bytes.is_empty() {
        bytes.push(b'/');
    }
    bytes.extend_from_slice(path.as_bytes());
    format!("file://{}", percent_encode(&bytes, IN_PATH))
}

/// Returns what follows `file://` in the URL of a directory on Windows: `/C:/dir` or `host/share/dir`.
fn windows_path(native: &[u8]) -> Vec<u8> {
    let slashes = native.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte });
    let path: Vec<u8> = slashes.collect();
    path.strip_prefix(b"//").map_or_else(|| [b"/", &*path].concat(), <[u8]>::to_vec)
}

/// Returns the path of a URL as Windows has it: without the slash before a drive.
fn without_slash_before_drive(path: &[u8]) -> &[u8] {
    match path {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => &path[1..],
        _ => path,
    }
}

/// Parses a `file://` URL, or a path as in other parameters, into a workspace path. Does not access the
/// file system.
pub fn path_of(workspace: &Workspace, param: &str, text: &str) -> Result<RelPath> {
    let outside = |error: Error| error.with_param(param);
    let Some(url) = text.strip_prefix("file:") else {
        if let Some((scheme, _)) = text.split_once("://") {
            let predicate = format!("must be a file:// URL or a path, got {scheme}://");
            return Err(Error::invalid_param(param, predicate));
        }
        return workspace.resolve(text).map_err(outside);
    };
    let path = match url.strip_prefix("//") {
        Some(rest) => {
            let slash = rest.find('/').unwrap_or(rest.len());
            let host = &rest[..slash];
            if matches!(host, "" | "localhost") {
                &rest[slash..]
            } else if cfg!(windows) {
                // The root may be on a share, whose URLs begin with the server.
                url
            } else {
                let host = host.escape_debug();
                let predicate =
                    format!("names the host '{host}': only file:/// is inside the root");
                return Err(
                    Error::about_param(ErrorKind::AccessDenied, param, predicate).with_path(text)
                );
            }
        }
        None => url,
    };
    if !path.starts_with('/') {
        let predicate = format!(
            "must be an absolute URL such as file:///dir/file, got '{}'",
            text.escape_debug()
        );
        return Err(Error::invalid_param(param, predicate));
    }
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    let bytes = if cfg!(windows) { without_slash_before_drive(&bytes) } else { &bytes };
    workspace.resolve_bytes(bytes).map_err(|error| error.with_param(param).with_path(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_windows() {
        for (native, expected) in
            [(r"C:\work\a", "/C:/work/a"), (r"\\host\share\a", "host/share/a"), ("C:\\", "/C:/")]
        {
            assert_eq!(windows_path(native.as_bytes()), expected.as_bytes(), "{native}");
        }
        for (path, expected) in
            [("/C:/work/a", "C:/work/a"), ("/work", "/work"), ("/", "/"), ("/1:/a", "/1:/a")]
        {
            assert_eq!(without_slash_before_drive(path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }
}
