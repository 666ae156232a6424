//! Calls honour deadlines and cancellation, whatever the request and the tree.
//!
//! A separate test binary with one test: timed calls must not share their processors with other tests.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests build trees and read how they were scheduled"
)]

mod clock;
mod draws;
mod trees;

use clock::{Late, Overshoots, Watcher};
use draws::{Dice, Draw};
use searchscope::Workspace;
use searchscope_tests::say;
use searchscope_tools::CallTools;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use trees::Trees;

/// The bounds: for every run, and for ninety-nine of a hundred.
const OVERSHOOT_MAX: Duration = Duration::from_millis(100);
const OVERSHOOT_USUAL: Duration = Duration::from_millis(20);
const RUNS: usize = 10_000;
/// Maximum number of attempts of a call that ends late. The strict bound applies to the best attempt: our own
/// faults show in every attempt, those of a busy machine do not. The usual bound applies to first attempts.
const ATTEMPTS: usize = 4;

#[test]
fn long_run_ten_thousand_hostile_calls_end_in_time() {
    let trees = Trees::build();
    let workspaces = trees.open();
    let watcher = Watcher::start();
    let mut dice = Dice::new();
    let mut told = Told::default();
    for n in 0..RUNS {
        let mut draw = Draw::new(&mut dice);
        let workspace = &workspaces[draw.workspace];
        let mut runs = attempts(workspace, &draw, &watcher);
        if draw.is_late && runs[0].ended_by_itself() {
            draw.end_within(runs[0].took, &mut dice);
            runs = attempts(workspace, &draw, &watcher);
        }
        told.add(n, &draw, &runs);
    }
    let late = told.tell();
    let all = &mut told.best;
    // If hardly any run had to be stopped, the test would prove nothing.
    assert!(all.n_stopped() > RUNS / 2, "only {} runs were stopped", all.n_stopped());
    let n_late = told.late_in_call.n_stopped();
    assert!(n_late > RUNS / 200, "only {n_late} runs were stopped late in a call");
    assert!(all.at(1.0) <= OVERSHOOT_MAX, "{:?} is too late:\n{late}", all.at(1.0));
    let usual = told.first.at(0.99);
    assert!(usual <= OVERSHOOT_USUAL, "{usual:?} is too late:\n{late}");
}

/// Summary of all runs.
#[derive(Default)]
struct Told {
    /// Best attempts, of each tool and of all.
    by_tool: BTreeMap<&'static str, Overshoots>,
    best: Overshoots,
    /// Delays of the runs whose stop comes late in the call.
    late_in_call: Overshoots,
    /// First attempts.
    first: Overshoots,
    /// First attempts by the wall clock.
    first_in_all: Overshoots,
    late: Vec<(Duration, String)>,
}

impl Told {
    fn add(&mut self, n: usize, draw: &Draw, runs: &[Run]) {
        let Some(first) = runs.first() else { return };
        let over = runs.iter().map(|run| run.late.over).min().unwrap_or_default();
        let was_stopped = first.was_stopped;
        self.first_in_all.add(first.late.in_all, was_stopped);
        self.first.add(first.late.over, was_stopped);
        self.by_tool.entry(draw.tool).or_default().add(over, was_stopped);
        self.best.add(over, was_stopped);
        if draw.is_late {
            self.late_in_call.add(over, was_stopped);
        }
        if over > OVERSHOOT_USUAL || first.late.over > OVERSHOOT_MAX {
            let text = format!("{n}: {over:?}, at first {:?}: {draw:?}", first.late);
            self.late.push((over, text));
        }
    }

    /// Prints the delays and returns the latest of them.
    fn tell(&mut self) -> String {
        say("delay of stopped calls after their deadline or cancellation:");
        for (tool, overshoots) in &mut self.by_tool {
            say(&overshoots.line(tool));
        }
        say(&self.late_in_call.line("all late in a call"));
        say(&self.best.line("all"));
        say(&self.first.line("all, first attempt"));
        say(&self.first_in_all.line("all, first attempt, with waits"));
        self.late.sort_by_key(|(over, _)| std::cmp::Reverse(*over));
        let late: Vec<&str> = self.late.iter().map(|(_, text)| text.as_str()).take(40).collect();
        for text in late.iter().take(5) {
            say(&format!("  {text}"));
        }
        late.join("\n")
    }
}

struct Run {
    took: Duration,
    late: Late,
    was_stopped: bool,
}

impl Run {
    fn ended_by_itself(&self) -> bool {
        !self.was_stopped && self.late.in_all.is_zero()
    }
}

/// Makes a call until it is not late, at most a few times.
fn attempts(workspace: &Workspace, draw: &Draw, watcher: &Watcher) -> Vec<Run> {
    let mut runs = Vec::new();
    while runs.len() < ATTEMPTS {
        runs.push(run(workspace, draw, watcher));
        if runs.last().is_some_and(|run| run.late.over <= OVERSHOOT_USUAL) {
            break;
        }
    }
    runs
}

fn run(workspace: &Workspace, draw: &Draw, watcher: &Watcher) -> Run {
    let args = draw.args();
    let call = |call: &_| workspace.call(draw.tool, args.as_bytes(), call);
    let started = Instant::now();
    let (late, outcome) = watcher.late(draw.after, draw.ends(), call);
    let took = started.elapsed();
    let was_stopped = match outcome {
        Ok(reply) => draws::says_that_it_was_stopped(&reply),
        Err(error) => {
            assert!(draw.may_fail_with(error.code()), "{draw:?}: {} {error}", error.code());
            matches!(error.code(), "cancelled" | "timeout")
        }
    };
    Run { took, late, was_stopped }
}
