//! Python projects of `setup.py` and `setup.cfg`, as far as these have literal values. `setup.py` is a program,
//! which is not run.

use super::TestNames;
use super::graph::{LocatedModule, ModuleGraph};
use super::places::Places;
use super::reader::ManifestReader;
use crate::budget::Stopped;
use crate::workspace::RelPath;
use std::collections::BTreeSet;

const SCRIPT: &str = "setup.py";
const CONFIGURATION: &str = "setup.cfg";
const TEST_DIRS: &[&str] = &["test", "tests"];

pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let mut graph = ModuleGraph::default();
    let dirs = places.with(SCRIPT).iter().chain(places.with(CONFIGURATION));
    for dir in dirs.collect::<BTreeSet<_>>() {
        reader.budget.poll()?;
        // A project whose `pyproject.toml` has a name is read there; other ones only configure tools.
        let configured = reader.toml(&dir.join(b"pyproject.toml"), has_name)?;
        if configured == Some(true) {
            continue;
        }
        let Some(name) = name(reader, dir)? else {
            continue;
        };
        let mut module = LocatedModule::of_manifest(dir, &name, TestNames::Python);
        let src = reader.dirs_named(dir, &["src"]).pop();
        module.add_source(src.unwrap_or_else(|| dir.clone()), false);
        for tests in reader.dirs_named(dir, TEST_DIRS) {
            module.add_source(tests, true);
        }
        graph.modules.push(module);
    }
    Ok(graph)
}

fn has_name(manifest: &toml::Table) -> bool {
    let of = |table: Option<&toml::Value>| table.is_some_and(|table| table.get("name").is_some());
    of(manifest.get("project")) || of(manifest.get("tool").and_then(|tool| tool.get("poetry")))
}

/// Returns the literal name of a project, or else its directory; `None` if the files only configure tools.
fn name(reader: &mut ManifestReader<'_>, dir: &RelPath) -> Result<Option<String>, Stopped> {
    let (script, configuration) = (dir.join(SCRIPT.as_bytes()), dir.join(CONFIGURATION.as_bytes()));
    let configured = reader.text(&configuration)?;
    let configured = configured.as_deref().and_then(configured_name);
    let text = reader.text(&script)?;
    if configured.is_none() && text.is_none() {
        return Ok(None);
    }
    let shown = dir.display();
    let name = configured.or_else(|| text.as_deref().and_then(script_name)).unwrap_or(&shown);
    Ok(reader.name(&script, name).map(str::to_owned))
}

/// Returns the literal argument `name` of a `setup.py`.
fn script_name(script: &str) -> Option<&str> {
    let call = script.split_once("setup(")?.1;
    call.lines().flat_map(|line| line.split(',')).find_map(|argument| {
        let argument = argument.trim_start();
        let value = argument.strip_prefix("name")?.trim_start().strip_prefix('=')?.trim();
        let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        let (name, rest) = value[1..].split_once(quote)?;
        let is_literal = matches!(rest.trim_start().chars().next(), None | Some(')' | '#'));
        (is_literal && !name.is_empty()).then_some(name)
    })
}

/// Returns the `name` in the section `metadata` of a `setup.cfg`.
fn configured_name(configuration: &str) -> Option<&str> {
    let mut is_metadata = false;
    for line in configuration.lines() {
        if line.starts_with('[') {
            is_metadata = line.trim_end() == "[metadata]";
        } else if is_metadata
            && let Some((key, value)) = line.split_once('=')
            && key.trim_end() == "name"
        {
            return Some(value.trim()).filter(|value| !value.is_empty());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_names() {
        for (script, expected) in [
            ("setup(name='a')", Some("a")),
            ("setuptools.setup(\n    name=\"a-b\",\n    version=v)", Some("a-b")),
            ("setup(version='1', name = 'a')", Some("a")),
            ("setup(name=NAME)", None),
            ("setup(name='a' + x)", None),
            ("name='a'", None),
        ] {
            assert_eq!(script_name(script), expected, "{script}");
        }
        for (configuration, expected) in [
            ("[metadata]\nname = a\n", Some("a")),
            ("[flake8]\nname = a\n[metadata]\nversion = 1\n", None),
            ("[metadata]\nname =\n", None),
        ] {
            assert_eq!(configured_name(configuration), expected, "{configuration}");
        }
    }
}
