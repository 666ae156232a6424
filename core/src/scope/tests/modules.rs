//! Scopes over the modules of an IDE's project: docs/contracts/scopes.md#modules-and-libraries.

use super::*;
use crate::ModuleFlavor;

const APP: &str = r#"<module type="JAVA_MODULE" version="4">
  <component name="NewModuleRootManager">
    <content url="file://$MODULE_DIR$">
      <sourceFolder url="file://$MODULE_DIR$/src" isTestSource="false" packagePrefix="org.demo" />
      <sourceFolder url="file://$MODULE_DIR$/res" type="java-resource" />
      <sourceFolder url="file://$MODULE_DIR$/test" isTestSource="true" />
      <excludeFolder url="file://$MODULE_DIR$/out" />
      <excludePattern pattern="*.tmp" />
    </content>
    <orderEntry type="sourceFolder" forTests="false" />
    <orderEntry type="module" module-name="core" />
    <orderEntry type="library" scope="TEST" name="junit" level="project" />
  </component>
</module>"#;

const CORE: &str = r#"<module type="JAVA_MODULE" version="4">
  <component name="NewModuleRootManager">
    <content url="file://$MODULE_DIR$">
      <sourceFolder url="file://$MODULE_DIR$/src" isTestSource="false" />
    </content>
    <orderEntry type="module" module-name="shared" exported="false" />
    <orderEntry type="module" module-name="hidden" />
  </component>
</module>"#;

const LEAF: &str = r#"<module type="JAVA_MODULE" version="4">
  <component name="NewModuleRootManager">
    <content url="file://$MODULE_DIR$">
      <sourceFolder url="file://$MODULE_DIR$/src" isTestSource="false" generated="true" />
    </content>
  </component>
</module>"#;

const MODULES: &str = r#"<project version="4"><component name="ProjectModuleManager"><modules>
  <module fileurl="file://$PROJECT_DIR$/app/app.iml" filepath="$PROJECT_DIR$/app/app.iml" />
  <module fileurl="file://$PROJECT_DIR$/core/core.iml" filepath="$PROJECT_DIR$/core/core.iml" group="libs/base" />
  <module fileurl="file://$PROJECT_DIR$/app/nested/hidden.iml" filepath="$PROJECT_DIR$/app/nested/hidden.iml" />
  <module fileurl="file://$PROJECT_DIR$/shared/shared.iml" filepath="$PROJECT_DIR$/shared/shared.iml" />
</modules></component></project>"#;

const JUNIT: &str = r#"<component name="libraryTable"><library name="junit 4">
  <CLASSES><root url="file://$PROJECT_DIR$/lib/junit" /></CLASSES>
  <SOURCES><root url="file://$PROJECT_DIR$/lib/junit-src" /></SOURCES>
</library></component>"#;

fn project() -> TempDir {
    tree(&[
        (".idea/modules.xml", MODULES),
        (".idea/libraries/junit.xml", &JUNIT.replace("junit 4", "junit")),
        ("app/app.iml", APP),
        ("core/core.iml", CORE),
        ("app/nested/hidden.iml", LEAF),
        ("shared/shared.iml", LEAF),
        ("app/README.md", ""),
        ("app/out/gen.java", ""),
        ("app/res/a.properties", ""),
        ("app/src/Main.java", ""),
        ("app/src/sub/Deep.java", ""),
        ("app/src/x.tmp", ""),
        ("app/test/MainTest.java", ""),
        ("app/nested/src/Inner.java", ""),
        ("core/src/com/Core.java", ""),
        ("shared/src/Shared.java", ""),
        ("lib/junit/org/J.class", ""),
        ("lib/junit-src/org/J.java", ""),
        ("top.txt", ""),
    ])
}

#[test]
fn paths_are_below_the_innermost_content_root() {
    let dir = project();
    for (text, expected) in [
        ("file:src/*", "app/nested/src/Inner.java app/src/Main.java shared/src/Shared.java"),
        ("file[app]:src/*", "app/src/Main.java"),
        (
            "file[app]:*/",
            "app/README.md app/app.iml app/res/a.properties app/src/Main.java \
                          app/src/sub/Deep.java app/test/MainTest.java",
        ),
        ("file[hid*]:*/", "app/nested/hidden.iml app/nested/src/Inner.java"),
        ("file[group:base]:*/", "core/core.iml core/src/com/Core.java"),
        ("file[group:libs/base]:*/", ""),
        ("file[group:nothing:app]:*.md", "app/README.md"),
        ("file:app//*.java", ""),
        ("file:top.txt", "top.txt"),
        ("file[*]:top.txt", ""),
        ("file:out//*", ""),
        ("file:*.tmp", ""),
        ("projectPath:app/src/*", "app/src/Main.java"),
        ("projectPath:/app/src/*.java", "app/src/Main.java app/src/sub/Deep.java"),
        ("projectPath:lib/junit//*", "lib/junit/org/J.class"),
    ] {
        assert_eq!(of_pattern(&dir, text), expected, "{text}");
    }
}

#[test]
fn classes_are_packages_and_names() {
    let dir = project();
    for (text, expected) in [
        ("org.demo.*", "app/src/Main.java"),
        ("org.demo..*", "app/src/Main.java app/src/sub/Deep.java"),
        ("src[app]:*..*", "app/src/Main.java app/src/sub/Deep.java"),
        ("src:com.Core", "core/src/com/Core.java"),
        ("*..*", "app/src/Main.java app/src/sub/Deep.java core/src/com/Core.java"),
        ("test:*", "app/test/MainTest.java"),
        ("test:*..*", ""),
        ("src:a", "app/res/a.properties"),
        ("[hidden]:Inner", "app/nested/src/Inner.java"),
        ("README", ""),
        ("lib:org.J", "lib/junit-src/org/J.java lib/junit/org/J.class"),
        ("lib[junit]:org.*", "lib/junit-src/org/J.java lib/junit/org/J.class"),
        ("lib[other]:org.*", ""),
        ("problem:*..*", ""),
        ("src:*..*&&!src:org..*", "core/src/com/Core.java"),
    ] {
        assert_eq!(of_pattern(&dir, text), expected, "{text}");
    }
}

#[test]
fn libraries_are_outside_the_content() {
    let dir = project();
    for (text, expected) in [
        ("ext:*.class", "lib/junit/org/J.class"),
        ("ext:org/*", "lib/junit-src/org/J.java lib/junit/org/J.class"),
        ("ext[ju*]:*.java", "lib/junit-src/org/J.java"),
        ("ext[group:x]:*.class", "lib/junit/org/J.class"),
        ("ext:*.md", ""),
        ("file:*J.*", ""),
    ] {
        assert_eq!(of_pattern(&dir, text), expected, "{text}");
    }
    let of = |name: &str| found(&dir, &program(vec![standard("s", name)], "s")).expect(name);
    assert!(!of("Project Files").contains("lib/junit"));
    assert!(of("Project and Libraries").contains("lib/junit/org/J.class"));
    assert!(!of("Project and Libraries").contains("app/out/gen.java"));
    assert!(of("All Places").contains("app/out/gen.java"));
}

#[test]
fn production_and_tests() {
    let dir = project();
    let of = |name: &str| found(&dir, &program(vec![standard("s", name)], "s")).expect(name);
    assert_eq!(of("Project Test Files"), "app/test/MainTest.java");
    assert_eq!(
        of("Project Production Files"),
        "app/nested/src/Inner.java app/res/a.properties app/src/Main.java app/src/sub/Deep.java \
         core/src/com/Core.java shared/src/Shared.java"
    );
    let name = Some("Generated Files".to_owned());
    let generated = ScopeAtom::new("g", AtomTarget::NamedScope { name, holder_id: None });
    let generated = found(&dir, &program(vec![generated], "g")).expect("named");
    assert_eq!(generated, "app/nested/src/Inner.java shared/src/Shared.java");
}

#[test]
fn the_flavours_of_a_module() {
    let dir = project();
    let own = [
        "app/res/a.properties",
        "app/src/Main.java",
        "app/src/sub/Deep.java",
        "app/test/MainTest.java",
    ];
    let of = |flavor: ModuleFlavor| {
        let target = AtomTarget::Module { name: Some("app".to_owned()), flavor: Some(flavor) };
        let atom = ScopeAtom::new("m", target);
        let found = found(&dir, &program(vec![atom], "m")).expect("a module");
        let others = found.split(' ').filter(|path| !own.contains(path));
        assert!(own.iter().all(|path| found.contains(path)), "{found}");
        others.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of(ModuleFlavor::Module), "");
    // A dependency contributes only its exports; the presence of `exported` decides.
    let dependencies = "core/src/com/Core.java shared/src/Shared.java";
    assert_eq!(of(ModuleFlavor::ModuleWithDependencies), dependencies);
    // Only the classes of a library, not its sources.
    assert_eq!(of(ModuleFlavor::ModuleWithLibraries), "lib/junit/org/J.class");
    let all = of(ModuleFlavor::ModuleWithDependenciesAndLibraries);
    assert_eq!(all, "core/src/com/Core.java lib/junit/org/J.class shared/src/Shared.java");
}

#[test]
fn a_directory_has_a_slash_after_it() {
    let dir = project();
    for (text, expected) in [
        ("file:src/*", "app/nested/src app/src core/src shared/src"),
        ("file:src", ""),
        ("file:src/", ""),
        ("file[core]:src//*", "core/src core/src/com"),
    ] {
        let (workspace, call) = (workspace(&dir), Call::new());
        let program = program(vec![pattern("p", text)], "p");
        let scope = workspace.resolve_scope(&program, &ScopeContext::default(), &call);
        let scope = scope.expect(text).scope;
        let mut files =
            FileOptions { path_filter: Some(Arc::new(scope)), ..FileOptions::default() };
        files.attributes.types.files = false;
        files.attributes.types.directories = true;
        let (found, _) = workspace
            .run_find(&FindRequest::new(files, Some(100), Some(1 << 20)), &call)
            .expect("found");
        let paths: Vec<_> = found.iter().map(|file| file.path.display().into_owned()).collect();
        assert_eq!(paths.join(" "), expected, "{text}");
    }
}
