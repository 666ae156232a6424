//! `pom.xml` and Gradle scripts.

use super::{assert_found, found};

fn pom(inner: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<project xmlns=\"http://maven.apache.org/POM/4.0.0\">{inner}\
         </project>"
    )
}

fn dependency(inner: &str) -> String {
    format!("<dependencies><dependency>{inner}</dependency></dependencies>")
}

#[test]
fn a_reactor() {
    let root = "<groupId>g</groupId><artifactId>root</artifactId><packaging>pom</packaging>\
                <properties><tests>checks</tests></properties>\
                <modules><module>app</module><module>far/1/2/3/lib</module>\
                <module>old/pom-old.xml</module><module>gone</module><module>../out</module>\
                <module>app</module></modules>";
    let parent = "<parent><groupId>g</groupId><artifactId>root</artifactId></parent>";
    let app = format!(
        "{parent}<artifactId>app</artifactId><dependencies>\
         <dependency><groupId>${{project.groupId}}</groupId><artifactId>lib</artifactId></dependency>\
         <dependency><artifactId>old</artifactId><scope>test</scope></dependency>\
         <dependency><groupId>other</groupId><artifactId>old</artifactId></dependency>\
         <dependency><artifactId>${{artifactId}}</artifactId></dependency>\
         <dependency><groupId>g</groupId><artifactId>${{unknown}}</artifactId></dependency>\
         </dependencies>"
    );
    let lib = "<parent><groupId>g</groupId><artifactId>root</artifactId>\
               <relativePath>../../../../../pom.xml</relativePath></parent>\
               <artifactId>lib</artifactId><build><sourceDirectory>code</sourceDirectory>\
               <testSourceDirectory>${basedir}/${tests}</testSourceDirectory></build>";
    assert_found(
        &found(&[
            ("pom.xml", pom(root)),
            ("app/pom.xml", pom(&app)),
            ("app/src/main/java/A.java", String::new()),
            ("app/src/main/resources/a.txt", String::new()),
            ("app/src/test/kotlin/T.kt", String::new()),
            ("app/target/x", String::new()),
            ("far/1/2/3/lib/pom.xml", pom(lib)),
            ("far/1/2/3/lib/code/B.java", String::new()),
            ("far/1/2/3/lib/checks/B.java", String::new()),
            ("far/1/2/3/lib/src/main/java/X.java", String::new()),
            ("far/1/2/3/lib/src/main/resources/x", String::new()),
            ("old/pom-old.xml", pom("<groupId>g</groupId><artifactId>old</artifactId>")),
        ]),
        &[
            "app app: +app/src/main/java +app/src/main/resources -app/src/test/kotlin ~app/target \
             > lib exported, old test",
            "lib far/1/2/3/lib: +far/1/2/3/lib/code +far/1/2/3/lib/src/main/resources \
             -far/1/2/3/lib/checks",
            "old old:",
            "root .:",
            "! gone: the module does not exist",
            "! pom.xml: '../out' is outside the root, and not followed",
            "! app/pom.xml: '${unknown}' can only be resolved by Maven",
        ],
    );
}

#[test]
fn maven_scopes_cycles_and_parents() {
    let of = |name: &str, on: &str, scope: &str| {
        pom(&format!(
            "<parent><artifactId>{name}</artifactId><relativePath>.</relativePath></parent>\
             <groupId>g</groupId><artifactId>{name}</artifactId>\
             <build><sourceDirectory>${{a}}</sourceDirectory></build>\
             <properties><a>${{a}}</a></properties>{}<modules><module>../{on}</module></modules>",
            dependency(&format!("<artifactId>{on}</artifactId><scope>{scope}</scope>"))
        ))
    };
    assert_found(
        &found(&[
            ("a/pom.xml", of("a", "b", "runtime")),
            ("b/pom.xml", of("b", "c", "provided")),
            ("c/pom.xml", of("c", "a", "system")),
        ]),
        &[
            "a a: > b runtime exported",
            "b b: > c provided",
            "c c: > a provided",
            "! a/pom.xml: '${a}' can only be resolved by Maven",
            "! b/pom.xml: '${a}' can only be resolved by Maven",
            "! c/pom.xml: '${a}' can only be resolved by Maven",
        ],
    );
    assert_found(
        &found(&[("pom.xml", "<odd/>".to_owned()), ("x/pom.xml", pom(""))]),
        &["! pom.xml: its root element is not 'project'", "! x/pom.xml: no 'artifactId'"],
    );
}

#[test]
fn a_gradle_build() {
    let settings = "rootProject.name = 'shop'\r\ninclude ':app', ':lib:core'\ninclude 'moved'\n\
                    include ':gone', ':out'\nproject(':moved').projectDir = file('other/place')\n\
                    project(':out').projectDir = new File(settingsDir, '../out')\n\
                    includeFlat 'beside'\n";
    let app = "dependencies {\n  implementation project(':lib:core')\n  api projects.shop.moved\n\
               testImplementation(project(':lib'))\n  implementation project(':none') }\n";
    assert_found(
        &found(&[
            ("settings.gradle", settings),
            ("app/build.gradle", app),
            ("app/src/main/java/A.java", ""),
            ("app/src/main/resources/a", ""),
            ("app/src/test/java/T.java", ""),
            ("app/src/integrationTest/kotlin/T.kt", ""),
            ("app/build/x", ""),
            ("lib/build.gradle.kts", "dependencies { runtimeOnly(project(\"core\")) }"),
            ("lib/core/x", ""),
            ("other/place/src/main/kotlin/M.kt", ""),
            ("unrelated/build.gradle", ""),
        ]),
        &[
            "app app: -app/src/integrationTest/kotlin +app/src/main/java +app/src/main/resources \
             -app/src/test/java ~app/build app/src/integrationTest: app/src/main: app/src/test: \
             > lib.core exported, moved exported, lib test",
            "app.integrationTest app/src/integrationTest: -app/src/integrationTest/kotlin \
             > lib.core exported, moved.main exported, lib test, app.main exported",
            "app.main app/src/main: +app/src/main/java +app/src/main/resources \
             > lib.core exported, moved.main exported",
            "app.test app/src/test: -app/src/test/java \
             > lib.core exported, moved.main exported, lib test, app.main exported",
            "lib lib: > lib.core runtime exported",
            "lib.core lib/core:",
            "moved other/place: +other/place/src/main/kotlin other/place/src/main:",
            "moved.main other/place/src/main: +other/place/src/main/kotlin",
            "shop .:",
            "! settings.gradle: 'includeFlat' names directories outside the root and is skipped",
            "! settings.gradle: the project ':gone' does not exist",
            "! settings.gradle: '../out' is outside the root, and not followed",
        ],
    );
}

#[test]
fn gradle_source_sets_in_other_directories() {
    let script = "sourceSets {\n  main { java { srcDirs = ['src', 'gone'] } }\n\
                  test.java.srcDir 'tests'\n  own.java.srcDir \"$rootDir/shared/src\"\n\
                  above.java.srcDir '..' }\n\
                  android.sourceSets { androidTest.setRoot('device') }\n";
    assert_found(
        &found(&[
            ("settings.gradle", "rootProject.name = 'top'\ninclude 'app'"),
            ("app/build.gradle", script),
            ("app/src/com/acme/A.java", ""),
            ("app/tests/T.java", ""),
            ("app/device/java/D.java", ""),
            ("shared/src/S.java", ""),
        ]),
        &[
            "app app: -app/device/java +app/src -app/tests app/device/java: app/src: shared/src: \
             +shared/src app/tests:",
            "app.androidTest app/device/java: -app/device/java > app.main exported",
            "app.main app/src: +app/src",
            "app.own shared/src: +shared/src",
            "app.test app/tests: -app/tests > app.main exported",
            "top .:",
        ],
    );
}

#[test]
fn gradle_roots_without_a_name() {
    assert_found(
        &found(&[
            ("a/settings.gradle.kts", "include(\":x\")"),
            ("a/x/x", ""),
            ("b/settings.gradle.kts", ""),
            ("b/src/main/java/B.java", ""),
            ("c/build.gradle", ""),
            ("c/src/test/java/C.java", ""),
        ]),
        &[
            "b b: +b/src/main/java b/src/main:",
            "b.main b/src/main: +b/src/main/java",
            "c c: -c/src/test/java c/src/test:",
            "c.test c/src/test: -c/src/test/java",
            "x a/x:",
        ],
    );
    assert_found(
        &found(&[("build.gradle", ""), ("src/main/java/B.java", "")]),
        &[". .: +src/main/java src/main:", "main src/main: +src/main/java"],
    );
}

#[test]
fn one_directory_and_name_is_one_module() {
    assert_found(
        &found(&[
            ("m/pom.xml", pom("<artifactId>m</artifactId>")),
            ("m/build.gradle", String::new()),
            ("m/package.json", "{\"name\": \"m\"}".to_owned()),
            ("m/src/main/java/M.java", String::new()),
            ("n/package.json", "{\"name\": \"m\"}".to_owned()),
            ("n/go.mod", "module other\nrequire m v1\n".to_owned()),
        ]),
        &[
            "m m: +m +m/src/main/java m/src/main: (JavaScript)",
            "m (n) n: +n (JavaScript)",
            "m.main m/src/main: +m/src/main/java",
            "other n: +n (Go)",
        ],
    );
}
