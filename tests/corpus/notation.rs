//! `⟨…⟩`, the notation of the case files for bytes and repetitions that plain text cannot express well.
//!
//! | written | means |
//! | --- | --- |
//! | `⟨root⟩` | the absolute path of the tree |
//! | `⟨hex:00 ff⟩` | these bytes |
//! | `⟨ab*3⟩` | `ababab` |

use crate::windows::written;
use std::path::Path;

/// Replaces every `⟨…⟩` in `text`.
///
/// # Panics
/// On any other notation.
pub fn expand(text: &str, root: &Path) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('⟨') {
        let Some((inside, after)) = after.split_once('⟩') else {
            panic!("⟨ without ⟩ in {text:?}")
        };
        bytes.extend_from_slice(before.as_bytes());
        // The path of a URL begins with `/`, which a drive does not.
        if cfg!(windows) && inside == "root" && before.ends_with("file://") {
            bytes.push(b'/');
        }
        bytes.extend_from_slice(&expand_one(inside, root));
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Does the same as [`expand`] for texts that stay UTF-8: paths in messages, expected replies.
///
/// # Panics
/// Also when the result is not UTF-8.
pub fn expand_text(text: &str, root: &Path) -> String {
    String::from_utf8(expand(text, root)).expect("a text of a case is UTF-8")
}

fn expand_one(inside: &str, root: &Path) -> Vec<u8> {
    if inside == "root" {
        return written(root);
    }
    if let Some(digits) = inside.strip_prefix("hex:") {
        let byte = |pair: &str| u8::from_str_radix(pair, 16);
        let bytes: Result<Vec<u8>, _> = digits.split_whitespace().map(byte).collect();
        return bytes.unwrap_or_else(|_| panic!("⟨{inside}⟩ is not hexadecimal bytes"));
    }
    let repeated =
        inside.rsplit_once('*').and_then(|(text, times)| Some((text, times.parse().ok()?)));
    let Some((text, times)) = repeated else { panic!("unknown notation ⟨{inside}⟩") };
    text.repeat(times).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_notations() {
        let expand = |text| expand(text, Path::new("/r"));
        assert_eq!(expand("plain * { } text"), b"plain * { } text");
        assert_eq!(expand("a⟨hex:00 ff⟩b⟨hex:0a⟩"), b"a\x00\xffb\n");
        assert_eq!(expand("⟨**3⟩⟨ab*2⟩"), b"***abab");
        assert_eq!(expand("⟨root⟩/x"), b"/r/x");
    }

    #[test]
    #[should_panic(expected = "unknown notation")]
    fn a_typo_in_the_notation_is_an_error() {
        expand("⟨rot⟩", Path::new("/r"));
    }
}
