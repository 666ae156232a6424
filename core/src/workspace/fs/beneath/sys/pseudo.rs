//! File systems that expose kernel interfaces: endless, blocking or harmful to read.

use rustix::fd::BorrowedFd;
use rustix::io::Result;

/// Their magic numbers.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PSEUDO: [u64; 18] = [
    0x9fa0,      // proc
    0x6265_6572, // sysfs
    0x6462_6720, // debugfs
    0x7472_6163, // tracefs
    0x0027_e0eb, // cgroup
    0x6367_7270, // cgroup2
    0x1cd1,      // devpts
    0x7363_6673, // securityfs
    0xcafe_4a11, // bpf
    0x6165_676c, // pstore
    0x6265_6570, // configfs
    0x6573_5543, // fusectl
    0x4249_4e4d, // binfmt_misc
    0xf97c_ff8c, // selinux
    0x4341_5d53, // smack
    0xde5e_81e4, // efivarfs
    0x6e73_6673, // nsfs
    0x1980_0202, // mqueue
];

/// Their names.
#[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
const PSEUDO: [&str; 7] =
    ["autofs", "devfs", "fdescfs", "linprocfs", "linsysfs", "mqueuefs", "procfs"];

/// Returns whether the handle is on such a file system.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn is_pseudo(fd: BorrowedFd<'_>) -> Result<bool> {
    Ok(PSEUDO.contains(&(rustix::fs::fstatfs(fd)?.f_type as u64)))
}

/// Returns whether the handle is on such a file system.
#[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
pub(super) fn is_pseudo(fd: BorrowedFd<'_>) -> Result<bool> {
    let name = rustix::fs::fstatfs(fd)?.f_fstypename;
    let is_name = |pseudo: &&str| {
        let mut bytes = pseudo.bytes().chain([0]);
        name.iter().zip(&mut bytes).all(|(&c, byte)| i16::from(c) == i16::from(byte))
    };
    Ok(PSEUDO.iter().any(|pseudo| is_name(&pseudo)))
}

/// Returns false: the names of such file systems are unknown here.
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    target_os = "freebsd"
)))]
pub(super) fn is_pseudo(_fd: BorrowedFd<'_>) -> Result<bool> {
    Ok(false)
}
