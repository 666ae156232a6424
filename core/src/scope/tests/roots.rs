//! Patterns from the project's root, in trees without the modules of an IDE.

use super::*;

fn workspace_of_packages() -> TempDir {
    tree(&[
        ("package.json", r#"{"name": "@x/all", "workspaces": ["packages/*"]}"#),
        ("packages/a/package.json", r#"{"name": "a"}"#),
        ("packages/a/src/a.ts", ""),
        ("packages/a/packages/b/src/odd.ts", ""),
        ("packages/b/package.json", r#"{"name": "b"}"#),
        ("packages/b/src/b.ts", ""),
        ("packages/README.md", ""),
        ("src/top.ts", ""),
    ])
}

fn diagnostics(dir: &TempDir, text: &str) -> Vec<String> {
    workspace(dir).check_scope_pattern(text, &Call::new()).expect(text).diagnostics
}

#[test]
fn paths_count_from_the_project_too() {
    let dir = workspace_of_packages();
    for (text, expected) in [
        ("file:packages/a/src//*", "packages/a/src/a.ts"),
        ("file:src//*", "packages/a/src/a.ts packages/b/src/b.ts src/top.ts"),
        ("file[a]:packages/a/src//*", "packages/a/src/a.ts"),
        ("file[a]:src//*", "packages/a/src/a.ts"),
        ("file[a]:packages/b/src//*", "packages/a/packages/b/src/odd.ts"),
        ("file[b]:packages/a/src//*", ""),
        ("file:packages//*.md", "packages/README.md"),
        // An exclusion counts from both roots too.
        ("file:packages/*/src/*.ts&&!file:packages/b/src//*", "packages/a/src/a.ts"),
        (
            "file:packages/*.ts",
            "packages/a/packages/b/src/odd.ts packages/a/src/a.ts packages/b/src/b.ts",
        ),
    ] {
        assert_eq!(of_pattern(&dir, text), expected, "{text}");
    }
}

#[test]
fn the_project_is_a_module() {
    let dir = workspace_of_packages();
    let name = dir.path().file_name().expect("named").to_str().expect("text").to_owned();
    let all = of_pattern(&dir, "file:*/");
    assert_eq!(of_pattern(&dir, &format!("file[{name}]:*/")), all);
    assert_eq!(of_pattern(&dir, &format!("file[{name}]:packages/b//*.ts")), "packages/b/src/b.ts");
    assert_eq!(of_pattern(&dir, &format!("src[{name}]:*top")), "src/top.ts");
    let atom = ScopeAtom::of_ref("m", AtomKind::Module, &format!("module:{name}:MODULE"));
    assert_eq!(found(&dir, &program(vec![atom], "m")).expect("resolved"), all);
    // A filter that selects a module below the root never means the project.
    assert!(!of_pattern(&dir, "file[*]:packages/a/src//*").is_empty());
    assert_eq!(of_pattern(&dir, "file[*x/al*]:*/"), "package.json packages/README.md src/top.ts");
}

#[test]
fn diagnostics_name_the_root_that_counts() {
    let dir = workspace_of_packages();
    for (text, expected) in [
        (
            "file:packages/a/src//*",
            "is matched from the project's root; from the content root `packages/a` it is \
             `file[a]:src//*`.",
        ),
        ("file:packages/b/src//*", "from content roots, such as `packages/a` of the module 'a'."),
        ("file:packages//*.ts", "from content roots, such as `packages/a` of the module 'a'."),
        (
            "file[b]:packages/a/src//*",
            "matches nothing: `packages/a/src` belongs to the module 'a', which the filter does \
             not select. Write `file[a]:src//*`.",
        ),
    ] {
        let found = diagnostics(&dir, text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].ends_with(expected), "{text}: {found:?}");
    }
    for text in
        ["file:src//*", "file:*.ts", "file[a]:src//*", "file:nothing//*", "file:package.json"]
    {
        assert_eq!(diagnostics(&dir, text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn modules_of_an_ide_keep_their_content_roots() {
    let iml = r#"<module><component name="NewModuleRootManager">
        <content url="file://$MODULE_DIR$"/></component></module>"#;
    let list = r#"<project><component name="ProjectModuleManager"><modules>
        <module fileurl="file://$PROJECT_DIR$/lib/app/app.iml"/></modules></component></project>"#;
    let dir = tree(&[
        (".idea/modules.xml", list),
        ("lib/app/app.iml", iml),
        ("lib/app/src/a.ts", ""),
        ("lib/b.ts", ""),
    ]);
    for (text, files, advice) in [
        ("file:lib/app/src//*", "", Some("content root `lib/app`. Write `file[app]:src//*`.")),
        ("file:lib//*.ts", "lib/b.ts", Some("Write `projectPath:lib//*.ts`.")),
        ("file:src//*", "lib/app/src/a.ts", None),
    ] {
        assert_eq!(of_pattern(&dir, text), files, "{text}");
        let found = diagnostics(&dir, text);
        assert_eq!(found.len(), usize::from(advice.is_some()), "{text}: {found:?}");
        assert!(found.iter().all(|line| line.ends_with(advice.unwrap_or(""))), "{text}: {found:?}");
    }
    let name = dir.path().file_name().expect("named").to_str().expect("text");
    assert_eq!(of_pattern(&dir, &format!("file[{name}]:*/")), "");
}

#[test]
fn names_decide_where_no_module_does() {
    let dir = tree(&[
        ("CMakeLists.txt", ""),
        ("README.md", ""),
        ("src/a.cc", ""),
        ("src/a_test.cc", ""),
        ("tests/b.cc", ""),
        ("docs/x.html", ""),
    ]);
    for (name, expected) in [
        ("Project Production Files", "CMakeLists.txt src/a.cc"),
        ("Project Test Files", "src/a_test.cc tests/b.cc"),
    ] {
        let program = program(vec![standard("s", name)], "s");
        assert_eq!(found(&dir, &program).expect(name), expected, "{name}");
        let resolved = workspace(&dir).resolve_scope(&program, &Default::default(), &Call::new());
        let told = resolved.expect(name).diagnostics;
        assert!(told.len() == 1 && told[0].contains("names of files"), "{told:?}");
    }
    assert_eq!(of_pattern(&dir, "$Tests&&!file:tests//*"), "src/a_test.cc");
    assert_eq!(diagnostics(&dir, "$Production").len(), 1);
    let php = tree(&[
        ("composer.json", "{}"),
        ("src/a.php", ""),
        ("tests/b.php", ""),
        ("test_x.php", ""),
    ]);
    let tests = program(vec![standard("s", "Project Test Files")], "s");
    assert_eq!(found(&php, &tests).expect("resolved"), "tests/b.php");
    // PHPUnit finds tests by their names, wherever they are.
    let beside = tree(&[
        ("composer.json", r#"{"autoload": {"psr-4": {"A\\": "src"}}}"#),
        ("src/Ftp.php", ""),
        ("src/FtpTest.php", ""),
    ]);
    assert_eq!(found(&beside, &tests).expect("resolved"), "src/FtpTest.php");
    assert_eq!(of_pattern(&beside, "src:A.*"), "src/Ftp.php");
}
