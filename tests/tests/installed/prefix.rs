//! Directories into which the library is installed.

use searchscope_tests::program::run;
use searchscope_tests::repository;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns the command of the README, with the test profile, which is already built.
pub(crate) fn installer(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["run", "--locked", "--quiet", "-p", "searchscope-install", "--"])
        .args(["--profile", "dev"])
        .args(words)
        .env_remove("DESTDIR")
        .current_dir(repository());
    command
}

/// Libraries under the prefix: both, of which linkers take the shared one, or the static one alone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prefix {
    Full,
    StaticOnly,
}

impl Prefix {
    pub(crate) const ALL: [Prefix; 2] = [Prefix::Full, Prefix::StaticOnly];

    /// Returns the directory, made on first use.
    pub(crate) fn path(self) -> &'static Path {
        static FULL: OnceLock<PathBuf> = OnceLock::new();
        static STATIC_ONLY: OnceLock<PathBuf> = OnceLock::new();
        match self {
            Prefix::Full => FULL.get_or_init(|| install("full", &[])),
            Prefix::StaticOnly => {
                STATIC_ONLY.get_or_init(|| install("static", &["--library-type=staticlib"]))
            }
        }
    }

    /// Returns the output of pkg-config for the installed library, split at white space.
    pub(crate) fn pkg_config(self, words: &[&str]) -> Vec<String> {
        let output = run(Command::new("pkg-config")
            .args(words)
            .arg("searchscope")
            .env("PKG_CONFIG_PATH", self.path().join("lib/pkgconfig")));
        output.split_whitespace().map(str::to_owned).collect()
    }
}

/// Installs next to cargo's results: the libraries of a debug build are large, and are made again each time.
fn install(name: &str, words: &[&str]) -> PathBuf {
    let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("installed").join(name);
    if prefix.exists() {
        std::fs::remove_dir_all(&prefix).expect("an old installation can be removed");
    }
    run(installer(words).arg("--prefix").arg(&prefix));
    prefix
}
