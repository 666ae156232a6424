//! The allocator of tree-sitter: the arena that the thread has entered, else the previous allocator.

use super::blocks::{Blocks, capacity};
use super::regions;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;
use tree_sitter::Allocator;

mod current {
    use std::ffi::c_void;

    unsafe extern "C" {
        /// The allocator that tree-sitter uses now.
        pub(super) static ts_current_malloc: unsafe extern "C" fn(usize) -> *mut c_void;
        pub(super) static ts_current_calloc: unsafe extern "C" fn(usize, usize) -> *mut c_void;
        pub(super) static ts_current_realloc:
            unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
        pub(super) static ts_current_free: unsafe extern "C" fn(*mut c_void);
    }
}

/// The allocator that was installed before ours.
static BEFORE: OnceLock<Allocator> = OnceLock::new();

thread_local! {
    /// The blocks of the arena that this thread has entered.
    static ENTERED: Cell<*const Blocks> = const { Cell::new(ptr::null()) };
}

/// Installs our allocator in tree-sitter, once per process.
pub(super) fn install() {
    BEFORE.get_or_init(|| {
        // SAFETY: these are pointers to functions, and only `set_allocator` changes them; the
        // documentation requires a host to call it before this.
        let before = unsafe {
            Allocator {
                malloc: current::ts_current_malloc,
                calloc: current::ts_current_calloc,
                realloc: current::ts_current_realloc,
                free: current::ts_current_free,
            }
        };
        // SAFETY: the four functions belong together. They never return null for a block: a block outside
        // arenas comes from the previous allocator, which promises the same. Blocks are aligned to 16 bytes.
        // Blocks allocated earlier are freed by the previous allocator, since they are in no arena; a thread
        // that reads the old functions at this moment uses the previous allocator too.
        unsafe { tree_sitter::set_allocator(Some(Allocator { malloc, calloc, realloc, free })) };
        before
    });
}

/// Guard that leaves the arena when it is dropped.
#[derive(Debug)]
pub(super) struct Entered(*const Blocks);

/// Enters an arena on this thread until the returned guard is dropped.
pub(super) fn enter(blocks: &Blocks) -> Entered {
    Entered(ENTERED.replace(blocks))
}

impl Drop for Entered {
    fn drop(&mut self) {
        ENTERED.set(self.0);
    }
}

/// Returns the blocks of the arena that this thread has entered.
///
/// # Safety
///
/// The reference may be used only within the current call from C.
unsafe fn entered<'a>() -> Option<&'a Blocks> {
    let blocks = ENTERED.try_with(Cell::get).unwrap_or(ptr::null());
    // SAFETY: `Arena::run` borrows the blocks for as long as they are entered.
    unsafe { blocks.as_ref() }
}

fn before() -> &'static Allocator {
    BEFORE.get().expect("because it is set before the hooks are")
}

unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: the reference does not outlive this call.
    let block = unsafe { entered() }.and_then(|blocks| blocks.allocate(size));
    match block {
        Some(block) => block.as_ptr().cast(),
        // SAFETY: the caller's call, passed on.
        None => unsafe { (before().malloc)(size) },
    }
}

unsafe extern "C" fn calloc(n: usize, size: usize) -> *mut c_void {
    let total = n.checked_mul(size);
    // SAFETY: the reference does not outlive this call.
    let block = total.and_then(|total| unsafe { entered() }?.allocate(total));
    match (block, total) {
        (Some(block), Some(total)) => {
            // SAFETY: the block has room for `total` bytes.
            unsafe { block.as_ptr().write_bytes(0, total) };
            block.as_ptr().cast()
        }
        // SAFETY: the caller's call, passed on.
        _ => unsafe { (before().calloc)(n, size) },
    }
}

unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    let Some(old) = NonNull::new(block.cast::<u8>()) else {
        // SAFETY: reallocating null is allocating.
        return unsafe { malloc(size) };
    };
    if regions::place_of(old.addr().get()).is_none() {
        // SAFETY: the caller's call, passed on: the block is from the previous allocator.
        return unsafe { (before().realloc)(block, size) };
    }
    // SAFETY: it is a block of an arena, since its address is in a region.
    let room = unsafe { capacity(old) };
    if size <= room {
        return block;
    }
    // SAFETY: the new block is larger than the old one and distinct from it; the old one is freed
    // afterwards, as the caller requests.
    unsafe {
        let new = malloc(size);
        ptr::copy_nonoverlapping(old.as_ptr(), new.cast(), room);
        free(block);
        new
    }
}

unsafe extern "C" fn free(block: *mut c_void) {
    let Some(old) = NonNull::new(block.cast::<u8>()) else {
        return;
    };
    // SAFETY: the reference does not outlive this call.
    if let Some(blocks) = unsafe { entered() }
        && blocks.region().contains(old.addr().get())
    {
        // SAFETY: it is a block of this arena, since its address is in the region, and the caller frees it.
        unsafe { blocks.free(old) };
    } else if let Some(place) = regions::place_of(old.addr().get()) {
        regions::count_freed(place);
    } else {
        // SAFETY: the caller's call, passed on: the block is from the previous allocator.
        unsafe { (before().free)(block) };
    }
}
