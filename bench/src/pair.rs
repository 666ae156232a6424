//! One row of a table: our engine and one peer with the same query. The answers are compared first; then
//! the two run in turn.

use crate::compare::{compare, lines_of_output, lines_of_reply};
use crate::definitions::{
    Case, Corpus, Engine, Goal, GoalOf, Mode, OFF, Peer, Plan, Program, Setting,
};
use crate::measure::{Sample, Spread, median_ratio};
use crate::protocol::{Request, Resident};
use searchscope::{Call, FileOptions, FindRequest, FoundFile, Workspace};
use std::path::{Path, PathBuf};

/// Outcome of a row.
#[derive(Debug)]
pub(crate) enum Outcome {
    Measured(Measured),
    /// The answers differ in this way, so the row has no time.
    Wrong(String),
    /// This program or tree is missing.
    Missing(String),
}

#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) n_results: usize,
    pub(crate) ours: Figures,
    pub(crate) peer: Figures,
    pub(crate) wall_ratio: f64,
    pub(crate) cpu_ratio: f64,
    /// Memory that ours keeps above the peer's, in KiB.
    pub(crate) kept_kib: f64,
    /// The same as a percentage of the source, for goals about it.
    pub(crate) share_percent: Option<f64>,
}

/// Times and memory of one side.
#[derive(Debug)]
pub(crate) struct Figures {
    pub(crate) wall_ms: Spread,
    pub(crate) cpu_ms: f64,
    pub(crate) peak_mib: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Goal,
    Must,
    /// Distance to `must`.
    Missed(f64),
}

impl Goal {
    pub(crate) fn judge(&self, measured: &Measured) -> Verdict {
        let reached = match self.of {
            GoalOf::Wall => measured.wall_ratio,
            GoalOf::Memory => measured.ours.peak_mib,
            GoalOf::Share => measured.share_percent.unwrap_or(f64::INFINITY),
        };
        if reached <= self.goal {
            Verdict::Goal
        } else if reached <= self.must {
            Verdict::Must
        } else {
            Verdict::Missed(reached - self.must)
        }
    }
}

/// One side of a row: its program, and its form of each call.
struct Side {
    program: Program,
    calls: Vec<(String, String)>,
    speaks_json: bool,
    mode: Mode,
    options: serde_json::Value,
}

/// Our program with an index, kept from row to row: building the index takes longer than a row.
#[derive(Debug, Default)]
pub(crate) struct Kept(Option<(String, Resident)>);

pub(crate) fn measure(
    plan: &Plan,
    setting: &Setting,
    case: &Case,
    corpus: &Corpus,
    counts: bool,
    peer: &Peer,
    kept: &mut Kept,
) -> Outcome {
    let Some(root) = &corpus.root else {
        return Outcome::Missing(corpus.version.clone());
    };
    let sides = ours(plan, setting, case, peer)
        .and_then(|ours| Ok((ours, theirs(plan, setting, case, peer)?)));
    let (ours, theirs) = match sides {
        Ok(sides) => sides,
        Err(missing) => return Outcome::Missing(missing),
    };
    let mut pair = match Pair::start(setting, case, root, [ours, theirs], kept) {
        Ok(pair) => pair,
        Err(missing) => return Outcome::Missing(missing),
    };
    let measured = pair.agree(counts).and_then(|n_results| pair.run(peer.runs(setting), n_results));
    pair.clean_up(kept);
    let goal = peer.goal.as_ref().and_then(|goal| plan.goal(goal));
    let measured = measured.and_then(|measured| match goal {
        Some(goal) if goal.of == GoalOf::Share => {
            let share = measured.kept_kib * 1024.0 / source_bytes(root)?;
            Ok(Measured { share_percent: Some(share * 100.0), ..measured })
        }
        _ => Ok(measured),
    });
    measured.map_or_else(Outcome::Wrong, Outcome::Measured)
}

fn ours(plan: &Plan, setting: &Setting, case: &Case, peer: &Peer) -> Result<Side, String> {
    if let Some(engine) = plan.engines.get(&peer.ours) {
        return started(plan, setting, case, (engine, &peer.ours, &peer.ours_args));
    }
    let calls = case.calls().into_iter().map(|(tool, args)| (tool.to_owned(), args.to_string()));
    let program = resident(setting, &peer.ours)?;
    let (mode, options) = (case.mode, case.options.clone());
    Ok(Side { program, calls: calls.collect(), speaks_json: true, mode, options })
}

/// Returns the total size of the files that an index may cover.
fn source_bytes(root: &Path) -> Result<f64, String> {
    let workspace = Workspace::open(root).map_err(|e| e.to_string())?;
    let files = FileOptions { hidden: true, ..Default::default() };
    let request = FindRequest::new(files, None, None);
    let (found, _) = workspace.run_find(&request, &Call::new()).map_err(|e| e.to_string())?;
    let size = |file: &FoundFile| {
        let path = root.join(file.path.display().as_ref());
        path.symlink_metadata().map_or(0, |metadata| metadata.len())
    };
    Ok(found.iter().map(size).sum::<u64>() as f64)
}

fn theirs(plan: &Plan, setting: &Setting, case: &Case, peer: &Peer) -> Result<Side, String> {
    let engine = &plan.engines[&peer.engine];
    let program = resident(setting, &engine.resident)?;
    let (mode, options) = (case.mode.without_index(), case.options.clone());
    if engine.resident == "seed" {
        return Ok(Side { program, mode, ..ours(plan, setting, case, peer)? });
    }
    if engine.resident == OFF {
        let mut options = options;
        options["index"] = OFF.into();
        return Ok(Side { program, mode, options, ..ours(plan, setting, case, peer)? });
    }
    if case.steps.is_empty() {
        return started(plan, setting, case, (engine, &peer.engine, &peer.args));
    }
    let calls = case.steps.iter().map(|step| started_call(plan, setting, &step.peer));
    let calls = calls.collect::<Result<_, _>>()?;
    Ok(Side { program, calls, speaks_json: false, mode, options })
}

/// Returns the side of a program that is started for each call, with its output as lines.
fn started(
    plan: &Plan,
    setting: &Setting,
    case: &Case,
    (engine, name, args): (&Engine, &String, &[String]),
) -> Result<Side, String> {
    let program = resident(setting, &engine.resident)?;
    let words = [std::slice::from_ref(name), args].concat();
    let calls = vec![started_call(plan, setting, &words)?];
    let (mode, options) = (case.mode.without_index(), case.options.clone());
    Ok(Side { program, calls, speaks_json: false, mode, options })
}

fn started_call(
    plan: &Plan,
    setting: &Setting,
    words: &[String],
) -> Result<(String, String), String> {
    let command = command(plan, setting, words)?;
    let command = serde_json::to_string(&command).map_err(|error| error.to_string())?;
    Ok(("-".to_owned(), command))
}

fn resident(setting: &Setting, name: &str) -> Result<Program, String> {
    let program = setting.residents.get(name).ok_or(format!("{name}: not installed"))?;
    if program.command.is_empty() {
        return Err(program.version.clone());
    }
    Ok(program.clone())
}

/// Returns the whole command of a peer: that of its engine, then the arguments of the case.
pub(crate) fn command(
    plan: &Plan,
    setting: &Setting,
    told: &[String],
) -> Result<Vec<String>, String> {
    let missing = || format!("{}: not installed", told[0]);
    let fill = |word: &String| {
        let found = setting.programs.iter();
        found.fold(word.clone(), |word, (name, path)| word.replace(&format!("{{{name}}}"), path))
    };
    let mut whole: Vec<String> = plan.engines[&told[0]].command.iter().map(fill).collect();
    if whole.iter().any(|word| word.contains('{'))
        || whole.first().is_some_and(|program| !is_installed(program))
    {
        return Err(missing());
    }
    for word in &told[1..] {
        let mut word = word.clone();
        for name in ["rg", "fd"] {
            let command = &plan.engines[name].command;
            let slot = format!("{{{name}}}");
            if word.contains(&slot) && !is_installed(&command[0]) {
                return Err(missing());
            }
            word = word.replace(&slot, &command.join(" "));
        }
        whole.push(word);
    }
    Ok(whole)
}

/// Reports whether a program can be started by this name.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Path::new(program).is_absolute() && Path::new(program).is_file()
        || std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// Two resident programs that receive the same queries.
struct Pair<'a> {
    case: &'a Case,
    root: &'a Path,
    file: PathBuf,
    sides: [(Side, Resident); 2],
    n_edits: usize,
}

impl<'a> Pair<'a> {
    fn start(
        setting: &Setting,
        case: &'a Case,
        root: &'a Path,
        [ours, theirs]: [Side; 2],
        kept: &mut Kept,
    ) -> Result<Pair<'a>, String> {
        let start = |side: &Side| Resident::start(&side.program, root, &side.options);
        let key = ours.key(root);
        let of_before = kept.0.take().filter(|(of, _)| key.as_ref() == Some(of));
        let resident = match of_before {
            Some((_, resident)) => resident,
            None => start(&ours)?,
        };
        let peer = start(&theirs)?;
        let file = setting.cache.join(format!("answer-{}", std::process::id()));
        Ok(Pair { case, root, file, sides: [(ours, resident), (theirs, peer)], n_edits: 0 })
    }

    /// Returns the number of results if both sides have the same, else an error.
    fn agree(&mut self, counts: bool) -> Result<usize, String> {
        let [ours, theirs] = [self.answers(0)?.0, self.answers(1)?.0];
        let mut n_results = 0;
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            n_results += compare(self.case.compare, ours, theirs)?;
        }
        match self.case.count {
            Some(count) if counts && count != n_results => {
                Err(format!("{n_results} results, expected {count}"))
            }
            _ => Ok(n_results),
        }
    }

    fn run(&mut self, runs: usize, n_results: usize) -> Result<Measured, String> {
        let mut samples: [Vec<Sample>; 2] = Default::default();
        for _ in 0..runs.max(1) {
            for (side, samples) in samples.iter_mut().enumerate() {
                samples.push(self.sample(side)?);
            }
        }
        let [ours, theirs] = &samples;
        Ok(Measured {
            n_results,
            wall_ratio: median_ratio(ours, theirs, |sample| sample.wall_ns),
            cpu_ratio: median_ratio(ours, theirs, |sample| sample.cpu_ns),
            kept_kib: kept_kib(ours) - kept_kib(theirs),
            share_percent: None,
            ours: Figures::of(ours),
            peer: Figures::of(theirs),
        })
    }

    fn sample(&mut self, side: usize) -> Result<Sample, String> {
        if self.case.edit.is_some() {
            // The new word must be found each time.
            let (answers, sample) = self.answers(side)?;
            return match answers.iter().map(Vec::len).sum::<usize>() {
                0 => Err("the search missed an edit".to_owned()),
                _ => Ok(sample),
            };
        }
        let request = self.request(side)?;
        self.sides[side].1.sample(&request)
    }

    /// Returns the answer to each call as lines.
    fn answers(&mut self, side: usize) -> Result<(Vec<Vec<String>>, Sample), String> {
        let request = self.request(side)?;
        let (speaker, resident) = &mut self.sides[side];
        let (answers, sample) = resident.answers(&request, &self.file)?;
        let lines = answers.iter().map(|answer| match speaker.speaks_json {
            true => lines_of_reply(answer, self.root),
            false => Ok(lines_of_output(answer)),
        });
        Ok((lines.collect::<Result<_, _>>()?, sample))
    }

    /// Returns the request for one side, and writes the file of an edit. With an edit both sides search
    /// for the same word only in the first round, in which they are compared.
    fn request(&mut self, side: usize) -> Result<Request, String> {
        let mut calls = self.sides[side].0.calls.clone();
        if let Some(edit) = &self.case.edit {
            let word = format!("searchscope_edit_{}", self.n_edits.saturating_sub(1));
            self.n_edits += 1;
            let path = self.root.join(&edit.path);
            let text = edit.text.replace("{word}", &word);
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
            for (_, args) in &mut calls {
                *args = args.replace("{word}", &word);
            }
        }
        let mode = self.sides[side].0.mode;
        Ok(Request { mode, calls, repeat: self.case.repeat })
    }

    fn clean_up(self, kept: &mut Kept) {
        if let Some(edit) = &self.case.edit {
            let path = self.root.join(&edit.path);
            if let Err(error) = std::fs::remove_file(&path) {
                eprintln!("{}: {error}", path.display());
            }
        }
        let [(ours, resident), _] = self.sides;
        kept.0 = ours.key(self.root).map(|key| (key, resident));
    }
}

impl Side {
    /// Returns a key that is equal for rows that may share a program; `None` if the program is not kept.
    fn key(&self, root: &Path) -> Option<String> {
        let is_kept = matches!(self.mode, Mode::Watched | Mode::Swept);
        is_kept.then(|| format!("{:?} {root:?} {}", self.program.command, self.options))
    }
}

/// Returns the median of the memory that is kept.
fn kept_kib(samples: &[Sample]) -> f64 {
    Spread::of(samples.iter().map(|sample| sample.kept_kib as f64)).median
}

impl Figures {
    fn of(samples: &[Sample]) -> Figures {
        let spread = |of: fn(&Sample) -> u64, unit: f64| {
            Spread::of(samples.iter().map(|sample| of(sample) as f64 / unit))
        };
        Figures {
            wall_ms: spread(|sample| sample.wall_ns, 1e6),
            cpu_ms: spread(|sample| sample.cpu_ns, 1e6).median,
            peak_mib: spread(|sample| sample.peak_kib, 1024.0).median,
        }
    }
}
