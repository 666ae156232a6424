//! The terms in a path: in the name of the file and in its directories; and the part that a file has in its
//! project, for its weight.

use super::terms::{Terms, folded};
use super::words::{numbered_words, stem, sub_words};
use crate::search::Role;
use crate::walk::EXAMPLE_DIRS;

/// File names that say less than the name of their directory.
const DIRECTORY_NAMES: &[&str] = &["mod", "index", "__init__", "lib", "package", "main"];
/// Directories that say nothing about the files in them.
const SOURCE_DIRS: &[&str] = &["lib", "source", "sources", "src"];
/// Suffixes of a name before its extension that belong to the extension.
const INNER_EXTENSIONS: &[&str] = &[".d", ".test", ".spec"];
/// Extensions of files with data.
const DATA_SUFFIXES: &[&str] = &[
    ".json",
    ".yaml",
    ".yml",
    ".toml",
    ".cfg",
    ".ini",
    ".xml",
    ".svg",
    ".csv",
    ".patch",
    ".diff",
    ".snap",
    ".in",
    ".tmpl",
    ".proto",
    ".gradle",
    ".properties",
    ".mod",
    ".sum",
    ".bazel",
    ".cmake",
    ".txt",
    ".html",
    ".htm",
    ".tex",
    ".lock",
];
/// Files that name the packages that a project depends on, in lower case.
const MANIFESTS: &[&str] = &[
    "build.gradle",
    "cargo.toml",
    "composer.json",
    "directory.packages.props",
    "gemfile",
    "go.mod",
    "libs.versions.toml",
    "package.json",
    "pipfile",
    "pom.xml",
    "pyproject.toml",
    "setup.cfg",
];
/// Directories with code that stands in for other code.
const COMPATIBILITY_DIRS: &[&str] = &["compat", "_compat", "legacy", "deprecated"];
/// Files that only gather the names of others.
const GATHERING_NAMES: &[&str] =
    &["__init__.py", "package-info.java", "index.ts", "index.js", "package.scala"];

/// The quality of a term in a file's name: a sub-word, another form of one, an abbreviation or a part.
const IN_NAME: f32 = 1.0;
pub(super) const FORM_IN_NAME: f32 = 0.95;
const WITHIN_NAME: f32 = 0.7;
/// The quality of a term in a directory that is not the one of the file.
const IN_FAR_DIR: f32 = 0.6;

/// The terms of a question in a path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PathCounts {
    /// The quality of each term in the name of the file; empty if no term is in the path.
    pub(super) in_name: Vec<f32>,
    /// The same for directories, the nearest one first.
    pub(super) in_dirs: Vec<f32>,
    /// The share of the letters of the name that the terms explain.
    pub(super) explained: f32,
    /// The share of the path that the terms are, if they are its file name and some of its directories.
    pub(super) spelled: f32,
    /// The names of the question that the file is named after, as bits.
    pub(super) names: u32,
}

impl PathCounts {
    pub(super) fn is_empty(&self) -> bool {
        self.in_name.is_empty()
    }

    /// Returns whether a directory has a term.
    pub(super) fn is_in_dirs(&self, term: usize) -> bool {
        self.in_dirs.get(term).is_some_and(|quality| *quality > 0.0)
    }

    /// Returns whether the name of the file and its directories have all of a set of terms.
    pub(super) fn has_all(&self, set: u32) -> bool {
        let mut terms = self.in_name.iter().zip(&self.in_dirs).enumerate();
        !self.is_empty()
            && terms.all(|(at, (name, dir))| set >> at & 1 == 0 || name.max(*dir) >= IN_FAR_DIR)
    }

    /// Compares `path`, relative to the root, with the terms.
    pub(super) fn of(terms: &Terms, path: &str) -> PathCounts {
        let none = PathCounts::default();
        let lower = path.to_lowercase();
        // Most files have no term in their path, so this test comes first.
        let may_have = |stem: &str| !stem.is_empty() && lower.contains(beginning(stem));
        if !terms.terms.iter().any(|term| may_have(&term.stem)) {
            return none;
        }
        let mut dirs: Vec<&str> = path.split('/').collect();
        let file = dirs.pop().unwrap_or_default();
        let name = subject(file, &dirs);
        let (in_name, explained) = in_name(terms, name);
        let in_dirs = in_dirs(terms, &dirs);
        if in_name.iter().chain(&in_dirs).all(|quality| *quality == 0.0) {
            return none;
        }
        let key = folded(name);
        let mut names = 0;
        for (at, name) in terms.names.iter().enumerate() {
            names |= u32::from(!key.is_empty() && name.key == key) << at;
        }
        let is_spelled = terms.len() > 1
            && explained == 1.0
            && in_name.iter().zip(&in_dirs).all(|(name, dir)| name.max(*dir) >= IN_FAR_DIR);
        let share = terms.len() as f32 / (dirs.len() + 1) as f32;
        let spelled = if is_spelled { share.min(1.0) } else { 0.0 };
        PathCounts { in_name, in_dirs, explained, spelled, names }
    }
}

/// Returns the letters of a stem that a name must contain to have a sub-word of it.
fn beginning(stem: &str) -> &str {
    let end = stem.char_indices().nth(3).map_or(stem.len(), |(at, _)| at);
    &stem[..end]
}

/// Returns the name that says what a file is about: its own without extensions, or that of its directory.
fn subject<'a>(file: &'a str, dirs: &[&'a str]) -> &'a str {
    let name = match file.rfind('.') {
        Some(dot) if dot > 0 => &file[..dot],
        _ => file,
    };
    let inner = INNER_EXTENSIONS.iter().find_map(|inner| name.strip_suffix(inner));
    let name = inner.unwrap_or(name);
    if !DIRECTORY_NAMES.contains(&name) {
        return name;
    }
    let saying = dirs.iter().rfind(|dir| !SOURCE_DIRS.contains(dir));
    saying.or(dirs.last()).copied().unwrap_or(name)
}

/// Returns the quality of each term in `name`, and the share of its letters that they explain.
fn in_name(terms: &Terms, name: &str) -> (Vec<f32>, f32) {
    let words = sub_words(name);
    let numbered = numbered_words(name);
    let key: String = words.concat();
    let mut explained = vec![false; key.len()];
    let mut explain = |start: usize, len: usize| {
        let end = (start + len).min(explained.len());
        explained[start.min(end)..end].fill(true);
    };
    let mut qualities = vec![0.0; terms.len()];
    for (quality, term) in qualities.iter_mut().zip(&terms.terms) {
        let mut start = 0;
        for word in &words {
            let is_short = word.len() >= 3 && word.len() < term.stem.len();
            let of_word = if term.words.contains(word) {
                IN_NAME
            } else if stem(word) == term.stem {
                FORM_IN_NAME
            } else if is_short && term.stem.starts_with(word.as_str())
                || term.may_be_short && word.starts_with(&*term.words[0])
            {
                WITHIN_NAME
            } else {
                0.0
            };
            if of_word > 0.0 {
                *quality = f32::max(*quality, of_word);
                explain(start, word.len());
            }
            start += word.len();
        }
        let is_numbered = numbered.iter().any(|word| term.words.contains(word));
        if let Some(start) = key.find(&*term.words[0]).filter(|_| is_numbered) {
            *quality = IN_NAME;
            explain(start, term.words[0].len());
        }
        if *quality == 0.0
            && let Some((start, len)) = part_of(&key, &term.stem, &term.words)
        {
            *quality = if term.stem.len() > 2 { WITHIN_NAME } else { 0.5 };
            explain(start, len);
        }
    }
    let n_explained = explained.iter().filter(|is_explained| **is_explained).count();
    (qualities, n_explained as f32 / explained.len().max(1) as f32)
}

/// Returns the start and length of a term in a name without separators: "backend" has "end" at its end and
/// "back" at its beginning, while letters in the middle count from four on.
fn part_of(key: &str, stem: &str, words: &[String]) -> Option<(usize, usize)> {
    if stem.len() < 2 {
        return None;
    }
    let at = key.find(stem)?;
    let is_at_end = at + stem.len() + 2 >= key.len();
    let is_enough = match stem.len() {
        2 => at == 0 || at + 2 == key.len(),
        3 => at == 0 || is_at_end,
        _ => true,
    };
    let whole = words.iter().find_map(|word| Some((key.find(word.as_str())?, word.len())));
    is_enough.then(|| whole.unwrap_or((at, stem.len())))
}

fn in_dirs(terms: &Terms, dirs: &[&str]) -> Vec<f32> {
    let mut qualities = vec![0.0; terms.len()];
    for (at, dir) in dirs.iter().enumerate() {
        let of_dir: f32 = if at + 1 == dirs.len() { 1.0 } else { IN_FAR_DIR };
        for word in sub_words(dir).into_iter().chain(numbered_words(dir)) {
            for (quality, term) in qualities.iter_mut().zip(&terms.terms) {
                if term.words.contains(&word) || stem(&word) == term.stem {
                    *quality = of_dir.max(*quality);
                }
            }
        }
    }
    qualities
}

/// The part of a file in its project, as far as it matters for questions about code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Part {
    #[default]
    Code,
    Tests,
    Docs,
    Data,
    /// Code that stands in for other code, or is produced from it.
    Substitute,
    /// A file that only gathers the names of others.
    Gathering,
    /// Code that only shows how to use the project.
    Examples,
    /// A file that names what the project depends on.
    Manifests,
}

impl Part {
    pub(super) const ALL: [Part; 8] = [
        Part::Code,
        Part::Tests,
        Part::Docs,
        Part::Data,
        Part::Substitute,
        Part::Gathering,
        Part::Examples,
        Part::Manifests,
    ];

    /// Returns the part of the file at `path`, judged by names alone.
    pub(super) fn of(path: &str) -> Part {
        let lower = path.to_lowercase();
        let (dirs, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
        let is_in = |names: &[&str]| dirs.split('/').any(|dir| names.contains(&dir));
        match Role::of(path) {
            Role::Tests => Part::Tests,
            Role::Docs if Role::of(name) == Role::Production && is_in(EXAMPLE_DIRS) => {
                if is_data(name) { Part::Data } else { Part::Examples }
            }
            Role::Docs => Part::Docs,
            Role::Generated => Part::Substitute,
            Role::Production if is_in(&["bench", "benches", "benchmarks"]) => Part::Tests,
            Role::Production if is_manifest(name) => Part::Manifests,
            Role::Production if is_data(name) => Part::Data,
            Role::Production if is_in(COMPATIBILITY_DIRS) => Part::Substitute,
            Role::Production if GATHERING_NAMES.contains(&name) => Part::Gathering,
            Role::Production => Part::Code,
        }
    }

    /// Returns the factor of the score, unless the question asks for such files.
    pub(super) fn weight(self) -> f64 {
        match self {
            Part::Code => 1.0,
            Part::Tests | Part::Docs | Part::Data | Part::Examples | Part::Manifests => 0.3,
            Part::Substitute => 0.45,
            Part::Gathering => 0.37,
        }
    }
}

fn is_data(name: &str) -> bool {
    name.starts_with('.') || DATA_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

fn is_manifest(name: &str) -> bool {
    let is_of_python = name.starts_with("requirements") && name.ends_with(".txt");
    MANIFESTS.contains(&name) || is_of_python || name.ends_with(".csproj")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_has_terms() {
        let terms = Terms::of_question("retry policy of networks", &[], false);
        for (path, in_name, explained) in [
            ("src/retry_policy.rs", &[1.0, 1.0, 0.0][..], 1.0),
            ("src/retry_policy/mod.rs", &[1.0, 1.0, 0.0], 1.0),
            ("crates/retry-policy/src/lib.rs", &[1.0, 1.0, 0.0], 1.0),
            ("src/RetryPolicies.java", &[1.0, 0.95, 0.0], 1.0),
            ("src/net.rs", &[0.0, 0.0, 0.7], 1.0),
            ("src/subnetworks.rs", &[0.0, 0.0, 0.7], 8.0 / 11.0),
        ] {
            let counts = PathCounts::of(&terms, path);
            assert_eq!(&*counts.in_name, in_name, "{path}");
            assert!((counts.explained - explained).abs() < 1e-6, "{path}: {}", counts.explained);
        }
        assert!(PathCounts::of(&terms, "src/main.rs").is_empty());
        let terms = Terms::of_question("http2 servers", &[], false);
        for (path, quality, explained) in
            [("src/http2.rs", 1.0, 1.0), ("src/http.rs", 0.7, 1.0), ("src/http/mod.rs", 0.7, 1.0)]
        {
            let counts = PathCounts::of(&terms, path);
            assert_eq!((counts.in_name[0], counts.explained), (quality, explained), "{path}");
        }
        assert_eq!(PathCounts::of(&terms, "src/http2/frame.rs").in_dirs[0], 1.0);
    }

    #[test]
    fn directories_count_by_their_distance() {
        let terms = Terms::of_question("http parser", &[], false);
        let counts = PathCounts::of(&terms, "parsers/http/a.rs");
        assert_eq!(&*counts.in_dirs, [1.0, 0.6]);
    }

    #[test]
    fn a_path_has_an_area() {
        let terms = Terms::of_question("runtime core order", &[], false).in_area("runtime-core");
        for (path, is_in_area) in [
            ("packages/runtime-core/src/vnode.ts", true),
            ("packages/runtime-dom/src/vnode.ts", false),
            ("packages/core/runtime.ts", true),
            ("order.ts", false),
        ] {
            assert_eq!(PathCounts::of(&terms, path).has_all(terms.area), is_in_area, "{path}");
        }
    }

    #[test]
    fn files_have_parts() {
        for (path, part) in [
            ("src/a.rs", Part::Code),
            ("src/a_test.go", Part::Tests),
            ("benches/a.rs", Part::Tests),
            ("README.md", Part::Docs),
            ("examples/README.md", Part::Docs),
            ("docs/conf.py", Part::Docs),
            ("examples/a/src/main.rs", Part::Examples),
            ("examples/a/Cargo.toml", Part::Data),
            ("Cargo.toml", Part::Manifests),
            ("requirements-dev.txt", Part::Manifests),
            ("Cargo.lock", Part::Substitute),
            ("patches/a.rs.patch", Part::Data),
            ("assets/a.conf.in", Part::Data),
            (".github/workflows/ci.yml", Part::Data),
            ("src/compat/a.py", Part::Substitute),
            ("src/__init__.py", Part::Gathering),
        ] {
            assert_eq!(Part::of(path), part, "{path}");
        }
    }
}
