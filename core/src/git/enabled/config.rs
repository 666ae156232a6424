//! The configuration of a repository: only its own files, never those of the user or the system.
//!
//! Those are outside the root, and a reply should not depend on who runs the engine. `includes.rs` adds the
//! files that a configuration includes.

use super::failure::{Failure, Malformed};
use crate::budget::Budget;
use crate::room;

/// The maximum memory that the configuration of one repository takes, all of its files together: their bytes,
/// and the names and values in them. A name repeats its section, so a small file can have large ones.
const MEMORY_BYTES_MAX: usize = 16 << 20;
/// The memory of a value beside its texts.
const VALUE_BYTES: usize = 64;

/// The memory that the configuration of one repository may still take.
#[derive(Debug)]
pub(super) struct ConfigMemory {
    left: usize,
}

impl Default for ConfigMemory {
    fn default() -> ConfigMemory {
        ConfigMemory { left: MEMORY_BYTES_MAX }
    }
}

impl ConfigMemory {
    /// Counts memory before it is taken.
    fn take(&mut self, bytes: usize) -> Result<(), Failure> {
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or_else(|| {
            let mib = MEMORY_BYTES_MAX >> 20;
            Failure::refused(format!("its configuration needs more than {mib} MiB of memory"))
        })?;
        Ok(())
    }
}

/// Values by their names, such as `core.filemode`; a later one overrides.
#[derive(Debug, Default)]
pub(super) struct Config(Vec<(String, String)>);

impl Config {
    /// Adds the values of a file.
    pub(super) fn add(
        &mut self,
        bytes: &[u8],
        memory: &mut ConfigMemory,
        budget: &Budget,
    ) -> Result<(), Failure> {
        memory.take(bytes.len())?;
        let text = String::from_utf8_lossy(bytes);
        let mut section = String::new();
        let mut lines = text.strip_prefix('\u{feff}').unwrap_or(&text).lines();
        while let Some(line) = lines.next() {
            budget.poll()?;
            let mut line = line.trim_start();
            if let Some(rest) = line.strip_prefix('[') {
                let end = end_of_section(rest).ok_or(Malformed("a section is not closed"))?;
                section = section_name(&rest[..end]);
                line = rest[end + 1..].trim_start();
            }
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            let (name, value) = line.split_once('=').unwrap_or((line, "true"));
            let name = name.trim().split([' ', '\t', '#', ';']).next().unwrap_or_default();
            let value = value_of(value.trim_start(), &mut lines);
            memory.take(section.len() + name.len() + value.len() + VALUE_BYTES)?;
            self.push(format!("{section}.{}", name.to_ascii_lowercase()), value)?;
        }
        Ok(())
    }

    /// Adds a value, which overrides those with the same name.
    pub(super) fn push(&mut self, name: String, value: String) -> Result<(), Failure> {
        Ok(room::push(&mut self.0, (name, value))?)
    }

    /// Returns the names and values in their order.
    pub(super) fn into_values(self) -> std::vec::IntoIter<(String, String)> {
        self.0.into_iter()
    }

    /// Returns the last value of a name, whose section and key are in lower case.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns a value as a boolean.
    pub(super) fn is(&self, name: &str) -> Option<bool> {
        let value = self.get(name)?.to_ascii_lowercase();
        Some(!matches!(value.as_str(), "false" | "no" | "off" | "0" | ""))
    }

    /// Returns the keys of a section, without its name.
    pub(super) fn keys<'a>(&'a self, section: &'a str) -> impl Iterator<Item = &'a str> {
        let keys = self.0.iter().filter_map(move |(name, _)| name.strip_prefix(section));
        keys.filter_map(|key| key.strip_prefix('.'))
    }
}

/// Returns the end of a section's name, after its subsection, which may be quoted.
fn end_of_section(rest: &str) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    rest.char_indices().find_map(|(at, c)| {
        let is_plain = !std::mem::take(&mut is_escaped);
        match c {
            '\\' if is_quoted && is_plain => is_escaped = true,
            '"' if is_plain => is_quoted = !is_quoted,
            ']' if !is_quoted => return Some(at),
            _ => {}
        }
        None
    })
}

/// Returns `section` or `section.Subsection`.
fn section_name(text: &str) -> String {
    let (section, sub) = text.split_once(['"']).unwrap_or((text, ""));
    let section = section.trim().to_ascii_lowercase();
    match sub.strip_suffix('"') {
        Some(sub) => format!("{section}.{}", sub.replace("\\\"", "\"").replace("\\\\", "\\")),
        None => section,
    }
}

/// Reads a value with its continuation lines, and removes its quotes and comment.
fn value_of(first: &str, lines: &mut std::str::Lines<'_>) -> String {
    let mut value = String::new();
    let mut kept = 0;
    let mut line = first;
    let mut is_quoted = false;
    loop {
        let mut chars = line.chars();
        let mut goes_on = false;
        while let Some(c) = chars.next() {
            match c {
                '"' => is_quoted = !is_quoted,
                '#' | ';' if !is_quoted => break,
                '\\' => match chars.next() {
                    Some('n') => value.push('\n'),
                    Some('t') => value.push('\t'),
                    Some('b') => value.push('\u{8}'),
                    Some(c) => value.push(c),
                    None => goes_on = true,
                },
                c => value.push(c),
            }
            // Blanks before a comment or at the end do not belong to the value, unless they are quoted. A
            // blank does not show what follows it, so the length up to the last character that belongs is
            // noted.
            if is_quoted || !value.ends_with(char::is_whitespace) {
                kept = value.len();
            }
        }
        if !goes_on {
            break;
        }
        match lines.next() {
            Some(next) => line = next,
            None => break,
        }
    }
    value.truncate(kept);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    #[test]
    fn values_are_read_as_git_reads_them() {
        let text = "[core]\n\tfileMode = false # no\n bare\n[Extensions] objectFormat=sha256\n\
            [filter \"A.b\\\"c\"]\n clean = \"a # b\" c \\\n d ; x\n[core] autocrlf = input\n";
        let mut config = Config::default();
        let (mut memory, budget) = (ConfigMemory::default(), Budget::of(&Call::new()));
        config.add(text.as_bytes(), &mut memory, &budget).expect("read");
        assert_eq!(config.is("core.filemode"), Some(false));
        assert_eq!(config.is("core.bare"), Some(true));
        assert_eq!(config.get("extensions.objectformat"), Some("sha256"));
        assert_eq!(config.get("filter.A.b\"c.clean"), Some("a # b c  d"));
        assert_eq!(config.get("core.autocrlf"), Some("input"));
        assert_eq!(config.get("core.symlinks"), None);
        assert_eq!(config.keys("extensions").collect::<Vec<_>>(), ["objectformat"]);
        assert!(config.add(b"[core", &mut memory, &budget).is_err());
    }

    #[test]
    fn the_memory_of_names_and_values_is_limited() {
        let budget = Budget::of(&Call::new());
        let add = |text: &str, n: usize| {
            let (mut config, mut memory) = (Config::default(), ConfigMemory::default());
            (0..n).try_for_each(|_| config.add(text.as_bytes(), &mut memory, &budget))
        };
        add(&"a = b\n".repeat(1_000), 200).expect("it fits");
        let long_section = format!("[{}]\n{}", "s".repeat(100_000), "b\n".repeat(1_000));
        for (text, n) in
            [("b\n".repeat(1 << 18), 1), ("a = b\n".repeat(1_000), 250), (long_section, 1)]
        {
            let refused = add(&text, n);
            assert!(matches!(refused, Err(Failure::Refused(_))), "{} bytes", text.len());
        }
    }
}
