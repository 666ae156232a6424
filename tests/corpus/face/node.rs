//! The Node face: `tests/node/call.mjs` on the addon that `npm run build` made.

use super::child::converse;
use super::{Call, Face, Outcome};
use crate::repository;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Calls the library through its Node addon.
#[derive(Debug)]
pub struct NodeFace {
    program: Vec<OsString>,
}

impl NodeFace {
    /// Finds Node and the addon.
    ///
    /// # Errors
    /// If one of the two is missing.
    pub fn find() -> Result<NodeFace, String> {
        if let Err(error) = Command::new("node").arg("--version").output() {
            return Err(format!("no Node: {error}"));
        }
        if !repository().join("node/searchscope.node").is_file() {
            return Err("node/searchscope.node is not built (npm run build)".into());
        }
        let script = repository().join("tests/node/call.mjs");
        Ok(NodeFace { program: vec!["node".into(), script.into()] })
    }
}

impl Face for NodeFace {
    fn name(&self) -> String {
        "node".into()
    }

    fn run(&self, root: &Path, options: &str, calls: &[Call]) -> Vec<Outcome> {
        let answers = converse(&self.program, root, options, calls);
        let outcome = |(status, bytes): (String, Vec<u8>)| match status.as_str() {
            "ok" | "0" => Outcome::Reply(bytes),
            code => Outcome::Failure { code: code.to_owned(), error: bytes },
        };
        answers.into_iter().map(outcome).collect()
    }
}
