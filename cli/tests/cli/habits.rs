//! Flags that people know from ripgrep and fd: those with the same meaning print the same bytes, and the rest
//! are errors that name what to type.

use crate::support::{command, has_peer, output_of, run, tree};
use std::path::Path;
use std::process::Output;
use std::time::{Duration, SystemTime};

fn sources() -> tempfile::TempDir {
    let dir = tree(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".gitignore", "*.log\n"),
        (".hidden/needle.rs", "needle\n"),
        ("a.log", "needle\n"),
        ("a.rs", "fn needle() {}\n  needle needle\nother\n"),
        ("many.txt", &format!("{}\n", "ab ".repeat(150))),
        ("src/B.RS", "Needle\n\n\nx\nlast needle\n"),
        ("src/b.txt", "needle\nx\ny\n\tneedle on a long line\n"),
        ("src/a+b.c", "one\ntwo\n"),
        ("src/empty", ""),
    ]);
    // Each file has a time of its own, in another order than that of paths.
    let files = ["many.txt", "src/b.txt", "a.rs", "src/empty", "src/B.RS", "a.log", "src/a+b.c"];
    for (age, name) in (1..).zip(files) {
        let file =
            std::fs::File::options().append(true).open(dir.path().join(name)).expect("a run");
        file.set_modified(SystemTime::now() - Duration::from_secs(3_600 * age)).expect("a run");
    }
    dir
}

/// Runs ripgrep with paths and numbers, as the command prints them, and returns its status and output.
fn ripgrep(dir: &Path, args: &[&str]) -> (i32, String) {
    let args = [&["-n", "-H", "--color", "never"], args].concat();
    let Output { status, stdout, .. } = command("rg", dir, &args).output().expect("a run");
    (status.code().expect("a run"), String::from_utf8(stdout).expect("a run"))
}

/// Arguments that print the same bytes in both programs.
const SAME: &[&str] = &[
    "-o needle",
    "-o -A1 needle",
    "-o ab many.txt",
    "-o \\w*",
    "-o $",
    "-o -m1 needle",
    "-o -e ne -e needle -e dle",
    "-o -F -e need -e needle",
    "-o -e xa -e aba",
    "-oc needle",
    "-ol needle",
    "--count-matches needle",
    "--count-matches ab",
    "-v needle",
    "-v .",
    "-vc needle",
    "-vl needle",
    "-vi NEEDLE",
    "-v -C1 needle",
    "-v -A1 needle",
    "-v -B1 needle",
    "-v -m1 needle",
    "-vx needle",
    "-vw need",
    "-vF -e needle -e x",
    "-vo needle",
    "-v --column needle",
    "-q needle",
    "-q nowhere",
    "-qv .",
    "-qv needle",
    "-N needle",
    "-Nn needle",
    "-nN needle",
    "-H needle",
    "-I needle",
    "-IH needle",
    "-HI needle",
    "-IN -C1 x",
    "-Ic needle",
    "-Il needle",
    "-x needle",
    "-x -e needle -e x",
    "-xF needle",
    "-xi needle",
    "-x ne|needle",
    "-s Needle",
    "-is needle",
    "-si needle",
    "-u needle",
    "-uu needle",
    "-j 2 needle",
    "-j0 needle",
    "-0 needle",
    "-0l needle",
    "-0c needle",
    "-0 --heading needle",
    "--heading needle",
    "--heading -I needle",
    "--heading -C1 needle",
    "--heading --no-heading needle",
    "--no-heading needle",
    "--column needle",
    "--column -C1 x",
    "--column -N needle",
    "--column --no-column needle",
    "--vimgrep needle",
    "--vimgrep -C1 x",
    "--vimgrep -e needle -e other",
    "--trim needle",
    "--trim -C1 x",
    "--trim -o \\s+needle",
    "--iglob *.rs needle",
    "--iglob !*.rs needle",
    "--files",
    "--files src",
    "--files -0",
    "--files -u",
    "--files -uu",
    "--files -g *.rs",
    "--files --iglob *.rs",
    "--files -tc",
    "--files -q",
    "--type-list",
    "-M 10 needle",
    "-M 16 needle",
    "-M 0 needle",
    "-M 5 -C1 x",
    "-M 6 -o needle",
    "-M 5 -o needle",
    "-M 10 --column needle",
    "-M 10 --vimgrep needle",
    "-vM 3 needle",
];

#[test]
fn flags_of_ripgrep_print_what_ripgrep_prints() {
    if !has_peer("rg") {
        return;
    }
    let dir = sources();
    for case in SAME {
        let args: Vec<&str> = case.split(' ').collect();
        let expected = ripgrep(dir.path(), &[&["--sort", "path"], &*args].concat());
        let (status, stdout, stderr) = run(dir.path(), &[&["search"], &*args].concat());
        assert_eq!((status, stdout), expected, "{case}: {stderr}");
        assert_eq!(stderr, "", "{case}");
    }
}

#[test]
fn files_are_sorted_as_by_ripgrep() {
    if !has_peer("rg") {
        return;
    }
    let dir = sources();
    for order in ["--sort=modified", "--sortr=modified", "--sort=path", "--sortr=path"] {
        for form in [&["needle"][..], &["-C1", "needle"], &["--heading", "needle"], &["-l", "e"]] {
            let args = [&[order], form].concat();
            let expected = ripgrep(dir.path(), &args);
            let (status, stdout, _) = run(dir.path(), &[&["search"], &*args].concat());
            assert_eq!((status, stdout), expected, "{args:?}");
        }
    }
    let src = ["--files", "--sort", "modified"];
    let (_, stdout, _) = run(dir.path(), &[&["search"], &src[..]].concat());
    assert_eq!(stdout, output_of("rg", dir.path(), &src));
}

#[test]
fn colors_are_those_of_ripgrep_in_shorter_codes() {
    if !has_peer("rg") {
        return;
    }
    let dir = sources();
    for args in ["-o needle", "--column needle", "--heading needle", "-C1 x", "-M 10 needle"] {
        let args: Vec<&str> = args.split(' ').collect();
        let theirs = [&["--sort", "path", "--color", "always"], &*args].concat();
        let (_, expected) = ripgrep(dir.path(), &theirs);
        let expected = expected.replace("\u{1b}[1m\u{1b}[31m", "\u{1b}[1;31m");
        for flag in ["--color", "--colour"] {
            let (_, stdout, _) = run(dir.path(), &[&["search", flag, "always"], &*args].concat());
            assert_eq!(colors_begun(&stdout), colors_begun(&expected), "{args:?}");
        }
    }
}

/// Removes the codes that end a color: ripgrep also writes them before it begins one.
fn colors_begun(text: &str) -> String {
    // The separator and columns have a color in one program only.
    text.replace("\u{1b}[0m", "").replace("\u{1b}[2m", "")
}

#[test]
fn stats_count_what_ripgrep_counts() {
    if !has_peer("rg") {
        return;
    }
    let dir = sources();
    for pattern in ["needle", "ab", "nowhere"] {
        let args = ["--stats", pattern];
        let (_, expected) = ripgrep(dir.path(), &[&["--sort", "path"], &args[..]].concat());
        let (_, stdout, _) = run(dir.path(), &[&["search"], &args[..]].concat());
        // Times differ, and the engine does not count the bytes that it reads.
        let is_counted =
            |line: &&str| !line.contains("seconds") && !line.contains("bytes searched");
        let counted =
            |text: &str| text.lines().filter(is_counted).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(counted(&stdout), counted(&expected), "{pattern}");
        assert!(stdout.ends_with(" seconds total\n"), "{stdout}");
    }
}

#[test]
fn unrestricted_searches_report_binary_files() {
    let dir = tree(&[("a.bin", "x\0needle\n"), (".h", "needle\n")]);
    let (status, stdout, stderr) = run(dir.path(), &["s", "-uuu", "needle"]);
    assert_eq!((status, stdout.as_str()), (0, ".h:1:needle\n"));
    assert_eq!(stderr, "searchscope: 1 binary file is not searched; -uuu is the same as -uu\n");
    assert_eq!(run(dir.path(), &["s", "-uu", "needle"]).2, "");
}

#[test]
fn pretty_has_a_letter() {
    let dir = sources();
    let without_time = |text: String| text.split(" searched in ").next().map(str::to_owned);
    let (_, short, _) = run(dir.path(), &["s", "-p", "needle"]);
    let (_, long, _) = run(dir.path(), &["s", "--pretty", "needle"]);
    assert!(short.starts_with("\u{1b}[35ma.rs\u{1b}[0m\n"), "{short}");
    assert_eq!(without_time(short), without_time(long));
}

#[test]
fn find_prints_what_fd_prints() {
    if !has_peer("fd") {
        return;
    }
    let dir = sources();
    let cases = [
        "-i B",
        "-s B",
        "-s b",
        "-i -g *.rs",
        "-s -g *.rs",
        "-s -g *.RS",
        "-g *.RS",
        "-F a+b",
        "-F -i A+B",
        "-F .",
        "--fixed-strings b.t",
        "-E *.rs",
        "-E src",
        "-E src/B.RS",
        "-E *.rs -E *.c",
        "--exclude many* a",
        "-u",
        "-uu",
        "-u needle",
        "--max-results 0",
        "--max-results=100",
        "-s -g -p */src/B*",
        "-p -i /SRC/",
        "--maxdepth 1",
        "-j 1 b",
        "-t file",
        "-t empty -t file",
        "-t symlink",
        "-t executable",
    ];
    for case in cases {
        let args: Vec<&str> = case.split(' ').collect();
        let kind: &[&str] = if case.starts_with("-t") { &[] } else { &["-t", "f"] };
        let expected = output_of("fd", dir.path(), &[kind, &args].concat());
        let (status, stdout, stderr) = run(dir.path(), &[&["find"], &*args].concat());
        assert_eq!(sorted(&stdout), sorted(&expected), "{case}: {stderr}");
        assert_eq!((status, &*stderr), (i32::from(expected.is_empty()), ""), "{case}");
    }
    // fd ends directories with a slash.
    let expected = output_of("fd", dir.path(), &["-t", "directory"]).replace("/\n", "\n");
    assert_eq!(run(dir.path(), &["f", "-t", "directory"]).1, expected);
    let one = |flag: &str| run(dir.path(), &["f", flag, "b"]);
    for flag in ["-1", "--max-one-result", "--max-results=1"] {
        assert_eq!(one(flag), (0, "src/B.RS\n".to_owned(), String::new()), "{flag}");
    }
}

#[test]
fn a_glob_that_is_not_a_regex_is_taken_as_a_glob() {
    let dir = sources();
    let (status, stdout, stderr) = run(dir.path(), &["find", "*.rs"]);
    assert_eq!((status, stdout.as_str()), (0, "a.rs\nsrc/B.RS\n"));
    let notice = "searchscope: '*.rs' is not a regex and is taken as a glob, as with -g '*.rs'\n";
    assert_eq!(stderr, notice);
    assert_eq!(run(dir.path(), &["find", "-g", "*.rs"]), (0, stdout, String::new()));
    let (status, _, stderr) = run(dir.path(), &["find", "(a"]);
    assert!(status == 2 && stderr.contains("unclosed group"), "{stderr}");
}

#[test]
fn a_directory_as_the_pattern_is_proposed_as_a_path() {
    let dir = sources();
    std::fs::create_dir(dir.path().join("void")).unwrap();
    let hint = |name: &str| {
        format!(
            "searchscope: PATTERN '{name}' is a directory; to list its files: \
             searchscope find . '{name}'\n"
        )
    };
    assert_eq!(run(dir.path(), &["find", "void"]), (1, String::new(), hint("void")));
    assert_eq!(run(dir.path(), &["find", "src/"]), (2, String::new(), hint("src/")));
    for silent in [&["find", "."][..], &["find", "void", "src"], &["find", "a.rs"]] {
        assert_eq!(run(dir.path(), silent).2, "", "{silent:?}");
    }
    let (status, stdout, _) = run(dir.path(), &["find", ".", "src"]);
    assert_eq!((status, stdout.lines().count()), (0, 4));
}

#[test]
fn every_flag_of_ripgrep_and_fd_is_known() {
    let dir = tree(&[("a", "x\n")]);
    for (peer, verb) in [("rg", "search"), ("fd", "find")] {
        if !has_peer(peer) {
            continue;
        }
        let help = output_of(peer, dir.path(), &["--help"]);
        let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        let words = lines.flat_map(|line| line.split([' ', ',', '=', '[']).take(3));
        let is_name = |char: char| char.is_ascii_alphanumeric() || char == '-';
        let is_flag =
            |word: &&str| word.starts_with('-') && word.len() > 1 && word.chars().all(is_name);
        let (mut n_flags, mut unknown) = (0, Vec::new());
        for flag in words.map(|word| word.trim_end_matches('.')).filter(is_flag) {
            n_flags += 1;
            let (_, _, stderr) = run(dir.path(), &[verb, flag]);
            if stderr.contains("unexpected argument") {
                unknown.push(flag);
            }
        }
        assert!(unknown.is_empty(), "{verb} does not know {unknown:?}");
        assert!(n_flags > 60, "{peer}: {n_flags}");
    }
}

#[test]
fn flags_without_a_counterpart_name_what_to_type() {
    let dir = sources();
    let cases: &[(&[&str], &str)] = &[
        (&["s", "-P", "a(?=b)"], "'search' has no -P: look-around and back-references need PCRE2"),
        (&["search", "-nP", "a"], "'search' has no -P: "),
        (&["s", "-z", "a"], "'search' has no -z: compressed files are not read"),
        (&["s", "-T", "rust", "a"], "'search' has no -T: type -g '!*.EXT'"),
        (&["s", "--include=*.rs", "a"], "'search' has no --include: type -g GLOB"),
        (&["f", "-x", "rm"], "'find' has no -x: no program is started; type searchscope find -0"),
        (&["f", "--exec-batch", "rm"], "'find' has no --exec-batch: "),
        (&["s", "-rn", "a", "."], "'search' has no -r: directories are searched without it"),
        (&["s", "-E", "a|b", "src"], "hint: -E is the encoding of files, as in ripgrep"),
        (&["f", ".", "-name", "*.rs"], "'find' has no -n: type the name as PATTERN"),
        (&["f", "-iname", "*.rs"], "'find' has no -n: type the name as PATTERN"),
        (&["f", "-maxdepth", "1"], "'find' has no -m: type --max-depth NUM"),
        (&["f", "-type", "d"], "-type is read as -t ype; type -t KIND"),
        (&["s", "-v", "--json", "a"], "cannot have -v; leave out --json and --compact"),
        (&["s", "-v", "--limit", "3", "a"], "--limit cannot be used with -v; type | head -n NUM"),
        (&["s", "-v", "-U", "a"], "-U is about lines that match, and -v prints the others"),
        (&["s", "--sort", "modified", "--limit", "3", "a"], "--limit cannot be used with --sort"),
        (&["s", "-q", "--stats", "a"], "leave out one of them"),
        (&["s", "-x", "a("], "PATTERN: unclosed group"),
        (&["s", "-x", ""], "PATTERN: a pattern must not be empty"),
        (&["s", "-v", "-e", "a", "-e", "b("], "unclosed group"),
        (&["s", "-v", "-C", "1001", "a"], "1000"),
        (&["s", "-v", "-A", "1001", "a"], "1000"),
        (&["s", "-v", "-B", "99999", "a"], "1000"),
        (&["s", "-v", "-m", "0", "a"], "at least 1"),
        (&["s", "-t", "qqqq", "a"], "\"searchscope search --type-list\" shows the names"),
        (&["sym", "--kind", "fucntion", "a"], "did you mean 'function'?"),
    ];
    for (args, expected) in cases {
        let (status, stdout, stderr) = run(dir.path(), args);
        assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    }
}

#[test]
fn kinds_of_symbols_have_the_words_of_languages() {
    let dir =
        tree(&[("a.rs", "fn load_token() {}\nstruct LoadToken;\nconst LOAD_TOKEN: u8 = 0;\n")]);
    let of = |kind: &str| run(dir.path(), &["sym", "--kind", kind, "load_token"]).1;
    assert_eq!(of("function"), "a.rs:1:fn load_token\n");
    assert_eq!(of("method"), of("fn"));
    assert_eq!(of("struct"), "a.rs:2:struct LoadToken\n");
    assert_eq!(of("constant"), "a.rs:3:const LOAD_TOKEN\n");
}

#[test]
fn near_names_are_proposed_for_a_symbol_that_is_not_found() {
    let dir = tree(&[("a.rs", "fn parse_request() {}\nfn parse_reply() {}\nfn other() {}\n")]);
    let proposal = "searchscope: did you mean parse_request?\n";
    for name in ["parse_reqeust", "prase_request", "Parser::parse_reqest"] {
        let (status, stdout, stderr) = run(dir.path(), &["sym", name]);
        assert_eq!((status, stdout.as_str(), stderr.as_str()), (1, "", proposal), "{name}");
    }
    assert_eq!(run(dir.path(), &["sym", "unrelated"]), (1, String::new(), String::new()));
}

#[test]
fn help_and_version_work_with_every_verb() {
    let dir = tree(&[]);
    let stdout = |args: &[&str]| run(dir.path(), args).1;
    let all = stdout(&["--help"]);
    assert_eq!(stdout(&["help"]), all);
    for verb in ["help", "completions", "man", "search"] {
        assert!(all.contains(&format!("\n  {verb} ")), "{verb}: {all}");
    }
    assert_eq!(stdout(&["help", "search"]), stdout(&["search", "--help"]));
    let version = format!("searchscope {}\n", env!("CARGO_PKG_VERSION"));
    for verb in
        ["search", "s", "find", "look", "sym", "docs", "scope", "outline", "call", "tools", "man"]
    {
        assert_eq!(run(dir.path(), &[verb, "--version"]), (0, version.clone(), String::new()));
    }
    let (status, _, stderr) = run(dir.path(), &["help", "nonsense"]);
    assert!(status == 2 && stderr.contains("unrecognized subcommand 'nonsense'"), "{stderr}");
}

/// Runs the command with a pipe as its standard input, and returns its standard error.
#[cfg(unix)]
fn with_pipe(dir: &Path, args: &[&str], text: &str) -> String {
    use std::io::Write;
    use std::process::Stdio;
    let mut command = crate::support::searchscope(dir, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a run");
    let mut input = child.stdin.take().expect("a run");
    let written = input.write_all(text.as_bytes());
    let output = child.wait_with_output().expect("a run");
    // The command may have ended before the text was written.
    drop((input, written));
    String::from_utf8(output.stderr).expect("a run")
}

#[cfg(unix)]
#[test]
fn a_pipe_that_is_not_read_is_reported_once() {
    let dir = tree(&[("a.rs", "needle\n")]);
    let notice = "searchscope: the text on standard input was not read; searchscope reads files below a \
                  directory, and grep PATTERN a pipe\n";
    // The text may arrive after the search has ended; one of the attempts is early enough.
    for args in [&["s", "needle"][..], &["s", "-e", "needle"], &["f", "a"]] {
        let mut attempts = (0..20).map(|_| with_pipe(dir.path(), args, "text\n"));
        assert!(attempts.any(|stderr| stderr == notice), "{args:?}");
    }
    for args in [&["s", "needle", "."][..], &["s", "-e", "needle", "a.rs"], &["f", "a", "."]] {
        assert_eq!(with_pipe(dir.path(), args, "text\n"), "", "{args:?}");
    }
    assert_eq!(with_pipe(dir.path(), &["s", "needle"], ""), "");
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn inverted_searches_leave_out_lines_that_are_searched_in_parts() {
    let dir = tree(&[("a", &format!("{}needle\nshort\n", "x".repeat(9 << 20)))]);
    let (status, stdout, stderr) = run(dir.path(), &["s", "-v", "needle"]);
    assert_eq!((status, stdout.as_str()), (0, "a:2:short\n"));
    assert!(stderr.contains("left out by -v: 1 line over 8 MiB"), "{stderr}");
    assert_eq!(run(dir.path(), &["s", "-v", "short|x"]).0, 1);
    assert_eq!(run(dir.path(), &["s", "-v", "needle|short"]).0, 2);
}
