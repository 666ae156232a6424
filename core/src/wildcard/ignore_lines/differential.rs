//! Compares our verdicts with those of `git check-ignore` on random ignore files.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the oracle is git: a process, and a directory on the disk"
)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::tests::CASES;
use super::{IgnoreLines, Verdict};

/// Reports the skip past the capture of the test runner.
fn skipped() {
    let _ = writeln!(std::io::stderr(), "SKIPPED: ignore lines against git: git is not installed");
}

/// Number of ignore files that one git process judges.
const BATCH: usize = 20;

/// Counts of a comparison.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) n_files: usize,
    pub(super) n_verdicts: usize,
    /// Verdicts of git other than "no line matches".
    pub(super) n_decided: usize,
    /// Files with a line that is skipped and reported, as the module documentation of
    /// `wildcard::ignore_lines` lists them. They are not compared; all others are, strictly.
    pub(super) n_reported: usize,
    pub(super) divergences: Vec<String>,
}

#[test]
fn random_files_have_gits_verdicts() {
    let Some(tally) = compare_random(0x5eed, 400, Duration::from_secs(60)) else {
        skipped();
        return;
    };
    assert!(tally.divergences.is_empty(), "{:#?}", tally.divergences);
    // Otherwise the generators do not fit each other any more and the comparison is empty.
    assert!(tally.n_decided * 12 > tally.n_verdicts, "{tally:?}");
    assert!(tally.n_reported * 20 < tally.n_files, "{tally:?}");
}

#[test]
fn the_table_of_cases_has_gits_verdicts() {
    let Some(repo) = new_repo() else {
        skipped();
        return;
    };
    let cases: Vec<Case> = CASES
        .iter()
        .map(|&(file, path, is_dir, _)| {
            let (file, path) = (file.as_bytes().to_vec(), path.as_bytes().to_vec());
            Case { file, paths: vec![(path, is_dir)] }
        })
        .collect();
    for (batch, expected) in cases.chunks(BATCH).zip(CASES.chunks(BATCH)) {
        for (theirs, expected) in ask_git(repo.path(), batch).iter().zip(expected) {
            assert_eq!(theirs[0], expected.3, "git about {expected:?}");
        }
    }
}

#[test]
fn named_classes_contain_gits_bytes() {
    let Some(repo) = new_repo() else {
        skipped();
        return;
    };
    let names = [
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "xdigit", "ascii", "word", "",
    ];
    for name in names {
        let file = format!("x[[:{name}:]]y\n").into_bytes();
        let bytes = (1..=255u8).filter(|&byte| byte != b'/');
        let case =
            Case { file, paths: bytes.map(|byte| (vec![b'x', byte, b'y'], false)).collect() };
        let mut tally = Tally::default();
        let theirs = ask_git(repo.path(), std::slice::from_ref(&case));
        tally.compare(&case, &theirs[0]);
        assert!(tally.divergences.is_empty(), "{:#?}", tally.divergences);
    }
}

/// An ignore file, and paths with whether each is a directory.
pub(crate) struct Case {
    pub(crate) file: Vec<u8>,
    pub(crate) paths: Vec<(Vec<u8>, bool)>,
}

/// Compares `n_files` random ignore files, or fewer when `time` is up; `None` without git.
pub(super) fn compare_random(seed: u64, n_files: usize, time: Duration) -> Option<Tally> {
    let repo = new_repo()?;
    let started = Instant::now();
    let mut random = Random(seed);
    let mut tally = Tally::default();
    while tally.n_files < n_files && started.elapsed() < time {
        let cases: Vec<Case> = (0..BATCH).map(|_| random.case()).collect();
        for (case, theirs) in cases.iter().zip(ask_git(repo.path(), &cases)) {
            tally.compare(case, &theirs);
        }
    }
    Some(tally)
}

impl Tally {
    fn compare(&mut self, case: &Case, theirs: &[Verdict]) {
        self.n_files += 1;
        let (lines, problems) = IgnoreLines::parse(&case.file, &mut || true);
        if !problems.is_empty() {
            self.n_reported += 1;
            return;
        }
        for ((path, is_dir), &theirs) in case.paths.iter().zip(theirs) {
            let ours = lines
                .as_ref()
                .map_or(Verdict::None, |lines| lines.verdict_with_parents(path, *is_dir));
            self.n_verdicts += 1;
            self.n_decided += usize::from(theirs != Verdict::None);
            if ours != theirs {
                let (file, path) =
                    (String::from_utf8_lossy(&case.file), String::from_utf8_lossy(path));
                self.divergences.push(format!(
                    "{file:?} on {path:?} (directory: {is_dir}): git {theirs:?}, we {ours:?}"
                ));
            }
        }
    }
}

pub(crate) fn new_repo() -> Option<TempDir> {
    let repo = tempfile::tempdir().expect("a temporary directory");
    git(repo.path(), &["init", "--quiet"], b"")?;
    git(repo.path(), &["config", "core.excludesFile", ""], b"")?;
    Some(repo)
}

/// Returns git's verdicts on each path of each case.
pub(crate) fn ask_git(repo: &Path, cases: &[Case]) -> Vec<Vec<Verdict>> {
    let trees = repo.join("trees");
    let mut input = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let tree = trees.join(number.to_string());
        fs::create_dir_all(&tree).expect("a fresh tree");
        fs::write(tree.join(".gitignore"), &case.file).expect("an ignore file");
        for (path, is_dir) in &case.paths {
            // Git reads the disk only to find out whether a path is a directory.
            if *is_dir {
                fs::create_dir_all(tree.join(as_path(path))).expect("a directory of the tree");
            }
            input.extend_from_slice(format!("trees/{number}/").as_bytes());
            input.extend_from_slice(path);
            input.push(0);
        }
    }
    let args = ["check-ignore", "-v", "-n", "--stdin", "-z", "--no-index"];
    let output = git(repo, &args, &input).expect("git was there before");
    fs::remove_dir_all(&trees).expect("the trees can be removed");

    // Four fields per path: source, line number, pattern, path.
    let fields: Vec<&[u8]> = output.split(|&byte| byte == 0).collect();
    let mut verdicts = fields.chunks_exact(4).map(|field| {
        match (field[1].is_empty(), field[2].starts_with(b"!")) {
            (true, _) => Verdict::None,
            (false, true) => Verdict::Include,
            (false, false) => Verdict::Ignore,
        }
    });
    cases
        .iter()
        .map(|case| {
            let theirs: Vec<Verdict> = verdicts.by_ref().take(case.paths.len()).collect();
            assert_eq!(theirs.len(), case.paths.len(), "git answers for each path");
            theirs
        })
        .collect()
}

/// Runs git without any configuration of this machine; `None` if git is not installed.
fn git(repo: &Path, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let mut child = Command::new("git")
        .args(args)
        .current_dir(repo)
        .env("HOME", repo)
        .env("XDG_CONFIG_HOME", repo)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env_remove("GIT_DIR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // A batch of short paths fits into the pipe, so the two processes cannot deadlock.
    child.stdin.take()?.write_all(input).expect("git reads its input");
    Some(child.wait_with_output().expect("git ends").stdout)
}

fn as_path(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// Generates random lines rich in syntax, and paths that nearly match them (SplitMix64 inside).
pub(crate) struct Random(pub(crate) u64);

const PIECES: &[&str] = &[
    "a",
    "b",
    "a",
    "b",
    "ab",
    "ba",
    "c",
    "*",
    "*",
    "**",
    "**",
    "***",
    "?",
    "[",
    "]",
    "!",
    "^",
    "-",
    "\\",
    "\\",
    "/",
    "/",
    "/",
    "/**/",
    "**/",
    "/**",
    "/*/",
    "{",
    "}",
    ",",
    " ",
    "#",
    ".",
    ":",
    "é",
    "[ab]",
    "[!a]",
    "[^b]",
    "[]a]",
    "[!]a]",
    "[a-c]",
    "[a-c-e]",
    "[c-a]",
    "[\\]]",
    "[a\\-c]",
    "[[:alpha:]]",
    "[![:space:]]",
    "[[:punct:]b]",
    "[[:digit:]-a]",
    "[[:nope:]]",
    "[[:alpha]",
    "[a[:]b]",
    "[/a]",
    "[é]",
    "[!é]",
    "[--0]",
    "[!--]",
    "[a-]",
    "[-a]",
    "{a,b}",
    "\t",
    "\\ ",
    "\\*",
    "\\[",
    "\\?",
    "\\!",
    "\\#",
    "\\/",
    "\\a",
    "\\\\",
    "a**b",
    "*a*",
    "//",
];
const NAMES: &[&str] = &[
    "a", "b", "ab", "ba", "aa", "c", "abc", "-", "!a", "#", ".a", "a.b", "a b", "a ", "[a]", "]",
    "{a,b}", "\\", "a\\", "*", "**", "^", "é", "1", ":", "[", "a[", "\t", ",", "?",
];

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % end
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    pub(crate) fn case(&mut self) -> Case {
        // A line alone shows most; several show that the last one wins.
        let n_lines = if self.below(2) == 0 { 1 } else { 1 + self.below(6) };
        let lines: Vec<Vec<u8>> = (0..n_lines).map(|_| self.line()).collect();
        let file = self.file(&lines);
        let mut paths: Vec<(Vec<u8>, bool)> =
            (0..25).filter_map(|_| Some((self.path(&lines)?, self.below(3) == 0))).collect();
        paths.sort();
        paths.dedup_by(|(path, _), (before, _)| path == before);
        // A path with another one below it is a directory.
        let dirs: Vec<Vec<u8>> =
            paths.iter().filter(|(_, is_dir)| *is_dir).map(|(path, _)| path.clone()).collect();
        for (path, is_dir) in &mut paths {
            let inside = [path, &b"/"[..]].concat();
            *is_dir |= dirs.iter().any(|dir| dir.starts_with(&inside));
        }
        Case { file, paths }
    }

    fn line(&mut self) -> Vec<u8> {
        let mut line = String::new();
        line.push_str(["", "", "", "!", "/", "!/", "**/", "#", "\\!", " "][self.below(10)]);
        for _ in 0..1 + self.below(6) {
            line.push_str(self.pick(PIECES));
        }
        line.push_str(["", "", "", "", "/", "/**", " ", "\\ ", "  ", "\\"][self.below(10)]);
        line.into_bytes()
    }

    fn file(&mut self, lines: &[Vec<u8>]) -> Vec<u8> {
        let end: &[u8] = if self.below(8) == 0 { b"\r\n" } else { b"\n" };
        let mut file = lines.join(end);
        if self.below(2) == 0 {
            file.extend_from_slice(end);
        }
        if self.below(20) == 0 {
            file.splice(0..0, *b"\xef\xbb\xbf");
        }
        if self.below(30) == 0 {
            file.insert(self.below(file.len() + 1), [0, b'\r'][self.below(2)]);
        }
        file
    }

    /// Returns a path made by filling the wildcards of a line, from names, or from both.
    fn path(&mut self, lines: &[Vec<u8>]) -> Option<Vec<u8>> {
        let mut path = Vec::new();
        if self.below(3) == 0 {
            path.extend(self.pick(NAMES).bytes());
            path.push(b'/');
        }
        if self.below(5) > 0 {
            let line = lines[self.below(lines.len())].clone();
            self.fill(&line, &mut path);
        } else {
            path.extend(self.pick(NAMES).bytes());
        }
        for _ in 0..self.below(3) {
            path.extend([b"/", self.pick(NAMES).as_bytes()].concat());
        }
        if self.below(6) == 0 {
            let at = self.below(path.len() + 1);
            path.insert(at, b"ab/-[!"[self.below(6)]);
        }
        let segments: Vec<&[u8]> = path
            .split(|&byte| byte == b'/')
            .filter(|name| !matches!(*name, b"" | b"." | b".." | b".gitignore"))
            .collect();
        (!segments.is_empty() && !path.contains(&0)).then(|| segments.join(&b'/'))
    }

    fn fill(&mut self, line: &[u8], path: &mut Vec<u8>) {
        let mut at = usize::from(line.starts_with(b"!"));
        while at < line.len() {
            match line[at] {
                b'*' if line[at..].starts_with(b"**") => {
                    for _ in 0..self.below(3) {
                        path.extend(self.pick(NAMES).bytes());
                        path.extend([&b"/"[..], b""][self.below(2)]);
                    }
                    at += 1;
                }
                b'*' => (0..self.below(3)).for_each(|_| path.push(b"abc-/"[self.below(5)])),
                b'?' => path.push(b"ab-/"[self.below(4)]),
                b'\\' if self.below(8) > 0 => {
                    at += 1;
                    path.extend(line.get(at));
                }
                b'[' if self.below(6) > 0 => {
                    let close = line[at..].iter().skip(2).position(|&byte| byte == b']');
                    path.push(b"abc-/][! :1e^\xc3"[self.below(14)]);
                    at += close.map_or(0, |close| close + 2);
                    if line.get(at + 1) == Some(&b']') {
                        at += 1;
                    }
                }
                byte => path.push(byte),
            }
            at += 1;
        }
    }
}
