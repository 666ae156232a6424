//! The ordered run, on lists of files that need not exist.

use super::{
    Effort, FileBlock, FileList, KnownFiles, RunOptions, Tally, Visit, Visited, Visitor, run,
};
use crate::budget::Budget;
use crate::call::Call;
use crate::tests::tree;
use crate::{RelPath, Workspace};
use std::sync::Arc;

const FILES: usize = 400;

/// Reports every file as a result of a given weight.
struct Heavy {
    weight: usize,
}

struct HeavyItem {
    name: Vec<u8>,
    weight: usize,
}

impl Visitor for Heavy {
    type Scratch = ();
    type Item = HeavyItem;

    fn visit(&self, visit: Visit<'_, ()>) -> Visited<HeavyItem> {
        let found = HeavyItem { name: visit.file.name().to_vec(), weight: self.weight };
        Visited { found: Some(found), effort: Effort::Small, ..Visited::nothing() }
    }

    fn weight(found: &HeavyItem) -> usize {
        found.weight
    }
}

#[test]
fn no_task_is_left_undone_while_results_wait_for_the_consumer() {
    const MIB: usize = 1024 * 1024;
    let dir = tree(&[("f", "")]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    let names: Vec<String> = (0..FILES).map(|n| format!("{n:04}")).collect();
    let paths: Vec<RelPath> = names.iter().map(|name| RelPath::of_bytes(name.as_bytes())).collect();
    let source = KnownFiles::new(workspace.fs(), FileList::of_paths(&paths), false);
    for (weight, streams) in [(3 * MIB, true), (9 * MIB, false), (MIB / 2, true)] {
        let options = RunOptions { streams, ..RunOptions::on(4) };
        let visitor = Arc::new(Heavy { weight });
        for round in 0..100 {
            let budget = Arc::new(Budget::of(&Call::new()));
            let mut found = Vec::new();
            let mut consume = |file: HeavyItem, _: &mut FileBlock, _: &mut Tally| {
                found.push(String::from_utf8(file.name).expect("a name"));
                true
            };
            run(&budget, &source, &visitor, options, &mut consume).expect("run");
            assert!(found == names, "{weight} {streams} {round}: {} files", found.len());
        }
    }
}
