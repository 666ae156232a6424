//! Resolves atoms, one by one, into the steps of one formula.

use super::context::ScopeContext;
use super::discovery;
use super::discovery::stopped;
use super::module_scope::{module_name, module_ref, project_name, roots_of};
use super::named::{Holder, NamedScopes};
use super::patterns::{BY_NAMES, Named, Patterns, Surroundings};
use super::refs;
use super::request_atom::RequestAtom;
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::module::Module;
use crate::scope::compiled::Regions;
use crate::scope::compiled::{ALL, Formula, FormulaBuilder, Leaf, NONE, Step, number};
use crate::scope::language::ScopeShape;
use crate::scope::language::Standard;
use crate::scope::language::parse;
use crate::scope::language::{AtomTarget, FailureMode, ModuleFlavor, ScopeAtom};
use crate::suggest::{shorten, suggestion, unknown};
use crate::walk::stat_named;
use crate::workspace::fs::{FsError, Kind};
use crate::workspace::{RelPath, Workspace};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// docs/contracts/general.md#limits, for all atoms together.
const FILE_URLS_MAX: usize = 10_000;
/// The maximum length of a name in an expression.
const NAME_CHARS_MAX: usize = 120;
/// The scope that providers offer; so far the only one.
pub(super) const SELECTED_FILES: (&str, &str) = ("selected-files", "Selected Files");
/// The results that a person looks at in an IDE: it is in the catalog, and no host can resolve it.
pub(super) const USAGE_VIEW: (&str, &str) = ("usage-view", "Usage View");

/// A resolved atom.
pub(super) struct Resolved {
    pub step: Step,
    pub shape: ScopeShape,
    pub ref_id: String,
    pub name: String,
}

/// Resolves atoms.
pub(super) struct Resolver<'a> {
    pub workspace: &'a Workspace,
    pub budget: &'a Budget,
    context: &'a ScopeContext,
    allow_interactive: bool,
    regions: OnceCell<Arc<Regions>>,
    named: OnceCell<Arc<NamedScopes>>,
    pub formula: FormulaBuilder,
    pub patterns: Patterns,
    pub lists: Vec<Vec<RelPath>>,
    n_file_urls: usize,
    /// The lists of changed files, each with its revision.
    pub changed: Vec<(u32, Option<String>)>,
    /// Whether all of them are complete.
    pub is_complete: bool,
    open_files: Option<u32>,
    /// The steps of standard and provider scopes that use the context.
    known: HashMap<&'static str, Step>,
}

impl<'a> Resolver<'a> {
    pub(in crate::scope) fn new(
        workspace: &'a Workspace,
        budget: &'a Budget,
        context: &'a ScopeContext,
        allow_interactive: bool,
    ) -> Result<Resolver<'a>> {
        let mut resolver = Resolver {
            workspace,
            budget,
            context,
            allow_interactive,
            regions: OnceCell::new(),
            named: OnceCell::new(),
            formula: FormulaBuilder::default(),
            patterns: Patterns::default(),
            lists: Vec::new(),
            n_file_urls: 0,
            changed: Vec::new(),
            is_complete: true,
            open_files: None,
            known: HashMap::new(),
        };
        if let Some(files) = &context.open_files {
            let files = resolver.context_files("context.openFiles", files)?;
            resolver.open_files = Some(resolver.list(files));
        }
        Ok(resolver)
    }

    /// Returns the formula of `steps`.
    pub(in crate::scope) fn finish(&mut self, steps: Vec<Step>) -> Formula {
        std::mem::take(&mut self.formula).finish(steps)
    }

    /// Returns the modules and libraries, which are discovered on first use.
    pub(super) fn regions(&self) -> Result<&Arc<Regions>> {
        if self.regions.get().is_none() {
            let modules = discovery::modules(self.workspace, self.budget)?;
            let _ = self.regions.set(Arc::new(Regions::new(modules)));
        }
        Ok(self.regions.get_or_init(Arc::default))
    }

    /// Returns the modules and libraries if they were needed.
    pub(super) fn known_regions(&self) -> Option<&Arc<Regions>> {
        self.regions.get()
    }

    /// Returns the stored scopes, which are read on first use.
    pub(super) fn named(&self) -> Result<&Arc<NamedScopes>> {
        if self.named.get().is_none() {
            let named = discovery::named_scopes(self.workspace, self.budget)?;
            let _ = self.named.set(Arc::new(named));
        }
        Ok(self.named.get_or_init(Arc::default))
    }

    pub(super) fn known_named(&self) -> Option<&Arc<NamedScopes>> {
        self.named.get()
    }

    /// Returns the name of the module that contains the host's current file.
    pub(super) fn current_module(&self) -> Result<Option<&str>> {
        let Some(file) = &self.context.current_file else { return Ok(None) };
        let path = refs::path_of(self.workspace, "context.currentFile", file)?;
        Ok(self.regions()?.module_at(&path))
    }

    /// Resolves the atom at `place`, the prefix of its field names in errors.
    pub(super) fn atom(&mut self, place: &str, atom: &ScopeAtom) -> Result<Resolved> {
        self.budget.poll_clock().map_err(|Stopped| stopped(self.budget))?;
        let atom = RequestAtom { place, atom };
        let resolved = match &atom.atom.target {
            AtomTarget::Standard { id } => self.standard(&atom, id),
            AtomTarget::Module { name, flavor } => self.module(&atom, name, *flavor),
            AtomTarget::NamedScope { name, holder_id } => self.named_scope(&atom, name, holder_id),
            AtomTarget::Pattern { text } => self.pattern(&atom, text),
            AtomTarget::Directory { url, with_subdirectories } => {
                self.directory(&atom, url, *with_subdirectories)
            }
            AtomTarget::Files { urls } => self.files(&atom, urls),
            AtomTarget::ProviderScope { id } => self.provider(&atom, id),
            AtomTarget::GitChanged { since } => self.git_changed(&atom, since),
        }?;
        // Where the fields define the scope fully, they override a ref id from elsewhere.
        let is_told = match &atom.atom.target {
            AtomTarget::Pattern { .. } | AtomTarget::Files { .. } => true,
            AtomTarget::Directory { url, .. } => url.is_some(),
            _ => false,
        };
        let given = atom.atom.scope_ref_id.as_ref().filter(|_| is_told);
        if given.is_some_and(|given| self.normal_ref(given) != resolved.ref_id) {
            let id = shorten(&atom.atom.atom_id);
            self.patterns.told.insert(format!(
                "the scopeRefId of atom '{id}' contradicts its other fields, which take \
                 precedence: {}",
                resolved.ref_id
            ));
        }
        Ok(resolved)
    }

    /// Returns a ref id in the catalog's spelling: a directory has several.
    fn normal_ref(&self, ref_id: &str) -> String {
        let directory = ref_id.strip_prefix("directory:");
        let path = directory.and_then(|url| refs::path_of(self.workspace, "scopeRefId", url).ok());
        path.map_or(ref_id.to_owned(), |path| {
            format!("directory:{}", refs::file_url(self.workspace, &path))
        })
    }

    fn standard(&mut self, atom: &RequestAtom<'_>, id: &Option<String>) -> Result<Resolved> {
        let (param, id) = atom.named_by("standard:", "standardScopeId", id)?;
        let Some(standard) = Standard::of_id(&id) else {
            let ids: Vec<&str> = Standard::ALL.iter().map(|scope| scope.code()).collect();
            return Err(atom.error(&param, unknown("standard scope", &id, &ids)));
        };
        if standard.requires_user_input() && !self.allow_interactive {
            let why = format!("'{id}' depends on the user: set 'allowUiInteractiveScopes' to true");
            return Err(atom.error(&param, why));
        }
        let step = match self.known.get(standard.code()) {
            Some(step) => *step,
            None => self.standard_step(standard).map_err(|error| match error.param() {
                None => at_fault(atom, &param, error),
                Some(_) => error,
            })?,
        };
        self.known.insert(standard.code(), step);
        let local = standard == Standard::CurrentFile;
        Ok(Resolved {
            step,
            shape: if local { ScopeShape::Local } else { ScopeShape::Global },
            ref_id: format!("standard:{id}"),
            name: id,
        })
    }

    fn standard_step(&mut self, standard: Standard) -> Result<Step> {
        let missing = |field: &str, id: &str| {
            let message = format!("'{id}' needs 'context.{field}', which is absent");
            Error::new(ErrorKind::InvalidParam, message)
        };
        Ok(match standard {
            Standard::AllPlaces => Step::Const(ALL),
            Standard::ProjectFiles => self.fact(Leaf::Project)?,
            Standard::ProjectAndLibraries => self.project_and_libraries()?,
            Standard::Production => self.source_fact(Leaf::Production)?,
            Standard::Tests => self.source_fact(Leaf::Test)?,
            Standard::Scratches => {
                let why =
                    "'Scratches and Consoles' contains nothing: an IDE keeps them outside the root";
                self.patterns.told.insert(why.to_owned());
                Step::Const(NONE)
            }
            Standard::RecentlyChanged => {
                let project = self.fact(Leaf::Project)?;
                let recent = self.formula.leaf(Leaf::Recent);
                self.formula.define(vec![project, recent, Step::And(2)])
            }
            Standard::OpenFiles => {
                let list = self.open_files.ok_or_else(|| missing("openFiles", standard.code()))?;
                self.formula.leaf(Leaf::Files(list))
            }
            Standard::RecentlyViewed => {
                let context = self.context;
                let recent = context.recent_files.as_ref();
                let recent = recent.ok_or_else(|| missing("recentFiles", standard.code()))?;
                let mut files = self.context_files("context.recentFiles", recent)?;
                let open = context.open_files.as_deref().unwrap_or_default();
                files.extend(self.context_files("context.openFiles", open)?);
                let list = self.list(files);
                self.formula.leaf(Leaf::Files(list))
            }
            Standard::CurrentFile => {
                let file = self.context.current_file.as_ref();
                let file = file.ok_or_else(|| missing("currentFile", standard.code()))?;
                let file = refs::path_of(self.workspace, "context.currentFile", file)?;
                let list = self.list(vec![file]);
                self.formula.leaf(Leaf::Files(list))
            }
        })
    }

    /// Returns the step of a leaf that depends on modules.
    fn fact(&mut self, leaf: Leaf) -> Result<Step> {
        self.regions()?;
        Ok(self.formula.leaf(leaf))
    }

    /// Returns the step of a leaf that depends on sources; warns if the workspace has none.
    fn source_fact(&mut self, leaf: Leaf) -> Result<Step> {
        if self.regions()?.decides_by_names() {
            self.patterns.told.insert(BY_NAMES.to_owned());
        }
        Ok(self.formula.leaf(leaf))
    }

    fn project_and_libraries(&mut self) -> Result<Step> {
        let project = self.fact(Leaf::Project)?;
        let library = self.formula.leaf(Leaf::Library);
        Ok(self.formula.define(vec![project, library, Step::Or(2)]))
    }

    fn module(
        &mut self,
        atom: &RequestAtom<'_>,
        name: &Option<String>,
        flavor: Option<ModuleFlavor>,
    ) -> Result<Resolved> {
        let (param, name, flavor) = match &atom.atom.scope_ref_id {
            Some(ref_id) => {
                let param = atom.param("scopeRefId");
                let rest = atom.after("module:", &param, ref_id)?;
                let Some((name, flavor)) = rest.rsplit_once(':') else {
                    let why = format!("'{ref_id}' must be module:NAME:FLAVOR");
                    return Err(atom.error(&param, why));
                };
                let codes: Vec<&str> =
                    ModuleFlavor::ALL.iter().map(|flavor| flavor.code()).collect();
                let found = ModuleFlavor::ALL.iter().find(|known| known.code() == flavor);
                let flavor = found
                    .ok_or_else(|| atom.error(&param, unknown("module flavor", flavor, &codes)))?;
                (param, name.to_owned(), *flavor)
            }
            None => {
                let name = atom.required("moduleName", name)?;
                let flavor = flavor.unwrap_or(ModuleFlavor::Module);
                (atom.param("moduleName"), name, flavor)
            }
        };
        let refused = |error| at_fault(atom, &param, error);
        let regions = Arc::clone(self.regions().map_err(refused)?);
        let modules = &regions.modules.modules;
        let by_name = modules.iter().position(|module| module.name == name);
        let is_qualified = |module: &Module| !name.is_empty() && module.qualified_name == name;
        let qualified = || modules.iter().position(is_qualified);
        let Some(module) = by_name.or_else(qualified) else {
            if !regions.modules.is_of_ide && project_name(self.workspace).as_ref() == Some(&name) {
                return self.project_module(name, flavor);
            }
            let names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).collect();
            let problems = &regions.modules.problems;
            return Err(atom.error(&param, unknown_so_far("module", &name, &names, problems)));
        };
        let step = self.formula.leaf(Leaf::Roots(roots_of(&regions, module, flavor)));
        Ok(Resolved {
            step,
            shape: ScopeShape::Global,
            ref_id: module_ref(&name, flavor),
            name: module_name(&name, flavor),
        })
    }

    /// Resolves the module that a project without an IDE's modules is: all of its files.
    fn project_module(&mut self, name: String, flavor: ModuleFlavor) -> Result<Resolved> {
        use ModuleFlavor as F;
        let step = match flavor {
            F::ModuleWithLibraries | F::ModuleWithDependenciesAndLibraries => {
                self.project_and_libraries()?
            }
            F::Module | F::ModuleWithDependencies => self.fact(Leaf::Project)?,
        };
        Ok(Resolved {
            step,
            shape: ScopeShape::Global,
            ref_id: module_ref(&name, flavor),
            name: module_name(&name, flavor),
        })
    }

    fn named_scope(
        &mut self,
        atom: &RequestAtom<'_>,
        name: &Option<String>,
        holder_id: &Option<String>,
    ) -> Result<Resolved> {
        let (param, name, holder) = match &atom.atom.scope_ref_id {
            Some(ref_id) => {
                let param = atom.param("scopeRefId");
                let rest = atom.after("named:", &param, ref_id)?;
                let split = self.holder_and_name(rest);
                let (holder, name) = split.map_err(|error| at_fault(atom, &param, error))?;
                (param, name.to_owned(), holder.map(str::to_owned))
            }
            None => {
                let name = atom.required("namedScopeName", name)?;
                (atom.param("namedScopeName"), name, holder_id.clone())
            }
        };
        let (holder, named) = self.find_named(atom, &param, &name, holder.as_deref())?;
        let (regions, stored) = (Arc::clone(self.regions()?), Arc::clone(self.named()?));
        let around = self.around(&regions, &stored);
        let step = self.patterns.named_step(named, &around, &mut self.formula);
        let step = step.map_err(|error| at_fault(atom, &param, error))?;
        let gate = self.project_and_libraries()?;
        Ok(Resolved {
            step: self.formula.define(vec![gate, step, Step::And(2)]),
            shape: ScopeShape::Global,
            ref_id: named_ref(holder, &name),
            name,
        })
    }

    /// Splits `HOLDER:NAME`. A text without a holder, or the name of a scope that contains a colon, is a name.
    fn holder_and_name<'t>(&self, text: &'t str) -> Result<(Option<&'t str>, &'t str)> {
        let Some((holder, name)) = text.split_once(':') else { return Ok((None, text)) };
        let is_holder = Holder::ALL.iter().any(|known| known.code() == holder);
        let named = self.named()?;
        let is_name = || Holder::ALL.iter().any(|holder| named.find(*holder, text).is_some());
        Ok(if !is_holder && is_name() { (None, text) } else { (Some(holder), name) })
    }

    fn around<'s>(&self, regions: &'s Regions, named: &'s NamedScopes) -> Surroundings<'s>
    where
        'a: 's,
    {
        Surroundings {
            budget: self.budget,
            workspace: self.workspace,
            regions,
            named,
            open_files: self.open_files,
        }
    }

    fn find_named(
        &self,
        atom: &RequestAtom<'_>,
        param: &str,
        name: &str,
        holder: Option<&str>,
    ) -> Result<(Holder, Named)> {
        let scopes = self.named().map_err(|error| at_fault(atom, param, error))?;
        let holders: Vec<Holder> = match holder {
            None => Holder::ALL.to_vec(),
            Some(id) => {
                let found = Holder::ALL.iter().find(|holder| holder.code() == id);
                let ids: Vec<&str> = Holder::ALL.iter().map(|holder| holder.code()).collect();
                let own = atom.param("namedScopeHolderId");
                let param = if atom.atom.scope_ref_id.is_some() { param } else { &own };
                let wrong = || atom.error(param, unknown("holder of named scopes", id, &ids));
                vec![*found.ok_or_else(wrong)?]
            }
        };
        let found: Vec<(Holder, Named)> = holders
            .iter()
            .filter_map(|holder| Some((*holder, scopes.find(*holder, name)?)))
            .collect();
        match found.as_slice() {
            [only] => Ok(*only),
            [] => {
                let names: Vec<&str> =
                    holders.iter().flat_map(|holder| scopes.names(*holder)).collect();
                let why = unknown_so_far("named scope", name, &names, &scopes.problems);
                Err(atom.error(param, why))
            }
            _ => {
                let ids: Vec<&str> = found.iter().map(|(holder, _)| holder.code()).collect();
                let why = format!(
                    "'{name}' has several holders: name one in 'namedScopeHolderId': {}",
                    ids.join(", ")
                );
                Err(atom.error(param, why))
            }
        }
    }

    fn pattern(&mut self, atom: &RequestAtom<'_>, text: &Option<String>) -> Result<Resolved> {
        let text = match (text, &atom.atom.scope_ref_id) {
            (None, Some(_)) => {
                let why = "a ref id contains only the hash of a pattern; give 'patternText'";
                return Err(atom.error(&atom.param("scopeRefId"), why.to_owned()));
            }
            (text, _) => atom.required("patternText", text)?,
        };
        let param = atom.param("patternText");
        let set = parse(&text).map_err(|error| {
            let hint = error.hint.as_ref().map_or(String::new(), |hint| format!("; {hint}"));
            let reason = format!("{}{hint}", error.message());
            Error::at_param(ErrorKind::PatternSyntax, &*param, reason).with_span(error.span)
        })?;
        let normalized = set.text();
        let refused = |error| at_fault(atom, &param, error);
        let regions = Arc::clone(self.regions().map_err(refused)?);
        let stored = Arc::clone(self.named().map_err(refused)?);
        let around = self.around(&regions, &stored);
        let steps = self.patterns.steps(set, &around, &mut self.formula);
        let steps = steps.map_err(|error| at_fault(atom, &param, error))?;
        let gate = self.project_and_libraries()?;
        let step = self.formula.define(steps);
        Ok(Resolved {
            step: self.formula.define(vec![gate, step, Step::And(2)]),
            shape: ScopeShape::Global,
            ref_id: format!("pattern:{}", refs::hash(&normalized)),
            name: normalized,
        })
    }

    fn directory(
        &mut self,
        atom: &RequestAtom<'_>,
        url: &Option<String>,
        deep: bool,
    ) -> Result<Resolved> {
        let (param, url) = match (url, &atom.atom.scope_ref_id) {
            (None, Some(ref_id)) => {
                let param = atom.param("scopeRefId");
                let url = atom.after("directory:", &param, ref_id)?.to_owned();
                (param, url)
            }
            (url, _) => (atom.param("directoryUrl"), atom.required("directoryUrl", url)?),
        };
        let path = self.stat(&param, &url, Kind::Dir)?;
        let shown = path.display().into_owned();
        let name =
            if deep { format!("Directory {shown}") } else { format!("Directory {shown} (flat)") };
        let ref_id = format!("directory:{}", refs::file_url(self.workspace, &path));
        let step = self.dir(path, deep);
        Ok(Resolved { step, shape: ScopeShape::Global, ref_id, name })
    }

    fn files(&mut self, atom: &RequestAtom<'_>, urls: &[String]) -> Result<Resolved> {
        let param = atom.param("fileUrls");
        if urls.is_empty() {
            let why = match atom.atom.scope_ref_id {
                Some(_) => "a ref id contains only the hash of a list; give 'fileUrls'",
                None => "the list of files must not be empty",
            };
            return Err(atom.error(&param, why.to_owned()));
        }
        self.n_file_urls += urls.len();
        if self.n_file_urls > FILE_URLS_MAX {
            let message =
                format!("'fileUrls' may have at most {FILE_URLS_MAX} URLs in all atoms together");
            return Err(Error::new(ErrorKind::InvalidParam, message).with_param(param));
        }
        let mut files = BTreeSet::new();
        for (index, url) in urls.iter().enumerate() {
            self.budget.poll().map_err(|Stopped| stopped(self.budget))?;
            files.insert(self.stat(&format!("{param}[{index}]"), url, Kind::File)?);
        }
        let mut urls: Vec<String> =
            files.iter().map(|path| refs::file_url(self.workspace, path)).collect();
        urls.sort();
        let name = match files.first() {
            Some(only) if files.len() == 1 => format!("File {}", only.display()),
            _ => format!("{} files", files.len()),
        };
        let list = self.list(files.into_iter().collect());
        Ok(Resolved {
            step: self.formula.leaf(Leaf::Files(list)),
            shape: ScopeShape::Global,
            ref_id: format!("files:{}", refs::hash(&urls.join("\n"))),
            name,
        })
    }

    fn provider(&mut self, atom: &RequestAtom<'_>, id: &Option<String>) -> Result<Resolved> {
        let (param, id) = match (&atom.atom.scope_ref_id, id) {
            (Some(ref_id), _) => (atom.param("scopeRefId"), ref_id.clone()),
            (None, id) => (atom.param("providerScopeId"), atom.required("providerScopeId", id)?),
        };
        let known = provider_ref(SELECTED_FILES);
        let usage_view = provider_ref(USAGE_VIEW);
        if id == usage_view {
            let why = format!(
                "'{}' is a view of an IDE and names no files here; name them in a FILES atom or in \
                 'context.selectedFiles'",
                USAGE_VIEW.1
            );
            return Err(atom.error(&param, why));
        }
        if id != known {
            return Err(atom.error(&param, unknown("provider scope", &id, &[&known, &usage_view])));
        }
        let Some(selected) = &self.context.selected_files else {
            let why =
                format!("'{}' needs 'context.selectedFiles', which is absent", SELECTED_FILES.1);
            return Err(atom.error(&param, why));
        };
        let name = SELECTED_FILES.1.to_owned();
        let shape = ScopeShape::Global;
        if let Some(step) = self.known.get(SELECTED_FILES.0) {
            return Ok(Resolved { step: *step, shape, ref_id: known, name });
        }
        let mut files = Vec::new();
        let mut steps = Vec::new();
        for (index, url) in selected.iter().enumerate() {
            self.budget.poll().map_err(|Stopped| stopped(self.budget))?;
            let param = format!("context.selectedFiles[{index}]");
            let path = refs::path_of(self.workspace, &param, url)?;
            match stat_named(self.workspace, &path).map_err(|error| error.with_param(&param))?.kind
            {
                Kind::Dir => steps.push(self.dir(path, true)),
                _ => files.push(path),
            }
        }
        let list = self.list(files);
        steps.push(self.formula.leaf(Leaf::Files(list)));
        steps.push(Step::Or(number(steps.len())));
        let step = self.formula.define(steps);
        self.known.insert(SELECTED_FILES.0, step);
        Ok(Resolved { step, shape, ref_id: known, name })
    }

    /// Returns the path that a caller names, which must exist and have the `wanted` kind.
    fn stat(&mut self, param: &str, url: &str, wanted: Kind) -> Result<RelPath> {
        let path = refs::path_of(self.workspace, param, url)?;
        let meta = stat_named(self.workspace, &path).map_err(|error| {
            let hint = suggestion(error.near());
            let reason = format!("{error}{hint}");
            error.with_reason_at(param, reason)
        })?;
        if meta.kind != wanted {
            let kind = if wanted == Kind::Dir { "a directory" } else { "a regular file" };
            let shown = path.display();
            let predicate = format!("must be {kind}: '{shown}'");
            return Err(Error::invalid_param(param, predicate).with_path(shown));
        }
        let shown = || shorten(&path.display());
        match self.workspace.fs().stat(&path, false) {
            Ok(itself) if itself.kind == wanted => {}
            Err(error @ FsError::Io(_)) => {
                let reason = format!("path '{}': {}", shown(), error.reason());
                return Err(Error::at_param(ErrorKind::Io, param, reason));
            }
            _ => {
                self.patterns.told.insert(format!(
                    "'{}' is reached through a symlink: only a search that follows symlinks finds \
                     it",
                    shown()
                ));
            }
        }
        Ok(path)
    }

    /// Returns the files that the context names; they may no longer exist.
    fn context_files(&self, param: &str, files: &[String]) -> Result<Vec<RelPath>> {
        if files.len() > FILE_URLS_MAX {
            let predicate = format!("may have at most {FILE_URLS_MAX} files, got {}", files.len());
            return Err(Error::invalid_param(param, predicate));
        }
        let files = files.iter().enumerate();
        files
            .map(|(index, file)| {
                self.budget.poll().map_err(|Stopped| stopped(self.budget))?;
                refs::path_of(self.workspace, &format!("{param}[{index}]"), file)
            })
            .collect()
    }

    fn dir(&mut self, path: RelPath, deep: bool) -> Step {
        self.formula.leaf(Leaf::Dir { path, deep })
    }

    pub(super) fn list(&mut self, files: Vec<RelPath>) -> u32 {
        self.lists.push(files);
        number(self.lists.len() - 1)
    }
}

pub(super) fn named_ref(holder: Holder, name: &str) -> String {
    format!("named:{}:{name}", holder.code())
}

/// Returns the ref id of a provider's scope.
pub(super) fn provider_ref((id, name): (&str, &str)) -> String {
    format!("provider:predefined:{}", refs::hash(&format!("{id}|{name}")))
}

/// Returns a name as expressions show it: quoted if it contains blanks, cut if long.
pub(super) fn in_expression(name: &str) -> String {
    let mut short: String = name.chars().take(NAME_CHARS_MAX).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    let is_plain = !short.contains(|c: char| c.is_whitespace() || c == '\'');
    if is_plain { short } else { format!("'{short}'") }
}

/// Attributes an error to a field, unless the field is not its cause.
fn at_fault(atom: &RequestAtom<'_>, param: &str, error: Error) -> Error {
    match may_be_forgiven(&error) {
        _ if error.kind() == ErrorKind::Unsupported => error.with_param(param),
        true => atom.error(param, error.message().to_owned()),
        false => error,
    }
}

/// Returns whether a program that is not strict may skip or empty an atom that failed with `error`.
pub(super) fn may_be_forgiven(error: &Error) -> bool {
    !matches!(error.kind(), ErrorKind::Cancelled | ErrorKind::Timeout | ErrorKind::Internal)
}

/// Returns the treatment of an atom that failed.
pub(super) fn failure_mode(atom: &ScopeAtom, default: FailureMode) -> FailureMode {
    atom.on_resolve_failure.unwrap_or(default)
}

/// Reports an unknown name, and that it may be defined in a file that could not be used.
fn unknown_so_far(what: &str, name: &str, known: &[&str], problems: &[String]) -> String {
    let unknown = unknown(what, name, known);
    match problems {
        [] => unknown,
        [only] => format!("{unknown}; it may be missing because of {only}"),
        [first, rest @ ..] => {
            format!("{unknown}; it may be missing because of {first} (and {} more)", rest.len())
        }
    }
}
