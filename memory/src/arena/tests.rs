use super::Arena;
use std::ffi::c_void;
use tree_sitter::Parser;

unsafe extern "C" {
    static ts_current_malloc: unsafe extern "C" fn(usize) -> *mut c_void;
    static ts_current_calloc: unsafe extern "C" fn(usize, usize) -> *mut c_void;
    static ts_current_realloc: unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
    static ts_current_free: unsafe extern "C" fn(*mut c_void);
}

fn malloc(size: usize) -> *mut u8 {
    // SAFETY: the allocator of tree-sitter takes any size.
    unsafe { ts_current_malloc(size).cast() }
}

fn realloc(block: *mut u8, size: usize) -> *mut u8 {
    // SAFETY: tests pass on blocks of `malloc`.
    unsafe { ts_current_realloc(block.cast(), size).cast() }
}

fn free(block: *mut u8) {
    // SAFETY: tests pass on blocks of `malloc`, each once.
    unsafe { ts_current_free(block.cast()) }
}

fn arena() -> Arena {
    Arena::new(0).expect("there is memory for tests")
}

#[test]
fn blocks_are_aligned_apart_and_keep_their_content() {
    let mut arena = arena();
    arena.run(|_| {
        let mut blocks: Vec<(*mut u8, usize, u8)> = Vec::new();
        for n in 0..3_000_usize {
            let (size, mark) = (n * 7919 % 5_000, u8::try_from(n % 251).expect("it is small"));
            let block = malloc(size);
            assert_eq!(block.addr() % 16, 0);
            // SAFETY: the block has room for `size` bytes.
            unsafe { block.write_bytes(mark, size) };
            blocks.push((block, size, mark));
            if n % 3 == 0 {
                let (block, size, _) = blocks.swap_remove(n * 31 % blocks.len());
                // SAFETY: the block was filled when it was allocated.
                let read = unsafe { std::slice::from_raw_parts(block, size) };
                assert!(read.iter().all(|byte| Some(byte) == read.first()));
                free(block);
            }
            if n % 5 == 1 {
                let at = n * 17 % blocks.len();
                let (block, size, mark) = blocks[at];
                let larger = realloc(block, size * 3);
                // SAFETY: the block has room for three times `size` bytes, of which the first third is kept.
                unsafe { larger.add(size).write_bytes(mark, size * 2) };
                blocks[at] = (larger, size * 3, mark);
            }
        }
        for (block, size, mark) in blocks {
            // SAFETY: the block was filled when it was allocated.
            let read = unsafe { std::slice::from_raw_parts(block, size) };
            assert!(read.iter().all(|byte| *byte == mark));
            free(block);
        }
    });
    assert!(arena.is_empty());
}

#[test]
fn zeroed_blocks_are_zero_in_reused_memory() {
    let mut arena = arena();
    arena.run(|_| {
        let block = malloc(500);
        // SAFETY: the block has room for 500 bytes.
        unsafe { block.write_bytes(7, 500) };
        free(block);
        // SAFETY: the allocator of tree-sitter takes any size, and the block has that size.
        let read = unsafe {
            let block = ts_current_calloc(5, 100).cast::<u8>();
            std::slice::from_raw_parts(block, 500)
        };
        assert!(read.iter().all(|byte| *byte == 0));
        free(read.as_ptr().cast_mut());
    });
}

#[test]
fn freed_blocks_are_reused() {
    let mut arena = arena();
    arena.run(|usage| {
        for size in [1, 100, 5_000, 1 << 20] {
            for _ in 0..1_000 {
                free(malloc(size));
            }
        }
        assert!(!usage.is_full());
    });
    assert!(arena.used() < 2 << 20, "{} bytes", arena.used());
}

#[test]
fn a_full_arena_reports_it_and_uses_the_heap() {
    let mut arena = arena();
    let blocks: Vec<*mut u8> = arena.run(|usage| {
        let blocks = (0..40).map(|n| {
            assert_eq!(usage.is_full(), n >= 25, "{n} MiB");
            malloc((1 << 20) - 64)
        });
        blocks.collect()
    });
    assert!(arena.used() <= arena.len());
    arena.run(|_| blocks.into_iter().for_each(free));
    assert!(arena.is_empty() && arena.clear());
    arena.run(|usage| assert!(!usage.is_full()));
}

#[test]
fn blocks_may_be_freed_on_another_thread_and_after_their_arena() {
    let mut arena = arena();
    let address = |block: *mut u8| block.expose_provenance();
    let block = |address| std::ptr::with_exposed_provenance_mut(address);
    let (one, other) = arena.run(|_| (address(malloc(10)), address(malloc(1_000))));
    std::thread::spawn(move || free(block(one))).join().expect("it is freed");
    assert!(!arena.is_empty() && !arena.clear());
    drop(arena);
    // SAFETY: the block is in use, so it stays where it is.
    unsafe { block(other).write_bytes(1, 1_000) };
    let larger = realloc(block(other), 100_000);
    // SAFETY: the first 1,000 bytes are kept.
    assert!(unsafe { std::slice::from_raw_parts(larger, 1_000) }.iter().all(|byte| *byte == 1));
    free(larger);
}

#[test]
fn blocks_of_the_heap_are_freed_in_an_arena() {
    let mut arena = arena();
    let block = realloc(malloc(10), 20);
    arena.run(|_| free(realloc(block, 1_000)));
    assert!(arena.is_empty());
}

#[test]
fn parsers_come_and_go() {
    let mut arena = arena();
    for _ in 0..3 {
        arena.run(|_| drop(Parser::new()));
        assert!(arena.used() > 16 && arena.clear());
    }
    let parser = arena.run(|_| Parser::new());
    assert!(!arena.clear());
    drop(parser);
    assert!(arena.clear());
}

#[test]
fn sizes_beyond_all_memory_are_refused() {
    assert!(Arena::new(usize::MAX).is_none());
    assert!(Arena::new(usize::MAX / 2).is_none());
}
