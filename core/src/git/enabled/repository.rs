//! One repository: the places of its parts, and the parts that the engine reads.

use super::bytes::Bytes;
use super::config::{Config, ConfigMemory};
use super::convert::Settings;
use super::failure::Failure;
use super::files::{Folder, Reach};
use super::id::{Id, ObjectFormat};
use super::includes::{Includes, Named, read_config};
use super::index::{Index, MODE_DIR, MODE_TYPE};
use super::index_memory::IndexMemory;
use super::object::next_entry;
use super::objects::Objects;
use super::refs::Refs;
use super::tree_diff::tree_data;
use crate::budget::Budget;
use crate::room;
use crate::workspace::fs::{File, Kind};
use crate::workspace::{RelPath, read_git_file};
use std::collections::HashSet;

const SMALL_BYTES_MAX: u64 = 64 << 10;
const SHALLOW_BYTES_MAX: u64 = 16 << 20;
/// The maximum sizes of a list of ignored files and of a file of attributes.
pub(super) const IGNORE_BYTES_MAX: u64 = 16 << 20;
pub(super) const ATTRIBUTES_BYTES_MAX: u64 = 16 << 20;
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
    /// The memory of the index, counted as long as it exists.
    _index_memory: IndexMemory,
    /// The time at which the index was written, in nanoseconds since 1970.
    pub index_time_ns: i128,
    pub settings: Settings,
    /// The contents of the file that `core.excludesFile` names.
    pub excludes: Vec<u8>,
    /// The contents of the file that `core.attributesFile` names.
    pub attributes: Vec<u8>,
    /// Sentences about files that the configuration names and that were not read.
    pub problems: Vec<String>,
}

/// The directories of a repository, and its own configuration without what it includes: git too decides from
/// that alone how the repository is read.
pub(super) struct GitDir {
    /// The directory of this worktree, with its `HEAD` and index.
    own: Folder,
    /// The directory that all worktrees share.
    pub common: Folder,
    config: Config,
    /// The configuration of this worktree, which overrides the other.
    worktree_config: Config,
    memory: ConfigMemory,
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

impl GitDir {
    /// Finds the repository whose worktree has its top at `top`.
    pub(super) fn find(top: &Folder, reach: &Reach, budget: &Budget) -> Result<GitDir, Failure> {
        let own = match git_file(top, budget)? {
            None => top.folder(b".git"),
            Some(path) => reach.folder(top, &path)?,
        };
        let common = match own.read(b"commondir", SMALL_BYTES_MAX, budget)? {
            None => own.clone(),
            Some(path) => reach.folder(&own, path.trim_ascii())?,
        };
        let mut memory = ConfigMemory::default();
        let config = read_config(&common, b"config", &mut memory, budget)?;
        let worktree_config = match config.is("extensions.worktreeconfig") {
            Some(true) => read_config(&own, b"config.worktree", &mut memory, budget)?,
            _ => Config::default(),
        };
        Ok(GitDir { own, common, config, worktree_config, memory })
    }

    /// Returns whether this is the repository's own directory and not that of a linked worktree, to which
    /// `core.bare` and `core.worktree` do not apply.
    fn is_main(&self) -> bool {
        self.own.absolute() == self.common.absolute()
    }

    /// Returns whether the repository has no worktree but linked ones.
    pub(super) fn is_bare(&self) -> bool {
        let is = |config: &Config| config.is("core.bare");
        self.is_main() && is(&self.worktree_config).or(is(&self.config)) == Some(true)
    }

    /// Refuses a repository whose configuration places its files elsewhere.
    fn refuse_other_worktree(&self, top: &Folder) -> Result<(), Failure> {
        let own = self.worktree_config.get("core.worktree");
        let worktree = own.or(self.config.get("core.worktree")).filter(|_| self.is_main());
        match worktree.is_none_or(|worktree| self.own.leads_to(worktree, top)) {
            true => Ok(()),
            false => Err(Failure::refused("'core.worktree' names another directory")),
        }
    }
}

impl Repository {
    /// Opens the repository in a directory that was found, which is not bare.
    pub(super) fn open(
        dir: GitDir,
        top: Top,
        reach: &Reach,
        budget: &Budget,
    ) -> Result<Repository, Failure> {
        // Before anything else is read, because the format decides what the other files mean.
        let format = format_of(&dir.config)?;
        dir.refuse_other_worktree(&top.folder)?;
        let GitDir { own, common, config: values, worktree_config, memory } = dir;
        let root = Folder::new(&reach.root, RelPath::root());
        let within = [&root, &top.folder, &own, &common];
        let (problems, n_files) = (Vec::new(), 0);
        let mut includes =
            Includes { own: &own, within: &within, memory, budget, problems, n_files };
        let mut config = Config::default();
        includes.add(&mut config, &common, values)?;
        includes.add(&mut config, &own, worktree_config)?;
        let mut file = |name: &str, bytes_max: u64, effect: &str| {
            let value = config.get(&name.to_ascii_lowercase()).filter(|value| !value.is_empty());
            let Some(value) = value else { return Ok(Vec::new()) };
            includes.file(&top.folder, &Named { name, value, effect }, bytes_max)
        };
        let effect = "files that only it ignores count as changed";
        let excludes = file("core.excludesFile", IGNORE_BYTES_MAX, effect)?;
        let effect = "files that it converts may count as changed";
        let attributes = file("core.attributesFile", ATTRIBUTES_BYTES_MAX, effect)?;
        let problems = includes.problems;
        let objects = Objects::open(common.folder(b"objects"), format, reach, budget)?;
        let refs = Refs::open(own.clone(), common.clone(), format, budget)?;
        if refs.has_replacements(budget)? || common.kind(b"info/grafts")?.is_some() {
            return Err(Failure::refused("replaced objects and grafts are unsupported"));
        }
        let mut index_memory = IndexMemory::default();
        let (index, index_time_ns) =
            read_index(&own, &common, &objects, &mut index_memory, budget)?;
        let auto_crlf = config.get("core.autocrlf").is_some_and(|value| {
            value.eq_ignore_ascii_case("input") || config.is("core.autocrlf") == Some(true)
        });
        let settings = Settings { format, auto_crlf };
        Ok(Repository {
            top,
            common,
            config,
            objects,
            refs,
            index,
            _index_memory: index_memory,
            index_time_ns,
            settings,
            excludes,
            attributes,
            problems,
        })
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

/// Returns the hash of the repository, and refuses unsupported formats.
fn format_of(config: &Config) -> Result<ObjectFormat, Failure> {
    let version = config.get("core.repositoryformatversion").unwrap_or("0");
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

/// Reads the index with its shared part, and expands the directories of a sparse one.
fn read_index(
    own: &Folder,
    common: &Folder,
    objects: &Objects,
    memory: &mut IndexMemory,
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
    let mut read = |file: File, what: &str| {
        let size = file.meta().size;
        let index = Index::read(file, size, objects.format, memory, budget);
        index.map_err(|failure| failure.of(what))
    };
    let mut index = read(file, "the index")?;
    if let Some(link) = &index.link {
        let name = format!("sharedindex.{}", link.base);
        let shared = match own.open(name.as_bytes())? {
            Some(shared) => Some(shared),
            None => common.open(name.as_bytes())?,
        };
        let shared = shared.ok_or(Failure::refused("the shared index of the index is missing"))?;
        let shared = read(shared, "the shared index")?;
        let merged = index.over(&shared, memory, budget);
        index = merged.map_err(|failure| failure.of("the index"))?;
    }
    // All later steps look up single files, so directories that represent many are expanded here once.
    if index.entries().iter().any(|entry| entry.mode & MODE_TYPE == MODE_DIR) {
        index = expanded(index, objects, memory, budget)?;
    }
    Ok((index, time_ns))
}

/// Replaces directories of a sparse index by the files in their trees, which are in the same order.
fn expanded(
    index: Index,
    objects: &Objects,
    memory: &mut IndexMemory,
    budget: &Budget,
) -> Result<Index, Failure> {
    let mut full = Index::default();
    for entry in index.entries() {
        budget.poll()?;
        let mut todo = vec![(room::copy(index.path(entry))?, entry.mode, entry.id)];
        while let Some((path, mode, id)) = todo.pop() {
            budget.poll()?;
            if mode & MODE_TYPE != MODE_DIR {
                let is_own = entry.mode & MODE_TYPE != MODE_DIR;
                let file = if is_own { entry.clone() } else { entry.unwanted_file(mode, id) };
                full.push(&path, file, memory, budget)?;
                continue;
            }
            let data = tree_data(id, objects, budget)?;
            let mut input = Bytes::new(&data);
            let n_before = todo.len();
            while let Some(found) = next_entry(&mut input, objects.format)? {
                budget.poll()?;
                let slash: &[u8] = if found.mode & MODE_TYPE == MODE_DIR { b"/" } else { b"" };
                let below = [&path, found.name, slash].concat();
                room::push(&mut todo, (below, found.mode, found.id))?;
            }
            // The last one is taken first.
            todo[n_before..].reverse();
        }
    }
    full.check_order(budget).map_err(|failure| failure.of("a tree of the sparse index"))?;
    full.trees = index.trees;
    Ok(full)
}
