//! The memory that the index of a repository takes: its file is written by anyone.

use crate::counter::of_all_threads;
use crate::memory::alone;
use crate::open;
use searchscope::Call;
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use std::fs::File;
use std::thread;

const CALLS: usize = 4;
/// What the calls may take for their indexes: one at a time may be large.
const PEAK_MAX: i64 = (100 << 20) + (CALLS as i64 - 1) * (16 << 20);

fn repository() -> Tree {
    let tree = Tree::empty();
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    tree.write(".git/objects/info/keep", "");
    tree.write("file", "needle\n");
    tree
}

fn head(version: u32, n: u32) -> Vec<u8> {
    [b"DIRC".as_slice(), &version.to_be_bytes(), &n.to_be_bytes()].concat()
}

/// An entry of a file, up to its path.
fn entry(mode: u32, name_len: u16) -> Vec<u8> {
    let mut entry = vec![0; 24];
    entry.extend(mode.to_be_bytes());
    entry.extend([0; 12]);
    entry.extend([1; 20]);
    entry.extend(name_len.to_be_bytes());
    entry
}

/// An index of version 4 whose paths are long and share all but their last bytes.
fn long_paths(n: u32, len: usize) -> Vec<u8> {
    let mut index = head(4, n);
    for at in 0..n {
        index.extend(entry(0o100_644, 0xfff));
        // The number of bytes that the path drops from the previous one.
        index.push(if at == 0 { 0 } else { 6 });
        if at == 0 {
            index.extend(vec![b'a'; len]);
        }
        index.extend(format!("{at:06}\0").bytes());
    }
    index.extend([0; 20]);
    index
}

/// An index of version 2 with paths of a usual length.
fn usual_paths(n: u32) -> Vec<u8> {
    let mut index = head(2, n);
    for at in 0..n {
        let path = format!("drivers/of/some/kind/{at:07}/source/file.c");
        index.extend(entry(0o100_644, u16::try_from(path.len()).expect("short")));
        index.extend(path.bytes());
        index.extend(vec![0; 8 - (62 + path.len()) % 8]);
    }
    index.extend([0; 20]);
    index
}

/// An index whose link has two bitmaps of a few bytes with `n` bits each.
fn bits(n: u64) -> Vec<u8> {
    let mut link = vec![1; 20];
    for _ in 0..2 {
        // The number of bits, of words, one word of `n / 64` words of ones, and the place of the last.
        link.extend(u32::try_from(n).expect("small").to_be_bytes());
        link.extend(1_u32.to_be_bytes());
        link.extend(((n / 64) << 1 | 1).to_be_bytes());
        link.extend(0_u32.to_be_bytes());
    }
    let mut index = head(2, 0);
    index.extend(b"link");
    index.extend(u32::try_from(link.len()).expect("small").to_be_bytes());
    index.extend(link);
    index.extend([0; 20]);
    index
}

#[test]
fn an_index_takes_memory_for_its_entries_and_not_for_its_size() {
    let _alone = alone();
    let args = br#"{"patterns": ["needle"], "changed": true, "deadline_ms": 600000}"#;
    #[expect(clippy::disallowed_methods, reason = "a file with a hole")]
    let sparse = |tree: &Tree, n: u32| {
        tree.write(".git/index", head(2, n));
        let path = tree.root().join(".git/index");
        let file = File::options().write(true).open(path).expect("it is there");
        file.set_len(500 << 20).expect("a hole");
    };
    let contents = [
        ("many zeros", Err(0x10_0000), Some("more than 72 MiB of memory")),
        ("zeros", Err(0x1_0000), Some("an entry is of no kind")),
        ("few bytes", Ok([head(2, 0x10_0000), vec![0; 4_096]].concat()), Some("too short")),
        ("long paths", Ok(long_paths(200_000, 2_700)), Some("more than 72 MiB of memory")),
        ("many files", Ok(usual_paths(400_000)), None),
        ("some bits", Ok(bits(1 << 20)), Some("the shared index of the index is missing")),
        ("many bits", Ok(bits(1 << 26)), Some("more than 72 MiB of memory")),
    ];
    for (name, index, refusal) in contents {
        let tree = repository();
        match index {
            Ok(index) => tree.write(".git/index", index),
            Err(n) => sparse(&tree, n),
        }
        let workspace = open(&tree, 1);
        let replies = || {
            thread::scope(|scope| {
                let call = || workspace.call("search", args, &Call::new());
                let threads: Vec<_> = (0..CALLS).map(|_| scope.spawn(call)).collect();
                let joined = threads.into_iter().map(|thread| thread.join().expect("it replies"));
                joined.collect::<Vec<_>>()
            })
        };
        let (replies, usage) = of_all_threads(replies);
        let peak = usage.peak_bytes;
        println!("{name}: {} MiB for {CALLS} calls", peak >> 20);
        assert!(peak < PEAK_MAX, "{name}: {peak} bytes");
        for reply in replies {
            match (reply, refusal) {
                (Err(error), Some(why)) => assert!(error.to_string().contains(why), "{error}"),
                (Ok(reply), None) => {
                    assert!(String::from_utf8_lossy(&reply).contains("needle"), "{name}");
                }
                (reply, _) => panic!("{name}: {reply:?}"),
            }
        }
    }
}

#[test]
fn a_configuration_takes_little_memory() {
    let _alone = alone();
    let args = br#"{"patterns": ["needle"], "changed": true, "deadline_ms": 600000}"#;
    let include = |n: usize| format!("[include]\n{}", "path = other\n".repeat(n));
    let short_keys = "b\n".repeat(256 << 10);
    let contents = [
        ("many files", include(999), "[core]\n".to_owned(), None),
        ("comments", include(40), format!("#{}\n", "c".repeat(3 << 20)), Some("MiB of memory")),
        ("short keys", include(40), short_keys.clone(), Some("MiB of memory")),
        (
            "a long section",
            format!("[{}]\n{short_keys}", "s".repeat(1 << 20)),
            String::new(),
            Some("MiB of memory"),
        ),
    ];
    for (name, config, other, refusal) in contents {
        let tree = repository();
        tree.write(".git/config", config);
        tree.write(".git/other", other);
        let workspace = open(&tree, 1);
        let (reply, usage) = of_all_threads(|| workspace.call("search", args, &Call::new()));
        println!("{name}: {} MiB", usage.peak_bytes >> 20);
        assert!(usage.peak_bytes < 64 << 20, "{name}: {} bytes", usage.peak_bytes);
        match (reply, refusal) {
            (Err(error), Some(why)) => assert!(error.to_string().contains(why), "{error}"),
            (Ok(_), None) => {}
            (reply, _) => panic!("{name}: {reply:?}"),
        }
    }
}
