//! Overlays: decides whether the events of one report all of its changes.
//!
//! The probe writes nothing. It establishes three things:
//!
//! - *The kernel is 4.19 or later.* Since 4.16 the inode of a directory survives the copy to the upper
//!   layer and is found again after memory pressure, so its watch stays with it; since 4.19 all files
//!   are opened through the overlay's own inodes.
//! - *`nfs_export` is off*, in the options of the mount and in the module: the kernel lists only
//!   options that differ from the module's defaults. With it, the kernel identifies directories that
//!   were copied up in another way, and a watch could stay with an inode that is no longer used.
//! - *All layers are in the store of a container engine.* A layer that changes beneath an overlay
//!   changes the overlay's files without an event. Overlayfs forbids that, but cannot prevent it, and
//!   sandboxes do mount overlays over directories that are still edited. Image layers are shared
//!   between containers and immutable, and an upper layer belongs to one container. Inside a container
//!   the layers are unreachable, so their paths decide. Relative paths, which engines use for long
//!   lists of layers, decide nothing: the overlay is swept.
//!
//! The probe does not establish that the layers are on a local file system, nor that no process of the
//! host writes into the store. Either would break the container as well.

/// First kernel whose overlays open all files through their own inodes.
const KERNEL_MIN: (u32, u32) = (4, 19);

/// Returns whether all changes of the overlay with this device number have events.
pub(super) fn reports_all_changes(device: u64) -> bool {
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    read("/proc/sys/kernel/osrelease").is_some_and(|release| is_recent(&release))
        && read("/sys/module/overlay/parameters/nfs_export").is_some_and(|value| value == b"N\n")
        && read("/proc/thread-self/mountinfo")
            .and_then(|list| options(&list, major, minor).map(is_of_container))
            .unwrap_or(false)
}

#[expect(clippy::disallowed_methods, reason = "files of the kernel are beneath no root")]
fn read(path: &str) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

/// Returns whether a release, in the form of uname(2), is recent enough.
fn is_recent(release: &[u8]) -> bool {
    let mut numbers = release
        .split(|byte| !byte.is_ascii_digit())
        .map_while(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    matches!((numbers.next(), numbers.next()), (Some(major), Some(minor)) if (major, minor) >= KERNEL_MIN)
}

/// Finds the options of the overlay with this device number in `list`, which has the form of
/// proc_pid_mountinfo(5).
fn options(list: &[u8], major: u32, minor: u32) -> Option<&[u8]> {
    let device = format!("{major}:{minor}");
    list.split(|&byte| byte == b'\n').find_map(|line| {
        let mut fields = line.split(|&byte| byte == b' ');
        if fields.nth(2)? != device.as_bytes() {
            return None;
        }
        // After a lone dash, whose place varies: kind, source, options.
        let mut fields = fields.skip_while(|field| *field != b"-").skip(1);
        if fields.next()? != b"overlay" { None } else { fields.nth(1) }
    })
}

/// Returns whether `options` are those of a container's file system. The kernel escapes commas and
/// colons in paths; a path with an escape is not a layer.
fn is_of_container(options: &[u8]) -> bool {
    let (mut n_lower, mut n_upper) = (0, 0);
    for option in options.split(|&byte| byte == b',') {
        let mut parts = option.splitn(2, |&byte| byte == b'=');
        let (key, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let is_safe = match key {
            b"lowerdir" | b"lowerdir+" => {
                n_lower += 1;
                value.split(|&byte| byte == b':').all(|path| is_layer(path, LOWER))
            }
            b"upperdir" => {
                n_upper += 1;
                is_layer(value, UPPER)
            }
            b"datadir+" => false,
            b"nfs_export" => value == b"off",
            _ => true,
        };
        if !is_safe {
            return false;
        }
    }
    n_lower > 0 && n_upper == 1
}

/// Middle and end of the paths of layers, with one name between them.
type Layers = &'static [(&'static str, &'static str)];

/// Docker; Podman and CRI-O; containerd, also within Docker and Kubernetes; BuildKit.
const LOWER: Layers =
    &[("/overlay2/l/", ""), ("/overlay/l/", ""), (SNAPSHOTTER, "/fs"), (BUILDKIT, "/fs")];
const UPPER: Layers =
    &[("/overlay2/", "/diff"), ("/overlay/", "/diff"), (SNAPSHOTTER, "/fs"), (BUILDKIT, "/fs")];
const SNAPSHOTTER: &str = "/io.containerd.snapshotter.v1.overlayfs/snapshots/";
const BUILDKIT: &str = "/runc-overlayfs/snapshots/snapshots/";

fn is_layer(path: &[u8], layers: Layers) -> bool {
    let is_plain = |path: &&str| path.starts_with('/') && !path.contains('\\');
    let Some(path) = std::str::from_utf8(path).ok().filter(is_plain) else {
        return false;
    };
    layers.iter().any(|(middle, end)| {
        let rest = path.rfind(middle).map(|at| &path[at + middle.len()..]);
        let name = rest.and_then(|rest| rest.strip_suffix(end));
        name.is_some_and(|name| !name.is_empty() && !name.contains('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_kernels_are_refused() {
        for (release, expected) in [
            ("6.18.44-fc-v669\n", true),
            ("4.19.0\n", true),
            ("5.4\n", true),
            ("4.18.0-553.el8\n", false),
            ("3.20\n", false),
            ("6\n", false),
            ("", false),
            ("new", false),
        ] {
            assert_eq!(is_recent(release.as_bytes()), expected, "{release}");
        }
    }

    #[test]
    fn options_are_those_of_the_device() {
        let list = b"\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw
30 27 0:50 / /a rw shared:7 - overlay none rw,lowerdir=/l,upperdir=/u
31 27 0:51 / /b rw - fuse overlay rw,lowerdir=/l

half a line";
        assert_eq!(options(list, 0, 50), Some(&b"rw,lowerdir=/l,upperdir=/u"[..]));
        for (major, minor) in [(0, 51), (254, 0), (0, 5)] {
            assert_eq!(options(list, major, minor), None, "{major}:{minor}");
        }
    }

    #[test]
    fn only_layers_of_a_container_engine_count() {
        const L: &str = "/var/lib/docker/overlay2/l/6Y5IM2XC7TSNIJZZFLJCS6I4I4";
        const U: &str = "/var/lib/docker/overlay2/5d3e/diff";
        const S: &str =
            "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/12/fs";
        const P: &str = "/srv/me/.local/share/containers/storage/overlay/l/ABC";
        const PU: &str = "/srv/me/.local/share/containers/storage/overlay/1f/diff";
        const B: &str = "/var/lib/buildkit/runc-overlayfs/snapshots/snapshots/5/fs";
        for (options, expected) in [
            (format!("rw,lowerdir={L}:{L}2,upperdir={U},workdir=/w"), true),
            (format!("rw,lowerdir={S},upperdir={S},workdir=/w,index=off,nfs_export=off"), true),
            (format!("rw,lowerdir+={S},lowerdir+={S},upperdir={S},workdir=/w,volatile"), true),
            (format!("rw,lowerdir={P},upperdir={PU},workdir=/w,metacopy=on"), true),
            (format!("rw,lowerdir={B},upperdir={B},workdir=/w"), true),
            (format!("rw,lowerdir={L},upperdir={U},workdir=/w,nfs_export=on"), false),
            (format!("rw,lowerdir={L}:/srv/me/project,upperdir={U},workdir=/w"), false),
            (format!("rw,lowerdir={L}/home,upperdir={U},workdir=/w"), false),
            (format!("rw,lowerdir={L},upperdir=/srv/me/upper,workdir=/w"), false),
            ("rw,lowerdir=/srv/me/project,upperdir=/tmp/u,workdir=/w".into(), false),
            ("rw,lowerdir=/var/lib/docker/overlay2/5d3e/merged,upperdir=/u".into(), false),
            (format!("rw,lowerdir=l/ABC:l/DEF,upperdir={U},workdir=/w"), false),
            (format!("rw,lowerdir={L}\\134:{L},upperdir={U},workdir=/w"), false),
            (format!("ro,lowerdir={L}"), false),
            (format!("rw,lowerdir={L}::{L},upperdir={U}"), false),
            (format!("rw,lowerdir={L},datadir+=/data,upperdir={U}"), false),
            ("rw".into(), false),
            (String::new(), false),
        ] {
            assert_eq!(is_of_container(options.as_bytes()), expected, "{options}");
        }
    }
}
