//! Compiles patterns, and the named scopes they refer to, into steps of a formula.

use super::anchors::Anchors;
use super::discovery::stopped;
use super::module_scope::project_name;
use super::named::{Holder, NamedScopes, Predefined, Stored};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::module::Module;
use crate::scope::compiled::NameFilter;
use crate::scope::compiled::Regions;
use crate::scope::compiled::{ALL, FormulaBuilder, Leaf, NONE, Step, Subject, number};
use crate::scope::language::parse;
use crate::scope::language::{Leaf as PatternLeaf, Op, PackageSet, Prefix};
use crate::suggest::{shorten, unknown};
use crate::wildcard::intellij::{Bodies, Separator};
use crate::workspace::Workspace;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

/// The diagnostic of scopes of roles that no module decides.
pub(super) const BY_NAMES: &str = "no module with source roots was found, so the names of files and directories \
     decide which files are production code and which are tests";

/// The maximum number of leaves, references and operators in all patterns of a scope, including those
/// they refer to.
const OPS_MAX: usize = 100_000;
/// The maximum number of names in the message about a circle.
const CIRCLE_MAX: usize = 20;
/// The maximum number of unknown names that are reported.
const TOLD_MAX: usize = 20;

/// State shared by the patterns of a scope.
#[derive(Default)]
pub(super) struct Patterns {
    bodies: HashMap<(Subject, String), u32>,
    /// The bodies of each subject, in the order of their numbers.
    texts: [Vec<String>; Subject::COUNT],
    module_filters: HashMap<String, ModuleFilter>,
    pub passing_modules: Vec<Vec<bool>>,
    library_filters: HashMap<String, u32>,
    pub library_names: Vec<NameFilter>,
    named: HashMap<Named, Step>,
    /// Warnings for the caller, without duplicates.
    pub told: BTreeSet<String>,
    n_told: usize,
    anchors: Anchors,
    n_ops: usize,
}

/// A module filter of a pattern.
#[derive(Clone, Copy, Debug)]
enum ModuleFilter {
    /// The number of the list of modules that pass.
    Modules(u32),
    /// The project itself: every file passes.
    Project,
}

/// A resolved named scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Named {
    Stored(Holder, usize),
    Predefined(Predefined),
}

/// The environment in which patterns are compiled.
pub(super) struct Surroundings<'a> {
    pub budget: &'a Budget,
    pub workspace: &'a Workspace,
    pub regions: &'a Regions,
    pub named: &'a NamedScopes,
    /// The list of the host's open files, if the context has them.
    pub open_files: Option<u32>,
}

/// A named scope whose references are being resolved.
struct Frame {
    named: Option<Named>,
    set: PackageSet,
    next: usize,
}

impl Patterns {
    /// Returns the steps of a pattern.
    ///
    /// # Errors
    ///
    /// `invalid_param` when named scopes refer to each other in a cycle.
    pub(super) fn steps(
        &mut self,
        set: PackageSet,
        around: &Surroundings<'_>,
        formula: &mut FormulaBuilder,
    ) -> Result<Vec<Step>> {
        self.run(Frame { named: None, set, next: 0 }, around, formula)
    }

    /// Returns the step of a named scope, with or without libraries.
    pub(super) fn named_step(
        &mut self,
        named: Named,
        around: &Surroundings<'_>,
        formula: &mut FormulaBuilder,
    ) -> Result<Step> {
        let predefined = match named {
            Named::Predefined(predefined) => predefined,
            Named::Stored(holder, index) => {
                let stored = around.named.at(holder, index);
                let set = parse(&stored.pattern).map_err(|error| {
                    let message = format!(
                        "the named scope '{}' is not a valid pattern: {}",
                        stored.name,
                        error.message()
                    );
                    Error::new(ErrorKind::PatternSyntax, message)
                })?;
                let steps =
                    self.run(Frame { named: Some(named), set, next: 0 }, around, formula)?;
                return Ok(formula.define(steps));
            }
        };
        Ok(self.predefined_step(predefined, around, formula))
    }

    /// Hashes the texts of all bodies and filters.
    pub(super) fn hash_texts(&self, hasher: &mut impl Hasher) {
        self.texts.hash(hasher);
        self.passing_modules.hash(hasher);
        let mut filters: Vec<(&u32, &String)> =
            self.library_filters.iter().map(|(text, index)| (index, text)).collect();
        filters.sort_unstable();
        filters.hash(hasher);
    }

    /// Returns the number of bodies of each subject.
    pub(super) fn n_bodies(&self) -> [usize; Subject::COUNT] {
        std::array::from_fn(|subject| self.texts[subject].len())
    }

    /// Compiles the bodies of each subject into an automaton.
    pub(super) fn automata(&self, param: &str) -> Result<[Bodies; Subject::COUNT]> {
        let made = Subject::ALL.map(|subject| {
            let separator =
                if subject == Subject::Class { Separator::Dot } else { Separator::Slash };
            let texts: Vec<&str> =
                self.texts[subject as usize].iter().map(String::as_str).collect();
            Bodies::new(separator, &texts)
        });
        let [a, b, c, d, e] = made;
        let too_complex = |why: crate::wildcard::intellij::TooComplex| {
            let message = format!("the patterns together exceed a limit: {why}");
            Error::new(ErrorKind::PatternSyntax, message).with_param(param)
        };
        Ok([
            a.map_err(too_complex)?,
            b.map_err(too_complex)?,
            c.map_err(too_complex)?,
            d.map_err(too_complex)?,
            e.map_err(too_complex)?,
        ])
    }

    /// Compiles `first` and everything it refers to, innermost first, on an explicit stack: stored
    /// scopes may refer to each other to any depth, and the stack also shows a circle.
    fn run(
        &mut self,
        first: Frame,
        around: &Surroundings<'_>,
        formula: &mut FormulaBuilder,
    ) -> Result<Vec<Step>> {
        let mut frames = vec![first];
        loop {
            around.budget.poll().map_err(|Stopped| stopped(around.budget))?;
            let Some(frame) = frames.last_mut() else { return Ok(Vec::new()) };
            if let Some(op) = frame.set.ops().get(frame.next) {
                frame.next += 1;
                let Op::Ref(name) = op else { continue };
                let Some(named) = self.look_up(name, around, formula) else { continue };
                if let Some(start) = frames.iter().position(|frame| frame.named == Some(named)) {
                    return Err(circle(&frames[start..], around));
                }
                let Named::Stored(holder, index) = named else { continue };
                let stored = around.named.at(holder, index);
                match parse(&stored.pattern) {
                    Ok(set) => frames.push(Frame { named: Some(named), set, next: 0 }),
                    Err(error) => {
                        self.told.insert(format!(
                            "the named scope '{}' is not a valid pattern and contains nothing: {}",
                            stored.name,
                            error.message()
                        ));
                        self.named.insert(named, Step::Const(NONE));
                    }
                }
                continue;
            }
            let Some(done) = frames.pop() else { return Ok(Vec::new()) };
            self.n_ops += done.set.ops().len();
            if self.n_ops > OPS_MAX {
                let message = format!("the patterns have more than {OPS_MAX} parts in total");
                return Err(Error::new(ErrorKind::PatternSyntax, message));
            }
            let steps = self.steps_of(&done.set, around, formula)?;
            match done.named.filter(|_| !frames.is_empty()) {
                Some(named) => {
                    let step = formula.define(steps);
                    self.named.insert(named, step);
                }
                None => return Ok(steps),
            }
        }
    }

    /// Returns the scope named by `$name`, unless its step is already known.
    fn look_up(
        &mut self,
        name: &str,
        around: &Surroundings<'_>,
        formula: &mut FormulaBuilder,
    ) -> Option<Named> {
        let named = around.named.look_up(name)?;
        if self.named.contains_key(&named) {
            return None;
        }
        if let Named::Predefined(predefined) = named {
            let step = self.predefined_step(predefined, around, formula);
            self.named.insert(named, step);
            return None;
        }
        Some(named)
    }

    fn predefined_step(
        &mut self,
        predefined: Predefined,
        around: &Surroundings<'_>,
        formula: &mut FormulaBuilder,
    ) -> Step {
        let is_role = matches!(predefined, Predefined::Production | Predefined::Tests);
        if is_role && around.regions.decides_by_names() {
            self.told.insert(BY_NAMES.to_owned());
        }
        let mut nothing = |why: &str| {
            self.told.insert(format!("the scope '{}' contains nothing: {why}", predefined.code()));
            Step::Const(NONE)
        };
        match predefined {
            Predefined::ProjectFiles => formula.leaf(Leaf::Project),
            Predefined::All => Step::Const(ALL),
            Predefined::NonProjectFiles => {
                let project = formula.leaf(Leaf::Project);
                formula.define(vec![project, Step::Not])
            }
            Predefined::Scratches => nothing("scratch files are kept by an IDE, outside the root"),
            Predefined::Production => formula.leaf(Leaf::Production),
            Predefined::Tests => formula.leaf(Leaf::Test),
            Predefined::Problems => nothing("only an IDE knows which files have errors"),
            Predefined::GeneratedFiles => formula.leaf(Leaf::Generated),
            Predefined::OpenFiles => match around.open_files {
                Some(list) => formula.leaf(Leaf::Files(list)),
                None => nothing("the context does not say which files are open"),
            },
        }
    }

    /// Returns the steps of a pattern whose references are all known.
    fn steps_of(
        &mut self,
        set: &PackageSet,
        around: &Surroundings<'_>,
        formula: &mut FormulaBuilder,
    ) -> Result<Vec<Step>> {
        let mut steps = Vec::with_capacity(set.ops().len());
        for op in set.ops() {
            around.budget.poll().map_err(|Stopped| stopped(around.budget))?;
            match op {
                Op::Leaf(leaf) => self.leaf_steps(leaf, around, formula, &mut steps)?,
                Op::Ref(name) => steps.push(self.ref_step(name, around)),
                Op::Not => steps.push(Step::Not),
                Op::And(n) => steps.push(Step::And(*n)),
                Op::Or(n) => steps.push(Step::Or(*n)),
            }
        }
        Ok(steps)
    }

    /// Counts one more mistake of a frequent kind, and returns whether to report it. A limit also bounds
    /// the time spent on finding the nearest names.
    fn is_worth_telling(&mut self) -> bool {
        self.n_told += 1;
        self.n_told <= TOLD_MAX
    }

    fn ref_step(&mut self, name: &str, around: &Surroundings<'_>) -> Step {
        let known = around.named.look_up(name).and_then(|named| self.named.get(&named));
        known.copied().unwrap_or_else(|| {
            if self.is_worth_telling() {
                let mut names = around.named.names(Holder::Local);
                names.extend(around.named.names(Holder::Shared));
                let unknown = unknown("scope", name, &names);
                self.told.insert(format!("${} contains nothing: {unknown}", shorten(name)));
            }
            Step::Const(NONE)
        })
    }

    fn leaf_steps(
        &mut self,
        leaf: &PatternLeaf,
        around: &Surroundings<'_>,
        formula: &mut FormulaBuilder,
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        let (kind, subject) = match leaf.prefix {
            Prefix::ProjectPath => (None, Subject::Project),
            Prefix::File => (Some(Leaf::Project), Subject::Content),
            Prefix::Ext => (Some(Leaf::Library), Subject::Library),
            Prefix::None => (Some(Leaf::Source), Subject::Class),
            Prefix::Src => (Some(Leaf::Production), Subject::Class),
            Prefix::Test => (Some(Leaf::Test), Subject::Class),
            Prefix::Lib => (Some(Leaf::Library), Subject::Class),
            Prefix::Problem => {
                let why = "'problem:' contains nothing: only an IDE knows which files have errors";
                self.told.insert(why.to_owned());
                steps.push(Step::Const(NONE));
                return Ok(());
            }
        };
        let first = steps.len();
        let is_library = kind == Some(Leaf::Library);
        steps.extend(kind.map(|kind| formula.leaf(kind)));
        let mut passing = None;
        let mut is_of_project = false;
        if let Some(filter) = &leaf.filter {
            match (is_library, self.module_filter_of(leaf, around)) {
                (false, Some(ModuleFilter::Modules(index))) => {
                    passing = Some(index as usize);
                    steps.push(formula.leaf(Leaf::Module(index)));
                }
                (false, Some(ModuleFilter::Project)) => is_of_project = true,
                (false, None) => {}
                (true, _) => {
                    steps.push(formula.leaf(Leaf::LibraryName(self.library_filter(filter))));
                }
            }
        }
        let passing = passing.map(|index| self.passing_modules[index].as_slice());
        let (regions, workspace) = (around.regions, around.workspace);
        let about = self.anchors.about(leaf, passing, regions, workspace, around.budget);
        let about = about.map_err(|Stopped| stopped(around.budget))?;
        if let Some(about) = about
            && self.is_worth_telling()
        {
            self.told.insert(about);
        }
        let n = number(steps.len() - first) + 1;
        let subjects = match leaf.prefix {
            Prefix::File => subjects_of_paths(regions, is_of_project),
            _ => &[subject],
        };
        for subject in subjects {
            let body = self.body(*subject, leaf.match_body());
            steps.push(formula.leaf(Leaf::Body(*subject, body)));
        }
        if subjects.len() > 1 {
            steps.push(Step::Or(number(subjects.len())));
        }
        if n > 1 {
            steps.push(Step::And(n));
        }
        Ok(())
    }

    fn body(&mut self, subject: Subject, text: &str) -> u32 {
        let texts = &mut self.texts[subject as usize];
        *self.bodies.entry((subject, text.to_owned())).or_insert_with(|| {
            texts.push(text.to_owned());
            number(texts.len() - 1)
        })
    }

    /// Returns the module filter of a pattern, if it has one and selects modules.
    fn module_filter_of(
        &mut self,
        leaf: &PatternLeaf,
        around: &Surroundings<'_>,
    ) -> Option<ModuleFilter> {
        if matches!(leaf.prefix, Prefix::Ext | Prefix::Lib) {
            return None;
        }
        let text = leaf.filter.as_deref()?;
        if let Some(known) = self.module_filters.get(text) {
            return Some(*known);
        }
        let filter = NameFilter::new(text);
        let modules = around.regions.modules.modules.iter();
        let passing: Vec<bool> = modules
            .clone()
            .map(|module| {
                filter.matches_module(&module.name, &module.group)
                    || filter.matches_module(&module.qualified_name, &[])
            })
            .collect();
        let is_none = !passing.contains(&true);
        // An IDE has one module for a workspace of npm or Cargo, which its root package is named as. Another
        // module of the build overrides the project, whose name depends on the directory of the clone.
        let is_whole = |(module, passes): (&Module, &bool)| {
            *passes && !module.is_of_import && module.content.iter().any(|at| at.path.is_root())
        };
        let is_project = (is_none || modules.clone().zip(&passing).any(is_whole))
            && !around.regions.modules.is_of_ide
            && project_name(around.workspace).is_some_and(|name| filter.matches_module(&name, &[]));
        if is_none && !is_project && self.is_worth_telling() {
            let names: Vec<&str> = modules.map(|module| module.name.as_str()).collect();
            let unknown = unknown("module", text, &names);
            self.told.insert(format!("[{}] matches no module: {unknown}", shorten(text)));
        }
        let filter = if is_project {
            ModuleFilter::Project
        } else {
            self.passing_modules.push(passing);
            ModuleFilter::Modules(number(self.passing_modules.len() - 1))
        };
        self.module_filters.insert(text.to_owned(), filter);
        Some(filter)
    }

    fn library_filter(&mut self, text: &str) -> u32 {
        let names = &mut self.library_names;
        *self.library_filters.entry(text.to_owned()).or_insert_with(|| {
            names.push(NameFilter::new(text));
            number(names.len() - 1)
        })
    }
}

/// Returns the paths that a `file:` pattern is compared with. Without the modules of an IDE, the path from the
/// project's root counts too; it is the only one if the project is the module.
fn subjects_of_paths(regions: &Regions, is_of_project: bool) -> &'static [Subject] {
    use Subject::{BuildProject, Content, Project};
    match (regions.modules.is_of_ide, regions.has_source_sets) {
        _ if is_of_project => &[Project],
        (true, _) => &[Content],
        (false, true) => &[Content, BuildProject, Project],
        (false, false) => &[Content, Project],
    }
}

/// Returns the error for named scopes that refer to each other in a circle.
fn circle(frames: &[Frame], around: &Surroundings<'_>) -> Error {
    let names = frames.iter().chain(frames.first()).filter_map(|frame| match frame.named? {
        Named::Stored(holder, index) => Some(around.named.at(holder, index).name.as_str()),
        Named::Predefined(predefined) => Some(predefined.code()),
    });
    let names: Vec<String> = names.map(|name| format!("${}", shorten(name))).collect();
    let shown = match names.as_slice() {
        [first @ .., last] if first.len() > CIRCLE_MAX => {
            format!("{} -> … -> {last}", first[..CIRCLE_MAX].join(" -> "))
        }
        all => all.join(" -> "),
    };
    let message = format!("named scopes refer to each other in a cycle: {shown}");
    Error::new(ErrorKind::InvalidParam, message)
}

impl NamedScopes {
    pub(super) fn at(&self, holder: Holder, index: usize) -> &Stored {
        &self.all(holder)[index]
    }

    /// Finds a scope by name: local, else shared, else predefined.
    fn look_up(&self, name: &str) -> Option<Named> {
        let holders = [Holder::Local, Holder::Shared].into_iter();
        let mut found = holders.filter_map(|holder| self.find(holder, name));
        found.next()
    }

    /// Finds a holder's scope by name: stored, else predefined.
    pub(super) fn find(&self, holder: Holder, name: &str) -> Option<Named> {
        let stored = self.place(holder, name);
        let predefined = || {
            let scopes = if holder == Holder::Shared { Predefined::ALL } else { &[] };
            scopes.iter().find(|scope| scope.code() == name).map(|scope| Named::Predefined(*scope))
        };
        stored.map(|index| Named::Stored(holder, index)).or_else(predefined)
    }
}
