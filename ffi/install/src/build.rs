//! Builds the library with cargo and collects the artifacts that cargo reports.

use crate::Result;
use crate::options::Options;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The start of rustc's line that lists the system libraries of a static library.
const SYSTEM_LIBRARIES: &str = "native-static-libs:";

/// The artifacts of the build.
#[derive(Debug, Default)]
pub(crate) struct Built {
    pub(crate) shared: PathBuf,
    /// The library that linkers use instead of the shared one, on systems that have such.
    pub(crate) import: Option<PathBuf>,
    pub(crate) archive: PathBuf,
    /// Linker flags such as `-lm`, in link order.
    pub(crate) system_libraries: Vec<String>,
}

/// Returns the root of the repository.
pub(crate) fn repository() -> &'static Path {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    above.expect("because this crate is two directories deep")
}

pub(crate) fn build(options: &Options) -> Result<Built> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command
        .args(["rustc", "--locked", "-p", "searchscope-ffi", "--lib", "--message-format=json"])
        .args(["--profile", &options.profile])
        .args((!options.default_features).then_some("--no-default-features"))
        .args(options.target.as_deref().map(|target| ["--target", target]).iter().flatten())
        .args(["--", "--print=native-static-libs"])
        .current_dir(repository())
        .stdout(Stdio::piped());
    let cannot = |error| format!("{} cannot be started: {error}", cargo.to_string_lossy());
    let mut child = command.spawn().map_err(cannot)?;
    let output = child.stdout.take().expect("because it is piped");
    let mut built = Built::default();
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| format!("cargo's messages cannot be read: {error}"))?;
        // A line that is not JSON may come from a build script.
        if let Ok(message) = serde_json::from_str(&line) {
            built.hear(&message);
        }
    }
    let status = child.wait().map_err(|error| format!("cargo was lost: {error}"))?;
    if !status.success() {
        return Err("the library could not be built; cargo says why above".into());
    }
    built.complete()
}

impl Built {
    /// Reads one message of cargo: an artifact, or a diagnostic, which it prints.
    fn hear(&mut self, message: &Value) {
        if let Some(text) = message["message"]["message"].as_str() {
            match text.strip_prefix(SYSTEM_LIBRARIES) {
                Some(libraries) => {
                    self.system_libraries =
                        libraries.split_whitespace().map(str::to_owned).collect();
                }
                None if text.starts_with("link against the following native artifacts") => (),
                None => eprint!("{}", message["message"]["rendered"].as_str().unwrap_or(text)),
            }
        }
        if message["target"]["name"] != "searchscope" {
            return;
        }
        for file in message["filenames"].as_array().into_iter().flatten() {
            let file = PathBuf::from(file.as_str().unwrap_or_default());
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match name.split_once('.').map_or("", |(_, extension)| extension) {
                "so" | "dylib" | "dll" => self.shared = file,
                "dll.a" => self.import = Some(file),
                "a" => self.archive = file,
                _ => (),
            }
        }
    }

    fn complete(self) -> Result<Built> {
        let nothing = Path::new("");
        let lacks_import = self.shared.extension() == Some("dll".as_ref()) && self.import.is_none();
        let is_partial = self.shared == nothing || self.archive == nothing || lacks_import;
        if is_partial || self.system_libraries.is_empty() {
            return Err(format!("cargo did not report every artifact: {self:?}"));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_messages_of_cargo_are_parsed() {
        let mut built = Built::default();
        built.hear(&json!({"reason": "compiler-message", "message": {
            "message": "native-static-libs: -lgcc_s -lc", "rendered": "note: …"}}));
        assert!(Built::default().complete().is_err());
        built.hear(&json!({"reason": "compiler-artifact", "target": {"name": "searchscope"},
            "filenames": ["/t/libsearchscope.so", "/t/libsearchscope.a"]}));
        built.hear(&json!({"reason": "compiler-artifact", "target": {"name": "other"},
            "filenames": ["/t/libother.so"]}));
        let built = built.complete().expect("every artifact was reported");
        assert_eq!(built.system_libraries, ["-lgcc_s", "-lc"]);
        assert_eq!(built.shared, Path::new("/t/libsearchscope.so"));
        assert_eq!(built.archive, Path::new("/t/libsearchscope.a"));
        assert_eq!(built.import, None);
    }

    #[test]
    fn the_libraries_of_windows_are_distinguished() {
        let mut built = Built::default();
        built.hear(&json!({"target": {"name": "searchscope"}, "filenames": [
            "/t/searchscope.dll", "/t/libsearchscope.a", "/t/libsearchscope.dll.a"]}));
        assert_eq!(built.shared, Path::new("/t/searchscope.dll"));
        assert_eq!(built.archive, Path::new("/t/libsearchscope.a"));
        assert_eq!(built.import.as_deref(), Some(Path::new("/t/libsearchscope.dll.a")));
    }
}
