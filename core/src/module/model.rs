//! Modules and libraries, the common output of all manifest readers.
#![cfg_attr(
    not(feature = "modules"),
    expect(dead_code, reason = "only the readers make these values")
)]

use crate::workspace::RelPath;

/// The modules and libraries of a tree, and problems with their descriptions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modules {
    /// Sorted by name; names are unique.
    pub modules: Vec<Module>,
    /// In no significant order.
    pub libraries: Vec<Library>,
    /// Sentences about unusable entries, each with the file.
    pub problems: Vec<String>,
    /// Whether the files of an IDE describe them, rather than manifests.
    pub is_of_ide: bool,
}

/// One module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Module {
    /// The name that other modules and callers use.
    pub name: String,
    /// The name with that of the build before it, as an IDE shows it; empty if it has none.
    pub qualified_name: String,
    /// The names of its groups, outermost first.
    pub group: Vec<String>,
    /// The directories that belong to it.
    pub content: Vec<ContentRoot>,
    /// Its dependencies, in order.
    pub dependencies: Vec<Dependency>,
    /// The file names that are tests even below a production root.
    pub test_names: TestNames,
    /// Whether an IDE makes the same module when it opens the tree, as of Gradle and Maven.
    pub is_of_import: bool,
}

/// A directory whose files belong to a module, unless a root below it takes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContentRoot {
    pub path: RelPath,
    /// Directories (or single files) with sources and resources, at or below `path`.
    pub sources: Vec<SourceRoot>,
    /// Directories below that belong to no module.
    pub excluded: Vec<RelPath>,
    /// Whether it is that of a source set, inside the directory of its build's project.
    pub is_source_set: bool,
    /// Name masks with `*` and `?`: matching files and directories at any depth belong to no module.
    pub exclude_patterns: Vec<String>,
}

/// A directory (or a single file) with the sources or resources of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceRoot {
    pub path: RelPath,
    pub is_test: bool,
    /// Whether a tool generates its files.
    pub is_generated: bool,
    /// The package of files directly in it, with dots; empty for the default package.
    pub package_prefix: String,
}

/// File names that are tests in any directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TestNames {
    /// No names: only roots decide.
    #[default]
    None,
    /// `*_test.go`.
    Go,
    /// `*.test.*` and `*.spec.*`, and everything below `__tests__`.
    JavaScript,
    /// `*Test.php`.
    Php,
    /// `test_*.py`, `*_test.py` and `conftest.py`.
    Python,
}

impl TestNames {
    /// Returns whether a file name is that of a test. Ignores directories.
    pub(crate) fn is_test(self, name: &[u8]) -> bool {
        let has = |part: &[u8]| memchr::memmem::find(name, part).is_some();
        match self {
            TestNames::None => false,
            TestNames::Go => name.ends_with(b"_test.go"),
            TestNames::JavaScript => has(b".test.") || has(b".spec."),
            TestNames::Php => name.ends_with(b"Test.php"),
            TestNames::Python => {
                name == b"conftest.py"
                    || name.ends_with(b"_test.py")
                    || (name.starts_with(b"test_") && name.ends_with(b".py"))
            }
        }
    }
}

/// A dependency of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub on: DependsOn,
    pub scope: DependencyScope,
    /// Whether dependents of the module also depend on this.
    pub is_exported: bool,
}

/// The target of a dependency: an index in [`Modules::modules`] or [`Modules::libraries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DependsOn {
    Module(usize),
    Library(usize),
}

/// The situations in which a dependency applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum DependencyScope {
    #[default]
    Compile,
    Test,
    Runtime,
    Provided,
}

/// Third-party files under the root.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    /// The naming of its files.
    pub names: LibraryNames,
    /// Directories or files that a program is compiled or run against.
    pub classes: Vec<RelPath>,
    /// Directories or files with its source code, for reading only.
    pub sources: Vec<RelPath>,
}

/// The name of a library, or the naming of several in one directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LibraryNames {
    /// One name for everything.
    One(String),
    /// A `node_modules` directory: `name` or `@scope/name`.
    NodeModules,
    /// A directory whose entries are packages, such as Python's `site-packages`: the first name,
    /// without `.py`.
    Entries,
    /// The import paths below Go's `vendor`, in byte order.
    GoVendor(Vec<String>),
}
