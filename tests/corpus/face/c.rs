//! The C face: `tests/c/call.c`, compiled here and linked with the library.

use super::child::converse;
use super::{Call, Face, Outcome};
use crate::repository;
use searchscope::ErrorKind;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Calls the library through its C ABI.
#[derive(Debug)]
pub struct CFace {
    /// Keeps the program until the face is dropped.
    _directory: TempDir,
    program: PathBuf,
}

impl CFace {
    /// Builds the library and the program.
    ///
    /// # Errors
    /// If this machine lacks a C compiler.
    ///
    /// # Panics
    /// If any step fails on a machine with a C compiler.
    pub fn build() -> Result<CFace, String> {
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        if let Err(error) = Command::new(&compiler).arg("--version").output() {
            return Err(format!("no C compiler ({}): {error}", compiler.to_string_lossy()));
        }
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        // A copy next to the program, named by its soname: other users, who may not see the build
        // directory, can then run the program.
        let library = directory.path().join("libsearchscope.so.1");
        std::fs::copy(build_library(), &library).expect("the library can be copied");
        let program = directory.path().join("call");
        let output = Command::new(compiler)
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-I"])
            .arg(repository().join("include"))
            .arg("-o")
            .arg(&program)
            .arg(repository().join("tests/c/call.c"))
            .arg(&library)
            .arg("-Wl,-rpath,$ORIGIN")
            .output()
            .expect("the compiler just answered");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tests/c/call.c does not compile:\n{messages}");
        Ok(CFace { _directory: directory, program })
    }

    /// Returns the path of the compiled program, to run it under other conditions.
    pub fn program(&self) -> &Path {
        &self.program
    }
}

impl Face for CFace {
    fn name(&self) -> String {
        "c".into()
    }

    fn run(&self, root: &Path, options: &str, calls: &[Call]) -> Vec<Outcome> {
        let answers = converse(&[self.program.clone().into()], root, options, calls);
        answers.into_iter().map(|(status, bytes)| outcome(&status, bytes)).collect()
    }
}

/// Turns a numeric C status into its text code, so that outcomes compare across the faces.
fn outcome(status: &str, bytes: Vec<u8>) -> Outcome {
    if status == "0" {
        return Outcome::Reply(bytes);
    }
    let kind = ErrorKind::ALL.iter().find(|kind| kind.number().to_string() == status);
    let code = kind.map_or_else(|| format!("status {status}"), |kind| kind.code().to_owned());
    Outcome::Failure { code, error: bytes }
}

fn build_library() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // Together with this crate, so that the library contains the engine that this program is linked with.
    let output = Command::new(cargo)
        .args(["build", "--package", "searchscope-ffi", "--package", "searchscope-tests", "--lib"])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(repository())
        .output()
        .expect("cargo runs these tests");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the C library does not build:\n{messages}");
    let artifacts = String::from_utf8_lossy(&output.stdout);
    let library = artifacts.lines().filter_map(shared_library).next_back();
    library.expect("cargo names the shared library that it built")
}

fn shared_library(line: &str) -> Option<PathBuf> {
    let artifact: Value = serde_json::from_str(line).ok()?;
    let kinds = artifact["target"]["crate_types"].as_array()?;
    if !kinds.iter().any(|kind| kind == "cdylib") {
        return None;
    }
    let names =
        artifact["filenames"].as_array()?.iter().filter_map(Value::as_str).map(PathBuf::from);
    let suffix = std::env::consts::DLL_EXTENSION;
    names.into_iter().find(|name| name.extension().is_some_and(|extension| extension == suffix))
}
