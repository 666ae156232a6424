//! Globs as in `rg --glob` and `fd --glob`.

use super::glob::{Subject, bad_glob, check, n_tokens, read, without_slash_in_classes};
use super::limits::{
    GLOBS_BYTES_MAX, GLOBS_MAX, NAME_TOKENS_MAX, PATH_TOKENS_MAX, PLAIN_TOKENS_MAX,
};
use super::linear::{Steps, matches_any};
use super::overrides::{Overrides, OverridesBuilder};
use super::token::Pattern;
use crate::encoding::as_native_path;
use crate::error::{Error, ErrorKind, Result};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs as in ripgrep's `--glob`, except that they only narrow: a hidden or ignored name stays excluded.
///
/// A glob without `/` is compared with the base name, one with `/` with the whole path below the base; a `!`
/// at the start excludes; the last glob that matches decides.
#[derive(Debug)]
pub(crate) struct Globs {
    matcher: Matcher,
    /// Every glob is compared with the base name only, so none needs the path.
    base_name_only: bool,
}

#[derive(Debug)]
enum Matcher {
    /// In the order of the globs.
    Linear(Vec<FileGlob>),
    Compiled(Overrides),
}

/// One parsed glob of a list.
#[derive(Debug)]
struct FileGlob {
    /// The glob matches if any of these does.
    patterns: Vec<Pattern>,
    subject: Subject,
    wanted: bool,
    dirs_only: bool,
}

impl FileGlob {
    /// Reads the glob `body`, which has a `!` before it unless it is `wanted`; `None` if it has to be
    /// compiled.
    fn read(body: &str, wanted: bool) -> Option<FileGlob> {
        let (is_absolute, line) = match body.strip_prefix('/') {
            Some(line) => (true, line),
            None => (false, body),
        };
        let (dirs_only, line) = match line.strip_suffix('/') {
            Some(line) => (true, line),
            None => (false, line),
        };
        // `OverridesBuilder` treats an escape or a blank at either end specially.
        let is_odd = body.starts_with('\\')
            || body.trim_end() != body
            || dirs_only && line.ends_with('\\')
            || line.is_empty();
        if is_odd {
            return None;
        }
        let is_of_path = is_absolute || line.contains('/');
        let subject = if is_of_path { Subject::Path } else { Subject::Name };
        // The content of a directory, not the directory itself.
        let below = if line.ends_with("/**") { "/*" } else { "" };
        let patterns = read(&format!("{line}{below}"), subject, false)?;
        Some(FileGlob { patterns, subject, wanted, dirs_only })
    }
}

impl Globs {
    /// Reads `globs`; `None` if they match everything.
    pub(crate) fn new(param: &str, globs: &[String]) -> Result<Option<Globs>> {
        if globs.len() > GLOBS_MAX {
            let predicate = format!("may have at most {GLOBS_MAX} globs, got {}", globs.len());
            return Err(Error::invalid_param(param, predicate));
        }
        let len: usize = globs.iter().map(String::len).sum();
        if len > GLOBS_BYTES_MAX {
            let predicate = format!("may have at most {GLOBS_BYTES_MAX} bytes in total, got {len}");
            return Err(Error::invalid_param(param, predicate));
        }
        if globs.is_empty() || globs.iter().all(|glob| matches!(glob.as_str(), "*" | "**" | "**/*"))
        {
            return Ok(None);
        }
        let mut builder = OverridesBuilder::default();
        let mut linear = Some(Vec::new());
        let mut base_name_only = true;
        for (index, glob) in globs.iter().enumerate() {
            let param = &format!("{param}[{index}]");
            let body = glob.strip_prefix('!').unwrap_or(glob);
            if body.is_empty() && !glob.is_empty() {
                return Err(bad_glob(param, glob, "nothing follows the '!'"));
            }
            check(param, body)?;
            base_name_only &= !body.contains('/');
            let line = override_line(glob, body);
            builder.add(&line).map_err(|error| bad_glob(param, body, &error.kind().to_string()))?;
            let read = FileGlob::read(body, body.len() == glob.len());
            linear = linear.zip(read).map(|(mut all, glob)| {
                all.push(glob);
                all
            });
        }
        let matcher = match linear.filter(|all| is_quick_enough(all)) {
            Some(all) => Matcher::Linear(all),
            None => Matcher::Compiled(builder.build().map_err(|error| {
                Error::new(ErrorKind::InvalidParam, error.to_string()).with_param(param)
            })?),
        };
        Ok(Some(Globs { matcher, base_name_only }))
    }

    /// Returns whether a verdict costs next to nothing.
    pub(crate) fn is_plain(&self) -> bool {
        match &self.matcher {
            Matcher::Linear(all) => {
                self.base_name_only && n_tokens_of(all, Subject::Name) <= PLAIN_TOKENS_MAX
            }
            Matcher::Compiled(_) => false,
        }
    }

    /// Returns whether the file at `path`, relative to the base, is included.
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        !self.takes_away(path, false)
    }

    /// Returns whether the directory at `path` is excluded with everything in it.
    pub(crate) fn prunes(&self, path: &[u8]) -> bool {
        self.takes_away(path, true)
    }

    fn takes_away(&self, path: &[u8], is_dir: bool) -> bool {
        let name = &path[memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1)..];
        let all = match &self.matcher {
            Matcher::Linear(all) => all,
            Matcher::Compiled(globs) => {
                let text = if self.base_name_only { name } else { path };
                return globs.excludes(text, is_dir);
            }
        };
        let matches = |glob: &&FileGlob| {
            let text = if glob.subject == Subject::Name { name } else { path };
            (is_dir || !glob.dirs_only)
                && matches_any(&glob.patterns, text, &mut Steps::unlimited())
        };
        match all.iter().rev().find(matches) {
            Some(glob) => !glob.wanted,
            // A directory may contain wanted files.
            None => !is_dir && all.iter().any(|glob| glob.wanted),
        }
    }
}

fn n_tokens_of(globs: &[FileGlob], subject: Subject) -> usize {
    globs.iter().filter(|glob| glob.subject == subject).map(|glob| n_tokens(&glob.patterns)).sum()
}

/// Returns whether comparing the globs one by one fits between two polls.
fn is_quick_enough(globs: &[FileGlob]) -> bool {
    n_tokens_of(globs, Subject::Name) <= NAME_TOKENS_MAX
        && n_tokens_of(globs, Subject::Path) <= PATH_TOKENS_MAX
}

/// Returns the glob as a line for [`OverridesBuilder::add`].
fn override_line(glob: &str, body: &str) -> String {
    let confined = without_slash_in_classes(body);
    if !body.contains('/') && confined != *body {
        // Beside a glob with a slash this one is compared with whole paths, and still means base names.
        let sign = if body.len() < glob.len() { "!" } else { "" };
        format!("{sign}**/{confined}")
    } else {
        glob.to_owned()
    }
}

/// One glob as in `fd --glob`: without `/` it matches the whole base name, with `/` the whole path below the
/// base.
#[derive(Debug)]
pub struct NameGlob {
    matcher: NameMatcher,
    whole_path: bool,
}

#[derive(Debug)]
enum NameMatcher {
    Linear(Vec<Pattern>),
    Compiled(GlobSet),
}

impl NameGlob {
    /// Compiles a glob; `param` is the name of the parameter in an error.
    ///
    /// # Errors
    ///
    /// `invalid_param` if it does not compile.
    pub fn new(param: &str, glob: &str) -> Result<NameGlob> {
        NameGlob::with_case(param, glob, true)
    }

    /// Like [`NameGlob::new`], but ASCII letters match in either case unless `sensitive`.
    pub fn with_case(param: &str, glob: &str, sensitive: bool) -> Result<NameGlob> {
        check(param, glob)?;
        let bad = |error: globset::Error| bad_glob(param, glob, &error.kind().to_string());
        let whole_path = glob.contains('/');
        let confined = without_slash_in_classes(glob);
        let text = if whole_path { &confined } else { glob };
        let checked = GlobBuilder::new(text)
            .literal_separator(true)
            .case_insensitive(!sensitive)
            .build()
            .map_err(bad)?;
        let (subject, tokens_max) = match whole_path {
            true => (Subject::Path, PATH_TOKENS_MAX),
            false => (Subject::Name, NAME_TOKENS_MAX),
        };
        let linear = read(text, subject, !sensitive);
        let matcher = match linear.filter(|patterns| n_tokens(patterns) <= tokens_max) {
            Some(patterns) => NameMatcher::Linear(patterns),
            None => {
                let mut builder = GlobSetBuilder::new();
                builder.add(checked);
                NameMatcher::Compiled(builder.build().map_err(bad)?)
            }
        };
        Ok(NameGlob { matcher, whole_path })
    }

    /// Returns whether comparing a name costs next to nothing.
    pub(crate) fn is_plain(&self) -> bool {
        match &self.matcher {
            NameMatcher::Linear(patterns) => {
                !self.whole_path && n_tokens(patterns) <= PLAIN_TOKENS_MAX
            }
            NameMatcher::Compiled(_) => false,
        }
    }

    /// Returns whether the file at `path`, relative to the base, matches.
    pub fn matches(&self, path: &[u8]) -> bool {
        let name = match memchr::memrchr(b'/', path) {
            Some(slash) if !self.whole_path => &path[slash + 1..],
            _ => path,
        };
        match &self.matcher {
            NameMatcher::Linear(all) => matches_any(all, name, &mut Steps::unlimited()),
            NameMatcher::Compiled(set) => set.is_match(as_native_path(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wildcard::limits::GLOB_BYTES_MAX;

    fn globs(globs: &[&str]) -> Globs {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        Globs::new("globs", &globs).expect("valid").expect("not everything")
    }

    #[test]
    fn other_globs_do_not_affect_one_without_a_slash() {
        for others in [&[][..], &["!**/[ab]"]] {
            let globs = globs(&[&["*[!a][^b]"], others].concat());
            assert!(globs.matches(b"src/xy") && !globs.matches(b"src/x"), "{others:?}");
        }
    }

    #[test]
    fn globs_as_ripgrep_has_them() {
        for (glob, path, expected) in [
            ("*.rs", "a/b.rs", true),
            ("*.rs", "a/b.rc", false),
            ("a/*.rs", "a/b.rs", true),
            ("a/*.rs", "x/a/b.rs", false),
            ("/b.rs", "b.rs", true),
            ("/b.rs", "a/b.rs", false),
            ("**/b.rs", "a/c/b.rs", true),
            ("*.{rs,c}", "a.c", true),
            ("[ab].c", "b.c", true),
            ("!*.rs", "a.rs", false),
            ("!*.rs", "a.c", true),
            ("#x#", "a/#x#", true),
            ("*.RS", "a.rs", false),
        ] {
            assert_eq!(globs(&[glob]).matches(path.as_bytes()), expected, "{glob} on {path}");
        }
    }

    #[test]
    fn a_leading_bang_prunes_directories() {
        assert!(globs(&["!target"]).prunes(b"a/target"));
        assert!(!globs(&["*.rs"]).prunes(b"a/target"));
    }

    #[test]
    fn names_as_fd_has_them() {
        for (glob, path, expected) in [
            ("*.py", "a/b.py", true),
            ("a?js", "x/a.js", true),
            ("a*", "a/b", false),
            ("a/*.py", "a/b.py", true),
            ("a/*.py", "a/c/b.py", false),
            ("a/**/*.py", "a/c/d/b.py", true),
            ("!x", "!x", true),
            ("[[]id].tsx", "[id].tsx", true),
            ("{a,b}.py", "b.py", true),
            ("**/d[!a]*", "d/b", false),
            ("**/d[!a]*", "x/db", true),
            ("d/[!a-]c", "d/bc", true),
            ("d/[!]a]c", "d/bc", true),
            ("d[!]a]c", "d/c", false),
            ("d\\[!a]/c", "d[!a]/c", true),
        ] {
            let name = NameGlob::new("name_pattern", glob).expect("valid");
            assert_eq!(name.matches(path.as_bytes()), expected, "{glob} on {path}");
        }
    }

    #[test]
    fn globs_are_case_sensitive_only_where_required() {
        for (sensitive, expected) in [(true, false), (false, true)] {
            let name = NameGlob::with_case("query", "*.RS", sensitive).expect("valid");
            assert_eq!(name.matches(b"a/b.rs"), expected);
            assert!(name.matches(b"a/b.RS"));
        }
    }

    #[test]
    fn bad_and_hostile_globs_are_refused_by_name() {
        let deep = "{".repeat(9) + &"}".repeat(9);
        let wide = format!("{{{}}}", "a,".repeat(300));
        let long = "a".repeat(GLOB_BYTES_MAX + 1);
        for glob in ["[", "{a", "a{", "", "[z-a]", "a\0", deep.as_str(), &wide, &long] {
            let error = NameGlob::new("name_pattern", glob).expect_err(glob);
            assert_eq!(
                (error.code(), error.param()),
                ("invalid_param", Some("name_pattern")),
                "{glob}"
            );
        }
        let nested = "{".repeat(20_000);
        assert!(Globs::new("globs", &[nested]).is_err());
        assert!(Globs::new("globs", &vec!["a".to_owned(); GLOBS_MAX + 1]).is_err());
        assert!(Globs::new("globs", &["!".to_owned()]).is_err());
    }
}
