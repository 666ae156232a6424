//! Parsing an item of `what` and finding the lines that it names.

use super::Reading;
use super::source::{self, Source, with_near};
use crate::own::look::{everywhere, near_in_tree};
use crate::replies::text::{heading, quoted};
use regex_automata::meta::Regex;
use searchscope::toolkit::ErrorExt;
use searchscope::{
    Error, ErrorKind, FileOptions, FoundSymbol, Outline, Result, Symbol, SymbolKind, SymbolRequest,
};
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};
use std::sync::{Arc, LazyLock};

/// Maximum number of definitions of one name that are shown; of further ones only the places are
/// listed.
const DEFINITIONS_MAX: usize = 3;
/// Maximum number of places that are listed.
const PLACES_MAX: usize = 8;
/// Maximum number of suggestions for a misspelt name.
const NEAR_MAX: usize = 3;
/// Maximum size of the block around a line: a longer definition is more than the caller wants to
/// read.
const BLOCK_LINES_MAX: u64 = 200;
/// Lines on each side of a line that no definition encloses.
const AROUND_LINES: u64 = 20;
/// Maximum number of comment and attribute lines before a definition that are shown with it.
const LEAD_LINES_MAX: usize = 40;

/// Lines of a file.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) path: String,
    /// The first and the last line, from 1; the whole file if absent.
    pub(super) range: Option<(u64, u64)>,
    /// The bytes to show of a single line; the whole line if absent.
    pub(super) window: Option<Range<usize>>,
    /// A remark about it: empty, or beginning with "; ".
    pub(super) note: String,
}

impl Part {
    fn of(path: &str, range: Option<(u64, u64)>) -> Part {
        Part { path: path.to_owned(), range, window: None, note: String::new() }
    }
}

/// Returns the parts that `what` names.
///
/// # Errors
///
/// Those of the path; `not_found` for a name that is not defined, with names like it;
/// `invalid_param` for lines in the wrong order.
pub(super) fn resolve(reading: &Reading<'_>, what: &str) -> Result<Vec<Part>> {
    if exists(reading, what)? {
        return Ok(vec![Part::of(what, None)]);
    }
    let usual = usual_form(what);
    let what = &*usual;
    // A directory may be named `C#`.
    let is_name = |name: &str| !name.is_empty() && (!name.contains('/') || name.ends_with('/'));
    if let Some((path, name)) = what.rsplit_once('#').filter(|(_, name)| is_name(name)) {
        return if path.is_empty() {
            defined_anywhere(reading, name)
        } else {
            defined_in(reading, path, name)
        };
    }
    if let Some((path, lines)) = what.rsplit_once(':')
        && let Some(lines) = read_lines(lines)
    {
        if lines.start() > lines.end() || *lines.start() == 0 {
            let message = format!(
                "{} must be lines from 1 in ascending order, such as \"10-40\"",
                quoted(what)
            );
            return Err(Error::new(ErrorKind::InvalidParam, message).with_param("what"));
        }
        let is_one = !what[path.len() + 1..].contains('-');
        return if is_one {
            around(reading, path, *lines.start())
        } else {
            Ok(vec![Part::of(path, Some(lines.into_inner()))])
        };
    }
    if let Some((path, line)) = what.rsplit_once(':')
        && let Some((line, window)) = read_window(line)
    {
        return Ok(vec![Part { window: Some(window), ..Part::of(path, Some((line, line))) }]);
    }
    // The path does not exist: this error suggests similar ones.
    let path = reading.workspace.resolve(what)?;
    reading.workspace.details(&path).map_err(with_near)?;
    Ok(vec![Part::of(what, None)])
}

/// Lines of a file as editors, forges and compilers write them.
static LINES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^@?(.+?)(?::|#L)L?([0-9]{1,9})(-L?[0-9]*)?(?::.*)?$")
        .expect("the expression is constant")
});

/// Returns an item with the lines of a file in the usual form: `a.rs:10` for `a.rs#L10`, `a.rs:L10`, `a.rs:10:3`,
/// `@a.rs:10` and `a.rs:10: text`. An `@` before a path does not count.
fn usual_form(what: &str) -> Cow<'_, str> {
    let mut found = LINES.create_captures();
    LINES.captures(what, &mut found);
    let group = |at: usize| found.get_group(at).map(|span| &what[span.range()]);
    match (group(1), group(2)) {
        (Some(path), Some(first)) => {
            let last = group(3).unwrap_or_default().replace('L', "");
            Cow::Owned(format!("{path}:{first}{last}"))
        }
        _ => Cow::Borrowed(what.strip_prefix('@').filter(|path| !path.is_empty()).unwrap_or(what)),
    }
}

/// Returns whether `path` exists. A path outside the root, or a denied one, is an error.
fn exists(reading: &Reading<'_>, path: &str) -> Result<bool> {
    let path = match reading.workspace.resolve(path) {
        // Windows refuses names with a colon, and so a path with lines. The caller resolves the path before it.
        Err(error) if cfg!(windows) && error.is_outside_root() => return Ok(false),
        path => path?,
    };
    match reading.workspace.details(&path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Parses `10-40`, `10-` or `25`.
fn read_lines(text: &str) -> Option<RangeInclusive<u64>> {
    let number = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok()).flatten()
    };
    match text.split_once('-') {
        Some((first, "")) => Some(number(first)?..=u64::MAX),
        Some((first, last)) => Some(number(first)?..=number(last)?),
        None => Some(number(text)?..=number(text)?),
    }
}

/// Parses `1[2000-4000]` or `1[2000-]`: a line and a range of its bytes.
fn read_window(text: &str) -> Option<(u64, Range<usize>)> {
    let (line, bytes) = text.strip_suffix(']')?.split_once('[')?;
    let (start, end) = bytes.split_once('-')?;
    let line = line.parse().ok().filter(|&line| line > 0)?;
    let end = if end.is_empty() { usize::MAX } else { end.parse().ok()? };
    let start = start.parse().ok().filter(|&start| start < end)?;
    Some((line, start..end))
}

/// Returns the definition that begins in a line, else the innermost one around it, or some lines on both sides.
fn around(reading: &Reading<'_>, path: &str, line: u64) -> Result<Vec<Part>> {
    let source = source::open(reading, path)?;
    let fallback = || {
        let first = line.saturating_sub(AROUND_LINES).max(1);
        // If no line of the block exists, the error names the line of the caller.
        let first = if first > source.n_lines() { line } else { first };
        Ok(vec![Part::of(path, Some((first, line.saturating_add(AROUND_LINES))))])
    };
    let Some(start) = source.start_of(line) else { return fallback() };
    let Some(outline) = outline_of(reading, path)? else { return fallback() };
    let text = source.line(line);
    let at = (start + text.len() - text.trim_start().len()) as u64;
    // The text of a definition may begin after words such as `export` or `const`.
    let on_line = outline.symbols().iter().filter(|symbol| symbol.line() == line);
    let largest = on_line.max_by_key(|symbol| {
        let range = symbol.range();
        (range.end - range.start, std::cmp::Reverse(range.start))
    });
    if let Some(symbol) = largest.or_else(|| outline.enclosing(at, at)) {
        let (first, last) = lines_of(&source, symbol);
        if last - first < BLOCK_LINES_MAX {
            let part = Part::of(path, Some((first, last)));
            return Ok(vec![Part { note: format!("; {}", outline.label(symbol)), ..part }]);
        }
    }
    fallback()
}

/// Returns the definitions of `name` in one file.
fn defined_in(reading: &Reading<'_>, path: &str, name: &str) -> Result<Vec<Part>> {
    let source = source::open(reading, path)?;
    let Some(outline) = outline_of(reading, path)? else {
        let message =
            format!("there is no grammar for {}, so its definitions are unknown", quoted(path));
        return Err(Error::new(ErrorKind::Unsupported, message));
    };
    let symbols = outline.symbols().iter().filter(|symbol| symbol.kind() != SymbolKind::Impl);
    let is_wanted = |symbol: &&Symbol| {
        symbol.name() == name
            || outline.qualified_name(symbol) == name
            || ends_with_name(&outline.qualified_name(symbol), name)
    };
    let found: Vec<&Symbol> = symbols.clone().filter(is_wanted).collect();
    if found.is_empty() {
        let names: Vec<&str> = symbols.map(Symbol::name).collect();
        let message = searchscope::toolkit::suggest::unknown("definition", name, &names);
        return Err(Error::new(ErrorKind::NotFound, format!("{}: {message}", quoted(path))));
    }
    let part = |symbol: &&Symbol| {
        let note = format!("; {}", outline.label(symbol));
        Part { note, ..Part::of(path, Some(lines_of(&source, symbol))) }
    };
    Ok(found.iter().take(DEFINITIONS_MAX).map(part).collect())
}

/// Returns whether `qualified` ends with the names of `name`: whole names, any separators.
fn ends_with_name(qualified: &str, name: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(['.', ':', '#', '\\', '/']).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let (qualified, name) = (parts(qualified), parts(name));
    name.len() > 1 && qualified.ends_with(&name)
}

/// Returns the definitions of `name` in the tree; if only ignored or hidden files have one, those.
fn defined_anywhere(reading: &Reading<'_>, name: &str) -> Result<Vec<Part>> {
    let mut found = symbols(reading, name, FileOptions::default())?;
    let mut is_elsewhere = false;
    if best_score(&found) < EXACT {
        let elsewhere = symbols(reading, name, everywhere(FileOptions::default()))?;
        is_elsewhere = best_score(&elsewhere) >= EXACT;
        if is_elsewhere || found.is_empty() {
            found = elsewhere;
        }
    }
    let best = best_score(&found);
    if best < EXACT {
        return Err(undefined(reading, name, &found)?);
    }
    let mut places: Vec<(String, u64)> = Vec::new();
    for symbol in found.iter().filter(|symbol| symbol.score == best) {
        places.push((symbol.path.display().into_owned(), symbol.line));
    }
    let others: Vec<String> = places
        .iter()
        .skip(DEFINITIONS_MAX)
        .map(|(path, line)| format!("{}:{line}", heading(path)))
        .collect();
    let mut parts = Vec::new();
    for (path, line) in places.iter().take(DEFINITIONS_MAX) {
        let source = source::open(reading, path)?;
        let Some(outline) = outline_of(reading, path)? else { continue };
        let symbol = outline.symbols().iter().find(|symbol| symbol.line() == *line);
        let Some(symbol) = symbol else { continue };
        let note = format!("; {}", outline.label(symbol));
        parts.push(Part { note, ..Part::of(path, Some(lines_of(&source, symbol))) });
    }
    if let Some(last) = parts.last_mut().filter(|_| !others.is_empty()) {
        last.note.push_str(&format!("; also defined at {}", others.join(", ")));
    }
    if let Some(last) = parts.last_mut().filter(|_| is_elsewhere) {
        last.note.push_str("; only ignored or hidden files define it");
    }
    Ok(parts)
}

/// Returns the definitions that match `name`, best first.
fn symbols(reading: &Reading<'_>, name: &str, files: FileOptions) -> Result<Vec<FoundSymbol>> {
    let mut request = SymbolRequest::new(name, PLACES_MAX + 1);
    request.files = files;
    Ok(reading.workspace.run_symbols(&request, reading.call)?.symbols)
}

fn best_score(symbols: &[FoundSymbol]) -> u32 {
    symbols.first().map_or(0, |symbol| symbol.score)
}

/// Returns the error for a name without a definition: suggests definitions whose names contain it,
/// and defined names that are a letter or two away.
fn undefined(reading: &Reading<'_>, name: &str, like: &[FoundSymbol]) -> Result<Error> {
    let mut message = format!("no definition of {} was found", quoted(name));
    let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
    let mut near = Vec::new();
    for files in [FileOptions::default(), everywhere(FileOptions::default())] {
        let names = near_in_tree(reading.workspace, last, files.clone(), reading.call)?;
        let edits = names.first().map_or(0, |best| best.edits);
        for other in names.iter().take_while(|other| other.edits == edits).take(NEAR_MAX) {
            let defined = symbols(reading, &other.name, files.clone())?;
            let defined = defined.first().filter(|symbol| symbol.score >= EXACT);
            near.extend(defined.map(|symbol| {
                let (path, line) = (heading(&symbol.path.display()), symbol.line);
                format!("{} ({path}:{line})", quoted(&format!("#{}", symbol.name)))
            }));
        }
        if !near.is_empty() {
            message.push_str(&format!("; did you mean {}?", near.join(" or ")));
            break;
        }
    }
    if !like.is_empty() {
        let like: Vec<String> =
            like.iter().take(PLACES_MAX).map(|symbol| quoted(&symbol.name)).collect();
        message.push_str(&format!("; names like it: {}", like.join(", ")));
    }
    Ok(Error::new(ErrorKind::NotFound, message))
}

/// The lowest score of a definition whose name equals the query, except for case.
const EXACT: u32 = 95;

/// Returns the outline of a file, or `None` without a grammar or a text that can be parsed.
pub(super) fn outline_of(reading: &Reading<'_>, path: &str) -> Result<Option<Arc<Outline>>> {
    match reading.workspace.outline(path, reading.call) {
        Ok(outline) => Ok(outline),
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the first and the last line of a definition, with the comments and attributes before it.
fn lines_of(source: &Source, symbol: &Symbol) -> (u64, u64) {
    let range = symbol.range();
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let first = source.line_at(place(range.start)).min(symbol.line());
    let last =
        source.line_at(place(range.end.saturating_sub(1).max(range.start))).max(symbol.line());
    let leads = |number: &u64| is_lead(source.line(*number));
    let n_lead = (1..first).rev().take_while(leads).take(LEAD_LINES_MAX).count() as u64;
    (first - n_lead, last)
}

/// Returns whether a line before a definition is a comment or an attribute.
fn is_lead(line: &str) -> bool {
    let text = line.trim_start();
    ["///", "//", "/*", "*", "#[", "#!", "@", "--", ";;"].iter().any(|lead| text.starts_with(lead))
        || text.starts_with("# ")
        || text.ends_with("*/")
}
