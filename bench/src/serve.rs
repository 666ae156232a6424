//! The resident programs that are written in Rust: our engine in this process, and one that starts the
//! programs of others. The latter is a separate process, because a started program inherits the peak
//! memory of its parent.

use crate::measure::{Sample, cpu_ns, cpu_ns_of, nanoseconds};
use crate::protocol::numbered;
use searchscope::fuzzing::lose_events;
use searchscope::{Call, IndexState, Workspace};
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use std::io::{BufRead, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Answers with our engine until the input ends.
pub(crate) fn engine(root: &Path, options: &str) -> Result<(), String> {
    let mut engine = Engine { root, options, kept: None };
    let mut baseline_kib = None;
    serve(|mode, calls, wanted| {
        let baseline_kib = *baseline_kib.get_or_insert_with(|| memory_kib("VmRSS:"));
        let mut session = engine.prepare(mode)?;
        reset_peak();
        let mut answers = Vec::new();
        let (cpu, started) = (cpu_ns(), Instant::now());
        if mode == "built" {
            let workspace = session.as_ref().expect("it was just made");
            workspace.warm(&Call::new()).map_err(|error| error.to_string())?;
        }
        let mut took = (cpu_ns() - cpu, nanoseconds(started.elapsed()));
        for (name, args) in calls {
            let answer = engine.call(mode, &mut session, name, args)?;
            if wanted {
                answers.push(answer);
            }
        }
        if mode == "building" {
            let status = session.as_ref().map(Workspace::index_status);
            if status.is_none_or(|status| status.state != IndexState::Building) {
                return Err("the index was built before the call ended".to_owned());
            }
            took = (cpu_ns() - cpu, nanoseconds(started.elapsed()));
        }
        drop(session);
        let (cpu_ns, wall_ns) = match mode {
            "building" | "built" => took,
            _ => (cpu_ns() - cpu, nanoseconds(started.elapsed())),
        };
        let above = |field| memory_kib(field).saturating_sub(baseline_kib);
        let (peak_kib, kept_kib) = (above("VmHWM:"), above("VmRSS:"));
        Ok((answers, Sample { wall_ns, cpu_ns, peak_kib, kept_kib }))
    })
}

/// Maximum time for the builder of the index to begin: it has the lowest priority.
const BEGIN_MAX: Duration = Duration::from_secs(60);
/// Number of indexed files from which the build counts as under way.
const BEGUN_FILES: u64 = 500;

/// Our engine and the workspace that it keeps.
struct Engine<'a> {
    root: &'a Path,
    options: &'a str,
    kept: Option<Workspace>,
}

impl Engine<'_> {
    fn open(&self) -> Result<Workspace, String> {
        open_workspace(self.root, self.options.as_bytes()).map_err(|error| error.to_string())
    }

    /// Prepares the mode before the clock starts. Returns the workspace for this request if it exists
    /// already.
    fn prepare(&mut self, mode: &str) -> Result<Option<Workspace>, String> {
        match mode {
            "watched" | "swept" | "overlaid" if self.kept.is_none() => {
                let workspace = self.open()?;
                workspace.warm(&Call::new()).map_err(|error| error.to_string())?;
                self.kept = Some(workspace);
                Ok(None)
            }
            "built" => self.open().map(Some),
            "building" => {
                let workspace = self.open()?;
                // The second search begins the build.
                for _ in 0..2 {
                    let search = r#"{"query":"searchscope_bench_begins"}"#;
                    let answer = workspace.call("search_in_files", search.as_bytes(), &Call::new());
                    answer.map_err(|error| error.to_string())?;
                }
                let started = Instant::now();
                while workspace.index_status().files < BEGUN_FILES {
                    if started.elapsed() > BEGIN_MAX {
                        return Err("the index is not being built".to_owned());
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(Some(workspace))
            }
            _ => Ok(None),
        }
    }

    fn call(
        &mut self,
        mode: &str,
        session: &mut Option<Workspace>,
        name: &str,
        args: &str,
    ) -> Result<Vec<u8>, String> {
        if mode == "warm" && self.kept.is_none() {
            self.kept = Some(self.open()?);
        }
        if mode == "cold" || (mode == "session" && session.is_none()) {
            *session = Some(self.open()?);
        }
        let workspace = match mode {
            "warm" | "watched" | "swept" | "overlaid" => self.kept.as_ref(),
            _ => session.as_ref(),
        };
        let workspace = workspace.expect("it was just made");
        if mode == "swept" {
            lose_events(workspace);
        }
        let overlaid;
        let workspace = if mode == "overlaid" {
            overlaid = workspace
                .with_overlay([("searchscope-bench/unsaved.txt", Some("an unsaved text\n"))])
                .map_err(|error| error.to_string())?;
            &overlaid
        } else {
            workspace
        };
        workspace.call(name, args.as_bytes(), &Call::new()).map_err(|error| error.to_string())
    }
}

/// Answers with the output of programs. The arguments of a call are a whole command.
pub(crate) fn spawn(root: &Path) -> Result<(), String> {
    serve(|_, calls, wanted| {
        let (mut answers, mut sample) = (Vec::new(), Sample::default());
        for (_, args) in calls {
            let args: Vec<String> = serde_json::from_str(args).map_err(|e| e.to_string())?;
            let took = run(&args, root, wanted.then_some(&mut answers))?;
            sample.wall_ns += took.wall_ns;
            sample.cpu_ns += took.cpu_ns;
            sample.peak_kib = sample.peak_kib.max(took.peak_kib);
        }
        Ok((answers, sample))
    })
}

/// Reads requests and writes their samples until the input ends. `answer` receives the mode, the calls
/// as names with arguments, and whether the answers are wanted.
fn serve(
    mut answer: impl FnMut(&str, &[(&str, &str)], bool) -> Result<(Vec<Vec<u8>>, Sample), String>,
) -> Result<(), String> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let parts: Vec<&str> = line.split('\t').collect();
        let [mode, file, calls @ ..] = parts.as_slice() else {
            return Err(format!("invalid request: {line}"));
        };
        let calls: Vec<(&str, &str)> =
            calls.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        let reply = answer(mode, &calls, !file.is_empty()).and_then(|(answers, sample)| {
            write(Path::new(file), &answers)?;
            serde_json::to_string(&sample).map_err(|error| error.to_string())
        });
        let reply = reply.unwrap_or_else(|error| serde_json::json!({ "error": error }).to_string());
        let mut out = std::io::stdout().lock();
        writeln!(out, "{reply}").and_then(|()| out.flush()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn write(file: &Path, answers: &[Vec<u8>]) -> Result<(), String> {
    for (n, answer) in answers.iter().enumerate() {
        let path = PathBuf::from(numbered(file, n));
        std::fs::write(&path, answer).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Runs a program and measures it from its start to the end of its output and its exit.
fn run(args: &[String], root: &Path, answers: Option<&mut Vec<Vec<u8>>>) -> Result<Sample, String> {
    let started = Instant::now();
    let mut command = Command::new(&args[0]);
    command.args(&args[1..]).current_dir(root).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", args[0]))?;
    let mut output = child.stdout.take().expect("its output is piped");
    match answers {
        Some(answers) => {
            let mut answer = Vec::new();
            output.read_to_end(&mut answer).map_err(|error| error.to_string())?;
            answers.push(answer);
        }
        None => {
            let mut part = vec![0; 64 << 10];
            while output.read(&mut part).map_err(|error| error.to_string())? > 0 {}
        }
    }
    let (status, usage) = wait(child.id())?;
    let wall_ns = nanoseconds(started.elapsed());
    if let Some(signal) = status.signal() {
        return Err(format!("{} was ended by signal {signal}", args[0]));
    }
    let peak_kib = usage.ru_maxrss.unsigned_abs();
    Ok(Sample { wall_ns, cpu_ns: cpu_ns_of(&usage), peak_kib, kept_kib: 0 })
}

/// Waits for a child. Its usage includes the children that it has waited for.
fn wait(pid: u32) -> Result<(ExitStatus, libc::rusage), String> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    let mut status = 0;
    let pid = libc::pid_t::try_from(pid).map_err(|error| error.to_string())?;
    // SAFETY: both pointers are valid for writes of the values that the call fills, and all zero bytes
    // are a valid rusage. No other code waits for this child.
    let (waited, usage) = unsafe {
        let waited = libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr());
        (waited, usage.assume_init())
    };
    if waited != pid {
        return Err(std::io::Error::last_os_error().to_string());
    }
    Ok((ExitStatus::from_raw(status), usage))
}

/// Resets the peak memory of this process.
fn reset_peak() {
    // Without this file the peak is that of the whole life of the process, which is never too little.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Returns a field of `/proc/self/status`; 0 if it is missing.
fn memory_kib(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_default()
}
