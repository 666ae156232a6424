//! Object databases: loose objects, packs, and the alternates that they borrow from.
//!
//! Packs are listed once per call and stay open, so that a repack during the call does not take them away.
//! Only a loose object that git packs meanwhile can be missed; the call then fails with that reason.

use super::failure::{Failure, Malformed};
use super::files::{Folder, Reach};
use super::id::{Id, ObjectFormat};
use super::inflate::Inflater;
use super::object::{Commit, Kind, Object, size_of, tagged};
use super::pack::{Pack, Stored, with_deltas};
use crate::budget::Budget;
use crate::room;
use crate::workspace::fs::File;
use std::cell::Cell;

/// The maximum size of a tree, commit or tag, including the deltas that produce it.
const OBJECT_BYTES_MAX: usize = 96 << 20;
/// The header of a loose object: its kind and its size in decimal digits.
const HEADER_BYTES: usize = 32;
/// The maximum number of alternates, and their maximum depth. The bound also ends a circle of repositories
/// that borrow from each other.
const ALTERNATES_MAX: usize = 32;
const ALTERNATES_BYTES_MAX: u64 = 64 << 10;
/// The maximum number of packs: each keeps two handles.
const PACKS_MAX: usize = 256;
/// The maximum length of a chain of tags, or of deltas to objects in other packs.
const STEPS_MAX: usize = 100;

/// The objects of a repository.
pub(super) struct Objects {
    pub format: ObjectFormat,
    folders: Vec<Folder>,
    packs: Vec<Pack<File>>,
    /// The pack of the last object: the next one is often in it too.
    last: Cell<usize>,
}

impl Objects {
    /// Opens the packs of the database in `folder`, and of its alternates.
    pub(super) fn open(
        folder: Folder,
        format: ObjectFormat,
        reach: &Reach,
        budget: &Budget,
    ) -> Result<Objects, Failure> {
        let mut objects =
            Objects { format, folders: vec![folder], packs: Vec::new(), last: Cell::new(0) };
        let mut at = 0;
        while let Some(folder) = objects.folders.get(at).cloned() {
            at += 1;
            objects.open_packs(&folder, budget)?;
            let name = b"info/alternates";
            let Some(text) = folder.read(name, ALTERNATES_BYTES_MAX, budget)? else { continue };
            let lines = text.split(|&byte| byte == b'\n');
            for line in lines.filter(|line| !line.is_empty() && line[0] != b'#') {
                if objects.folders.len() > ALTERNATES_MAX {
                    return Err(Failure::refused(
                        "objects are borrowed from too many repositories",
                    ));
                }
                let borrowed = reach.folder(&folder, line);
                objects
                    .folders
                    .push(borrowed.map_err(|failure| failure.of("'objects/info/alternates'"))?);
            }
        }
        Ok(objects)
    }

    fn open_packs(&mut self, folder: &Folder, budget: &Budget) -> Result<(), Failure> {
        let folder = folder.folder(b"pack");
        let mut names = folder.list(budget)?;
        names.sort_unstable();
        for (name, _) in names {
            let Some(stem) = name.strip_suffix(b".idx") else { continue };
            let pack = [stem, b".pack"].concat();
            let (Some(idx), Some(pack)) = (folder.open(&name)?, folder.open(&pack)?) else {
                continue;
            };
            if self.packs.len() == PACKS_MAX {
                let why = format!("it has more than {PACKS_MAX} packs; 'git gc' merges them");
                return Err(Failure::refused(why));
            }
            let opened = Pack::open(idx, pack, self.format);
            let opened = opened.map_err(|failure| failure.of(&super::files::shown(&name)))?;
            room::push(&mut self.packs, opened)?;
        }
        Ok(())
    }

    /// Reads an object.
    pub(super) fn read(&self, id: Id, budget: &Budget) -> Result<Object, Failure> {
        self.find(id, budget)?.ok_or_else(|| {
            Failure::refused(format!(
                "the object {id} is missing, as in a partial clone, or was repacked during the call"
            ))
        })
    }

    /// Reads an object; `None` if none has this id. A loop rather than recursion, because the file decides
    /// how long the chain of bases is.
    pub(super) fn find(&self, id: Id, budget: &Budget) -> Result<Option<Object>, Failure> {
        if id == self.format.empty_tree() {
            // Git knows it without storing it.
            return Ok(Some(Object { kind: Kind::Tree, data: Vec::new() }));
        }
        let mut wanted = id;
        let mut chains = Vec::new();
        for _ in 0..STEPS_MAX {
            match self
                .find_once(wanted, budget)
                .map_err(|failure| failure.of(&format!("object {id}")))?
            {
                None => return Ok(None),
                Some(Stored::Deltas(deltas, base)) => {
                    room::push(&mut chains, deltas)?;
                    wanted = base;
                }
                Some(Stored::Object(mut object)) => {
                    while let Some(deltas) = chains.pop() {
                        object = with_deltas(object, deltas, OBJECT_BYTES_MAX, budget)?;
                    }
                    return Ok(Some(object));
                }
            }
        }
        Err(Malformed("a chain of deltas is too long").into())
    }

    fn find_once(&self, id: Id, budget: &Budget) -> Result<Option<Stored>, Failure> {
        budget.poll()?;
        let n = self.packs.len();
        for at in (0..n).map(|at| (at + self.last.get()) % n) {
            if let Some(found) = self.packs[at].read(id, OBJECT_BYTES_MAX, budget)? {
                self.last.set(at);
                return Ok(Some(found));
            }
        }
        let hex = id.to_string();
        let name = format!("{}/{}", &hex[..2], &hex[2..]);
        for folder in &self.folders {
            if let Some(file) = folder.open(name.as_bytes())? {
                return Ok(Some(Stored::Object(loose(&file, budget)?)));
            }
        }
        Ok(None)
    }

    /// Reads a commit.
    pub(super) fn commit(&self, id: Id, budget: &Budget) -> Result<Commit, Failure> {
        let object = self.read(id, budget)?;
        if object.kind != Kind::Commit {
            return Err(Failure::refused(format!("the object {id} is not a commit")));
        }
        Commit::parse(&object.data, self.format)
    }

    /// Follows tags to a non-tag object; returns its id and kind.
    pub(super) fn peel(&self, id: Id, budget: &Budget) -> Result<(Id, Kind), Failure> {
        let mut at = id;
        for _ in 0..STEPS_MAX {
            let object = self.read(at, budget)?;
            if object.kind != Kind::Tag {
                return Ok((at, object.kind));
            }
            at = tagged(&object.data, self.format)?;
        }
        Err(Malformed("a chain of tags is too long").into())
    }

    /// Calls `each` with the ids that start with the digits `hex`, possibly more than once per id, until it
    /// returns false.
    pub(super) fn with_prefix(
        &self,
        hex: &str,
        budget: &Budget,
        each: &mut dyn FnMut(Id) -> bool,
    ) -> Result<(), Failure> {
        let whole: Vec<u8> = hex
            .as_bytes()
            .chunks_exact(2)
            .map(|pair| {
                pair.iter()
                    .fold(0, |byte, digit| byte << 4 | super::id::hex_digit(*digit).unwrap_or(0))
            })
            .collect();
        for pack in &self.packs {
            pack.with_prefix(&whole, &mut |id| !id.to_string().starts_with(hex) || each(id))?;
        }
        for folder in &self.folders {
            for (name, _) in folder.folder(&hex.as_bytes()[..2]).list(budget)? {
                let full = [&hex.as_bytes()[..2], &name].concat();
                if full.starts_with(hex.as_bytes())
                    && let Some(id) = Id::from_hex(&full, self.format)
                    && !each(id)
                {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Reads a loose object: a header and the data, compressed as one.
fn loose(file: &File, budget: &Budget) -> Result<Object, Failure> {
    let wrong = Malformed("a loose object has no header");
    let mut head = [0; HEADER_BYTES];
    let len = Inflater::new(file, 0).read(&mut head, budget)?;
    let end = memchr::memchr(0, &head[..len]).ok_or(wrong)?;
    let space = memchr::memchr(b' ', &head[..end]).ok_or(wrong)?;
    let kind = Kind::of_name(&head[..space]).ok_or(wrong)?;
    let digits = std::str::from_utf8(&head[space + 1..end]).map_err(|_| wrong)?;
    let size = size_of(digits.parse().map_err(|_| wrong)?)?;
    if size > OBJECT_BYTES_MAX {
        return Err(Failure::refused("it is too large"));
    }
    // Inflated from the start again: the memory could not be reserved before the size was known.
    let mut data = Inflater::new(file, 0).read_all(end + 1 + size, budget)?;
    data.drain(..=end);
    Ok(Object { kind, data })
}
