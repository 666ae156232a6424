//! Resolves a program into a frozen scope.

use super::atom_steps::{Resolved, Resolver, failure_mode, in_expression, may_be_forgiven};
use super::context::ScopeContext;
use super::expression::Outcome;
use super::refs;
use crate::budget::Budget;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::scope::compiled::Dirs;
use crate::scope::compiled::FileLists;
use crate::scope::compiled::{Compiled, Scope, ThreadCaches};
use crate::scope::compiled::{Formula, Leaf};
use crate::scope::language::parse;
use crate::scope::language::warnings;
use crate::scope::language::{FailureMode, ScopeAtom};
use crate::scope::language::{ScopeProgram, ScopeShape};
use crate::suggest::shorten;
use crate::workspace::Workspace;
use fnv::FnvHasher;
use std::hash::{Hash, Hasher};
use std::time::{Duration, SystemTime};

/// A resolved program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResolvedScope {
    /// The scope itself: the `path_filter` of [`crate::FileOptions`].
    pub scope: Scope,
    /// The name to display: the names of its atoms and the operators, shortened if long.
    pub display_name: String,
    /// The full expression, with parentheses where needed.
    pub expression: String,
    /// Its shape: a predicate over files, or a list of positions.
    pub shape: ScopeShape,
    /// The outcome of each atom, in program order.
    pub atoms: Vec<ResolvedAtom>,
    /// Warnings about atoms that did not resolve and files that could not be read.
    pub diagnostics: Vec<String>,
    /// Whether all its files are known: a repository that could not be read leaves a gap.
    pub is_complete: bool,
}

/// The outcome of an atom.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResolvedAtom {
    /// The ref id by which the catalog and programs name it.
    pub scope_ref_id: String,
    /// The name to display.
    pub display_name: String,
    /// Its shape: a predicate over files, or a list of positions.
    pub shape: ScopeShape,
    /// The reason why it did not resolve.
    pub failure: Option<Error>,
}

/// The result of checking the text of a pattern.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PatternCheck {
    /// The normal form; `None` if the text is not a pattern.
    pub normalized: Option<String>,
    /// The ref id of the pattern.
    pub scope_ref_id: Option<String>,
    /// The syntax error, or warnings about a valid pattern that probably means something else.
    pub diagnostics: Vec<String>,
}

/// The time limit of resolution. Module discovery reads manifests, which may be many.
pub const TIME_MAX: Duration = Duration::from_secs(30);
/// The age limit of "recently changed", docs/contracts/scopes.md#universe.
const RECENT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The maximum length of an expression as a display name.
const DISPLAY_CHARS_MAX: usize = 200;
/// The maximum number of reported problems with manifests and stored scopes.
const PROBLEMS_MAX: usize = 20;

impl Workspace {
    /// Resolves a program, strictly if it says so.
    ///
    /// ```
    /// use searchscope::{
    ///     Call, FileOptions, FindRequest, ScopeAtom, ScopeContext, ScopeProgram,
    ///     Workspace,
    /// };
    /// use std::sync::Arc;
    /// # fn main() -> searchscope::Result<()> {
    /// # if !cfg!(feature = "modules") { return Ok(()); }
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::create_dir(dir.path().join("src")).unwrap();
    /// # std::fs::write(dir.path().join("src/a.rs"), "fn main() {}\n").unwrap();
    /// # std::fs::write(dir.path().join("b.rs"), "fn main() {}\n").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let atom = ScopeAtom::of_pattern("a", "file:src//*");
    /// let (program, call) = (ScopeProgram::of(atom), Call::new());
    /// let resolved = workspace.resolve_scope(&program, &ScopeContext::default(), &call)?;
    /// let mut files = FileOptions::default();
    /// files.path_filter = Some(Arc::new(resolved.scope));
    /// let (found, _) = workspace.run_find(&FindRequest::new(files, Some(100), Some(1 << 20)), &call)?;
    /// assert_eq!(found[0].path.display(), "src/a.rs");
    /// assert_eq!(found.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_param` for an invalid program and for atoms that do not resolve, with the parameter and
    /// the nearest names; `pattern_syntax` for a pattern; `not_found` and `access_denied` for
    /// directories and files; `timeout` if module discovery takes more than 30 seconds; `cancelled`;
    /// `unsupported` for changed files in a build without the feature `git`, and for everything else but
    /// all places, directories, files and those of the context in one without the feature `modules`.
    pub fn resolve_scope(
        &self,
        program: &ScopeProgram,
        context: &ScopeContext,
        call: &Call,
    ) -> Result<ResolvedScope> {
        resolve(self, program, context, &Budget::of(&call.within(TIME_MAX)), false)
    }

    /// Like [`Workspace::resolve_scope`], but reports atoms that do not resolve instead of failing.
    ///
    /// ```
    /// use searchscope::{Call, ScopeAtom, ScopeProgram, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # if !cfg!(feature = "modules") { return Ok(()); }
    /// # let dir = tempfile::tempdir().unwrap();
    /// let workspace = Workspace::open(dir.path())?;
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
    /// `invalid_param` for an invalid program, `timeout` and `cancelled`.
    pub fn describe_scope(
        &self,
        program: &ScopeProgram,
        context: &ScopeContext,
        call: &Call,
    ) -> Result<ResolvedScope> {
        resolve(self, program, context, &Budget::of(&call.within(TIME_MAX)), true)
    }

    /// Checks whether `text` is a pattern of the scope language, and resolves it in this workspace.
    ///
    /// ```
    /// use searchscope::{Call, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # if !cfg!(feature = "modules") { return Ok(()); }
    /// # let dir = tempfile::tempdir().unwrap();
    /// let workspace = Workspace::open(dir.path())?;
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
        // The diagnostic already names the atom.
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

/// Returns the outcome of an atom that did not resolve.
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
    let regions = resolver.known_regions().cloned().unwrap_or_default();
    let needs_roles = |leaf: &Leaf| matches!(leaf, Leaf::Production | Leaf::Test);
    Ok(Scope::new(Compiled {
        uses_roles: regions.decides_by_names() && formula.leaves.iter().any(needs_roles),
        dirs,
        bodies,
        body_leaves,
        list_leaves,
        module_filters: resolver.patterns.passing_modules.clone(),
        library_filters: resolver.patterns.library_names.clone(),
        files: FileLists::new(&resolver.lists),
        regions,
        recent_ns: i128::try_from(recent_ns).unwrap_or(i128::MAX),
        identity,
        thread_caches: ThreadCaches::default(),
        formula,
    }))
}

/// Returns a hash of the scope's definition, stable across calls.
fn identity(resolver: &Resolver<'_>, formula: &Formula) -> u64 {
    let mut hasher = FnvHasher::default();
    // The changed files may differ from page to page; the commit they are compared with may not.
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
    // A single name needs no quotes.
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

/// Returns problems with the files that describe modules and scopes.
pub(super) fn problems(resolver: &Resolver<'_>) -> Vec<String> {
    let modules = resolver.known_regions().map(|regions| &regions.modules.problems);
    let named = resolver.known_named().map(|named| &named.problems);
    first_of(modules.into_iter().chain(named).flatten().cloned().collect())
}

/// Truncates the messages, and counts the rest.
fn first_of(mut told: Vec<String>) -> Vec<String> {
    let n = told.len();
    told.truncate(PROBLEMS_MAX);
    if n > PROBLEMS_MAX {
        told.push(format!("and {} more like these", n - PROBLEMS_MAX));
    }
    told
}
