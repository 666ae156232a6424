//! The way from the root down to a directory, kept from question to question: regions, and the
//! states of the automata.

use super::formula::Subject;
use super::regions::{Mark, Region, Regions};
use crate::wildcard::intellij::{Bodies, Cache, SetId, StateId};
use crate::workspace::RelPath;

/// For each subject a set of bodies; none is the empty one.
pub(super) type Sets = [Option<SetId>; 4];

/// What is known of a directory.
#[derive(Clone, Copy)]
pub(super) struct Level {
    path_len: usize,
    pub region: Region,
    pub mark: Mark,
    /// Whether it is `.git`, or in it: no scope holds that.
    pub is_git: bool,
    pub has_marks_below: bool,
    /// After the directory and the `/` behind it, where the automaton still knows.
    states: [Option<StateId>; 4],
    /// Where the path of each subject begins in the path of the directory.
    starts: [usize; 4],
    /// What whoever keeps the levels notes of the directory.
    pub note: Option<u32>,
}

impl Level {
    /// The part of `path`, which is the directory or in it, that a subject is about.
    pub(super) fn below<'a>(&self, subject: Subject, path: &'a RelPath) -> &'a [u8] {
        path.as_bytes().get(self.starts[subject as usize]..).unwrap_or_default()
    }
}

/// The levels from the root down to one directory.
pub(super) struct Descent {
    caches: [Cache; 4],
    generations: [u64; 4],
    path: RelPath,
    levels: Vec<Level>,
}

impl Descent {
    pub(in crate::scope) fn new(bodies: &[Bodies; 4]) -> Descent {
        let caches = std::array::from_fn(|at| bodies[at].cache());
        let mut descent =
            Descent { caches, generations: [0; 4], path: RelPath::root(), levels: Vec::new() };
        descent.forget();
        descent
    }

    /// Whether the automata have forgotten the states that are kept here.
    pub(super) fn is_stale(&self) -> bool {
        self.caches.iter().zip(self.generations).any(|(cache, known)| cache.generation() != known)
    }

    /// Begins anew.
    pub(super) fn forget(&mut self) {
        self.generations = std::array::from_fn(|at| self.caches[at].generation());
        self.levels.clear();
    }

    /// Goes to the directory `dir`, of which the path is given as bytes.
    pub(super) fn enter(&mut self, regions: &Regions, bodies: &[Bodies; 4], dir: &[u8]) {
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

    /// Adds the directory `self.path`, whose name begins at `name_start`.
    fn push(&mut self, regions: &Regions, bodies: &[Bodies; 4], name_start: Option<usize>) {
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
            states: [None; 4],
            starts: [behind; 4],
            note: None,
        };
        for subject in Subject::ALL {
            let at = subject as usize;
            let begins = match subject {
                Subject::Content => mark.begins_content(),
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
            // A step may make the cache forget what it knew, and then there is no way on from here.
            let state = state.filter(|_| cache.generation() == self.generations[at]);
            let prefix = package_prefix(regions, region, subject);
            let rest = if above.is_some() { separator(subject) } else { &prefix };
            level.states[at] = state.map(|state| bodies.step(cache, state, rest));
        }
        self.levels.push(level);
    }

    /// The level of the directory that was entered last.
    pub(super) fn level(&self) -> &Level {
        // The root is always there.
        &self.levels[self.levels.len() - 1]
    }

    /// Notes something about that directory.
    pub(super) fn note(&mut self, note: u32) {
        if let Some(level) = self.levels.last_mut() {
            level.note = Some(note);
        }
    }

    pub(super) fn path(&self) -> &RelPath {
        &self.path
    }

    /// Which bodies match the file `name` in the directory.
    pub(super) fn accepted(&mut self, bodies: &[Bodies; 4], name: &[u8]) -> Sets {
        self.of_states(bodies, |subject, bodies, cache, state| {
            let state = bodies.step(cache, state, named(subject, name));
            cache.accepted(state)
        })
    }

    /// Which bodies match the directory itself: of a root, none.
    pub(super) fn accepted_here(&mut self, bodies: &[Bodies; 4]) -> Sets {
        let sets = self.of_states(bodies, |_, _, cache, state| cache.accepted(state));
        self.without_roots(sets)
    }

    /// Of a directory that is a root, nothing is held against what begins there; and no directory is
    /// a class.
    pub(super) fn without_roots(&self, mut sets: Sets) -> Sets {
        let mark = self.level().mark;
        let is_none = [mark.begins_content(), mark.begins_library(), false, true];
        sets.iter_mut()
            .zip(is_none)
            .filter(|(_, is_none)| *is_none)
            .for_each(|(set, _)| *set = None);
        sets
    }

    /// Which bodies may match something below the directory.
    pub(super) fn alive(&mut self, bodies: &[Bodies; 4]) -> Sets {
        self.of_states(bodies, |_, _, cache, state| cache.alive(state))
    }

    /// What `of` says of the states that are still known.
    fn of_states(
        &mut self,
        bodies: &[Bodies; 4],
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

    /// What `of` says of the state behind the directory, and behind the file `name` in it, where
    /// that is one: without any state that is kept.
    pub(super) fn afresh(
        &mut self,
        regions: &Regions,
        bodies: &[Bodies; 4],
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
        bodies: &[Bodies; 4],
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

    /// The bodies of a set.
    pub(super) fn ids(&self, subject: Subject, sets: &Sets) -> &[u32] {
        let at = subject as usize;
        sets[at].map_or(&[], |set| self.caches[at].ids(set))
    }
}

/// Whether the first `len` bytes of `path` are a directory at or above `dir`.
fn is_prefix(path: &RelPath, len: usize, dir: &[u8]) -> bool {
    let ends = matches!(dir.get(len), None | Some(b'/')) || len == 0;
    ends && dir.get(..len) == path.as_bytes().get(..len)
}

/// What stands between the names of a path.
fn separator(subject: Subject) -> &'static [u8] {
    if subject == Subject::Class { b"." } else { b"/" }
}

/// What bodies are held against of the name of a file: of a class it has no extension.
fn named(subject: Subject, name: &[u8]) -> &[u8] {
    let end = match subject {
        Subject::Class => memchr::memrchr(b'.', name),
        _ => None,
    };
    &name[..end.unwrap_or(name.len())]
}

/// The package of what lies directly in the root of sources, with a dot behind it.
fn package_prefix(regions: &Regions, region: Region, subject: Subject) -> Vec<u8> {
    let source = region.source().filter(|_| subject == Subject::Class);
    let prefix = source.map_or("", |source| regions.sources[source].1.package_prefix.as_str());
    let dot = if prefix.is_empty() { "" } else { "." };
    format!("{prefix}{dot}").into_bytes()
}
