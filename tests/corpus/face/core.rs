//! The Rust face, in-process.

use super::{CALL_LIMIT, Call, Face, Outcome};
use crate::run_limited;
use searchscope::{Error, Workspace, fuzzing};
use searchscope_tools::CallTools;
use searchscope_tools::{error_json, open_workspace};
use std::path::Path;

/// Calls the crate, with the threads that the workspace sets or with a given number.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoreFace {
    /// Overrides the option `threads` of the workspace.
    pub threads: Option<usize>,
    pub index: IndexUse,
}

/// State of the index of a workspace during the calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexUse {
    /// The workspace has no index.
    #[default]
    Off,
    /// The calls build it.
    Cold,
    /// It contains every second directory.
    Partial,
    /// Events keep it up to date.
    Watched,
    /// Each call compares stamps.
    Swept,
}

impl IndexUse {
    fn prepare(self, workspace: &Workspace) {
        match self {
            IndexUse::Off | IndexUse::Cold => {}
            IndexUse::Partial => fuzzing::warm_half(workspace).expect("built"),
            IndexUse::Watched | IndexUse::Swept => {
                workspace.warm(&searchscope::Call::new()).expect("built");
            }
        }
    }
}

impl Face for CoreFace {
    fn name(&self) -> String {
        let threads = self.threads.map(|threads| format!(" with {threads} threads"));
        let index = (self.index != IndexUse::Off).then(|| format!(" {:?} index", self.index));
        format!("core{}{}", threads.unwrap_or_default(), index.unwrap_or_default())
    }

    fn run(&self, root: &Path, options: &str, calls: &[Call]) -> Vec<Outcome> {
        let options = self.options(options);
        let workspace = match open_workspace(root, options.as_bytes()) {
            Ok(workspace) => workspace,
            Err(error) => panic!("{}: cannot open {}: {error}", self.name(), root.display()),
        };
        self.index.prepare(&workspace);
        let run = |call| {
            if self.index == IndexUse::Swept {
                fuzzing::lose_events(&workspace);
            }
            run_one(&workspace, call)
        };
        calls.iter().map(run).collect()
    }
}

impl CoreFace {
    fn options(self, options: &str) -> String {
        let mut options: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(options).expect("options of a case are a JSON object");
        if let Some(threads) = self.threads {
            options.insert("threads".into(), threads.into());
        }
        if self.index != IndexUse::Off {
            options.insert("index".into(), "auto".into());
        }
        serde_json::Value::from(options).to_string()
    }
}

pub(super) fn run_one(workspace: &Workspace, call: &Call) -> Outcome {
    let what = format!("{} {}", call.tool, String::from_utf8_lossy(&call.args));
    let (workspace, call) = (workspace.clone(), call.clone());
    let outcome = run_limited(&what, CALL_LIMIT, move || {
        workspace.call(&call.tool, &call.args, &searchscope::Call::new())
    });
    outcome.map_or_else(|error| failure(&error), Outcome::Reply)
}

fn failure(error: &Error) -> Outcome {
    Outcome::Failure { code: error.code().to_owned(), error: error_json(error) }
}
