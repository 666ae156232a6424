//! Rules for the corpus on Windows: trees that cannot exist there, and the spelling of the root.

use crate::face::Outcome;
use crate::notation::expand;
use crate::tree::Entry;
use std::collections::HashSet;
use std::path::Path;

/// Returns why this system cannot have a tree of these entries; `None` if it can.
pub fn obstacle(entries: &[Entry]) -> Option<&'static str> {
    if cfg!(windows) { refusal(entries) } else { None }
}

fn refusal(entries: &[Entry]) -> Option<&'static str> {
    let mut names = HashSet::new();
    entries.iter().find_map(|entry| {
        let Some(path) = entry.file.as_ref().or(entry.dir.as_ref()) else {
            return Some("symbolic links and named pipes are made only on Unix");
        };
        let Ok(path) = String::from_utf8(expand(path, Path::new(""))) else {
            return Some("names on Windows are Unicode");
        };
        if entry.mode.is_some() {
            Some("permission bits exist only on Unix")
        } else if entry.mtime_ns.is_some_and(|ns| ns % 100 != 0) {
            Some("times on Windows have steps of 100 ns")
        } else if path.split('/').any(is_refused_name) {
            Some("Windows refuses such a name")
        } else {
            (!names.insert(path.to_lowercase())).then_some("names differ only in letter case")
        }
    })
}

fn is_refused_name(name: &str) -> bool {
    let is_special = |c: char| c.is_control() || "\\:*?\"<>|".contains(c);
    let is_parent = matches!(name, "." | "..");
    let stem = name.split('.').next().unwrap_or(name);
    let is_device = ["con", "prn", "aux", "nul"].iter().any(|one| stem.eq_ignore_ascii_case(one));
    name.contains(is_special) || (name.ends_with(['.', ' ']) && !is_parent) || is_device
}

/// Returns the root as cases write it: on Windows with `/`, which JSON does not escape, and without the prefix
/// of real paths.
pub(crate) fn written(root: &Path) -> Vec<u8> {
    if cfg!(windows) {
        plain(root).replace('\\', "/").into_bytes()
    } else {
        root.as_os_str().as_encoded_bytes().to_vec()
    }
}

/// Returns the outcome with the root as cases write it.
#[must_use]
pub fn with_written_root(outcome: Outcome, root: &Path) -> Outcome {
    if !cfg!(windows) {
        return outcome;
    }
    let plain = plain(root);
    let change = |bytes: Vec<u8>| respelled(&bytes, &plain);
    match outcome {
        Outcome::Reply(bytes) => Outcome::Reply(change(bytes)),
        Outcome::Failure { code, error } => Outcome::Failure { code, error: change(error) },
    }
}

/// Replaces the root in JSON, where `\` is escaped, and in plain text.
fn respelled(bytes: &[u8], root: &str) -> Vec<u8> {
    let written = root.replace('\\', "/");
    let text = String::from_utf8_lossy(bytes);
    text.replace(&root.replace('\\', r"\\"), &written).replace(root, &written).into_bytes()
}

fn plain(root: &Path) -> String {
    let text = root.to_string_lossy();
    text.strip_prefix(r"\\?\").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Entry {
        Entry { file: Some(path.into()), ..Entry::default() }
    }

    #[test]
    fn trees_that_windows_cannot_have_are_recognised() {
        assert_eq!(refusal(&[file("../a b/c.txt"), file("a b/d")]), None);
        for path in
            ["a:b", "x/nul.md", "end.", "end ", "*", "a\\b", "tab\t", "\u{27e8}hex:ff\u{27e9}"]
        {
            assert!(refusal(&[file(path)]).is_some(), "{path}");
        }
        assert!(refusal(&[file("a"), file("A")]).is_some());
        assert!(refusal(&[Entry { mode: Some(0o755), ..file("a") }]).is_some());
        assert!(refusal(&[Entry { mtime_ns: Some(5), ..file("a") }]).is_some());
        assert_eq!(refusal(&[Entry { mtime_ns: Some(500), ..file("a") }]), None);
        let link = Entry { symlink: Some("a".into()), to: Some("b".into()), ..Entry::default() };
        assert!(refusal(&[link]).is_some());
    }

    #[test]
    fn the_root_is_respelled_in_json_and_in_text() {
        let reply = br#"{"file":"C:\\a\\b/x","text":"in C:\a\b"}"#;
        let expected = br#"{"file":"C:/a/b/x","text":"in C:/a/b"}"#;
        assert_eq!(respelled(reply, r"C:\a\b"), expected);
    }
}
