//! The protocol of the faces that are separate programs.
//!
//! Arguments: root, options as JSON; the Node face has a record for them instead. Standard input, per call: a line with the tool, a line with the
//! number of bytes of the arguments, those bytes, a line feed. Standard output, per call: status,
//! space, number of bytes, line feed, those bytes, line feed.

use super::{CALL_LIMIT, Call};
use crate::run_limited;
use std::ffi::OsString;
use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Starts `program`, makes the calls, and returns the status word and the bytes of each answer.
pub(super) fn converse(
    program: &[OsString],
    root: &Path,
    options: &str,
    calls: &[Call],
) -> Vec<(String, Vec<u8>)> {
    let what = program.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let mut child = Command::new(&program[0])
        .args(&program[1..])
        .arg(root)
        .arg(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    let requests = requests(calls);
    let (written, output) = run_limited(&what, CALL_LIMIT, move || exchange(&mut child, requests));
    let answers = answers(&output).unwrap_or_else(|why| {
        panic!("{what}: {why} in its output {:?}", String::from_utf8_lossy(&output))
    });
    assert_eq!(answers.len(), calls.len(), "{what}: one answer per call ({written})");
    answers
}

/// Returns the input with which a program makes the calls.
pub fn requests(calls: &[Call]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for call in calls {
        bytes.extend_from_slice(format!("{}\n{}\n", call.tool, call.args.len()).as_bytes());
        bytes.extend_from_slice(&call.args);
        bytes.push(b'\n');
    }
    bytes
}

fn exchange(child: &mut Child, requests: Vec<u8>) -> (String, Vec<u8>) {
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = child.stdout.take().expect("it is piped");
    // Written on another thread: either pipe may be full while the program waits on the other.
    let writer = std::thread::spawn(move || stdin.write_all(&requests));
    let mut output = Vec::new();
    let read = stdout.read_to_end(&mut output);
    let status = child.wait();
    let written = writer.join();
    (format!("{status:?}, written: {written:?}, read: {read:?}"), output)
}

/// Parses the output of a program: the status word and the bytes of each answer.
///
/// # Errors
/// The position where the output violates the protocol.
pub fn answers(mut output: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut answers = Vec::new();
    while !output.is_empty() {
        answers.push(read_answer(&mut output)?);
    }
    Ok(answers)
}

/// Reads the status word and the bytes of one answer.
pub(super) fn read_answer(output: &mut impl BufRead) -> Result<(String, Vec<u8>), String> {
    let mut head = String::new();
    output.read_line(&mut head).map_err(|error| error.to_string())?;
    let whole = head.strip_suffix('\n').ok_or("a head without its end")?;
    let (status, length) = whole.split_once(' ').ok_or("a head without a length")?;
    let length: usize = length.parse().map_err(|_| format!("a bad head {head:?}"))?;
    let mut body = Vec::new();
    let read = output.take(length as u64).read_to_end(&mut body);
    if read.map_err(|error| error.to_string())? < length {
        return Err("a body that is too short".into());
    }
    let mut end = [0];
    output.read_exact(&mut end).map_err(|error| error.to_string())?;
    match end {
        [b'\n'] => Ok((status.to_owned(), body)),
        _ => Err("a body without its line feed".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::answers;

    #[test]
    fn answers_are_cut_by_length() {
        let expected = vec![("0".into(), b"{\n}".to_vec()), ("4".into(), Vec::new())];
        assert_eq!(answers(b"0 3\n{\n}\n4 0\n\n"), Ok(expected));
        assert!(answers(b"0 9\n{}\n").is_err());
        assert!(answers(b"junk\n").is_err());
    }
}
