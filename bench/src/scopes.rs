//! Cost of scopes: resolving a program of the maximum size, and each file of a walk in it.
//!
//! Every scope here selects the same files as the walk without a scope, so that the scope is the only
//! difference. Both run in turn in one process, and equal results are checked first.

use crate::measure::{Sample, in_process, median_ms};
use searchscope::{
    AtomKind, Call, FileOptions, FindRequest, ResolvedScope, ScopeAtom, ScopeContext, ScopeOp,
    ScopeProgram, ScopeToken, Workspace,
};
use std::path::Path;
use std::sync::Arc;

/// Maximum number of atoms: docs/contracts/general.md#limits.
const ATOMS: usize = 1_024;
const TOKENS: usize = 4_096;
/// Number of branches of one pattern.
const BRANCHES: usize = 1_000;

/// Prints a table.
pub(crate) fn run(root: &Path, runs: usize) -> Result<(), String> {
    let workspace = Workspace::open(root).map_err(|e| e.to_string())?;
    let dirs = directories(&workspace)?;
    println!("| scope | files | resolving ms | unscoped ms | scoped ms | per file µs |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let project = standard("project", "Project Files");
    for (name, program) in [
        ("Project Files", ScopeProgram::of(project.clone())),
        ("1,000 branches, by extension", branches(&project, |n| format!("file:*.ext{n}"))),
        (
            "1,000 branches, by directory",
            branches(&project, |n| format!("file:{}//*.c", dirs[n % dirs.len()])),
        ),
        (
            "1,024 patterns, 4,096 tokens",
            largest(&project, |n| pattern(n, format!("file:{}//*{n}.h", dirs[n % dirs.len()]))),
        ),
        (
            "1,024 directories, 4,096 tokens",
            largest(&project, |n| directory(n, &dirs[n % dirs.len()])),
        ),
        ("1,024 mixed, 4,096 tokens", largest(&project, |n| mixed(n, &dirs))),
    ] {
        println!("{}", row(name, &workspace, &program, runs)?);
    }
    Ok(())
}

fn row(
    name: &str,
    workspace: &Workspace,
    program: &ScopeProgram,
    runs: usize,
) -> Result<String, String> {
    let scope = resolve(workspace, program)?;
    let (expected, found) = (find(workspace, None)?, find(workspace, Some(&scope))?);
    if expected != found {
        return Err(format!(
            "{name}: {} files without the scope, {} in it",
            expected.len(),
            found.len()
        ));
    }
    let (mut resolving, mut unscoped, mut scoped) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..runs {
        resolving.push(in_process(|| resolve(workspace, program)));
        unscoped.push(in_process(|| find(workspace, None)));
        // Resolved again for each run, so that filling its caches counts.
        let scope = resolve(workspace, program)?;
        scoped.push(in_process(|| find(workspace, Some(&scope))));
    }
    let ms = |samples: &[Sample]| median_ms(samples, |sample| sample.wall_ns);
    let (without, with) = (ms(&unscoped), ms(&scoped));
    let per_file = (with - without) * 1_000.0 / expected.len() as f64;
    let n = expected.len();
    Ok(format!(
        "| {name} | {n} | {:.1} | {without:.1} | {with:.1} | **{per_file:.2}** |",
        ms(&resolving)
    ))
}

fn resolve(workspace: &Workspace, program: &ScopeProgram) -> Result<ResolvedScope, String> {
    let resolved = workspace.resolve_scope(program, &ScopeContext::default(), &Call::new());
    resolved.map_err(|error| error.to_string())
}

fn find(workspace: &Workspace, scope: Option<&ResolvedScope>) -> Result<Vec<String>, String> {
    let mut files = FileOptions { hidden: scope.is_none(), ..Default::default() };
    // A scope itself decides about hidden files.
    files.hidden = scope.is_none();
    if let Some(resolved) = scope {
        files.path_filter = Some(Arc::new(resolved.scope.clone()));
    }
    let request = FindRequest::new(files, None, None);
    let (found, _) = workspace.run_find(&request, &Call::new()).map_err(|e| e.to_string())?;
    Ok(found.into_iter().map(|file| file.path.display().into_owned()).collect())
}

/// Returns directories of the tree, for programs that name them.
fn directories(workspace: &Workspace) -> Result<Vec<String>, String> {
    let files = find(workspace, None)?;
    let mut dirs: Vec<String> =
        files.iter().filter_map(|file| Some(file.rsplit_once('/')?.0.to_owned())).collect();
    dirs.dedup();
    // Directories that a pattern cannot express are left out.
    dirs.retain(|dir| {
        dir.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-._".contains(&byte))
    });
    if dirs.is_empty() { Err("the tree has no directories".to_owned()) } else { Ok(dirs) }
}

fn standard(id: &str, name: &str) -> ScopeAtom {
    ScopeAtom::of_ref(id, AtomKind::Standard, &format!("standard:{name}"))
}

fn pattern(n: usize, text: String) -> ScopeAtom {
    ScopeAtom::of_pattern(n.to_string(), text)
}

fn directory(n: usize, dir: &str) -> ScopeAtom {
    ScopeAtom::of_directory(n.to_string(), dir)
}

fn mixed(n: usize, dirs: &[String]) -> ScopeAtom {
    let dir = &dirs[n % dirs.len()];
    match n % 4 {
        0 => pattern(n, format!("file:{dir}/*.c||file:*{n}*")),
        1 => pattern(n, format!("file:*.ext{n}&&!file:{dir}//*")),
        2 => directory(n, dir),
        _ => standard(&n.to_string(), "Project and Libraries"),
    }
}

fn push(id: &str) -> ScopeToken {
    ScopeToken { op: ScopeOp::PushAtom, atom_id: Some(id.to_owned()) }
}

fn op(op: ScopeOp) -> ScopeToken {
    ScopeToken { op, atom_id: None }
}

/// Returns a program with one pattern of many branches, or any file of the project.
fn branches(project: &ScopeAtom, branch: impl Fn(usize) -> String) -> ScopeProgram {
    let branches: Vec<String> = (0..BRANCHES).map(branch).collect();
    let atoms = vec![pattern(0, branches.join("||")), project.clone()];
    let tokens = vec![push("0"), push("project"), op(ScopeOp::Or)];
    ScopeProgram { tokens, ..ScopeProgram { atoms, ..ScopeProgram::of(project.clone()) } }
}

/// Returns a program with the maximum number of atoms and tokens, united with the files of the project.
fn largest(project: &ScopeAtom, atom: impl Fn(usize) -> ScopeAtom) -> ScopeProgram {
    let mut atoms: Vec<ScopeAtom> = (1..ATOMS).map(atom).collect();
    let mut tokens = vec![push("project")];
    let ids: Vec<String> = atoms.iter().map(|atom| atom.atom_id.clone()).collect();
    // The operators alternate: AND shrinks the set, OR grows it.
    let ops = [ScopeOp::And, ScopeOp::Or];
    for (n, id) in ids.iter().cycle().enumerate() {
        if tokens.len() + 8 > TOKENS {
            break;
        }
        tokens.push(push(id));
        if n % 3 == 0 {
            tokens.extend([op(ScopeOp::Not), op(ScopeOp::Not)]);
        }
        tokens.push(op(ops[n % 2]));
    }
    tokens.extend([push("project"), op(ScopeOp::And), push("project"), op(ScopeOp::Or)]);
    atoms.push(project.clone());
    ScopeProgram { tokens, ..ScopeProgram { atoms, ..ScopeProgram::of(project.clone()) } }
}
