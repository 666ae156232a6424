//! Where manifests lie: the root and a few levels of directories below it.

use super::look::Look;
use crate::budget::Stopped;
use crate::workspace::RelPath;
use crate::workspace::fs::Kind;
use std::collections::BTreeMap;

/// Directories so far below the root are still looked at.
const LEVELS_MAX: usize = 3;
/// More directories are not looked at: this is meant to cost milliseconds in any tree.
const DIRS_MAX: usize = 2_000;

/// The files that describe modules.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "build.gradle",
    "build.gradle.kts",
    "go.mod",
    "go.work",
    "package.json",
    "pnpm-workspace.yaml",
    "pom.xml",
    "pyproject.toml",
    "settings.gradle",
    "settings.gradle.kts",
];

/// Directories that hold what tools have made or fetched, and no modules of the tree.
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

/// For each kind of manifest the directories that have one, in order.
#[derive(Debug, Default)]
pub(super) struct Places(BTreeMap<&'static str, Vec<RelPath>>);

impl Places {
    /// Looks level by level, so that one large directory does not hide the others.
    pub(super) fn find(look: &mut Look<'_>) -> Result<Places, Stopped> {
        let mut places = Places::default();
        let mut level = vec![RelPath::root()];
        let mut n_left = DIRS_MAX;
        for depth in 0..=LEVELS_MAX {
            let mut below = Vec::new();
            if level.len() > n_left {
                level.truncate(n_left);
                let told = format_args!("only {DIRS_MAX} directories are looked at for manifests");
                look.problem(&RelPath::root(), told);
            }
            n_left -= level.len();
            for dir in &level {
                for entry in look.entries_where(dir, &|name, kind| {
                    manifest(name).is_some_and(|_| kind != Kind::Dir)
                        || kind == Kind::Dir && depth < LEVELS_MAX && !is_passed_over(name)
                })? {
                    match (entry.kind, manifest(&entry.name)) {
                        (Kind::Dir, _) => below.push(dir.join(&entry.name)),
                        // What is no regular file is told when it is read.
                        (_, Some(name)) => places.0.entry(name).or_default().push(dir.clone()),
                        _ => {}
                    }
                }
            }
            level = below;
            level.sort_unstable();
        }
        for dirs in places.0.values_mut() {
            dirs.sort_unstable();
        }
        Ok(places)
    }

    /// The directories with a manifest of that name.
    pub(super) fn with(&self, manifest: &str) -> &[RelPath] {
        debug_assert!(MANIFESTS.contains(&manifest), "{manifest} is not looked for");
        self.0.get(manifest).map_or(&[], Vec::as_slice)
    }
}

/// Whether a directory of that name holds no modules of the tree.
pub(super) fn is_passed_over(name: &[u8]) -> bool {
    name.starts_with(b".") || PASSED_OVER.iter().any(|one| one.as_bytes() == name)
}

fn manifest(name: &[u8]) -> Option<&'static str> {
    MANIFESTS.iter().find(|manifest| manifest.as_bytes() == name).copied()
}
