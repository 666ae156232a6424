//! The atoms of a scope program: what a caller names.

macro_rules! codes {
    ($(#[doc = $doc:literal])+ $vis:vis enum $name:ident { $($(#[doc = $variant_doc:literal])+ $variant:ident = $code:literal,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        $vis enum $name {
            $($(#[doc = $variant_doc])+ $variant,)+
        }

        impl $name {
            /// Every value, in the order of the contract.
            $vis const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The text of the contract.
            $vis const fn code(self) -> &'static str {
                match self { $($name::$variant => $code,)+ }
            }
        }
    };
}
pub(super) use codes;

codes! {
    /// What kind of thing an atom names.
    pub enum AtomKind {
        /// One of the ten standard scopes, by its id.
        Standard = "STANDARD",
        /// The files of a module.
        Module = "MODULE",
        /// A scope with a name: predefined, or stored in `.idea`.
        NamedScope = "NAMED_SCOPE",
        /// A pattern of the scope language.
        Pattern = "PATTERN",
        /// A directory.
        Directory = "DIRECTORY",
        /// A list of files.
        Files = "FILES",
        /// What a provider offers in the catalog.
        ProviderScope = "PROVIDER_SCOPE",
    }
}

codes! {
    /// What becomes of an atom that does not resolve, in a program that is not strict.
    pub enum FailureMode {
        /// The program fails.
        Fail = "FAIL",
        /// The atom contains nothing.
        EmptyScope = "EMPTY_SCOPE",
        /// The atom is left out, and so is what would combine it with something.
        Skip = "SKIP",
    }
}

codes! {
    /// Which files of a module and around it.
    pub enum ModuleFlavor {
        /// Its own sources, tests and resources.
        Module = "MODULE",
        /// Also those of the modules that it depends on.
        ModuleWithDependencies = "MODULE_WITH_DEPENDENCIES",
        /// Its own, and the libraries that it depends on.
        ModuleWithLibraries = "MODULE_WITH_LIBRARIES",
        /// All of these.
        ModuleWithDependenciesAndLibraries = "MODULE_WITH_DEPENDENCIES_AND_LIBRARIES",
    }
}

/// One atom, as the caller gave it. Which of the fields count depends on its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the fields are those of the contract")]
pub struct ScopeAtom {
    /// What tokens call it.
    pub atom_id: String,
    /// What kind of thing it names.
    pub kind: AtomKind,
    /// The ref id of a scope in the catalog; it goes before the other fields.
    pub scope_ref_id: Option<String>,
    /// Of [`AtomKind::Standard`]: the id.
    pub standard_scope_id: Option<String>,
    /// Of [`AtomKind::Module`]: the name of the module.
    pub module_name: Option<String>,
    /// Of [`AtomKind::Module`]: which files; by default its own.
    pub module_flavor: Option<ModuleFlavor>,
    /// Of [`AtomKind::NamedScope`]: the name.
    pub named_scope_name: Option<String>,
    /// Of [`AtomKind::NamedScope`]: who keeps it; by default whoever has one of that name.
    pub named_scope_holder_id: Option<String>,
    /// Of [`AtomKind::Pattern`]: the text.
    pub pattern_text: Option<String>,
    /// Of [`AtomKind::Directory`]: a `file://` URL or a path relative to the root.
    pub directory_url: Option<String>,
    /// Of [`AtomKind::Directory`]: whether what lies deeper belongs too. Default: yes.
    pub directory_with_subdirectories: bool,
    /// Of [`AtomKind::Files`]: `file://` URLs or paths relative to the root.
    pub file_urls: Vec<String>,
    /// Of [`AtomKind::ProviderScope`]: the ref id in the catalog.
    pub provider_scope_id: Option<String>,
    /// What becomes of it when it does not resolve and the program is not strict.
    pub on_resolve_failure: Option<FailureMode>,
}

impl ScopeAtom {
    /// An atom of `kind` called `atom_id`, with no other field set.
    pub fn new(atom_id: impl Into<String>, kind: AtomKind) -> ScopeAtom {
        ScopeAtom {
            atom_id: atom_id.into(),
            kind,
            scope_ref_id: None,
            standard_scope_id: None,
            module_name: None,
            module_flavor: None,
            named_scope_name: None,
            named_scope_holder_id: None,
            pattern_text: None,
            directory_url: None,
            directory_with_subdirectories: true,
            file_urls: Vec::new(),
            provider_scope_id: None,
            on_resolve_failure: None,
        }
    }

    /// The atom that a ref id of the catalog names.
    pub fn of_ref(atom_id: impl Into<String>, kind: AtomKind, scope_ref_id: &str) -> ScopeAtom {
        let scope_ref_id = Some(scope_ref_id.to_owned());
        ScopeAtom { scope_ref_id, ..ScopeAtom::new(atom_id, kind) }
    }
}
