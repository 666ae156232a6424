//! The path from the root down to a directory, kept between queries: regions and automaton states.
//!
//! A walk queries neighbouring paths, so the states after each directory on the way are kept as a stack and a
//! query steps only through the names that are new. A state id is valid only for one generation of its
//! automaton's cache: when the cache overflows, it drops its states, and every level is stale. Callers then
//! compute one answer with [`Descent::afresh`] and call [`Descent::forget`].

use super::formula::Subject;
use super::regions::{Mark, Region, Regions};
use crate::wildcard::intellij::{Bodies, Cache, SetId, StateId};
use crate::workspace::RelPath;

/// The set of matching bodies for each subject; `None` is the empty set.
pub(super) type Sets = [Option<SetId>; Subject::COUNT];

/// The facts about one directory.
#[derive(Clone, Copy)]
pub(super) struct Level {
    path_len: usize,
    pub region: Region,
    pub mark: Mark,
    /// Whether the directory is `.git` or inside one. No scope contains it.
    pub is_git: bool,
    pub has_marks_below: bool,
    /// The states after the directory and its trailing `/`, where they are still known.
    states: [Option<StateId>; Subject::COUNT],
    /// The offset in the directory's path at which each subject's path begins.
    starts: [usize; Subject::COUNT],
    /// A value that the owner of the levels attaches to the directory.
    pub note: Option<u32>,
}

impl Level {
    /// Returns the part of `path` that `subject` matches. `path` is the directory or inside it.
    pub(super) fn below<'a>(&self, subject: Subject, path: &'a RelPath) -> &'a [u8] {
        path.as_bytes().get(self.starts[subject as usize]..).unwrap_or_default()
    }
}

/// The levels from the root down to one directory.
pub(super) struct Descent {
    caches: [Cache; Subject::COUNT],
    generations: [u64; Subject::COUNT],
    path: RelPath,
    levels: Vec<Level>,
}

impl Descent {
    pub(in crate::scope) fn new(bodies: &[Bodies; Subject::COUNT]) -> Descent {
        let caches = std::array::from_fn(|at| bodies[at].cache());
        let mut descent = Descent {
            caches,
            generations: [0; Subject::COUNT],
            path: RelPath::root(),
            levels: Vec::new(),
        };
        descent.forget();
        descent
    }

    /// Returns whether a cache has dropped the states that the levels refer to.
    pub(super) fn is_stale(&self) -> bool {
        self.caches.iter().zip(self.generations).any(|(cache, known)| cache.generation() != known)
    }

    /// Drops all levels and adopts the current generations.
    pub(super) fn forget(&mut self) {
        self.generations = std::array::from_fn(|at| self.caches[at].generation());
        self.levels.clear();
    }

    /// Moves to the directory `dir`, keeping the levels that both paths share.
    pub(super) fn enter(
        &mut self,
        regions: &Regions,
        bodies: &[Bodies; Subject::COUNT],
        dir: &[u8],
    ) {
        while self.levels.last().is_some_and(|level| !is_prefix(&self.path, level.path_len, dir)) {
            self.levels.pop();
        }
        let mut done = match self.levels.last() {
            Some(level) => level.path_len,
            None => {
                self.path = RelPath::root();
                self.push(regions, bodies, None);
                0
            }
        };
        while done < dir.len() {
            let start = if done == 0 { 0 } else { done + 1 };
            done = memchr::memchr(b'/', &dir[start..]).map_or(dir.len(), |len| start + len);
            self.path = RelPath::of_bytes(&dir[..done]);
            self.push(regions, bodies, Some(start));
        }
        self.path = RelPath::of_bytes(dir);
    }

    /// Pushes a level for the directory `self.path`, whose name begins at `name_start`.
    fn push(
        &mut self,
        regions: &Regions,
        bodies: &[Bodies; Subject::COUNT],
        name_start: Option<usize>,
    ) {
        let path_len = self.path.as_bytes().len();
        let behind = if path_len == 0 { 0 } else { path_len + 1 };
        let (region, mark) = match self.levels.last() {
            Some(above) => regions.enter(above.region, &self.path),
            None => regions.of_root(),
        };
        let above = self.levels.last().copied();
        let name = name_start.map_or(&b""[..], |start| &self.path.as_bytes()[start..]);
        let mut level = Level {
            path_len,
            region,
            mark,
            is_git: above.is_some_and(|above| above.is_git) || name == b".git",
            has_marks_below: regions.has_marks_below(&self.path),
            states: [None; Subject::COUNT],
            starts: [behind; Subject::COUNT],
            note: None,
        };
        for subject in Subject::ALL {
            let at = subject as usize;
            // Content, library and class paths begin anew at their roots: a state carried over such a root
            // would compare a pattern with names that are not part of its subject.
            let begins = match subject {
                Subject::Content => mark.begins_content(),
                Subject::BuildProject => mark.begins_build_project(),
                Subject::Library => mark.begins_library(),
                Subject::Class => mark.begins_packages(),
                Subject::Project => false,
            };
            let above = above.filter(|_| !begins);
            level.starts[at] = above.map_or(behind, |above| above.starts[at]);
            let (bodies, cache) = (&bodies[at], &mut self.caches[at]);
            if bodies.is_empty() || cache.generation() != self.generations[at] {
                continue;
            }
            let state = match above {
                Some(above) => above.states[at].map(|state| bodies.step(cache, state, name)),
                None => Some(bodies.start(cache)),
            };
            // Stepping may make the cache drop its states; the remaining ones are then useless.
            let state = state.filter(|_| cache.generation() == self.generations[at]);
            let prefix = package_prefix(regions, region, subject);
            let rest = if above.is_some() { separator(subject) } else { &prefix };
            level.states[at] = state.map(|state| bodies.step(cache, state, rest));
        }
        self.levels.push(level);
    }

    /// Returns the level of the current directory.
    pub(super) fn level(&self) -> &Level {
        // `enter` always pushes the root.
        &self.levels[self.levels.len() - 1]
    }

    /// Attaches a value to the current directory.
    pub(super) fn note(&mut self, note: u32) {
        if let Some(level) = self.levels.last_mut() {
            level.note = Some(note);
        }
    }

    pub(super) fn path(&self) -> &RelPath {
        &self.path
    }

    /// Returns the bodies that match the file `name` in the directory.
    pub(super) fn accepted(&mut self, bodies: &[Bodies; Subject::COUNT], name: &[u8]) -> Sets {
        self.of_states(bodies, |subject, bodies, cache, state| {
            let state = bodies.step(cache, state, named(subject, name));
            cache.accepted(state)
        })
    }

    /// Returns the bodies that match the directory itself; none for a root.
    pub(super) fn accepted_here(&mut self, bodies: &[Bodies; Subject::COUNT]) -> Sets {
        let sets = self.of_states(bodies, |_, _, cache, state| cache.accepted(state));
        self.without_roots(sets)
    }

    /// Clears the sets of subjects whose path begins at this directory and is therefore empty, and the set of
    /// classes, because a directory is not a class.
    pub(super) fn without_roots(&self, mut sets: Sets) -> Sets {
        let mark = self.level().mark;
        let begins = |subject| match subject {
            Subject::Content => mark.begins_content(),
            Subject::BuildProject => mark.begins_build_project(),
            Subject::Library => mark.begins_library(),
            Subject::Project => false,
            Subject::Class => true,
        };
        let is_none = Subject::ALL.map(begins);
        sets.iter_mut()
            .zip(is_none)
            .filter(|(_, is_none)| *is_none)
            .for_each(|(set, _)| *set = None);
        sets
    }

    /// Returns the bodies that may match something below the directory.
    pub(super) fn alive(&mut self, bodies: &[Bodies; Subject::COUNT]) -> Sets {
        self.of_states(bodies, |_, _, cache, state| cache.alive(state))
    }

    /// Applies `of` to the states that are still known.
    fn of_states(
        &mut self,
        bodies: &[Bodies; Subject::COUNT],
        mut of: impl FnMut(Subject, &Bodies, &mut Cache, StateId) -> SetId,
    ) -> Sets {
        let (level, generations) = (*self.level(), self.generations);
        self.each(bodies, |subject, bodies, cache| {
            let at = subject as usize;
            let is_known = cache.generation() == generations[at];
            let state = level.states[at].filter(|_| is_known)?;
            Some(of(subject, bodies, cache, state))
        })
    }

    /// Applies `of` to the state after the directory, and after the file `name` in it if present. Steps
    /// through the whole path and uses no kept state. The set is valid although the cache may overflow again
    /// on the way: each subject has a cache of its own, and nothing steps it before the caller has used the
    /// set.
    pub(super) fn afresh(
        &mut self,
        regions: &Regions,
        bodies: &[Bodies; Subject::COUNT],
        name: Option<&[u8]>,
        of: fn(&Cache, StateId) -> SetId,
    ) -> Sets {
        let (level, path) = (*self.level(), self.path.clone());
        self.each(bodies, |subject, bodies, cache| {
            let mut text = package_prefix(regions, level.region, subject);
            let from = level.starts[subject as usize].min(path.as_bytes().len());
            for name in path.as_bytes()[from..].split(|byte| *byte == b'/') {
                if !name.is_empty() {
                    text.extend_from_slice(name);
                    text.extend_from_slice(separator(subject));
                }
            }
            text.extend_from_slice(name.map_or(b"", |name| named(subject, name)));
            let start = bodies.start(cache);
            let state = bodies.step(cache, start, &text);
            Some(of(cache, state))
        })
    }

    fn each(
        &mut self,
        bodies: &[Bodies; Subject::COUNT],
        mut of: impl FnMut(Subject, &Bodies, &mut Cache) -> Option<SetId>,
    ) -> Sets {
        Subject::ALL.map(|subject| {
            let at = subject as usize;
            match bodies[at].is_empty() {
                true => None,
                false => of(subject, &bodies[at], &mut self.caches[at]),
            }
        })
    }

    /// Returns the bodies of a set.
    pub(super) fn ids(&self, subject: Subject, sets: &Sets) -> &[u32] {
        let at = subject as usize;
        sets[at].map_or(&[], |set| self.caches[at].ids(set))
    }
}

/// Returns whether the first `len` bytes of `path` are `dir` or a directory above it.
fn is_prefix(path: &RelPath, len: usize, dir: &[u8]) -> bool {
    let ends = matches!(dir.get(len), None | Some(b'/')) || len == 0;
    ends && dir.get(..len) == path.as_bytes().get(..len)
}

/// Returns the separator between the names of a path.
fn separator(subject: Subject) -> &'static [u8] {
    if subject == Subject::Class { b"." } else { b"/" }
}

/// Returns the part of a file name that is matched: a class name drops the extension.
fn named(subject: Subject, name: &[u8]) -> &[u8] {
    let end = match subject {
        Subject::Class => memchr::memrchr(b'.', name),
        _ => None,
    };
    &name[..end.unwrap_or(name.len())]
}

/// Returns the package of files directly in the source root, with a trailing dot.
fn package_prefix(regions: &Regions, region: Region, subject: Subject) -> Vec<u8> {
    let source = region.source().filter(|_| subject == Subject::Class);
    let prefix = source.map_or("", |source| regions.sources[source].1.package_prefix.as_str());
    let dot = if prefix.is_empty() { "" } else { "." };
    format!("{prefix}{dot}").into_bytes()
}
