//! Patterns of `.idea/scopes` in thirty public repositories, with the names of their projects replaced.
//!
//! Each pattern is stored as an IDE stores it and named by an atom. The files beside it were picked by hand from
//! the tree, as a person reads the pattern, and not by the engine.

use super::*;
use std::fmt::Write as _;

/// A pattern, and the files that it contains.
type Case = (&'static str, &'static [&'static str]);

/// Returns a file of `.idea/scopes` with this pattern.
fn scope_file(name: &str, pattern: &str) -> String {
    let pattern = pattern.replace('&', "&amp;");
    format!(
        "<component name=\"DependencyValidationManager\">\n  <scope name=\"{name}\" \
         pattern=\"{pattern}\" />\n</component>"
    )
}

/// Resolves each pattern as a stored scope in a directory `web` with these files.
fn assert_contain(files: &[(&str, &str)], cases: &[Case]) {
    let names: Vec<String> = (0..cases.len()).map(|n| format!("Scope {n}")).collect();
    let mut all: Vec<(String, String)> =
        files.iter().map(|(path, text)| (format!("web/{path}"), (*text).to_owned())).collect();
    for (n, (name, (pattern, _))) in names.iter().zip(cases).enumerate() {
        all.push((format!("web/.idea/scopes/{n}.xml"), scope_file(name, pattern)));
    }
    let dir = tree(&all);
    let workspace = Workspace::open(dir.path().join("web")).expect("opened");
    let mut wrong = String::new();
    for (name, (pattern, expected)) in names.iter().zip(cases) {
        let id = format!(
            "named:com.intellij.packageDependencies.DependencyValidationManagerImpl:{name}"
        );
        let atom = ScopeAtom::of_ref("s", AtomKind::NamedScope, &id);
        let resolved =
            workspace.resolve_scope(&ScopeProgram::of(atom), &Default::default(), &Call::new());
        let scope = resolved.expect(pattern).scope;
        let files = FileOptions { path_filter: Some(Arc::new(scope)), ..FileOptions::default() };
        let request = FindRequest::new(files, Some(1000), Some(1 << 20));
        let (found, _) = workspace.run_find(&request, &Call::new()).expect(pattern);
        let found: Vec<String> = found
            .iter()
            .map(|file| file.path.display().into_owned())
            .filter(|path| !path.starts_with(".idea/scopes/"))
            .collect();
        let mut expected: Vec<&str> = expected.to_vec();
        expected.sort_unstable();
        if found != expected {
            let _ = writeln!(wrong, "{pattern}\n    found {found:?}\n expected {expected:?}");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Returns a module file with content roots as `url` and folders as their inner elements.
fn iml(inner: &str) -> String {
    format!(
        "<module><component name=\"NewModuleRootManager\"><content url=\"file://$MODULE_DIR$\">\
         {inner}</content></component></module>"
    )
}

const SOURCES: &str = "<sourceFolder url=\"file://$MODULE_DIR$/src\" isTestSource=\"false\"/>\
                       <sourceFolder url=\"file://$MODULE_DIR$/test\" isTestSource=\"true\"/>";

/// A project in Java whose modules an IDE stores.
#[test]
fn with_the_modules_of_an_ide() {
    let module = iml(SOURCES);
    let with_library = module.replace(
        "</content>",
        "</content><orderEntry type=\"module-library\"><library name=\"kit\"><CLASSES>\
         <root url=\"file://$MODULE_DIR$/lib\"/></CLASSES></library></orderEntry>",
    );
    let names = [
        "platform",
        "platform.storage",
        "platform.storage.tests",
        "app.build",
        "util-rt",
        "bundles",
        "Application Core",
        "io.rt",
    ];
    let mut list = "<project><component name=\"ProjectModuleManager\"><modules>".to_owned();
    let mut files = vec![
        ("README.md".to_owned(), String::new()),
        ("build.gradle".to_owned(), String::new()),
        ("platform/src/p/ide/Ide.java".to_owned(), String::new()),
        ("platform/test/p/ide/IdeTest.java".to_owned(), String::new()),
        ("platform/testData/p/input.txt".to_owned(), String::new()),
        ("platform.storage/src/p/storage/Store.java".to_owned(), String::new()),
        ("platform.storage/src/testData/in.txt".to_owned(), String::new()),
        ("platform.storage.tests/test/p/storage/StoreTest.java".to_owned(), String::new()),
        ("app.build/src/b/Build.java".to_owned(), String::new()),
        ("app.build/build.gradle.kts".to_owned(), String::new()),
        ("util-rt/src/u/Util.java".to_owned(), String::new()),
        ("util-rt/pom.xml".to_owned(), String::new()),
        ("bundles/src/org/bundles/Bundle.java".to_owned(), String::new()),
        ("bundles/src/org/bundles/maven/Importer.java".to_owned(), String::new()),
        ("bundles/src/org/bundles/util/MavenUtil.java".to_owned(), String::new()),
        ("bundles/lib/java/lang/Object.class".to_owned(), String::new()),
        ("bundles/lib/javax/Inject.class".to_owned(), String::new()),
        ("bundles/lib/ui/text/TextKt.class".to_owned(), String::new()),
        ("Application Core/src/org/home/a/core/commands/Add.java".to_owned(), String::new()),
        ("Application Core/src/org/home/a/core/commands/deep/Do.java".to_owned(), String::new()),
        ("Application Core/src/org/home/a/core/values/Sum.java".to_owned(), String::new()),
        ("Application Core/node/bin".to_owned(), String::new()),
        ("Application Core/node/lib/x.js".to_owned(), String::new()),
        ("io.rt/src/io/Rt.java".to_owned(), String::new()),
    ];
    for name in names {
        let group = if name == "bundles" { " group=\"tools/Plugins\"" } else { "" };
        let _ = write!(list, "<module fileurl=\"file://$PROJECT_DIR$/{name}/{name}.iml\"{group}/>");
        let text = if name == "bundles" { &with_library } else { &module };
        files.push((format!("{name}/{name}.iml"), text.clone()));
    }
    list.push_str("</modules></component></project>");
    files.push((".idea/modules.xml".to_owned(), list));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    assert_contain(&files, WITH_MODULES);
}

const WITH_MODULES: &[Case] = &[
    (
        "file[platform.storage]:*/||file[platform.storage.tests]:*/",
        &[
            "platform.storage/platform.storage.iml",
            "platform.storage/src/p/storage/Store.java",
            "platform.storage/src/testData/in.txt",
            "platform.storage.tests/platform.storage.tests.iml",
            "platform.storage.tests/test/p/storage/StoreTest.java",
        ],
    ),
    (
        "test:*..*",
        &[
            "platform/test/p/ide/IdeTest.java",
            "platform.storage.tests/test/p/storage/StoreTest.java",
        ],
    ),
    ("file[app.build*]:src//*", &["app.build/src/b/Build.java"]),
    ("lib:*..*&&!lib:java..*&&!lib:javax..*", &["bundles/lib/ui/text/TextKt.class"]),
    ("src[util-rt]:*..*", &["util-rt/src/u/Util.java"]),
    (
        "src[group:Plugins]:*..*||test[group:Plugins]:*..*",
        &[
            "bundles/src/org/bundles/Bundle.java",
            "bundles/src/org/bundles/maven/Importer.java",
            "bundles/src/org/bundles/util/MavenUtil.java",
        ],
    ),
    (
        "(lib:*..*||src:*..*)&&!lib:java..*&&!lib:javax..*&&!src[util-rt]:*..*&&!src:org..*",
        &[
            "app.build/src/b/Build.java",
            "bundles/lib/ui/text/TextKt.class",
            "io.rt/src/io/Rt.java",
            "platform.storage/src/p/storage/Store.java",
            "platform.storage/src/testData/in.txt",
            "platform/src/p/ide/Ide.java",
        ],
    ),
    (
        "!file[*]:*//testData//*&&!file[*]:testData//*&&!file[*]:*.gradle.kts&&!file[*]:*.gradle\
         &&!file[app.build]:*/&&!file[app.build.*]:*/&&!file:*.iml&&!lib:*..*&&!file[Application \
         Core]:*/&&!file[bundles]:*/",
        &[
            ".idea/modules.xml",
            "README.md",
            "build.gradle",
            "io.rt/src/io/Rt.java",
            "platform.storage.tests/test/p/storage/StoreTest.java",
            "platform.storage/src/p/storage/Store.java",
            "platform/src/p/ide/Ide.java",
            "platform/test/p/ide/IdeTest.java",
            "util-rt/pom.xml",
            "util-rt/src/u/Util.java",
        ],
    ),
    (
        "(file[platform*]:*/||file[io.*]:*/)&&!file[platform.storage.tests*]:*/&&!file[*]:testData//*\
         &&!file[platform]:test//*&&!file:*.iml||file[util-rt]:*/",
        &[
            "io.rt/src/io/Rt.java",
            "platform.storage/src/p/storage/Store.java",
            "platform.storage/src/testData/in.txt",
            "platform/src/p/ide/Ide.java",
            "util-rt/pom.xml",
            "util-rt/src/u/Util.java",
            "util-rt/util-rt.iml",
        ],
    ),
    (
        "src[platform]:*..*||src[platform.storage]:*..*",
        &[
            "platform.storage/src/p/storage/Store.java",
            "platform.storage/src/testData/in.txt",
            "platform/src/p/ide/Ide.java",
        ],
    ),
    ("src[*.rt]:*..*", &["io.rt/src/io/Rt.java"]),
    (
        "src[bundles]:org.bundles..*&&!src[bundles]:org.bundles.maven..*&&\
         !src[bundles]:org.bundles.util.MavenUtil",
        &["bundles/src/org/bundles/Bundle.java"],
    ),
    ("lib:ui.text.TextKt||lib:ui.text.Typography", &["bundles/lib/ui/text/TextKt.class"]),
    (
        "src[Application Core]:org.home.*.core.commands..*",
        &[
            "Application Core/src/org/home/a/core/commands/Add.java",
            "Application Core/src/org/home/a/core/commands/deep/Do.java",
        ],
    ),
    (
        "file[Application Core]:*/&&!file[Application Core]:node/*&&!file[Application Core]:node//*",
        &[
            "Application Core/Application Core.iml",
            "Application Core/src/org/home/a/core/commands/Add.java",
            "Application Core/src/org/home/a/core/commands/deep/Do.java",
            "Application Core/src/org/home/a/core/values/Sum.java",
        ],
    ),
    ("file[*]:pom.xml", &["util-rt/pom.xml"]),
    (
        "src:*..*&&!src:org..*&&!src:p..*",
        &[
            "app.build/src/b/Build.java",
            "io.rt/src/io/Rt.java",
            "platform.storage/src/testData/in.txt",
            "util-rt/src/u/Util.java",
        ],
    ),
];

/// A clone of a Gradle build, as IDEA imports it.
#[test]
fn with_gradle_scripts() {
    assert_contain(
        &[
            ("settings.gradle.kts", "rootProject.name = \"shop\"\ninclude(\":common\", \":app\")"),
            ("gradle.properties", ""),
            ("gradlew", ""),
            ("gradle/wrapper/gradle-wrapper.properties", ""),
            ("build.gradle.kts", ""),
            ("notes.adoc", ""),
            ("common/build.gradle.kts", ""),
            ("common/doc/guide.adoc", ""),
            ("common/src/main/java/org/shop/mixin/Mixin.java", ""),
            ("common/src/main/java/org/shop/mixin/deep/More.java", ""),
            ("common/src/main/java/org/shop/Other.java", ""),
            ("common/src/test/java/org/shop/OtherTest.java", ""),
            ("common/src/uiTest/java/org/shop/UiTest.java", ""),
            ("app/build.gradle.kts", ""),
            ("app/src/main/kotlin/App.kt", ""),
            ("app/src/main/kotlin/org/shop/Deep.kt", ""),
            ("app/src/main/java/org/shop/Old.kt", ""),
            ("app/src/main/java/org/shop/Old.java", ""),
            ("app/src/main/resources/a.xml", ""),
        ],
        WITH_GRADLE,
    );
}

const WITH_GRADLE: &[Case] = &[
    (
        "file[*.main]:java//*",
        &[
            "app/src/main/java/org/shop/Old.java",
            "app/src/main/java/org/shop/Old.kt",
            "common/src/main/java/org/shop/Other.java",
            "common/src/main/java/org/shop/mixin/Mixin.java",
            "common/src/main/java/org/shop/mixin/deep/More.java",
        ],
    ),
    (
        "file[shop.common.main]:java/org/shop/mixin//*",
        &[
            "common/src/main/java/org/shop/mixin/Mixin.java",
            "common/src/main/java/org/shop/mixin/deep/More.java",
        ],
    ),
    ("file[shop.app.main]:java//*.kt", &["app/src/main/java/org/shop/Old.kt"]),
    (
        "file[*]:kotlin/*.kt||file[*]:*.gradle.kts",
        &[
            "app/build.gradle.kts",
            "app/src/main/kotlin/App.kt",
            "app/src/main/kotlin/org/shop/Deep.kt",
            "build.gradle.kts",
            "common/build.gradle.kts",
            "settings.gradle.kts",
        ],
    ),
    (
        "file:*.gradle.kts||file:gradle.properties",
        &[
            "app/build.gradle.kts",
            "build.gradle.kts",
            "common/build.gradle.kts",
            "gradle.properties",
            "settings.gradle.kts",
        ],
    ),
    ("file[shop.*]:*.adoc||file[shop]:*.adoc", &["common/doc/guide.adoc", "notes.adoc"]),
    (
        "file[shop]:gradle/wrapper/gradle-wrapper.properties||file[shop]:gradlew||\
         file[shop]:gradlew.bat",
        &["gradle/wrapper/gradle-wrapper.properties", "gradlew"],
    ),
    // The names of source sets until 2016 end with `_uiTest`, which selects none today.
    (
        "src[common]:*..*||src[common_uiTest]:*..*",
        &[
            "common/src/main/java/org/shop/Other.java",
            "common/src/main/java/org/shop/mixin/Mixin.java",
            "common/src/main/java/org/shop/mixin/deep/More.java",
        ],
    ),
    (
        "src:org.shop.mixin..*",
        &[
            "common/src/main/java/org/shop/mixin/Mixin.java",
            "common/src/main/java/org/shop/mixin/deep/More.java",
        ],
    ),
    (
        "test[common.uiTest]:*..*||test[common.test]:*..*",
        &[
            "common/src/test/java/org/shop/OtherTest.java",
            "common/src/uiTest/java/org/shop/UiTest.java",
        ],
    ),
];

/// A clone that an IDE opens as one module, named as its directory.
#[test]
fn with_one_module_for_the_whole_tree() {
    assert_contain(
        &[
            ("package.json", r#"{"name": "web", "workspaces": ["packages/*", "client"]}"#),
            ("tsconfig.json", ""),
            ("README.md", ""),
            (".gitignore", "/dist\n"),
            (".github/ci.yml", ""),
            ("docs/guide.md", ""),
            ("docs/logo.png", ""),
            ("dist/vendor/v.js", ""),
            ("vendor/lib/v.php", ""),
            ("src/Kernel.php", ""),
            ("src/main.rs", ""),
            ("src/deep/lib.rs", ""),
            ("src/a.spec.ts", ""),
            ("src/deep/b.spec.tsx", ""),
            ("tests/README.md", ""),
            ("tests/js_test.cpp", ""),
            ("tests/deep/css_test.cpp", ""),
            ("tests/deep/helper.cpp", ""),
            ("packages/a/package.json", r#"{"name": "@web/a"}"#),
            ("packages/a/src/a.ts", ""),
            ("packages/a/src/Tests/a.ts", ""),
            ("client/package.json", r#"{"name": "client"}"#),
            ("client/src/c.spec.ts", ""),
            ("client/test/setup.ts", ""),
            ("server/conftest.py", ""),
            ("server/api/test_api.py", ""),
            ("server/api/api.py", ""),
            ("gen/x_mock.go", ""),
            ("gen/x_string.go", ""),
            ("gen/x.go", ""),
        ],
        WITH_ONE_MODULE,
    );
}

const WITH_ONE_MODULE: &[Case] = &[
    (
        "file[web]:src//*.spec.ts||file[web]:src//*.spec.tsx",
        &["src/a.spec.ts", "src/deep/b.spec.tsx"],
    ),
    ("file:*.spec.ts", &["client/src/c.spec.ts", "src/a.spec.ts"]),
    (
        "file:server//test_*.py||file:server//conftest.py||file:client//*.spec.ts*||\
         file:client//test//*",
        &[
            "client/src/c.spec.ts",
            "client/test/setup.ts",
            "server/api/test_api.py",
            "server/conftest.py",
        ],
    ),
    (
        "file[web]:packages//*&&!file[web]:.github//*&&!file[web]:.idea//*&&!file[web]:docs//*",
        &["packages/a/package.json", "packages/a/src/Tests/a.ts", "packages/a/src/a.ts"],
    ),
    (
        "(file[web]:packages/a/*||file[web]:packages/a//*)&&!file[web]:.vscode//*&&\
         !file[web]:.idea//*&&!file[web]:dist//*",
        &["packages/a/package.json", "packages/a/src/Tests/a.ts", "packages/a/src/a.ts"],
    ),
    (
        "file[web]:client//*",
        &["client/package.json", "client/src/c.spec.ts", "client/test/setup.ts"],
    ),
    (
        "file:tests//*&&!file:tests/README.md",
        &["tests/deep/css_test.cpp", "tests/deep/helper.cpp", "tests/js_test.cpp"],
    ),
    ("file[web]:tests/*_test.cpp", &["tests/deep/css_test.cpp", "tests/js_test.cpp"]),
    (
        "file[web]:tests//*||file[web]:packages//Tests//*",
        &[
            "packages/a/src/Tests/a.ts",
            "tests/README.md",
            "tests/deep/css_test.cpp",
            "tests/deep/helper.cpp",
            "tests/js_test.cpp",
        ],
    ),
    (
        "file[web]:src//*||file[web]:typings//*||file:tsconfig.json||file[web]:test/typings//*",
        &[
            "src/Kernel.php",
            "src/a.spec.ts",
            "src/deep/b.spec.tsx",
            "src/deep/lib.rs",
            "src/main.rs",
            "tsconfig.json",
        ],
    ),
    ("file[web]:src//*.rs&&!file:src/main.rs", &["src/deep/lib.rs"]),
    ("file:src/*.rs", &["src/deep/lib.rs", "src/main.rs"]),
    (
        "file:ser*/||file:ZZsrc*",
        &["server/api/api.py", "server/api/test_api.py", "server/conftest.py"],
    ),
    (
        "!file[web]:vendor//*&&!file[web]:src//*&&!file[web]:tests//*&&!file[web]:packages//*&&\
         !file[web]:client//*&&!file:server//*&&!file:gen//*",
        &[
            ".github/ci.yml",
            ".gitignore",
            "README.md",
            "docs/guide.md",
            "docs/logo.png",
            "package.json",
            "tsconfig.json",
        ],
    ),
    (
        "(file:docs//*||file:gen//*||file:README*.md||file:tsconfig.json)&&!file:*.png&&!file:*.svg\
         &&!file:*//htmlcov//*&&!file:*//.*&&!file:gen/x.go",
        &["README.md", "docs/guide.md", "gen/x_mock.go", "gen/x_string.go", "tsconfig.json"],
    ),
    (
        "file[web]:*_mock.go||file[web]:*_string.go||file[web]:*_gen.go",
        &["gen/x_mock.go", "gen/x_string.go"],
    ),
    // A build writes `dist`, which is ignored and so in no content.
    ("file:dist/vendor//*||file:vendor//*", &["vendor/lib/v.php"]),
    (
        "file:README.md||file:LICENSE||file:.github//*||file:config/checks.xml||file:tsconfig.json",
        &[".github/ci.yml", "README.md", "tsconfig.json"],
    ),
    ("file:src/deep/lib.rs||file:src/View/Layout.elm", &["src/deep/lib.rs"]),
    (
        "((!file[web]:vendor//*&&!file[web]:client//*||file[web]:src/main.rs)&&!file[client]:*&&\
         !file[web]:*||file:.gitignore)&&!file[web]:packages//*&&!file[web]:.idea//*&&\
         !file[web]:tests//*&&!file[web]:server//*&&!file[web]:docs//*||file[web]:gen/x.go",
        &[
            ".github/ci.yml",
            ".gitignore",
            "gen/x.go",
            "gen/x_mock.go",
            "gen/x_string.go",
            "src/Kernel.php",
            "src/a.spec.ts",
            "src/deep/b.spec.tsx",
            "src/deep/lib.rs",
            "src/main.rs",
        ],
    ),
];

/// A class pattern is no glob: scopes with such patterns exist, and contain nothing in an IDE either.
#[test]
fn patterns_that_were_meant_as_globs() {
    assert_contain(
        &[("build.gradle", ""), ("gradle/a.txt", ""), ("src/main/java/gradle.java", "")],
        &[("gradle*||gradle", &["src/main/java/gradle.java"])],
    );
}
