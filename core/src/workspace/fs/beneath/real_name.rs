//! The name that a directory lists for an entry, which may differ from the one that a caller used.
//!
//! On file systems that ignore letter case, `SECRET` opens `secret`; some also equate composed and decomposed
//! accents, or have short forms of long names. `deny` is judged by the listed name. Listing a directory is
//! expensive, so it is done only if the file system shows that it accepts the name for another one, or could.

use super::meta;
use super::root::Target;
use super::sys::{Handle, LIST_BYTES};
use crate::workspace::fs::FsError;
use rustix::io::Errno;

/// Returns the name that `dir` lists for the entry to which `name` led, or `name` itself without such an
/// entry.
///
/// # Errors
///
/// `NotFound` if no listed name leads to the opened entry, which then cannot be judged.
pub(super) fn real_name(
    dir: &Handle,
    name: Vec<u8>,
    opened: &Result<Target, FsError>,
) -> Result<Vec<u8>, FsError> {
    let stat = match opened {
        Ok(found) => found.stat()?,
        // A link itself, or no entry.
        Err(_) => match dir.stat_entry(&name) {
            Ok(stat) => stat,
            Err(_) => return Ok(name),
        },
    };
    let id = meta(&stat).id;
    if !may_be_listed_otherwise(dir, &name, id) {
        return Ok(name);
    }
    listed_name(dir, &name, id)?.ok_or(FsError::NotFound)
}

/// Returns whether the file system may list the entry under another name than `name`.
fn may_be_listed_otherwise(dir: &Handle, name: &[u8], id: (u64, u64)) -> bool {
    // Accents in another form, short names, and endings that some file systems strip.
    let is_odd =
        !name.is_ascii() || name.contains(&b'~') || name.ends_with(b".") || name.ends_with(b" ");
    let swapped: Vec<u8> = name.iter().map(|byte| swap_case(*byte)).collect();
    is_odd || swapped != name && dir.stat_entry(&swapped).is_ok_and(|stat| meta(&stat).id == id)
}

fn swap_case(byte: u8) -> u8 {
    if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() }
}

/// Returns the name that the directory lists for the entry with `id`: `name` if it is listed.
fn listed_name(dir: &Handle, name: &[u8], id: (u64, u64)) -> Result<Option<Vec<u8>>, FsError> {
    // A separate handle: a path handle cannot be listed, and one that was listed is at its end.
    let dir = dir.open(b".", super::DIR)?;
    let mut buffer: Vec<u8> = Vec::with_capacity(LIST_BYTES);
    let mut entries = dir.list(buffer.spare_capacity_mut());
    let mut same_id = None;
    let mut others: Vec<Vec<u8>> = Vec::new();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Err(Errno::INTR) => continue,
            entry => entry?,
        };
        let listed = entry.file_name().to_bytes();
        if listed == name {
            return Ok(Some(name.to_vec()));
        }
        if !matches!(listed, b"." | b"..") {
            others.push(listed.to_vec());
        }
    }
    for listed in others {
        if dir.stat_entry(&listed).is_ok_and(|stat| meta(&stat).id == id) {
            // Among several hard links, prefer the one that differs only in letter case.
            if listed.eq_ignore_ascii_case(name) {
                return Ok(Some(listed));
            }
            same_id = same_id.or(Some(listed));
        }
    }
    Ok(same_id)
}
