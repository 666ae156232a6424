//! A process with fewer resources than it wants: memory, files, stack, standard streams.

use searchscope_tests::face::CFace;
use searchscope_tests::face::child::answers;
use searchscope_tests::mask::mask;
use searchscope_tests::program::installed;
use searchscope_tests::tree::Tree;
use searchscope_tests::{run_limited, skip};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);

fn face(what: &str) -> Option<CFace> {
    CFace::build().map_err(|why| skip(what, &why)).ok()
}

/// Runs a shell command in which `"$@"` is the C program, which makes these calls.
fn run(face: &CFace, shell: &str, root: &Path, options: &str, calls: &[(&str, Value)]) -> Output {
    let mut command = Command::new("bash");
    command.arg("-c").arg(shell).arg("bash").arg(face.program()).arg(root).arg(options);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let input: String = calls
        .iter()
        .map(|(tool, args)| {
            let args = args.to_string();
            format!("{tool}\n{}\n{args}\n", args.len())
        })
        .collect();
    run_limited(shell, LIMIT, move || {
        let mut child = command.spawn().expect("a shell");
        let mut stdin = child.stdin.take().expect("piped");
        // The program may exit before it has read the whole input.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        child.wait_with_output().expect("it ends")
    })
}

/// Parses the replies; a crashed program has none.
fn replies(output: &Output) -> Vec<(String, Value)> {
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {shown}", output.status);
    let answers = answers(&output.stdout).expect("answers");
    let json = |bytes: Vec<u8>| serde_json::from_slice(&bytes).expect("JSON");
    answers.into_iter().map(|(status, bytes)| (status, json(bytes))).collect()
}

fn many_files() -> Tree {
    let tree = Tree::empty();
    for n in 0..3_000 {
        tree.write(&format!("d{}/e{}/f{n}.md", n % 60, n % 600), "hit\n");
    }
    tree
}

fn calls() -> Vec<(&'static str, Value)> {
    let mut calls = crate::ask::every_tool();
    calls.retain(|(tool, _)| *tool != "read_document");
    calls.push(("search", json!({"patterns": ["hit"], "matches_max": 10_000})));
    calls
}

#[test]
fn few_files_may_be_open() {
    let Some(face) = face("few open files") else { return };
    let tree = many_files();
    for limit in [16, 32, 64] {
        let shell = format!("ulimit -n {limit}; exec \"$@\"");
        let output = run(&face, &shell, tree.root(), "{\"threads\": 8}", &calls());
        let replies = replies(&output);
        let (status, reply) = replies.last().expect("the last call is a search");
        assert_eq!(status, "0", "{reply}");
        // The search finds all matches, or the reply is marked as incomplete.
        assert!(reply["total"] == 3_000 || reply["complete"] == false, "{limit}: {reply:.500}");
        assert!(limit < 64 || reply["total"] == 3_000, "{limit}: {}", reply["warnings"]);
    }
}

#[test]
fn a_small_stack_is_enough() {
    let Some(face) = face("a small stack") else { return };
    let tree = many_files();
    tree.write("nested.c", format!("int hit = {}1{};\n", "(".repeat(30_000), ")".repeat(30_000)));
    tree.write("nested.js", format!("hit = {}1{};\n", "[".repeat(30_000), "]".repeat(30_000)));
    tree.write("package.json", format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000)));
    tree.write("pom.xml", "<a>".repeat(100_000));
    let mut calls = calls();
    let nested = format!("{}file:a{}", "(".repeat(500), ")".repeat(500));
    calls.insert(0, ("scope_validate_pattern", json!({"patternText": nested})));
    let groups = format!("{}hit{}", "(".repeat(60), ")".repeat(60));
    calls.insert(0, ("search", json!({"patterns": [groups]})));
    let output = run(&face, "ulimit -s 256; exec \"$@\"", tree.root(), "{\"threads\": 8}", &calls);
    let replies = replies(&output);
    assert_eq!(replies.len(), calls.len());
    assert_eq!(replies.last().expect("a search").1["total"], 3_002);
}

/// Each of the large files alone is larger than the memory limit.
#[test]
fn little_memory_is_enough_for_much_text() {
    const MEMORY: usize = 160 << 20;
    const FILE: usize = 200 << 20;
    let Some(face) = face("little address space") else { return };
    let tree = many_files();
    let block = "a line of text\n".repeat(1 << 16);
    for (name, block) in [("large.txt", &block), ("line.txt", &block.replace('\n', " "))] {
        let mut file = std::fs::File::create(tree.root().join(name)).expect("made");
        for _ in 0..FILE.div_ceil(block.len()) {
            file.write_all(block.as_bytes()).expect("written");
        }
    }
    let options = "{\"threads\": 4}";
    let masked = |output: &Output| {
        let replies = replies(output).into_iter();
        replies.map(|(status, reply)| (status, mask(reply))).collect::<Vec<_>>()
    };
    let clean = masked(&run(&face, "exec \"$@\"", tree.root(), options, &calls()));
    assert_eq!(clean.last().expect("a search").1["total"], 3_000);
    // Without MALLOC_ARENA_MAX each thread would reserve address space that it need not use.
    let shell = format!("export MALLOC_ARENA_MAX=1; ulimit -v {}; exec \"$@\"", MEMORY >> 10);
    let replies = masked(&run(&face, &shell, tree.root(), options, &calls()));
    assert_eq!(replies.len(), calls().len());
    for (((tool, _), reply), clean) in calls().into_iter().zip(replies).zip(clean) {
        assert_eq!(reply.0, "0", "{tool}: {:.500}", reply.1.to_string());
        assert!(reply == clean, "{tool}: {:.500}\n{:.500}", reply.1.to_string(), clean.1);
    }
}

/// Reading writes nothing, so a limit on file sizes has no effect.
#[test]
fn no_file_may_be_written() {
    let Some(face) = face("no files may be written") else { return };
    let tree = many_files();
    // Its output goes through a pipe.
    let shell = "ulimit -f 0; \"$@\" | cat; exit ${PIPESTATUS[0]}";
    let output = run(&face, shell, tree.root(), "{\"threads\": 4}", &calls());
    assert_eq!(replies(&output).last().expect("a search").1["total"], 3_000);
}

/// The engine writes nothing to the standard streams; only the program does.
#[test]
fn standard_streams_are_not_used() {
    let Some(face) = face("no standard streams") else { return };
    let tree = many_files();
    tree.write("broken/.gitignore", "[\n{\n\\\n");
    tree.write("broken/package.json", "{");
    let output = run(&face, "exec \"$@\"", tree.root(), "{\"threads\": 4}", &calls());
    assert_eq!(replies(&output).len(), calls().len());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The standard streams are files open for reading, which refuse writes, so the test traces the attempts.
#[test]
fn closed_standard_streams_are_not_written_to() {
    let what = "closed standard streams";
    let Some(face) = face(what) else { return };
    if !installed("strace", what) {
        return;
    }
    let tree = many_files();
    tree.write("broken/.gitignore", "[\n{\n\\\n");
    tree.write("broken/package.json", "{");
    for closed in ["2>&-", ">&- 2>&-"] {
        let trace = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        let calls_of_strace = "trace=write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,splice";
        let shell = format!(
            "strace -f -qq -s 64 -e {calls_of_strace} -o {} sh -c 'exec \"$@\" {closed}' sh \"$@\"",
            trace.path().display()
        );
        let before = contents(tree.root());
        let output = run(&face, &shell, tree.root(), "{\"threads\": 4}", &calls());
        let written = std::fs::read_to_string(trace.path()).unwrap_or_default();
        if written.is_empty() {
            return skip(what, &String::from_utf8_lossy(&output.stderr));
        }
        let attempts = written.lines().filter_map(attempt).collect::<Vec<_>>();
        // The program prints its answers, and an error if it cannot.
        let own = |attempt: &&(&str, &str)| {
            attempt.0 == "1" || (closed != "2>&-" && attempt.1.starts_with("\"call: "))
        };
        assert!(attempts.iter().any(|attempt| own(&attempt)), "{closed}: {written}");
        let stray = attempts.iter().filter(|attempt| !own(attempt)).collect::<Vec<_>>();
        assert!(stray.is_empty(), "{closed}: {stray:?}");
        let answered = answers(&output.stdout).expect("answers").len();
        assert_eq!(answered, if closed == "2>&-" { calls().len() } else { 0 }, "{closed}");
        assert_eq!(contents(tree.root()), before, "{closed}");
    }
}

/// Parses a traced write to a standard stream: the descriptor and the text.
fn attempt(line: &str) -> Option<(&str, &str)> {
    let (handle, rest) = line.split_once('(')?.1.split_once([',', '<', ')'])?;
    matches!(handle, "0" | "1" | "2").then(|| (handle, rest.trim_start()))
}

/// Returns every file with its size and time.
fn contents(root: &Path) -> Vec<(std::path::PathBuf, u64, std::time::SystemTime)> {
    let (mut all, mut todo) = (Vec::new(), vec![root.to_owned()]);
    while let Some(dir) = todo.pop() {
        for entry in std::fs::read_dir(dir).expect("listed") {
            let entry = entry.expect("listed");
            let meta = entry.metadata().expect("asked");
            if meta.is_dir() {
                todo.push(entry.path());
            } else {
                all.push((entry.path(), meta.len(), meta.modified().expect("a time")));
            }
        }
    }
    all.sort();
    all
}
