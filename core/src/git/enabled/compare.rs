//! Compares one tracked file with its entry in the index.
//!
//! Hashing every file would mean reading the whole tree, so a comparison begins with the cheapest evidence:
//! flags of the entry, then kind and mode, then size and times, and the contents only if times leave a doubt.
//! A doubt costs a hash and never a wrong answer.

use super::attributes::{AttributeLines, Attributes, Known};
use super::failure::Failure;
use super::files::shown;
use super::id::Id;
use super::index::{Entry, MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, MODE_TYPE};
use super::repository::{ATTRIBUTES_BYTES_MAX, Repository};
use super::worktree::State;
use crate::budget::Budget;
use crate::wildcard::LetterCase;
use crate::workspace::fs::{Dir, File, FsError, Kind, Meta, read_retrying};
use std::collections::{BTreeMap, HashMap};

/// The size of the pieces in which a file is read for hashing.
const CHUNK_BYTES: usize = 64 << 10;
/// Larger files are not converted.
const CONVERTED_BYTES_MAX: u64 = 64 << 20;
const NS_PER_S: i128 = 1_000_000_000;

/// Compares files with the index, by recorded metadata where that suffices.
pub(super) struct Compare<'a> {
    repository: &'a Repository,
    budget: &'a Budget,
    file_mode: bool,
    symlinks: bool,
    sparse: bool,
    /// The lines of each directory needed so far, by its path with a trailing slash.
    attributes: HashMap<Vec<u8>, AttributeLines>,
    everywhere: AttributeLines,
    /// The lines of the file that the configuration names, which all others override.
    weakest: AttributeLines,
    buffer: Vec<u8>,
    /// Unsupported conversions, each with the first path and the number of files.
    unknown: BTreeMap<String, (String, usize)>,
}

impl<'a> Compare<'a> {
    pub(super) fn new(
        repository: &'a Repository,
        budget: &'a Budget,
    ) -> Result<Compare<'a>, Failure> {
        let config = &repository.config;
        let is = |name, default| config.is(name).unwrap_or(default);
        let name = b"info/attributes";
        let text = repository.common.read(name, ATTRIBUTES_BYTES_MAX, budget)?.unwrap_or_default();
        Ok(Compare {
            repository,
            budget,
            file_mode: is("core.filemode", cfg!(unix)),
            symlinks: is("core.symlinks", true),
            sparse: is("core.sparsecheckout", false),
            attributes: HashMap::new(),
            everywhere: AttributeLines::parse(&text, letter_case(repository)),
            weakest: AttributeLines::parse(&repository.attributes, letter_case(repository)),
            buffer: vec![0; CHUNK_BYTES],
            unknown: BTreeMap::new(),
        })
    }

    /// Returns sentences about files that may wrongly count as changed.
    pub(super) fn problems(self) -> Vec<String> {
        let sentence = |(what, (first, n)): (String, (String, usize))| {
            let others = if n > 1 { format!(" and {} more", n - 1) } else { String::new() };
            format!("{what} is unsupported: git may consider {first}{others} unchanged")
        };
        self.unknown.into_iter().map(sentence).collect()
    }

    /// Returns the state of the file `name` in a directory; `entry` is its entry in the index.
    pub(super) fn state(
        &mut self,
        entry: &Entry,
        tracked: &[u8],
        dir: &Dir,
        name: &[u8],
    ) -> Result<State, Failure> {
        // A sparse checkout has no such file; if it exists nevertheless, it is compared.
        if entry.assume_valid || entry.skip_worktree && !self.sparse {
            return Ok(State::Same);
        }
        let meta = match dir.stat(name) {
            Ok(meta) => meta,
            Err(FsError::NotFound) => return Ok(State::Missing),
            Err(error) => return Err(Failure::refused(error.reason()).of(&shown(tracked))),
        };
        let Some(mode) = self.mode(entry, &meta) else { return Ok(State::Missing) };
        if entry.stage != 0 || entry.intent_to_add || mode != entry.mode & (MODE_TYPE | 0o777) {
            return Ok(State::Differs(mode));
        }
        let (is_same, size_differs) = self.stat_is_same(entry, &meta);
        if is_same {
            return Ok(State::Same);
        }
        // A recorded size of 0 means that git itself was not sure.
        if size_differs && entry.stat.size != 0 && mode != MODE_SYMLINK {
            return Ok(State::Differs(mode));
        }
        match self.ids(entry, tracked, mode, dir, name)?.contains(&entry.id) {
            true => Ok(State::Same),
            false => Ok(State::Differs(mode)),
        }
    }

    /// Returns the mode that git would record for a file; `None` for kinds that it does not track.
    fn mode(&self, entry: &Entry, meta: &Meta) -> Option<u32> {
        let known = entry.mode & MODE_TYPE;
        match meta.kind {
            Kind::Symlink => Some(MODE_SYMLINK),
            Kind::File if known == MODE_SYMLINK && !self.symlinks => Some(MODE_SYMLINK),
            Kind::File if !self.file_mode && known == MODE_FILE & MODE_TYPE => {
                Some(entry.mode & (MODE_TYPE | 0o777))
            }
            Kind::File if meta.owner_executable => Some(MODE_EXECUTABLE),
            Kind::File => Some(MODE_FILE),
            Kind::Dir if known == MODE_GITLINK => Some(MODE_GITLINK),
            Kind::Dir | Kind::Special => None,
        }
    }

    /// Returns whether the file's metadata equals the recorded one, and whether its size differs.
    ///
    /// A file that was modified when the index was written, or later, counts as not equal: it may have
    /// changed within the resolution of the clock (git's "racy" entries).
    fn stat_is_same(&self, entry: &Entry, meta: &Meta) -> (bool, bool) {
        let stat = &entry.stat;
        let size_differs = u64::from(stat.size) != meta.size & 0xffff_ffff;
        // Some writers of indexes record whole seconds, with 0 as the fraction; only the seconds can be
        // compared then.
        let is_time = |recorded: (u32, u32), ns: i128| {
            let seconds = ns.div_euclid(NS_PER_S);
            let rest = ns.rem_euclid(NS_PER_S);
            i128::from(recorded.0) == seconds & 0xffff_ffff
                && (recorded.1 == 0 || i128::from(recorded.1) == rest)
        };
        let seconds = |ns: i128| ns.div_euclid(NS_PER_S);
        let index_ns = self.repository.index_time_ns;
        let has_ns = stat.mtime.1 != 0 && index_ns.rem_euclid(NS_PER_S) != 0;
        let is_older = match has_ns {
            true => meta.mtime_ns < index_ns,
            false => seconds(meta.mtime_ns) < seconds(index_ns),
        };
        let is_same = !size_differs
            && is_older
            && is_time(stat.mtime, meta.mtime_ns)
            && (stat.ctime.0 == 0 || !cfg!(unix) || is_time(stat.ctime, meta.ctime_ns));
        (is_same, size_differs)
    }

    /// Returns the ids that git may compute for the blob of a file. There may be several, and git accepts
    /// each: a file with `filter=lfs` is staged as a pointer where the filter is installed and as it is
    /// elsewhere, and the configuration that says so may be that of the user, which is not read.
    pub(super) fn ids(
        &mut self,
        entry: &Entry,
        tracked: &[u8],
        mode: u32,
        dir: &Dir,
        name: &[u8],
    ) -> Result<Vec<Id>, Failure> {
        let settings = self.repository.settings;
        let failed = |error: FsError| Failure::refused(error.reason()).of(&shown(tracked));
        if mode == MODE_SYMLINK
            && let Some(target) = dir.read_link(name).map_err(failed)?
        {
            return Ok(vec![settings.format.blob_id(&target)]);
        }
        let file = match dir.open_file(name) {
            Ok(file) => file,
            Err(FsError::NotFound) => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let attributes = match mode {
            MODE_SYMLINK => Attributes::default(),
            _ => self.attributes_of(tracked)?,
        };
        if mode == MODE_SYMLINK || attributes.keeps_contents(settings) {
            return Ok(vec![self.raw_id(file).map_err(|it| it.of(&shown(tracked)))?]);
        }
        if file.meta().size > CONVERTED_BYTES_MAX {
            self.note("a conversion of large files", tracked);
            return Ok(vec![self.raw_id(file).map_err(|it| it.of(&shown(tracked)))?]);
        }
        let contents = super::files::contents(file, CONVERTED_BYTES_MAX, self.budget)?;
        let (objects, budget) = (&self.repository.objects, self.budget);
        let blob = || Ok(objects.read(entry.id, budget)?.data);
        let found = attributes.blob_ids(&contents, settings, &blob)?;
        if let Some(unknown) = found.unknown
            && !found.ids.contains(&entry.id)
        {
            self.note(&unknown, tracked);
        }
        Ok(found.ids)
    }

    fn note(&mut self, what: &str, tracked: &[u8]) {
        let known = self.unknown.entry(what.to_owned());
        known.or_insert_with(|| (shown(tracked), 0)).1 += 1;
    }

    /// Hashes a file without conversion. It is read in pieces, because a tracked file may be larger than
    /// memory. The hash begins with the size, which is therefore that of the opened handle.
    fn raw_id(&mut self, mut file: File) -> Result<Id, Failure> {
        let size = file.meta().size;
        let mut hash = self.repository.settings.format.object_hash("blob", size);
        let mut read = 0;
        loop {
            self.budget.poll_clock()?;
            let n = read_retrying(&mut file, &mut self.buffer);
            let n = n.map_err(|error| Failure::refused(error.kind().to_string()))?;
            read += n as u64;
            // A file that grows meanwhile has changed; its hash then matches no blob.
            if n == 0 || read > size {
                return Ok(hash.finish());
            }
            hash.update(&self.buffer[..n]);
        }
    }

    /// Returns the attributes of a path: `info/attributes` before the files of its directories.
    fn attributes_of(&mut self, tracked: &[u8]) -> Result<Attributes, Failure> {
        let mut known = Known::default();
        let budget = self.budget;
        self.everywhere.fill(tracked, &mut known, budget)?;
        let mut end = tracked.len();
        while let Some(slash) = memchr::memrchr(b'/', &tracked[..end]) {
            self.lines_in(&tracked[..=slash])?.fill(&tracked[slash + 1..], &mut known, budget)?;
            end = slash;
        }
        self.lines_in(b"")?.fill(tracked, &mut known, budget)?;
        self.weakest.fill(tracked, &mut known, budget)?;
        Ok(known.finish())
    }

    fn lines_in(&mut self, dir: &[u8]) -> Result<&AttributeLines, Failure> {
        if !self.attributes.contains_key(dir) {
            let name = [dir, b".gitattributes"].concat();
            let folder = &self.repository.top.folder;
            let text = match folder.read_unlinked(&name, ATTRIBUTES_BYTES_MAX, self.budget)? {
                Some(text) => text,
                // If the file is gone, git uses the staged one.
                None => match self.repository.index.find(&name) {
                    Some(at) => {
                        let id = self.repository.index.entries()[at].id;
                        self.repository.objects.read(id, self.budget)?.data
                    }
                    None => Vec::new(),
                },
            };
            let lines = AttributeLines::parse(&text, letter_case(self.repository));
            self.attributes.try_reserve(1)?;
            self.attributes.insert(dir.to_vec(), lines);
        }
        Ok(&self.attributes[dir])
    }
}

fn letter_case(repository: &Repository) -> LetterCase {
    match repository.config.is("core.ignorecase") {
        Some(true) => LetterCase::Same,
        _ => LetterCase::Distinct,
    }
}
