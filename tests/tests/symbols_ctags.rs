//! The outlines compared with Universal Ctags, if it is installed, on real trees.
//!
//! The test draws some files of each tree, and some of the names that ctags finds there: our outlines must
//! contain nearly all of them. It reports missing names, and names that only we find, by language and kind.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests start the other program and list real trees"
)]

use cargo_metadata::MetadataCommand;
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use searchscope::{Call, Outline, SymbolKind, Workspace};
use searchscope_tests::{repository, say, skip};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Maximum number of files read per tree, and of bytes, so that a run takes seconds.
const FILES_MAX: usize = 400;
const BYTES_MAX: u64 = 4 << 20;
const FILE_BYTES_MAX: u64 = 512 << 10;
/// Number of names to look for in a tree, and the percentage that must be present.
const NAMES: usize = 200;
const FOUND_PERCENT: usize = 97;
/// Tolerated difference in lines: ctags reports the line that its scanner has reached, which may not be
/// that of the name if a definition spans several lines.
const LINES_OFF: u64 = 2;
/// Number of examples reported for each cause.
const EXAMPLES: usize = 4;

/// The name of a language in ctags and in our outlines, and the kinds of ctags that we report. ctags
/// does not support Kotlin.
const LANGUAGES: &[(&str, &str, &str)] = &[
    ("Sh", "Bash", "function"),
    ("C", "C", "macro enumerator function enum member struct typedef union variable"),
    (
        "C++",
        "C++",
        "class macro enumerator function enum member namespace struct typedef union variable",
    ),
    ("C#", "C#", "class enumerator event field enum interface method namespace property struct"),
    ("Go", "Go", "talias const func interface member methodSpec struct type var"),
    ("Java", "Java", "annotation class enumConstant field enum interface method"),
    (
        "JavaScript",
        "JavaScript",
        "constant getter field setter class function generator method variable",
    ),
    ("PHP", "PHP", "class define function interface namespace trait"),
    ("Python", "Python", "class function member variable"),
    ("Ruby", "Ruby", "constant singletonMethod class method module"),
    // An implementation defines no name.
    (
        "Rust",
        "Rust",
        "macro method enumerator function enum interface field module struct typedef variable",
    ),
    (
        "TypeScript",
        "TypeScript",
        "constant generator alias class enumerator function enum interface method namespace property variable",
    ),
    (
        "TypeScript",
        "TSX",
        "constant generator alias class enumerator function enum interface method namespace property variable",
    ),
];

/// Kinds that we do not report inside a function.
const LOCAL_KINDS: &[&str] = &["constant", "variable", "property"];
const FUNCTION_KINDS: &[&str] =
    &["function", "method", "member", "generator", "getter", "setter", "singletonMethod"];

#[test]
fn unpacked_crates_have_the_definitions_that_ctags_finds() {
    match unpacked_crates() {
        Some(root) => compare("the unpacked crates", &root),
        None => {
            skip("definitions of the unpacked crates", "all dependencies are in the repository")
        }
    }
}

#[test]
fn drivers_of_linux_have_the_definitions_that_ctags_finds() {
    match std::env::var_os("SEARCHSCOPE_LINUX_TREE").map(PathBuf::from) {
        Some(root) => compare("drivers of Linux", &root.join("drivers/net")),
        None => skip("definitions of Linux", "SEARCHSCOPE_LINUX_TREE does not name it"),
    }
}

#[test]
fn node_modules_have_the_definitions_that_ctags_finds() {
    let root = repository().join("node_modules");
    match root.is_dir() {
        true => compare("node_modules", &root),
        false => skip("definitions of node_modules", "they are not installed"),
    }
}

/// A definition that ctags finds.
#[derive(Clone)]
struct Tag {
    path: String,
    line: u64,
    name: String,
    kind: String,
    language: &'static str,
}

type Outlines = BTreeMap<String, Arc<Outline>>;

fn compare(tree: &str, root: &Path) {
    if !has_ctags() {
        return skip(&format!("definitions of {tree}"), "no Universal Ctags with JSON");
    }
    let mut dice = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outlines = outlines(root, &mut dice);
    let mut tags: Vec<Tag> =
        LANGUAGES.iter().flat_map(|language| tags_of(root, language, &outlines)).collect();
    tell_what_only_we_find(tree, &outlines, &tags);
    tags.retain(|tag| is_reported(tag) && !is_misread(tag, root));
    shuffle(&mut tags, &mut dice);
    let chosen: Vec<&Tag> = tags.iter().take(NAMES).collect();
    assert!(chosen.len() == NAMES, "{tree}: ctags finds only {} names", chosen.len());
    let (n_all, n_missed) =
        (tags.len(), tags.iter().filter(|tag| !is_found(tag, &outlines)).count());
    say(&format!("{tree}: {} files, {n_missed} of {n_all} names missed", outlines.len()));
    let missed: Vec<&Tag> =
        chosen.iter().filter(|tag| !is_found(tag, &outlines)).copied().collect();
    let mut causes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for tag in &missed {
        let cause = format!("{} {}", tag.language, tag.kind);
        causes.entry(cause).or_default().push(format!("{}:{} {}", tag.path, tag.line, tag.name));
    }
    tell(&format!("{tree}, only ctags"), &causes);
    let n_found = chosen.len() - missed.len();
    assert!(
        n_found * 100 >= chosen.len() * FOUND_PERCENT,
        "{tree}: only {n_found} of {} names of ctags: {causes:#?}",
        chosen.len()
    );
}

/// Returns whether our outline of the file has the name at that line.
fn is_found(tag: &Tag, outlines: &Outlines) -> bool {
    let Some(outline) = outlines.get(&tag.path) else { return false };
    let fits = |name: &str| same_name(name, &tag.name);
    outline.symbols().iter().filter(|symbol| symbol.line().abs_diff(tag.line) <= LINES_OFF).any(
        |symbol| {
            let is_module = symbol.kind() == SymbolKind::Module;
            // `namespace a::b` is one definition to us and two to ctags.
            fits(symbol.name())
                || is_module && outline.qualified_name(symbol).split([':', '.', '\\']).any(fits)
        },
    )
}

/// Compares names as ctags writes them: without spaces and signs.
fn same_name(ours: &str, theirs: &str) -> bool {
    let plain = |name: &str| -> String {
        name.trim_start_matches(['$', '#']).chars().filter(|char| !char.is_whitespace()).collect()
    };
    plain(ours.trim_start_matches("r#")) == plain(theirs.trim_start_matches("r#"))
}

fn is_reported(tag: &Tag) -> bool {
    let language = LANGUAGES.iter().find(|(_, ours, _)| *ours == tag.language);
    language.is_some_and(|(.., kinds)| kinds.split(' ').any(|kind| kind == tag.kind))
}

/// Returns whether ctags misreads a line as a definition: in TypeScript an imported name, the signature of a
/// constructor, which has no name, or the type after `asserts name is`; in Rust the type after a lifetime `'static`.
fn is_misread(tag: &Tag, root: &Path) -> bool {
    if !matches!(tag.language, "Rust" | "TypeScript") {
        return false;
    }
    let text = std::fs::read(root.join(&tag.path)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let index = usize::try_from(tag.line.saturating_sub(1)).unwrap_or(usize::MAX);
    let line = text.lines().nth(index).unwrap_or_default().trim_start();
    match tag.kind.as_str() {
        "alias" => line.starts_with("import "),
        "method" => tag.name == "new" && line.starts_with("new ("),
        "variable" => tag.language == "Rust" && line.contains(&format!("'static {}", tag.name)),
        "property" => line.contains(": asserts ") && line.contains(&format!(" is {}", tag.name)),
        _ => false,
    }
}

/// Reports, by language and kind, the names that ctags lacks in any kind.
fn tell_what_only_we_find(tree: &str, outlines: &Outlines, tags: &[Tag]) {
    let mut known: BTreeMap<&str, Vec<&Tag>> = BTreeMap::new();
    for tag in tags {
        known.entry(&tag.path).or_default().push(tag);
    }
    let mut causes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, outline) in outlines {
        let tags = known.get(path.as_str()).map_or(&[][..], Vec::as_slice);
        for symbol in outline.symbols().iter().filter(|one| one.kind() != SymbolKind::Impl) {
            let is_there = |tag: &&Tag| {
                symbol.line().abs_diff(tag.line) <= LINES_OFF && same_name(symbol.name(), &tag.name)
            };
            if !tags.iter().any(is_there) {
                let cause = format!("{} {:?}", outline.language(), symbol.kind());
                let place = format!("{path}:{} {}", symbol.line(), symbol.name());
                causes.entry(cause).or_default().push(place);
            }
        }
    }
    tell(&format!("{tree}, only we"), &causes);
}

fn tell(what: &str, causes: &BTreeMap<String, Vec<String>>) {
    for (cause, places) in causes {
        let examples = places.iter().take(EXAMPLES).cloned().collect::<Vec<_>>().join(", ");
        say(&format!("{what}: {cause}: {}: {examples}", places.len()));
    }
}

/// Returns the outlines of some files under `root` that have one, by path.
fn outlines(root: &Path, dice: &mut TestRng) -> Outlines {
    let mut paths = Vec::new();
    list(root, &mut paths);
    paths.sort();
    shuffle(&mut paths, dice);
    let workspace = Workspace::open(root).expect("the tree is readable");
    let (mut outlines, mut bytes) = (Outlines::new(), 0);
    for (path, size) in paths {
        if outlines.len() == FILES_MAX || bytes > BYTES_MAX {
            break;
        }
        let path = path.strip_prefix(root).expect("it was listed there");
        // ctags reads its list of files as text.
        let Some(path) = path.to_str().filter(|path| !path.contains('\n')) else { continue };
        match workspace.outline(path, &Call::new()) {
            Ok(Some(outline)) => {
                outlines.insert(path.to_owned(), outline);
                bytes += size;
            }
            Ok(None) => {}
            Err(error) => say(&format!("no outline of {path}: {error}")),
        }
    }
    outlines
}

fn list(directory: &Path, paths: &mut Vec<(PathBuf, u64)>) {
    for entry in fs::read_dir(directory).expect("the tree is readable") {
        let entry = entry.expect("the tree is readable");
        let meta = fs::symlink_metadata(entry.path()).expect("it was listed");
        if meta.is_dir() {
            list(&entry.path(), paths);
        } else if meta.is_file() && meta.len() <= FILE_BYTES_MAX {
            paths.push((entry.path(), meta.len()));
        }
    }
}

fn shuffle<T>(values: &mut [T], dice: &mut TestRng) {
    for at in (1..values.len()).rev() {
        let other = usize::try_from(dice.next_u64() % (at as u64 + 1)).unwrap_or(0);
        values.swap(at, other);
    }
}

fn has_ctags() -> bool {
    let features = Command::new("ctags").arg("--list-features").output();
    features.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("json"))
}

/// Returns the tags of the files of one language.
fn tags_of(
    root: &Path,
    &(theirs, ours, _): &(&str, &'static str, &str),
    outlines: &Outlines,
) -> Vec<Tag> {
    let files = outlines.iter().filter(|(_, outline)| outline.language() == ours);
    let files: BTreeSet<&str> = files.map(|(path, _)| path.as_str()).collect();
    if files.is_empty() {
        return Vec::new();
    }
    let mut ctags = Command::new("ctags")
        .args([
            "--options=NONE",
            "--output-format=json",
            "--fields=+nKs",
            "-f",
            "-",
            "-L",
            "-",
            "--sort=no",
        ])
        .args(["--extras=-{anonymous}", &format!("--language-force={theirs}")])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it just printed its features");
    let mut input = ctags.stdin.take().expect("it is piped");
    let list = files.into_iter().map(|path| format!("{path}\n")).collect::<String>();
    let feeder = std::thread::spawn(move || input.write_all(list.as_bytes()));
    let output = ctags.wait_with_output().expect("it runs");
    feeder.join().expect("it only writes").expect("ctags reads its list");
    assert!(output.status.success(), "ctags ends with {}", output.status);
    let lines = output.stdout.split(|&byte| byte == b'\n');
    lines.filter_map(|line| tag(line, ours)).collect()
}

/// Parses a tag; skips guesses and the kinds that we do not report inside functions.
fn tag(line: &[u8], language: &'static str) -> Option<Tag> {
    let tag: Value = serde_json::from_slice(line).ok()?;
    let text = |key: &str| tag[key].as_str().unwrap_or_default();
    let kind = text("kind");
    let is_local = LOCAL_KINDS.contains(&kind) && FUNCTION_KINDS.contains(&text("scopeKind"));
    let is_ecma = ["JavaScript", "TypeScript", "TSX"].contains(&language);
    let is_guess = is_ecma && is_guess(kind, text("name"), text("pattern"));
    if text("_type") != "tag" || is_local || is_guess {
        return None;
    }
    Some(Tag {
        path: text("path").to_owned(),
        line: tag["line"].as_u64()?,
        name: text("name").to_owned(),
        kind: kind.to_owned(),
        language,
    })
}

/// Returns whether a tag of JavaScript or TypeScript is only a guess. ctags does not see anonymous
/// functions around a variable, so only one without indentation is certainly global. It takes objects
/// for classes, the qualifier of a parameter's type for a constant, and keywords, as in `x is T`, for
/// names. An imported module is not a definition either.
fn is_guess(kind: &str, name: &str, pattern: &str) -> bool {
    const WORDS: [&str; 11] = [
        "as", "const", "default", "extends", "from", "global", "import", "is", "number", "string",
        "type",
    ];
    let line = pattern.strip_prefix("/^").unwrap_or(pattern);
    match kind {
        _ if WORDS.contains(&name) => true,
        "constant" | "variable" => {
            let is_declared =
                ["const", "let", "var"].iter().any(|word| line.contains(&format!("{word} {name}")));
            line.starts_with([' ', '\t']) || line.contains("require(") || !is_declared
        }
        // A destructured parameter looks the same.
        "field" => {
            let starts = ["static", "#", "this.", name];
            !starts.iter().any(|start| line.trim_start().starts_with(start))
        }
        "class" => !pattern.contains("class") && !pattern.contains("function"),
        _ => false,
    }
}

/// Returns the directory in which cargo unpacked the dependencies of this workspace.
fn unpacked_crates() -> Option<PathBuf> {
    let metadata = MetadataCommand::new().manifest_path(repository().join("Cargo.toml")).exec();
    let mut packages = metadata.expect("cargo describes the workspace").packages.into_iter();
    let package =
        packages.find(|package| package.source.is_some() && package.manifest_path.is_file())?;
    Some(package.manifest_path.parent()?.parent()?.to_path_buf().into())
}
