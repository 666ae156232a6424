//! Internals for the fuzz targets that the API does not expose: a few functions over plain values.
//!
//! The targets in `tests/fuzz_targets` are its only users. It needs the feature `fuzzing`, and changes
//! without notice.
#![doc(hidden)]
#![expect(clippy::exhaustive_structs, clippy::exhaustive_enums, reason = "only tests read them")]

use crate::index::Index;
use crate::scope::language::{Op, PackageSet, parse};
use crate::search::build_half;
use crate::walk::FileFilter;
use crate::wildcard::intellij::{Bodies, Cache, Separator};
use crate::wildcard::{IgnoreLines, Verdict};
use crate::{FileOptions, Place, RelPath, Result, Workspace};
use std::fmt;
use std::ops::Range;

/// Makes the index of a workspace behave as if file events had been lost: it compares stamps.
pub fn lose_events(workspace: &Workspace) {
    if let Some(index) = Index::of(workspace) {
        index.lose_events();
    }
}

/// Builds the index of every second directory of a workspace.
///
/// # Errors
///
/// Those of [`Workspace::warm`].
pub fn warm_half(workspace: &Workspace) -> Result<()> {
    build_half(workspace)
}

/// Returns the path of `names`, each of which must be a plain name.
pub fn rel_path<'a>(names: impl IntoIterator<Item = &'a [u8]>) -> RelPath {
    RelPath::from_components(names)
}

/// Returns a place as a walk would offer it; its status is not known.
pub fn place(path: &RelPath, is_dir: bool, is_ignored: bool) -> Place<'_> {
    Place { path, is_dir, is_ignored, stat: &|| None }
}

/// Names and globs of a request, compiled.
pub struct FileNames(FileFilter);

impl fmt::Debug for FileNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileNames").finish_non_exhaustive()
    }
}

impl FileNames {
    /// Compiles the part of `options` that concerns names.
    ///
    /// # Errors
    ///
    /// `invalid_param` and `pattern_syntax`, with the parameter.
    pub fn new(workspace: &Workspace, options: &FileOptions) -> Result<FileNames> {
        FileFilter::new(workspace, options).map(FileNames)
    }

    /// Returns whether a walk that has reached `path` takes it.
    pub fn matches(&self, path: &RelPath) -> bool {
        self.0.matches_names(path)
    }

    /// Returns whether `path` is taken if no walk has passed the directories above it.
    pub fn matches_with_parents(&self, path: &RelPath) -> bool {
        self.0.matches_names_with_parents(path)
    }
}

/// The lines of one ignore file.
#[derive(Debug)]
pub struct IgnoreFile {
    lines: Option<IgnoreLines>,
    /// The numbers of the lines that are reported and skipped, from 1.
    pub problem_lines: Vec<u64>,
}

impl IgnoreFile {
    /// Reads the text of an ignore file.
    pub fn parse(text: &[u8]) -> IgnoreFile {
        let (lines, problems) = IgnoreLines::parse(text, &mut || true);
        IgnoreFile { lines, problem_lines: problems.iter().map(|problem| problem.line).collect() }
    }

    /// Returns whether the last line that matches `path` or a directory above it ignores it; `None` if no
    /// line matches.
    pub fn is_ignored(&self, path: &[u8], is_dir: bool) -> Option<bool> {
        match self.lines.as_ref()?.verdict_with_parents(path, is_dir) {
            Verdict::None => None,
            Verdict::Include => Some(false),
            Verdict::Ignore => Some(true),
        }
    }
}

/// A parsed pattern of scopes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopePattern {
    /// Its normal form.
    pub text: String,
    /// Its steps, operands before their operators.
    pub ops: Vec<PatternOp>,
}

/// One step of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternOp {
    /// A leaf or a reference, by its text.
    Leaf(String),
    /// Takes one operand.
    Not,
    /// Takes this number of operands.
    And(usize),
    /// Takes this number of operands.
    Or(usize),
}

/// The mistake for which a text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternMistake {
    /// The start of the mistake, in UTF-16 units from 1.
    pub position: usize,
    /// The token that does not fit, in bytes.
    pub span: Range<usize>,
    /// The message of the error.
    pub message: String,
    /// A correction.
    pub hint: Option<String>,
}

/// Parses a pattern of scopes.
///
/// # Errors
///
/// The first mistake of the text.
pub fn parse_pattern(text: &str) -> std::result::Result<ScopePattern, PatternMistake> {
    let set: PackageSet = parse(text).map_err(|error| PatternMistake {
        position: error.position,
        message: error.message(),
        span: error.span,
        hint: error.hint,
    })?;
    let op = |op: &Op| match op {
        Op::Leaf(leaf) => PatternOp::Leaf(leaf.text()),
        Op::Ref(name) => PatternOp::Leaf(format!("${name}")),
        Op::Not => PatternOp::Not,
        Op::And(n) => PatternOp::And(*n as usize),
        Op::Or(n) => PatternOp::Or(*n as usize),
    };
    Ok(ScopePattern { text: set.text(), ops: set.ops().iter().map(op).collect() })
}

/// The automaton of the bodies of patterns.
#[derive(Debug)]
pub struct PatternBodies {
    bodies: Bodies,
    cache: Cache,
}

/// The states of an automaton along one path; bodies are counted from 0.
#[derive(Debug, Default)]
pub struct BodyStates {
    /// Before each name, the bodies that may still match.
    pub alive: Vec<Vec<u32>>,
    /// Before each name, whether no body may still match.
    pub is_dead: Vec<bool>,
    /// At the end, the bodies that match.
    pub accepted: Vec<u32>,
}

impl PatternBodies {
    /// Compiles bodies of paths, or of class names if `of_classes`; `None` if they exceed a limit.
    pub fn new(of_classes: bool, bodies: &[&str]) -> Option<PatternBodies> {
        let separator = if of_classes { Separator::Dot } else { Separator::Slash };
        let bodies = Bodies::new(separator, bodies).ok()?;
        let cache = bodies.cache();
        Some(PatternBodies { bodies, cache })
    }

    /// Steps through `names`, as a walk does.
    pub fn states<'a>(&mut self, names: impl IntoIterator<Item = &'a [u8]>) -> BodyStates {
        let cache = &mut self.cache;
        let mut states = BodyStates::default();
        let mut state = self.bodies.start(cache);
        for name in names {
            states.alive.push(cache.ids(cache.alive(state)).to_vec());
            states.is_dead.push(cache.is_dead(state));
            state = self.bodies.step(cache, state, name);
        }
        states.accepted = cache.ids(cache.accepted(state)).to_vec();
        states
    }
}

/// The readers of XML and of modules.
#[cfg(feature = "modules")]
pub mod modules {
    use crate::budget::Budget;
    use crate::module::{DependsOn, Library, Module, Modules, xml};
    use crate::{Call, RelPath, Workspace};

    /// Parses XML and returns the bytes of each element's name and text, from the outermost one; at most
    /// `elements_max`.
    ///
    /// # Errors
    ///
    /// The reason why it is not XML.
    pub fn xml_elements(
        text: &[u8],
        elements_max: usize,
    ) -> std::result::Result<Vec<usize>, String> {
        let document = xml::parse(text)?;
        let (mut open, mut sizes) = (vec![document.root()], Vec::new());
        while let Some(element) = open.pop().filter(|_| sizes.len() < elements_max) {
            sizes.push(element.name().len() + element.text().len());
            open.extend(element.children());
        }
        Ok(sizes)
    }

    /// The modules of a tree, as far as a target checks them.
    #[derive(Debug)]
    pub struct TreeModules {
        /// Each module.
        pub modules: Vec<TreeModule>,
        /// The places of each library.
        pub libraries: Vec<Vec<RelPath>>,
        /// The problems in the files that describe modules.
        pub problems: Vec<String>,
        /// The debug text of all modules, to compare two readings.
        pub debug: String,
    }

    /// One module.
    #[derive(Debug)]
    pub struct TreeModule {
        /// Its name.
        pub name: String,
        /// The content roots, each with its source roots and excluded directories.
        pub content: Vec<(RelPath, Vec<RelPath>)>,
        /// The indices of the modules that it depends on.
        pub module_dependencies: Vec<usize>,
        /// The indices of the libraries that it depends on.
        pub library_dependencies: Vec<usize>,
    }

    /// Discovers the modules of a workspace; `None` if the call ended first.
    pub fn discover_modules(workspace: &Workspace, call: &Call) -> Option<TreeModules> {
        let found = Modules::discover(workspace, &Budget::of(call)).ok()?;
        let debug = format!("{found:?}");
        let module = |module: &Module| {
            let content = module.content.iter().map(|content| {
                let sources = content.sources.iter().map(|source| source.path.clone());
                (content.path.clone(), sources.chain(content.excluded.iter().cloned()).collect())
            });
            let on = module.dependencies.iter().map(|dependency| dependency.on);
            TreeModule {
                name: module.name.clone(),
                content: content.collect(),
                module_dependencies: on.clone().filter_map(module_index).collect(),
                library_dependencies: on.filter_map(library_index).collect(),
            }
        };
        let places =
            |library: &Library| library.classes.iter().chain(&library.sources).cloned().collect();
        Some(TreeModules {
            modules: found.modules.iter().map(module).collect(),
            libraries: found.libraries.iter().map(places).collect(),
            problems: found.problems,
            debug,
        })
    }

    fn module_index(on: DependsOn) -> Option<usize> {
        if let DependsOn::Module(index) = on { Some(index) } else { None }
    }

    fn library_index(on: DependsOn) -> Option<usize> {
        if let DependsOn::Library(index) = on { Some(index) } else { None }
    }
}

/// Git's formats, read from bytes; a result is `None` if the engine refuses them.
#[cfg(feature = "git")]
pub mod git {
    use crate::git::fuzzing;

    /// Returns the paths and stages of an index, which may be split.
    pub fn index(
        bytes: &[u8],
        shared: Option<&[u8]>,
        is_sha256: bool,
    ) -> Option<Vec<(Vec<u8>, u8)>> {
        fuzzing::index(bytes, shared, is_sha256)
    }

    /// Returns the sizes of the first 64 objects of a pack; `None` for an object that is refused.
    pub fn pack(idx: &[u8], pack: &[u8], is_sha256: bool) -> Option<Vec<Option<usize>>> {
        fuzzing::pack(idx, pack, is_sha256)
    }

    /// Applies a delta to its base.
    pub fn delta(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
        fuzzing::delta(base, delta)
    }

    /// Reads an object of any kind; returns the names in it if it is a tree.
    pub fn objects(bytes: &[u8], is_sha256: bool) -> Vec<Vec<u8>> {
        fuzzing::objects(bytes, is_sha256)
    }

    /// Reads a configuration, and the attributes of a path from the same text.
    pub fn texts(bytes: &[u8], path: &[u8]) {
        fuzzing::texts(bytes, path);
    }
}
