//! The operating system that the library is built for, and the file names that it expects.

use crate::Result;
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Linux,
    MacOs,
    /// Windows with the file formats of MinGW.
    WindowsGnu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct System {
    pub(crate) family: Family,
    /// Size of a pointer.
    pub(crate) word_bytes: u32,
}

/// Names of a shared library. They follow the ABI, not the version of the package: programs record the
/// name, so it may change only when old programs must be rebuilt.
#[derive(Debug, PartialEq)]
pub(crate) struct SharedNames {
    pub(crate) file: String,
    /// The name that programs record.
    pub(crate) soname: String,
    /// Links to `file`: for programs at their start, and for linkers.
    pub(crate) links: Vec<String>,
    /// The library that linkers use instead of `file`.
    pub(crate) import: Option<&'static str>,
}

impl System {
    /// Asks rustc about a platform, or about the one that it runs on.
    pub(crate) fn of(target: Option<&str>) -> Result<System> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(&rustc);
        command.arg("--print=cfg").args(target.map(|target| ["--target", target]).iter().flatten());
        let output = command
            .output()
            .map_err(|error| format!("{} cannot be started: {error}", rustc.to_string_lossy()))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            let why = why.lines().next().unwrap_or_default().trim_start_matches("error: ");
            return Err(format!("--target \"{}\": {why}", target.unwrap_or_default()));
        }
        System::parse(&String::from_utf8_lossy(&output.stdout))
    }

    /// Parses the output of `rustc --print=cfg`.
    fn parse(cfg: &str) -> Result<System> {
        let value = |name: &str| {
            let values = cfg.lines().filter_map(|line| line.split_once('='));
            let mut values = values.filter(|(key, _)| *key == name);
            values.next().map_or("", |(_, value)| value.trim_matches('"'))
        };
        let family = match (value("target_os"), value("target_env")) {
            ("linux", _) => Family::Linux,
            ("macos", _) => Family::MacOs,
            ("windows", "gnu") => Family::WindowsGnu,
            (os, environment) => {
                return Err(format!(
                    "no layout is known for {os} {environment}; known are Linux, macOS, and Windows \
                     with the target x86_64-pc-windows-gnu. Elsewhere build with \"cargo build --release \
                     -p searchscope-ffi\" and copy by hand"
                ));
            }
        };
        let width: u32 = value("target_pointer_width").parse().unwrap_or(64);
        Ok(System { family, word_bytes: width / 8 })
    }

    /// Returns the names of the shared library with this version of the ABI.
    pub(crate) fn shared_names(self, major: u32, minor: u32) -> SharedNames {
        match self.family {
            Family::Linux => {
                let soname = format!("libsearchscope.so.{major}");
                SharedNames {
                    file: format!("{soname}.{minor}.0"),
                    links: vec![soname.clone(), "libsearchscope.so".into()],
                    soname,
                    import: None,
                }
            }
            Family::MacOs => {
                let soname = format!("libsearchscope.{major}.dylib");
                SharedNames {
                    file: format!("libsearchscope.{major}.{minor}.0.dylib"),
                    links: vec![soname.clone(), "libsearchscope.dylib".into()],
                    soname: format!("@rpath/{soname}"),
                    import: None,
                }
            }
            Family::WindowsGnu => SharedNames {
                file: "searchscope.dll".into(),
                soname: "searchscope.dll".into(),
                links: Vec::new(),
                import: Some("libsearchscope.dll.a"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_read_from_the_settings_of_rustc() {
        let parse = |os: &str, environment: &str, width: u32| {
            System::parse(&format!(
                "debug_assertions\ntarget_env=\"{environment}\"\ntarget_os=\"{os}\"\n\
                 target_pointer_width=\"{width}\"\n"
            ))
        };
        let system = |family, word_bytes| Ok(System { family, word_bytes });
        assert_eq!(parse("linux", "musl", 64), system(Family::Linux, 8));
        assert_eq!(parse("linux", "gnu", 32), system(Family::Linux, 4));
        assert_eq!(parse("macos", "", 64), system(Family::MacOs, 8));
        assert_eq!(parse("windows", "gnu", 64), system(Family::WindowsGnu, 8));
        let why = parse("windows", "msvc", 64).expect_err("no layout of it is known");
        assert!(why.contains("windows msvc") && why.contains("x86_64-pc-windows-gnu"), "{why}");
    }

    #[test]
    fn shared_libraries_have_the_names_of_their_system() {
        let names = |family| System { family, word_bytes: 8 }.shared_names(1, 4);
        let linux = names(Family::Linux);
        assert_eq!(
            (&*linux.file, &*linux.soname),
            ("libsearchscope.so.1.4.0", "libsearchscope.so.1")
        );
        assert_eq!(linux.links, ["libsearchscope.so.1", "libsearchscope.so"]);
        let mac = names(Family::MacOs);
        assert_eq!(mac.file, "libsearchscope.1.4.0.dylib");
        assert_eq!(mac.soname, "@rpath/libsearchscope.1.dylib");
        assert_eq!(mac.links, ["libsearchscope.1.dylib", "libsearchscope.dylib"]);
        let windows = names(Family::WindowsGnu);
        assert_eq!(
            (&*windows.file, windows.import),
            ("searchscope.dll", Some("libsearchscope.dll.a"))
        );
    }

    #[test]
    fn an_unknown_target_is_reported() {
        let why = System::of(Some("x86_64-unknown-nothing")).expect_err("no such target exists");
        assert!(why.starts_with("--target \"x86_64-unknown-nothing\": "), "{why}");
        assert!(
            System::of(None).is_ok_and(|system| system.word_bytes as usize == size_of::<usize>())
        );
    }
}
