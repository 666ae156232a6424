//! Every tool with every operation failing: the answer is right, or reports what is missing.

#![expect(clippy::disallowed_methods, reason = "tests make the trees that they search")]

use super::call;
use super::samples::{Sample, samples};
use crate::open::open_workspace;
use crate::tests::trees::tree as tree_of;
use rustix::io::Errno;
use searchscope::testing::{Fault, Faults, Op, Plan};
use searchscope::{Result, Workspace};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::time::{Duration, Instant, UNIX_EPOCH};
use tempfile::TempDir;

/// Errors that the system may return from any operation, besides `EINTR`.
const ERRORS: &[Errno] = &[
    Errno::IO,
    Errno::MFILE,
    Errno::NFILE,
    Errno::ACCESS,
    Errno::NOENT,
    Errno::AGAIN,
    Errno::STALE,
    Errno::NOMEM,
];

/// Errors of an operation according to the manual pages, besides those in [`ERRORS`] and those for
/// an entry whose kind has changed: `ELOOP`, `ENOTDIR`, `ENXIO` and `EXDEV`.
fn errors_of(op: Op) -> &'static [Errno] {
    match op {
        Op::Open | Op::OpenBeneath => &[
            Errno::BADF,
            Errno::BUSY,
            Errno::DQUOT,
            Errno::EXIST,
            Errno::FAULT,
            Errno::FBIG,
            Errno::INVAL,
            Errno::ISDIR,
            Errno::NAMETOOLONG,
            Errno::NODEV,
            Errno::NOSPC,
            Errno::OPNOTSUPP,
            Errno::OVERFLOW,
            Errno::PERM,
            Errno::ROFS,
            Errno::TOOBIG,
            Errno::TXTBSY,
        ],
        Op::Stat | Op::ReadLink => {
            &[Errno::BADF, Errno::FAULT, Errno::INVAL, Errno::NAMETOOLONG, Errno::OVERFLOW]
        }
        Op::FileSystem => &[Errno::BADF, Errno::FAULT, Errno::NOSYS, Errno::OVERFLOW],
        Op::List => &[Errno::BADF, Errno::FAULT, Errno::INVAL],
        Op::Read => &[Errno::BADF, Errno::FAULT, Errno::INVAL, Errno::ISDIR],
        Op::Create | Op::Write | Op::Sync | Op::Rename | Op::Remove => &[],
    }
}

/// One call, and the pointer to its results.
struct Case {
    tool: &'static str,
    args: Value,
    results: &'static str,
}

fn case(tool: &'static str, args: Value, results: &'static str) -> Case {
    Case { tool, args, results }
}

/// Returns a scope of one atom.
fn scope_of(atom: Value) -> Value {
    let mut atom = atom;
    atom["atomId"] = "a".into();
    json!({"atoms": [atom], "tokens": [{"op": "PUSH_ATOM", "atomId": "a"}]})
}

/// Returns a call of every tool, and one for each way in which files are opened and read.
fn cases() -> Vec<Case> {
    // look has a test of its own, because it makes up to ten searches. The sample of read parses
    // every file, and those of the others need no file; cases below replace them.
    const OTHERWISE: &[&str] = &[
        "look",
        "read",
        "scope_validate_pattern",
        "scope_resolve_program",
        "scope_describe_program",
    ];
    let samples = samples("hit", "dir/d.md").into_iter();
    let samples = samples.filter(|sample| !OTHERWISE.contains(&sample.tool));
    let of_sample = |sample: Sample| case(sample.tool, sample.args, sample.results);
    samples.map(of_sample).chain(plain_cases()).chain(scope_cases()).collect()
}

fn scope_cases() -> Vec<Case> {
    let program = json!({
        "atoms": [
            {"atomId": "a", "kind": "STANDARD", "standardScopeId": "All Places"},
            {"atomId": "b", "kind": "PATTERN", "patternText": "file:*"},
        ],
        "tokens": [
            {"op": "PUSH_ATOM", "atomId": "a"},
            {"op": "PUSH_ATOM", "atomId": "b"},
            {"op": "AND"},
        ],
    });
    let in_scope = |atom| json!({"scope": scope_of(atom), "query": "hit"});
    let recent = json!({"kind": "STANDARD", "standardScopeId": "Recently Changed Files"});
    let dir = json!({"kind": "DIRECTORY", "directoryUrl": "dir"});
    let files = json!({"kind": "FILES", "fileUrls": ["a.txt", "dir/b.txt"]});
    let named = json!({"kind": "NAMED_SCOPE", "namedScopeName": "S"});
    let module = json!({"kind": "MODULE", "moduleName": "m"});
    vec![
        case("scope_validate_pattern", json!({"patternText": "file[m]:dir/*"}), "/valid"),
        case("scope_resolve_program", program.clone(), "/descriptor/tokens"),
        case("scope_describe_program", json!({"scope": program.clone()}), "/displayName"),
        case("scope_search_text", json!({"scope": program, "query": "hit"}), "/occurrences"),
        case("scope_search_text", in_scope(recent), "/occurrences"),
        case("scope_search_text", in_scope(dir), "/occurrences"),
        case("scope_search_text", in_scope(files), "/occurrences"),
        case("scope_search_text", in_scope(named), "/occurrences"),
        case("scope_search_text", in_scope(module), "/occurrences"),
    ]
}

fn plain_cases() -> Vec<Case> {
    vec![
        case("search", json!({"patterns": ["h.t"], "order": "mtime"}), "/matches"),
        case("search", json!({"patterns": ["h.t"], "order": "relevance"}), "/matches"),
        case("search", json!({"patterns": ["hit"], "follow": true}), "/matches"),
        case("search", json!({"patterns": ["absent"]}), "/matches"),
        case("search", json!({"patterns": ["hit\nnext"], "multiline": true}), "/matches"),
        case("search", json!({"patterns": ["hit"], "paths": ["dir", "a.txt"]}), "/matches"),
        case("search", json!({"patterns": ["hit"], "paths": [".", "dir/sub"]}), "/matches"),
        case("search", json!({"patterns": ["hit"], "paths": [".", "dir/b.txt"]}), "/matches"),
        case("find", json!({"order": "size", "follow": true}), "/files"),
        case("find_and_grep", json!({"roots": ["dir"], "query": "absent"}), "/results"),
        case(
            "find_and_grep",
            json!({"roots": ["."], "query": "hit", "output_file": "out"}),
            "/results",
        ),
        case(
            "find_and_grep",
            json!({"roots": ["."], "query": "hit", "total_only": true}),
            "/no list",
        ),
        case("Grep", json!({"pattern": "absent"}), "/data/matches"),
        case("read", json!({"what": ["dir/b.txt:1-1"]}), "/no list"),
    ]
}

/// Builds a tree with a file for each way of reading.
fn fixture() -> TempDir {
    let utf_16: Vec<u8> = "\u{feff}hit\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let large = format!("{}hit\n", "no line of interest\n".repeat(10_000));
    let dir = tree_of(&[
        (".gitignore", b"ignored\n*.skipped\n".as_slice()),
        (".git/info/exclude", b"*.excluded\n"),
        ("ignored", b"hit\n"),
        ("b.excluded", b"hit\n"),
        ("recent.txt", b"a recent hit\n"),
        ("a.txt", b"hit\nnext\n"),
        ("large.txt", large.as_bytes()),
        ("utf_16.txt", &utf_16),
        ("binary", b"hit\0\n"),
        ("dir/b.txt", b"a hit\n"),
        ("dir/.ignore", b"*.log\n"),
        ("dir/c.log", b"hit\n"),
        ("dir/c.skipped", b"hit\n"),
        ("dir/d.md", b"---\ntitle: A hit\n---\n# One\nhit\n"),
        ("dir/sub/e.rs", b"fn hit() {}\n"),
        ("Cargo.toml", b"[package]\nname = \"m\"\n"),
        ("js/package.json", b"{\"name\": \"js\"}"),
        ("java/pom.xml", b"<project><artifactId>java</artifactId></project>"),
        ("java/build.gradle", b"plugins { id 'java' }\n"),
        ("java/settings.gradle", b"include ':app'\n"),
        ("go/go.mod", b"module go\n"),
        ("py/pyproject.toml", b"[project]\nname = \"py\"\n"),
        (".idea/scopes/s.xml", b"<component name=\"DependencyValidationManager\"><scope name=\"S\" pattern=\"file:a.txt\"/></component>"),
    ]);
    // The order by time must be the same in each tree.
    for (path, hour) in
        ["a.txt", "large.txt", "utf_16.txt", "dir/b.txt", "dir/d.md", "dir/sub/e.rs"]
            .iter()
            .zip(1..)
    {
        let file = fs::File::open(dir.path().join(path)).expect("it is there");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(3_600 * hour)).expect("set");
    }
    symlink("dir/sub", dir.path().join("link")).expect("linked");
    symlink("../a.txt", dir.path().join("dir/link.txt")).expect("linked");
    dir
}

/// A workspace whose operations are recorded.
struct Lab {
    _root: TempDir,
    out: TempDir,
    faults: Arc<Faults>,
    workspace: Workspace,
    /// Number of handles that it keeps between calls.
    n_open: usize,
}

impl Lab {
    fn new(threads: usize) -> Lab {
        Lab::with_options(fixture(), json!({"threads": threads}))
    }

    fn with_options(root: TempDir, mut options: Value) -> Lab {
        let out = tempfile::tempdir().expect("made");
        let faults = Arc::new(Faults::default());
        options["output_dir"] = out.path().to_str().into();
        let open = || open_workspace(root.path(), options.to_string().as_bytes());
        let workspace = faults.opening(open).expect("opened");
        Lab { _root: root, out, n_open: faults.n_open(), faults, workspace }
    }

    /// Calls with plans and checks that no handle leaks.
    fn call(&self, case: &Case, plans: &[Plan]) -> Result<Value> {
        self.faults.plan(plans.iter().copied());
        let reply = call(&self.workspace, case.tool, &case.args);
        let patience = Instant::now() + Duration::from_secs(5);
        while self.faults.n_open() > self.n_open && Instant::now() < patience {
            // A helper may be about to end its task.
            std::thread::yield_now();
        }
        assert_eq!(self.faults.n_open(), self.n_open, "{} {plans:?} left handles", case.tool);
        reply
    }

    /// Returns the right answer, and the number of its operations.
    fn clean(&self, case: &Case) -> (Value, u64) {
        let reply = self.call(case, &[]).expect(case.tool);
        (reply, self.faults.ops().len() as u64)
    }
}

/// Removes the parts that may differ between two right replies.
fn essence(reply: &Value) -> Value {
    let mut reply = reply.clone();
    for pointer in ["", "/meta", "/stats"] {
        if let Some(Value::Object(object)) = reply.pointer_mut(pointer) {
            object.retain(|key, _| {
                !key.contains("elapsed") && !key.ends_with("time_ms") && key != "text"
            });
        }
    }
    reply
}

/// Returns the results of a reply.
fn results(case: &Case, reply: &Value) -> Vec<String> {
    match reply.pointer(case.results) {
        Some(Value::Array(list)) => list.iter().map(Value::to_string).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(one) => vec![one.to_string()],
    }
}

/// Returns whether a reply reports something missing that the right one does not.
fn tells(reply: &Value, clean: &Value) -> bool {
    const PLACES: &[&str] = &[
        "/complete",
        "/skipped/unreadable",
        "/warnings",
        "/diagnostics",
        "/descriptor/diagnostics",
        "/success",
        "/status",
        "/stats/skipped/unreadable",
        "/meta/warnings",
        "/timedOut",
        "/tree_changed",
    ];
    PLACES.iter().any(|place| reply.pointer(place) != clean.pointer(place))
}

/// Returns what is wrong with an answer under plans, or `None`.
fn judge(
    lab: &Lab,
    case: &Case,
    plans: &[Plan],
    reply: &Result<Value>,
    clean: &Value,
) -> Option<String> {
    let vanishes = |plan: &Plan| plan.fault == Fault::Fails(Errno::NOENT);
    let reply = match reply {
        Ok(reply) => reply,
        Err(error) if error.code() == "io" => return None,
        // The definition of the scope could not be read.
        Err(error) if error.message().contains("missing because of") => return None,
        Err(error) if error.code() == "not_found" && plans.iter().any(vanishes) => return None,
        Err(error) if error.message().contains("unknown") && plans.iter().any(vanishes) => {
            return None;
        }
        Err(error) => return Some(format!("the error {error:?}")),
    };
    if essence(reply) == essence(clean) {
        return None;
    }
    let is_harmless =
        |plan: &Plan| matches!(plan.fault, Fault::Short(_) | Fault::Fails(Errno::INTR));
    if plans.iter().all(is_harmless) {
        return Some(format!("another answer: {reply}"));
    }
    // An entry that vanishes during a search may be missing in silence; an open file cannot vanish.
    let may_vanish =
        plans.iter().all(|plan| vanishes(plan) && lab.faults.op(plan.from) != Some(Op::Read));
    if !tells(reply, clean) && !may_vanish {
        return Some(format!("gap not reported: {reply}"));
    }
    // If an ignore file could not be read, the files that it excludes are in scope.
    const IGNORED: &[&str] = &["ignored\"", "c.log\"", ".skipped\"", ".excluded\""];
    let is_ignored = |result: &str| IGNORED.iter().any(|name| result.contains(name));
    let right: BTreeSet<String> = results(case, clean).into_iter().collect();
    let is_wrong = |result: &String| !right.contains(result) && !is_ignored(result);
    let wrong = results(case, reply).into_iter().find(is_wrong);
    wrong.map(|wrong| format!("wrong result: {wrong} in {reply}"))
}

/// Fails every operation of a call in turn, alone and with all that follow.
fn torment(lab: &Lab, case: &Case, faults: &[Fault], failures: &mut Vec<String>) -> u64 {
    torment_some(lab, case, faults, (1, 1), failures)
}

/// Fails one operation in `one_in`, from the `first`, in the same two ways.
fn torment_some(
    lab: &Lab,
    case: &Case,
    faults: &[Fault],
    (first, one_in): (u64, usize),
    failures: &mut Vec<String>,
) -> u64 {
    let (clean, n_ops) = lab.clean(case);
    let mut n_happened = 0;
    for &fault in faults {
        for from in (first.min(n_ops).max(1)..).step_by(one_in) {
            let forever = if fault == Fault::Fails(Errno::INTR) { 5 } else { u64::MAX };
            let mut n_now = 0;
            for n in [1, forever] {
                let plan = Plan { fault, from, n };
                let reply = lab.call(case, &[plan]);
                n_now += lab.faults.n_happened();
                if let Some(wrong) = judge(lab, case, &[plan], &reply, &clean) {
                    let op = lab.faults.op(from);
                    failures.push(format!("{} {} {plan:?} {op:?}: {wrong}", case.tool, case.args));
                }
            }
            n_happened += n_now;
            if n_now == 0 && from > n_ops {
                break;
            }
        }
    }
    // No failure was cached.
    assert_eq!(essence(&lab.clean(case).0), essence(&clean), "{} {}", case.tool, case.args);
    n_happened
}

/// Runs [`torment_some`] on every call, from the first operation of one, the second of the next, and so on.
fn torment_all(name: &str, lab: &Lab, faults: &[Fault], one_in: usize) {
    let mut failures = Vec::new();
    for (first, case) in (1..=one_in as u64).cycle().zip(cases()) {
        let n = torment_some(lab, &case, faults, (first, one_in), &mut failures);
        assert!(n > 0, "{name}: no operation of {} failed", case.tool);
    }
    assert_none(name, &failures);
}

fn assert_none(name: &str, failures: &[String]) {
    let shown = failures.iter().take(5).map(|line| format!("\n{line:.900}"));
    assert!(
        failures.is_empty(),
        "{name}: {} failures:{}",
        failures.len(),
        shown.collect::<String>()
    );
}

/// In `npm test` one operation in so many fails; in the long run each of them does.
#[cfg(feature = "modules")]
const ONE_IN: usize = 4;

/// Tests one fault of each kind that the engine treats differently.
#[cfg(feature = "modules")]
#[test]
fn no_fault_of_some_kind_becomes_an_empty_success() {
    torment_all(
        "some faults",
        &Lab::new(1),
        &[Fault::Fails(Errno::IO), Fault::Short(1_000)],
        ONE_IN,
    );
}

#[cfg(feature = "modules")]
#[test]
fn no_file_that_vanishes_becomes_an_empty_success() {
    let faults = [Errno::NOENT, Errno::INTR].map(Fault::Fails);
    torment_all("files that vanish", &Lab::new(1), &faults, ONE_IN);
}

#[test]
fn long_run_no_fault_becomes_an_empty_success() {
    let mut faults: Vec<Fault> = ERRORS.iter().copied().map(Fault::Fails).collect();
    faults.extend([Fault::Fails(Errno::INTR), Fault::Short(1_000)]);
    torment_all("every fault", &Lab::new(1), &faults, 1);
}

#[test]
fn no_fault_becomes_an_empty_look() {
    let lab = Lab::new(1);
    let mut failures = Vec::new();
    let case = case("look", json!({"q": "hit", "only": "count"}), "/no list");
    torment(&lab, &case, &[Fault::Fails(Errno::IO)], &mut failures);
    assert_none("look", &failures);
}

#[test]
fn no_error_of_the_manual_pages_becomes_an_empty_success() {
    let lab = Lab::new(1);
    let mut failures = Vec::new();
    let tools = ["search", "find", "search_documents", "scope_search_text", "Grep"];
    for tool in tools {
        let case = cases().into_iter().find(|case| case.tool == tool).expect(tool);
        let (clean, n_ops) = lab.clean(&case);
        let ops: Vec<Option<Op>> = (1..=n_ops).map(|from| lab.faults.op(from)).collect();
        for (from, op) in (1..).zip(ops) {
            for &errno in op.map_or(&[][..], errors_of) {
                let plan = Plan { fault: Fault::Fails(errno), from, n: 1 };
                let reply = lab.call(&case, &[plan]);
                // An error of any wording is not an empty success.
                if reply.is_err() {
                    continue;
                }
                if let Some(wrong) = judge(&lab, &case, &[plan], &reply, &clean) {
                    failures.push(format!("{tool} {} {plan:?} {op:?}: {wrong}", case.args));
                }
            }
        }
    }
    assert_none("the manual pages", &failures);
}

#[cfg(feature = "modules")]
#[test]
fn no_fault_of_a_walk_over_components_becomes_an_empty_success() {
    let lab = Lab::new(1);
    lab.faults.refuse_openat2(Errno::NOSYS);
    torment_all("without openat2", &lab, &[Fault::Fails(Errno::IO)], ONE_IN);
}

#[test]
fn long_run_no_fault_of_a_walk_over_components_becomes_an_empty_success() {
    for refusal in [Errno::NOSYS, Errno::PERM] {
        let lab = Lab::new(1);
        lab.faults.refuse_openat2(refusal);
        let faults = [Errno::MFILE, Errno::IO, Errno::ACCESS].map(Fault::Fails);
        torment_all("without openat2", &lab, &faults, 1);
    }
}

#[cfg(feature = "modules")]
#[test]
fn no_fault_of_listings_without_kinds_becomes_an_empty_success() {
    let lab = Lab::new(1);
    let tells = cases().iter().map(|case| essence(&lab.clean(case).0)).collect::<Vec<_>>();
    lab.faults.hide_kinds();
    let hides = cases().iter().map(|case| essence(&lab.clean(case).0)).collect::<Vec<_>>();
    assert_eq!(tells, hides);
    torment_all("without kinds", &lab, &[Fault::Fails(Errno::IO)], ONE_IN);
}

#[test]
fn long_run_no_fault_of_listings_without_kinds_becomes_an_empty_success() {
    let lab = Lab::new(1);
    lab.faults.hide_kinds();
    torment_all("without kinds", &lab, &[Errno::IO, Errno::NOENT].map(Fault::Fails), 1);
}

#[cfg(feature = "modules")]
#[test]
fn no_fault_with_other_options_becomes_an_empty_success() {
    let root = fixture();
    let docs = root.path().join("dir");
    // Modules of an IDE replace those of manifests.
    for (name, text) in [
        (
            ".idea/modules.xml",
            "<project><component name=\"ProjectModuleManager\"><modules>\
             <module filepath=\"$PROJECT_DIR$/i.iml\"/></modules></component></project>",
        ),
        (
            "i.iml",
            "<module><component name=\"NewModuleRootManager\">\
             <content url=\"file://$MODULE_DIR$/dir\"/></component></module>",
        ),
    ] {
        fs::write(root.path().join(name), text).expect("written");
    }
    let module = scope_of(json!({"kind": "MODULE", "moduleName": "i"}));
    let lab = Lab::with_options(root, json!({"threads": 1, "deny": ["c.log"], "docs_root": docs}));
    let cases = [
        case("search_documents", json!({"query": "hit"}), "/results"),
        case("list_documents", json!({}), "/documents"),
        case("read_document", json!({"path": "d.md"}), "/content"),
        case("search", json!({"patterns": ["hit"], "follow": true}), "/matches"),
        case("find", json!({"follow": true}), "/files"),
        // Without modules there are other scopes.
        case("scope_list_catalog", json!({}), "/no list"),
        case("scope_search_text", json!({"scope": module, "query": "hit"}), "/occurrences"),
    ];
    let mut failures = Vec::new();
    for case in &cases {
        torment(&lab, case, &[Fault::Fails(Errno::IO)], &mut failures);
    }
    assert_none("other options", &failures);
}

#[test]
fn no_fault_of_a_later_page_becomes_an_empty_success() {
    let lab = Lab::new(1);
    for (tool, args, results) in [
        ("search", json!({"patterns": ["hit"], "matches_max": 2}), "/matches"),
        ("find", json!({"files_max": 3, "order": "size"}), "/files"),
    ] {
        let mut case = case(tool, args, results);
        case.args["cursor"] = lab.clean(&case).0["cursor"].clone();
        // Results that take the place of unreadable ones are right, too.
        case.args.as_object_mut().expect("arguments").retain(|key, _| !key.ends_with("_max"));
        let mut failures = Vec::new();
        torment(&lab, &case, &[Errno::IO, Errno::NOENT].map(Fault::Fails), &mut failures);
        assert_none("a later page", &failures);
    }
}

#[test]
fn two_different_faults_become_no_empty_success() {
    let lab = Lab::new(1);
    let cases = [
        case("search", json!({"patterns": ["hit"]}), "/matches"),
        case("search_documents", json!({"query": "hit"}), "/results"),
        case("find_files_by_name", json!({"name_pattern": "*.txt"}), "/files"),
    ];
    let mut failures = Vec::new();
    for case in &cases {
        let (clean, n_ops) = lab.clean(case);
        for (first, second) in (1..=n_ops).flat_map(|i| (i + 1..=n_ops).map(move |j| (i, j))) {
            for errnos in [[Errno::IO, Errno::MFILE], [Errno::ACCESS, Errno::STALE]] {
                let [one, two] = errnos.map(Fault::Fails);
                let plans = [
                    Plan { fault: one, from: first, n: 1 },
                    Plan { fault: two, from: second, n: 1 },
                ];
                let reply = lab.call(case, &plans);
                if lab.faults.n_happened() < 2 {
                    continue;
                }
                let wrong = judge(&lab, case, &plans, &reply, &clean);
                failures.extend(wrong.map(|wrong| format!("{} {plans:?}: {wrong}", case.tool)));
            }
        }
    }
    assert_none("two faults", &failures);
}

#[test]
fn long_run_no_fault_with_several_threads_becomes_an_empty_success() {
    torment_all("four threads", &Lab::new(4), &[Fault::Fails(Errno::IO)], 1);
}

#[cfg(feature = "modules")]
#[test]
fn no_fault_in_one_of_several_threads_becomes_an_empty_success() {
    torment_all("four threads", &Lab::new(4), &[Fault::Fails(Errno::IO)], ONE_IN);
    // Enough files to occupy every thread, but fewer than a tool returns.
    let names: Vec<String> = (0..450).map(|n| format!("{}/f{n}.md", n % 7)).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "hit\n")).collect();
    let lab = Lab::with_options(tree_of(&files), json!({"threads": 4}));
    let mut failures = Vec::new();
    for case in [
        case("search", json!({"patterns": ["hit"]}), "/matches"),
        case("search_documents", json!({"query": "hit"}), "/results"),
    ] {
        let (clean, n_ops) = lab.clean(&case);
        let mut n_shared = 0;
        for (from, n) in (1..n_ops).step_by(41).flat_map(|from| [(from, 1), (from, u64::MAX)]) {
            let plan = Plan { fault: Fault::Fails(Errno::IO), from, n };
            let reply = lab.call(&case, &[plan]);
            n_shared += u32::from(lab.faults.n_threads() > 1);
            let wrong = judge(&lab, &case, &[plan], &reply, &clean);
            failures.extend(wrong.map(|wrong| format!("{} {plan:?}: {wrong}", case.tool)));
        }
        assert!(n_shared > 0, "{} had one thread alone", case.tool);
    }
    assert_none("many files", &failures);
}

#[test]
fn refusals_of_openat2_change_no_reply() {
    let clean = Lab::new(1);
    for refusal in [Errno::NOSYS, Errno::PERM, Errno::AGAIN, Errno::TOOBIG, Errno::INVAL] {
        let lab = Lab::new(1);
        lab.faults.refuse_openat2(refusal);
        for case in cases().iter().filter(|case| case.tool == "search") {
            let replies = [&clean, &lab].map(|lab| essence(&lab.clean(case).0));
            assert_eq!(replies[0], replies[1], "{refusal:?} {}", case.args);
        }
    }
}

#[test]
fn a_late_response_of_the_system_leaves_a_prefix() {
    let lab = Lab::new(1);
    let late = Fault::Late(Duration::from_millis(30));
    let case = case("search", json!({"patterns": ["hit"], "deadline_ms": 20}), "/matches");
    let whole = Case { args: json!({"patterns": ["hit"]}), ..case };
    let (clean, n_ops) = lab.clean(&whole);
    let all = results(&whole, &clean);
    for from in 1..=n_ops {
        let reply = lab.call(&case, &[Plan { fault: late, from, n: 1 }]).expect("a reply");
        let given = results(&case, &reply);
        assert!(all.starts_with(&given), "operation {from}: {reply}");
        assert!(given.len() == all.len() || reply["stopped"] == "deadline", "{from}: {reply}");
    }
}

#[test]
fn a_workspace_that_cannot_be_opened_is_an_error() {
    let (dir, out) = (fixture(), tempfile::tempdir().expect("made"));
    let options = json!({"output_dir": out.path(), "docs_root": dir.path().join("dir")});
    let options = options.to_string();
    let faults = Arc::new(Faults::default());
    let open = || faults.opening(|| open_workspace(dir.path(), options.as_bytes()));
    drop(open().expect("no fault"));
    let n_ops = faults.ops().len() as u64;
    assert!(n_ops >= 3, "the root, the documents' root and the output directory");
    for (&errno, from) in ERRORS.iter().flat_map(|errno| (1..=n_ops).map(move |nth| (errno, nth))) {
        faults.plan(Some(Plan { fault: Fault::Fails(errno), from, n: 1 }));
        let error = open().expect_err("it was not opened");
        assert!(matches!(error.code(), "io" | "not_found" | "invalid_param"), "{error}");
        assert_eq!(faults.n_open(), 0, "{errno:?} {from}");
    }
}

#[test]
fn an_output_file_is_whole_or_as_it_was() {
    let lab = Lab::new(1);
    let file = lab.out.path().join("out.json");
    let args = json!({"roots": ["."], "query": "hit", "output_file": "out"});
    let case = case("find_and_grep", args, "/results");
    let (_, n_ops) = lab.clean(&case);
    let whole: Value = serde_json::from_slice(&fs::read(&file).expect("written")).expect("JSON");
    for (&errno, from) in ERRORS.iter().flat_map(|errno| (1..=n_ops).map(move |nth| (errno, nth))) {
        fs::write(&file, "old").expect("written");
        let reply = lab.call(&case, &[Plan { fault: Fault::Fails(errno), from, n: 1 }]);
        let text = fs::read_to_string(&file).expect("it is there");
        if reply.as_ref().is_ok_and(|reply| reply["success"] == true) {
            let written: Value = serde_json::from_str(&text).expect("whole");
            let same = results(&case, &written) == results(&case, &whole);
            assert!(same || tells(&written, &whole) || errno == Errno::NOENT, "{text}");
        } else {
            assert_eq!(text, "old", "{errno:?} {from}: {reply:?}");
        }
        let names = fs::read_dir(lab.out.path()).expect("listed").count();
        assert_eq!(names, 1, "{errno:?} {from} left a file");
    }
}
