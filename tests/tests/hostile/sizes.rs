//! Large files, long lines, full directories.

use crate::ask::{ask, every_tool, open, try_ask};
use crate::memory::Program;
use searchscope_tests::face::CFace;
use searchscope_tests::tree::Tree;
use searchscope_tests::{run_limited, say, skip};
use serde_json::json;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const TIB: u64 = 1 << 40;
const GIB: u64 = 1 << 30;
/// A call returns at most 100 ms after its deadline; ten times that on a busy machine. Without a reading of the
/// clock each of these calls takes many seconds.
const LATE: Duration = Duration::from_secs(1);

/// Timeout of every program here, on any machine.
const LIMIT: Duration = Duration::from_secs(120);

/// Makes a file that is larger than its written part.
fn sparse(tree: &Tree, name: &str, start: &[u8], size: u64) -> Result<(), String> {
    let mut file = File::create(tree.root().join(name)).expect("made");
    file.write_all(start).expect("written");
    file.set_len(size).map_err(|error| format!("no file of {size} bytes here: {error}"))
}

#[test]
fn a_sparse_file_of_a_terabyte_is_handled() {
    let tree = Tree::of(&[("a.md", "hit\n")]);
    // Zeros mark a binary file; the third file has them only far after its text.
    let text = "a line without it\n".repeat(10_000);
    for (name, start) in
        [("zeros.bin", b"".as_slice()), ("start.md", b"hit\n"), ("text.md", text.as_bytes())]
    {
        if let Err(why) = sparse(&tree, name, start, TIB) {
            return skip("a sparse file of a terabyte", &why);
        }
    }
    let workspace = open(tree.root());
    let started = Instant::now();
    for (tool, args) in every_tool() {
        let reply = try_ask(&workspace, tool, &args);
        assert!(reply.is_ok(), "{tool}: {reply:?}");
    }
    let reply = ask(&workspace, "search", &json!({"patterns": ["hit"], "file_bytes_max": 2 * TIB}));
    assert_eq!(crate::ask::texts(&reply["matches"], "path"), ["a.md"], "{reply}");
    assert_eq!(reply["skipped"]["binary"], 2, "{reply}");
    let reply = ask(&workspace, "search", &json!({"patterns": ["hit"], "file_bytes_max": GIB}));
    assert_eq!(reply["skipped"]["too_large"], 3, "{reply}");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// In UTF-16 zeros are text: one line without an end, which is read until the deadline.
#[test]
fn an_endless_line_is_left_at_the_deadline() {
    search_an_endless_line(|_, search| search());
}

#[test]
fn long_run_an_endless_line_keeps_the_deadline() {
    search_an_endless_line(|pattern, search| {
        let took = best_of_three(search);
        assert!(took < DEADLINE + LATE, "{pattern}: {took:?}");
    });
}

const DEADLINE: Duration = Duration::from_millis(300);

/// Calls `run` with a search of an endless line for each of a few patterns.
fn search_an_endless_line(run: impl Fn(&str, &dyn Fn())) {
    let tree = Tree::empty();
    if let Err(why) = sparse(&tree, "wide.txt", &[0xff, 0xfe, b'a', 0], TIB) {
        return skip("an endless line", &why);
    }
    let workspace = open(tree.root());
    for pattern in ["hit", "a.*b", "[a-z]{3}"] {
        let args = json!({"patterns": [pattern], "file_bytes_max": 2 * TIB, "deadline_ms": DEADLINE.as_millis()});
        run(pattern, &|| {
            let reply = ask(&workspace, "search", &args);
            assert_eq!(reply["complete"], false, "{pattern}: {reply}");
            assert_eq!(reply["stopped"], "deadline", "{pattern}: {reply}");
        });
    }
}

/// Returns the minimum duration of three runs, since a busy machine may delay one.
fn best_of_three(mut run: impl FnMut()) -> Duration {
    let times = (0..3).map(|_| {
        let started = Instant::now();
        run();
        started.elapsed()
    });
    times.min().unwrap_or_default()
}

#[test]
fn much_text_is_searched_in_little_memory() {
    search_text_of(GIB / 16);
}

#[test]
fn long_run_a_gigabyte_of_text_is_searched_in_little_memory() {
    search_text_of(GIB);
}

fn search_text_of(n_bytes: u64) {
    const LINE: &str = "a line of text that is like many others\n";
    /// Allowance for buffers and compiled patterns.
    const MEMORY: u64 = 16 << 20;
    let what = "searching much text";
    let face = match CFace::build() {
        Ok(face) => face,
        Err(why) => return skip(what, &why),
    };
    let tree = Tree::of(&[("small/a.txt", "a hit\n")]);
    let block = LINE.repeat(1 << 15);
    let n_blocks = usize::try_from(n_bytes).expect("it fits").div_ceil(block.len());
    std::fs::create_dir(tree.root().join("large")).expect("made");
    let mut file = File::create(tree.root().join("large/a.txt")).expect("made");
    let text = std::iter::repeat_n(block.as_str(), n_blocks).chain(["the last hit\n"]);
    if let Some(error) = text.map(|text| file.write_all(text.as_bytes())).find_map(Result::err) {
        return skip(what, &error.to_string());
    }
    let calls = |dir: &str| {
        [
            ("search", json!({"patterns": ["hit"], "paths": [dir], "file_bytes_max": 8 * GIB})),
            ("search", json!({"patterns": ["h[ei]t$"], "paths": [dir], "file_bytes_max": 8 * GIB})),
            ("search_in_files", json!({"query": "hit", "path": dir})),
            ("Grep", json!({"pattern": "hit", "path": dir})),
        ]
    };
    let root = tree.root().to_owned();
    let (before, after) = run_limited(what, LIMIT, move || {
        let mut program = Program::start(&face, &root);
        for (tool, args) in calls("small") {
            program.ask(tool, &args);
        }
        let before = program.peak_bytes();
        for (tool, args) in calls("large") {
            let reply = program.ask(tool, &args).to_string();
            // Only a search that reads to the end finds it.
            let number = format!(":{},", n_blocks * (1 << 15) + 1);
            assert!(reply.contains("the last hit") && reply.contains(&number), "{tool}: {reply}");
        }
        (before, program.peak_bytes())
    });
    say(&format!("{before} bytes at most for a line of text, {after} for {n_bytes}"));
    assert!(after < before + MEMORY, "{before} bytes, then {after}");
}

#[test]
fn a_hole_of_three_gigabytes_after_text_is_reported() {
    let tree = Tree::empty();
    // The first bytes are text, so binary data is detected only when the search reaches it.
    let mut start = "text\n".repeat(20_000).into_bytes();
    start.extend_from_slice(b"first hit\n");
    if let Err(why) = sparse(&tree, "large.txt", &start, 3 * GIB) {
        return skip("a file of three gigabytes", &why);
    }
    let args = json!({"patterns": ["hit"], "file_bytes_max": 8 * GIB});
    let reply = ask(&open(tree.root()), "search", &args);
    assert_eq!(reply["matches"][0]["line"], 20_001, "{reply}");
    assert!(reply.to_string().contains("binary"), "the rest is reported: {reply}");
}

#[test]
fn a_line_of_sixty_four_megabytes_is_searched() {
    const BYTES: usize = 64 << 20;
    let tree = Tree::empty();
    let mut line = "ab ".repeat(BYTES / 3);
    line.push_str("hit at the end");
    tree.write("line.txt", &line);
    let workspace = open(tree.root());
    for pattern in ["hit", "hit at (the|an) end", "b hi"] {
        let reply =
            ask(&workspace, "search", &json!({"patterns": [pattern], "line_bytes_max": 200}));
        assert_eq!(reply["total"], 1, "{pattern}: {reply}");
        assert!(reply.to_string().len() < 10_000, "a part of the line is enough");
    }
    for (tool, args) in every_tool() {
        let reply = try_ask(&workspace, tool, &args);
        assert!(reply.is_ok() || tool == "read_document", "{tool}: {reply:?}");
    }
}

#[test]
fn a_directory_of_many_entries_is_listed() {
    const ENTRIES: usize = 80_000;
    let (dir, _) = list_entries(ENTRIES);
    memory_for_a_directory(dir.path(), ENTRIES);
}

#[test]
fn long_run_a_million_entries_are_listed() {
    const ENTRIES: usize = 1_000_000;
    let (dir, searched) = list_entries(ENTRIES);
    // A deadline is honoured in the middle of such a directory.
    let deadline = Duration::from_millis(20);
    let args = json!({"patterns": ["hit"], "deadline_ms": 20});
    let workspace = open(dir.path());
    let took = best_of_three(|| {
        let reply = ask(&workspace, "search", &args);
        assert!(reply["stopped"] == "deadline" || searched < 2 * deadline, "{reply}");
    });
    assert!(took < deadline + LATE, "{took:?}");
    memory_for_a_directory(dir.path(), ENTRIES);
}

/// Makes one directory with `n_entries` entries and calls the tools on it; returns it and the duration
/// of a search. The entries are links, which are quick to make, and in memory if possible.
fn list_entries(n_entries: usize) -> (tempfile::TempDir, Duration) {
    let in_memory = tempfile::Builder::new().tempdir_in("/dev/shm");
    let dir = in_memory.or_else(|_| tempfile::tempdir()).expect("a directory");
    let flat = dir.path().join("flat");
    std::fs::create_dir(&flat).expect("made");
    let started = Instant::now();
    let mut first = flat.join("f0");
    File::create(&first).expect("made");
    for n in 1..n_entries {
        let path = flat.join(format!("f{n}"));
        if std::fs::hard_link(&first, &path).is_err() {
            // File systems limit the number of links to a file.
            File::create(&path).expect("made");
            first = path;
        }
    }
    std::fs::write(flat.join("hit.md"), "hit\n").expect("written");
    let made = started.elapsed();
    let workspace = open(dir.path());
    let started = Instant::now();
    let reply = ask(&workspace, "search", &json!({"patterns": ["hit"], "deadline_ms": 300_000}));
    assert_eq!(crate::ask::texts(&reply["matches"], "path"), ["flat/hit.md"]);
    assert_eq!(reply["searched_files"], n_entries + 1);
    let searched = started.elapsed();
    let reply = ask(&workspace, "find", &json!({"globs": ["*.md"], "deadline_ms": 300_000}));
    assert_eq!(crate::ask::texts(&reply["files"], "path"), ["flat/hit.md"]);
    let whole_trees = ["Grep", "find_and_grep", "scope_search_files", "search_documents"];
    for (tool, args) in every_tool().into_iter().filter(|(tool, _)| whole_trees.contains(tool)) {
        let reply = try_ask(&workspace, tool, &args);
        assert!(reply.is_ok(), "{tool}: {:.300}", format!("{reply:?}"));
    }
    say(&format!(
        "{n_entries} entries in one directory: made in {made:?}, searched in {searched:?}"
    ));
    (dir, searched)
}

/// A directory is sorted before it is walked, so memory holds its names, and little else.
fn memory_for_a_directory(root: &Path, n_entries: usize) {
    const ENTRY: u64 = 128;
    // Buffers for a directory listing and a batch of files, whatever the number of entries.
    const BUFFERS: u64 = 1 << 20;
    let what = "memory for a full directory";
    let face = match CFace::build() {
        Ok(face) => face,
        Err(why) => return skip(what, &why),
    };
    let small = root.join("small");
    std::fs::create_dir(&small).expect("made");
    std::fs::write(small.join("hit.md"), "hit\n").expect("written");
    let root = root.to_owned();
    let grown = run_limited(what, LIMIT, move || {
        let mut program = Program::start(&face, &root);
        let ask = |program: &mut Program, dir: &str| {
            for (tool, mut args) in [
                ("find", json!({"globs": ["*.md"], "deadline_ms": 300_000})),
                ("search", json!({"patterns": ["hit"], "deadline_ms": 300_000})),
            ] {
                args["paths"] = json!([dir]);
                assert_eq!(program.ask(tool, &args)["total"], 1, "{tool} in {dir}");
            }
        };
        // The same calls on a small directory first: code pages and threads cost memory once, whatever
        // the number of entries.
        ask(&mut program, "small");
        let before = program.peak_bytes();
        ask(&mut program, "flat");
        program.peak_bytes() - before
    });
    say(&format!("{n_entries} entries in one directory take {grown} bytes"));
    assert!(grown < n_entries as u64 * ENTRY + BUFFERS, "{grown} bytes");
}
