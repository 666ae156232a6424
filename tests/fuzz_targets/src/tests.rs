//! Runs the targets on the committed inputs.

use super::TARGETS;
use parking_lot::Mutex;
use searchscope::fuzzing::git;
use searchscope_tools::TOOLS;
use std::collections::BTreeSet;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

/// The target in `ffi`, which replays its own inputs.
const ELSEWHERE: &str = "c_api";

/// Inputs of one target share a tree.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

#[test]
fn every_committed_input_passes() {
    let _turn = ONE_AT_A_TIME.lock();
    let mut failed = Vec::new();
    for (name, target) in TARGETS {
        let inputs = inputs(name);
        assert!(inputs.len() > 3, "{name} has {} inputs", inputs.len());
        for path in inputs {
            let data = fs::read(&path).expect("read");
            if panic::catch_unwind(|| target(&data)).is_err() {
                failed.push(path);
            }
        }
    }
    assert!(failed.is_empty(), "these failed, see above: {failed:#?}");
}

#[test]
fn every_folder_of_inputs_belongs_to_a_target() {
    let mut names: BTreeSet<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    names.insert(ELSEWHERE);
    let mut n_folders = 0;
    for kind in ["corpus", "regressions"] {
        for folder in entries(&fuzz().join(kind)) {
            let name = folder.file_name().and_then(|name| name.to_str()).expect("a name");
            assert!(names.contains(name), "{} belongs to no target", folder.display());
            n_folders += 1;
        }
    }
    assert!(n_folders >= names.len(), "{n_folders} folders");
    for name in names {
        let program = fuzz().join(format!("fuzz_targets/{name}.rs"));
        assert!(program.is_file(), "{name} has no program");
        assert!(entries(&fuzz().join("corpus").join(name)).len() <= 40, "{name}: keep few");
    }
}

#[test]
fn there_is_an_input_for_every_tool() {
    let of = |path: &PathBuf| usize::from(fs::read(path).expect("read")[0]) % TOOLS.len();
    let named: BTreeSet<usize> = inputs("tool_call").iter().map(of).collect();
    assert_eq!(named.len(), TOOLS.len(), "{named:?}");
}

#[test]
fn any_bytes_are_accepted() {
    let _turn = ONE_AT_A_TIME.lock();
    let mut state = 1_u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    for n in 0..60 {
        let data: Vec<u8> = (0..n * 4).map(|_| byte()).collect();
        TARGETS.iter().for_each(|(_, target)| target(&data));
    }
}

/// Returns the folder of the programs and inputs; the package does not include it.
fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("listed").path()).collect();
    paths.sort();
    paths
}

fn inputs(name: &str) -> Vec<PathBuf> {
    let folders = ["corpus", "regressions"].map(|kind| fuzz().join(kind).join(name));
    folders.iter().flat_map(|folder| entries(folder)).collect()
}

#[test]
fn the_files_of_git_among_the_inputs_are_read() {
    for path in inputs("git_formats") {
        let data = fs::read(&path).expect("read");
        let (first, second) = data[4..].split_at(256 * usize::from(data[2]) + usize::from(data[3]));
        let is_sha256 = data[1] == 1;
        match data[0] {
            0 => {
                let entries = git::index(first, Some(second), is_sha256);
                assert!(entries.is_some_and(|entries| entries.len() > 1), "{}", path.display());
            }
            2 => {
                let sizes = git::pack(first, second, is_sha256).expect("a pack");
                assert!(sizes.len() == 8 && sizes.iter().all(Option::is_some), "{sizes:?}");
            }
            3 => assert!(git::delta(first, second).is_some()),
            _ => {}
        }
    }
}
