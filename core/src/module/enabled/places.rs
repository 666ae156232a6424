//! Finds manifests in the root and a few levels of directories below it.

use super::reader::ManifestReader;
use crate::budget::Stopped;
use crate::workspace::RelPath;
use crate::workspace::fs::Kind;
use std::collections::BTreeMap;

/// The number of levels below the root that are searched.
const LEVELS_MAX: usize = 3;
/// The maximum number of directories that are listed.
const DIRS_MAX: usize = 2_000;
/// The search ends after this number of directories without a manifest: listing one takes tens of
/// microseconds, and a tree without manifests should cost only a few milliseconds.
const FRUITLESS_MAX: usize = 400;

/// The files that describe modules.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "Gemfile",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "go.mod",
    "go.work",
    "package.json",
    "pnpm-workspace.yaml",
    "pom.xml",
    "pyproject.toml",
    "settings.gradle",
    "settings.gradle.kts",
    "setup.cfg",
    "setup.py",
];

/// The endings of files that describe modules and are named after them, after a `*`.
const ENDINGS: &[&str] = &["*.csproj", "*.fsproj", "*.gemspec", "*.sln", "*.slnx", "*.vbproj"];

/// Directories of generated or downloaded files, which contain no modules of the tree.
const PASSED_OVER: &[&str] = &[
    "__pycache__",
    "build",
    "dist",
    "node_modules",
    "out",
    "site-packages",
    "target",
    "vendor",
    "venv",
];

/// The directories that contain each kind of manifest, in order.
#[derive(Debug, Default)]
pub(super) struct Places(BTreeMap<&'static str, Vec<RelPath>>);

impl Places {
    /// Searches level by level, so that one large directory does not hide the others.
    pub(super) fn find(reader: &mut ManifestReader<'_>) -> Result<Places, Stopped> {
        let mut places = Places::default();
        let mut level = vec![RelPath::root()];
        let mut n_listed = 0;
        for depth in 0..=LEVELS_MAX {
            let mut below = Vec::new();
            for dir in &level {
                let n_max = if places.0.is_empty() { FRUITLESS_MAX } else { DIRS_MAX };
                if n_listed >= n_max {
                    let problem =
                        format_args!("only {n_listed} directories were searched for manifests");
                    reader.problem(&RelPath::root(), problem);
                    places.sort();
                    return Ok(places);
                }
                n_listed += 1;
                places.look_into(reader, dir, depth < LEVELS_MAX, &mut below)?;
            }
            level = below;
            level.sort_unstable();
        }
        places.sort();
        Ok(places)
    }

    /// Notes the manifests in `dir` and returns the directories to search next.
    fn look_into(
        &mut self,
        reader: &mut ManifestReader<'_>,
        dir: &RelPath,
        goes_on: bool,
        below: &mut Vec<RelPath>,
    ) -> Result<(), Stopped> {
        let is_wanted = |name: &[u8], kind| match kind {
            Kind::Dir => goes_on && !is_passed_over(name),
            // A manifest that is not a regular file is reported when it is read.
            _ => manifest(name).is_some(),
        };
        for entry in reader.entries_where(dir, &is_wanted)? {
            match manifest(&entry.name) {
                Some(name) if entry.kind != Kind::Dir => {
                    self.0.entry(name).or_default().push(dir.clone());
                }
                _ => below.push(dir.join(&entry.name)),
            }
        }
        Ok(())
    }

    fn sort(&mut self) {
        for dirs in self.0.values_mut() {
            dirs.sort_unstable();
            dirs.dedup();
        }
    }

    /// Returns the directories with a manifest of that name or ending.
    pub(super) fn with(&self, manifest: &str) -> &[RelPath] {
        debug_assert!(
            MANIFESTS.contains(&manifest) || ENDINGS.contains(&manifest),
            "{manifest} is not in the list of manifests"
        );
        self.0.get(manifest).map_or(&[], Vec::as_slice)
    }
}

/// Returns whether a directory of that name contains no modules of the tree.
pub(super) fn is_passed_over(name: &[u8]) -> bool {
    name.starts_with(b".") || PASSED_OVER.iter().any(|one| one.as_bytes() == name)
}

fn manifest(name: &[u8]) -> Option<&'static str> {
    let named = MANIFESTS.iter().find(|manifest| manifest.as_bytes() == name);
    let ends =
        |ending: &&&str| name.len() >= ending.len() && name.ends_with(&ending.as_bytes()[1..]);
    named.or_else(|| ENDINGS.iter().find(ends)).copied()
}
