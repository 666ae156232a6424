//! Derives the name of a result file from the caller's name, by its text alone.

use super::windows_names::is_refused_name;
use crate::error::{Error, Result};

/// Leaves room for the extension and for temporary names where names may have 255 bytes.
const NAME_BYTES_MAX: usize = 200;

/// The extension of every result file.
const ENDING: &str = ".json";

/// Returns the file name for `name`, the value of the parameter `param`.
///
/// Names that Windows refuses are refused everywhere, so that a name means the same on every system.
pub(super) fn file_name(param: &str, name: &str) -> Result<String> {
    if let Some(demand) = broken_demand(name) {
        // The text of a long name would only hide the problem.
        let got = if name.len() > NAME_BYTES_MAX {
            format!("{} bytes", name.len())
        } else {
            format!("{name:?}")
        };
        return Err(Error::invalid_param(param, format!("must {demand}, got {got}")));
    }
    let ending = if name.ends_with(ENDING) { "" } else { ENDING };
    Ok(format!("{name}{ending}"))
}

/// Returns the requirement that `name` violates, if any.
fn broken_demand(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("be a file name")
    } else if name.len() > NAME_BYTES_MAX {
        Some("be a file name of at most 200 bytes")
    } else if name.contains(['/', '\\']) {
        Some("be a plain file name without '/' and '\\'")
    } else if name.chars().any(char::is_control) {
        Some("be a file name without control characters")
    } else if name.starts_with('.') {
        Some("be a file name that does not begin with '.'")
    } else if is_refused_name(name) {
        Some("be a file name on every system (no ':', no '.' or ' ' at the end, no device)")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_written() {
        for (name, expected) in [
            ("report", "report.json"),
            ("report.json", "report.json"),
            ("report.JSON", "report.JSON.json"),
            ("a.b", "a.b.json"),
            ("two words", "two words.json"),
            ("-rf", "-rf.json"),
            ("~", "~.json"),
            ("$HOME", "$HOME.json"),
            ("%2e%2e", "%2e%2e.json"),
            ("été", "été.json"),
            ("a..b", "a..b.json"),
        ] {
            assert_eq!(file_name("output_file", name).expect(name), expected);
        }
        let longest = "n".repeat(NAME_BYTES_MAX);
        assert_eq!(file_name("output_file", &longest).expect("long").len(), NAME_BYTES_MAX + 5);
    }

    #[test]
    fn names_that_are_refused() {
        let too_long = "é".repeat(NAME_BYTES_MAX / 2 + 1);
        let longest = format!(".{}", "a".repeat(NAME_BYTES_MAX - 1));
        for (name, demand) in [
            ("", "be a file name, got \"\""),
            (too_long.as_str(), "be a file name of at most 200 bytes, got 202 bytes"),
            ("a/b", "without '/'"),
            ("/", "without '/'"),
            ("/etc/passwd", "without '/'"),
            ("../a", "without '/'"),
            ("a\\b", "without '/'"),
            ("..\\a", "without '/'"),
            ("a\0b", "without control characters, got \"a\\0b\""),
            ("a\nb", "without control characters"),
            ("a\u{7f}", "without control characters"),
            ("a\u{9b}", "without control characters"),
            (".", "not begin with '.'"),
            ("..", "not begin with '.'"),
            (".json", "not begin with '.'"),
            (".bashrc", "not begin with '.'"),
            (&longest, "not begin with '.', got \".aaa"),
            ("a.", "on every system"),
            ("a ", "on every system"),
            ("a:b", "on every system"),
            ("C:", "on every system"),
            ("nul", "on every system"),
            ("NUL.json", "on every system"),
            ("com1.txt", "on every system"),
        ] {
            let error = file_name("output_file", name).expect_err(name);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some("output_file")));
            assert!(error.message().starts_with("'output_file' must "), "{error}");
            assert!(error.message().contains(demand), "{name:?}: {error}");
        }
    }
}
