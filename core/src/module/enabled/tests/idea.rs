//! `.idea/modules.xml` and the files it refers to.

use super::{assert_found, discover, found, shown};
use crate::tests::tree;
use std::os::unix::fs::symlink;

/// The maximum number of folders in one file.
const ENTRIES: usize = 20_000;

/// Returns a list of modules with these `fileurl`s.
fn list(urls: &[&str]) -> String {
    let modules: String =
        urls.iter().map(|url| format!("<module fileurl=\"{url}\" group=\"a/b\"/>")).collect();
    format!(
        "<project version=\"4\"><component name=\"ProjectModuleManager\"><modules>{modules}\
         </modules></component></project>"
    )
}

fn iml(inner: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<module type=\"JAVA_MODULE\" version=\"4\">\
         <component name=\"NewModuleRootManager\">{inner}</component></module>"
    )
}

/// Returns the modules found for one `m/m.iml` with this content.
fn of_iml(inner: &str) -> Vec<String> {
    let list = list(&["file://$PROJECT_DIR$/m/m.iml"]);
    found(&[(".idea/modules.xml", list), ("m/m.iml", iml(inner))])
}

#[test]
fn every_element_of_a_module() {
    let app = iml(r#"<content url="file://$MODULE_DIR$">
          <sourceFolder url="file://$MODULE_DIR$/src" isTestSource="false" packagePrefix="org.demo"/>
          <sourceFolder url="file://$MODULE_DIR$/res" type="java-resource"/>
          <sourceFolder url="file://$MODULE_DIR$/test" isTestSource="true"/>
          <sourceFolder url="file://$MODULE_DIR$/testres" type="java-test-resource"/>
          <sourceFolder url="file://$MODULE_DIR$/gen" isTestSource="false" generated="true"/>
          <excludeFolder url="file://$MODULE_DIR$/out"/>
          <excludeFolder url="file://$USER_HOME$/out"/>
          <excludePattern pattern="*.tmp"/>
        </content>
        <content url="file://$PROJECT_DIR$/shared"/>
        <orderEntry type="inheritedJdk"/>
        <orderEntry type="jdk" jdkName="17" jdkType="JavaSDK"/>
        <orderEntry type="sourceFolder" forTests="false"/>
        <orderEntry type="module" module-name="core" exported=""/>
        <orderEntry type="module" module-name="util" scope="TEST"/>
        <orderEntry type="library" scope="PROVIDED" name="junit" level="project"/>
        <orderEntry type="library" name="outside" level="project"/>
        <orderEntry type="library" name="global" level="application"/>
        <orderEntry type="module-library" exported="false" scope="RUNTIME"><library>
          <CLASSES><root url="jar://$MODULE_DIR$/lib/x.jar!/"/></CLASSES><JAVADOC/>
          <SOURCES><root url="jar://$MODULE_DIR$/lib/x-src.zip!/java"/></SOURCES>
        </library></orderEntry>
        <orderEntry type="module-library" scope="NONSENSE"><library name="own">
          <CLASSES><root url="file://$MODULE_DIR$/jars"/></CLASSES>
          <jarDirectory url="file://$MODULE_DIR$/jars" recursive="false"/>
        </library></orderEntry>"#);
    let junit = r#"<component name="libraryTable"><library name="junit">
        <CLASSES><root url="jar://$PROJECT_DIR$/lib/junit.jar!/"/>
        <root url="jar://$MAVEN_REPOSITORY$/hamcrest.jar!/"/></CLASSES>
        <SOURCES/></library></component>"#;
    let outside = r#"<component name="libraryTable"><library name="outside">
        <CLASSES><root url="jar://$USER_HOME$/x.jar!/"/></CLASSES></library></component>"#;
    let urls =
        ["app/app.iml", "core.iml", ".idea/util.iml"].map(|x| format!("file://$PROJECT_DIR$/{x}"));
    let found = found(&[
        (".idea/modules.xml", list(&urls.each_ref().map(String::as_str))),
        (".idea/libraries/junit.xml", junit.to_owned()),
        (".idea/libraries/outside.xml", outside.to_owned()),
        ("app/app.iml", app),
        ("core.iml", iml("<content url='file://$MODULE_DIR$/core'/>")),
        (".idea/util.iml", iml("<content url='file://$MODULE_DIR$/util'/>")),
        ("node_modules/x/package.json", "{}".to_owned()),
        ("app/venv/pyvenv.cfg", String::new()),
        ("app/venv/lib/python3/site-packages/six.py", String::new()),
        // Ignored: `.idea` alone decides.
        ("package.json", "{\"name\": \"other\"}".to_owned()),
    ]);
    assert_found(
        &found,
        &[
            "app {a b} app: +app/src of org.demo +app/res -app/test -app/testres \
             +app/gen generated ~app/out ~'*.tmp' shared: > core exported, util test, \
             <junit lib/junit.jar> provided, <x.jar app/lib/x.jar> runtime exported, \
             <own app/jars>",
            "core {a b} core:",
            "util {a b} util:",
            "library junit: lib/junit.jar / ",
            "library x.jar: app/lib/x.jar / app/lib/x-src.zip",
            "library own: app/jars / ",
            "library NodeModules: node_modules / ",
            "library Entries: app/venv/lib/python3/site-packages / ",
        ],
    );
}

#[test]
fn nested_content_roots_are_kept_as_they_are() {
    assert_found(
        &of_iml(
            "<content url='file://$MODULE_DIR$'/><content url='file://$MODULE_DIR$/in'>\
             <sourceFolder url='file://$MODULE_DIR$/in' isTestSource='true'/></content>",
        ),
        &["m {a b} m: m/in: -m/in"],
    );
}

#[test]
fn problems_are_reported_and_the_rest_is_kept() {
    for (inner, expected) in [
        (
            "<content url='file://$MODULE_DIR$'>\
             <sourceFolder url='file://$MODULE_DIR$/a' type='odd' isTestSource='true'/></content>",
            &["m {a b} m: -m/a", "! m/m.iml: the source folder 'odd' has an unknown type"][..],
        ),
        (
            "<content url='file:///etc'><sourceFolder url='file:///etc/x'/></content>",
            &[
                "m {a b}",
                "! m/m.iml: the content root 'file:///etc' is outside the root, and left out",
            ],
        ),
        (
            "<content url='file://$MODULE_DIR$'><sourceFolder url='file://$PROJECT_DIR$/x'/></content>",
            &[
                "m {a b} m:",
                "! m/m.iml: the source folder 'file://$PROJECT_DIR$/x' is not in its content root",
            ],
        ),
        (
            "<orderEntry type='module' module-name='none'/>",
            &["m {a b}", "! m/m.iml: there is no module 'none'"],
        ),
        (
            "<orderEntry type='library' name='x' level='project'/>\
             <orderEntry type='library' name='y' level='project'/>",
            &["m {a b}", "! .idea/libraries: 2 dependencies on unknown libraries"],
        ),
        ("<orderEntry type='module' module-name='m'/>", &["m {a b}"]),
        ("<orderEntry type='odd'/><odd/>", &["m {a b}"]),
    ] {
        assert_found(&of_iml(inner), expected);
    }
}

#[test]
fn a_missing_attribute_is_an_error_of_the_file() {
    for (inner, problem) in [
        ("<content/>", "'content' without 'url'"),
        (
            "<content url='file://$MODULE_DIR$'><sourceFolder/></content>",
            "'sourceFolder' without 'url'",
        ),
        ("<orderEntry/>", "'orderEntry' without 'type'"),
        ("<orderEntry type='module'/>", "'orderEntry' without 'module-name'"),
        ("<orderEntry type='library' name='x'/>", "'orderEntry' without 'level'"),
        ("<orderEntry type='jdk'/>", "'orderEntry' without 'jdkName'"),
        ("<orderEntry type='module-library'/>", "'module-library' without 'library'"),
        (
            "<orderEntry type='module-library'><library><CLASSES><root/></CLASSES></library></orderEntry>",
            "'root' without 'url'",
        ),
    ] {
        assert_found(
            &of_iml(inner),
            &[
                &format!("! m/m.iml: {problem}, so the module is left out"),
                "! .idea/modules.xml: none of its modules could be read, so build files are used \
                 instead",
            ],
        );
    }
}

#[test]
fn build_files_replace_modules_that_cannot_be_read() {
    let list = list(&[
        "file://$PROJECT_DIR$/none.iml",
        "file:///etc/x.iml",
        "file://$PROJECT_DIR$/bad.iml",
        "file://$PROJECT_DIR$/link.iml",
        "file://$PROJECT_DIR$/other/bad.iml",
    ]);
    let files =
        [(".idea/modules.xml", list.as_str()), ("bad.iml", "<module>"), ("real.iml", "<module/>")];
    let dir = tree(&files);
    symlink("real.iml", dir.path().join("link.iml")).expect("linked");
    assert_found(
        &shown(&discover(dir.path())),
        &[
            "! .idea/modules.xml: 'file:///etc/x.iml' is outside the root, and not read",
            "! other/bad.iml: another module has that name",
            "! none.iml: the module file does not exist; an IDE may keep it elsewhere",
            "! bad.iml: invalid XML: the element 'module' is not closed, at byte 8",
            "! link.iml: the module file does not exist; an IDE may keep it elsewhere",
            "! .idea/modules.xml: none of its modules could be read, so build files are used \
             instead",
        ],
    );
}

#[test]
fn a_directory_that_is_a_link_is_not_read() {
    let dir =
        tree(&[("real/modules.xml", list(&["file://$PROJECT_DIR$/m.iml"])), ("m.iml", iml(""))]);
    symlink("real", dir.path().join(".idea")).expect("linked");
    assert_found(&shown(&discover(dir.path())), &["! .idea/modules.xml: not read: is a symlink"]);
}

#[test]
fn hostile_files_are_reported() {
    let list = list(&["file://$PROJECT_DIR$/a.iml", "file://$PROJECT_DIR$/b.iml"]);
    let bomb = "<!DOCTYPE module [<!ENTITY a \"b\">]><module>&a;</module>".to_owned();
    let found = found(&[
        (".idea/modules.xml", list),
        (".idea/libraries/deep.xml", "<a>".repeat(1_000_000)),
        ("a.iml", bomb),
        ("b.iml", iml(&"<content url=\"file://$MODULE_DIR$\"/>".repeat(ENTRIES + 1))),
        ("go.mod", "module m".to_owned()),
    ]);
    assert_found(
        &found,
        &[
            "m .: +. (Go)",
            "! a.iml: a DOCTYPE with declarations, which are not read, at byte 0",
            "! b.iml: more than 20000 folders, so the module is left out",
            "! .idea/modules.xml: none of its modules could be read, so build files are used \
             instead",
        ],
    );
}
