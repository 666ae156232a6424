//! Handles: integer ids typed as pointers, and the registries of live objects.
//!
//! A handle is never dereferenced: its value is looked up. A freed handle, one of another type or a
//! foreign pointer is therefore an error, where real pointers would be undefined behaviour. Ids are
//! never reused. A call keeps an `Arc` of each object that it looked up, so a concurrent free is safe.

use crate::status::{Fault, SEARCHSCOPE_OK, Status};
use parking_lot::Mutex;
use searchscope::{Call, CancelToken, Workspace};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// An opened root directory with its options. Created by `searchscope_workspace_open`, freed by
/// `searchscope_workspace_free`. Any number of threads may use the same workspace at the same time.
#[derive(Debug)]
pub struct WorkspaceHandle {
    _opaque: (),
}

/// A token that ends the calls it was passed to. Created by `searchscope_cancel_new`, freed by
/// `searchscope_cancel_free`. Any thread may trigger it at any time; it stays triggered. One token may
/// be passed to several calls.
#[derive(Debug)]
pub struct CancelHandle {
    _opaque: (),
}

/// A status with the reply, or with the reason for the failure. Created through `out_report`, freed by
/// `searchscope_report_free`. It outlives its workspace.
#[derive(Debug)]
pub struct ReportHandle {
    _opaque: (),
}

/// A type of handle and the type of its object.
pub(crate) trait Handle: Sized + 'static {
    type Object: Send + Sync;
    /// The one registry of this type.
    fn registry() -> &'static Registry<Self::Object>;
}

macro_rules! handles {
    ($($handle:ident => $object:ty;)+) => {
        $(impl Handle for $handle {
            type Object = $object;
            fn registry() -> &'static Registry<$object> {
                static REGISTRY: Registry<$object> = Registry::new();
                &REGISTRY
            }
        })+

        /// Returns the number of live handles of all types.
        #[cfg(any(test, feature = "fuzzing", feature = "test-hooks"))]
        pub(crate) fn live() -> usize {
            [$($handle::registry().live.lock().len()),+].iter().sum()
        }
    };
}

handles! {
    WorkspaceHandle => Workspace;
    CancelHandle => CancelToken;
    ReportHandle => Report;
}

/// The first id and the step to the next. Ids are odd, so that no aligned address equals one, and start
/// above the lowest addresses, which the runtimes of some languages refuse as pointers.
const ID_FIRST: usize = 0x1_0001;
const ID_STEP: usize = 2;

/// The next id, shared by all types: a handle of one type is never a live handle of another.
static ID_NEXT: AtomicUsize = AtomicUsize::new(ID_FIRST);

/// The live handles of one type.
#[derive(Debug)]
pub(crate) struct Registry<T> {
    live: Mutex<BTreeMap<usize, Arc<T>>>,
}

impl<T> Registry<T> {
    const fn new() -> Registry<T> {
        Registry { live: Mutex::new(BTreeMap::new()) }
    }
}

/// Creates a handle for `object`; it belongs to the caller until [`take_back`].
pub(crate) fn give<H: Handle>(object: H::Object) -> *mut H {
    let id = ID_NEXT
        .fetch_update(Relaxed, Relaxed, |id| id.checked_add(ID_STEP))
        .expect("because a program ends before it has made this many handles");
    H::registry().live.lock().insert(id, Arc::new(object));
    std::ptr::without_provenance_mut(id)
}

/// Returns the live object of a handle; `param` names the handle in a fault.
pub(crate) fn look_up<H: Handle>(
    handle: *const H,
    param: &'static str,
) -> Result<Arc<H::Object>, Fault> {
    if handle.is_null() {
        return Err(Fault::Null(param));
    }
    H::registry().live.lock().get(&handle.addr()).cloned().ok_or(Fault::BadHandle(param))
}

/// Creates a [`Call`] with the token `cancel`, or without a token for NULL.
pub(crate) fn call(cancel: *const CancelHandle) -> Result<Call, Fault> {
    if cancel.is_null() {
        return Ok(Call::new());
    }
    look_up(cancel, "cancel").map(|token| Call::new().with_cancel(&token))
}

/// Frees a handle; its object is dropped once the last call that uses it has returned. NULL does
/// nothing.
pub(crate) fn take_back<H: Handle>(handle: *mut H, param: &'static str) -> Result<(), Fault> {
    if handle.is_null() {
        return Ok(());
    }
    // The lock is released before the object is dropped: dropping a workspace may take a while.
    let object = H::registry().live.lock().remove(&handle.addr());
    object.map(drop).ok_or(Fault::BadHandle(param))
}

/// Object of a report handle. Its texts are handed out as pointers that live as long as the handle, so all
/// are created up front.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) status: Status,
    pub(crate) code: Cow<'static, CStr>,
    pub(crate) message: Cow<'static, CStr>,
    bytes_and_nul: Vec<u8>,
}

impl Report {
    /// Creates the report of a function that succeeded with this reply.
    pub(crate) fn of_reply(reply: Vec<u8>) -> Report {
        Report {
            status: SEARCHSCOPE_OK,
            code: c"ok".into(),
            message: c"".into(),
            bytes_and_nul: with_nul(reply),
        }
    }

    /// Creates the report of a function that failed.
    pub(crate) fn of_fault(fault: &Fault) -> Report {
        Report {
            status: fault.status(),
            code: c_text(fault.code()),
            message: c_text(&fault.message()),
            bytes_and_nul: with_nul(fault.json()),
        }
    }

    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.bytes_and_nul.as_ptr().cast()
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes_and_nul.len() - 1
    }
}

fn with_nul(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.reserve_exact(1);
    bytes.push(0);
    bytes
}

/// Replaces NULs, which would end a C string early: a message may quote a name that contains one.
fn c_text(text: &str) -> Cow<'static, CStr> {
    CString::new(text.replace('\0', "\u{fffd}")).expect("because every NUL was replaced").into()
}
