//! Random programs on random trees, compared with plain sets.

use super::*;
use crate::walk::{PathFilter, Place};
use crate::workspace::RelPath;
use crate::workspace::fs::Meta;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Patterns and their meaning in a tree with a single content root and no modules.
type Meaning = fn(&str) -> bool;
const PATTERNS: &[(&str, Meaning)] = &[
    ("file:a//*", |path| path.starts_with("a/")),
    ("file:a/*", |path| path.starts_with("a/") && !path[2..].contains('/')),
    ("file:*.x", |path| path.ends_with(".x")),
    ("file:**.x", |path| path.ends_with(".x") && !path.contains('/')),
    ("file:*/", |_| true),
    ("file:*b/*.y", |path| path.contains("b/") && path.ends_with(".y")),
    ("projectPath:/b//c//*", |path| {
        path.starts_with("b/c/") || path.starts_with("b/") && path.contains("/c/")
    }),
    ("!file:a//*", |path| !path.starts_with("a/")),
    ("file:a//*&&!file:*.y||file:b/*", |path| {
        path.starts_with("a/") && !path.ends_with(".y")
            || path.starts_with("b/") && !path[2..].contains('/')
    }),
];

/// Returns whether the ignore file of the trees below excludes `path`.
fn is_ignored(path: &str) -> bool {
    path.split('/').any(|name| name == "ig") || path.ends_with(".log")
}

#[derive(Clone, Debug)]
enum Word {
    Pattern(usize),
    Directory(usize, bool),
    Files(Vec<usize>),
    AllPlaces,
    ProjectFiles,
    And,
    Or,
    Not,
}

fn words() -> impl Strategy<Value = Vec<Word>> {
    let word = prop_oneof![
        3 => (0..PATTERNS.len()).prop_map(Word::Pattern),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(at, deep)| Word::Directory(at, deep)),
        1 => proptest::collection::vec(any::<usize>(), 1..4).prop_map(Word::Files),
        1 => Just(Word::AllPlaces),
        1 => Just(Word::ProjectFiles),
        3 => Just(Word::And),
        3 => Just(Word::Or),
        3 => Just(Word::Not),
    ];
    proptest::collection::vec(word, 1..25)
}

fn paths() -> impl Strategy<Value = BTreeSet<String>> {
    let name = prop_oneof![Just("a"), Just("b"), Just("c"), Just("ig"), Just(".h"), Just("ab")];
    let file = prop_oneof![Just("f.x"), Just("f.y"), Just("g.log"), Just(".i.x"), Just("a-b.y")];
    let path = (proptest::collection::vec(name, 0..4), file).prop_map(|(mut dirs, file)| {
        dirs.push(file);
        dirs.join("/")
    });
    proptest::collection::btree_set(path, 1..25)
}

/// Returns an atom and the set of files that it selects.
fn meant_by_atom(
    atom: &Word,
    id: &str,
    files: &[String],
    all: &BTreeSet<String>,
) -> (ScopeAtom, BTreeSet<String>) {
    let mut dirs: Vec<String> = vec![".".to_owned()];
    dirs.extend(files.iter().filter_map(|file| Some(file.rsplit_once('/')?.0.to_owned())));
    let of = |holds: &dyn Fn(&str) -> bool| -> BTreeSet<String> {
        all.iter().filter(|path| holds(path)).cloned().collect()
    };
    match atom {
        Word::Pattern(at) => {
            let (text, meaning) = PATTERNS[*at];
            (pattern(id, text), of(&|path| !is_ignored(path) && meaning(path)))
        }
        Word::Directory(at, deep) => {
            let dir = dirs[at % dirs.len()].clone();
            let set = of(&|path| {
                let below = if dir == "." {
                    Some(path)
                } else {
                    path.strip_prefix(&dir).and_then(|rest| rest.strip_prefix('/'))
                };
                below.is_some_and(|below| *deep || !below.contains('/'))
            });
            let url = Some(dir.clone());
            let target = AtomTarget::Directory { url, with_subdirectories: *deep };
            (ScopeAtom::new(id, target), set)
        }
        Word::Files(at) => {
            let urls: Vec<String> = at.iter().map(|at| files[at % files.len()].clone()).collect();
            let set = urls.iter().cloned().collect();
            (ScopeAtom::new(id, AtomTarget::Files { urls }), set)
        }
        Word::AllPlaces => (standard(id, "All Places"), all.clone()),
        _ => (standard(id, "Project Files"), of(&|path| !is_ignored(path))),
    }
}

/// Returns the program and the set of files that it selects.
fn meant(words: &[Word], files: &[String]) -> (ScopeProgram, BTreeSet<String>) {
    let all: BTreeSet<String> = files.iter().cloned().collect();
    let (mut atoms, mut tokens, mut stack) = (Vec::new(), Vec::new(), Vec::new());
    for word in words {
        let op = match word {
            Word::And => ScopeOp::And,
            Word::Or => ScopeOp::Or,
            Word::Not => ScopeOp::Not,
            atom => {
                let id = atoms.len().to_string();
                let (atom, set) = meant_by_atom(atom, &id, files, &all);
                atoms.push(atom);
                stack.push(set);
                tokens.push(ScopeToken { op: ScopeOp::PushAtom, atom_id: Some(id) });
                continue;
            }
        };
        let taken = if op == ScopeOp::Not { 1 } else { 2 };
        if stack.len() < taken {
            continue;
        }
        let right = stack.pop().unwrap_or_default();
        let set = match op {
            ScopeOp::Not => &all - &right,
            ScopeOp::And => &stack.pop().unwrap_or_default() & &right,
            _ => &stack.pop().unwrap_or_default() | &right,
        };
        stack.push(set);
        tokens.push(ScopeToken { op, atom_id: None });
    }
    if atoms.is_empty() {
        return meant(&[Word::AllPlaces], files);
    }
    while stack.len() > 1 {
        let (right, left) = (stack.pop().unwrap_or_default(), stack.pop().unwrap_or_default());
        stack.push(&left | &right);
        tokens.push(ScopeToken { op: ScopeOp::Or, atom_id: None });
    }
    let program = program(atoms, "");
    (ScopeProgram { tokens, ..program }, stack.pop().unwrap_or_default())
}

fn no_stat() -> Option<Meta> {
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn programs_are_set_algebra_and_pruning_loses_no_file(
        paths in paths(), words in words(),
    ) {
        let mut files: Vec<(String, &str)> = paths.iter().map(|path| (path.clone(), "")).collect();
        files.push((".gitignore".to_owned(), "ig\n*.log\n"));
        let dir = tree(&files);
        let mut names: Vec<String> = files.into_iter().map(|(path, _)| path).collect();
        names.sort();
        let (program, expected) = meant(&words, &names);
        let found = found(&dir, &program).expect("resolved");
        let given: BTreeSet<String> = found.split_whitespace().map(str::to_owned).collect();
        prop_assert_eq!(&given, &expected, "{:?}", program);

        // The filter alone agrees, in any order and for any directory above a member.
        let workspace = workspace(&dir);
        let resolved = workspace.resolve_scope(&program, &ScopeContext::default(), &Call::new());
        let scope = resolved.expect("resolved").scope;
        for path in names.iter().rev().chain(&names) {
            let at = RelPath::from_components(path.split('/').map(str::as_bytes));
            let place = Place { path: &at, is_dir: false, is_ignored: is_ignored(path), stat: &no_stat };
            prop_assert_eq!(scope.matches(&place), expected.contains(path), "{} in {:?}", path, program);
            let mut above = at.parent();
            while let Some(dir) = above {
                let is_ignored = is_ignored(&dir.display());
                let place = Place { path: &dir, is_dir: true, is_ignored, stat: &no_stat };
                let is_pruned = !scope.visit(&place);
                prop_assert!(!is_pruned || !expected.contains(path), "{:?} in {:?}", dir, program);
                above = dir.parent();
            }
        }
    }
}
