//! Writes the installed files, each completely or not at all.

use crate::Result;
use crate::layout::{Content, Item};
use crate::options::Options;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Installs one item and returns the written path.
pub(crate) fn put(options: &Options, item: &Item) -> Result<PathBuf> {
    let path = match (&options.destdir, item.path.strip_prefix("/")) {
        (Some(destdir), Ok(below)) => destdir.join(below),
        _ => item.path.clone(),
    };
    write(&path, &item.content).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::PermissionDenied => "; choose another --prefix, or stage with --destdir",
            _ => "",
        };
        format!("{}: {error}{hint}", path.display())
    })?;
    Ok(path)
}

/// Writes by renaming a temporary file: a running program may have the old library mapped, and writing
/// in place would corrupt it.
fn write(path: &Path, content: &Content) -> io::Result<()> {
    let directory = path.parent().expect("because the path of a file ends in a name");
    let name = path.file_name().expect("because the path of a file ends in a name");
    fs::create_dir_all(directory)?;
    let temporary = format!(".{}.{}", name.to_string_lossy(), std::process::id());
    let temporary = directory.join(temporary);
    let written = make(&temporary, content).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to report; the temporary file may not exist.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn make(path: &Path, content: &Content) -> io::Result<()> {
    let mode = match content {
        Content::Link(to) => return symlink(to, path),
        Content::Copy { of, is_program } => {
            fs::copy(of, path)?;
            if *is_program { 0o755 } else { 0o644 }
        }
        Content::Text(text) => {
            fs::write(path, text)?;
            0o644
        }
    };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}
