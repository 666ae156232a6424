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
    let told = "not read: module files may have at most 16 MiB in total";
    let cut = found.iter().filter(|line| line.ends_with(told)).count();
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
    let told = "! m5/pom.xml: not used: all files may have at most 500000 elements in total";
    assert_eq!(found.last().map(String::as_str), Some(told), "{found:?}");
    assert_eq!(found.len(), 5 + 1, "{found:?}");
}
