//! The module, source root and library of every path under the root: the innermost root above it decides.
//!
//! A walk carries the region from directory to directory, so a path costs one look-up. Searching upwards for
//! the innermost root at each path would cost one for each directory above it.

use crate::module::{ContentRoot, Modules, SourceRoot, TestNames};
use crate::workspace::RelPath;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The maximum number of masks of a content root. Each is compared with each name below it.
const MASKS_MAX: usize = 100;

/// A set of source and class roots, for module scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::scope) struct Roots {
    pub sources: BTreeSet<u32>,
    /// Class roots, by the number of their library.
    pub libraries: BTreeSet<u32>,
}

/// The innermost roots around a path. Numbers rather than references, because a region is part of the key of
/// every cached verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Region {
    /// The number of the content root plus one; 0 for none.
    content: u32,
    source: u32,
    library: u32,
    /// Whether the library root contains classes rather than sources.
    pub is_classes: bool,
    pub is_excluded: bool,
    /// Whether a directory above marks its files as tests by its name.
    pub is_test_dir: bool,
}

impl Region {
    fn index(number: u32) -> Option<usize> {
        number.checked_sub(1).map(|index| index as usize)
    }

    pub(super) fn content(self) -> Option<usize> {
        Region::index(self.content)
    }

    pub(super) fn source(self) -> Option<usize> {
        Region::index(self.source)
    }

    pub(super) fn library(self) -> Option<usize> {
        Region::index(self.library)
    }
}

/// The roots that begin at a path.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    content: Option<u32>,
    /// Whether the content root is also the directory of a module that is no source set.
    is_build_project: bool,
    source: Option<u32>,
    library: Option<(u32, bool)>,
    is_excluded: bool,
}

impl Mark {
    pub(super) fn begins_content(self) -> bool {
        self.content.is_some()
    }

    /// Returns whether a content root begins here that is not that of a source set.
    pub(super) fn begins_build_project(self) -> bool {
        self.is_build_project
    }

    /// Returns whether package names begin anew here.
    pub(super) fn begins_packages(self) -> bool {
        self.source.is_some() || self.library.is_some()
    }

    pub(super) fn begins_library(self) -> bool {
        self.library.is_some()
    }
}

/// A content root of one or more modules.
#[derive(Debug, Default)]
pub(in crate::scope) struct Content {
    /// The numbers of its modules.
    pub modules: Vec<u32>,
    test_names: Vec<TestNames>,
    exclude_patterns: Vec<String>,
}

/// The modules and libraries of a tree, indexed by path.
#[derive(Debug, Default)]
pub(in crate::scope) struct Regions {
    pub modules: Modules,
    marks: HashMap<RelPath, Mark>,
    /// The directories above marks.
    above_marks: HashSet<RelPath>,
    /// The directories above content roots.
    above_contents: HashSet<RelPath>,
    pub contents: Vec<Content>,
    /// Whether a content root is that of a source set.
    pub has_source_sets: bool,
    /// Each source root with its module.
    pub sources: Vec<(u32, SourceRoot)>,
}

impl Regions {
    pub(in crate::scope) fn new(modules: Modules) -> Regions {
        let mut regions = Regions::default();
        for (index, library) in modules.libraries.iter().enumerate() {
            let roots = library.sources.iter().map(|path| (path, false));
            for (path, is_classes) in roots.chain(library.classes.iter().map(|path| (path, true))) {
                regions.mark(path).library = Some((number(index), is_classes));
            }
        }
        for (index, module) in modules.modules.iter().enumerate() {
            for root in &module.content {
                regions.add_content(number(index), root, module.test_names);
            }
        }
        regions.modules = modules;
        regions.above_marks = all_above(regions.marks.keys());
        let contents = regions.marks.iter().filter(|(_, mark)| mark.begins_content());
        regions.above_contents = all_above(contents.map(|(path, _)| path));
        regions
    }

    fn mark(&mut self, path: &RelPath) -> &mut Mark {
        self.marks.entry(path.clone()).or_default()
    }

    fn add_content(&mut self, module: u32, root: &ContentRoot, test_names: TestNames) {
        let next = number(self.contents.len());
        self.has_source_sets |= root.is_source_set;
        let mark = self.mark(&root.path);
        mark.is_build_project |= !root.is_source_set;
        let content = *mark.content.get_or_insert(next);
        if content == next {
            self.contents.push(Content::default());
        }
        let content = &mut self.contents[content as usize];
        if content.modules.last() != Some(&module) {
            content.modules.push(module);
        }
        if !content.test_names.contains(&test_names) {
            content.test_names.push(test_names);
        }
        for mask in &root.exclude_patterns {
            let masks = &mut content.exclude_patterns;
            if !masks.contains(mask) && masks.len() < MASKS_MAX {
                masks.push(mask.clone());
            }
        }
        for path in &root.excluded {
            self.mark(path).is_excluded = true;
        }
        for source in &root.sources {
            let next = number(self.sources.len());
            // If two modules share a root, the first owns it, and a scope of the other finds it as well.
            let mark = self.mark(&source.path);
            mark.source.get_or_insert(next);
            self.sources.push((module, source.clone()));
        }
    }

    /// Returns the region of the root of the tree.
    pub(super) fn of_root(&self) -> (Region, Mark) {
        self.enter(Region::default(), &RelPath::root())
    }

    /// Returns the region of `path`, whose parent directory has the region `above`, and the roots that begin
    /// there.
    pub(super) fn enter(&self, above: Region, path: &RelPath) -> (Region, Mark) {
        let mut region = above;
        let name = path.file_name();
        if self.is_excluded_name(above, name) {
            region.is_excluded = true;
        }
        if name == b"__tests__"
            && self.test_names(above).any(|names| names == TestNames::JavaScript)
        {
            region.is_test_dir = true;
        }
        let mark = self.marks.get(path).copied().unwrap_or_default();
        region.is_excluded |= mark.is_excluded;
        // At one path, content and source roots override a library root, and a source root is never excluded.
        if let Some((library, is_classes)) = mark.library {
            (region.library, region.is_classes, region.source) = (library + 1, is_classes, 0);
        }
        if let Some(content) = mark.content {
            region = Region { content: content + 1, ..Region::default() };
        }
        if let Some(source) = mark.source {
            region.source = source + 1;
            (region.library, region.is_excluded) = (0, false);
        }
        (region, mark)
    }

    /// Returns whether a root exists below `dir`.
    pub(super) fn has_marks_below(&self, dir: &RelPath) -> bool {
        self.above_marks.contains(dir)
    }

    /// Returns whether a content root exists below `dir`.
    pub(in crate::scope) fn has_content_below(&self, dir: &RelPath) -> bool {
        self.above_contents.contains(dir)
    }

    /// Returns the content root that begins at `path`.
    pub(in crate::scope) fn content_at(&self, path: &RelPath) -> Option<&Content> {
        let content = self.marks.get(path)?.content?;
        Some(&self.contents[content as usize])
    }

    /// Returns the source root that begins at `path`.
    pub(in crate::scope) fn source_at(&self, path: &RelPath) -> Option<u32> {
        self.marks.get(path)?.source
    }

    /// Returns whether names decide which files are production or tests: no module has source roots.
    pub(in crate::scope) fn decides_by_names(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns whether the tree has test roots or test names.
    pub(in crate::scope) fn has_tests(&self) -> bool {
        self.sources.iter().any(|(_, source)| source.is_test)
            || self
                .contents
                .iter()
                .any(|content| content.test_names.iter().any(|names| *names != TestNames::None))
    }

    /// Returns the name of the module that `path` belongs to; the first if there are several.
    pub(in crate::scope) fn module_at(&self, path: &RelPath) -> Option<&str> {
        let (mut region, _) = self.of_root();
        let mut here = RelPath::root();
        for name in path.components() {
            here = here.join(name);
            region = self.enter(region, &here).0;
        }
        let module = *self.contents[region.content()?].modules.first()?;
        Some(&self.modules.modules[module as usize].name)
    }

    /// Returns whether masks may exclude names in the region.
    pub(super) fn has_masks(&self, region: Region) -> bool {
        region.content().is_some_and(|content| !self.contents[content].exclude_patterns.is_empty())
    }

    /// Returns whether a mask of the content root excludes the name of a file or directory below it.
    pub(super) fn is_excluded_name(&self, region: Region, name: &[u8]) -> bool {
        region.content().is_some_and(|content| {
            let masks = &self.contents[content].exclude_patterns;
            masks.iter().any(|mask| matches_mask(mask.as_bytes(), name))
        })
    }

    fn test_names(&self, region: Region) -> impl Iterator<Item = TestNames> {
        let content = region.content().map(|content| &self.contents[content]);
        content.into_iter().flat_map(|content| content.test_names.iter().copied())
    }

    /// Returns whether the name of a file below a production root makes it a test.
    pub(super) fn is_test_name(&self, region: Region, name: &[u8]) -> bool {
        self.test_names(region).any(|names| names.is_test(name))
    }
}

/// Returns the directories above the paths.
fn all_above<'a>(paths: impl Iterator<Item = &'a RelPath>) -> HashSet<RelPath> {
    let mut all = HashSet::new();
    for path in paths {
        let mut above = path.parent();
        while let Some(dir) = above {
            above = dir.parent();
            // The directories above it were added with it.
            if !all.insert(dir) {
                break;
            }
        }
    }
    all
}

/// Returns whether `mask` matches `name`: `*` is any text, `?` any one byte or character. Only the last `*`
/// is tried again: what an earlier one could still skip, the last one can skip too. The time is at most the
/// product of both lengths, while trying all of them would be exponential.
fn matches_mask(mask: &[u8], name: &[u8]) -> bool {
    let (mut at, mut rest) = (0, 0);
    // The position of the last `*`, and how far it has matched.
    let mut star: Option<(usize, usize)> = None;
    while rest < name.len() {
        match mask.get(at) {
            Some(b'*') => {
                star = Some((at, rest));
                at += 1;
            }
            Some(b'?') => {
                at += 1;
                rest += 1;
                while name.get(rest).is_some_and(|byte| (0x80..0xC0).contains(byte)) {
                    rest += 1;
                }
            }
            Some(byte) if *byte == name[rest] => {
                at += 1;
                rest += 1;
            }
            _ => {
                let Some((star_at, reach)) = star else { return false };
                (at, rest) = (star_at + 1, reach + 1);
                star = Some((star_at, reach + 1));
            }
        }
    }
    mask[at..].iter().all(|byte| *byte == b'*')
}

/// Converts an index of a list whose length limits keep it far below `u32::MAX`.
pub(in crate::scope) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{Library, LibraryNames, Module};

    fn path(text: &str) -> RelPath {
        RelPath::from_components(text.split('/').filter(|name| !name.is_empty()).map(str::as_bytes))
    }

    fn source(at: &str, is_test: bool) -> SourceRoot {
        SourceRoot { path: path(at), is_test, ..SourceRoot::default() }
    }

    fn regions() -> Regions {
        let app = Module {
            name: "app".into(),
            content: vec![ContentRoot {
                path: path(""),
                sources: vec![source("src", false), source("src/test", true)],
                excluded: vec![path("out")],
                exclude_patterns: vec!["*.tmp".into(), "gen?".into()],
                ..ContentRoot::default()
            }],
            test_names: TestNames::JavaScript,
            ..Module::default()
        };
        let lib = Module {
            name: "lib".into(),
            content: vec![ContentRoot { path: path("out/lib"), ..ContentRoot::default() }],
            ..Module::default()
        };
        let library = Library {
            names: LibraryNames::NodeModules,
            classes: vec![path("node_modules")],
            sources: vec![path("node_modules/src")],
        };
        Regions::new(Modules {
            modules: vec![app, lib],
            libraries: vec![library],
            ..Modules::default()
        })
    }

    fn region(regions: &Regions, at: &str) -> Region {
        let (mut region, _) = regions.of_root();
        let mut here = RelPath::root();
        for name in path(at).components() {
            here = here.join(name);
            region = regions.enter(region, &here).0;
        }
        region
    }

    #[test]
    fn the_innermost_root_decides() {
        let regions = regions();
        for (at, content, source, library, is_excluded) in [
            ("a", Some(0), None, None, false),
            ("src/a", Some(0), Some(0), None, false),
            ("src/test/a", Some(0), Some(1), None, false),
            ("out/a", Some(0), None, None, true),
            ("out/lib/a", Some(1), None, None, false),
            ("node_modules/a", Some(0), None, Some(0), false),
            ("src/a.tmp/b", Some(0), Some(0), None, true),
            ("genX/b", Some(0), None, None, true),
            ("genXY/b", Some(0), None, None, false),
        ] {
            let region = region(&regions, at);
            let found = (region.content(), region.source(), region.library(), region.is_excluded);
            assert_eq!(found, (content, source, library, is_excluded), "{at}");
        }
        assert!(region(&regions, "node_modules/a").is_classes);
        assert!(!region(&regions, "node_modules/src/a").is_classes);
        assert!(region(&regions, "src/__tests__/a").is_test_dir);
        assert!(!region(&regions, "out/lib/__tests__/a").is_test_dir);
    }

    #[test]
    fn paths_above_a_root() {
        let regions = regions();
        for (dir, expected) in [
            ("", true),
            ("out", true),
            ("out/lib", false),
            ("src", true),
            ("ou", false),
            ("a", false),
        ] {
            assert_eq!(regions.has_marks_below(&path(dir)), expected, "{dir}");
        }
    }

    #[test]
    fn masks() {
        for (mask, name, expected) in [
            ("*.tmp", "a.tmp", true),
            ("*.tmp", ".tmp", true),
            ("*.tmp", "a.tmp2", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("?", "\u{fc}", true),
            ("?", "ab", false),
            ("", "", true),
            ("*", "", true),
            ("", "a", false),
        ] {
            assert_eq!(matches_mask(mask.as_bytes(), name.as_bytes()), expected, "{mask} {name}");
        }
    }
}
