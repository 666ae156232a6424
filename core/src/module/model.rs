//! Modules and libraries, as all readers of manifests describe them.

use crate::workspace::RelPath;

/// The modules and libraries of a tree, and what was wrong with what describes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modules {
    /// By name; no two have the same.
    pub modules: Vec<Module>,
    /// In no order that means something.
    pub libraries: Vec<Library>,
    /// What could not be used, in sentences that name the file.
    pub problems: Vec<String>,
}

/// One module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Module {
    /// As other modules and callers name it.
    pub name: String,
    /// The names of the groups it is in, from the outermost one.
    pub group: Vec<String>,
    /// The directories that belong to it.
    pub content: Vec<ContentRoot>,
    /// What it depends on, in order.
    pub dependencies: Vec<Dependency>,
    /// What makes a file below a production root a test all the same.
    pub test_names: TestNames,
}

/// A directory whose files belong to a module, unless a root further in says otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContentRoot {
    pub path: RelPath,
    /// Directories (or single files) with sources and resources, at or below `path`.
    pub sources: Vec<SourceRoot>,
    /// Directories below that belong to nothing.
    pub excluded: Vec<RelPath>,
    /// Name masks with `*` and `?`: files and directories anywhere below that belong to nothing.
    pub exclude_patterns: Vec<String>,
}

/// A directory (or a single file) with the sources or resources of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceRoot {
    pub path: RelPath,
    pub is_test: bool,
    /// Whether what lies there is made by a tool.
    pub is_generated: bool,
    /// The package of files directly in it, with dots; empty for the default package.
    pub package_prefix: String,
}

/// Which file names are tests wherever they lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TestNames {
    /// None: only roots decide.
    #[default]
    None,
    /// `*_test.go`.
    Go,
    /// `*.test.*` and `*.spec.*`, and everything below `__tests__`.
    JavaScript,
    /// `test_*.py`, `*_test.py` and `conftest.py`.
    Python,
}

impl TestNames {
    /// Whether the name of a file says that it is a test. Directories are not looked at.
    pub(crate) fn is_test(self, name: &[u8]) -> bool {
        let has = |part: &[u8]| memchr::memmem::find(name, part).is_some();
        match self {
            TestNames::None => false,
            TestNames::Go => name.ends_with(b"_test.go"),
            TestNames::JavaScript => has(b".test.") || has(b".spec."),
            TestNames::Python => {
                name == b"conftest.py"
                    || name.ends_with(b"_test.py")
                    || (name.starts_with(b"test_") && name.ends_with(b".py"))
            }
        }
    }
}

/// Something that a module depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub on: DependsOn,
    pub scope: DependencyScope,
    /// Whether who depends on the module also depends on this.
    pub is_exported: bool,
}

/// What a dependency is: the place in [`Modules::modules`] or [`Modules::libraries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DependsOn {
    Module(usize),
    Library(usize),
}

/// When a dependency counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum DependencyScope {
    #[default]
    Compile,
    Test,
    Runtime,
    Provided,
}

/// Files under the root that come from elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    /// How what lies there is called.
    pub names: LibraryNames,
    /// Directories or files with what a program is compiled or run against.
    pub classes: Vec<RelPath>,
    /// Directories or files with its sources, for reading only.
    pub sources: Vec<RelPath>,
}

/// The name of a library, or of each of those that lie in one directory.
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
