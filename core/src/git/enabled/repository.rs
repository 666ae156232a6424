//! One repository: the places of its parts, and the parts that the engine reads.

use super::bytes::Bytes;
use super::config::Config;
use super::convert::Settings;
use super::failure::Failure;
use super::files::{Folder, Reach, contents, shown};
use super::id::{Id, ObjectFormat};
use super::index::{Index, MODE_DIR, MODE_TYPE};
use super::object::next_entry;
use super::objects::Objects;
use super::refs::Refs;
use super::tree_diff::tree_data;
use crate::budget::Budget;
use crate::room;
use crate::workspace::fs::Kind;
use crate::workspace::{RelPath, read_git_file};
use std::collections::HashSet;

const SMALL_BYTES_MAX: u64 = 64 << 10;
const CONFIG_BYTES_MAX: u64 = 4 << 20;
const SHALLOW_BYTES_MAX: u64 = 64 << 20;
const INDEX_BYTES_MAX: u64 = 512 << 20;
/// Extensions that do not affect this reader. Any other one is refused, as by git itself: it may change the
/// meaning of every file.
const EXTENSIONS: [&str; 8] = [
    "noop",
    "noop-v1",
    "preciousobjects",
    "partialclone",
    "worktreeconfig",
    "objectformat",
    "compatobjectformat",
    "relativeworktrees",
];

/// The place of a repository's worktree.
#[derive(Clone, Debug)]
pub(super) struct Top {
    /// The top of the worktree.
    pub folder: Folder,
    /// Its path below the root; the root itself if the top is above it.
    pub at: RelPath,
    /// The path of the root below the top, with a trailing slash; empty if the top is the root or below it.
    pub above: Vec<u8>,
}

/// A repository that is open.
pub(super) struct Repository {
    pub top: Top,
    pub common: Folder,
    pub config: Config,
    pub objects: Objects,
    pub refs: Refs,
    pub index: Index,
    /// The time at which the index was written, in nanoseconds since 1970.
    pub index_time_ns: i128,
    pub settings: Settings,
}

/// Returns whether a directory is the top of a worktree. If `deny` hides the evidence, it counts as one, so
/// that its files are not attributed to the repository around it.
pub(super) fn is_top(folder: &Folder, budget: &Budget) -> Result<bool, Failure> {
    if folder.denies(b".git") {
        return Ok(folder.has_entry(b".git"));
    }
    let has = |name: &[u8], kind: Kind| -> Result<bool, Failure> {
        Ok(folder.kind(name)? == Some(kind) || folder.denies(name))
    };
    Ok(match folder.kind(b".git")? {
        Some(Kind::Dir) => {
            has(b".git/HEAD", Kind::File)?
                && (has(b".git/objects", Kind::Dir)? || has(b".git/commondir", Kind::File)?)
        }
        Some(Kind::File) => match git_file(folder, budget) {
            Ok(path) => path.is_some(),
            Err(Failure::Stopped) => return Err(Failure::Stopped),
            // It counts as a top, as in git; the repository is refused when it is opened.
            Err(_) => true,
        },
        _ => false,
    })
}

/// Returns the path in the file `.git` of a worktree or submodule; `None` if `.git` is not such a file.
fn git_file(top: &Folder, budget: &Budget) -> Result<Option<Vec<u8>>, Failure> {
    let Some(file) = top.open(b".git")? else { return Ok(None) };
    read_git_file(file, budget).map_err(|unread| Failure::from(unread).of("'.git'"))
}

impl Repository {
    /// Opens the repository whose worktree has its top at `top`.
    pub(super) fn open(top: Top, reach: &Reach, budget: &Budget) -> Result<Repository, Failure> {
        let own = match git_file(&top.folder, budget)? {
            None => top.folder.folder(b".git"),
            Some(path) => reach.folder(&top.folder, &path)?,
        };
        let common = match own.read(b"commondir", SMALL_BYTES_MAX, budget)? {
            None => own.clone(),
            Some(path) => reach.folder(&own, path.trim_ascii())?,
        };
        let mut config = Config::default();
        add_config(&mut config, &common, b"config", budget)?;
        if config.is("extensions.worktreeconfig") == Some(true) {
            add_config(&mut config, &own, b"config.worktree", budget)?;
        }
        // Before anything else is read, because the format decides what the other files mean.
        let format = format_of(&config)?;
        let is_main = own.absolute() == common.absolute();
        refuse_other_worktree(&config, &own, &top, is_main)?;
        let objects = Objects::open(common.folder(b"objects"), format, reach, budget)?;
        let refs = Refs::open(own.clone(), common.clone(), format, budget)?;
        if refs.has_replacements(budget)? || common.kind(b"info/grafts")?.is_some() {
            return Err(Failure::refused("replaced objects and grafts are unsupported"));
        }
        let (index, index_time_ns) = read_index(&own, &common, &objects, budget)?;
        let auto_crlf = config.get("core.autocrlf").is_some_and(|value| {
            value.eq_ignore_ascii_case("input") || config.is("core.autocrlf") == Some(true)
        });
        let settings = Settings { format, auto_crlf };
        Ok(Repository { top, common, config, objects, refs, index, index_time_ns, settings })
    }

    /// Returns the commits whose parents were not fetched.
    pub(super) fn shallow(&self, budget: &Budget) -> Result<HashSet<Id>, Failure> {
        let text = self.common.read(b"shallow", SHALLOW_BYTES_MAX, budget)?.unwrap_or_default();
        let lines = text.split(|&byte| byte == b'\n');
        let ids = lines.filter_map(|line| Id::from_hex(line.trim_ascii(), self.objects.format));
        let mut shallow = HashSet::new();
        for id in ids {
            budget.poll()?;
            shallow.try_reserve(1)?;
            shallow.insert(id);
        }
        Ok(shallow)
    }

    /// Returns the path in the index of a path below the root.
    pub(super) fn tracked_path(&self, path: &RelPath) -> Vec<u8> {
        let at = self.top.at.as_bytes();
        let below = path.as_bytes().get(at.len()..).unwrap_or_default();
        let below = below.strip_prefix(b"/").unwrap_or(below);
        [&self.top.above, below].concat()
    }

    /// Returns the path below the root of a path in the index; `None` if it is elsewhere.
    pub(super) fn path_below_root(&self, tracked: &[u8]) -> Option<RelPath> {
        let below = tracked.strip_prefix(self.top.above.as_slice())?;
        let names = self.top.at.components().chain(below.split(|&byte| byte == b'/'));
        Some(RelPath::from_components(names.filter(|name| !name.is_empty())))
    }
}

fn add_config(
    config: &mut Config,
    folder: &Folder,
    name: &[u8],
    budget: &Budget,
) -> Result<(), Failure> {
    match folder.read(name, CONFIG_BYTES_MAX, budget)? {
        Some(bytes) => config.add(&bytes, budget).map_err(|failure| failure.of(&shown(name))),
        None => Ok(()),
    }
}

/// Returns the hash of the repository, and refuses unsupported formats.
fn format_of(config: &Config) -> Result<ObjectFormat, Failure> {
    let version = config.get("core.repositoryformatversion").unwrap_or("0");
    if config.is("core.bare") == Some(true) {
        return Err(Failure::refused("it is bare and has no worktree"));
    }
    match version {
        "0" => return Ok(ObjectFormat::Sha1),
        "1" => {}
        _ => {
            let version = crate::suggest::shorten(version);
            return Err(Failure::refused(format!("repository format {version} is unsupported")));
        }
    }
    for key in config.keys("extensions") {
        let value = config.get(&format!("extensions.{key}")).unwrap_or_default();
        if key == "refstorage" && value == "files" || EXTENSIONS.contains(&key) {
            continue;
        }
        let shown = crate::suggest::shorten(&format!("{key} = {value}"));
        return Err(Failure::refused(format!("the extension '{shown}' is unsupported")));
    }
    match config.get("extensions.objectformat") {
        None | Some("sha1") => Ok(ObjectFormat::Sha1),
        Some("sha256") => Ok(ObjectFormat::Sha256),
        Some(_) => Err(Failure::refused("its hash is neither SHA-1 nor SHA-256")),
    }
}

/// Refuses a repository whose configuration places its files elsewhere.
fn refuse_other_worktree(
    config: &Config,
    own: &Folder,
    top: &Top,
    is_main: bool,
) -> Result<(), Failure> {
    let Some(worktree) = config.get("core.worktree").filter(|_| is_main) else { return Ok(()) };
    match own.leads_to(worktree, &top.folder) {
        true => Ok(()),
        false => Err(Failure::refused("'core.worktree' names another directory")),
    }
}

/// Reads the index with its shared part, and expands the directories of a sparse one.
fn read_index(
    own: &Folder,
    common: &Folder,
    objects: &Objects,
    budget: &Budget,
) -> Result<(Index, i128), Failure> {
    let Some(file) = own.open(b"index")? else {
        return match own.kind(b"index")? {
            None => Ok((Index::default(), 0)),
            Some(_) => Err(Failure::refused("the index is not a regular file")),
        };
    };
    // The time of the handle that is read. Git replaces the file as a whole, and with the time of another
    // index a recent change could seem old enough to be trusted.
    let time_ns = file.meta().mtime_ns;
    let parse = |bytes: &[u8]| Index::parse(bytes, objects.format, budget);
    let named = |failure: Failure| failure.of("the index");
    let bytes = contents(file, INDEX_BYTES_MAX, budget).map_err(named)?;
    let mut index = parse(&bytes).map_err(named)?;
    if let Some(link) = &index.link {
        let name = format!("sharedindex.{}", link.base);
        let shared = match own.read(name.as_bytes(), INDEX_BYTES_MAX, budget)? {
            Some(shared) => Some(shared),
            None => common.read(name.as_bytes(), INDEX_BYTES_MAX, budget)?,
        };
        let shared = shared.ok_or(Failure::refused("the shared index of the index is missing"))?;
        let shared = parse(&shared).map_err(|failure| failure.of("the shared index"))?;
        index = index.over(&shared, budget).map_err(named)?;
    }
    // All later steps look up single files, so directories that represent many are expanded here once.
    if index.entries().iter().any(|entry| entry.mode & MODE_TYPE == MODE_DIR) {
        index = expanded(index, objects, budget)?;
    }
    Ok((index, time_ns))
}

/// Replaces directories of a sparse index by the files in their trees.
fn expanded(index: Index, objects: &Objects, budget: &Budget) -> Result<Index, Failure> {
    let mut full = Index::default();
    for entry in index.entries() {
        if entry.mode & MODE_TYPE != MODE_DIR {
            full.push(index.path(entry), entry.clone())?;
            continue;
        }
        let mut todo = vec![(room::copy(index.path(entry))?, entry.id)];
        let mut files = Vec::new();
        while let Some((dir, tree)) = todo.pop() {
            let data = tree_data(tree, objects, budget)?;
            let mut input = Bytes::new(&data);
            while let Some(found) = next_entry(&mut input, objects.format)? {
                budget.poll()?;
                let path = [dir.as_slice(), found.name].concat();
                match found.mode & MODE_TYPE == MODE_DIR {
                    true => room::push(&mut todo, ([&path, &b"/"[..]].concat(), found.id))?,
                    false => room::push(&mut files, (path, found.mode, found.id))?,
                }
            }
        }
        files.sort_unstable();
        for (path, mode, id) in files {
            full.push(&path, entry.unwanted_file(mode, id))?;
        }
    }
    full.trees = index.trees;
    Ok(full)
}
