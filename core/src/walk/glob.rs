//! Globs of callers: bounded by our own scanner before any library sees them.

use super::plain_glob::PlainGlob;
use crate::encoding::as_native_path;
use crate::error::{Error, Result};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::overrides::{Override, OverrideBuilder};

/// contracts.md section 0: glob 1 KiB, brace depth 8, 128 globs a call.
const GLOB_BYTES_MAX: usize = 1024;
const BRACE_DEPTH_MAX: usize = 8;
const GLOBS_MAX: usize = 128;
/// Compiling globs of this many bytes takes some 40 ms, which nothing can stop.
const GLOBS_BYTES_MAX: usize = 16 * 1024;
/// A glob with more alternatives than this is a list, and belongs in several globs.
const ALTERNATIVES_MAX: usize = 256;

/// Globs as ripgrep's `--glob`, except that they only narrow: a name that is hidden or ignored is
/// not brought back by them.
///
/// Without `/` a glob is held against the base name, with `/` against the whole path below the
/// base; `!` in front takes away; the last glob that matches decides.
#[derive(Debug)]
pub(crate) struct Globs {
    matcher: Override,
    /// No glob looks at more than the base name, so none needs the path.
    base_name_only: bool,
}

impl Globs {
    /// Compiles `globs`; `None` when they let everything through.
    pub(crate) fn new(param: &str, globs: &[String]) -> Result<Option<Globs>> {
        if globs.len() > GLOBS_MAX {
            let message =
                format!("'{param}' may be at most {GLOBS_MAX} globs, got {}", globs.len());
            return Err(Error::invalid_param(param, message));
        }
        let len: usize = globs.iter().map(String::len).sum();
        if len > GLOBS_BYTES_MAX {
            let message = format!("'{param}' may have {GLOBS_BYTES_MAX} bytes in all, got {len}");
            return Err(Error::invalid_param(param, message));
        }
        if globs.is_empty() || globs.iter().all(|glob| matches!(glob.as_str(), "*" | "**" | "**/*"))
        {
            return Ok(None);
        }
        let mut builder = OverrideBuilder::new("");
        let mut base_name_only = true;
        for (index, glob) in globs.iter().enumerate() {
            let param = &format!("{param}[{index}]");
            let body = glob.strip_prefix('!').unwrap_or(glob);
            if body.is_empty() && !glob.is_empty() {
                return Err(bad_glob(param, glob, "nothing follows the '!'"));
            }
            check(param, body)?;
            base_name_only &= !body.contains('/');
            let confined = without_slash_in_classes(body);
            let line = if !body.contains('/') && confined != *body {
                // Beside a glob with a slash this one meets whole paths, and is still about base names.
                let sign = if body.len() < glob.len() { "!" } else { "" };
                format!("{sign}**/{confined}")
            } else if glob.starts_with('#') {
                // Of the gitignore syntax underneath, comments are not part of a glob.
                format!("\\{glob}")
            } else {
                glob.clone()
            };
            builder.add(&line).map_err(|error| bad_glob(param, body, &reason(&error)))?;
        }
        let matcher =
            builder.build().map_err(|error| Error::invalid_param(param, reason(&error)))?;
        Ok(Some(Globs { matcher, base_name_only }))
    }

    /// Whether the file at `path`, given from the base, is let through.
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        !self.matcher.matched(as_native_path(self.looked_at(path)), false).is_ignore()
    }

    /// Whether the directory at `path` is taken away with everything in it.
    pub(crate) fn prunes(&self, path: &[u8]) -> bool {
        self.matcher.matched(as_native_path(self.looked_at(path)), true).is_ignore()
    }

    fn looked_at<'a>(&self, path: &'a [u8]) -> &'a [u8] {
        if !self.base_name_only {
            return path;
        }
        &path[path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1)..]
    }
}

/// One glob as `fd --glob`: without `/` the whole base name, with `/` the whole path below the base.
#[derive(Debug)]
pub(crate) struct NameGlob {
    matcher: NameMatcher,
    whole_path: bool,
}

#[derive(Debug)]
enum NameMatcher {
    Plain(PlainGlob),
    Compiled(GlobSet),
}

impl NameGlob {
    pub(crate) fn new(param: &str, glob: &str) -> Result<NameGlob> {
        NameGlob::with_case(param, glob, true)
    }

    /// As [`NameGlob::new`], where letters match in the other case too unless that is `sensitive`.
    pub(crate) fn with_case(param: &str, glob: &str, sensitive: bool) -> Result<NameGlob> {
        check(param, glob)?;
        let bad = |error: globset::Error| bad_glob(param, glob, &error.kind().to_string());
        let confined = without_slash_in_classes(glob);
        let compiled = GlobBuilder::new(if glob.contains('/') { &confined } else { glob })
            .literal_separator(true)
            .case_insensitive(!sensitive)
            .build()
            .map_err(bad)?;
        let plain = PlainGlob::new(glob).filter(|_| sensitive);
        let matcher = match plain {
            Some(plain) => NameMatcher::Plain(plain),
            None => {
                let mut builder = GlobSetBuilder::new();
                builder.add(compiled);
                NameMatcher::Compiled(builder.build().map_err(bad)?)
            }
        };
        Ok(NameGlob { matcher, whole_path: glob.contains('/') })
    }

    /// Whether asking about a name takes no longer than comparing it.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.matcher, NameMatcher::Plain(_))
    }

    /// Whether the file at `path`, given from the base, has the name.
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        let name = match memchr::memrchr(b'/', path) {
            Some(slash) if !self.whole_path => &path[slash + 1..],
            _ => path,
        };
        match &self.matcher {
            NameMatcher::Plain(plain) => plain.matches(name),
            NameMatcher::Compiled(set) => set.is_match(as_native_path(name)),
        }
    }
}

/// The glob with `/` taken out of what its negated classes match: `[!a]` is one character of a name.
pub(super) fn without_slash_in_classes(glob: &str) -> String {
    let mut out = String::with_capacity(glob.len() + 8);
    let mut rest = glob;
    while let Some(at) = rest.find(['[', '\\']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let is_class = from.starts_with("[!") || from.starts_with("[^");
        // Behind the sign a `]` is a member; the class ends at the next one.
        let members = from.get(2..).filter(|_| is_class).unwrap_or_default();
        let end = members.char_indices().skip(1).find(|&(_, char)| char == ']').map(|(at, _)| at);
        let Some(end) = end else {
            // An escape, a class that is not negated, or no class: taken over with what it guards.
            let n_chars = if from.starts_with('\\') { 2 } else { 1 };
            let len = from.chars().take(n_chars).map(char::len_utf8).sum();
            out.push_str(&from[..len]);
            rest = &from[len..];
            continue;
        };
        let (listed, sign) = (&members[..end], &from[..2]);
        // Beside a `-` that stands for itself the addition would make a range of it.
        let listed = match (listed.ends_with('-'), listed.starts_with([']', '-'])) {
            (false, _) => format!("{listed}/"),
            (true, false) => format!("/{listed}"),
            (true, true) => listed.to_owned(),
        };
        out.extend([sign, &listed, "]"]);
        rest = &members[end + 1..];
    }
    out.push_str(rest);
    out
}

/// Refuses globs whose compilation or matching could be made expensive, or overflow a stack.
pub(super) fn check(param: &str, glob: &str) -> Result<()> {
    if glob.is_empty() {
        return Err(Error::invalid_param(param, format!("'{param}' must not be empty")));
    }
    if glob.len() > GLOB_BYTES_MAX {
        let why = format!("it has {} bytes, {GLOB_BYTES_MAX} are allowed", glob.len());
        return Err(Error::invalid_param(param, format!("'{param}' is not a valid glob: {why}")));
    }
    let (mut depth, mut alternatives, mut escaped, mut in_class) = (0_usize, 0_usize, false, false);
    for byte in glob.bytes() {
        match byte {
            _ if escaped => {
                escaped = false;
                continue;
            }
            b'\\' => escaped = true,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'{' if !in_class => depth += 1,
            b'}' if !in_class => depth = depth.saturating_sub(1),
            b',' if !in_class => alternatives += 1,
            0 => return Err(bad_glob(param, glob, "a file name holds no NUL")),
            _ => {}
        }
        if depth > BRACE_DEPTH_MAX {
            let message = format!("braces may nest {BRACE_DEPTH_MAX} deep");
            return Err(bad_glob(param, glob, &message));
        }
        if alternatives > ALTERNATIVES_MAX {
            let message = format!("a glob may have {ALTERNATIVES_MAX} alternatives");
            return Err(bad_glob(param, glob, &message));
        }
    }
    Ok(())
}

/// What is wrong, without the line and file decorations of the library.
fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        ignore::Error::WithLineNumber { err, .. }
        | ignore::Error::WithPath { err, .. }
        | ignore::Error::WithDepth { err, .. } => reason(err),
        error => error.to_string(),
    }
}

pub(super) fn bad_glob(param: &str, glob: &str, why: &str) -> Error {
    Error::invalid_param(param, format!("'{param}' is not a valid glob: {why}: {glob:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(globs: &[&str]) -> Globs {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        Globs::new("globs", &globs).expect("valid").expect("not everything")
    }

    #[test]
    fn what_other_globs_look_at_changes_nothing_for_one_without_a_slash() {
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
    fn case_counts_only_where_it_should() {
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
