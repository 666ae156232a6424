//! Named scopes: the predefined ones, and those that an IDE stores in `.idea`.

use crate::budget::{Budget, Stopped};
use crate::excerpt::floor_char_boundary;
use crate::module::xml::{self, Element};
use crate::scope::language::TEXT_BYTES_MAX;
use crate::scope::language::codes;
use crate::workspace::fs::Kind;
use crate::workspace::{RelPath, Unread, Workspace};
use std::collections::{HashMap, HashSet};

/// The maximum number of scope files, and of scopes.
const SCOPES_MAX: usize = 2_000;
/// The maximum size of all scope files together.
const BYTES_MAX: usize = 16 << 20;

codes! {
    /// The holder of named scopes, by the id of the upstream class.
    pub(super) enum Holder {
        /// `.idea/workspace.xml`: the scopes of one user.
        Local = "com.intellij.psi.search.scope.packageSet.NamedScopeManager",
        /// `.idea/scopes`: the shared scopes, and the predefined ones.
        Shared = "com.intellij.packageDependencies.DependencyValidationManagerImpl",
    }
}

codes! {
    /// The scopes that exist without being stored, by name, in upstream's order.
    pub(super) enum Predefined {
        /// The content of the project.
        ProjectFiles = "Project Files",
        /// Everything in the project and its libraries.
        All = "All",
        /// Everything but the content of the project.
        NonProjectFiles = "Non-Project Files",
        /// Nothing, outside an IDE.
        Scratches = "Scratches and Consoles",
        /// Production sources.
        Production = "Production",
        /// Test sources.
        Tests = "Tests",
        /// Nothing, outside an IDE: files in which the IDE found errors.
        Problems = "Problems",
        /// Files below source roots that are marked as generated.
        GeneratedFiles = "Generated Files",
        /// The open files of the host's context.
        OpenFiles = "Open Files",
    }
}

/// A stored scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    pub name: String,
    pub pattern: String,
}

/// The stored scopes of a workspace.
#[derive(Debug, Default)]
pub(super) struct NamedScopes {
    local: Vec<Stored>,
    /// In the order set by the user, then by file; scopes without a name come last and go by their
    /// pattern.
    shared: Vec<Stored>,
    n_unnamed: usize,
    /// The index of the first scope of each name, by holder.
    places: [HashMap<String, usize>; 2],
    /// The names of the shared scopes.
    seen: HashSet<String>,
    /// The number of bytes that may still be read.
    bytes_left: usize,
    pub problems: Vec<String>,
}

impl NamedScopes {
    /// Reads the scopes stored in `.idea`.
    pub(super) fn read(workspace: &Workspace, budget: &Budget) -> Result<NamedScopes, Stopped> {
        let mut scopes = NamedScopes { bytes_left: BYTES_MAX, ..NamedScopes::default() };
        let idea = RelPath::root().join(b".idea");
        let mut order = Vec::new();
        let local = scopes.document(workspace, &idea.join(b"workspace.xml"), budget)?;
        if let Some(local) = &local {
            scopes.read_local(local, &mut order);
        }
        let dir = idea.join(b"scopes");
        let entries = match workspace.entries(&dir, SCOPES_MAX, budget) {
            Ok(Some(entries)) => entries,
            Ok(None) => return Ok(scopes.finish(&order)),
            Err(Unread::Stopped) => return Err(Stopped),
            Err(unread) => {
                scopes.not_used(&dir, unread.reason().unwrap_or_default());
                return Ok(scopes.finish(&order));
            }
        };
        if entries.is_cut {
            scopes.not_used(&dir, format!("more than {SCOPES_MAX} files; the others are left out"));
        }
        let mut unnamed = Vec::new();
        for entry in entries.list {
            if entry.kind != Kind::Dir && entry.name.ends_with(b".xml") {
                let path = dir.join(&entry.name);
                if let Some(document) = scopes.document(workspace, &path, budget)? {
                    scopes.read_shared(&path, &document, &mut unnamed);
                }
            }
        }
        scopes.n_unnamed = unnamed.len();
        let mut scopes = scopes.finish(&order);
        scopes.shared.append(&mut unnamed);
        scopes.index();
        Ok(scopes)
    }

    /// Returns the scopes that a holder stores.
    pub(super) fn all(&self, holder: Holder) -> &[Stored] {
        match holder {
            Holder::Local => &self.local,
            Holder::Shared => &self.shared,
        }
    }

    /// Returns all names of a holder: predefined, then stored.
    pub(super) fn names(&self, holder: Holder) -> Vec<&str> {
        let predefined = if holder == Holder::Shared { Predefined::ALL } else { &[] };
        let predefined = predefined.iter().map(|scope| scope.code());
        predefined.chain(self.named(holder).iter().map(|scope| scope.name.as_str())).collect()
    }

    /// Returns the stored scopes that have a name of their own.
    pub(super) fn named(&self, holder: Holder) -> &[Stored] {
        let stored = self.all(holder);
        let n_unnamed = if holder == Holder::Shared { self.n_unnamed } else { 0 };
        &stored[..stored.len() - n_unnamed]
    }

    fn not_used(&mut self, path: &RelPath, why: impl std::fmt::Display) {
        self.problems.push(format!("{}: not used: {why}", path.display()));
    }

    /// Reads the elements of a file; `None` if it is absent or unusable.
    fn document(
        &mut self,
        workspace: &Workspace,
        path: &RelPath,
        budget: &Budget,
    ) -> Result<Option<xml::Document>, Stopped> {
        let bytes_max = self.bytes_left.min(xml::BYTES_MAX);
        let bytes = match workspace.read_file(path, bytes_max as u64, budget) {
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

    fn read_local(&mut self, document: &xml::Document, order: &mut Vec<String>) {
        for component in components(document, "NamedScopeManager") {
            self.local.extend(definitions(component));
            let names =
                component.child("order").into_iter().flat_map(|o| o.children_named("scope"));
            order.extend(names.filter_map(|scope| scope.attribute("name")).map(str::to_owned));
        }
    }

    fn read_shared(&mut self, path: &RelPath, document: &xml::Document, unnamed: &mut Vec<Stored>) {
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
                if unnamed.len() < SCOPES_MAX && pattern.len() <= TEXT_BYTES_MAX {
                    unnamed.push(Stored { name: pattern.into(), pattern: pattern.into() });
                }
            }
        }
    }

    fn index(&mut self) {
        for (places, scopes) in self.places.iter_mut().zip([&self.local, &self.shared]) {
            for (index, scope) in scopes.iter().enumerate() {
                places.entry(scope.name.clone()).or_insert(index);
            }
        }
    }

    /// Returns the index of a stored scope by name.
    pub(super) fn place(&self, holder: Holder, name: &str) -> Option<usize> {
        self.places[holder as usize].get(name).copied()
    }

    fn finish(mut self, order: &[String]) -> NamedScopes {
        self.local.truncate(SCOPES_MAX);
        let order = order.iter().take(SCOPES_MAX).enumerate();
        let order: HashMap<&str, usize> =
            order.rev().map(|(place, name)| (name.as_str(), place)).collect();
        let place = |scope: &Stored| order.get(scope.name.as_str()).copied();
        self.shared.sort_by_cached_key(|scope| place(scope).unwrap_or(usize::MAX));
        self.index();
        self
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
