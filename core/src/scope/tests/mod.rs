//! Scopes on small trees, from a program to the files that a find returns.

#![expect(clippy::disallowed_methods, reason = "tests make the trees that they search")]

use crate::tests::tree;
use crate::{
    AtomKind, AtomTarget, Call, FileOptions, FindRequest, Result, ScopeAtom, ScopeContext, ScopeOp,
    ScopeProgram, ScopeToken, Workspace,
};
use std::sync::Arc;
use tempfile::TempDir;

fn workspace(dir: &TempDir) -> Workspace {
    Workspace::open(dir.path()).expect("opened")
}

fn pattern(id: &str, text: &str) -> ScopeAtom {
    ScopeAtom::of_pattern(id, text)
}

fn standard(id: &str, name: &str) -> ScopeAtom {
    ScopeAtom::of_ref(id, AtomKind::Standard, &format!("standard:{name}"))
}

/// Returns a program from words: `AND`, `OR`, `NOT`, and the ids of atoms.
fn program(atoms: Vec<ScopeAtom>, words: &str) -> ScopeProgram {
    let tokens = words.split_whitespace().map(|word| match word {
        "AND" => ScopeToken { op: ScopeOp::And, atom_id: None },
        "OR" => ScopeToken { op: ScopeOp::Or, atom_id: None },
        "NOT" => ScopeToken { op: ScopeOp::Not, atom_id: None },
        id => ScopeToken { op: ScopeOp::PushAtom, atom_id: Some(id.to_owned()) },
    });
    let tokens = tokens.collect();
    ScopeProgram { tokens, ..ScopeProgram { atoms, ..ScopeProgram::of(standard("x", "y")) } }
}

fn found(dir: &TempDir, program: &ScopeProgram) -> Result<String> {
    found_with(dir, program, &ScopeContext::default())
}

fn found_with(dir: &TempDir, program: &ScopeProgram, context: &ScopeContext) -> Result<String> {
    let (workspace, call) = (workspace(dir), Call::new());
    let resolved = workspace.resolve_scope(program, context, &call)?;
    let files =
        FileOptions { path_filter: Some(Arc::new(resolved.scope)), ..FileOptions::default() };
    let (found, _) =
        workspace.run_find(&FindRequest::new(files, Some(1000), Some(1 << 20)), &call)?;
    let paths: Vec<String> = found.iter().map(|file| file.path.display().into_owned()).collect();
    Ok(paths.join(" "))
}

fn of_pattern(dir: &TempDir, text: &str) -> String {
    found(dir, &program(vec![pattern("p", text)], "p")).expect(text)
}

fn example() -> TempDir {
    tree(&[
        (".gitignore", "/target\n*.log\nnode_modules\n"),
        (".git/config", ""),
        (".github/ci.yml", ""),
        ("README.md", ""),
        ("a.log", ""),
        ("docs/guide.md", ""),
        ("node_modules/react/index.js", ""),
        ("node_modules/@babel/core/x.js", ""),
        ("src/main.rs", ""),
        ("src/deep/er/lib.rs", ""),
        ("target/out.rs", ""),
    ])
}

#[test]
fn the_standard_scopes() {
    let dir = example();
    let of = |name: &str| found(&dir, &program(vec![standard("s", name)], "s")).expect(name);
    let all = ".github/ci.yml .gitignore README.md a.log docs/guide.md node_modules/@babel/core/x.js \
               node_modules/react/index.js src/deep/er/lib.rs src/main.rs target/out.rs";
    let project =
        ".github/ci.yml .gitignore README.md docs/guide.md src/deep/er/lib.rs src/main.rs";
    assert_eq!(of("All Places"), all);
    assert_eq!(of("Project Files"), project);
    assert_eq!(of("Scratches and Consoles"), "");
    assert_eq!(of("Recently Changed Files"), project);
    let not = program(vec![standard("s", "Project Files")], "s NOT");
    assert_eq!(
        found(&dir, &not).expect("not"),
        "a.log node_modules/@babel/core/x.js node_modules/react/index.js target/out.rs"
    );
}

#[test]
fn packages_in_packages_have_names_of_their_own() {
    let dir = tree(&[
        ("package.json", r#"{"name": "app"}"#),
        ("node_modules/a/i.js", ""),
        ("node_modules/a/node_modules/b/n.js", ""),
        ("node_modules/.pnpm/c@1/node_modules/c/c.js", ""),
        ("node_modules/@s/d/d.js", ""),
    ]);
    for (text, expected) in [
        ("ext[a]:*/", "node_modules/a/i.js"),
        ("ext[b]:*/", "node_modules/a/node_modules/b/n.js"),
        ("ext[c]:*/", "node_modules/.pnpm/c@1/node_modules/c/c.js"),
        ("ext[@s/d]:*/", "node_modules/@s/d/d.js"),
        ("!ext[b]:*/&&ext:*.js&&!ext[c]:*/", "node_modules/@s/d/d.js node_modules/a/i.js"),
    ] {
        assert_eq!(of_pattern(&dir, text), expected, "{text}");
    }
}

#[test]
fn patterns_of_paths() {
    let dir = example();
    for (text, expected) in [
        ("file:*.md", "README.md docs/guide.md"),
        ("file:**.md", "README.md"),
        ("file:src/*", "src/main.rs"),
        ("file:src//*", "src/deep/er/lib.rs src/main.rs"),
        ("file:src/*.rs", "src/deep/er/lib.rs src/main.rs"),
        ("file:*//*", ".github/ci.yml docs/guide.md src/deep/er/lib.rs src/main.rs"),
        ("file:target//*", ""),
        ("file:*/&&!file:src//*", ".github/ci.yml .gitignore README.md docs/guide.md"),
        ("projectPath:/src/main.rs||$Missing", "src/main.rs"),
        ("projectPath:target//*", ""),
    ] {
        assert_eq!(of_pattern(&dir, text), expected, "{text}");
    }
}

mod kinds;
mod modules;
mod programs;
mod properties;
mod roots;
mod source_sets;
mod stored;
