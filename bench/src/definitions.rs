//! Definitions of the measurements as data: the files of `definitions`, the goals, the engines, and
//! which of them this machine has.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The peer that is our own engine without an index, and its resident program.
pub(crate) const OFF: &str = "off";

/// One file of `definitions`: questions about one subject.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    /// Name of the file, which also selects it on the command line.
    #[serde(skip)]
    pub(crate) name: String,
    pub(crate) title: String,
    /// Corpus of the cases that name none.
    pub(crate) corpus: String,
    /// Version of the corpus for which the counts hold; with another version they are not checked.
    pub(crate) counts_of: Option<String>,
    /// Whether a quick run includes it: its corpora need no download.
    #[serde(default)]
    pub(crate) quick: bool,
    pub(crate) case: Vec<Case>,
}

/// One query, sent to our engine and to peers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// Modes. The case runs once in each, under a name that ends in the mode.
    #[serde(default)]
    pub(crate) states: Vec<Mode>,
    pub(crate) corpus: Option<String>,
    #[serde(default)]
    pub(crate) tool: String,
    #[serde(default)]
    pub(crate) args: serde_json::Value,
    /// Several calls in one workspace, instead of `tool` and `args`.
    #[serde(default)]
    pub(crate) steps: Vec<Step>,
    /// Options of the workspace.
    #[serde(default = "empty_object")]
    pub(crate) options: serde_json::Value,
    #[serde(default)]
    pub(crate) mode: Mode,
    /// Number of repetitions in one sample; more than one if the query takes only a few milliseconds.
    #[serde(default = "one")]
    pub(crate) repeat: u32,
    /// Expected number of results.
    pub(crate) count: Option<usize>,
    #[serde(default)]
    pub(crate) compare: Compare,
    /// File that is written before each query.
    pub(crate) edit: Option<Edit>,
    pub(crate) peers: Vec<Peer>,
}

/// One of several calls.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) tool: String,
    pub(crate) args: serde_json::Value,
    /// The peer's engine, followed by its arguments.
    pub(crate) peer: Vec<String>,
}

/// File to write. `{word}` in its text, in the arguments and in those of the peers is a new word each
/// time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Peer and the engine of ours that it is compared with: one row of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Peer {
    /// Name in `engines.toml`; in a case with steps only its resident program is used.
    pub(crate) engine: String,
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// A resident program of ours, or the engine in `engines.toml` that starts our command with `ours_args`.
    #[serde(default = "rust")]
    pub(crate) ours: String,
    #[serde(default)]
    pub(crate) ours_args: Vec<String>,
    /// Name in `goals.toml`.
    pub(crate) goal: Option<String>,
    /// Goals of a case with states, by state.
    #[serde(default)]
    pub(crate) goals: BTreeMap<Mode, String>,
    /// Maximum number of runs, for a row that takes seconds.
    runs_max: Option<usize>,
    /// Label in the chart; the chart omits rows without one.
    pub(crate) chart: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    /// Each call opens and closes a new workspace, which is part of its time.
    #[default]
    Cold,
    /// All calls of one sample share a new workspace.
    Session,
    /// One workspace is kept from sample to sample.
    Warm,
    /// As warm, with the index built before the first call.
    Watched,
    /// As watched, but events of files are lost before each call, so that the index compares stamps.
    Swept,
    /// As watched, with an unsaved text that each call lays over the tree.
    Overlaid,
    /// A new workspace, whose index is being built while the call runs.
    Building,
    /// The sample is the time to build the index of a new workspace.
    Built,
}

impl Mode {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Mode::Cold => "cold",
            Mode::Session => "session",
            Mode::Warm => "warm",
            Mode::Watched => "watched",
            Mode::Swept => "swept",
            Mode::Overlaid => "overlaid",
            Mode::Building => "building",
            Mode::Built => "built",
        }
    }

    /// Returns the mode for an engine without an index.
    pub(crate) const fn without_index(self) -> Mode {
        match self {
            Mode::Cold | Mode::Session | Mode::Warm => self,
            Mode::Watched | Mode::Swept | Mode::Overlaid | Mode::Building | Mode::Built => {
                Mode::Warm
            }
        }
    }

    /// Reports whether the mode requires a workspace with an index.
    const fn needs_index(self) -> bool {
        !matches!(self, Mode::Cold | Mode::Session | Mode::Warm)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Compare {
    /// The same results, in any order.
    #[default]
    Set,
    /// Ours are the first results of the peer, in its order.
    First,
    /// The same files; line numbers and texts are not compared.
    Files,
}

/// A row of the table of goals.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Goal {
    pub(crate) name: String,
    pub(crate) must: f64,
    pub(crate) goal: f64,
    #[serde(default)]
    pub(crate) of: GoalOf,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GoalOf {
    /// Ratio of the wall times.
    #[default]
    Wall,
    /// Peak memory of ours above its baseline, in MiB.
    Memory,
    /// Memory that ours keeps above the peer's, as a percentage of the bytes of the files.
    Share,
}

/// Commands of a peer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Engine {
    /// Resident program that runs the peer: `spawn`, `node-spawn`, or one of its own.
    pub(crate) resident: String,
    /// Program with the arguments that make it search the same files as ours; empty if `resident` is the
    /// peer.
    #[serde(default)]
    pub(crate) command: Vec<String>,
    /// Command that prints its version.
    #[serde(default)]
    pub(crate) version: Vec<String>,
}

/// Facts about this machine and this run, from `bench/run.mjs`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setting {
    pub(crate) cache: PathBuf,
    pub(crate) date: String,
    pub(crate) cpu: String,
    pub(crate) runs: usize,
    pub(crate) quick: bool,
    /// Definitions to run; empty for all.
    pub(crate) names: Vec<String>,
    pub(crate) corpora: BTreeMap<String, Corpus>,
    pub(crate) residents: BTreeMap<String, Program>,
    /// Paths of programs that are not started by their name.
    pub(crate) programs: BTreeMap<String, String>,
}

/// Tree to search. Without a root, `version` has the reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Corpus {
    pub(crate) root: Option<PathBuf>,
    pub(crate) version: String,
}

/// Resident program. Without a command, `version` has the reason.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    #[serde(default)]
    pub(crate) command: Vec<String>,
    #[serde(default)]
    pub(crate) version: String,
}

/// All definitions, goals and engines.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) definitions: Vec<Definition>,
    pub(crate) goals: Vec<Goal>,
    pub(crate) engines: BTreeMap<String, Engine>,
}

impl Plan {
    /// Reads `definitions`, `goals.toml` and `engines.toml` of the directory.
    pub(crate) fn read(bench: &Path) -> Result<Plan, String> {
        let mut definitions = Vec::new();
        for name in names(bench)? {
            let path = bench.join("definitions").join(&name).with_extension("toml");
            let definition: Definition = parse(&path)?;
            let case = definition.case.iter().flat_map(Case::in_states).collect();
            definitions.push(Definition { name, case, ..definition });
        }
        let plan = Plan {
            definitions,
            goals: parse::<Goals>(&bench.join("goals.toml"))?.goal,
            engines: parse(&bench.join("engines.toml"))?,
        };
        plan.check()?;
        Ok(plan)
    }

    pub(crate) fn goal(&self, name: &str) -> Option<&Goal> {
        self.goals.iter().find(|goal| goal.name == name)
    }

    /// Checks that every name that a case uses is known, and that every goal has a case.
    fn check(&self) -> Result<(), String> {
        let cases = self.definitions.iter().flat_map(|definition| &definition.case);
        let peers = cases.clone().flat_map(|case| case.peers.iter().map(move |peer| (case, peer)));
        for (case, peer) in peers.clone() {
            let engines = case.steps.iter().map(|step| &step.peer[0]).chain([&peer.engine]);
            if let Some(engine) = engines.into_iter().find(|name| !self.engines.contains_key(*name))
            {
                return Err(format!("{}: unknown engine {engine:?}", case.name));
            }
            if let Some(goal) = peer.goal.as_ref().filter(|goal| self.goal(goal).is_none()) {
                return Err(format!("{}: unknown goal {goal:?}", case.name));
            }
        }
        for goal in &self.goals {
            if !peers.clone().any(|(_, peer)| peer.goal.as_ref() == Some(&goal.name)) {
                return Err(format!("no case uses the goal {:?}", goal.name));
            }
        }
        Ok(())
    }
}

impl Peer {
    pub(crate) fn runs(&self, setting: &Setting) -> usize {
        self.runs_max.unwrap_or(usize::MAX).min(setting.runs)
    }
}

impl Case {
    /// Returns the case in each of its states, or as it is where it has none.
    fn in_states(&self) -> Vec<Case> {
        if self.states.is_empty() {
            return vec![self.clone()];
        }
        let in_state = |&mode: &Mode| {
            let state = if mode == Mode::Warm { "off" } else { mode.word() };
            let mut case = Case { name: format!("{}, {state}", self.name), mode, ..self.clone() };
            if mode.needs_index() {
                case.options["index"] = "auto".into();
            } else {
                // It would be compared with itself.
                case.peers.retain(|peer| peer.engine != OFF);
            }
            for peer in &mut case.peers {
                peer.goal = peer.goals.get(&mode).cloned();
            }
            case
        };
        self.states.iter().map(in_state).filter(|case| !case.peers.is_empty()).collect()
    }

    /// Returns the tools and arguments of one sample, before they are repeated.
    pub(crate) fn calls(&self) -> Vec<(&str, &serde_json::Value)> {
        if self.steps.is_empty() {
            return vec![(&self.tool, &self.args)];
        }
        self.steps.iter().map(|step| (step.tool.as_str(), &step.args)).collect()
    }
}

/// Returns the names of the definitions, sorted.
fn names(bench: &Path) -> Result<Vec<String>, String> {
    let directory = bench.join("definitions");
    let entries = std::fs::read_dir(&directory).map_err(|e| format!("{directory:?}: {e}"))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let is_toml = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<String> = paths.filter(is_toml).filter_map(stem).collect();
    names.sort();
    Ok(names)
}

#[derive(Deserialize)]
struct Goals {
    goal: Vec<Goal>,
}

fn parse<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

fn empty_object() -> serde_json::Value {
    serde_json::json!({})
}

fn one() -> u32 {
    1
}

fn rust() -> String {
    "rust".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan::read(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the definitions are right")
    }

    #[test]
    fn every_goal_has_a_case_and_every_name_is_known() {
        let mut plan = plan();
        assert_eq!(plan.goals.len(), 29);
        assert!(plan.goals.iter().all(|goal| goal.goal < goal.must));
        plan.goals.push(Goal { name: "new".into(), must: 1.0, goal: 0.5, of: GoalOf::Wall });
        assert_eq!(plan.check(), Err("no case uses the goal \"new\"".to_owned()));
        plan.goals.pop();
        plan.engines.remove("git grep");
        assert!(plan.check().is_err_and(|why| why.contains("git grep")));
    }

    #[test]
    fn a_case_is_known_by_its_name() {
        for definition in plan().definitions {
            let mut names: Vec<_> = definition.case.iter().map(|case| &case.name).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), definition.case.len(), "{}", definition.name);
        }
    }

    #[test]
    fn a_case_with_states_runs_in_each_state() {
        let text = "
title = 'x'
corpus = 'x'
case = [{ name = 'x', states = ['watched', 'warm'], peers = [
    { engine = 'rg', goals = { watched = 'g' } }, { engine = 'off', goals = { watched = 'o' } } ] }]";
        let definition: Definition = toml::from_str(text).expect("it is right");
        let cases = definition.case[0].in_states();
        let of = |case: &Case| {
            let goals = case.peers.iter().map(|peer| peer.goal.clone()).collect::<Vec<_>>();
            (case.name.clone(), case.options.to_string(), goals)
        };
        let goals = |names: &[&str]| names.iter().map(|name| Some((*name).into())).collect();
        assert_eq!(
            of(&cases[0]),
            ("x, watched".into(), r#"{"index":"auto"}"#.into(), goals(&["g", "o"]))
        );
        assert_eq!(of(&cases[1]), ("x, off".into(), "{}".into(), vec![None]));
        assert_eq!(cases.len(), 2);
    }

    #[test]
    fn unknown_fields_are_refused() {
        let text = "title = 'x'\ncorpus = 'linux'\ncolour = 'red'\ncase = []";
        assert!(toml::from_str::<Definition>(text).is_err());
    }
}
