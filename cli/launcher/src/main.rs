//! The command `searchscope` of the npm packages.
//!
//! The Node addon beside this program has the engine, its grammars and the command. This program loads it and
//! runs the command in it, which makes the packages half as large as two binaries with an engine each.

use libloading::Library;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The function of the addon: `node/src/command.rs` has its contract.
type Command = unsafe extern "C" fn(*const u8, usize) -> i32;
const COMMAND: &[u8] = b"searchscope_command\0";

fn main() -> ExitCode {
    match run() {
        Ok(status) => ExitCode::from(status),
        Err(why) => {
            #[expect(clippy::print_stderr, reason = "the command reports its errors there")]
            {
                eprintln!("searchscope: {why}");
            }
            ExitCode::from(2)
        }
    }
}

/// Runs the command, and returns its exit status.
fn run() -> Result<u8, String> {
    let mut why = String::new();
    for path in addons()? {
        match load(&path) {
            Ok(library) => return run_in(library, &path),
            // An addon of another platform may be beside that of this one.
            Err(error) if why.is_empty() => why = error,
            Err(_) => {}
        }
    }
    Err(why)
}

/// Loads an addon.
fn load(path: &Path) -> Result<Library, String> {
    // SAFETY: the addon's initialisers register its functions for Node and do nothing else.
    let library = unsafe { Library::new(path) };
    library.map_err(|error| {
        // The loader's own text is the source of the error.
        let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
        format!("{}: {error}{source}", path.display())
    })
}

/// Runs the command in an addon that was loaded from `path`.
fn run_in(library: Library, path: &Path) -> Result<u8, String> {
    let shown = path.display();
    // SAFETY: the addon exports this name with this signature in every version.
    let command = unsafe { library.get::<Command>(COMMAND) };
    let command = command.map_err(|_| format!("{shown} does not contain the command"))?;
    let text = arguments();
    // SAFETY: the text lives longer than the call.
    let status = unsafe { command(text.as_ptr(), text.len()) };
    // Threads of the engine may still run in it.
    std::mem::forget(library);
    u8::try_from(status).map_err(|_| {
        format!(
            "{shown} is not of version {}; install the package again",
            env!("CARGO_PKG_VERSION")
        )
    })
}

/// Returns the version of this program and its arguments, each followed by a NUL, which none contains.
#[expect(clippy::disallowed_methods, reason = "a command has arguments")]
fn arguments() -> Vec<u8> {
    let mut text = env!("CARGO_PKG_VERSION").as_bytes().to_vec();
    text.push(0);
    for arg in std::env::args_os() {
        text.extend_from_slice(arg.as_encoded_bytes());
        text.push(0);
    }
    text
}

/// Returns the paths of the addons beside this program: `searchscope.node`, as a build places it, or those of the
/// packages of platforms, `searchscope.PLATFORM.node`.
#[expect(clippy::disallowed_methods, reason = "the program looks for its own library")]
fn addons() -> Result<Vec<PathBuf>, String> {
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    let program = program.map_err(|error| format!("the path of this program: {error}"))?;
    let folder = program.parent().unwrap_or(Path::new("."));
    let built = folder.join("searchscope.node");
    if built.is_file() {
        return Ok(vec![built]);
    }
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut addons: Vec<PathBuf> = paths
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("searchscope.") && name.ends_with(".node") && path.is_file()
        })
        .collect();
    addons.sort_unstable();
    if addons.is_empty() {
        return Err(format!(
            "this program needs the file searchscope.node or searchscope.PLATFORM.node beside it, in {}",
            folder.display()
        ));
    }
    Ok(addons)
}
