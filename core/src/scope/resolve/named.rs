//! Named scopes: the predefined ones, and those that an IDE stores in `.idea`.

use crate::scope::language::codes;
use std::collections::HashMap;

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
    pub problems: Vec<String>,
}

impl NamedScopes {
    #[cfg(feature = "modules")]
    pub(super) fn new(
        local: Vec<Stored>,
        shared: Vec<Stored>,
        n_unnamed: usize,
        problems: Vec<String>,
    ) -> NamedScopes {
        let places = [&local, &shared].map(|scopes| {
            let mut places = HashMap::new();
            for (index, scope) in scopes.iter().enumerate() {
                places.entry(scope.name.clone()).or_insert(index);
            }
            places
        });
        NamedScopes { local, shared, n_unnamed, places, problems }
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

    /// Returns the index of a stored scope by name.
    pub(super) fn place(&self, holder: Holder, name: &str) -> Option<usize> {
        self.places[holder as usize].get(name).copied()
    }
}
