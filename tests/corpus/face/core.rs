//! The Rust face, in-process.

use super::{CALL_LIMIT, Call, Face, Outcome};
use crate::run_limited;
use searchscope::tools::{error_json, open_workspace};
use searchscope::{Error, Workspace};
use std::path::Path;

/// Calls the crate, with the threads that the workspace asks for or with a number of its own.
#[derive(Clone, Copy, Debug)]
pub struct CoreFace {
    /// Overrides the option `threads` of the workspace.
    pub threads: Option<usize>,
}

impl Face for CoreFace {
    fn name(&self) -> String {
        self.threads.map_or("core".into(), |threads| format!("core with {threads} threads"))
    }

    fn run(&self, root: &Path, options: &str, calls: &[Call]) -> Vec<Outcome> {
        let options = self.options(options);
        let workspace = match open_workspace(root, options.as_bytes()) {
            Ok(workspace) => workspace,
            Err(error) => panic!("{}: cannot open {}: {error}", self.name(), root.display()),
        };
        calls.iter().map(|call| run_one(&workspace, call)).collect()
    }
}

impl CoreFace {
    fn options(self, options: &str) -> String {
        let mut options: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(options).expect("options of a case are a JSON object");
        if let Some(threads) = self.threads {
            options.insert("threads".into(), threads.into());
        }
        serde_json::Value::from(options).to_string()
    }
}

fn run_one(workspace: &Workspace, call: &Call) -> Outcome {
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
