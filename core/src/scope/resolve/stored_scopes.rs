//! Reads the scopes that an IDE stores in `.idea`.

use super::named::{NamedScopes, Stored};
use crate::budget::{Budget, Stopped};
use crate::excerpt::floor_char_boundary;
use crate::module::xml::{self, Element};
use crate::scope::language::TEXT_BYTES_MAX;
use crate::workspace::fs::Kind;
use crate::workspace::{RelPath, Unread, Workspace};
use std::collections::{HashMap, HashSet};

/// The maximum number of scope files, and of scopes.
const SCOPES_MAX: usize = 2_000;
/// The maximum size of all scope files together.
const BYTES_MAX: usize = 16 << 20;

/// Reads the scopes stored in `.idea`.
pub(super) fn read(workspace: &Workspace, budget: &Budget) -> Result<NamedScopes, Stopped> {
    let mut reader = Reader {
        workspace,
        budget,
        local: Vec::new(),
        shared: Vec::new(),
        order: Vec::new(),
        unnamed: Vec::new(),
        seen: HashSet::new(),
        bytes_left: BYTES_MAX,
        problems: Vec::new(),
    };
    reader.read()?;
    Ok(reader.finish())
}

/// The scopes read so far.
struct Reader<'a> {
    workspace: &'a Workspace,
    budget: &'a Budget,
    local: Vec<Stored>,
    shared: Vec<Stored>,
    /// The names of the shared scopes in the order set by the user.
    order: Vec<String>,
    /// The shared scopes without a name, which go by their pattern.
    unnamed: Vec<Stored>,
    /// The names of the shared scopes.
    seen: HashSet<String>,
    /// The number of bytes that may still be read.
    bytes_left: usize,
    problems: Vec<String>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Stopped> {
        let idea = RelPath::root().join(b".idea");
        if let Some(local) = self.document(&idea.join(b"workspace.xml"))? {
            self.read_local(&local);
        }
        let dir = idea.join(b"scopes");
        let entries = match self.workspace.entries(&dir, SCOPES_MAX, self.budget) {
            Ok(Some(entries)) => entries,
            Ok(None) => return Ok(()),
            Err(Unread::Stopped) => return Err(Stopped),
            Err(unread) => {
                self.not_used(&dir, unread.reason().unwrap_or_default());
                return Ok(());
            }
        };
        if entries.is_cut {
            self.not_used(&dir, format!("more than {SCOPES_MAX} files; the others are left out"));
        }
        for entry in entries.list {
            if entry.kind != Kind::Dir && entry.name.ends_with(b".xml") {
                let path = dir.join(&entry.name);
                if let Some(document) = self.document(&path)? {
                    self.read_shared(&path, &document);
                }
            }
        }
        Ok(())
    }

    fn not_used(&mut self, path: &RelPath, why: impl std::fmt::Display) {
        self.problems.push(format!("{}: not used: {why}", path.display()));
    }

    /// Reads the elements of a file; `None` if it is absent or unusable.
    fn document(&mut self, path: &RelPath) -> Result<Option<xml::Document>, Stopped> {
        let bytes_max = self.bytes_left.min(xml::BYTES_MAX);
        let bytes = match self.workspace.read_file(path, bytes_max as u64, self.budget) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(None),
            Err(Unread::Stopped) => return Err(Stopped),
            Err(unread) => {
                let reason = unread.reason();
                self.not_used(path, reason.unwrap_or_default());
                return Ok(None);
            }
        };
        self.bytes_left -= bytes.len();
        let document = xml::parse(&bytes).map_err(|problem| self.not_used(path, problem));
        Ok(document.ok())
    }

    fn read_local(&mut self, document: &xml::Document) {
        for component in components(document, "NamedScopeManager") {
            self.local.extend(definitions(component));
            let names =
                component.child("order").into_iter().flat_map(|o| o.children_named("scope"));
            self.order.extend(names.filter_map(|scope| scope.attribute("name")).map(str::to_owned));
        }
    }

    fn read_shared(&mut self, path: &RelPath, document: &xml::Document) {
        for component in components(document, "DependencyValidationManager") {
            for scope in definitions(component) {
                if !self.seen.insert(scope.name.clone()) {
                    let why = format!("another scope has the name '{}'", scope.name);
                    self.not_used(path, why);
                } else if self.shared.len() < SCOPES_MAX {
                    self.shared.push(scope);
                }
            }
            let states = component.children_named("state").chain([component]);
            let found = states.flat_map(|state| state.children_named("unnamed_scope"));
            for pattern in found.filter_map(|scope| scope.attribute("value")) {
                if self.unnamed.len() < SCOPES_MAX && pattern.len() <= TEXT_BYTES_MAX {
                    self.unnamed.push(Stored { name: pattern.into(), pattern: pattern.into() });
                }
            }
        }
    }

    fn finish(mut self) -> NamedScopes {
        self.local.truncate(SCOPES_MAX);
        let order = self.order.iter().take(SCOPES_MAX).enumerate();
        let order: HashMap<&str, usize> =
            order.rev().map(|(place, name)| (name.as_str(), place)).collect();
        let place = |scope: &Stored| order.get(scope.name.as_str()).copied();
        self.shared.sort_by_cached_key(|scope| place(scope).unwrap_or(usize::MAX));
        let n_unnamed = self.unnamed.len();
        self.shared.append(&mut self.unnamed);
        NamedScopes::new(self.local, self.shared, n_unnamed, self.problems)
    }
}

/// Yields the components of a name: the root itself, or its children.
fn components<'d>(document: &'d xml::Document, name: &'d str) -> impl Iterator<Item = Element<'d>> {
    let root = document.root();
    [root].into_iter().chain(root.children()).filter(move |element| {
        element.name() == "component" && element.attribute("name") == Some(name)
    })
}

/// Yields the scopes that a component defines as its direct children.
fn definitions(component: Element<'_>) -> impl Iterator<Item = Stored> {
    component.children_named("scope").filter_map(|scope| {
        Some(Stored {
            name: scope.attribute("name")?.to_owned(),
            pattern: kept(scope.attribute("pattern").unwrap_or_default()).to_owned(),
        })
    })
}

/// Truncates an overlong pattern, but leaves it too long, so that parsing reports it.
fn kept(pattern: &str) -> &str {
    &pattern[..floor_char_boundary(pattern, TEXT_BYTES_MAX + 1)]
}
