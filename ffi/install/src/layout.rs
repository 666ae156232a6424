//! The installed files and their paths, as data.

use crate::Result;
use crate::build::{Built, repository};
use crate::options::Options;
use std::path::{Path, PathBuf};

const PKG_CONFIG: &str = include_str!("../templates/searchscope.pc.in");
const CMAKE: &str = include_str!("../templates/searchscope-config.cmake.in");
const CMAKE_VERSION: &str = include_str!("../templates/searchscope-config-version.cmake.in");

/// Licences of searchscope, and of the packages that the library contains.
const LICENCES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD_PARTY_NOTICES"];

/// The directory of the licences, below the prefix.
const LICENCE_DIR: &str = "share/licenses/searchscope";

/// One file or link to install, at the absolute path at which programs will find it.
#[derive(Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) path: PathBuf,
    pub(crate) content: Content,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Content {
    Copy {
        of: PathBuf,
        is_program: bool,
    },
    Text(String),
    /// A symbolic link to a name in the same directory.
    Link(String),
}

/// Returns all items; a file that refers to others comes after them.
pub(crate) fn items(options: &Options, built: &Built) -> Result<Vec<Item>> {
    let abi = Abi::read()?;
    let library = |name: &str, content| Item { path: options.libdir.join(name), content };
    let mut items = Vec::new();
    if options.has_static() {
        let of = built.archive.clone();
        items.push(library("libsearchscope.a", Content::Copy { of, is_program: false }));
    }
    if options.has_shared() {
        let of = built.shared.clone();
        items.push(library(&abi.file, Content::Copy { of, is_program: true }));
        items.push(library(&abi.soname, Content::Link(abi.file.clone())));
        items.push(library("libsearchscope.so", Content::Link(abi.file.clone())));
    }
    for name in ["searchscope.h", "searchscope.hpp"] {
        let of = repository().join("include").join(name);
        let content = Content::Copy { of, is_program: false };
        items.push(Item { path: options.includedir.join(name), content });
    }
    for name in LICENCES {
        let of = repository().join(name);
        let content = Content::Copy { of, is_program: false };
        items.push(Item { path: options.prefix.join(LICENCE_DIR).join(name), content });
    }
    items.push(library("pkgconfig/searchscope.pc", Content::Text(pkg_config(options, built))));
    let cmake = [
        ("searchscope-config.cmake", cmake(options, built, &abi)),
        ("searchscope-config-version.cmake", cmake_version()),
    ];
    for (name, text) in cmake {
        items.push(library(&format!("cmake/searchscope/{name}"), Content::Text(text)));
    }
    Ok(items)
}

/// The names of the shared library. They follow the ABI, not the version of the package: programs
/// record the soname, so it may change only when old programs must be rebuilt.
struct Abi {
    file: String,
    soname: String,
}

impl Abi {
    fn read() -> Result<Abi> {
        let path = repository().join("include/searchscope.h");
        let header = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let number = |name: &str| {
            let define = format!("#define SEARCHSCOPE_ABI_{name} ");
            let number = header.lines().find_map(|line| line.strip_prefix(&define));
            let number = number.and_then(|number| number.parse::<u32>().ok());
            number.ok_or_else(|| format!("{}: no number after {define}", path.display()))
        };
        let (major, minor) = (number("MAJOR")?, number("MINOR")?);
        Ok(Abi {
            file: format!("libsearchscope.so.{major}.{minor}.0"),
            soname: format!("libsearchscope.so.{major}"),
        })
    }
}

fn pkg_config(options: &Options, built: &Built) -> String {
    let directory = options.libdir.join("pkgconfig");
    let prefix = seen_from(&directory, &options.prefix, &options.prefix, "${pcfiledir}");
    let below = |path: &Path| match path.strip_prefix(&options.prefix) {
        Ok(rest) => Path::new("${prefix}").join(rest).display().to_string(),
        Err(_) => path.display().to_string(),
    };
    let private = built.system_libraries.join(" ");
    let libs = "-L${libdir} -lsearchscope";
    // With the static library alone, plain `--libs` must be enough to link it.
    let (libs, private) = if options.has_shared() {
        (libs.to_owned(), private)
    } else {
        (format!("{libs} {private}"), String::new())
    };
    fill(
        PKG_CONFIG,
        &[
            ("PREFIX", &prefix),
            ("LIBDIR", &below(&options.libdir)),
            ("INCLUDEDIR", &below(&options.includedir)),
            ("URL", env!("CARGO_PKG_REPOSITORY")),
            ("VERSION", env!("CARGO_PKG_VERSION")),
            ("LIBS", &libs),
            ("LIBS_PRIVATE", &private),
        ],
    )
}

fn cmake(options: &Options, built: &Built, abi: &Abi) -> String {
    let directory = options.libdir.join("cmake/searchscope");
    let seen = |path| seen_from(&directory, path, &options.prefix, "${CMAKE_CURRENT_LIST_DIR}");
    fill(
        CMAKE,
        &[
            ("LIBDIR", &seen(&options.libdir)),
            ("INCLUDEDIR", &seen(&options.includedir)),
            ("SHARED_FILE", &abi.file),
            ("SONAME", &abi.soname),
            ("SYSTEM_LIBRARIES", &built.system_libraries.join(";")),
        ],
    )
}

fn cmake_version() -> String {
    let word_bytes = size_of::<usize>().to_string();
    let values = [("VERSION", env!("CARGO_PKG_VERSION")), ("WORD_BYTES", &word_bytes)];
    fill(CMAKE_VERSION, &values)
}

/// Returns `path` relative to `directory`, which the file itself names as `here`, so that the whole
/// prefix can be moved; a path outside the prefix stays absolute.
fn seen_from(directory: &Path, path: &Path, prefix: &Path, here: &str) -> String {
    match (directory.strip_prefix(prefix), path.strip_prefix(prefix)) {
        (Ok(directory), Ok(path)) => {
            let up = directory.components().map(|_| Path::new(".."));
            let seen: PathBuf = std::iter::once(Path::new(here)).chain(up).chain([path]).collect();
            seen.components().collect::<PathBuf>().display().to_string()
        }
        _ => path.display().to_string(),
    }
}

fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let put =
        |text: String, (name, value): &(&str, &str)| text.replace(&format!("@{name}@"), value);
    values.iter().fold(template.to_owned(), put)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[&str]) -> (String, String) {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let options = Options::parse(&words, None).expect("the words are right");
        let built = Built {
            shared: "/t/libsearchscope.so".into(),
            archive: "/t/libsearchscope.a".into(),
            system_libraries: vec!["-lm".into(), "-lc".into()],
        };
        let items = items(&options, &built).expect("the header is there");
        let text = |name: &str| {
            let item = items.iter().find(|item| item.path.ends_with(name)).expect(name);
            let Content::Text(text) = &item.content else { panic!("{name} is a text") };
            assert!(!text.contains('@'), "a place was not filled:\n{text}");
            text.clone()
        };
        text("searchscope-config-version.cmake");
        (text("searchscope.pc"), text("searchscope-config.cmake"))
    }

    #[test]
    fn installed_files_name_each_other_from_where_they_are() {
        let (pc, cmake) = texts(&["--prefix", "/p", "--libdir", "lib/x"]);
        for line in [
            "prefix=${pcfiledir}/../../..",
            "libdir=${prefix}/lib/x",
            "includedir=${prefix}/include",
            "Libs: -L${libdir} -lsearchscope",
            "Libs.private: -lm -lc",
        ] {
            assert!(pc.lines().any(|found| found == line), "{line}\n{pc}");
        }
        assert!(cmake.contains("\"${CMAKE_CURRENT_LIST_DIR}/../../../../lib/x\""), "{cmake}");
        assert!(cmake.contains("\"${CMAKE_CURRENT_LIST_DIR}/../../../../include\""), "{cmake}");
        assert!(cmake.contains("\"-lm;-lc\""), "{cmake}");
    }

    #[test]
    fn directories_outside_the_prefix_are_absolute() {
        let (pc, cmake) = texts(&["--prefix=/p", "--libdir=/q/lib", "--includedir=/r"]);
        assert!(pc.starts_with("prefix=/p\nlibdir=/q/lib\nincludedir=/r\n"), "{pc}");
        assert!(cmake.contains("(_searchscope_libdir \"/q/lib\" ABSOLUTE)"), "{cmake}");
    }

    #[test]
    fn a_static_library_alone_links_without_further_flags() {
        let (pc, _) = texts(&["--library-type=staticlib"]);
        assert!(pc.contains("\nLibs: -L${libdir} -lsearchscope -lm -lc\n"), "{pc}");
    }
}
