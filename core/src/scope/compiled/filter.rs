//! A compiled scope, asked by the walk.
//!
//! Each thread keeps what it knows of the directories down to the one it was asked about last: their
//! regions and the states of the automata. What a combination of facts comes to is worked out once
//! and remembered, so that a file costs little more than the bytes of its name, however large the
//! program is.

use super::descent::{Descent, Level, Sets};
use super::dirs::{Dirs, Known};
use super::files::FileLists;
use super::formula::{ALL, Evaluation, Formula, Leaf, NONE, SOME, Subject, Value, number};
use super::name_filter::NameFilter;
use super::regions::{Region, Regions, Roots};
use crate::module::LibraryNames;
use crate::walk::{PathFilter, Place};
use crate::wildcard::intellij::{Bodies, Cache};
use crate::workspace::RelPath;
use fnv::FnvBuildHasher;
use parking_lot::Mutex;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// So many threads find their memory again; others wait for none, and start afresh.
const THREAD_CACHES: usize = 16;
/// More combinations of facts than this are forgotten and begun anew.
const ANSWERS_MAX: usize = 100_000;
/// Rows are longer.
const LIBRARY_ROWS_MAX: usize = 1_000;

/// A scope, compiled: says of any path under the root whether it belongs. Cheap to clone.
///
/// It holds for what the workspace was when it was resolved: modules and named scopes that change
/// later do not change it.
#[derive(Clone)]
pub struct Scope(Arc<Compiled>);

/// What a scope is made of.
pub(in crate::scope) struct Compiled {
    pub formula: Formula,
    /// The directories that leaves name.
    pub dirs: Dirs,
    /// The leaves of the bodies of each subject, and those of the lists of files.
    pub body_leaves: [Vec<u32>; 4],
    pub list_leaves: Vec<Option<u32>>,
    pub regions: Arc<Regions>,
    /// The bodies of each subject.
    pub bodies: [Bodies; 4],
    /// Which modules pass each filter.
    pub module_filters: Vec<Vec<bool>>,
    pub library_filters: Vec<NameFilter>,
    pub files: FileLists,
    /// From when on a modification is recent, in nanoseconds since 1970.
    pub recent_ns: i128,
    pub identity: u64,
    pub thread_caches: ThreadCaches,
}

/// Caches of the threads that use a scope, each in its place.
#[derive(Default)]
pub(in crate::scope) struct ThreadCaches([Mutex<Option<Box<ThreadCache>>>; THREAD_CACHES]);

thread_local! {
    /// The place of this thread.
    static PLACE: usize = {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        NEXT.fetch_add(1, Relaxed) % THREAD_CACHES
    };
}

/// A library by its number, and the name that something in it has.
type LibraryKey = (usize, Option<String>);

/// Answers of one thread so far, and its way down the tree.
struct ThreadCache {
    descent: Descent,
    evaluation: Evaluation,
    /// Rows of values that parts of the key stand for, by number.
    rows: HashMap<Vec<Known>, u32, FnvBuildHasher>,
    /// The leaves that are known by number, of the place in question.
    known: Vec<Known>,
    /// How the place in question stands to each filter of library names.
    library_values: Vec<Value>,
    /// The same of the names that came so far, by library and name, with the number of the row.
    library_rows: HashMap<LibraryKey, (u32, Vec<Value>), FnvBuildHasher>,
    files: HashMap<FileKey, Value, FnvBuildHasher>,
    dirs: HashMap<DirKey, Value, FnvBuildHasher>,
}

/// All that decides about a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FileKey {
    facts: Facts,
    placement: u32,
    recent: Value,
    is_dir: bool,
}

/// All that decides about what is below a directory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct DirKey {
    facts: Facts,
    placement: u32,
    has_marks_below: bool,
}

/// What is known of a file, or of everything below a directory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Facts {
    region: Region,
    is_ignored: bool,
    is_test: bool,
    /// How it stands to the filters of library names, by number.
    library_names: u32,
    /// The lists that it is in; or that something below is in.
    files: u32,
    /// The bodies that match, or may match something below.
    bodies: Sets,
}

impl ThreadCache {
    fn new(scope: &Compiled) -> ThreadCache {
        ThreadCache {
            descent: Descent::new(&scope.bodies),
            evaluation: Evaluation::default(),
            rows: HashMap::default(),
            known: Vec::new(),
            library_values: Vec::new(),
            library_rows: HashMap::default(),
            files: HashMap::default(),
            dirs: HashMap::default(),
        }
    }

    /// Forgets everything that hangs on the numbers of the automata.
    fn forget(&mut self) {
        self.descent.forget();
        self.rows.clear();
        self.library_rows.clear();
        self.files.clear();
        self.dirs.clear();
    }

    /// Whether the file or directory at `place` belongs.
    fn matches(&mut self, scope: &Compiled, place: &Place<'_>) -> bool {
        if self.rows.len() > ANSWERS_MAX {
            self.forget();
        }
        let path = place.path();
        let name = (!place.is_dir()).then_some(path.file_name());
        let dir_len = match name {
            Some(name) => path.as_bytes().len() - name.len(),
            None => path.as_bytes().len(),
        };
        let dir = path.as_bytes()[..dir_len].strip_suffix(b"/");
        let dir = dir.unwrap_or(&path.as_bytes()[..dir_len]);
        self.descent.enter(&scope.regions, &scope.bodies, dir);
        let level = *self.descent.level();
        if level.is_git || name == Some(b".git") {
            return false;
        }
        let mut facts = scope.facts(place, &level);
        facts.library_names = self.library_names(scope, &facts, &level, place);
        facts.bodies = match name {
            Some(name) => self.descent.accepted(&scope.bodies, name),
            None => self.descent.accepted_here(&scope.bodies),
        };
        let is_kept = !self.descent.is_stale();
        if !is_kept {
            let of = |cache: &Cache, state| cache.accepted(state);
            facts.bodies = self.descent.afresh(&scope.regions, &scope.bodies, name, of);
            if place.is_dir() {
                facts.bodies = self.descent.without_roots(facts.bodies);
            }
        }
        let placement = self.placement(scope, place, &level);
        let mut key = FileKey { facts, placement, recent: SOME, is_dir: place.is_dir() };
        let mut value = self.file_value(scope, place, key, is_kept);
        if value == SOME {
            key.recent = scope.recent(place);
            value = self.file_value(scope, place, key, is_kept);
        }
        if !is_kept {
            self.forget();
        }
        value == ALL
    }

    /// How the directories of the scope stand to a file, by number. For all files of a directory
    /// it is the same.
    fn placement(&mut self, scope: &Compiled, place: &Place<'_>, level: &Level) -> u32 {
        if let Some(placement) = level.note.filter(|_| !place.is_dir()) {
            return placement;
        }
        let mut row = Vec::new();
        if place.is_dir() {
            scope.dirs.itself(place.path(), &mut row);
            return self.number_of(row);
        }
        scope.dirs.directly(self.descent.path(), &mut row);
        let placement = self.number_of(row);
        self.descent.note(placement);
        placement
    }

    /// How a file stands to the filters of library names, by number.
    fn library_names(
        &mut self,
        scope: &Compiled,
        facts: &Facts,
        level: &Level,
        place: &Place<'_>,
    ) -> u32 {
        let (Some(library), false) = (facts.region.library(), scope.library_filters.is_empty())
        else {
            self.library_values.clear();
            self.library_values.resize(scope.library_filters.len(), NONE);
            return 0;
        };
        let name = scope.library_name(facts.region, level, place.path());
        let name_key = (library, name.as_deref().map(str::to_owned));
        if let Some((row, values)) = self.library_rows.get(&name_key) {
            self.library_values.clone_from(values);
            return *row;
        }
        let passes = |filter: &NameFilter| match &name {
            Some(name) if filter.matches_library(name) => ALL,
            _ => NONE,
        };
        self.library_values.clear();
        self.library_values.extend(scope.library_filters.iter().map(passes));
        let row = self.number_of_library_values();
        if self.library_rows.len() < LIBRARY_ROWS_MAX {
            self.library_rows.insert(name_key, (row, self.library_values.clone()));
        }
        row
    }

    /// As [`ThreadCache::library_names`], of everything below a directory.
    fn library_names_below(
        &mut self,
        scope: &Compiled,
        facts: &Facts,
        level: &Level,
        place: &Place<'_>,
    ) -> u32 {
        let library = facts.region.library().map(|at| &scope.regions.modules.libraries[at].names);
        let below = level.below(Subject::Library, place.path());
        let is_open = match library {
            _ if level.has_marks_below => true,
            None | Some(LibraryNames::One(_)) => false,
            // Packages have their own `node_modules`, in which other names hold.
            Some(LibraryNames::NodeModules) => true,
            Some(LibraryNames::Entries) => below.is_empty(),
            Some(LibraryNames::GoVendor(_)) => true,
        };
        if !is_open {
            return self.library_names(scope, facts, level, place);
        }
        self.library_values.clear();
        self.library_values.resize(scope.library_filters.len(), SOME);
        self.number_of_library_values()
    }

    fn number_of_library_values(&mut self) -> u32 {
        let values = (0..).zip(self.library_values.iter().copied());
        let row = values.filter(|(_, value)| *value != NONE).collect();
        self.number_of(row)
    }

    /// The number of a row, the same for the same row.
    fn number_of(&mut self, row: Vec<Known>) -> u32 {
        if row.is_empty() {
            return 0;
        }
        // The first is that of the empty row.
        let next = number(self.rows.len()) + 1;
        *self.rows.entry(row).or_insert(next)
    }

    /// What the facts of a file come to, from memory where it `is_kept`.
    fn file_value(
        &mut self,
        scope: &Compiled,
        place: &Place<'_>,
        key: FileKey,
        is_kept: bool,
    ) -> Value {
        if is_kept && let Some(value) = self.files.get(&key) {
            return *value;
        }
        let facts = &key.facts;
        self.known.clear();
        match place.is_dir() {
            true => scope.dirs.itself(place.path(), &mut self.known),
            false => scope.dirs.directly(self.descent.path(), &mut self.known),
        }
        let lists = scope.files.lists(facts.files).iter();
        let lists = lists.filter_map(|list| Some((scope.list_leaves[*list as usize]?, ALL)));
        let bodies = scope.body_leaves(&self.descent, &facts.bodies).map(|leaf| (leaf, ALL));
        let known = self.known.iter().copied().chain(lists).chain(bodies);
        let library_values = &self.library_values;
        let value = scope.formula.value(&mut self.evaluation, known, &mut |leaf| match leaf {
            Leaf::Recent => key.recent,
            Leaf::LibraryName(filter) => library_values[*filter as usize],
            leaf if scope.holds(leaf, facts) => ALL,
            _ => NONE,
        });
        if self.files.len() >= ANSWERS_MAX {
            self.files.clear();
        }
        if is_kept {
            self.files.insert(key, value);
        }
        value
    }

    /// Whether files below the directory at `place` may belong.
    fn visit(&mut self, scope: &Compiled, place: &Place<'_>) -> bool {
        if self.rows.len() > ANSWERS_MAX {
            self.forget();
        }
        let dir = place.path().as_bytes();
        self.descent.enter(&scope.regions, &scope.bodies, dir);
        let level = *self.descent.level();
        if level.is_git {
            return false;
        }
        let mut facts = scope.facts(place, &level);
        facts.library_names = self.library_names_below(scope, &facts, &level, place);
        facts.bodies = self.descent.alive(&scope.bodies);
        let is_kept = !self.descent.is_stale();
        if !is_kept {
            let of = |cache: &Cache, state| cache.alive(state);
            facts.bodies = self.descent.afresh(&scope.regions, &scope.bodies, None, of);
        }
        let path = place.path();
        let mut row = Vec::new();
        scope.dirs.below(path, &mut row);
        let lists = scope.files.below(path).into_iter();
        row.extend(lists.filter_map(|list| Some((scope.list_leaves[list as usize]?, SOME))));
        self.known.clone_from(&row);
        let placement = self.number_of(row);
        let key = DirKey { facts, placement, has_marks_below: level.has_marks_below };
        let known = if is_kept { self.dirs.get(&key).copied() } else { None };
        let value = known.unwrap_or_else(|| self.dir_value(scope, &key));
        if is_kept && self.dirs.len() < ANSWERS_MAX {
            self.dirs.insert(key, value);
        }
        if !is_kept {
            self.forget();
        }
        value != NONE
    }

    /// What is known of the files below a directory, given what is known by number but for bodies.
    fn dir_value(&mut self, scope: &Compiled, key: &DirKey) -> Value {
        // With roots below, what is read so far says nothing of paths that begin anew there.
        let restarts = Subject::ALL
            .into_iter()
            .filter(|subject| key.has_marks_below && *subject != Subject::Project);
        let restarts = restarts.flat_map(|subject| &scope.body_leaves[subject as usize]);
        let bodies = scope.body_leaves(&self.descent, &key.facts.bodies).chain(restarts.copied());
        let known = self.known.iter().copied().chain(bodies.map(|leaf| (leaf, SOME)));
        let library_values = &self.library_values;
        scope.formula.value(&mut self.evaluation, known, &mut |leaf| match leaf {
            Leaf::Recent => SOME,
            Leaf::LibraryName(filter) => library_values[*filter as usize],
            leaf => scope.holds_below(leaf, key),
        })
    }
}

impl Compiled {
    /// What is known of a place without the automata.
    fn facts(&self, place: &Place<'_>, level: &Level) -> Facts {
        let (path, name) = (place.path(), place.path().file_name());
        let mut region = level.region;
        if !place.is_dir() && (level.has_marks_below || self.regions.has_masks(region)) {
            // A single file may be a root, or be left out by its name.
            region = self.regions.enter(region, path).0;
        }
        Facts {
            region,
            is_ignored: place.is_ignored(),
            is_test: region.is_test_dir || self.regions.is_test_name(region, name),
            library_names: 0,
            files: self.files.set_of(path),
            bodies: [None; 4],
        }
    }

    /// The name of the library that a place in `region` belongs to.
    fn library_name(&self, region: Region, level: &Level, path: &RelPath) -> Option<Cow<'_, str>> {
        let library = &self.regions.modules.libraries[region.library()?];
        // Only borrowed from the path where the names of files are those of libraries.
        let name = library.names.of(level.below(Subject::Library, path))?;
        Some(Cow::Owned(name.into_owned()))
    }

    fn recent(&self, place: &Place<'_>) -> Value {
        let is_recent = place.modified_ns().is_some_and(|modified| modified >= self.recent_ns);
        if is_recent { ALL } else { NONE }
    }

    /// Whether a fact holds that follows from what is known of a file.
    fn holds(&self, leaf: &Leaf, facts: &Facts) -> bool {
        let region = facts.region;
        let is_library = region.library().is_some();
        let is_project = !is_library && !region.is_excluded && !facts.is_ignored;
        let source =
            region.source().filter(|_| is_project).map(|source| &self.regions.sources[source].1);
        match leaf {
            Leaf::Project => is_project,
            Leaf::Library => is_library,
            Leaf::Test => source.is_some_and(|source| source.is_test || facts.is_test),
            Leaf::Production => source.is_some_and(|source| !source.is_test && !facts.is_test),
            Leaf::Source => source.is_some(),
            Leaf::Generated => source.is_some_and(|source| source.is_generated),
            Leaf::Roots(roots) => self.is_in(roots, facts, is_project),
            Leaf::Module(filter) => self.passes(*filter, region),
            // These are known by number, or by whoever asks.
            Leaf::Dir { .. } | Leaf::Files(_) | Leaf::Body(..) => false,
            Leaf::Recent | Leaf::LibraryName(_) => false,
        }
    }

    /// What is known of a fact for all files below a directory.
    fn holds_below(&self, leaf: &Leaf, key: &DirKey) -> Value {
        let (facts, region, is_mixed) = (&key.facts, key.facts.region, key.has_marks_below);
        let is_library = region.library().is_some();
        let may_be_project = !facts.is_ignored && (is_mixed || !is_library && !region.is_excluded);
        let source = region.source().map(|source| &self.regions.sources[source].1);
        let may = |holds: bool| if holds { SOME } else { NONE };
        match leaf {
            Leaf::Project => may(may_be_project),
            Leaf::Library if is_library && !is_mixed => ALL,
            Leaf::Library => may(is_mixed),
            Leaf::Source | Leaf::Test | Leaf::Production | Leaf::Generated if !may_be_project => {
                NONE
            }
            Leaf::Source | Leaf::Test => may(is_mixed || source.is_some()),
            Leaf::Production => may(is_mixed || source.is_some_and(|source| !source.is_test)),
            Leaf::Generated => may(is_mixed || source.is_some_and(|source| source.is_generated)),
            Leaf::Roots(roots) => may(is_mixed || self.is_in(roots, facts, may_be_project)),
            Leaf::Module(_) if is_mixed => SOME,
            Leaf::Module(filter) if self.passes(*filter, region) => ALL,
            Leaf::Module(_) => NONE,
            Leaf::Dir { .. } | Leaf::Files(_) | Leaf::Body(..) => SOME,
            Leaf::Recent | Leaf::LibraryName(_) => SOME,
        }
    }

    /// The leaves of the bodies in some sets.
    fn body_leaves<'a>(
        &'a self,
        descent: &'a Descent,
        sets: &'a Sets,
    ) -> impl Iterator<Item = u32> + 'a {
        Subject::ALL.into_iter().flat_map(move |subject| {
            let leaves = &self.body_leaves[subject as usize];
            descent.ids(subject, sets).iter().map(|body| leaves[*body as usize])
        })
    }

    /// Whether the innermost root of a place is one of `roots`.
    fn is_in(&self, roots: &Roots, facts: &Facts, is_project: bool) -> bool {
        let has = |set: &BTreeSet<u32>, index: Option<usize>| {
            index.is_some_and(|index| set.contains(&number(index)))
        };
        let region = facts.region;
        (is_project && has(&roots.sources, region.source()))
            || (region.is_classes && has(&roots.libraries, region.library()))
    }

    fn passes(&self, filter: u32, region: Region) -> bool {
        let modules = region.content().map(|content| &self.regions.contents[content].modules);
        let filter = &self.module_filters[filter as usize];
        modules.is_some_and(|modules| modules.iter().any(|module| filter[*module as usize]))
    }
}

impl Scope {
    pub(in crate::scope) fn new(compiled: Compiled) -> Scope {
        Scope(Arc::new(compiled))
    }

    fn ask<R>(&self, question: impl FnOnce(&mut ThreadCache, &Compiled) -> R) -> R {
        let scope = &*self.0;
        let place = &scope.thread_caches.0[PLACE.with(|place| *place)];
        let Some(mut cache) = place.try_lock() else {
            return question(&mut ThreadCache::new(scope), scope);
        };
        let cache = cache.get_or_insert_with(|| Box::new(ThreadCache::new(scope)));
        question(cache, scope)
    }
}

impl PathFilter for Scope {
    fn matches(&self, place: &Place<'_>) -> bool {
        self.ask(|cache, scope| cache.matches(scope, place))
    }

    fn visit(&self, dir: &Place<'_>) -> bool {
        self.ask(|cache, scope| cache.visit(scope, dir))
    }

    fn judges_ignored(&self) -> bool {
        true
    }

    fn judges_hidden(&self) -> bool {
        true
    }

    fn identity(&self) -> Option<u64> {
        Some(self.0.identity)
    }
}

impl std::fmt::Debug for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scope").field("identity", &self.0.identity).finish_non_exhaustive()
    }
}
