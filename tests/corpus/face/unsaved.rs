//! The Rust face over a tree whose texts are not on disk.

use super::core::run_one;
use super::{Call, Face, Outcome};
use searchscope_tools::{open_workspace, with_overlay};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Removes the ordinary text files of the tree from the disk, lays them over it as unsaved texts, and
/// calls the crate. No other face can use the tree afterwards.
#[derive(Clone, Copy, Debug)]
pub struct UnsavedFace;

impl Face for UnsavedFace {
    fn name(&self) -> String {
        "core over unsaved texts".into()
    }

    fn run(&self, root: &Path, options: &str, calls: &[Call]) -> Vec<Outcome> {
        let workspace = open_workspace(root, options.as_bytes()).expect("opened before");
        let deny = options.contains("deny");
        let mut texts = Map::new();
        // Unsaved texts count as written now, which a reply with times shows.
        let has = |what: &str| {
            calls.iter().any(|call| String::from_utf8_lossy(&call.args).contains(what))
        };
        if !has("details") {
            take_texts(root, root, &mut texts);
        }
        // An unsaved text is UTF-8, whatever encoding a call declares for the files on disk.
        if has("\"encoding\"") {
            texts.retain(|_, text| text.as_str().is_some_and(str::is_ascii) && !has("utf-16"));
        }
        let over = |texts: &Map<String, Value>| {
            with_overlay(&workspace, Value::from(texts.clone()).to_string().as_bytes())
        };
        // A denied file cannot have an unsaved text; it stays on disk.
        if deny {
            texts
                .retain(|path, text| over(&Map::from_iter([(path.clone(), text.clone())])).is_ok());
        }
        for path in texts.keys() {
            fs::remove_file(root.join(path)).expect("removed");
        }
        let edited = over(&texts).expect("laid over");
        calls.iter().map(|call| run_one(&edited, call)).collect()
    }
}

/// Collects the files below `dir` that differ only in name and text.
fn take_texts(root: &Path, dir: &Path, texts: &mut Map<String, Value>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(meta) = fs::symlink_metadata(&path) else {
            continue;
        };
        if meta.is_dir() {
            take_texts(root, &path, texts);
        } else if is_ordinary(&meta)
            && let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str)
            && let Ok(text) = fs::read_to_string(&path)
        {
            texts.insert(name.to_owned(), text.into());
        }
    }
}

/// Returns whether a file has no fixed time, mode or second name.
fn is_ordinary(meta: &fs::Metadata) -> bool {
    let is_new = meta
        .modified()
        .is_ok_and(|time| time.elapsed().is_ok_and(|age| age < Duration::from_secs(3600)));
    meta.is_file() && is_new && has_usual_mode_and_one_name(meta) && meta.len() < 1 << 20
}

#[cfg(unix)]
fn has_usual_mode_and_one_name(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.nlink() == 1 && meta.mode() & 0o777 == 0o644
}

/// Cases make no files with a mode or a second name here.
#[cfg(not(unix))]
fn has_usual_mode_and_one_name(_meta: &fs::Metadata) -> bool {
    true
}
