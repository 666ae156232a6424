use super::found;
use crate::module::enabled::reader::DEPENDENCIES_MAX;

/// Returns packages that each depend on all others, with padding.
fn crates(n: usize, bytes: usize) -> Vec<(String, String)> {
    let dependencies: String =
        (0..n).map(|n| format!("c{n}={{path=\"../c{n}\"}}\n")).collect::<Vec<_>>().concat();
    let manifest = |at| {
        let mut text = format!("[package]\nname=\"c{at}\"\n[dependencies]\n{dependencies}");
        text.extend(std::iter::repeat_n('#', bytes.saturating_sub(text.len())));
        (format!("c{at}/Cargo.toml"), text)
    };
    (0..n).map(manifest).collect()
}

fn n_dependencies(found: &[String]) -> usize {
    let modules = found.iter().filter(|line| !line.starts_with('!'));
    modules.map(|line| line.split_once(" > ").map_or(0, |(_, on)| on.split(", ").count())).sum()
}

#[test]
fn the_bytes_of_all_manifests_are_bounded() {
    let found = found(&crates(100, 200 << 10));
    let expected = "not read: module files may have at most 16 MiB in total";
    let cut = found.iter().filter(|line| line.ends_with(expected)).count();
    // 200 KiB each: 81 fit.
    assert_eq!(cut, 19, "{:.2000}", found.join("\n"));
    assert_eq!(found.len() - cut, 81);
}

#[test]
fn the_dependencies_of_all_modules_are_bounded() {
    let n = 500;
    let found = found(&crates(n, 0));
    let problems: Vec<&String> = found.iter().filter(|line| line.starts_with('!')).collect();
    assert!(problems[0].contains("of 500 dependencies are used"), "{problems:?}");
    assert_eq!(found.len() - problems.len(), n);
    // A module does not depend on itself.
    assert_eq!(n_dependencies(&found), DEPENDENCIES_MAX / n * (n - 1));
}

#[test]
fn the_elements_of_all_poms_are_bounded() {
    let pom = |n| {
        let text =
            format!("<project><artifactId>m{n}</artifactId>{}</project>", "<a/>".repeat(90_000));
        (format!("m{n}/pom.xml"), text)
    };
    let found = found(&(0..7).map(pom).collect::<Vec<_>>());
    let expected = "! m5/pom.xml: not used: all files may have at most 500000 elements in total";
    assert_eq!(found.last().map(String::as_str), Some(expected), "{found:?}");
    assert_eq!(found.len(), 5 + 1, "{found:?}");
}

#[test]
fn no_script_of_gradle_takes_quadratic_time() {
    let mib = 1 << 20;
    for script in [
        format!("dependencies {{ api({})}}", "projects.".repeat(mib / 9 - 10)),
        format!("api(project(\":a\"))\n{}", "x(project(\":b\"))".repeat(mib / 17)),
        format!("api project(':a'){}{}", ")".repeat(60_000), " y project(':b')".repeat(20_000)),
        format!("sourceSets.main.java.{}", "srcDir(".repeat(mib / 7 - 10)),
        format!("sourceSets.main.java.srcDir({}", "'a',".repeat(mib / 4 - 10)),
        "platform(".repeat(mib / 9),
        "sourceSets{".repeat(mib / 11),
    ] {
        let name = if script.contains('"') { "a/build.gradle.kts" } else { "a/build.gradle" };
        let found = super::found(&[(name, script.as_str()), ("a/src/main/java/A.java", "")]);
        assert!(found.len() < 10, "{:.1000}", found.join("\n"));
    }
    let list = (0..90_000).map(|n| format!("':a{n}'")).collect::<Vec<_>>().join(",");
    let found = super::found(&[("settings.gradle", format!("include {list}"))]);
    assert!(found.len() <= 101, "{}", found.len());
}

#[test]
fn the_source_directories_of_a_gradle_project_are_bounded() {
    let roots = (0..3_000).map(|n| (format!("big/d{n}/x"), String::new()));
    let script: String =
        (0..2_000).map(|n| format!("android.sourceSets.s{n}.setRoot('big')\n")).collect();
    let given = [
        ("settings.gradle".to_owned(), "rootProject.name = 'shop'".to_owned()),
        ("build.gradle".to_owned(), script),
    ];
    let files: Vec<(String, String)> = given.clone().into_iter().chain(roots).collect();
    let expected = "! .: only 2000 source directories are used".to_owned();
    assert!(super::found(&files).contains(&expected));
    let roots = (0..3_000).map(|n| (format!("src/s{}/d{n}/x", n % 30), String::new()));
    let files: Vec<(String, String)> = given[..1].iter().cloned().chain(roots).collect();
    let found = super::found(&files);
    assert!(found.contains(&expected), "{:.1000}", found.join("\n"));
    let n_roots = found.iter().map(|line| line.matches('+').count()).sum::<usize>();
    // Each is one of the project and of its source set.
    assert_eq!(n_roots, 4_000);
}

#[test]
fn large_solutions_are_read() {
    let line =
        |n| format!("Project(\"{{F}}\") = \"p\", \"a\\b\\c\\d\\p{n}\\p{n}.csproj\", \"{{1}}\"\n");
    let solution: String = (0..1_000).map(line).collect();
    let project = |n| {
        let references: String = (0..1_000)
            .step_by(9)
            .map(|on| format!("<ProjectReference Include=\"..\\p{on}\\p{on}.csproj\"/>"))
            .collect();
        let text = format!("<Project><ItemGroup>{references}</ItemGroup></Project>");
        (format!("a/b/c/d/p{n}/p{n}.csproj"), text)
    };
    let mut files = vec![("all.sln".to_owned(), solution)];
    files.extend((0..1_000).map(project));
    let found = super::found(&files);
    assert_eq!(found.len(), 1_000, "{:.1000}", found.join("\n"));
    // A module does not depend on itself.
    assert_eq!(n_dependencies(&found), 1_000 * 112 - 112);
    let many: Vec<_> = (0..5_010).map(|n| (format!("p{n}.csproj"), "<Project/>")).collect();
    let found = super::found(&many);
    let last = found.last().expect("a line");
    assert!(found.len() == 5_001 && last.ends_with("more than 5000 projects"), "{last}");
}

#[test]
fn the_manifests_of_php_and_python_are_bounded() {
    let entries: Vec<String> = (0..20_000).map(|n| format!("\"N{n}\\\\\": [\"s{n}\"]")).collect();
    let composer =
        format!("{{\"name\": \"a\", \"autoload\": {{\"psr-4\": {{{}}}}}}}", entries.join(","));
    let mut files = vec![("a/composer.json".to_owned(), composer)];
    files.extend((0..2_500).map(|n| (format!("a/s{n}/x"), String::new())));
    let found = super::found(&files);
    assert!(found[0].matches('+').count() <= 2_000, "{:.1000}", found[0]);
    let setup = format!("setup({}", "name=x,".repeat((1 << 20) / 8));
    let found = super::found(&[
        ("setup.py", setup.as_str()),
        ("b/composer.json", &"[".repeat(1 << 20)),
        ("c/c.csproj", &"<a>".repeat(1 << 20)),
        ("d/setup.py", &"x".repeat((1 << 20) + 1)),
    ]);
    assert_eq!(found.iter().filter(|line| line.starts_with('!')).count(), 3, "{found:?}");
}
