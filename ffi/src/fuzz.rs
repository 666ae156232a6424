//! Plans of calls over a pool of values: live handles, freed ones, handles of another type, and values
//! that never were handles. A model tracks the live ones and predicts the status of each call.
//!
//! A plan is the input of a fuzz target, which runs it with the address sanitizer; tests/c/plan.c runs
//! random plans from a C program.

#![expect(clippy::disallowed_methods, reason = "a plan makes the tree that it searches")]

use crate::request::SEARCHSCOPE_NUL_TERMINATED;
use crate::*;
use std::ffi::{CStr, CString, c_int};
use std::fs;
use std::sync::OnceLock;

const SLOTS: usize = 16;
/// Bounds the time of a plan: one tool call takes a hundred microseconds.
const STEPS_MAX: usize = 64;

const BAD_CALLS: &[(&CStr, &CStr, Status)] = &[
    (c"no_such_tool", c"{}", SEARCHSCOPE_INVALID_PARAM),
    (c"search_in_files", c"{}", SEARCHSCOPE_INVALID_PARAM),
    (c"search_in_files", c"{", SEARCHSCOPE_INVALID_PARAM),
    (c"search_in_files", c"", SEARCHSCOPE_INVALID_PARAM),
    (c"search_in_files", cr#"{"query":"(","use_regex":true}"#, SEARCHSCOPE_PATTERN_SYNTAX),
    (c"search_in_files", cr#"{"query":"a","path":"../x"}"#, SEARCHSCOPE_ACCESS_DENIED),
    (c"search_in_files", cr#"{"query":"a","path":"gone"}"#, SEARCHSCOPE_NOT_FOUND),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Type {
    Workspace,
    Cancel,
    Report,
}

/// The types by the number in a plan. A report of a reply and one of a failure have different numbers.
const TYPES: [Type; 4] = [Type::Workspace, Type::Cancel, Type::Report, Type::Report];
/// The number of a report of a reply.
const REPLY: usize = 2;

/// A value, and its type if it is a live handle.
#[derive(Clone, Copy, Debug)]
struct Slot {
    value: usize,
    lives_as: Option<Type>,
    is_triggered: bool,
}

struct Plan<'a> {
    bytes: &'a [u8],
    slots: [Slot; SLOTS],
    root: &'static CStr,
}

/// Runs a plan; each byte is a choice. At the end it frees all live handles and checks that none is left.
pub fn c_api(data: &[u8]) {
    let empty = Slot { value: 0, lives_as: None, is_triggered: false };
    let mut plan = Plan { bytes: data, slots: [empty; SLOTS], root: root() };
    for _ in 0..STEPS_MAX {
        if plan.bytes.is_empty() {
            break;
        }
        plan.step();
        let n_live = plan.slots.iter().filter(|slot| slot.lives_as.is_some()).count();
        assert_eq!(handle::live(), n_live, "{:?}", plan.slots);
    }
    for slot in plan.slots {
        if let Some(kind) = slot.lives_as {
            assert_eq!(free_as(kind, slot.value), SEARCHSCOPE_OK);
        }
    }
    assert_eq!(handle::live(), 0);
}

/// Returns a small tree that exists until the process ends.
fn root() -> &'static CStr {
    static ROOT: OnceLock<(tempfile::TempDir, CString)> = OnceLock::new();
    let (_, path) = ROOT.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a directory");
        for name in ["a.txt", "b.txt", "c.txt"] {
            fs::write(dir.path().join(name), "a needle\nand a needle\n").expect("written");
        }
        let path = CString::new(dir.path().as_os_str().as_encoded_bytes()).expect("no NUL");
        (dir, path)
    });
    path
}

fn free_as(kind: Type, value: usize) -> Status {
    match kind {
        Type::Workspace => searchscope_workspace_free(value as *mut _),
        Type::Cancel => searchscope_cancel_free(value as *mut _),
        Type::Report => searchscope_report_free(value as *mut _),
    }
}

/// Returns the sample calls of all tools, without those that need a document: the tree has none.
fn samples() -> &'static [(CString, CString)] {
    static SAMPLES: OnceLock<Vec<(CString, CString)>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let lines = include_str!("../../tools/src/tests/samples.txt").lines();
        let samples = lines.filter(|line| !line.starts_with('#') && !line.contains("$document"));
        let samples = samples.map(|line| {
            let mut words = line.splitn(3, ' ');
            let (Some(tool), Some(args)) = (words.next(), words.nth(1)) else {
                panic!("no sample: {line}");
            };
            let args = args.replace("$text", "needle").replace("$symbol", "needle");
            (CString::new(tool).expect("no NUL"), CString::new(args).expect("no NUL"))
        });
        let exists = |(tool, _): &(CString, CString)| {
            tools::TOOLS.iter().any(|known| known.name.as_bytes() == tool.as_bytes())
        };
        samples.filter(exists).collect()
    })
}

impl Plan<'_> {
    fn below(&mut self, end: usize) -> usize {
        let Some((byte, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*byte) % end
    }

    fn any(&mut self) -> usize {
        self.below(SLOTS)
    }

    /// Returns mostly a live handle of this type, if there is one.
    fn probably(&mut self, kind: Type) -> Slot {
        let at = self.any();
        let slots = (0..SLOTS).map(|n| self.slots[(at + n) % SLOTS]);
        let live: Vec<Slot> = slots.filter(|slot| slot.lives_as == Some(kind)).collect();
        let is_any = self.below(4) == 0;
        live.first().copied().filter(|_| !is_any).unwrap_or(self.slots[at])
    }

    /// Puts a new value into a slot; frees a live handle there first.
    fn place(&mut self, value: usize, lives_as: Option<Type>) {
        let at = self.any();
        let old = self.slots[at];
        if let Some(kind) = old.lives_as {
            assert_eq!(free_as(kind, old.value), SEARCHSCOPE_OK);
        }
        // An arbitrary value in another slot may equal the id of the new handle.
        for slot in self.slots.iter_mut().filter(|slot| slot.value == value) {
            *slot = Slot { value: 0, lives_as: None, is_triggered: false };
        }
        self.slots[at] = Slot { value, lives_as, is_triggered: false };
    }

    fn step(&mut self) {
        match self.below(8) {
            0..=2 => self.make(),
            3 => self.free_any(),
            4 => self.trigger(),
            5 => self.ask(),
            _ => self.call(),
        }
    }

    fn make(&mut self) {
        let number = self.below(TYPES.len() + 1);
        if let Some(&kind) = TYPES.get(number) {
            let value = self.made(number);
            assert_ne!(value, 0);
            self.place(value, Some(kind));
            return;
        }
        let old = self.any();
        let strangers = [
            0,
            1,
            usize::MAX,
            self.root.as_ptr() as usize,
            self.slots[old].value.wrapping_add(2),
            0x1_0001,
        ];
        let stranger = strangers[self.below(strangers.len())];
        // A guessed id may be that of a live handle.
        if !self.slots.iter().any(|slot| slot.lives_as.is_some() && slot.value == stranger) {
            self.place(stranger, None);
        }
    }

    fn made(&mut self, number: usize) -> usize {
        let mut value = null_mut::<u8>();
        let out = &raw mut value;
        // SAFETY: the texts end in NUL, and `out` is a place for a pointer.
        let status = unsafe {
            match TYPES[number] {
                Type::Workspace => {
                    let options = [null(), c"{\"threads\":2}".as_ptr()][self.below(2)];
                    searchscope_workspace_open(self.root.as_ptr(), options, out.cast(), null_mut())
                }
                Type::Cancel => {
                    value = searchscope_cancel_new().cast();
                    SEARCHSCOPE_OK
                }
                Type::Report if number == REPLY => searchscope_tools(out.cast()),
                Type::Report => {
                    let status = searchscope_workspace_open(null(), null(), null_mut(), out.cast());
                    assert_eq!(status, SEARCHSCOPE_NULL_ARGUMENT);
                    SEARCHSCOPE_OK
                }
            }
        };
        assert_eq!(status, SEARCHSCOPE_OK);
        value as usize
    }

    /// Returns the status that a function must return for a value that it takes as a handle of this type.
    fn verdict(slot: Slot, kind: Type) -> Status {
        match slot.value {
            0 => SEARCHSCOPE_NULL_ARGUMENT,
            _ if slot.lives_as == Some(kind) => SEARCHSCOPE_OK,
            _ => SEARCHSCOPE_BAD_HANDLE,
        }
    }

    /// Returns the status that an otherwise valid call with these two handles must return.
    fn verdict_of_call(workspace: Slot, cancel: Slot) -> Status {
        match Self::verdict(workspace, Type::Workspace) {
            SEARCHSCOPE_OK if cancel.value == 0 => SEARCHSCOPE_OK,
            SEARCHSCOPE_OK => match Self::verdict(cancel, Type::Cancel) {
                SEARCHSCOPE_OK if cancel.is_triggered => SEARCHSCOPE_CANCELLED,
                verdict => verdict,
            },
            verdict => verdict,
        }
    }

    fn free_any(&mut self) {
        let (at, kind) = (self.any(), TYPES[self.below(TYPES.len())]);
        let slot = self.slots[at];
        let expected = if slot.value == 0 { SEARCHSCOPE_OK } else { Self::verdict(slot, kind) };
        assert_eq!(free_as(kind, slot.value), expected, "{slot:?} as {kind:?}");
        if slot.lives_as == Some(kind) {
            // No other slot has the same value as a live handle.
            self.slots[at].lives_as = None;
        }
    }

    fn trigger(&mut self) {
        let wanted = self.probably(Type::Cancel);
        let expected = Self::verdict(wanted, Type::Cancel);
        assert_eq!(searchscope_cancel_trigger(wanted.value as *const _), expected);
        for slot in self.slots.iter_mut().filter(|slot| slot.lives_as == Some(Type::Cancel)) {
            slot.is_triggered |= slot.value == wanted.value;
        }
    }

    fn ask(&mut self) {
        let at = self.any();
        let slot = self.slots[at];
        let is_report = slot.lives_as == Some(Type::Report);
        let report = slot.value as *const ReportHandle;
        let bytes = searchscope_report_bytes(report);
        let len = searchscope_report_len(report);
        assert_eq!((!bytes.is_null(), len > 0), (is_report, is_report), "{slot:?}");
        if is_report {
            // SAFETY: a NUL follows the bytes of a live report.
            assert_eq!(unsafe { CStr::from_ptr(bytes) }.count_bytes(), len);
        }
        // SAFETY: the two texts end in NUL for every handle.
        let (code, message) = unsafe {
            let code = CStr::from_ptr(searchscope_report_code(report));
            (code, CStr::from_ptr(searchscope_report_message(report)))
        };
        assert!(code.to_str().is_ok_and(|text| !text.is_empty()), "{slot:?}");
        let message = message.to_str().expect("UTF-8");
        let status = searchscope_report_status(report);
        assert_eq!(message.is_empty(), status == SEARCHSCOPE_OK, "{slot:?}");
        // A live report may itself have the status of a bad handle.
        assert!(is_report || status == Self::verdict(slot, Type::Report), "{slot:?}");
    }

    /// Makes a call with any two values for workspace and token.
    fn call(&mut self) {
        let (workspace, cancel) = (self.probably(Type::Workspace), self.probably(Type::Cancel));
        let mut expected = Self::verdict_of_call(workspace, cancel);
        let mut report = null_mut();
        let (handle, token) = (workspace.value as *const _, cancel.value as *const _);
        let kind = self.below(4);
        let frees = (self.below(4) == 3).then_some(workspace.value);
        let mut seen = Seen { frees, stops_at: 1 + self.below(8), n: 0 };
        let user_data = (&raw mut seen).cast::<c_void>();
        let out = &raw mut report;
        // SAFETY: each request ends in NUL; the out-parameter and the callbacks' data outlive the call.
        let status = unsafe {
            match kind {
                0 => {
                    let (tool, args) = &samples()[self.below(samples().len())];
                    searchscope_call(handle, tool.as_ptr(), &request(args, token), out)
                }
                1 => {
                    let (tool, args, status) = BAD_CALLS[self.below(BAD_CALLS.len())];
                    let given = searchscope_call(handle, tool.as_ptr(), &request(args, token), out);
                    // If two arguments are wrong, either may be reported.
                    if expected == SEARCHSCOPE_OK || given == status {
                        expected = status;
                    }
                    given
                }
                2 => {
                    let request = request(cr#"{"patterns":["needle"]}"#, token);
                    searchscope_search_each(handle, &request, Some(take_match), user_data, out)
                }
                _ => {
                    let request = request(c"{}", token);
                    searchscope_find_each(handle, &request, Some(take_file), user_data, out)
                }
            }
        };
        assert_eq!(status, expected, "{workspace:?} {cancel:?} {kind}");
        assert!(!report.is_null());
        assert_eq!(searchscope_report_status(report), status);
        if seen.frees.is_none() && frees.is_some() {
            self.forget(workspace.value);
        }
        self.place(report as usize, Some(Type::Report));
    }

    /// Marks a handle as freed.
    fn forget(&mut self, value: usize) {
        let is_freed = |slot: &&mut Slot| slot.value == value;
        self.slots.iter_mut().filter(is_freed).for_each(|slot| slot.lives_as = None);
    }
}

/// Returns a request with these arguments and this token.
fn request(args: &CStr, cancel: *const CancelHandle) -> Request {
    Request {
        struct_size: size_of::<Request>(),
        args: args.as_ptr(),
        args_len: SEARCHSCOPE_NUL_TERMINATED,
        cancel,
    }
}

/// State and behaviour of a stream's callbacks.
struct Seen {
    /// The workspace to free during its own search.
    frees: Option<usize>,
    stops_at: usize,
    n: usize,
}

impl Seen {
    fn take(&mut self, path: Text) -> c_int {
        // SAFETY: the path lives until the callback returns, and a NUL follows it.
        let path = unsafe { CStr::from_ptr(path.bytes) };
        assert!(path.to_bytes().ends_with(b".txt"), "{path:?}");
        if let Some(workspace) = self.frees.take() {
            assert_eq!(free_as(Type::Workspace, workspace), SEARCHSCOPE_OK);
        }
        assert!(path.to_bytes().ends_with(b".txt"), "{path:?}");
        self.n += 1;
        assert!(self.n <= self.stops_at, "a result after the end");
        if self.n == self.stops_at { SEARCHSCOPE_STOP } else { SEARCHSCOPE_CONTINUE }
    }
}

unsafe extern "C" fn take_match(user_data: *mut c_void, one: *const Match) -> c_int {
    // SAFETY: `user_data` is the `Seen` of the call, which no other code uses now; the match is live.
    unsafe { (*user_data.cast::<Seen>()).take((*one).path) }
}

unsafe extern "C" fn take_file(user_data: *mut c_void, one: *const Found) -> c_int {
    // SAFETY: as above.
    unsafe { (*user_data.cast::<Seen>()).take((*one).path) }
}
