//! Statuses of the C ABI, and the faults that map to them.
//!
//! 1 to 99 are the error kinds of the engine, 101 to 199 the faults that only C callers can cause. The
//! numbers are literals because the header generator reads the source text and evaluates nothing;
//! the table below compares them with the engine's at compile time.

use searchscope::{Error, ErrorKind};
use searchscope_tools as tools;
use std::ffi::{CStr, c_int};

/// The outcome of a function. Reports name a status in lower case and without the prefix. The type has the
/// size of int, and a program may receive a status that its header lacks.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    non_camel_case_types,
    reason = "the header is generated from these names, and enumerators of C have no scope"
)]
pub enum Status {
    /// The function succeeded.
    SEARCHSCOPE_OK = 0,
    /// An argument is missing, unknown, of the wrong type or out of range.
    SEARCHSCOPE_INVALID_PARAM = 1,
    /// A regex, glob or scope pattern does not parse or is too large; the report carries the span.
    SEARCHSCOPE_PATTERN_SYNTAX = 2,
    /// A named path does not exist.
    SEARCHSCOPE_NOT_FOUND = 3,
    /// A path is outside the root, or the workspace denies it.
    SEARCHSCOPE_ACCESS_DENIED = 4,
    /// The deadline passed and the tool has no way to return a partial result.
    SEARCHSCOPE_TIMEOUT = 5,
    /// The caller cancelled the call.
    SEARCHSCOPE_CANCELLED = 6,
    /// The reply would exceed its maximum size; narrow the request.
    SEARCHSCOPE_RESULT_TOO_LARGE = 7,
    /// The operating system refused or failed an operation on the named path.
    SEARCHSCOPE_IO = 8,
    /// The request is valid but not possible on this system or in this build.
    SEARCHSCOPE_UNSUPPORTED = 9,
    /// A defect of this library; the call failed, the workspace stays usable.
    SEARCHSCOPE_INTERNAL = 10,
    /// A pointer that must not be NULL is NULL. (Statuses from 101 on are faults of the C call itself.)
    SEARCHSCOPE_NULL_ARGUMENT = 101,
    /// A text is not UTF-8.
    SEARCHSCOPE_INVALID_UTF8 = 102,
    /// A handle was freed before, is of another type, or never came from this library.
    SEARCHSCOPE_BAD_HANDLE = 103,
    /// A defect of this library: a Rust panic ended the call; every handle stays usable.
    SEARCHSCOPE_PANIC = 104,
    /// Never returned: makes the type as large as int with every compiler.
    SEARCHSCOPE_STATUS_MAX = 0x7fff_ffff,
}

pub use Status::*;

/// The engine's statuses in the order of its table.
const ENGINE: [Status; ErrorKind::ALL.len()] = [
    SEARCHSCOPE_INVALID_PARAM,
    SEARCHSCOPE_PATTERN_SYNTAX,
    SEARCHSCOPE_NOT_FOUND,
    SEARCHSCOPE_ACCESS_DENIED,
    SEARCHSCOPE_TIMEOUT,
    SEARCHSCOPE_CANCELLED,
    SEARCHSCOPE_RESULT_TOO_LARGE,
    SEARCHSCOPE_IO,
    SEARCHSCOPE_UNSUPPORTED,
    SEARCHSCOPE_INTERNAL,
];

const _: () = {
    assert!(size_of::<Status>() == size_of::<c_int>(), "an old program reads an int");
    let mut index = 0;
    while index < ENGINE.len() {
        let number = ErrorKind::ALL[index].number();
        assert!(ENGINE[index] as c_int == number, "a status is not the engine's");
        index += 1;
    }
};

/// The reason why an entry point fails; the text names the parameter at fault.
#[derive(Debug)]
pub(crate) enum Fault {
    Engine(Error),
    Null(&'static str),
    Utf8(&'static str),
    BadHandle(&'static str),
    Panic,
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Engine(error)
    }
}

impl Fault {
    /// Returns the status that the entry point returns.
    pub(crate) fn status(&self) -> Status {
        match self {
            Fault::Engine(error) => {
                let number = error.kind().number();
                let status = ENGINE.into_iter().find(|status| *status as c_int == number);
                status.expect("because the table has every kind")
            }
            Fault::Null(_) => SEARCHSCOPE_NULL_ARGUMENT,
            Fault::Utf8(_) => SEARCHSCOPE_INVALID_UTF8,
            Fault::BadHandle(_) => SEARCHSCOPE_BAD_HANDLE,
            Fault::Panic => SEARCHSCOPE_PANIC,
        }
    }

    /// Returns the name of the status.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Fault::Engine(error) => error.code(),
            Fault::Null(_) => "null_argument",
            Fault::Utf8(_) => "invalid_utf8",
            Fault::BadHandle(_) => "bad_handle",
            Fault::Panic => "panic",
        }
    }

    /// Returns a message for people.
    pub(crate) fn message(&self) -> String {
        match self {
            Fault::Engine(error) => error.message().to_owned(),
            Fault::Null(param) => format!("{param} must not be NULL"),
            Fault::Utf8(param) => format!("{param} is not UTF-8"),
            Fault::BadHandle(param) => {
                format!("{param} is not a live handle of its type (freed before, or foreign)")
            }
            // The panic's own message is omitted: it may quote file contents.
            Fault::Panic => "a defect of searchscope ended the call by a panic".to_owned(),
        }
    }

    /// Returns the code and the message for a caller who has no report.
    pub(crate) fn without_report(&self) -> (&'static CStr, &'static CStr) {
        match self {
            Fault::Null(_) => (c"null_argument", c"there is no report: it is NULL"),
            Fault::BadHandle(_) => {
                (c"bad_handle", c"there is no report: its handle was freed before, or is foreign")
            }
            _ => (c"panic", c"a defect of searchscope ended the call by a panic"),
        }
    }

    /// Returns the whole fault as JSON.
    pub(crate) fn json(&self) -> Vec<u8> {
        let param = match self {
            Fault::Engine(error) => return tools::error_json(error),
            Fault::Null(param) | Fault::Utf8(param) | Fault::BadHandle(param) => {
                format!(r#","param":"{param}""#)
            }
            Fault::Panic => String::new(),
        };
        // These texts need no escaping: they are the literals above and names of parameters.
        let (code, message) = (self.code(), self.message());
        format!(r#"{{"code":"{code}","message":"{message}"{param}}}"#).into_bytes()
    }
}
