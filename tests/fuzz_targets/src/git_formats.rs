//! Git's formats: any bytes are read in bounded memory or refused; the entries read from an index can be
//! searched, and a delta produces the same as a plain reading of it.

use super::bytes::Bytes;
use searchscope::fuzzing::git;

const INPUT_BYTES_MAX: usize = 16 << 10;

/// The format, the hash, the position that splits two files, and their bytes.
pub fn git_formats(data: &[u8]) {
    let mut bytes = Bytes::new(&data[..data.len().min(INPUT_BYTES_MAX)]);
    let kind = bytes.below(6);
    let is_sha256 = bytes.is_set();
    let split = 256 * bytes.below(256) + bytes.below(256);
    let rest = bytes.rest();
    let (first, second) = rest.split_at(split.min(rest.len()));
    match kind {
        0 | 1 => index(first, second, is_sha256),
        2 => {
            let sizes = git::pack(first, second, is_sha256).unwrap_or_default();
            assert!(sizes.len() <= 64);
            assert!(sizes.into_iter().flatten().all(|size| size <= 1 << 20));
        }
        3 => assert_eq!(git::delta(first, second), plain_delta(first, second)),
        4 => {
            for name in git::objects(rest, is_sha256) {
                assert!(!name.is_empty() && !name.contains(&b'/') && name != b"..", "{name:?}");
            }
        }
        _ => git::texts(first, second),
    }
}

fn index(first: &[u8], second: &[u8], is_sha256: bool) {
    let Some(entries) = git::index(first, Some(second), is_sha256) else { return };
    assert!(entries.is_sorted() && entries.windows(2).all(|pair| pair[0] != pair[1]));
    for (path, stage) in &entries {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let mut names = path.split(|&byte| byte == b'/');
        assert!(names.all(|name| !matches!(name, b"" | b"." | b".." | b".git")), "{path:?}");
        assert!(*stage < 4);
    }
}

/// Applies a delta byte by byte, following the description of the format.
fn plain_delta(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = delta.iter().copied();
    let mut size = || -> Option<u64> {
        let (mut size, mut shift) = (0, 0);
        loop {
            let byte = bytes.next()?;
            if shift > 56 {
                return None;
            }
            size |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return Some(size);
            }
        }
    };
    let (base_size, size) = (size()?, size()?);
    if base_size != base.len() as u64 || size > 1 << 20 {
        return None;
    }
    let mut made = Vec::new();
    while let Some(op) = bytes.next() {
        if op == 0 {
            return None;
        }
        if op < 128 {
            for _ in 0..op {
                made.push(bytes.next()?);
            }
            continue;
        }
        let (mut offset, mut len) = (0_usize, 0_usize);
        for bit in 0..4 {
            if op & 1 << bit != 0 {
                offset |= usize::from(bytes.next()?) << (8 * bit);
            }
        }
        for bit in 0..3 {
            if op & 16 << bit != 0 {
                len |= usize::from(bytes.next()?) << (8 * bit);
            }
        }
        let len = if len == 0 { 65_536 } else { len };
        made.extend_from_slice(base.get(offset..offset + len)?);
        if made.len() as u64 > size {
            return None;
        }
    }
    (made.len() as u64 == size).then_some(made)
}
