//! Every read-only case of the corpus under strace: the engine starts no program, writes nothing, makes
//! no socket, opens nothing outside the root, and maps no file into memory, since a change of a mapped
//! file could crash the process.

use super::traced;
use searchscope_tests::case::{CaseFile, WorkspaceCases, load};
use searchscope_tests::face::Call;
use searchscope_tests::samples::{Words, samples_at};
use searchscope_tests::tree::{Tree, user_is_refused_nothing};
use searchscope_tests::{repository, say};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Minimum number of cases, and of opens in all of them.
const CASES_MIN: usize = 900;
const OPENS_MIN: usize = 5_000;

/// Watched system calls: those with a path, with the network, with processes, those that change an open
/// file, and those that map one.
const WATCHED: &str = "trace=%file,%network,execve,execveat,fork,vfork,ftruncate,fallocate,fchmod,\
    fchown,fsetxattr,mmap,remap_file_pages";
/// Only these reading calls are allowed; opens are judged by their flags and outcome.
const LOOKING: &[&str] = &[
    "access",
    "faccessat",
    "faccessat2",
    "fstatfs",
    "getcwd",
    "getxattr",
    "lgetxattr",
    "lstat",
    "name_to_handle_at",
    "newfstatat",
    "readlink",
    "readlinkat",
    "stat",
    "statfs",
    "statx",
];
const OPENING: &[&str] = &["open", "openat", "openat2"];
/// Flags of an open for more than reading.
const WRITING: &[&str] = &["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_TMPFILE"];

/// Returns whether the path belongs to the kernel rather than to the tree. The runtime reads the number
/// of processors (Rust's library, for the default of `threads` and the pools of the regex engine), the
/// end of its stack (the C library, before a parser recurses), and whether freed memory may be kept (its
/// allocator); we read the list of mounted file systems.
fn is_of_the_kernel(path: &str) -> bool {
    let is_own = |rest: &str| {
        let id = ["/cgroup", "/maps", "/mountinfo"].iter().find_map(|name| rest.strip_suffix(name));
        id.is_some_and(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
    };
    path == "/proc/sys/vm/overcommit_memory"
        || path.strip_prefix("/proc/").is_some_and(is_own)
        || (path.starts_with("/sys/fs/cgroup/")
            && ["/cpu.max", "/cpu.cfs_quota_us", "/cpu.cfs_period_us"]
                .iter()
                .any(|name| path.ends_with(name)))
}

#[test]
fn nothing_is_started_written_or_opened_outside() {
    trace_corpus(8);
}

#[test]
fn long_run_no_case_starts_writes_or_opens_anything_outside() {
    trace_corpus(1);
}

#[test]
fn no_path_of_a_call_is_opened_outside() {
    let Some(traced) = traced("calls that name paths outside under strace") else { return };
    let tree = Tree::of(&[("a.md", "hit\n"), ("../outside/a.md", "hit\n")]);
    std::os::unix::fs::symlink("../outside", tree.root().join("link")).expect("linked");
    let words = Words { text: "hit", document: "a.md", symbol: "hit" };
    let above = format!("{}/../outside", tree.root().display());
    let paths = ["..", "a/../../outside", &above, "/etc", "link", "link/a.md", "a.md\0"];
    let calls: Vec<Call> = paths
        .iter()
        .flat_map(|path| samples_at(&words, path))
        .map(|(tool, args)| Call { tool: tool.to_owned(), args: args.to_string().into_bytes() })
        .collect();
    let output = traced.run_calls(&["-y", "-e", WATCHED], tree.root(), "{}", &calls);
    assert_eq!(output.answers().len(), calls.len());
    let found = judge(&output.trace, &[tree.root().to_owned()]);
    assert!(found.offences.is_empty(), "{}", found.offences.join("\n"));
}

/// Traces the cases of one tree in `one_in`.
fn trace_corpus(one_in: usize) {
    let Some(traced) = traced("the corpus under strace") else { return };
    let (mut n_trees, mut n_cases, mut n_opens, mut offences) = (0_usize, 0, 0, Vec::new());
    for (file_name, file) in load(&repository().join("tests/cases")) {
        for cases in &file.workspace {
            n_trees += 1;
            let is_impossible = cases.unprivileged && user_is_refused_nothing();
            if is_impossible || !n_trees.is_multiple_of(one_in) {
                continue;
            }
            let tree =
                Tree::build(&cases.tree).unwrap_or_else(|why| panic!("{}: {why}", cases.name));
            let calls = read_only(&file, cases, tree.root());
            let options = Value::from(cases.options.clone()).to_string();
            let output = traced.run_calls(&["-y", "-e", WATCHED], tree.root(), &options, &calls);
            assert_eq!(output.answers().len(), calls.len(), "{file_name}: {}", cases.name);
            let found = judge(&output.trace, &roots(cases, tree.root()));
            n_cases += calls.len();
            n_opens += found.n_opens;
            let named = |offence| format!("{file_name}: {}: {offence}", cases.name);
            offences.extend(found.offences.into_iter().map(named));
        }
    }
    say(&format!("{n_cases} cases under strace, {n_opens} successful opens, all beneath the root"));
    assert!(offences.is_empty(), "{} offences:\n{}", offences.len(), offences.join("\n"));
    let (cases_min, opens_min) = (CASES_MIN / one_in, OPENS_MIN / one_in);
    assert!(n_cases >= cases_min && n_opens >= opens_min, "{n_cases} cases, {n_opens} opens");
}

/// Returns the calls of the cases, except those that write an output file.
fn read_only(file: &CaseFile, cases: &WorkspaceCases, root: &Path) -> Vec<Call> {
    let calls = cases.case.iter().map(|case| case.call(&file.tool, root));
    calls.filter(|call| !String::from_utf8_lossy(&call.args).contains("output_file")).collect()
}

/// Returns the directories that the host has named.
fn roots(cases: &WorkspaceCases, root: &Path) -> Vec<PathBuf> {
    let named = ["docs_root", "output_dir"].into_iter().filter_map(|name| cases.options.get(name));
    let named = named.filter_map(Value::as_str).map(|path| root.join(path));
    std::iter::once(root.to_owned())
        .chain(named.filter_map(|path| path.canonicalize().ok()))
        .collect()
}

#[derive(Default)]
struct Judged {
    /// Number of opens beneath the roots.
    n_opens: usize,
    offences: Vec<String>,
}

/// Judges the calls after the opening of the root: earlier ones belong to the loader.
fn judge(trace: &str, roots: &[PathBuf]) -> Judged {
    let mut judged = Judged::default();
    let opens_root = |line: &&str| opened(line).is_some_and(|path| Path::new(path) == roots[0]);
    let mut lines = trace.lines();
    if lines.find(opens_root).is_none() {
        judged.offences.push("the root was never opened".into());
    }
    for line in lines {
        let Some(name) = call_name(line) else { continue };
        let is_opening = OPENING.contains(&name);
        if name == "mmap" {
            if maps_a_file(line) {
                judged.offences.push(line.to_owned());
            }
            continue;
        }
        if !is_opening && !LOOKING.contains(&name) {
            judged.offences.push(line.to_owned());
        }
        if !is_opening {
            continue;
        }
        if WRITING.iter().any(|flag| flags(line).contains(flag)) {
            judged.offences.push(line.to_owned());
        }
        if let Some(path) = opened(line) {
            let is_inside = roots.iter().any(|root| Path::new(path).starts_with(root));
            judged.n_opens += usize::from(is_inside);
            if !is_inside && !is_of_the_kernel(path) {
                judged.offences.push(line.to_owned());
            }
        }
    }
    judged
}

/// Returns the system call of a line, including one that another thread interrupted; `None` for a signal
/// or an exit.
fn call_name(line: &str) -> Option<&str> {
    let text = line.split_once(' ')?.1.trim_start();
    if let Some(resumed) = text.strip_prefix("<... ") {
        return resumed.split(' ').next();
    }
    let name = text.split_once('(')?.0;
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_').then_some(name)
}

/// Returns whether the call maps a file: anonymous memory has the handle -1. The loader, which maps
/// libraries, has finished before the root is opened.
fn maps_a_file(line: &str) -> bool {
    let handle = line.split_once('(').and_then(|(_, args)| args.split(", ").nth(4));
    handle.is_some_and(|handle| handle != "-1")
}

/// Returns the text between the opened path and the outcome; a path may look like a flag.
fn flags(line: &str) -> &str {
    let call = line.rsplit_once(" = ").map_or(line, |(call, _)| call);
    call.rfind("\", ").map_or("", |end| &call[end..])
}

/// Returns the path that a line has opened.
fn opened(line: &str) -> Option<&str> {
    if !OPENING.contains(&call_name(line)?) {
        return None;
    }
    let (_, outcome) = line.rsplit_once(") = ").or_else(|| line.rsplit_once(") \t= "))?;
    let (handle, path) = outcome.split_once('<')?;
    handle.bytes().all(|byte| byte.is_ascii_digit()).then_some(path.strip_suffix('>')?)
}

#[test]
fn an_offence_is_found() {
    let roots = [PathBuf::from("/r/root")];
    let start = "7 open(\"/r/root\", O_RDONLY|O_CLOEXEC|O_DIRECTORY) = 3</r/root>\n";
    let judged = |line: &str| judge(&format!("7 execve(\"x\") = 0\n{start}{line}\n"), &roots);
    let fine = [
        "7 openat(3</r/root>, \"a\", O_RDONLY|O_NOFOLLOW|O_CLOEXEC) = 4</r/root/a>",
        "7 openat2(3</r/root>, \"O_WRONLY\", {flags=O_RDONLY, resolve=RESOLVE_BENEATH}, 24) = 4</r/root/O_WRONLY>",
        "7 openat(3</r/root>, \"x\", O_RDONLY <unfinished ...>",
        "9 <... openat resumed>)             = -1 ENOENT (No such file or directory)",
        "7 newfstatat(3</r/root>, \"x\", 0x7ffe, AT_SYMLINK_NOFOLLOW) = -1 ENOENT (No such file)",
        "7 openat(AT_FDCWD</>, \"/proc/self/cgroup\", O_RDONLY|O_CLOEXEC) = 6</proc/7/cgroup>",
        "7 mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f12",
        "9 <... mmap resumed>)               = 0x7f12",
        "7 +++ exited with 0 +++",
        "7 --- SIGCHLD {si_signo=SIGCHLD} ---",
    ];
    for line in fine {
        assert_eq!(judged(line).offences, [""; 0], "{line}");
    }
    let bad = [
        "7 execve(\"/bin/sh\", [\"sh\"], 0x7ffe) = 0",
        "7 execve(\"/bin/sh\", [\"sh\"], 0x7ffe) = -1 ENOENT (No such file or directory)",
        "7 socket(AF_INET, SOCK_STREAM, 0) = 4<TCP:[1]>",
        "7 connect(4, {sa_family=AF_UNIX}, 3) = 0",
        "7 openat(3</r/root>, \"a\", O_RDWR) = 4</r/root/a>",
        "7 openat(3</r/root>, \"a\", O_WRONLY|O_CREAT, 0666) = -1 EACCES (Permission denied)",
        "7 openat(AT_FDCWD</>, \"/etc/passwd\", O_RDONLY) = 4</etc/passwd>",
        "7 openat(3</r/root>, \"l\", O_RDONLY) = 4</r/root-evil/secret>",
        "9 <... openat resumed>) = 5</r/secret>",
        "7 openat(AT_FDCWD</>, \"/proc/self/environ\", O_RDONLY) = 6</proc/7/environ>",
        "7 unlinkat(3</r/root>, \"a\", 0) = 0",
        "7 renameat2(3</r/root>, \"a\", 3</r/root>, \"b\", 0) = 0",
        "7 ftruncate(3</r/root/a>, 0) = 0",
        "7 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 4</r/root/a>, 0) = 0x7f12",
        "7 mmap(NULL, 4096, PROT_READ, MAP_SHARED, 4</r/root/a>, 0 <unfinished ...>",
    ];
    for line in bad {
        assert_eq!(judged(line).offences.len(), 1, "{line}");
    }
    assert_eq!(judge("", &roots).offences.len(), 1);
}
