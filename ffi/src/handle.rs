//! Handles: numbers in the clothes of pointers, and the registries that know which of them live.
//!
//! A handle is never dereferenced. Its value is looked up, so a handle that was freed, that is of
//! another type or that never was one is found out instead of followed. Values are never used
//! twice. A call holds what it looked up, so that a free during a call takes nothing away from it.

use crate::status::{ErrorObject, Fault};
use parking_lot::Mutex;
use searchscope::{Call, CancelToken, Workspace};
use std::collections::BTreeMap;
use std::ffi::c_char;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// One root directory and everything beneath it, ready to be asked. Made by
/// `searchscope_workspace_open`, freed by `searchscope_workspace_free`. Any number of threads may
/// call with the same workspace at the same time.
#[derive(Debug)]
pub struct WorkspaceHandle {
    _opaque: (),
}

/// Ends the calls it was given to. Made by `searchscope_cancel_new`, freed by
/// `searchscope_cancel_free`. Any thread may trigger it at any time; it stays triggered. One token
/// may be given to several calls.
#[derive(Debug)]
pub struct CancelHandle {
    _opaque: (),
}

/// The bytes that a call answered. Made by calls and by `searchscope_tools`, freed by
/// `searchscope_reply_free`. It needs no workspace to stay alive.
#[derive(Debug)]
pub struct ReplyHandle {
    _opaque: (),
}

/// Why a function failed: a status, its name, a message for people, and the same as JSON. Made by
/// any function with an `out_error`, freed by `searchscope_error_free`.
#[derive(Debug)]
pub struct ErrorHandle {
    _opaque: (),
}

/// A type of handle and what it stands for.
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

        /// How many handles of all types live.
        #[cfg(any(test, feature = "fuzzing", feature = "test-hooks"))]
        pub(crate) fn live() -> usize {
            [$($handle::registry().live.lock().len()),+].iter().sum()
        }
    };
}

handles! {
    WorkspaceHandle => Workspace;
    CancelHandle => CancelToken;
    ReplyHandle => ReplyObject;
    ErrorHandle => ErrorObject;
}

/// The first id and the distance to the next. Ids are odd, so that no aligned address is one, and
/// begin above the lowest addresses, which the runtimes of some languages refuse as pointers.
const ID_FIRST: usize = 0x1_0001;
const ID_STEP: usize = 2;

/// One counter for all types, so that a handle of one type is never a live handle of another.
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

/// Makes a handle for `object`; it belongs to the caller until [`take_back`].
pub(crate) fn give<H: Handle>(object: H::Object) -> *mut H {
    let id = ID_NEXT
        .fetch_update(Relaxed, Relaxed, |id| id.checked_add(ID_STEP))
        .expect("because a program ends before it has made this many handles");
    H::registry().live.lock().insert(id, Arc::new(object));
    std::ptr::without_provenance_mut(id)
}

/// Looks up the live object of a handle; `param` names it in the fault.
pub(crate) fn look_up<H: Handle>(
    handle: *const H,
    param: &'static str,
) -> Result<Arc<H::Object>, Fault> {
    if handle.is_null() {
        return Err(Fault::Null(param));
    }
    H::registry().live.lock().get(&handle.addr()).cloned().ok_or(Fault::BadHandle(param))
}

/// Makes the call that the token behind `cancel` ends; with NULL nothing does.
pub(crate) fn call(cancel: *const CancelHandle) -> Result<Call, Fault> {
    if cancel.is_null() {
        return Ok(Call::new());
    }
    look_up(cancel, "cancel").map(|token| Call::new().with_cancel(&token))
}

/// Ends a handle; the object goes when the last call that uses it has returned. NULL is no handle
/// and no fault.
pub(crate) fn take_back<H: Handle>(handle: *mut H, param: &'static str) -> Result<(), Fault> {
    if handle.is_null() {
        return Ok(());
    }
    // The lock is gone when the object goes: dropping a workspace may take a while.
    let object = H::registry().live.lock().remove(&handle.addr());
    object.map(drop).ok_or(Fault::BadHandle(param))
}

/// What a reply handle stands for: bytes at an address that stays, and a NUL behind them.
#[derive(Debug)]
pub(crate) struct ReplyObject {
    bytes_and_nul: Vec<u8>,
}

impl ReplyObject {
    pub(crate) fn new(mut bytes: Vec<u8>) -> ReplyObject {
        bytes.reserve_exact(1);
        bytes.push(0);
        ReplyObject { bytes_and_nul: bytes }
    }

    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.bytes_and_nul.as_ptr().cast()
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes_and_nul.len() - 1
    }
}
