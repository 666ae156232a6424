//! The dependencies allowed between areas of the engine and of the tools, and the code that may touch files.

use crate::source::{Named, Source, read, sources};
use crate::{assert_none, collect};
use std::collections::HashMap;

/// The areas of one crate, which are the folders and files in its `src`.
struct Layers {
    src: &'static str,
    /// Areas that every other one may use, and that use each other alone.
    base: &'static [&'static str],
    /// Each other area with the areas that it may use besides the base and itself.
    areas: &'static [(&'static str, &'static [&'static str])],
    /// Modules that other crates reach beside the interface: these may use everything, and nothing may use them.
    fronts: &'static [&'static str],
}

const ENGINE: Layers = Layers {
    src: "core/src/",
    base: &[
        "error", "call", "budget", "clock", "encoding", "lines", "excerpt", "suggest", "pool",
        "room", "sort", "syntax", "wildcard",
    ],
    areas: &[
        ("workspace", &[]),
        ("index", &["workspace"]),
        ("git", &["workspace"]),
        ("walk", &["git", "index", "workspace"]),
        ("pattern", &["index", "workspace"]),
        ("module", &["workspace"]),
        ("search", &["index", "walk", "pattern", "workspace"]),
        ("document", &["index", "search", "walk", "workspace"]),
        ("scope", &["git", "module", "walk", "workspace"]),
        ("symbol", &["workspace"]),
        (
            "api",
            &[
                "search",
                "document",
                "scope",
                "symbol",
                "git",
                "walk",
                "pattern",
                "module",
                "workspace",
            ],
        ),
    ],
    fronts: &["fuzzing", "testing", "toolkit"],
};

const TOOLS: Layers = Layers {
    src: "tools/src/",
    base: &["arguments", "freed"],
    areas: &[
        ("replies", &[]),
        ("index_status", &["replies"]),
        ("tool", &["replies"]),
        ("own", &["replies", "tool"]),
        ("contracts", &["replies", "tool"]),
        ("scopes", &["replies", "tool"]),
        ("documents", &["replies", "tool"]),
        ("table", &["contracts", "documents", "own", "replies", "scopes", "tool"]),
        ("text_of", &["own", "replies", "table", "tool"]),
        ("call", &["index_status", "replies", "table", "text_of"]),
        ("stream", &["own", "replies", "table", "tool"]),
        ("open", &[]),
    ],
    fronts: &[],
};

/// Rooms, each with the rooms that it may use.
type Rooms = &'static [(&'static str, &'static [&'static str])];

/// Areas with rooms: each room with the rooms that it may use besides itself.
const ROOMS: &[(&str, Rooms)] =
    &[("scope", &[("language", &[]), ("compiled", &[]), ("resolve", &["language", "compiled"])])];

/// The only folder that opens, lists and stats files.
const FILE_ACCESS: &str = "core/src/workspace/fs";

const FILE_NAMES: &[&[&str]] =
    &[&["std", "fs"], &["rustix", "fs"], &["File", "open"], &["libc"], &["OpenOptions"]];

#[test]
fn arrows_run_down_only() {
    for (layers, exported) in [(ENGINE, "Workspace"), (TOOLS, "CallTools")] {
        let public = public_names(&read(&format!("{}lib.rs", layers.src)));
        assert!(public.contains_key(exported), "lib.rs names nothing: {public:?}");
        let offences = |source: &Source| layer_offences(&layers, source, &public);
        assert_none(&collect(&sources(layers.src.trim_end_matches('/')), offences));
    }
}

#[test]
fn a_wrong_arrow_is_found() {
    let public = public_names(&Source::new("", "pub use workspace::{Workspace, Options as O};"));
    let offences = |path: &str, text: &str| {
        let layers = if path.starts_with(TOOLS.src) { TOOLS } else { ENGINE };
        layer_offences(&layers, &Source::new(path, text), &public).len()
    };
    let search = "core/src/search/run.rs";
    assert_eq!(
        offences(search, "use crate::walk::Walk; use crate::{pattern, error::Error, search::x};"),
        0
    );
    assert_eq!(offences(search, "use crate::{walk, api::Find};"), 1);
    assert_eq!(offences(search, "fn f() { vec![crate::scope::y] }"), 1);
    assert_eq!(offences(search, "#[cfg(test)] mod tests { use crate::api; }"), 0);
    assert_eq!(offences(search, "use super::super::scope::x;"), 1);
    assert_eq!(offences("core/src/search/mod.rs", "use super::scope;"), 1);
    assert_eq!(offences("core/src/error.rs", "use super::scope;"), 1);
    assert_eq!(offences("core/src/error.rs", "use crate::budget::x;"), 0);
    assert_eq!(offences("core/src/error.rs", "use crate::Workspace;"), 1);
    assert_eq!(offences("core/src/workspace/mod.rs", "use crate::walk;"), 1);
    assert_eq!(offences("core/src/walk/mod.rs", "use crate::Workspace;"), 0);
    assert_eq!(offences("core/src/walk/mod.rs", "use crate::Unknown;"), 1);
    assert_eq!(offences("core/src/stray.rs", ""), 1);
    assert_eq!(offences("core/src/fuzzing.rs", "use crate::{scope::x, search, toolkit};"), 0);
    assert_eq!(offences("core/src/walk/mod.rs", "use crate::fuzzing;"), 1);
    assert_eq!(offences("tools/src/own/find.rs", "use crate::{replies::room, arguments};"), 0);
    assert_eq!(offences("tools/src/own/find.rs", "use crate::table::Tool;"), 1);
    assert_eq!(offences("tools/src/replies/mod.rs", "use super::own;"), 1);
}

#[test]
fn arrows_between_rooms_go_one_way() {
    let public = public_names(&read("core/src/lib.rs"));
    let scope = sources("core/src/scope");
    let in_rooms = scope.iter().filter(|source| room(&source.path).is_some()).count();
    assert!(in_rooms > 20, "{in_rooms} files are in rooms");
    assert_none(&collect(&scope, |source| room_offences(source, &public)));
}

#[test]
fn a_wrong_arrow_between_rooms_is_found() {
    let public = public_names(&Source::new("", "pub use scope::Scope; pub use walk::Walk;"));
    let offences = |path: &str, text: &str| room_offences(&Source::new(path, text), &public).len();
    let (language, resolve) = ("core/src/scope/language/x.rs", "core/src/scope/resolve/x.rs");
    assert_eq!(offences(resolve, "use crate::scope::{language::a, compiled::b, resolve::c};"), 0);
    assert_eq!(offences(language, "use crate::scope::language::a; use crate::Walk;"), 0);
    assert_eq!(offences(language, "use crate::scope::compiled::a;"), 1);
    assert_eq!(offences(language, "fn f() { crate::scope::resolve::a() }"), 1);
    assert_eq!(offences(language, "use crate::scope::Scope;"), 1);
    assert_eq!(offences(language, "use crate::Scope;"), 1);
    assert_eq!(offences("core/src/scope/language/mod.rs", "use super::compiled::a;"), 1);
    assert_eq!(offences("core/src/scope/mod.rs", "pub use compiled::Scope;"), 0);
    assert_eq!(offences("core/src/scope/tests/mod.rs", "use crate::scope::compiled::a;"), 0);
    assert_eq!(offences(language, "#[cfg(test)] mod tests { use crate::scope::compiled; }"), 0);
}

#[test]
fn only_one_folder_touches_files() {
    assert_none(&collect(&sources("core/src"), file_offences));
    assert_none(&collect(&sources("tools/src"), file_offences));
}

#[test]
fn a_touched_file_is_found() {
    let offences = |path: &str, text: &str| file_offences(&Source::new(path, text)).len();
    assert_eq!(offences("core/src/walk/mod.rs", "use std::{io, fs::File};"), 1);
    assert_eq!(offences("core/src/walk/mod.rs", "fn f() { fs::File::open(x); }"), 1);
    assert_eq!(offences("core/src/walk/mod.rs", "use rustix::fs::openat;"), 1);
    assert_eq!(offences("core/src/walk/mod.rs", "#[cfg(test)] mod tests { use std::fs; }"), 0);
    assert_eq!(offences("core/src/walk/mod.rs", "use crate::workspace::fs::Dir;"), 0);
    assert_eq!(offences("core/src/workspace/fs/beneath.rs", "use rustix::fs;"), 0);
    assert_eq!(offences("core/src/workspace/resolve.rs", "use std::fs;"), 1);
}

/// Returns the names that lib.rs exports to the whole crate, each with the area that it comes from.
fn public_names(lib: &Source) -> HashMap<String, String> {
    let names = lib.names(false).into_iter().filter(|name| name.segments.len() > 1);
    names
        .map(|name| (name.segments[name.segments.len() - 1].clone(), name.segments[0].clone()))
        .collect()
}

/// Returns the area of a file: the folder below `src`, or the file there.
fn area<'a>(src: &str, path: &'a str) -> &'a str {
    let inside = path.strip_prefix(src).unwrap_or(path);
    inside.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

fn layer_offences(
    layers: &Layers,
    source: &Source,
    public: &HashMap<String, String>,
) -> Vec<String> {
    let from = area(layers.src, &source.path);
    // Modules shared by the tests of all areas are above them.
    if from == "lib" || from == "tests" || layers.fronts.contains(&from) {
        return Vec::new();
    }
    let is_base = layers.base.contains(&from);
    let below = layers.areas.iter().find(|(area, _)| *area == from).map(|(_, below)| *below);
    if !is_base && below.is_none() {
        return vec![format!("{}: the area {from} is not in the table", source.path)];
    }
    let may_use = |to: &str| {
        to == from || layers.base.contains(&to) || below.is_some_and(|below| below.contains(&to))
    };
    let is_front =
        source.path.matches('/').count() == 2 || source.path.ends_with(&format!("{from}/mod.rs"));
    let offence = |name: &Named| {
        let at = format!("{}:{}: {}", source.path, name.line, name.segments.join("::"));
        let [first, second, ..] = &name.segments[..] else { return None };
        match (first.as_str(), second.as_str()) {
            ("super", "super") => Some(format!("{at}: use crate:: for such a distant module")),
            ("super", _) if is_front => {
                Some(format!("{at}: use crate:: for modules above an area"))
            }
            ("crate", to) => {
                let to = public.get(to).map_or(to, String::as_str);
                (!may_use(to)).then(|| format!("{at}: {from} may not use {to}"))
            }
            _ => None,
        }
    };
    source.names(false).iter().filter_map(offence).collect()
}

/// Returns the area and the room of a file, with the rooms that it may use; `None` outside rooms.
fn room(path: &str) -> Option<(&str, &str, &'static [&'static str])> {
    let (_, rooms) = ROOMS.iter().find(|(name, _)| *name == area(ENGINE.src, path))?;
    let inside = path.strip_prefix(ENGINE.src)?.split('/').nth(1)?;
    let (_, uses) = rooms.iter().find(|(name, _)| *name == inside)?;
    Some((area(ENGINE.src, path), inside, uses))
}

/// Reports names from rooms that a file may not use, and from the front of its own area, which is above.
fn room_offences(source: &Source, public: &HashMap<String, String>) -> Vec<String> {
    let Some((area, room, uses)) = room(&source.path) else { return Vec::new() };
    let may_use = |to: &str| to == room || uses.contains(&to);
    let is_front = source.path.ends_with(&format!("{area}/{room}/mod.rs"));
    // A visibility such as pub(in crate::scope) or pub(super) does not use the area.
    let is_offence = |name: &&Named| match &name.segments[..] {
        [first, second, third, ..] if first == "crate" && second == area => !may_use(third),
        [first, second] if first == "crate" => public.get(second).is_some_and(|from| from == area),
        [first, _, ..] => first == "super" && is_front,
        _ => false,
    };
    let text = |name: &Named| {
        let named = name.segments.join("::");
        format!("{}:{}: the room {room} may not use {named}", source.path, name.line)
    };
    source.names(false).iter().filter(is_offence).map(text).collect()
}

fn file_offences(source: &Source) -> Vec<String> {
    if source.path.starts_with(FILE_ACCESS) {
        return Vec::new();
    }
    let touches = |name: &&Named| {
        let is_own = name.segments[0] == "crate" || name.segments[0] == "super";
        let names = |wanted: &&[&str]| {
            name.segments.windows(wanted.len()).any(|window| *window == **wanted)
        };
        !is_own && FILE_NAMES.iter().any(names)
    };
    let text =
        |name: &Named| format!("{}:{}: {}", source.path, name.line, name.segments.join("::"));
    source.names(false).iter().filter(touches).map(text).collect()
}
