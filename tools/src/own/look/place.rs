//! Places in a question: paths with line numbers, as compilers, traces, editors, forges and diffs write them;
//! and the lines around them.

use super::frame;
use super::hits::{Hit, HitFile, Hits, hit, limits};
use crate::replies::text::quoted;
use regex_automata::meta::Regex;
use searchscope::toolkit::{Role, excerpt::floor_char_boundary};
use searchscope::{
    Call, ErrorKind, FileMatches, FileOptions, FileType, FindRequest, FoundFile, PatternOptions,
    RelPath, Result, SearchRequest, Stop, Workspace,
};
use std::ops::ControlFlow;
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

/// Lines on each side of one place, and of each of several.
const AROUND: u64 = 3;
const AROUND_EACH: u64 = 1;
/// Maximum number of places in a question, and of files that one of them may mean.
const PLACES_MAX: usize = 8;
const FILES_MAX: usize = 4;
/// Maximum number of lines of a range that are shown.
const RANGE_MAX: u64 = 60;
/// A longer question is no place.
const BYTES_MAX: usize = 20_000;

/// A file with an extension and a line, in any of the usual forms.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    let path =
        r#"((?:\b[A-Za-z]:)?[^\s"'`<>|,;:()]*[^\s"'`<>|,;:()/\\]\.[A-Za-z][A-Za-z0-9+]{0,9})"#;
    let line = r#"(?::line |["'`]?,? (?:on |\(|at )?line |:L?|#L|\()([0-9]{1,9})(?:(?:-L?|:[0-9]+-)([0-9]{1,9}))?"#;
    Regex::new(&format!("{path}{line}")).expect("the expression is constant")
});
/// The qualified method before the file of a frame of Java and its kin.
static FRAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:[\w.]+(?:@[\w.]+)?/)?((?:[a-z_]\w*\.)+)([A-Z]\w*)[\w.$<>]*\($")
        .expect("the expression is constant")
});

/// A place in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// With `/`, as written otherwise.
    pub(super) path: String,
    pub(super) line: u64,
    /// The last line of a range.
    pub(super) end: Option<u64>,
    /// The function that the frame of a trace names.
    pub(super) function: Option<String>,
}

/// Returns the places in a question, in its order, each once.
pub(super) fn places(q: &str) -> Vec<Place> {
    let q = &q[..floor_char_boundary(q, BYTES_MAX)];
    let mut places: Vec<Place> = Vec::new();
    for found in PLACE.captures_iter(q) {
        if places.len() == PLACES_MAX {
            break;
        }
        let group = |at: usize| found.get_group(at).map(|span| &q[span.range()]);
        let number = |at: usize| group(at).and_then(|text| text.parse::<u64>().ok());
        let (Some(path), Some(line)) = (group(1), number(2).filter(|line| *line > 0)) else {
            continue;
        };
        let end = number(3).filter(|end| *end >= line);
        let mut name = path.replace('\\', "/");
        let before = &q[..found.get_group(1).map_or(0, |span| span.start)];
        let mut method = FRAME.create_captures();
        FRAME.captures(before, &mut method);
        if let Some(package) = method.get_group(1) {
            name = format!("{}{name}", before[package.range()].replace('.', "/"));
        }
        // The line may be followed by a column.
        let after = q[found.get_match().map_or(q.len(), |all| all.end())..].trim_start_matches(')');
        let function = frame::function(before, after);
        let place = Place { path: name, line, end, function };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    if places.is_empty() {
        places.extend(plain(q));
    }
    places
}

/// Returns a question without its places and the words that introduce them.
pub(super) fn without(q: &str) -> String {
    let mut text = String::new();
    let mut end = 0;
    for found in PLACE.find_iter(q) {
        text.push_str(
            q[end..found.start()].trim_end_matches(['"', '\'', '(', ' ']).trim_end_matches("File"),
        );
        text.push(' ');
        end = found.end();
    }
    text.push_str(&q[end..]);
    text
}

/// Returns the place in a question that is `path:line` and nothing else; the path may lack an extension.
fn plain(q: &str) -> Option<Place> {
    let number = |text: &str| text.parse::<u64>().ok().filter(|&number| number > 0);
    let (path, line) = q.trim().rsplit_once(':')?;
    let line = number(line)?;
    let (path, line) =
        match path.rsplit_once(':').and_then(|(path, line)| Some((path, number(line)?))) {
            Some(place) => place,
            None => (path, line),
        };
    let is_path = path.contains(char::is_alphabetic)
        && !path.contains(|c: char| c.is_whitespace() || c == ':');
    is_path.then(|| Place { path: path.replace('\\', "/"), line, end: None, function: None })
}

/// Returns the lines around the places in files of the tree; `None` if it has none of them.
///
/// The file of a place is the one at its path, else those whose paths share the longest end with it.
///
/// # Errors
///
/// Those of a find and a search.
pub(super) fn lines_around(
    workspace: &Workspace,
    places: &[Place],
    call: &Call,
) -> Result<Option<Hits>> {
    let mut found: Vec<(String, &Place)> = Vec::new();
    let mut missing: Vec<&Place> = Vec::new();
    for place in places {
        match is_file(workspace, &place.path) {
            true => found.push((place.path.trim_start_matches("./").to_owned(), place)),
            false => missing.push(place),
        }
    }
    if !missing.is_empty() {
        found.extend(with_longest_end(workspace, &missing, call)?);
    }
    found.sort_by_key(|(_, place)| places.iter().position(|known| known == *place));
    let around = if found.len() == 1 { AROUND } else { AROUND_EACH };
    let mut hits: Option<Hits> = None;
    for (path, place) in found.iter().take(PLACES_MAX) {
        let last = place.end.unwrap_or(place.line).min(place.line.saturating_add(RANGE_MAX));
        let wanted = place.line.saturating_sub(around)..=last.saturating_add(around);
        for own in lines_of_place(workspace, path, (place, wanted), call)? {
            hits = joined(hits, own);
        }
    }
    let is_missing = |place: &&&Place| !found.iter().any(|(_, known)| known == *place);
    let sources: Vec<Place> =
        missing.iter().filter(is_missing).flat_map(|place| place.in_sources()).collect();
    if sources.is_empty() {
        return Ok(hits);
    }
    let in_sources = with_longest_end(workspace, &sources.iter().collect::<Vec<_>>(), call)?;
    for (path, source) in in_sources.iter().take(PLACES_MAX) {
        let Some(function) = &source.function else { continue };
        // The line is that of the built file.
        for own in definitions_of(workspace, (path, function), (0, None), call)? {
            hits = joined(hits, own);
        }
    }
    Ok(hits)
}

/// Adds lines to those found so far.
fn joined(hits: Option<Hits>, own: Hits) -> Option<Hits> {
    Some(match hits {
        Some(hits) => hits.joined(own),
        None => own,
    })
}

impl Place {
    /// Returns the place, if it names a function, in the sources from which its file may be built: those of TypeScript
    /// for a file of JavaScript. They do not have its line.
    fn in_sources(&self) -> Vec<Place> {
        const SOURCES: &[(&str, &[&str])] =
            &[("js", &["ts", "tsx"]), ("jsx", &["tsx"]), ("mjs", &["mts"]), ("cjs", &["cts"])];
        let Some((stem, extension)) = self.path.rsplit_once('.') else { return Vec::new() };
        let sources = SOURCES.iter().filter(|(built, _)| *built == extension);
        let sources = sources.flat_map(|(_, sources)| sources.iter());
        let has_function = self.function.is_some();
        let place = |source: &&str| Place { path: format!("{stem}.{source}"), ..self.clone() };
        sources.filter(|_| has_function).map(place).collect()
    }
}

/// Returns the remark above the lines of places.
pub(super) fn remark(places: &[Place], hits: &Hits) -> String {
    let is_defined = hits.lines.iter().any(|hit| hit.is_definition);
    let name_of = |path: &str| path.rsplit('/').next().map(str::to_owned);
    let is_at = |hit: &Hit, place: &Place| {
        hit.line == place.line && name_of(&hits.files[hit.file].path) == name_of(&place.path)
    };
    let [place] = places else {
        let has_line = hits.lines.iter().any(|hit| places.iter().any(|place| is_at(hit, place)));
        return match (has_line, is_defined) {
            (true, true) => {
                "the lines around the places in it, and the functions that are elsewhere:"
                    .to_owned()
            }
            (false, true) => "the functions of the places in it, which are elsewhere:".to_owned(),
            (_, false) => "the lines around the places in it:".to_owned(),
        };
    };
    let at = quoted(&format!("{}:{}", place.path, place.line));
    let has_line = hits.lines.iter().any(|hit| is_at(hit, place));
    match place.function.as_deref().filter(|_| is_defined).map(quoted) {
        Some(function) if has_line => {
            format!("{at} is a place; the lines around it, and {function}, which is elsewhere:")
        }
        Some(function) => format!("{at} is a place, but not in its file; {function}:"),
        None => format!("{at} is a place; the lines around it:"),
    }
}

/// Returns whether `path` is a regular file of the tree.
pub(super) fn is_file(workspace: &Workspace, path: &str) -> bool {
    let meta = workspace.resolve(path).and_then(|path| workspace.details(&path));
    meta.is_ok_and(|meta| meta.file_type == FileType::File)
}

/// Returns the files whose paths share the longest end with that of a place, at least the name.
fn with_longest_end<'a>(
    workspace: &Workspace,
    places: &[&'a Place],
    call: &Call,
) -> Result<Vec<(String, &'a Place)>> {
    let request = FindRequest::new(FileOptions::default(), None, None);
    let root = workspace.root().file_name().map(|name| name.to_string_lossy());
    // The number of shared parts of each place, and the files with that many.
    let mut best: Vec<(usize, Vec<String>)> = vec![(0, Vec::new()); places.len()];
    workspace.run_find_each(&request, call, &mut |file: &FoundFile| {
        for (place, best) in places.iter().zip(&mut best) {
            let mut n_shared = n_shared(&file.path, &place.path);
            // A file at the root, below the name of the root's directory: `node_modules/project/index.js`.
            if n_shared > 0 && n_shared == file.path.components().count() {
                n_shared += usize::from(is_below(&place.path, n_shared, root.as_deref()));
            }
            if n_shared == 1 && says_nothing(&place.path) {
                continue;
            }
            if n_shared > best.0 {
                *best = (n_shared, Vec::new());
            }
            if n_shared > 0 && n_shared == best.0 && best.1.len() <= FILES_MAX {
                best.1.push(file.path.display().into_owned());
            }
        }
        ControlFlow::Continue(())
    })?;
    let mut found = Vec::new();
    for (place, (_, files)) in places.iter().zip(best) {
        if files.len() <= FILES_MAX {
            found.extend(files.into_iter().map(|file| (file, *place)));
        }
    }
    Ok(found)
}

/// Returns whether a path has directories, and a name that files of every project have: its name alone is no
/// reason to take another file for it.
fn says_nothing(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "__init__", "__main__", "app", "cli", "client", "common", "config", "index", "init", "lib",
        "main", "mod", "server", "setup", "types", "util", "utils",
    ];
    let Some((dirs, name)) = path.rsplit_once('/') else { return false };
    let stem = name.split('.').next().unwrap_or_default().to_lowercase();
    let has_dirs = dirs.starts_with("..") || dirs.contains(|c: char| c.is_alphanumeric());
    has_dirs && NAMES.contains(&stem.as_str())
}

/// Returns whether the part before the last `n_parts` of a path is `name`.
fn is_below(path: &str, n_parts: usize, name: Option<&str>) -> bool {
    let before = path.rsplit('/').filter(|part| !part.is_empty()).nth(n_parts);
    before.is_some() && before == name
}

/// Returns the number of last parts that the paths share.
fn n_shared(path: &RelPath, written: &str) -> usize {
    let written = written.rsplit('/').filter(|part| !part.is_empty());
    let parts = path.components().rev();
    parts.zip(written).take_while(|(part, written)| *part == written.as_bytes()).count()
}

/// Returns the lines around a place in a file, and the lines that define its function elsewhere in it.
fn lines_of_place(
    workspace: &Workspace,
    path: &str,
    (place, wanted): (&Place, RangeInclusive<u64>),
    call: &Call,
) -> Result<Vec<Hits>> {
    let around = lines_of(workspace, path, (place.line, wanted), call)?;
    let offset = around.as_ref().map(PlaceLines::inner_offset);
    let mut all: Vec<Hits> = around.into_iter().map(|lines| lines.hits).collect();
    let Some(function) = &place.function else { return Ok(all) };
    all.extend(definitions_of(workspace, (path, function), (place.line, offset), call)?);
    Ok(all)
}

/// Returns the lines on which the file at `path` defines `function`, as [`frame::definitions`].
fn definitions_of(
    workspace: &Workspace,
    (path, function): (&str, &str),
    place: (u64, Option<u64>),
    call: &Call,
) -> Result<Vec<Hits>> {
    let lines = frame::definitions(workspace, (path, function), place, call)?;
    let mut all = Vec::new();
    for &line in &lines {
        all.extend(lines_of(workspace, path, (line, line..=line), call)?.map(|lines| lines.hits));
    }
    for hits in &mut all {
        frame::mark(&hits.files, &mut hits.lines, path, &lines);
    }
    Ok(all)
}

/// Lines of a file around one of them.
pub(super) struct PlaceLines {
    pub(super) hits: Hits,
    /// The start of each line in the text of the file, in bytes.
    offsets: Vec<u64>,
    /// The line that they are around, as an index.
    at: usize,
}

impl PlaceLines {
    /// Returns the offset of the first character of the line that is not white space.
    pub(super) fn inner_offset(&self) -> u64 {
        let text = &self.hits.lines[self.at].text;
        self.offsets[self.at] + (text.len() - text.trim_start().len()) as u64
    }

    /// Returns the numbers of the lines that begin before the end of a range of bytes and end after its start.
    pub(super) fn numbers_in(&self, range: Range<u64>) -> RangeInclusive<u64> {
        let first = self.offsets.partition_point(|offset| *offset <= range.start).saturating_sub(1);
        let last = self.offsets.partition_point(|offset| *offset < range.end).saturating_sub(1);
        let number = |at: usize| self.hits.lines[at].line;
        number(first)..=number(last.max(first))
    }
}

/// Returns the lines of a file in a range around `line`, if the file has it.
///
/// # Errors
///
/// `cancelled`. A file that cannot be read has no lines.
pub(super) fn lines_of(
    workspace: &Workspace,
    path: &str,
    (line, wanted): (u64, RangeInclusive<u64>),
    call: &Call,
) -> Result<Option<PlaceLines>> {
    let mut request = SearchRequest::new(PatternOptions::regex("^"), limits());
    request.paths = vec![path.to_owned()];
    request.in_parts = true;
    let (mut files, mut lines): (Vec<HitFile>, Vec<Hit>) = Default::default();
    let mut offsets = Vec::new();
    let report = workspace.run_search_each(&request, call, &mut |file: FileMatches| {
        if files.is_empty() {
            let path = file.path.display().into_owned();
            let role = Role::of(&path);
            files.push(HitFile { path, role, n_lines: 0, n_by_pattern: Vec::new() });
        }
        for own in file.lines.iter().filter(|own| wanted.contains(&own.number)) {
            offsets.push(own.offset);
            lines.push(hit(own, 0));
        }
        match file.lines.last() {
            Some(last) if last.number >= *wanted.end() => ControlFlow::Break(Stop::HERE),
            _ => ControlFlow::Continue(()),
        }
    });
    let mut report = match report {
        Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
        Err(_) => return Ok(None),
        Ok(report) => report,
    };
    // The search ended once the lines were there, which leaves nothing out.
    report.stopped = None;
    report.complete = true;
    let n_lines = lines.len() as u64;
    let at = lines.iter().position(|hit| hit.line == line);
    let hits = Hits { files, lines, n_lines, per_file_max: None, report };
    Ok(at.map(|at| PlaceLines { hits, offsets, at }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_many_forms() {
        for (q, path, line, end) in [
            ("a/b.rs:10", "a/b.rs", 10, None),
            ("a/b.rs:10:5", "a/b.rs", 10, None),
            ("src/x.ts#L12", "src/x.ts", 12, None),
            (
                "https://forge.example/o/r/blob/main/src/a.rs#L10-L20",
                "//forge.example/o/r/blob/main/src/a.rs",
                10,
                Some(20),
            ),
            ("src/a.rs:10-20", "src/a.rs", 10, Some(20)),
            (r"src\a.cs(12,7): error CS0103", "src/a.cs", 12, None),
            (
                "File \"/usr/lib/python3/celery/app/log.py\", line 214, in f",
                "/usr/lib/python3/celery/app/log.py",
                214,
                None,
            ),
            ("at org.acme.Channel.send(Channel.java:308)", "org/acme/Channel.java", 308, None),
            ("    at Object.run (/app/src/x.js:3:12)", "/app/src/x.js", 3, None),
            (
                "/go/pkg/mod/example.com/srv@v2.8.4/http/server.go:3 +0x1a2b",
                "/go/pkg/mod/example.com/srv@v2.8.4/http/server.go",
                3,
                None,
            ),
            ("#0 /var/www/a.php(12): f()", "/var/www/a.php", 12, None),
            ("in /var/www/a.php on line 12", "/var/www/a.php", 12, None),
            (r"at A.B() in C:\src\a.cs:line 12", "C:/src/a.cs", 12, None),
            ("/app/lib/a.rb:12:in `run'", "/app/lib/a.rb", 12, None),
            ("  --> src/main.rs:12:5", "src/main.rs", 12, None),
            ("b/src/x.ts:12", "b/src/x.ts", 12, None),
            ("Makefile:12", "Makefile", 12, None),
            ("a.c line 7", "a.c", 7, None),
            ("see src/a.php (line 80)", "src/a.php", 80, None),
        ] {
            let places: Vec<Place> =
                places(q).into_iter().map(|place| Place { function: None, ..place }).collect();
            let expected = Place { path: path.to_owned(), line, end, function: None };
            assert_eq!(places, [expected], "{q}");
        }
        for q in ["a/b.rs:0", "a/b.rs:x", ":10", "12:30", "a b:10", "std::vec:10x"] {
            assert_eq!(places(q), [], "{q}");
        }
    }
}
