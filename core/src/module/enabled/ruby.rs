//! Ruby: gems and applications, by the layout of their directories. Both kinds of files are programs, which are
//! not run.

use super::TestNames;
use super::graph::{LocatedModule, ModuleGraph};
use super::places::Places;
use super::reader::ManifestReader;
use crate::budget::Stopped;
use crate::workspace::RelPath;
use crate::workspace::fs::Kind;
use std::collections::BTreeSet;

const ENDING: &[u8] = b".gemspec";
const SOURCE_DIRS: &[&str] = &["app", "bin", "config", "db", "exe", "ext", "lib"];
/// Files that a Ruby application has besides its `Gemfile`.
const PROGRAMS: &[&str] = &["Rakefile", "config.ru"];
const TEST_DIRS: &[&str] = &["features", "spec", "test", "tests"];

pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let mut graph = ModuleGraph::default();
    let dirs = places.with("*.gemspec").iter().chain(places.with("Gemfile"));
    for dir in dirs.collect::<BTreeSet<_>>() {
        reader.budget.poll()?;
        let sources = reader.dirs_named(dir, SOURCE_DIRS);
        let tests = reader.dirs_named(dir, TEST_DIRS);
        // Projects in other languages have a `Gemfile` for a tool.
        let is_gem = places.with("*.gemspec").contains(dir);
        let is_ruby =
            is_gem || PROGRAMS.iter().any(|name| reader.is_file(&dir.join(name.as_bytes())));
        if !is_ruby || sources.is_empty() && tests.is_empty() {
            continue;
        }
        let Some(name) = name(reader, dir)? else {
            continue;
        };
        let mut module = LocatedModule::of_manifest(dir, &name, TestNames::None);
        sources.into_iter().for_each(|path| module.add_source(path, false));
        tests.into_iter().for_each(|path| module.add_source(path, true));
        graph.modules.push(module);
    }
    Ok(graph)
}

/// Returns the name of the gem, which is that of its file, or else the directory.
fn name(reader: &mut ManifestReader<'_>, dir: &RelPath) -> Result<Option<String>, Stopped> {
    let is_gem = |name: &[u8], kind| kind == Kind::File && name.ends_with(ENDING);
    let gems = reader.entries_where(dir, &is_gem)?;
    let gem = gems.first().map(|entry| &entry.name[..entry.name.len() - ENDING.len()]);
    let name = gem.map_or(dir.display(), |gem| String::from_utf8_lossy(gem));
    let file = gems.first().map_or(dir.join(b"Gemfile"), |entry| dir.join(&entry.name));
    Ok(reader.name(&file, &name).map(str::to_owned))
}
