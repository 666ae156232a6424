//! Packages that package managers have installed in the tree.

use super::reader::{MANIFEST_BYTES_MAX, ManifestReader};
use super::{Library, LibraryNames};
use crate::budget::Stopped;
use crate::workspace::RelPath;
use std::collections::BTreeSet;

/// Common names of Python virtual environments.
const ENVIRONMENTS: &[&str] = &[".venv", "env", "venv"];
/// The maximum number of named modules in a `vendor` directory.
const VENDORED_MAX: usize = 20_000;

/// A library and the directory reserved for it.
pub(super) struct Installed {
    pub dir: RelPath,
    pub library: Library,
}

/// Returns the installed packages of every kind in `dir`.
pub(super) fn all(
    reader: &mut ManifestReader<'_>,
    dir: &RelPath,
) -> Result<Vec<Installed>, Stopped> {
    let mut found = environments(reader, dir)?;
    found.extend(node_modules(reader, dir));
    found.extend(go_vendor(reader, dir)?);
    Ok(found)
}

/// Returns the `node_modules` directory in `dir`.
pub(super) fn node_modules(reader: &mut ManifestReader<'_>, dir: &RelPath) -> Option<Installed> {
    let path = reader.dirs_named(dir, &["node_modules"]).pop()?;
    Some(installed(path.clone(), LibraryNames::NodeModules, vec![path]))
}

/// Returns the `vendor` directory in `dir`, if Go created it.
pub(super) fn go_vendor(
    reader: &mut ManifestReader<'_>,
    dir: &RelPath,
) -> Result<Option<Installed>, Stopped> {
    let vendor = dir.join(b"vendor");
    if !reader.is_dir(&vendor) {
        return Ok(None);
    }
    let Some(list) = reader.bytes(&vendor.join(b"modules.txt"), 4 * MANIFEST_BYTES_MAX)? else {
        return Ok(None);
    };
    let list = String::from_utf8_lossy(&list);
    let paths = list.lines().filter_map(|line| line.strip_prefix("# ")?.split_whitespace().next());
    let paths: BTreeSet<String> = paths.take(VENDORED_MAX).map(str::to_owned).collect();
    let names = LibraryNames::GoVendor(paths.into_iter().collect());
    Ok(Some(installed(vendor.clone(), names, vec![vendor])))
}

/// Returns the Python virtual environments in `dir`.
pub(super) fn environments(
    reader: &mut ManifestReader<'_>,
    dir: &RelPath,
) -> Result<Vec<Installed>, Stopped> {
    let mut found = Vec::new();
    for environment in reader.dirs_named(dir, ENVIRONMENTS) {
        if !reader.is_file(&environment.join(b"pyvenv.cfg")) {
            continue;
        }
        // One per Python version on most systems, a single one on Windows.
        let mut holders = reader.dirs(&environment.join(b"lib"))?;
        holders.retain(|dir| dir.file_name().starts_with(b"python"));
        holders.push(environment.join(b"Lib"));
        let classes: Vec<RelPath> =
            holders.iter().flat_map(|dir| reader.dirs_named(dir, &["site-packages"])).collect();
        if !classes.is_empty() {
            found.push(installed(environment, LibraryNames::Entries, classes));
        }
    }
    Ok(found)
}

fn installed(dir: RelPath, names: LibraryNames, classes: Vec<RelPath>) -> Installed {
    Installed { dir, library: Library { names, classes, sources: Vec::new() } }
}
