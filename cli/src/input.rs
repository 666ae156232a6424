//! Standard input, which the verbs for people do not read.

/// Returns whether standard input is a pipe with text in it.
///
/// An open pipe without text says nothing: programs start others with one, and nothing is lost.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "a command looks at its standard input")]
pub(crate) fn is_unread_pipe() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{FileType, fstat};
    let input = std::io::stdin();
    let is_pipe =
        fstat(&input).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo);
    if !is_pipe {
        return false;
    }
    let mut fds = [PollFd::new(&input, PollFlags::IN)];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut fds, Some(&at_once)).is_ok() && fds[0].revents().contains(PollFlags::IN)
}

/// Returns whether standard input is a pipe with text in it, which is not known on this system.
#[cfg(not(unix))]
pub(crate) fn is_unread_pipe() -> bool {
    false
}
