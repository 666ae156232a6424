//! File systems and the trust that each deserves.

use super::{FileSystem, Trust, overlay};
use crate::workspace::fs::Dir;

/// Local file systems by magic number. Every other file system is cold: one of a network, a process or
/// another machine changes without this kernel, and one that is stacked changes beneath.
///
/// Watched file systems make all their changes through the common layer of the kernel, which makes the
/// events. Swept ones are local and keep a change time that programs cannot set, but are untested or
/// have a way around events, such as `zfs rollback`, which replaces the content of mounted files.
/// FAT and exFAT are cold: they keep no change time of their own, so a rewritten file can look the
/// same.
const TABLE: [(u64, &str, Trust); 16] = [
    (0x3434, "nilfs2", Trust::Swept),
    (0xef53, "ext4", Trust::Watched), // ext2 and ext3 too
    (OVERLAY, "overlay", Trust::Swept),
    (0x0102_1994, "tmpfs", Trust::Watched),
    (0x2fc1_2fc1, "zfs", Trust::Swept),
    (0x3153_464a, "jfs", Trust::Swept),
    (0x5265_4973, "reiserfs", Trust::Swept),
    (0x5846_5342, "xfs", Trust::Watched),
    (0x7366_746e, "ntfs3", Trust::Swept),
    (0x7371_7368, "squashfs", Trust::Swept),
    (0x8584_58f6, "ramfs", Trust::Swept),
    (0x9123_683e, "btrfs", Trust::Watched),
    (0x9660, "iso9660", Trust::Swept),
    (0xca45_1a4e, "bcachefs", Trust::Swept),
    (0xe0f5_e1e2, "erofs", Trust::Swept),
    (0xf2f5_2010, "f2fs", Trust::Watched),
];

/// Names of cold file systems, for status reports.
const COLD: [(u64, &str); 20] = [
    (0x4006, "fat"),
    (0x4d44, "fat"),
    (0x517b, "smb"),
    (0x564c, "ncp"),
    (0x6969, "nfs"),
    (0xf15f, "ecryptfs"),
    (0x00c3_6400, "ceph"),
    (0x0102_1997, "9p"),
    (0x0116_1970, "gfs2"),
    (0x0bd0_0bd0, "lustre"),
    (0x2011_bab0, "exfat"),
    (0x5346_414f, "afs"),
    (0x6165_676c, "pstore"),
    (0x6573_5546, "fuse"), // virtiofs too
    (0x6b41_4653, "afs"),
    (0x7375_7245, "coda"),
    (0x7461_636f, "ocfs2"),
    (0x786f_4256, "vboxsf"),
    (0xfe53_4d42, "smb"),
    (0xff53_4d42, "cifs"),
];

pub(super) const OVERLAY: u64 = 0x794c_7630;

/// Returns the file system of `dir` and the trust that it deserves, the same for all directories of one
/// device. A file system that does not respond is cold.
pub(crate) fn file_system(dir: &Dir) -> FileSystem {
    let Some(Ok(magic)) = dir.on_disk().map(|dir| dir.file_system()) else {
        return FileSystem { name: "unknown", magic: 0, trust: Trust::Cold };
    };
    let of_table = of_magic(magic);
    let is_safe_overlay = magic == OVERLAY && overlay::reports_all_changes(dir.id().0);
    FileSystem { trust: if is_safe_overlay { Trust::Watched } else { of_table.trust }, ..of_table }
}

/// Returns the file system with this magic number, without a probe.
pub(super) fn of_magic(magic: u64) -> FileSystem {
    // Some kernels sign-extend the 32 bits of the number.
    let magic = magic & 0xffff_ffff;
    if let Some(&(_, name, trust)) = TABLE.iter().find(|(of_table, ..)| *of_table == magic) {
        return FileSystem { name, magic, trust };
    }
    let cold = COLD.iter().find(|(of_cold, _)| *of_cold == magic);
    FileSystem { name: cold.map_or("unknown", |(_, name)| name), magic, trust: Trust::Cold }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::path::Path;

    #[test]
    fn file_systems_are_trusted_by_their_magic() {
        for (magic, name, trust) in [
            (0xef53, "ext4", Trust::Watched),
            (0x0102_1994, "tmpfs", Trust::Watched),
            (0x5846_5342, "xfs", Trust::Watched),
            (0x9123_683e, "btrfs", Trust::Watched),
            (0xf2f5_2010, "f2fs", Trust::Watched),
            (OVERLAY, "overlay", Trust::Swept),
            (0x2fc1_2fc1, "zfs", Trust::Swept),
            (0x6969, "nfs", Trust::Cold),
            (0xff53_4d42, "cifs", Trust::Cold),
            (0xffff_ffff_ff53_4d42, "cifs", Trust::Cold),
            (0x0102_1997, "9p", Trust::Cold),
            (0x6573_5546, "fuse", Trust::Cold),
            (0x4d44, "fat", Trust::Cold),
            (0, "unknown", Trust::Cold),
            (0x1234, "unknown", Trust::Cold),
        ] {
            let FileSystem { name: of_magic_name, trust: of_magic_trust, .. } = of_magic(magic);
            assert_eq!((of_magic_name, of_magic_trust), (name, trust), "0x{magic:x}");
        }
    }

    #[test]
    fn no_magic_is_in_the_tables_twice() {
        let all = TABLE.iter().map(|row| row.0).chain(COLD.iter().map(|row| row.0));
        assert_eq!(all.collect::<HashSet<_>>().len(), TABLE.len() + COLD.len());
    }

    #[test]
    fn refusal_names_the_file_system() {
        let reason = |magic| of_magic(magic).refusal().map(|refusal| refusal.reason());
        assert_eq!(reason(0xef53), None);
        let nfs = "changes of file system nfs cannot be watched reliably";
        assert_eq!(reason(0x6969).as_deref(), Some(nfs));
        let unknown = "changes of file system 0x1234 cannot be watched reliably";
        assert_eq!(reason(0x1234).as_deref(), Some(unknown));
    }

    #[test]
    fn proc_is_not_trusted() {
        assert_eq!(file_system(&Dir::open(Path::new("/proc"))).trust, Trust::Cold);
    }
}
