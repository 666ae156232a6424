//! Lists of globs as in `rg --glob`, compiled to one automaton: for the lists that are not compared token by
//! token.

use crate::encoding::as_native_path;
use globset::{Candidate, Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use std::cell::RefCell;

thread_local! {
    /// The globs that match a path, in memory that is reused.
    static MATCHING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// The globs in their order; the last one that matches decides.
#[derive(Debug)]
pub(super) struct Overrides {
    set: GlobSet,
    kinds: Vec<Kind>,
}

#[derive(Clone, Copy, Debug)]
struct Kind {
    /// The glob includes; one with a `!` excludes.
    wanted: bool,
    dirs_only: bool,
}

/// Collects the globs of a list.
#[derive(Debug, Default)]
pub(super) struct OverridesBuilder {
    globs: Vec<Glob>,
    kinds: Vec<Kind>,
}

impl OverridesBuilder {
    /// Adds a line in the syntax of gitignore, in which a `!` at the start excludes. Blanks at the end are
    /// dropped unless the last one is escaped; a line of blanks adds nothing.
    pub(super) fn add(&mut self, line: &str) -> Result<(), globset::Error> {
        let line = if line.ends_with("\\ ") { line } else { line.trim_end() };
        if line.is_empty() {
            return Ok(());
        }
        let is_escaped = line.starts_with("\\!") || line.starts_with("\\#");
        let line = if is_escaped { &line[1..] } else { line };
        let (wanted, line) = match line.strip_prefix('!') {
            Some(line) if !is_escaped => (false, line),
            _ => (true, line),
        };
        let (is_absolute, line) = match line.strip_prefix('/') {
            Some(line) => (true, line),
            None => (false, line),
        };
        let (dirs_only, line) = match line.strip_suffix('/') {
            // The escape of a slash means nothing.
            Some(line) => (true, line.strip_suffix('\\').unwrap_or(line)),
            None => (false, line),
        };
        let above = if is_absolute || line.contains('/') || line == "**" { "" } else { "**/" };
        // The content of a directory, not the directory itself.
        let below = if line.ends_with("/**") { "/*" } else { "" };
        let glob = GlobBuilder::new(&format!("{above}{line}{below}"))
            .literal_separator(true)
            .backslash_escape(true)
            .build()?;
        self.globs.push(glob);
        self.kinds.push(Kind { wanted, dirs_only });
        Ok(())
    }

    pub(super) fn build(self) -> Result<Overrides, globset::Error> {
        let mut builder = GlobSetBuilder::new();
        for glob in self.globs {
            builder.add(glob);
        }
        Ok(Overrides { set: builder.build()?, kinds: self.kinds })
    }
}

impl Overrides {
    /// Returns whether the file or directory at `path` is excluded.
    pub(super) fn excludes(&self, path: &[u8], is_dir: bool) -> bool {
        MATCHING.with_borrow_mut(|matching| {
            self.set.matches_candidate_into(&Candidate::new(&as_native_path(path)), matching);
            let mut kinds = matching.iter().rev().map(|&index| self.kinds[index]);
            match kinds.find(|kind| is_dir || !kind.dirs_only) {
                Some(kind) => !kind.wanted,
                // A directory may contain wanted files.
                None => !is_dir && self.kinds.iter().any(|kind| kind.wanted),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excludes(lines: &[&str], path: &str, is_dir: bool) -> bool {
        let mut builder = OverridesBuilder::default();
        for line in lines {
            builder.add(line).expect("valid");
        }
        builder.build().expect("valid").excludes(path.as_bytes(), is_dir)
    }

    #[test]
    fn lines_have_the_syntax_of_gitignore() {
        for (line, path, included) in [
            ("*.c", "a/b.c", true),
            ("/*.c", "a/b.c", false),
            ("/*.c", "b.c", true),
            ("a/**", "a/b/c", true),
            ("a/**", "a", false),
            ("**", "a/b", true),
            ("b.c  ", "b.c", true),
            ("b\\ ", "b ", true),
            ("\\!b", "a/!b", true),
            ("\\#b", "#b", true),
            ("b/", "b", false),
            ("!b.c", "b.c", false),
            ("!b.c", "a.c", true),
            (" ", "a.c", true),
        ] {
            assert_eq!(!excludes(&[line], path, false), included, "{line:?} on {path:?}");
        }
    }

    #[test]
    fn the_last_match_decides_and_directories_stay_unless_excluded() {
        assert!(!excludes(&["!*.c", "a.c"], "a.c", false));
        assert!(excludes(&["a.c", "!*.c"], "a.c", false));
        assert!(!excludes(&["*.c"], "src", true));
        assert!(excludes(&["*.c", "!src/"], "src", true));
        assert!(excludes(&["*.c", "!src/"], "src", false), "no glob includes the file");
        assert!(!excludes(&["src", "!src\\/"], "src", false));
    }

    #[test]
    fn a_glob_that_cannot_be_read_is_an_error() {
        assert!(OverridesBuilder::default().add("a/[z-a]").is_err());
    }
}
