//! The file `.git` of worktrees and submodules, which names their git directory.

use super::fs::File;
use super::read::{Unread, read};
use crate::budget::Budget;

/// Longer `.git` files are not git's: no system has paths of that length.
const GIT_FILE_BYTES_MAX: u64 = 8 << 10;

/// Reads an open `.git` file. Returns the path in it, absolute or relative to the file's directory; `None` if
/// git did not write the file.
pub(crate) fn read_git_file(file: File, budget: &Budget) -> Result<Option<Vec<u8>>, Unread> {
    let mut buffer = Vec::new();
    match read(file, GIT_FILE_BYTES_MAX, &mut buffer, budget) {
        Ok(text) => Ok(git_dir(text).map(<[u8]>::to_vec)),
        Err(Unread::TooLarge(_)) => Ok(None),
        Err(unread) => Err(unread),
    }
}

/// Returns the path in the text of a `.git` file, by git's rules: one prefix, and line ends after the path.
fn git_dir(text: &[u8]) -> Option<&[u8]> {
    let path = text.strip_prefix(b"gitdir: ")?;
    let end = path.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r'))?;
    Some(&path[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_files_have_one_prefix_and_one_path() {
        let cases: [(&[u8], Option<&[u8]>); 9] = [
            (b"gitdir: ../x\n", Some(b"../x")),
            (b"gitdir: ../x", Some(b"../x")),
            (b"gitdir: ../x\r\n\n", Some(b"../x")),
            (b"gitdir: /a b \n", Some(b"/a b ")),
            (b"gitdir: a\nb\n", Some(b"a\nb")),
            (b"gitdir:../x\n", None),
            (b"gitdir: \n", None),
            (b" gitdir: ../x\n", None),
            (b"", None),
        ];
        for (text, path) in cases {
            assert_eq!(git_dir(text), path, "{}", text.escape_ascii());
        }
    }
}
