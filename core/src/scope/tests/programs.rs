//! The results of programs, and the diagnostics of those that select nothing.

use super::*;
use crate::{Error, FailureMode, ResolvedScope, ScopeShape};

fn resolve(dir: &TempDir, program: &ScopeProgram, context: &ScopeContext) -> Result<ResolvedScope> {
    workspace(dir).resolve_scope(program, context, &Call::new())
}

fn directory(id: &str, url: &str) -> ScopeAtom {
    ScopeAtom::of_directory(id, url)
}

fn files(id: &str, urls: &[&str]) -> ScopeAtom {
    let urls = urls.iter().map(|url| (*url).to_owned()).collect();
    ScopeAtom::new(id, AtomTarget::Files { urls })
}

fn said(error: &Error, param: &str, text: &str) {
    assert_eq!(error.param(), Some(param), "{error}");
    assert!(error.message().contains(text), "{error}");
}

fn atoms() -> Vec<ScopeAtom> {
    vec![directory("src", "src"), directory("docs", "docs"), files("readme", &["README.md"])]
}

#[test]
fn operators_are_those_of_sets() {
    let dir = example();
    for (words, expected) in [
        ("src", "src/deep/er/lib.rs src/main.rs"),
        ("src docs OR readme OR", "README.md docs/guide.md src/deep/er/lib.rs src/main.rs"),
        ("src docs AND", ""),
        ("src docs OR src AND", "src/deep/er/lib.rs src/main.rs"),
        ("src docs OR src NOT AND", "docs/guide.md"),
        ("src NOT NOT", "src/deep/er/lib.rs src/main.rs"),
    ] {
        assert_eq!(found(&dir, &program(atoms(), words)).expect(words), expected, "{words}");
    }
    let url = Some("src".to_owned());
    let flat = ScopeAtom::new("d", AtomTarget::Directory { url, with_subdirectories: false });
    assert_eq!(found(&dir, &program(vec![flat.clone()], "d")).expect("flat"), "src/main.rs");
    // Matching directories: the directory itself and its direct children.
    let resolved = resolve(&dir, &program(vec![flat], "d"), &Default::default()).expect("flat");
    let mut files =
        FileOptions { path_filter: Some(Arc::new(resolved.scope)), ..FileOptions::default() };
    (files.attributes.types.files, files.attributes.types.directories) = (false, true);
    let request = FindRequest::new(files, Some(100), Some(1 << 20));
    let (found, _) = workspace(&dir).run_find(&request, &Call::new()).expect("found");
    let paths: Vec<_> = found.iter().map(|file| file.path.display().into_owned()).collect();
    assert_eq!(paths, ["src", "src/deep"]);
}

#[test]
fn expressions_have_the_parentheses_that_they_need() {
    let dir = example();
    let (src, docs) = ("'Directory src'", "'Directory docs'");
    for (words, expected) in [
        ("src docs OR readme AND", format!("({src} OR {docs}) AND 'File README.md'")),
        ("src docs readme AND OR", format!("{src} OR {docs} AND 'File README.md'")),
        ("src docs AND NOT", format!("NOT ({src} AND {docs})")),
        ("src NOT docs AND", format!("NOT {src} AND {docs}")),
        ("src docs readme OR OR", format!("{src} OR {docs} OR 'File README.md'")),
    ] {
        let resolved = resolve(&dir, &program(atoms(), words), &Default::default()).expect(words);
        assert_eq!(resolved.expression, expected, "{words}");
        assert_eq!(resolved.display_name, expected, "{words}");
    }
    let one = resolve(&dir, &program(atoms(), "src"), &Default::default()).expect("one");
    assert_eq!((one.display_name.as_str(), one.expression.as_str()), ("Directory src", src));
}

#[test]
fn invalid_programs_are_refused() {
    let dir = example();
    for (words, param, text) in [
        ("", "tokens", "must not be empty"),
        ("src docs", "tokens", "leave 2 scopes and must leave one"),
        ("src AND", "tokens[1].op", "AND takes 2 scopes from the stack, which has 1"),
        ("NOT", "tokens[0].op", "NOT takes 1 scopes from the stack, which has 0"),
        ("scr", "tokens[0].atomId", "unknown atom 'scr'; known: src, "),
    ] {
        for strict in [true, false] {
            let program = ScopeProgram { strict, ..program(atoms(), words) };
            let error = resolve(&dir, &program, &Default::default()).expect_err(words);
            said(&error, param, text);
        }
    }
    let twice = program(vec![directory("a", "src"), directory("a", "docs")], "a");
    said(
        &resolve(&dir, &twice, &Default::default()).expect_err("twice"),
        "atoms[1].atomId",
        "also the id of atoms[0]",
    );
    let mut stray = program(atoms(), "src docs AND");
    stray.tokens[2].atom_id = Some("src".to_owned());
    said(
        &resolve(&dir, &stray, &Default::default()).expect_err("stray"),
        "tokens[2].atomId",
        "only valid with PUSH_ATOM",
    );
}

#[test]
fn programs_are_limited_in_tokens_and_atoms() {
    let dir = example();
    let context = ScopeContext::default();
    let tokens = |n: usize| program(atoms(), &format!("src{}", " NOT".repeat(n - 1)));
    assert!(resolve(&dir, &tokens(4_096), &context).is_ok());
    let error = resolve(&dir, &tokens(4_097), &context).expect_err("a token too many");
    said(&error, "tokens", "'tokens' may have at most 4096 items, got 4097");
    let atoms =
        |n: usize| program((0..n).map(|n| directory(&format!("a{n}"), "src")).collect(), "a0");
    assert!(resolve(&dir, &atoms(1_024), &context).is_ok());
    let error = resolve(&dir, &atoms(1_025), &context).expect_err("an atom too many");
    said(&error, "atoms", "'atoms' may have at most 1024 items, got 1025");
}

#[test]
fn atoms_that_do_not_resolve_name_the_right_ones() {
    let dir = example();
    let module = AtomTarget::Module { name: Some("x".into()), flavor: None };
    let module = ScopeAtom::new("a", module);
    let named = AtomTarget::NamedScope { name: Some("Test".into()), holder_id: None };
    let named = ScopeAtom::new("a", named);
    let unnamed = ScopeAtom::new("a", AtomTarget::of_kind(AtomKind::Standard));
    for (atom, param, text) in [
        (standard("a", "Project File"), "atoms[0].scopeRefId", "did you mean 'Project Files'?"),
        (standard("a", "Current File"), "atoms[0].scopeRefId", "allowUiInteractiveScopes"),
        (standard("a", "Open Files"), "atoms[0].scopeRefId", "needs 'context.openFiles'"),
        (module, "atoms[0].moduleName", "unknown module 'x'; known: none"),
        (named, "atoms[0].namedScopeName", "did you mean 'Tests'?"),
        (pattern("a", "file:a || file:b"), "atoms[0].patternText", "at position"),
        (directory("a", "scr"), "atoms[0].directoryUrl", "did you mean 'src'?"),
        (directory("a", "README.md"), "atoms[0].directoryUrl", "must be a directory"),
        (files("a", &["README.md", "src"]), "atoms[0].fileUrls[1]", "must be a regular file"),
        (files("a", &[]), "atoms[0].fileUrls", "must not be empty"),
        (unnamed, "atoms[0].standardScopeId", "STANDARD needs it"),
    ] {
        let error = resolve(&dir, &program(vec![atom], "a"), &Default::default()).expect_err(text);
        said(&error, param, text);
    }
}

#[test]
fn nothing_outside_the_root_is_read() {
    let dir = example();
    for url in [
        "file://host/etc/passwd",
        "file:///etc/passwd",
        "../x",
        "src/../../x",
        "file:///%2e%2e/etc/passwd",
        "/etc/passwd",
    ] {
        for atom in [files("a", &[url]), directory("a", url)] {
            let error =
                resolve(&dir, &program(vec![atom], "a"), &Default::default()).expect_err(url);
            assert_eq!(error.code(), "access_denied", "{url}: {error}");
        }
    }
    // A name that is not a URL is not decoded.
    let error = resolve(&dir, &program(vec![files("a", &["%2e%2e/x"])], "a"), &Default::default());
    assert_eq!(error.expect_err("a name").code(), "not_found");
    let error =
        resolve(&dir, &program(vec![files("a", &["http://x/y"])], "a"), &Default::default());
    assert_eq!(error.expect_err("a scheme").code(), "invalid_param");
    let inside =
        format!("file://{}/src/%6dain.rs", dir.path().canonicalize().expect("real").display());
    assert_eq!(
        found(&dir, &program(vec![files("a", &[&inside])], "a")).expect("inside"),
        "src/main.rs"
    );
}

#[test]
fn failed_atoms_follow_their_failure_mode() {
    let dir = example();
    let missing = |mode| ScopeAtom { on_resolve_failure: mode, ..directory("x", "none") };
    let lenient = |mode, words: &str| {
        let atoms = vec![directory("src", "src"), missing(mode)];
        ScopeProgram { strict: false, ..program(atoms, words) }
    };
    let all = "src/deep/er/lib.rs src/main.rs";
    let skip = Some(FailureMode::Skip);
    for (mode, words, expected) in [
        (None, "src x OR", all),
        (None, "src x AND", ""),
        (skip, "src x OR", all),
        (skip, "src x AND", all),
        (skip, "x src AND", all),
        (skip, "src x NOT AND", all),
        (skip, "x x AND src OR", all),
        (Some(FailureMode::EmptyScope), "src x NOT AND", all),
    ] {
        assert_eq!(found(&dir, &lenient(mode, words)).expect(words), expected, "{words}");
    }
    for (mode, words) in [(skip, "x"), (skip, "x NOT x AND"), (Some(FailureMode::Fail), "src x OR")]
    {
        assert!(found(&dir, &lenient(mode, words)).is_err(), "{words}");
    }
    let said = |mode, words: &str| {
        resolve(&dir, &lenient(mode, words), &Default::default())
            .expect(words)
            .diagnostics
            .join("\n")
    };
    assert!(said(None, "src x OR").contains("atom 'x' contains nothing: "));
    assert!(!said(None, "src x OR").contains("widened"));
    assert!(said(None, "src x NOT AND").contains("the scope was widened"));
    assert!(!said(None, "src x NOT NOT OR").contains("widened"));
    assert!(said(skip, "src x OR").contains("atom 'x' is left out: "));
    assert!(!said(skip, "src x NOT AND").contains("widened"));
}

#[test]
fn a_widened_scope_is_reported() {
    let dir = example();
    let context = ScopeContext { current_file: Some("src/main.rs".into()), ..Default::default() };
    let skipped =
        ScopeAtom { on_resolve_failure: Some(FailureMode::Skip), ..directory("x", "none") };
    let atoms = vec![skipped, directory("src", "src"), standard("c", "Current File")];
    let diagnostics = |words: &str| {
        let program = program(atoms.clone(), words);
        let program = ScopeProgram { strict: false, allow_ui_interactive_scopes: true, ..program };
        resolve(&dir, &program, &context).expect(words).diagnostics.join("\n")
    };
    assert!(diagnostics("src x NOT AND").contains("the NOT at tokens[2] is left out"));
    assert!(diagnostics("c NOT NOT").contains("widened"));
    assert!(!diagnostics("c NOT src OR").contains("widened"));
}

#[test]
fn diagnostics_are_bounded() {
    let dir = example();
    let names: Vec<String> = (0..200).map(|n| format!("$no{n}||[no{n}]:a")).collect();
    let program = program(vec![pattern("p", &names.join("||"))], "p");
    let diagnostics = resolve(&dir, &program, &Default::default()).expect("valid").diagnostics;
    assert!((1..=21).contains(&diagnostics.len()), "{}", diagnostics.len());
}

#[test]
fn a_cursor_distinguishes_scopes_by_their_resolved_atoms() {
    let dir = example();
    let identity = |mode| {
        let atom = ScopeAtom { on_resolve_failure: Some(mode), ..directory("x", "none") };
        let program = program(vec![atom, directory("src", "src")], "x src AND");
        let program = ScopeProgram { strict: false, ..program };
        crate::PathFilter::identity(
            &resolve(&dir, &program, &Default::default()).expect("lenient").scope,
        )
    };
    assert_eq!(identity(FailureMode::Skip), identity(FailureMode::Skip));
    assert_ne!(identity(FailureMode::Skip), identity(FailureMode::EmptyScope));
}

#[test]
fn the_fields_of_an_atom_take_precedence_over_its_ref_id() {
    let dir = example();
    let own = directory("a", "src");
    let other = ScopeAtom { scope_ref_id: Some("directory:docs".to_owned()), ..own.clone() };
    let resolve = |atom: ScopeAtom| {
        resolve(&dir, &program(vec![atom], "a"), &Default::default()).expect("resolved")
    };
    let ref_id = resolve(own.clone()).atoms[0].scope_ref_id.clone();
    let same = ScopeAtom { scope_ref_id: Some(ref_id), ..own };
    assert!(resolve(same).diagnostics.is_empty());
    assert!(resolve(other.clone()).diagnostics[0].contains("take precedence: directory:file:///"));
    assert_eq!(
        found(&dir, &program(vec![other], "a")).expect("src"),
        "src/deep/er/lib.rs src/main.rs"
    );
}

#[test]
fn shapes_and_local_scopes() {
    let dir = example();
    let context = ScopeContext {
        current_file: Some("src/main.rs".to_owned()),
        open_files: Some(vec!["README.md".to_owned()]),
        ..ScopeContext::default()
    };
    let local = |words: &str| {
        let atoms = vec![
            standard("c", "Current File"),
            standard("o", "Open Files"),
            directory("src", "src"),
        ];
        ScopeProgram { allow_ui_interactive_scopes: true, ..program(atoms, words) }
    };
    use ScopeShape::{Global, Local};
    for (words, shape, expected) in [
        ("c", Local, "src/main.rs"),
        ("o", Global, "README.md"),
        ("c src AND", Local, "src/main.rs"),
        ("c o AND", Local, ""),
        ("c o OR", Global, "README.md src/main.rs"),
        ("c c OR", Local, "src/main.rs"),
        ("c o OR NOT src AND", Global, "src/deep/er/lib.rs"),
    ] {
        let resolved = resolve(&dir, &local(words), &context).expect(words);
        assert_eq!(resolved.shape, shape, "{words}");
        assert_eq!(found_with(&dir, &local(words), &context).expect(words), expected, "{words}");
    }
    let not = local("c NOT");
    said(&resolve(&dir, &not, &context).expect_err("strict"), "tokens[1].op", "no complement");
    let lenient = ScopeProgram { strict: false, ..local("c NOT src OR") };
    assert_eq!(
        found_with(&dir, &lenient, &context).expect("lenient"),
        "src/deep/er/lib.rs src/main.rs"
    );
    let diagnostics = resolve(&dir, &lenient, &context).expect("lenient").diagnostics;
    assert!(diagnostics[0].contains("contains nothing here"), "{diagnostics:?}");
    let fails = ScopeProgram { non_strict_default_failure_mode: FailureMode::Fail, ..lenient };
    assert!(resolve(&dir, &fails, &context).is_err());
}

#[test]
fn named_scopes_refer_to_each_other() {
    let component =
        |name: &str, scopes: &str| format!("<component name=\"{name}\">{scopes}</component>");
    let local = r#"<scope name="mine" pattern="file:src//*" /><scope name="Tests" pattern="file:docs//*" />
        <order><scope name="b" /></order>"#;
    let local = format!("<project>{}</project>", component("NamedScopeManager", local));
    let shared = |name: &str, pattern: &str| {
        component(
            "DependencyValidationManager",
            &format!("<scope name=\"{name}\" pattern=\"{pattern}\" />"),
        )
    };
    let dir = tree(&[
        (".idea/workspace.xml", local),
        (".idea/scopes/one.xml", shared("a", "$mine&amp;&amp;!file:*.rs")),
        (".idea/scopes/two.xml", shared("b", "$a||$mine")),
        (".idea/scopes/mine.xml", shared("mine", "file:other")),
        (".idea/scopes/bad.xml", shared("bad", "file:")),
        (".idea/scopes/c1.xml", shared("c1", "$c2")),
        (".idea/scopes/c2.xml", shared("c2", "file:x||$c1")),
        ("src/a.rs", String::new()),
        ("src/a.c", String::new()),
        ("docs/d", String::new()),
    ]);
    for (text, expected) in [
        ("$mine", "src/a.c src/a.rs"),
        ("$a", "src/a.c"),
        ("$b&&file:*.rs", "src/a.rs"),
        // Local scopes take precedence over predefined ones.
        ("$Tests", "docs/d"),
        ("$missing", ""),
        ("file:src//*&&!$missing", "src/a.c src/a.rs"),
        ("file:src//*&&!$bad", "src/a.c src/a.rs"),
    ] {
        assert_eq!(of_pattern(&dir, text), expected, "{text}");
    }
    let error = found(&dir, &program(vec![pattern("p", "$c1")], "p")).expect_err("a circle");
    said(&error, "atoms[0].patternText", "in a cycle: $c1 -> $c2 -> $c1");
    let named = |name: &str, holder: Option<&str>| {
        let (name, holder_id) = (Some(name.to_owned()), holder.map(str::to_owned));
        ScopeAtom::new("n", AtomTarget::NamedScope { name, holder_id })
    };
    let of = |name, holder| found(&dir, &program(vec![named(name, holder)], "n"));
    assert_eq!(of("a", None).expect("only shared"), "src/a.c");
    said(&of("mine", None).expect_err("two"), "atoms[0].namedScopeName", "has several holders");
    let holder = "com.intellij.psi.search.scope.packageSet.NamedScopeManager";
    assert_eq!(of("mine", Some(holder)).expect("local"), "src/a.c src/a.rs");
    said(
        &of("bad", None).expect_err("no pattern"),
        "atoms[0].namedScopeName",
        "Package pattern expected",
    );
    said(&of("c2", None).expect_err("a circle"), "atoms[0].namedScopeName", "$c2 -> $c1 -> $c2");
}
