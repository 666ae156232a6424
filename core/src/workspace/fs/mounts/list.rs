//! The file systems beneath a directory, from the kernel's list. No mount is touched, so a dead one cannot
//! block the check.

use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// File systems served from this machine's memory or disks, judged by their type alone: the layers of an
/// overlay and the real place of a disk are not looked up. Any other type may depend on a remote server or a
/// process that is gone. The list names what is safe rather than what is not, so that a type that is unknown
/// here costs a thread and never a stuck caller.
const LOCAL: [&str; 50] = [
    "adfs",
    "affs",
    "aufs",
    "bcachefs",
    "befs",
    "bfs",
    "binfmt_misc",
    "bpf",
    "btrfs",
    "cgroup",
    "cgroup2",
    "configfs",
    "cramfs",
    "debugfs",
    "devpts",
    "devtmpfs",
    "efivarfs",
    "erofs",
    "exfat",
    "ext2",
    "ext3",
    "ext4",
    "f2fs",
    "fusectl",
    "hfsplus",
    "hugetlbfs",
    "iso9660",
    "jfs",
    "mqueue",
    "nilfs2",
    "nsfs",
    "ntfs",
    "ntfs3",
    "overlay",
    "proc",
    "pstore",
    "ramfs",
    "reiserfs",
    "romfs",
    "rootfs",
    "securityfs",
    "selinuxfs",
    "squashfs",
    "sysfs",
    "tmpfs",
    "tracefs",
    "udf",
    "vfat",
    "xfs",
    "zfs",
];

/// Returns whether at `dir`, a real path, or beneath it there is a file system that may block a call for
/// ever. Also true on a system that does not list its mounts.
#[expect(clippy::disallowed_methods, reason = "the kernel's own list is beneath no root")]
pub(super) fn may_not_answer(dir: &Path) -> bool {
    // The kernel generates the list: reading it queries no file system.
    std::fs::read("/proc/self/mountinfo").map_or(true, |list| names_one(&list, dir))
}

/// `list` has the form of proc_pid_mountinfo(5).
fn names_one(list: &[u8], dir: &Path) -> bool {
    let mut above: Option<(PathBuf, bool)> = None;
    for line in list.split(|&byte| byte == b'\n') {
        let mut fields = line.split(|&byte| byte == b' ');
        let Some(at) = fields.nth(4).map(unescaped) else {
            continue;
        };
        // After a lone dash, whose place varies.
        let kind = fields.skip_while(|field| *field != b"-").nth(1).unwrap_or_default();
        let is_local = LOCAL.iter().any(|local| local.as_bytes() == kind);
        if at != dir && at.starts_with(dir) {
            if !is_local {
                return true;
            }
        } else if dir.starts_with(&at)
            && above.as_ref().is_none_or(|(best, _)| at.starts_with(best))
        {
            // The last of several mounts at one place covers the others.
            above = Some((at, is_local));
        }
    }
    above.is_some_and(|(_, is_local)| !is_local)
}

/// Decodes the three octal digits that encode blanks and backslashes.
fn unescaped(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code.filter(|_| byte == b'\\') {
            Some(code) => {
                bytes.push(code);
                rest = &after[3..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    const LIST: &[u8] = b"\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw
30 27 0:50 / /net rw,relatime - nfs4 server:/net rw
31 27 0:51 / /data rw - xfs /dev/vdb rw
32 31 0:52 / /data/a\\040b\\134c rw - fuse.sshfs host: rw
33 31 0:53 / /data/over rw - nfs4 server:/x rw
34 33 0:54 / /data/over rw - tmpfs tmpfs rw
35 30 0:55 / /net/me/disk rw - ext4 /dev/vdc rw
36 27 0:56 / /new rw - someday none rw
37 27 0:57 / /var/quick rw - tmpfs tmpfs rw
38 27 0:58 / /srv/far rw - cifs //server/share rw

half a line
";

    #[test]
    fn what_is_at_or_beneath_a_directory_counts() {
        for (dir, expected) in [
            ("/", true),
            ("/usr/src", false),
            ("/net", true),
            ("/net/me", true),
            ("/nets", false),
            ("/net/me/disk/project", false),
            ("/data", true),
            ("/data/a", false),
            ("/data/a b\\c", true),
            ("/data/a b\\c/deep", true),
            ("/new/thing", true),
            ("/var", false),
            ("/srv", true),
        ] {
            assert_eq!(names_one(LIST, Path::new(dir)), expected, "{dir}");
        }
        // A mount that is covered entirely cannot be reached.
        assert!(!names_one(LIST, Path::new("/data/over")));
        assert!(!names_one(b"", Path::new("/")));
    }

    #[test]
    fn kinds_are_sorted_and_reported_once() {
        assert!(LOCAL.is_sorted());
        assert_eq!(unescaped(b"/a\\011\\0").as_os_str().as_bytes(), b"/a\t\\0");
    }
}
