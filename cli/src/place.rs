//! The root of a call, its start paths, and the form of paths in results.
//!
//! People name paths relative to the current directory, and the ignore files of a project apply below its
//! top. The root is therefore the git repository around the current directory, or else that directory. For
//! paths elsewhere it is their common parent. Results show paths in the form of the arguments.

use crate::failure::{Failure, Result};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Place {
    /// The directory to open, absolute.
    pub(crate) root: PathBuf,
    /// The start paths for the tools, relative to the root, with "/" between names.
    pub(crate) paths: Vec<String>,
    /// Each start path as results show it: its path in the root, and as written.
    written: Vec<(String, OsString)>,
    /// The current directory in the root, for results outside the start paths; `None` with a given root.
    here: Option<String>,
}

/// Returns the place of paths as a person writes them. A given root is opened as is, and paths are relative
/// to it.
pub(crate) fn place(root: Option<&OsStr>, paths: &[&OsStr]) -> Result<Place> {
    if let Some(root) = root {
        let text = |path: &&OsStr| path.to_str().map(str::to_owned).ok_or_else(|| not_text(path));
        let texts = paths.iter().map(text).collect::<Result<Vec<String>>>()?;
        return Ok(Place {
            // Links need absolute paths.
            root: std::path::absolute(root).unwrap_or_else(|_| PathBuf::from(root)),
            written: texts.iter().map(|path| (tidy(path), path.into())).collect(),
            paths: start_paths(texts),
            here: None,
        });
    }
    let here = current_dir()?;
    place_in(&here, &project_of(&here), paths)
}

/// Returns the current directory as the place, ignoring any repository around it.
pub(crate) fn place_here(root: Option<&OsStr>) -> Result<Place> {
    if root.is_some() {
        return place(root, &[]);
    }
    let here = current_dir()?;
    place_in(&here, &here, &[])
}

fn place_in(here: &Path, project: &Path, paths: &[&OsStr]) -> Result<Place> {
    let absolute: Vec<PathBuf> = match paths {
        [] => vec![here.to_owned()],
        paths => paths.iter().map(|path| normal(&here.join(path))).collect(),
    };
    let is_inside = absolute.iter().all(|path| path.starts_with(project));
    let root = if is_inside {
        project.to_owned()
    } else {
        if let Some((path, _)) = paths.iter().zip(&absolute).find(|(_, path)| !exists(path)) {
            return Err(missing(path));
        }
        around(&absolute)?
    };
    let root = textual(root, &absolute)?;
    let starts = absolute.iter().map(|path| slashed(path, &root));
    let starts = starts.collect::<Option<Vec<String>>>();
    let starts = starts.ok_or_else(|| Failure::defect("a path is not in the root"))?;
    let written = starts.iter().cloned().zip(paths.iter().map(OsString::from)).collect();
    Ok(Place { here: slashed(here, &root), root, paths: start_paths(starts), written })
}

/// Returns the root, or the directory in it below which all paths are text.
///
/// Start paths are arguments of a tool and so text. A directory whose name is not can still be searched as
/// the root itself, without the ignore files above it.
fn textual(root: PathBuf, paths: &[PathBuf]) -> Result<PathBuf> {
    let Some(path) = paths.iter().find(|path| slashed(path, &root).is_none()) else {
        return Ok(root);
    };
    let is_odd = |dir: &&Path| dir.file_name().is_some_and(|name| name.to_str().is_none());
    let dir = path.ancestors().find(is_odd).unwrap_or(path);
    if !exists(dir) {
        return Err(missing(dir.as_os_str()));
    }
    let is_root = is_dir(dir) && paths.iter().all(|path| slashed(path, dir).is_some());
    if is_root { Ok(dir.to_owned()) } else { Err(not_text(path.as_os_str())) }
}

fn missing(path: &OsStr) -> Failure {
    Failure::new(format!("PATH: '{}' does not exist", path.to_string_lossy()))
}

fn not_text(path: &OsStr) -> Failure {
    Failure::new(format!(
        "PATH: '{}' is not UTF-8; such a path must be a directory and the only PATH, without --root",
        path.to_string_lossy()
    ))
}

/// Returns the common parent of the paths, or the repository around it.
fn around(paths: &[PathBuf]) -> Result<PathBuf> {
    let mut common = paths.first().cloned().unwrap_or_default();
    for path in paths {
        while !path.starts_with(&common) && common.pop() {}
    }
    if paths.len() > 1 && common.parent().is_none() {
        return Err(Failure::new(
            "PATH: these paths have no directory in common but the file system's root; search each \
             alone, or name a root with --root DIR",
        ));
    }
    if !is_dir(&common) {
        common.pop();
    }
    Ok(project_of(&common))
}

/// Returns the directory of the git repository around `dir`, or `dir`.
fn project_of(dir: &Path) -> PathBuf {
    dir.ancestors().find(|dir| exists(&dir.join(".git"))).unwrap_or(dir).to_owned()
}

#[expect(clippy::disallowed_methods, reason = "the command runs in the directory of its caller")]
fn current_dir() -> Result<PathBuf> {
    std::env::current_dir()
        .map_err(|error| Failure::new(format!("the current directory cannot be used: {error}")))
}

#[expect(clippy::disallowed_methods, reason = "the root is chosen before the engine opens it")]
pub(crate) fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

#[expect(clippy::disallowed_methods, reason = "the root is chosen before the engine opens it")]
fn exists(path: &Path) -> bool {
    path.exists()
}

/// Resolves `.` and `..` textually, as the engine does.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// Returns a path in the root with "/" between its names; `None` for a path elsewhere or one that is not text.
fn slashed(path: &Path, root: &Path) -> Option<String> {
    let names = path.strip_prefix(root).ok()?.iter().map(OsStr::to_str);
    Some(names.collect::<Option<Vec<&str>>>()?.join("/"))
}

fn start_paths(paths: Vec<String>) -> Vec<String> {
    let paths = if paths.is_empty() { vec![String::new()] } else { paths };
    paths.into_iter().map(|path| if path.is_empty() { ".".to_owned() } else { path }).collect()
}

/// Normalizes a path relative to a given root to the form of results.
fn tidy(path: &str) -> String {
    let names = path.split('/').filter(|name| !name.is_empty() && *name != ".");
    names.collect::<Vec<_>>().join("/")
}

impl Place {
    /// Returns the path of a result as shown: below a start path in the form it was written, otherwise
    /// relative to the current directory.
    pub(crate) fn shown(&self, path: &[u8]) -> Vec<u8> {
        let below = |(start, written): &(String, OsString)| {
            let rest = below(path, start.as_bytes())?;
            let mut shown = written.as_encoded_bytes().to_vec();
            while shown.last() == Some(&b'/') {
                shown.pop();
            }
            if !rest.is_empty() {
                shown.push(b'/');
                shown.extend(rest);
            }
            Some((start.len(), shown))
        };
        let nearest = self.written.iter().filter_map(below).max_by_key(|(len, _)| *len);
        match (nearest, &self.here) {
            (Some((_, shown)), _) => shown,
            (None, Some(here)) => from_here(path, here),
            (None, None) => path.to_vec(),
        }
    }

    /// Returns the absolute path of a result.
    pub(crate) fn absolute(&self, path: &[u8]) -> Vec<u8> {
        let mut absolute = self.root.as_os_str().as_encoded_bytes().to_vec();
        if absolute.last() != Some(&b'/') {
            absolute.push(b'/');
        }
        absolute.extend(path);
        absolute
    }
}

/// Returns the part of the path below `start`; empty for `start` itself.
fn below<'a>(path: &'a [u8], start: &[u8]) -> Option<&'a [u8]> {
    if start.is_empty() {
        return Some(path);
    }
    match path.strip_prefix(start)? {
        [] => Some(&[]),
        [b'/', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// Returns a path in the root, relative to the directory `here` in it.
fn from_here(path: &[u8], here: &str) -> Vec<u8> {
    let mut up = 0;
    let mut dir = here;
    loop {
        if let Some(rest) = below(path, dir.as_bytes()) {
            let mut shown = b"../".repeat(up);
            shown.extend(rest);
            return shown;
        }
        up += 1;
        dir = dir.rsplit_once('/').map_or("", |(above, _)| above);
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the directories that they look at")]
mod tests {
    use super::*;

    fn at(here: &Path, paths: &[&str]) -> Result<Place> {
        let paths: Vec<&OsStr> = paths.iter().map(OsStr::new).collect();
        place_in(here, &project_of(here), &paths)
    }

    fn shown(place: &Place, path: &str) -> String {
        String::from_utf8(place.shown(path.as_bytes())).unwrap()
    }

    #[test]
    fn the_root_is_the_repository_around_the_current_directory() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path();
        std::fs::create_dir_all(top.join(".git")).unwrap();
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        let here = top.join("a/b");
        let place = at(&here, &[]).unwrap();
        assert_eq!((place.root.as_path(), place.paths.as_slice()), (top, &["a/b".to_owned()][..]));
        assert_eq!(shown(&place, "a/b/c.rs"), "c.rs");
        assert_eq!(shown(&place, "a/x.rs"), "../x.rs");
        assert_eq!(shown(&place, "y.rs"), "../../y.rs");
        let place = at(&here, &["../", "./c"]).unwrap();
        assert_eq!(place.paths, ["a", "a/b/c"]);
        assert_eq!(shown(&place, "a/b/c/d.rs"), "./c/d.rs");
        assert_eq!(shown(&place, "a/x.rs"), "../x.rs");
    }

    #[test]
    fn paths_elsewhere_bring_the_root_that_contains_them() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path();
        for name in ["here", "one/deep", "two"] {
            std::fs::create_dir_all(top.join(name)).unwrap();
        }
        let here = top.join("here");
        let one = top.join("one").to_str().unwrap().to_owned();
        let place = at(&here, &[&one]).unwrap();
        assert_eq!(
            (place.root.as_path(), place.paths.as_slice()),
            (top.join("one").as_path(), &[".".to_owned()][..])
        );
        assert_eq!(shown(&place, "a.rs"), format!("{one}/a.rs"));
        let place = at(&here, &["../one/deep", "../two"]).unwrap();
        assert_eq!(place.root, top);
        assert_eq!(place.paths, ["one/deep", "two"]);
        assert_eq!(shown(&place, "one/deep/a.rs"), "../one/deep/a.rs");
        let none = at(&here, &[&one, "/dev"]).unwrap_err();
        assert!(none.message.contains("--root"), "{}", none.message);
    }

    #[test]
    fn a_file_elsewhere_brings_its_directory() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("here")).unwrap();
        std::fs::write(dir.path().join("a.txt"), "").unwrap();
        let here = dir.path().join("here");
        let place = at(&here, &["../a.txt"]).unwrap();
        assert_eq!(
            (place.root.as_path(), place.paths.as_slice()),
            (dir.path(), &["a.txt".to_owned()][..])
        );
        assert_eq!(shown(&place, "a.txt"), "../a.txt");
    }
}
