//! The functions that frames of traces name beside their places, and where the tree defines them.
//!
//! A trace may come from another version: the line that it names is then in another function, or nowhere, and the
//! definition of the named function is what the caller wants.

use super::hits::{Hit, HitFile};
use super::token::is_any_name;
use regex_automata::meta::Regex;
use searchscope::{Call, ErrorKind, Outline, Result, Symbol, Workspace};
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// Maximum number of definitions of one function that are shown: it may be overloaded.
const DEFINITIONS_MAX: usize = 3;

/// The end of the text before a place, with the name of its function: frames of Java and Kotlin, .NET,
/// JavaScript, Go, Rust and gdb.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    regex(&[
        r"\bat (?:async |new )*(?:[\w.$<>@/]+\.)?([\w$]+)(?: \[as [\w.$]+\])? ?\($",
        r"\bat (?:[\w.+`\[\]<>]+\.)?(\w+)(?:`\d+|\[[\w,]+\]|<[\w, ]+>)?\([^()]*\) in $",
        r"[./)]([A-Za-z_]\w*)(?:\.func\d+(?:\.\d+)*)?\([^()\n]*\)[ \t]*\r?\n[ \t]*$",
        r"::([a-z_]\w*)(?:::\{\{closure\}\})*(?:::h[0-9a-f]{16})?[ \t]*\r?\n[ \t]+at $",
        r"\bin (?:[\w:~<>]+::)?(~?\w+) ?\([^()]*\) (?:const )?at $",
    ])
});
/// The beginning of the text after a place, with the name of its function: frames of Python, Ruby and Elixir.
static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    regex(&[
        r#"^["']?, in (?:[\w<>]+\.)*([A-Za-z_]\w*)"#,
        r"^:in [`'](?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )*(?:[\w:]+[#.])?([a-z_]\w*[!?]?)'",
        r"^: (?:[A-Z][\w.]*\.)([a-z_]\w*[!?]?)/\d",
    ])
});

fn regex(forms: &[&str]) -> Regex {
    Regex::new_many(forms).expect("the expressions are constant")
}

/// Returns the name of the function whose frame has `before` and `after` around its place.
pub(super) fn function(before: &str, after: &str) -> Option<String> {
    let named = |regex: &Regex, text: &str| {
        let mut groups = regex.create_captures();
        regex.captures(text, &mut groups);
        groups.get_group(1).map(|span| text[span.range()].to_owned())
    };
    // Only the line before a place belongs to it.
    let lines = before.rmatch_indices('\n').nth(1).map_or(0, |(at, _)| at + 1);
    named(&AFTER, after).or_else(|| named(&BEFORE, &before[lines..]))
}

/// Maximum number of frames without a place that are looked for.
const FRAMES_MAX: usize = 5;
/// Maximum length of the name of a function in a frame.
const NAME_MAX: usize = 300;
/// Beginnings of the names of functions that are in few projects.
const OF_PLATFORMS: &[&str] =
    &["System.", "Microsoft.", "java.", "javax.", "jdk.", "sun.", "kotlin.", "scala."];

/// Returns the qualified names of the functions in the frames of a trace that name no file, as those of .NET without
/// symbols: `at Acme.Job.Load(String a)`. Functions of the platform are the last.
pub(super) fn functions_without_place(q: &str) -> Vec<String> {
    let frames = q.lines().filter_map(|line| line.trim_start().strip_prefix("at "));
    let names = frames.filter_map(|frame| {
        let (name, _) = frame.split_once('(')?;
        let is_name = name.len() <= NAME_MAX && !name.contains(char::is_whitespace);
        is_name.then(|| qualified(name)).flatten()
    });
    let is_of_platform = |name: &String| OF_PLATFORMS.iter().any(|start| name.starts_with(start));
    let (mut others, mut own): (Vec<String>, Vec<String>) = names.partition(is_of_platform);
    own.append(&mut others);
    let mut known = HashSet::new();
    own.retain(|name| known.insert(name.clone()));
    own.truncate(FRAMES_MAX);
    own
}

/// Returns the name of a function as its source has it: `Acme.Job.Load` for that of a frame, which may name a class
/// inside another, parameters of types, and the state machine or closure that a compiler has made of the function.
fn qualified(name: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split(['.', '+', '$']) {
        let end = part.find(['`', '[']).unwrap_or(part.len());
        let (part, is_made) = match part[..end].strip_prefix('<') {
            Some(inner) => (inner.split('>').next().unwrap_or_default(), true),
            None => (&part[..end], false),
        };
        if is_any_name(part) && !part.starts_with(|c: char| c.is_ascii_digit()) {
            parts.push(part);
        }
        if is_made && !part.is_empty() {
            return (parts.len() > 1).then(|| parts.join("."));
        }
    }
    // The name of a constructor is that of its class.
    parts.retain(|part| !matches!(*part, "ctor" | "cctor"));
    (parts.len() > 1).then(|| parts.join("."))
}

/// Returns the lines on which the file at `path` defines `function`, unless a definition of it contains the byte
/// at `place`; the nearest to `line` first.
///
/// # Errors
///
/// `cancelled`. A file that cannot be parsed has no definitions.
pub(super) fn definitions(
    workspace: &Workspace,
    (path, function): (&str, &str),
    (line, place): (u64, Option<u64>),
    call: &Call,
) -> Result<Vec<u64>> {
    let outline = outline(workspace, path, call)?;
    Ok(outline.map_or_else(Vec::new, |outline| lines_of(&outline, function, (line, place))))
}

/// Returns the definitions of a file; `None` if it cannot be parsed.
///
/// # Errors
///
/// `cancelled`.
pub(super) fn outline(
    workspace: &Workspace,
    path: &str,
    call: &Call,
) -> Result<Option<Arc<Outline>>> {
    match workspace.outline(path, call) {
        Err(error) if error.kind() == ErrorKind::Cancelled => Err(error),
        outline => Ok(outline.unwrap_or_default()),
    }
}

fn lines_of(outline: &Outline, function: &str, (line, place): (u64, Option<u64>)) -> Vec<u64> {
    let is_named = |symbol: &&Symbol| symbol.name() == function;
    let named = || outline.symbols().iter().filter(is_named);
    let contains = |symbol: &Symbol| {
        symbol.line() == line || place.is_some_and(|place| symbol.range().contains(&place))
    };
    if named().any(contains) {
        return Vec::new();
    }
    let mut lines: Vec<u64> = named().map(Symbol::line).collect();
    lines.sort_by_key(|own| own.abs_diff(line));
    lines.truncate(DEFINITIONS_MAX);
    lines
}

/// Marks the lines among `hits` that define the function of a place.
pub(super) fn mark(files: &[HitFile], hits: &mut [Hit], path: &str, lines: &[u64]) {
    for hit in hits.iter_mut().filter(|hit| files[hit.file].path == path) {
        hit.is_definition |= lines.contains(&hit.line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_without_a_file_name_their_functions() {
        for (frame, name) in [
            ("at Acme.Job.Load(String a, Int32 b)", Some("Acme.Job.Load")),
            ("   at Acme.Job`1.Load[T](T a)", Some("Acme.Job.Load")),
            ("   at Acme.Job+Part.Load()", Some("Acme.Job.Part.Load")),
            ("   at Acme.Job.<LoadAsync>d__5.MoveNext()", Some("Acme.Job.LoadAsync")),
            ("   at Acme.Job.<>c__DisplayClass3_0.<Load>b__0(Int32 a)", Some("Acme.Job.Load")),
            ("   at Acme.Job..ctor(String a)", Some("Acme.Job")),
            ("at acme.Job$Part.load(Unknown Source)", Some("acme.Job.Part.load")),
            ("   at System.Task.Wait()\n   at Acme.Job.Load()", Some("Acme.Job.Load")),
            ("   at Object.run (app.js:3:1)", None),
            ("   at load()", None),
            ("Acme.Job.Load()", None),
        ] {
            let names = functions_without_place(frame);
            assert_eq!(names.first().map(String::as_str), name, "{frame}");
        }
    }

    #[test]
    fn frames_name_their_functions() {
        for (frame, expected) in [
            ("File \"@\", line 3, in load", Some("load")),
            ("File \"@\", line 3, in Job.load", Some("load")),
            ("File \"@\", line 3, in <module>", None),
            ("@:3:in `load!'", Some("load!")),
            ("@:3:in 'block (2 levels) in Job#load'", Some("load")),
            ("(app 1.0) @:3: App.Job.load/2", Some("load")),
            ("at org.acme.Job.load(@:3)", Some("load")),
            ("at Acme.Job.load(String a, Int32 b) in @:line 3", Some("load")),
            ("at Acme.Job.load[T](T a) in @:line 3", Some("load")),
            ("    at async Job.load (@:3:7)", Some("load")),
            ("    at new Job (@:3:7)", Some("Job")),
            ("    at Object.load [as run] (@:3:7)", Some("load")),
            ("acme.org/app.(*Job).load(0xc00, 0x2)\n\t@:3 +0x1a", Some("load")),
            ("main.load.func1()\n\t@:3", Some("load")),
            ("   3: app::job::load\n             at @:3:5", Some("load")),
            ("   3: app::load::{{closure}}\n             at @:3:5", Some("load")),
            ("#1 0x0042 in acme::Job::load (this=0x1) at @:3", Some("load")),
            // In a frame of PHP the function is the called one.
            ("#0 @(3): Job->load()", None),
            ("see @:3 and load", None),
            ("one.load()\n\nat @:3", None),
        ] {
            let (before, after) = frame.split_once('@').expect("a place");
            let end = after.find('3').map_or(0, |at| at + 1);
            assert_eq!(function(before, &after[end..]).as_deref(), expected, "{frame}");
        }
    }
}
