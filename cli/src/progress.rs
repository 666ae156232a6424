//! A line on standard error that shows that a call is running.

use crate::print::stdout_is_terminal;
use searchscope::CancelToken;
use std::io::{IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shorter calls need no word about them.
const SHOW_AFTER: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(200);

/// The line that shows that a call is running; dropping it erases it.
#[derive(Debug)]
pub(crate) struct Progress {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Shows the time of a call and the files that it has visited, from its first second on and only
    /// where standard error is a terminal.
    #[expect(clippy::disallowed_methods, reason = "a command reports to its standard error")]
    pub(crate) fn show(tool: &str, files: &CancelToken) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress { end: None, thread: None };
        }
        let (end, ended) = channel();
        let (tool, files) = (tool.to_owned(), files.clone());
        let draw = move || draw(&tool, &files, &ended, SHOW_AFTER, &mut write);
        // Without a thread the line is missing and the call is the same.
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(draw).ok();
        Progress { end: Some(end), thread }
    }
}

impl Progress {
    /// Erases the line before a row is printed on the same terminal.
    pub(crate) fn before_row(&mut self) {
        if self.end.is_some() && stdout_is_terminal() {
            *self = Progress { end: None, thread: None };
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Draws the line after this time, again and again until the sender is dropped, and erases it then.
fn draw(
    tool: &str,
    files: &CancelToken,
    ended: &Receiver<()>,
    after: Duration,
    write: &mut dyn FnMut(&str),
) {
    let started = Instant::now();
    let (mut wait, mut is_shown) = (after, false);
    while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        (wait, is_shown) = (REDRAW, true);
        let (seconds, n) = (started.elapsed().as_secs_f64(), files.files_looked_at());
        write(&format!("\r\x1b[K{tool}: {seconds:.1} s, {n} files … (Ctrl-C ends it)"));
    }
    if is_shown {
        write("\r\x1b[K");
    }
}

#[expect(clippy::disallowed_methods, reason = "a command reports to its standard error")]
fn write(text: &str) {
    let mut to = std::io::stderr().lock();
    let _ = to.write_all(text.as_bytes()).and_then(|()| to.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the line of a call that ends with the line's first drawing, or before it.
    fn drawn(after: Duration, mut end: Option<Sender<()>>, ended: &Receiver<()>) -> Vec<String> {
        let mut written = Vec::new();
        draw("search", &CancelToken::new(), ended, after, &mut |text| {
            written.push(text.to_owned());
            end = None;
        });
        written
    }

    #[test]
    fn the_line_is_drawn_late_and_erased_at_the_end() {
        let (end, ended) = channel();
        let written = drawn(Duration::from_millis(1), Some(end), &ended);
        assert_eq!(written.len(), 2, "{written:?}");
        assert!(written[0].starts_with("\r\x1b[Ksearch: 0.0 s, 0 files"), "{written:?}");
        assert_eq!(written[1], "\r\x1b[K");
        let (end, ended) = channel();
        drop(end);
        assert!(drawn(Duration::from_secs(60), None, &ended).is_empty());
    }
}
