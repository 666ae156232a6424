//! Scopes over the source sets of Gradle builds.

use super::*;

fn build() -> TempDir {
    tree(&[
        ("settings.gradle.kts", "rootProject.name = \"shop\"\ninclude(\":app\", \":lib:core\")"),
        ("app/build.gradle.kts", "dependencies { implementation(project(\":lib:core\")) }"),
        ("app/README.md", ""),
        ("app/src/main/java/a/App.java", ""),
        ("app/src/main/resources/a.xml", ""),
        ("app/src/test/java/a/AppTest.java", ""),
        ("app/src/debug/java/a/Debug.java", ""),
        ("lib/core/build.gradle.kts", ""),
        ("lib/core/src/commonMain/kotlin/c/Core.kt", ""),
        ("lib/core/src/commonTest/kotlin/c/CoreTest.kt", ""),
    ])
}

#[test]
fn source_sets_are_modules() {
    let dir = build();
    let app = "app/src/main/java/a/App.java";
    for (text, expected) in [
        ("src[app.main]:a.App", app),
        ("src[shop.app.main]:a.App", app),
        ("file[app.main]:java//*", app),
        ("file[*.main]:java//*", app),
        ("file[app.main]:*/", "app/src/main/java/a/App.java app/src/main/resources/a.xml"),
        ("test[app.test]:*..*", "app/src/test/java/a/AppTest.java"),
        ("file[app.debug]:*/", "app/src/debug/java/a/Debug.java"),
        ("file[lib.core.commonMain]:kotlin//*", "lib/core/src/commonMain/kotlin/c/Core.kt"),
        (
            "src:*..*&&!src[app.main]:*..*&&!src[app.debug]:*..*",
            "lib/core/src/commonMain/kotlin/c/Core.kt",
        ),
        // The project contains its source sets, and paths from its directory match too.
        ("file[app]:src/main/java//*", app),
        ("file[app]:app/src/main/java//*", app),
        ("file:src/main/java//*", app),
        ("file:java//*App.java", app),
        ("file[app]:*.md", "app/README.md"),
        ("file[lib.core]:src/commonMain//*.kt", "lib/core/src/commonMain/kotlin/c/Core.kt"),
        ("file[app.main]:src/test//*", ""),
    ] {
        assert_eq!(of_pattern(&dir, text), expected, "{text}");
    }
}

#[test]
fn module_scopes_of_source_sets() {
    let dir = build();
    let of = |id: &str| {
        let atom = ScopeAtom::of_ref("m", AtomKind::Module, &format!("module:{id}"));
        found(&dir, &program(vec![atom], "m")).expect(id)
    };
    let main = "app/src/main/java/a/App.java app/src/main/resources/a.xml";
    assert_eq!(of("app.main:MODULE"), main);
    assert_eq!(of("shop.app.main:MODULE"), main);
    assert_eq!(
        of("app.main:MODULE_WITH_DEPENDENCIES"),
        format!("{main} lib/core/src/commonMain/kotlin/c/Core.kt")
    );
    assert_eq!(
        of("app:MODULE"),
        format!("app/src/debug/java/a/Debug.java {main} app/src/test/java/a/AppTest.java")
    );
}
