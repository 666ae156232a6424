//! The atoms of a scope program: the sets of files that a caller names.

macro_rules! codes {
    ($(#[$attribute:meta])+ $vis:vis enum $name:ident { $($(#[doc = $variant_doc:literal])+ $variant:ident = $code:literal,)+ }) => {
        $(#[$attribute])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis enum $name {
            $($(#[doc = $variant_doc])+ $variant,)+
        }

        impl $name {
            /// All values, in the order of the contract.
            $vis const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Returns the value's name in the contract.
            $vis const fn code(self) -> &'static str {
                match self { $($name::$variant => $code,)+ }
            }
        }
    };
}
pub(in crate::scope) use codes;

codes! {
    /// The kind of scope that an atom names.
    #[expect(clippy::exhaustive_enums, reason = "contracts name every value")]
    pub enum AtomKind {
        /// One of the ten standard scopes, by its id.
        Standard = "STANDARD",
        /// The files of a module.
        Module = "MODULE",
        /// A named scope: predefined, or stored in `.idea`.
        NamedScope = "NAMED_SCOPE",
        /// A pattern of the scope language.
        Pattern = "PATTERN",
        /// A directory.
        Directory = "DIRECTORY",
        /// A list of files.
        Files = "FILES",
        /// A scope that a provider offers in the catalog.
        ProviderScope = "PROVIDER_SCOPE",
        /// The files that differ from a commit of git.
        GitChanged = "GIT_CHANGED",
    }
}

codes! {
    /// The treatment of an unresolved atom in a program that is not strict.
    #[expect(clippy::exhaustive_enums, reason = "contracts name every value")]
    pub enum FailureMode {
        /// The program fails.
        Fail = "FAIL",
        /// The atom contains nothing.
        EmptyScope = "EMPTY_SCOPE",
        /// The atom is dropped, together with the operator that would combine it.
        Skip = "SKIP",
    }
}

codes! {
    /// The files of a module scope, in the module and around it.
    #[expect(clippy::exhaustive_enums, reason = "contracts name every value")]
    pub enum ModuleFlavor {
        /// The module's own sources, tests and resources.
        Module = "MODULE",
        /// Also those of the modules it depends on.
        ModuleWithDependencies = "MODULE_WITH_DEPENDENCIES",
        /// Its own, and the libraries it depends on.
        ModuleWithLibraries = "MODULE_WITH_LIBRARIES",
        /// All of these.
        ModuleWithDependenciesAndLibraries = "MODULE_WITH_DEPENDENCIES_AND_LIBRARIES",
    }
}

/// One atom, as the caller passed it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the fields are those of the contract")]
pub struct ScopeAtom {
    /// The name that tokens use.
    pub atom_id: String,
    /// The scope that it names.
    pub target: AtomTarget,
    /// The ref id of a scope in the catalog; supplies the name that the target omits.
    pub scope_ref_id: Option<String>,
    /// Its treatment if it does not resolve and the program is not strict.
    pub on_resolve_failure: Option<FailureMode>,
}

/// The scope that an atom names, by kind. If the name is absent, the atom's ref id supplies it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AtomTarget {
    /// One of the ten standard scopes.
    Standard {
        /// Its id, such as "Project Files".
        id: Option<String>,
    },
    /// The files of a module.
    Module {
        /// The name of the module.
        name: Option<String>,
        /// The files to include; by default only its own.
        flavor: Option<ModuleFlavor>,
    },
    /// A named scope.
    NamedScope {
        /// The name.
        name: Option<String>,
        /// The holder that stores it; may be absent if only one has a scope of that name.
        holder_id: Option<String>,
    },
    /// A pattern of the scope language.
    Pattern {
        /// The text; required because a ref id is only its hash.
        text: Option<String>,
    },
    /// A directory.
    Directory {
        /// A `file://` URL or a path relative to the root.
        url: Option<String>,
        /// Whether deeper directories are included.
        with_subdirectories: bool,
    },
    /// A list of files.
    Files {
        /// `file://` URLs or paths relative to the root; required because a ref id is only their hash.
        urls: Vec<String>,
    },
    /// A scope that a provider offers.
    ProviderScope {
        /// Its ref id in the catalog.
        id: Option<String>,
    },
    /// The files that differ from a commit of git, as in [`crate::Workspace::changed_files`].
    GitChanged {
        /// The revision whose merge base with `HEAD` they are compared with; by default `HEAD`.
        since: Option<String>,
    },
}

impl AtomTarget {
    /// Returns a target of `kind` without a name, which the atom's ref id must supply.
    pub fn of_kind(kind: AtomKind) -> AtomTarget {
        match kind {
            AtomKind::Standard => AtomTarget::Standard { id: None },
            AtomKind::Module => AtomTarget::Module { name: None, flavor: None },
            AtomKind::NamedScope => AtomTarget::NamedScope { name: None, holder_id: None },
            AtomKind::Pattern => AtomTarget::Pattern { text: None },
            AtomKind::Directory => AtomTarget::Directory { url: None, with_subdirectories: true },
            AtomKind::Files => AtomTarget::Files { urls: Vec::new() },
            AtomKind::ProviderScope => AtomTarget::ProviderScope { id: None },
            AtomKind::GitChanged => AtomTarget::GitChanged { since: None },
        }
    }

    /// Returns the kind of the target.
    pub fn kind(&self) -> AtomKind {
        match self {
            AtomTarget::Standard { .. } => AtomKind::Standard,
            AtomTarget::Module { .. } => AtomKind::Module,
            AtomTarget::NamedScope { .. } => AtomKind::NamedScope,
            AtomTarget::Pattern { .. } => AtomKind::Pattern,
            AtomTarget::Directory { .. } => AtomKind::Directory,
            AtomTarget::Files { .. } => AtomKind::Files,
            AtomTarget::ProviderScope { .. } => AtomKind::ProviderScope,
            AtomTarget::GitChanged { .. } => AtomKind::GitChanged,
        }
    }

    /// Returns the target's own name, if it has one.
    pub(in crate::scope) fn name(&self) -> Option<&str> {
        match self {
            AtomTarget::Standard { id: name }
            | AtomTarget::Module { name, .. }
            | AtomTarget::NamedScope { name, .. }
            | AtomTarget::Pattern { text: name }
            | AtomTarget::Directory { url: name, .. }
            | AtomTarget::ProviderScope { id: name }
            | AtomTarget::GitChanged { since: name } => name.as_deref(),
            AtomTarget::Files { .. } => None,
        }
    }
}

impl ScopeAtom {
    /// Returns an atom called `atom_id` that names `target`.
    pub fn new(atom_id: impl Into<String>, target: AtomTarget) -> ScopeAtom {
        let atom_id = atom_id.into();
        ScopeAtom { atom_id, target, scope_ref_id: None, on_resolve_failure: None }
    }

    /// Returns the atom that a ref id of the catalog names.
    pub fn of_ref(atom_id: impl Into<String>, kind: AtomKind, scope_ref_id: &str) -> ScopeAtom {
        let scope_ref_id = Some(scope_ref_id.to_owned());
        ScopeAtom { scope_ref_id, ..ScopeAtom::new(atom_id, AtomTarget::of_kind(kind)) }
    }

    /// Returns an atom for the files that match a pattern of the scope language.
    pub fn of_pattern(atom_id: impl Into<String>, text: impl Into<String>) -> ScopeAtom {
        ScopeAtom::new(atom_id, AtomTarget::Pattern { text: Some(text.into()) })
    }

    /// Returns an atom for a directory and everything below it: a `file://` URL, or a path relative to the
    /// root.
    pub fn of_directory(atom_id: impl Into<String>, url: impl Into<String>) -> ScopeAtom {
        let url = Some(url.into());
        ScopeAtom::new(atom_id, AtomTarget::Directory { url, with_subdirectories: true })
    }
}
