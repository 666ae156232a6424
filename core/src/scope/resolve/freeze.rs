//! From a program to a frozen scope.

use super::expression::Outcome;
use super::refs;
use super::resolver::{Resolved, Resolver, failure_mode, in_expression, may_be_forgiven};
use crate::budget::Budget;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::nearest::shorten;
use crate::scope::compiled::Dirs;
use crate::scope::compiled::FileLists;
use crate::scope::compiled::{Compiled, Scope, ThreadCaches};
use crate::scope::compiled::{Formula, Leaf};
use crate::scope::language::parse;
use crate::scope::language::warnings;
use crate::scope::language::{FailureMode, ScopeAtom};
use crate::scope::language::{ScopeProgram, ScopeShape};
use crate::workspace::Workspace;
use fnv::FnvHasher;
use std::hash::{Hash, Hasher};
use std::time::{Duration, SystemTime};

/// What the host knows of its user: files as `file://` URLs or paths relative to the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ScopeContext {
    /// The file that the user looks at.
    pub current_file: Option<String>,
    /// The files that are open.
    pub open_files: Option<Vec<String>>,
    /// The files that were open lately.
    pub recent_files: Option<Vec<String>>,
    /// The files and directories that are selected.
    pub selected_files: Option<Vec<String>>,
}

/// A program that was resolved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResolvedScope {
    /// The scope itself: the `path_filter` of [`crate::FileOptions`].
    pub scope: Scope,
    /// What people call it: the names of its atoms with the operators between, cut when it is long.
    pub display_name: String,
    /// The same, whole, with parentheses where they are needed.
    pub expression: String,
    /// What it is made of.
    pub shape: ScopeShape,
    /// What became of the atoms of the program, in its order.
    pub atoms: Vec<ResolvedAtom>,
    /// What the caller should know: atoms that did not resolve, what could not be read.
    pub diagnostics: Vec<String>,
    /// Whether all files of it are known: a repository that is not read leaves a gap.
    pub is_complete: bool,
}

/// What became of an atom.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResolvedAtom {
    /// The ref id by which catalog and programs name it.
    pub scope_ref_id: String,
    /// What people call it.
    pub display_name: String,
    /// What it is made of.
    pub shape: ScopeShape,
    /// Why it did not resolve, if so.
    pub failure: Option<Error>,
}

/// What there is to say of the text of a pattern.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PatternCheck {
    /// The normal form; `None` for a text that is no pattern.
    pub normalized: Option<String>,
    /// The ref id of the pattern.
    pub scope_ref_id: Option<String>,
    /// The mistake, or what is probably not meant although it is valid.
    pub diagnostics: Vec<String>,
}

/// Discovery reads manifests; more than this it never takes.
pub(crate) const TIME_MAX: Duration = Duration::from_secs(30);
/// What "recently changed" means, docs/contracts/scopes.md#universe.
const RECENT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// A longer expression is cut where it is only a name.
const DISPLAY_CHARS_MAX: usize = 200;
/// More is not told of what was wrong with manifests and stored scopes.
const PROBLEMS_MAX: usize = 20;

impl Workspace {
    /// Resolves a program, strictly or not as it says.
    ///
    /// ```
    /// use searchscope::{
    ///     Call, FileOptions, FindRequest, ScopeAtom, ScopeContext, ScopeProgram,
    ///     Workspace,
    /// };
    /// use std::sync::Arc;
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::create_dir(dir.path().join("src")).unwrap();
    /// # std::fs::write(dir.path().join("src/a.rs"), "fn main() {}\n").unwrap();
    /// # std::fs::write(dir.path().join("b.rs"), "fn main() {}\n").unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let atom = ScopeAtom::of_pattern("a", "file:src//*");
    /// let (program, call) = (ScopeProgram::of(atom), Call::new());
    /// let resolved = workspace.resolve_scope(&program, &ScopeContext::default(), &call)?;
    /// let mut files = FileOptions::default();
    /// files.path_filter = Some(Arc::new(resolved.scope));
    /// let (found, _) = workspace.run_find(&FindRequest::new(files, 100, 1 << 20), &call)?;
    /// assert_eq!(found[0].path.display(), "src/a.rs");
    /// assert_eq!(found.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_param` for a program that is none and for atoms that do not resolve, with the place
    /// and the nearest names; `pattern_syntax` for a pattern; `not_found` and `access_denied` for
    /// directories and files; `timeout` when modules are not found within 30 seconds; `cancelled`.
    pub fn resolve_scope(
        &self,
        program: &ScopeProgram,
        context: &ScopeContext,
        call: &Call,
    ) -> Result<ResolvedScope> {
        resolve(self, program, context, &Budget::of(&call.within(TIME_MAX)), false)
    }

    /// As [`Workspace::resolve_scope`], but atoms that do not resolve are told and not an error.
    ///
    /// ```
    /// use searchscope::{Call, ScopeAtom, ScopeProgram, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let atom = ScopeAtom::of_pattern("a", "file:src//*");
    /// let program = ScopeProgram::of(atom);
    /// let told = workspace.describe_scope(&program, &Default::default(), &Call::new())?;
    /// assert_eq!(told.atoms.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_param` for a program that is none, `timeout` and `cancelled`.
    pub fn describe_scope(
        &self,
        program: &ScopeProgram,
        context: &ScopeContext,
        call: &Call,
    ) -> Result<ResolvedScope> {
        resolve(self, program, context, &Budget::of(&call.within(TIME_MAX)), true)
    }

    /// Says whether `text` is a pattern of the scope language, and what it comes to here.
    ///
    /// ```
    /// use searchscope::{Call, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let check = workspace.check_scope_pattern("file:src//*&&!file:*.min.js", &Call::new())?;
    /// assert_eq!(check.normalized.as_deref(), Some("file:src//*&&!file:*.min.js"));
    /// let check = workspace.check_scope_pattern("file:src//* &&", &Call::new())?;
    /// assert!(check.normalized.is_none() && !check.diagnostics.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `timeout` and `cancelled`.
    pub fn check_scope_pattern(&self, text: &str, call: &Call) -> Result<PatternCheck> {
        let set = match parse(text) {
            Ok(set) => set,
            Err(error) => {
                let mut diagnostics = vec![error.message()];
                diagnostics.extend(error.hint);
                return Ok(PatternCheck { normalized: None, scope_ref_id: None, diagnostics });
            }
        };
        let mut diagnostics = warnings(&set);
        let normalized = set.text();
        let program = ScopeProgram::of(ScopeAtom::of_pattern("pattern", text));
        let budget = Budget::of(&call.within(TIME_MAX));
        match resolve(self, &program, &ScopeContext::default(), &budget, false) {
            Ok(resolved) => diagnostics.extend(resolved.diagnostics),
            Err(error) if may_be_forgiven(&error) => diagnostics.push(error.message().to_owned()),
            Err(error) => return Err(error),
        }
        Ok(PatternCheck {
            scope_ref_id: Some(format!("pattern:{}", refs::hash(&normalized))),
            normalized: Some(normalized),
            diagnostics,
        })
    }
}

fn resolve(
    workspace: &Workspace,
    program: &ScopeProgram,
    context: &ScopeContext,
    budget: &Budget,
    only_tells: bool,
) -> Result<ResolvedScope> {
    let places = program.check()?;
    let interactive = program.allow_ui_interactive_scopes;
    let mut resolver = Resolver::new(workspace, budget, context, interactive)?;
    let mut atoms = Vec::with_capacity(program.atoms.len());
    let mut outcomes = Vec::with_capacity(program.atoms.len());
    let mut diagnostics = Vec::new();
    for (index, atom) in program.atoms.iter().enumerate() {
        let place = format!("atoms[{index}]");
        let error = match resolver.atom(&place, atom) {
            Ok(Resolved { step, shape, ref_id, name }) => {
                outcomes.push(Outcome::Resolved { step, shape });
                let (scope_ref_id, display_name) = (ref_id, name);
                atoms.push(ResolvedAtom { scope_ref_id, display_name, shape, failure: None });
                continue;
            }
            Err(error) => error,
        };
        let mode = failure_mode(atom, program.non_strict_default_failure_mode);
        let is_fatal = program.strict || mode == FailureMode::Fail;
        if !may_be_forgiven(&error) || is_fatal && !only_tells {
            return Err(error);
        }
        let is_skipped = mode == FailureMode::Skip && !program.strict;
        let became = match is_skipped {
            true => "is left out",
            false if is_fatal => "does not resolve",
            false => "contains nothing",
        };
        let id = shorten(&atom.atom_id);
        // The atom is named beside it.
        let error = error.without_place();
        diagnostics.push(format!("atom '{id}' {became}: {}", error.message()));
        outcomes.push(if is_skipped { Outcome::Skipped } else { Outcome::Empty });
        atoms.push(unresolved(atom, error));
    }
    let names: Vec<String> = atoms.iter().map(|atom| in_expression(&atom.display_name)).collect();
    let outcomes = program.run(&places, &outcomes, &names)?;
    diagnostics.extend(outcomes.diagnostics);
    let formula = resolver.finish(outcomes.steps);
    let identity = identity(&resolver, &formula);
    let scope = compile(&resolver, formula, identity)?;
    diagnostics.extend(std::mem::take(&mut resolver.patterns.told));
    let mut diagnostics = first_of(diagnostics);
    diagnostics.extend(problems(&resolver));
    Ok(ResolvedScope {
        scope,
        display_name: display_name(&atoms, &outcomes.expression),
        expression: outcomes.expression,
        shape: outcomes.shape,
        atoms,
        diagnostics,
        is_complete: resolver.is_complete,
    })
}

/// What there is to say of an atom that did not resolve.
fn unresolved(atom: &ScopeAtom, error: Error) -> ResolvedAtom {
    let name = atom.scope_ref_id.as_deref().or(atom.target.name()).unwrap_or(&atom.atom_id);
    ResolvedAtom {
        scope_ref_id: atom.scope_ref_id.clone().unwrap_or_default(),
        display_name: shorten(name),
        shape: ScopeShape::Global,
        failure: Some(error),
    }
}

fn compile(resolver: &Resolver<'_>, formula: Formula, identity: u64) -> Result<Scope> {
    let leaves = || (0..).zip(&formula.leaves);
    let dirs = Dirs::new(leaves().filter_map(|(index, leaf)| match leaf {
        Leaf::Dir { path, deep } => Some((index, path, *deep)),
        _ => None,
    }));
    let mut list_leaves = vec![None; resolver.lists.len()];
    let bodies = resolver.patterns.automata("atoms")?;
    let mut body_leaves = resolver.patterns.n_bodies().map(|n| vec![0; n]);
    for (index, leaf) in leaves() {
        match leaf {
            Leaf::Files(list) => list_leaves[*list as usize] = Some(index),
            Leaf::Body(subject, body) => body_leaves[*subject as usize][*body as usize] = index,
            _ => {}
        }
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let recent_ns = now.saturating_sub(RECENT).as_nanos();
    Ok(Scope::new(Compiled {
        dirs,
        bodies,
        body_leaves,
        list_leaves,
        module_filters: resolver.patterns.passing_modules.clone(),
        library_filters: resolver.patterns.library_names.clone(),
        files: FileLists::new(&resolver.lists),
        regions: resolver.known_regions().cloned().unwrap_or_default(),
        recent_ns: i128::try_from(recent_ns).unwrap_or(i128::MAX),
        identity,
        thread_caches: ThreadCaches::default(),
        formula,
    }))
}

/// A number for what the scope was made of, the same from call to call.
fn identity(resolver: &Resolver<'_>, formula: &Formula) -> u64 {
    let mut hasher = FnvHasher::default();
    // Changed files change while pages are read; what they are compared with does not.
    let is_changed = |list: usize| resolver.changed.iter().any(|(at, _)| *at as usize == list);
    let lists = resolver.lists.iter().enumerate().filter(|(list, _)| !is_changed(*list));
    formula.hash(&mut hasher);
    lists.for_each(|list| list.hash(&mut hasher));
    if !resolver.changed.is_empty() {
        resolver.changed.hash(&mut hasher);
    }
    resolver.patterns.hash_texts(&mut hasher);
    hasher.finish()
}

fn display_name(atoms: &[ResolvedAtom], expression: &str) -> String {
    // A name that stands alone needs no quotes.
    let alone = atoms.iter().find(|atom| in_expression(&atom.display_name) == expression);
    if let Some(alone) = alone {
        return alone.display_name.clone();
    }
    let mut short: String = expression.chars().take(DISPLAY_CHARS_MAX).collect();
    if short.len() < expression.len() {
        short.push('…');
    }
    short
}

/// What was wrong with what describes modules and scopes.
pub(super) fn problems(resolver: &Resolver<'_>) -> Vec<String> {
    let modules = resolver.known_regions().map(|regions| &regions.modules.problems);
    let named = resolver.known_named().map(|named| &named.problems);
    first_of(modules.into_iter().chain(named).flatten().cloned().collect())
}

/// So many of what there is to say that nobody is flooded.
fn first_of(mut told: Vec<String>) -> Vec<String> {
    let n = told.len();
    told.truncate(PROBLEMS_MAX);
    if n > PROBLEMS_MAX {
        told.push(format!("and {} more like these", n - PROBLEMS_MAX));
    }
    told
}
