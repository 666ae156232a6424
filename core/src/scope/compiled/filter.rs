//! A compiled scope, queried by the walk.
//!
//! Each thread keeps the regions and automaton states of the directories down to the one it queried last. The
//! formula is evaluated once for each combination of facts and the value is cached, so a file costs little
//! more than stepping through the bytes of its name, however large the program is.
//!
//! The key of the cache is the combination of facts rather than the path: a walk queries each path once, but
//! thousands of files share one combination. A fact that differs from file to file, the modification time, is
//! therefore read only if the value depends on it.

use super::descent::{Descent, Level, Sets};
use super::dirs::{Dirs, Known};
use super::files::FileLists;
use super::formula::{ALL, Evaluation, Formula, Leaf, NONE, SOME, Subject, Value};
use super::name_filter::NameFilter;
use super::regions::{Region, Regions, Roots, number};
use crate::module::LibraryNames;
use crate::walk::Role;
use crate::walk::{PathFilter, Place};
use crate::wildcard::intellij::{Bodies, Cache};
use crate::workspace::RelPath;
use fnv::FnvBuildHasher;
use parking_lot::Mutex;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The number of cache slots. A thread whose slot is taken does not wait: it starts with an empty cache.
const THREAD_CACHES: usize = 16;
/// The caches are cleared when they exceed this number of combinations.
const ANSWERS_MAX: usize = 100_000;
/// A lower limit for library rows, which are longer.
const LIBRARY_ROWS_MAX: usize = 1_000;

/// A compiled scope: decides for any path under the root whether it belongs. Cheap to clone.
///
/// A scope reflects the workspace at the time of resolution. Later changes of modules and named scopes do not
/// affect it.
#[derive(Clone)]
pub struct Scope(Arc<Compiled>);

/// The parts of a compiled scope.
pub(in crate::scope) struct Compiled {
    pub formula: Formula,
    /// The directories that leaves name.
    pub dirs: Dirs,
    /// The leaves of each subject's bodies, and of the file lists.
    pub body_leaves: [Vec<u32>; Subject::COUNT],
    pub list_leaves: Vec<Option<u32>>,
    pub regions: Arc<Regions>,
    /// Whether the formula needs roles by names.
    pub uses_roles: bool,
    /// The bodies of each subject.
    pub bodies: [Bodies; Subject::COUNT],
    /// For each filter, the modules that pass it.
    pub module_filters: Vec<Vec<bool>>,
    pub library_filters: Vec<NameFilter>,
    pub files: FileLists,
    /// The earliest modification that counts as recent, in nanoseconds since 1970.
    pub recent_ns: i128,
    pub identity: u64,
    pub thread_caches: ThreadCaches,
}

/// Caches of the threads that use a scope, one per slot. They belong to the scope rather than to the threads,
/// because a thread-local cache would outlive its scope.
#[derive(Default)]
pub(in crate::scope) struct ThreadCaches([Mutex<Option<Box<ThreadCache>>>; THREAD_CACHES]);

thread_local! {
    /// The slot of this thread.
    static PLACE: usize = {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        NEXT.fetch_add(1, Relaxed) % THREAD_CACHES
    };
}

/// A library number and the library name of a file in it.
type LibraryKey = (usize, Option<String>);

/// Cached answers of one thread and its position in the tree.
struct ThreadCache {
    descent: Descent,
    evaluation: Evaluation,
    /// Rows of leaf values, with the numbers that represent them in keys. The other caches contain these
    /// numbers, so they are never cleared alone.
    rows: HashMap<Vec<Known>, u32, FnvBuildHasher>,
    /// The numbered leaves of the current path.
    known: Vec<Known>,
    /// The verdict of each library name filter on the current path.
    library_values: Vec<Value>,
    /// The verdicts for names seen so far, by library and name, with the row number.
    library_rows: HashMap<LibraryKey, (u32, Vec<Value>), FnvBuildHasher>,
    files: HashMap<FileKey, Value, FnvBuildHasher>,
    dirs: HashMap<DirKey, Value, FnvBuildHasher>,
}

/// All facts that decide about a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FileKey {
    facts: Facts,
    placement: u32,
    recent: Value,
    is_dir: bool,
}

/// All facts that decide about the files below a directory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct DirKey {
    facts: Facts,
    placement: u32,
    has_marks_below: bool,
}

/// The facts about a file, or about everything below a directory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Facts {
    region: Region,
    is_ignored: bool,
    is_test: bool,
    /// The role by names, where no module decides.
    role: Option<Role>,
    /// The row number of the verdicts of the library name filters.
    library_names: u32,
    /// The lists that contain the file, or a file below the directory.
    files: u32,
    /// The bodies that match the file, or may match a file below the directory.
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

    /// Drops everything that depends on automaton states.
    fn forget(&mut self) {
        self.descent.forget();
        self.rows.clear();
        self.library_rows.clear();
        self.files.clear();
        self.dirs.clear();
    }

    /// Returns whether the file or directory at `place` belongs. If a cache of an automaton overflows on the
    /// way, the answer is not cached: the id of a set would mean another set in the next generation.
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
        // `SOME` means that the answer depends on the modification time. It is read only now, because it may
        // cost a stat.
        if value == SOME {
            key.recent = scope.recent(place);
            value = self.file_value(scope, place, key, is_kept);
        }
        if !is_kept {
            self.forget();
        }
        value == ALL
    }

    /// Returns the row number of the directory leaves that contain a file. All files of a directory share it,
    /// so it is noted at the level.
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

    /// Returns the row number of a file's library name verdicts.
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

    /// Like [`ThreadCache::library_names`], for everything below a directory.
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
            // Packages have their own `node_modules`, where other names apply.
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

    /// Returns the number of a row; equal rows have equal numbers.
    fn number_of(&mut self, row: Vec<Known>) -> u32 {
        if row.is_empty() {
            return 0;
        }
        // Zero is the empty row.
        let next = number(self.rows.len()) + 1;
        *self.rows.entry(row).or_insert(next)
    }

    /// Returns the value of a file's facts, cached if `is_kept`.
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

    /// Returns whether files below the directory at `place` may belong.
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

    /// Returns the value for the files below a directory.
    fn dir_value(&mut self, scope: &Compiled, key: &DirKey) -> Value {
        // Paths begin anew at roots further down, so any body may match there.
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
    /// Returns the facts that do not need the automata.
    fn facts(&self, place: &Place<'_>, level: &Level) -> Facts {
        let (path, name) = (place.path(), place.path().file_name());
        let mut region = level.region;
        if !place.is_dir() && (level.has_marks_below || self.regions.has_masks(region)) {
            // A single file may be a root, or be excluded by its name.
            region = self.regions.enter(region, path).0;
        }
        Facts {
            region,
            is_ignored: place.is_ignored(),
            is_test: region.is_test_dir || self.regions.is_test_name(region, name),
            role: self.role(place),
            library_names: 0,
            files: self.files.set_of(path),
            bodies: [None; Subject::COUNT],
        }
    }

    /// Returns the library name of a path in `region`.
    fn library_name(&self, region: Region, level: &Level, path: &RelPath) -> Option<Cow<'_, str>> {
        let library = &self.regions.modules.libraries[region.library()?];
        // Borrows from the path only where libraries are named after files.
        let name = library.names.of(level.below(Subject::Library, path))?;
        Some(Cow::Owned(name.into_owned()))
    }

    /// Returns the role of a file, or of the files in a directory, if names decide.
    fn role(&self, place: &Place<'_>) -> Option<Role> {
        if !self.uses_roles {
            return None;
        }
        let path = place.path().display();
        Some(if place.is_dir() { Role::of(&format!("{path}/")) } else { Role::of(&path) })
    }

    fn recent(&self, place: &Place<'_>) -> Value {
        let is_recent = place.modified_ns().is_some_and(|modified| modified >= self.recent_ns);
        if is_recent { ALL } else { NONE }
    }

    /// Returns whether a leaf holds for a file, given its facts.
    fn holds(&self, leaf: &Leaf, facts: &Facts) -> bool {
        let region = facts.region;
        let is_library = region.library().is_some();
        let is_project = !is_library && !region.is_excluded && !facts.is_ignored;
        let source =
            region.source().filter(|_| is_project).map(|source| &self.regions.sources[source].1);
        match leaf {
            Leaf::Project => is_project,
            Leaf::Library => is_library,
            Leaf::Test | Leaf::Production if facts.role.is_some() => {
                let wanted = if *leaf == Leaf::Test { Role::Tests } else { Role::Production };
                is_project && facts.role == Some(wanted)
            }
            Leaf::Test => source.is_some_and(|source| source.is_test || facts.is_test),
            Leaf::Production => source.is_some_and(|source| !source.is_test && !facts.is_test),
            Leaf::Source => source.is_some(),
            Leaf::Generated => source.is_some_and(|source| source.is_generated),
            Leaf::Roots(roots) => self.is_in(roots, facts, is_project),
            Leaf::Module(filter) => self.passes(*filter, region),
            // Numbered leaves and those that the caller evaluates.
            Leaf::Dir { .. } | Leaf::Files(_) | Leaf::Body(..) => false,
            Leaf::Recent | Leaf::LibraryName(_) => false,
        }
    }

    /// Returns the value of a leaf for all files below a directory. In doubt it is `SOME`: a directory that
    /// is entered in vain costs time, one that is pruned wrongly loses files.
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
            Leaf::Test | Leaf::Production if facts.role.is_some() => SOME,
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

    /// Returns the leaves of the bodies in `sets`.
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

    /// Returns whether the innermost root around a path is one of `roots`.
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

    // A library below `node_modules` is ignored and still part of a scope of libraries, so the walk passes
    // the verdict of the ignore files on instead of applying it.
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
