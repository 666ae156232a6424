//! Expands the member patterns of a workspace manifest to directories.

use super::graph::MODULES_MAX;
use super::places::is_passed_over;
use super::reader::ManifestReader;
use crate::budget::Stopped;
use crate::encoding::as_native_path;
use crate::workspace::RelPath;
use crate::workspace::fs::Kind;
use globset::{Glob, GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};
use std::collections::{BTreeSet, HashSet};

/// Limits of a pattern's length and stars: longer ones would be slow to match.
const PATTERN_BYTES_MAX: usize = 512;
const STARS_MAX: usize = 16;
/// The maximum number of wildcard patterns, and of exclusions. The rest is reported and skipped.
const GLOBS_MAX: usize = 500;
/// The maximum number of directories after each part of a pattern.
const DIRS_MAX: usize = 20_000;
/// The depth limit of `**`, which no real tree reaches.
const DEPTH_MAX: usize = 64;

/// One segment of a pattern.
enum Part {
    Literal(String),
    /// A segment with wildcards, which matches one name.
    Name(GlobMatcher),
    /// `**`: any number of segments.
    Any,
}

/// Returns the directories that contain `manifest` and match `patterns`, relative to the directory of `file`
/// and excluding it. A leading `!` negates a pattern.
pub(super) fn expand(
    reader: &mut ManifestReader<'_>,
    file: &RelPath,
    patterns: &[&str],
    left_out: &[&str],
    manifest: &str,
) -> Result<BTreeSet<RelPath>, Stopped> {
    let base = file.parent().unwrap_or_default();
    let negated = patterns.iter().filter_map(|pattern| pattern.strip_prefix('!'));
    let left_out = globs(reader, file, &base, negated.chain(left_out.iter().copied()));
    let mut members = BTreeSet::new();
    let mut n_globs = 0;
    for pattern in patterns.iter().filter(|pattern| !pattern.starts_with('!')) {
        let Some(parts) = parts(reader, file, pattern) else {
            continue;
        };
        n_globs += usize::from(parts.iter().any(|part| !matches!(part, Part::Literal(_))));
        if n_globs > GLOBS_MAX {
            reader.problem(file, format_args!("more than {GLOBS_MAX} member patterns"));
            break;
        }
        for dir in matching(reader, file, &base, &parts)? {
            if dir == base
                || left_out
                    .as_ref()
                    .is_some_and(|globs| globs.is_match(as_native_path(dir.as_bytes())))
                || !reader.is_file(&dir.join(manifest.as_bytes()))
            {
                continue;
            }
            if members.len() == MODULES_MAX {
                reader.problem(file, format_args!("more than {MODULES_MAX} members"));
                return Ok(members);
            }
            members.insert(dir);
        }
    }
    Ok(members)
}

/// Returns the directories that match the parts, level by level. They need not exist if the last part is a
/// literal.
fn matching(
    reader: &mut ManifestReader<'_>,
    file: &RelPath,
    base: &RelPath,
    parts: &[Part],
) -> Result<Vec<RelPath>, Stopped> {
    let mut here = vec![base.clone()];
    for part in parts {
        let mut next = Vec::new();
        let mut walked = HashSet::new();
        for dir in here {
            reader.budget.poll()?;
            match part {
                Part::Literal(name) if name == ".." => match dir.parent() {
                    Some(above) => next.push(above),
                    None => {
                        reader.problem(file, "a member pattern leads outside the root");
                    }
                },
                Part::Literal(name) => next.push(dir.join(name.as_bytes())),
                Part::Name(glob) => {
                    let wanted = |name: &[u8], kind| {
                        kind == Kind::Dir
                            && !is_passed_over(name)
                            && glob.is_match(as_native_path(name))
                    };
                    let entries = reader.entries_where(&dir, &wanted)?;
                    if next.len() <= DIRS_MAX {
                        next.extend(entries.iter().map(|entry| dir.join(&entry.name)));
                    }
                }
                Part::Any => all_below(reader, dir, &mut walked, &mut next)?,
            }
        }
        // `**/**` would yield every directory once per way to it.
        let mut known = HashSet::new();
        next.retain(|dir| known.insert(dir.clone()));
        if next.len() > DIRS_MAX {
            reader.problem(file, format_args!("a pattern names more than {DIRS_MAX} directories"));
            next.truncate(DIRS_MAX);
        }
        here = next;
    }
    Ok(here)
}

/// Adds `top` and the directories below it, except those already walked.
fn all_below(
    reader: &mut ManifestReader<'_>,
    top: RelPath,
    walked: &mut HashSet<RelPath>,
    all: &mut Vec<RelPath>,
) -> Result<(), Stopped> {
    let mut todo = vec![(top, 0)];
    while let Some((dir, depth)) = todo.pop() {
        if !walked.insert(dir.clone()) {
            continue;
        }
        if depth < DEPTH_MAX && todo.len() + all.len() <= DIRS_MAX {
            let wanted = |name: &[u8], kind| kind == Kind::Dir && !is_passed_over(name);
            let entries = reader.entries_where(&dir, &wanted)?;
            todo.extend(entries.iter().map(|entry| (dir.join(&entry.name), depth + 1)));
        }
        all.push(dir);
    }
    Ok(())
}

fn parts(reader: &mut ManifestReader<'_>, file: &RelPath, pattern: &str) -> Option<Vec<Part>> {
    let part = |name: &str| match name {
        "**" => Some(Part::Any),
        name if name.contains(['*', '?', '[', '{']) => {
            Some(Part::Name(glob(name)?.compile_matcher()))
        }
        name if name.contains('\0') => None,
        name => Some(Part::Literal(name.to_owned())),
    };
    let names = pattern.split('/').filter(|name| !matches!(*name, "" | "."));
    let parts: Option<Vec<Part>> =
        if pattern.starts_with('/') { None } else { names.map(part).collect() };
    if parts.is_none() {
        let shown = pattern.escape_debug();
        reader.problem(file, format_args!("the pattern '{shown}' is not supported"));
    }
    parts
}

/// Compiles the exclusions into one matcher for paths relative to the root.
fn globs<'p>(
    reader: &mut ManifestReader<'_>,
    file: &RelPath,
    base: &RelPath,
    patterns: impl Iterator<Item = &'p str>,
) -> Option<GlobSet> {
    let base = std::str::from_utf8(base.as_bytes()).ok()?;
    let mut globs = GlobSetBuilder::new();
    let mut is_empty = true;
    for pattern in patterns.take(GLOBS_MAX) {
        let below = pattern.trim_start_matches("./").trim_end_matches('/');
        let below = if base.is_empty() {
            below.to_owned()
        } else {
            format!("{}/{below}", globset::escape(base))
        };
        match glob(&below) {
            Some(glob) => {
                globs.add(glob);
                is_empty = false;
            }
            None => {
                let shown = pattern.escape_debug();
                reader.problem(file, format_args!("the pattern '{shown}' is not supported"));
            }
        }
    }
    if is_empty { None } else { globs.build().ok() }
}

fn glob(pattern: &str) -> Option<Glob> {
    let n_stars = pattern.bytes().filter(|byte| matches!(byte, b'*' | b'{')).count();
    if pattern.len() > PATTERN_BYTES_MAX || n_stars > STARS_MAX {
        return None;
    }
    GlobBuilder::new(pattern).literal_separator(true).build().ok()
}
