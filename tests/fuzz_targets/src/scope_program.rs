//! Scope programs, checked against sets of files: the files that a program resolves to, and the
//! directories that it enters.

use super::bytes::Bytes;
use super::scope_pattern::is_match;
use super::{open, tree};
use searchscope::fuzzing::{place, rel_path};
use searchscope::{
    AtomKind, AtomTarget, Call, ErrorKind, FailureMode, ScopeAtom, ScopeContext, ScopeOp,
    ScopeProgram, ScopeToken, Workspace,
};
use std::collections::BTreeSet;
use std::sync::OnceLock;
use tempfile::TempDir;

const TOKENS_MAX: usize = 48;

/// The universe. Files below `ig` and logs are ignored.
const FILES: &[&str] = &[
    ".gitignore",
    ".h/x.x",
    "a/b/c.x",
    "a/b/ig/y.y",
    "a/b.y",
    "a/f.x",
    "a-b/f.x",
    "b/a/f.log",
    "b/f.y",
    "b/c/d/e/f.x",
    "c.x",
    "d.log",
    "ig/a.x",
];
const DIRS: &[&str] = &[".", "a", "a/b", "a/b/ig", "b", "b/c/d", "ig", ".h", "missing", "c.x"];
const PIECES: &[&str] = &["a", "b", "/", "*", "//", ".", "f", "x", "y", "c", "-", "**"];

/// A set of files.
type Set = BTreeSet<&'static str>;

/// Strictness, the default for failed atoms, then the tokens of a program.
pub fn scope_program(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut program = ScopeProgram {
        atoms: Vec::new(),
        tokens: Vec::new(),
        strict: bytes.is_set(),
        allow_ui_interactive_scopes: false,
        non_strict_default_failure_mode: bytes.pick(FailureMode::ALL),
    };
    let mut sets = Vec::new();
    while !bytes.is_empty() && program.tokens.len() < TOKENS_MAX {
        let op = match bytes.below(8) {
            0..=3 => ScopeOp::PushAtom,
            4 => ScopeOp::Not,
            5 => ScopeOp::And,
            _ => ScopeOp::Or,
        };
        let atom_id = (op == ScopeOp::PushAtom).then(|| {
            // Some tokens push an atom that another has pushed before.
            if bytes.below(5) > 0 || program.atoms.is_empty() {
                let (atom, set) = atom(&mut bytes, program.atoms.len());
                program.atoms.push(atom);
                sets.push(set);
                return (program.atoms.len() - 1).to_string();
            }
            bytes.below(program.atoms.len()).to_string()
        });
        program.tokens.push(ScopeToken { op, atom_id });
    }
    let expected = meant(&program, &sets);
    let context = ScopeContext::default();
    match workspace().resolve_scope(&program, &context, &Call::new()) {
        Ok(resolved) => {
            let expected = expected.unwrap_or_else(|| panic!("not a program: {program:?}"));
            check(&resolved.scope, &expected, &program);
        }
        Err(error) => {
            assert!(expected.is_none(), "{error:?} for {program:?}");
            let is_known = matches!(
                error.kind(),
                ErrorKind::InvalidParam | ErrorKind::NotFound | ErrorKind::PatternSyntax
            );
            assert!(is_known, "{error:?} for {program:?}");
        }
    }
}

fn workspace() -> &'static Workspace {
    static OPENED: OnceLock<(TempDir, Workspace)> = OnceLock::new();
    let (_, workspace) = OPENED.get_or_init(|| {
        let text = |path: &&'static str| if *path == ".gitignore" { "ig\n*.log\n" } else { "" };
        let files: Vec<(&str, &str)> = FILES.iter().map(|path| (*path, text(path))).collect();
        let dir = tree(&files);
        let workspace = open(dir.path(), 1);
        (dir, workspace)
    });
    workspace
}

fn is_ignored(path: &str) -> bool {
    path.split('/').any(|name| name == "ig") || path.ends_with(".log")
}

fn all_where(holds: impl Fn(&str) -> bool) -> Set {
    FILES.iter().copied().filter(|path| holds(path)).collect()
}

/// Returns an atom with its files, or `None` if it fails to resolve.
fn atom(bytes: &mut Bytes<'_>, place: usize) -> (ScopeAtom, Option<Set>) {
    let id = place.to_string();
    let kind = bytes.below(9);
    let on_resolve_failure = match bytes.below(6) {
        at @ 0..=2 => Some(FailureMode::ALL[at]),
        _ => None,
    };
    let (atom, set) = match kind {
        0 => (standard(&id, "All Places"), Some(all_where(|_| true))),
        1 => (standard(&id, "Project Files"), Some(all_where(|path| !is_ignored(path)))),
        2 => (standard(&id, "No Such Files"), None),
        3 => {
            let is_deep = bytes.is_set();
            let dir = bytes.pick(DIRS);
            let below = move |path: &str| {
                let below =
                    if dir == "." { Some(path) } else { path.strip_prefix(dir)?.strip_prefix('/') };
                below.filter(|below| is_deep || !below.contains('/')).map(drop)
            };
            let set = all_where(|path| below(path).is_some());
            let url = Some(dir.to_owned());
            let target = AtomTarget::Directory { url, with_subdirectories: is_deep };
            (ScopeAtom::new(id, target), (!matches!(dir, "missing" | "c.x")).then_some(set))
        }
        4 => {
            let mut paths: Vec<&'static str> =
                (0..1 + bytes.below(3)).map(|_| bytes.pick(FILES)).collect();
            if bytes.below(8) == 7 {
                paths.push("missing");
            }
            let is_there = !paths.contains(&"missing");
            let urls = paths.iter().map(|path| (*path).to_owned()).collect();
            let atom = ScopeAtom::new(id, AtomTarget::Files { urls });
            (atom, is_there.then(|| paths.into_iter().collect()))
        }
        // The tree is not a repository.
        8 => (ScopeAtom::new(id, AtomTarget::GitChanged { since: None }), None),
        _ => {
            let body =
                format!("{}{}", bytes.pick(&["a", "*", "b", "*/"]), bytes.text_of(PIECES, 6));
            let prefix = bytes.pick(&["file", "projectPath"]);
            // Ignored files are not content, so no pattern contains them.
            let holds = |path: &str| !is_ignored(path) && is_match('/', &body, path);
            let set = all_where(holds);
            (ScopeAtom::of_pattern(id, format!("{prefix}:{body}")), Some(set))
        }
    };
    (ScopeAtom { on_resolve_failure, ..atom }, set)
}

fn standard(id: &str, name: &str) -> ScopeAtom {
    ScopeAtom::of_ref(id, AtomKind::Standard, &format!("standard:{name}"))
}

/// Evaluates the program to its files; `None` if it is invalid or fails.
fn meant(program: &ScopeProgram, sets: &[Option<Set>]) -> Option<Set> {
    let all = all_where(|_| true);
    // Outcome of each atom: its files, or `None` if it is left out.
    let mut outcomes = Vec::new();
    for (atom, set) in program.atoms.iter().zip(sets) {
        let mode = atom.on_resolve_failure.unwrap_or(program.non_strict_default_failure_mode);
        outcomes.push(match set {
            Some(set) => Some(set.clone()),
            None if program.strict || mode == FailureMode::Fail => return None,
            None if mode == FailureMode::Skip => None,
            None => Some(Set::new()),
        });
    }
    let mut stack: Vec<Option<Set>> = Vec::new();
    for token in &program.tokens {
        let value = match token.op {
            ScopeOp::PushAtom => {
                let place: usize = token.atom_id.as_ref()?.parse().ok()?;
                outcomes[place].clone()
            }
            ScopeOp::Not => stack.pop()?.map(|set| &all - &set),
            op => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                match (left, right) {
                    (Some(left), Some(right)) if op == ScopeOp::And => Some(&left & &right),
                    (Some(left), Some(right)) => Some(&left | &right),
                    (left, right) => left.or(right),
                }
            }
        };
        stack.push(value);
    }
    let last = stack.pop()?;
    if stack.is_empty() { last } else { None }
}

/// Checks that the scope has these files, whatever the order of calls, and prunes no directory above one.
fn check(scope: &searchscope::Scope, expected: &Set, program: &ScopeProgram) {
    use searchscope::PathFilter;
    for path in FILES.iter().rev().chain(FILES) {
        let at = rel_path(path.split('/').map(str::as_bytes));
        let file = place(&at, false, is_ignored(path));
        let is_in = scope.matches(&file);
        assert_eq!(is_in, expected.contains(path), "{path} in {program:?}");
        let mut above = at.parent();
        while let Some(dir) = above {
            let is_ignored = is_ignored(&dir.display());
            let is_entered = scope.visit(&place(&dir, true, is_ignored));
            assert!(is_entered || !is_in, "{dir:?} in {program:?}");
            above = dir.parent();
        }
    }
}
