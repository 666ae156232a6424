//! The installed files and their paths, as data.

use crate::Result;
use crate::build::{Built, repository};
use crate::options::Options;
use crate::system::{SharedNames, System};
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
pub(crate) fn items(options: &Options, system: System, built: &Built) -> Result<Vec<Item>> {
    let (major, minor) = abi()?;
    let names = system.shared_names(major, minor);
    let library = |name: &str, content| Item { path: options.libdir.join(name), content };
    let mut items = Vec::new();
    if options.has_static() {
        let of = built.archive.clone();
        items.push(library("libsearchscope.a", Content::Copy { of, is_program: false }));
    }
    if options.has_shared() {
        items.extend(shared(options, built, &names));
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
    if options.has_static() {
        let text = pkg_config_static(options, built);
        items.push(library("pkgconfig/searchscope-static.pc", Content::Text(text)));
    }
    let cmake = [
        ("searchscope-config.cmake", cmake(options, built, &names)),
        ("searchscope-config-version.cmake", cmake_version(system)),
    ];
    for (name, text) in cmake {
        items.push(library(&format!("cmake/searchscope/{name}"), Content::Text(text)));
    }
    Ok(items)
}

/// Returns the shared library, its links and its import library. On Windows it is in `bin`, where programs
/// find it.
fn shared(options: &Options, built: &Built, names: &SharedNames) -> Vec<Item> {
    let item = |directory: &Path, name: &str, content| Item { path: directory.join(name), content };
    let copy = |of: &Path, is_program| Content::Copy { of: of.to_path_buf(), is_program };
    let directory = shared_dir(options, names);
    let mut items = vec![item(&directory, &names.file, copy(&built.shared, true))];
    for link in &names.links {
        items.push(item(&options.libdir, link, Content::Link(names.file.clone())));
    }
    if let (Some(name), Some(of)) = (names.import, &built.import) {
        items.push(item(&options.libdir, name, copy(of, false)));
    }
    items
}

fn shared_dir(options: &Options, names: &SharedNames) -> PathBuf {
    match names.import {
        Some(_) => options.prefix.join("bin"),
        None => options.libdir.clone(),
    }
}

/// Reads the major and minor version of the ABI from the header.
fn abi() -> Result<(u32, u32)> {
    let path = repository().join("include/searchscope.h");
    let header =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let number = |name: &str| {
        let define = format!("#define SEARCHSCOPE_ABI_{name} ");
        let number = header.lines().find_map(|line| line.strip_prefix(&define));
        let number = number.and_then(|number| number.parse::<u32>().ok());
        number.ok_or_else(|| format!("{}: no number after {define}", path.display()))
    };
    Ok((number("MAJOR")?, number("MINOR")?))
}

fn pkg_config(options: &Options, built: &Built) -> String {
    let private = built.system_libraries.join(" ");
    let libs = "-L${libdir} -lsearchscope";
    // With the static library alone, plain `--libs` must be enough to link it.
    let (libs, private) = if options.has_shared() {
        (libs.to_owned(), private)
    } else {
        (format!("{libs} {private}"), String::new())
    };
    fill_pkg_config(options, "searchscope", &libs, &private)
}

/// Names the archive by its path, because linkers prefer the shared library for `-lsearchscope`.
fn pkg_config_static(options: &Options, built: &Built) -> String {
    let libs = format!("${{libdir}}/libsearchscope.a {}", built.system_libraries.join(" "));
    fill_pkg_config(options, "searchscope-static", &libs, "")
}

fn fill_pkg_config(options: &Options, name: &str, libs: &str, private: &str) -> String {
    let directory = options.libdir.join("pkgconfig");
    let prefix = seen_from(&directory, &options.prefix, &options.prefix, "${pcfiledir}");
    let below = |path: &Path| match path.strip_prefix(&options.prefix) {
        Ok(rest) => Path::new("${prefix}").join(rest).display().to_string(),
        Err(_) => path.display().to_string(),
    };
    fill(
        PKG_CONFIG,
        &[
            ("PREFIX", &prefix),
            ("LIBDIR", &below(&options.libdir)),
            ("INCLUDEDIR", &below(&options.includedir)),
            ("NAME", name),
            ("URL", env!("CARGO_PKG_REPOSITORY")),
            ("VERSION", env!("CARGO_PKG_VERSION")),
            ("LIBS", libs),
            ("LIBS_PRIVATE", private),
        ],
    )
}

fn cmake(options: &Options, built: &Built, names: &SharedNames) -> String {
    let directory = options.libdir.join("cmake/searchscope");
    let seen =
        |path: &Path| seen_from(&directory, path, &options.prefix, "${CMAKE_CURRENT_LIST_DIR}");
    fill(
        CMAKE,
        &[
            ("LIBDIR", &seen(&options.libdir)),
            ("INCLUDEDIR", &seen(&options.includedir)),
            ("SHARED_DIR", &seen(&shared_dir(options, names))),
            ("SHARED_FILE", &names.file),
            ("SONAME", &names.soname),
            ("IMPORT_LIBRARY", names.import.unwrap_or_default()),
            ("SYSTEM_LIBRARIES", &built.system_libraries.join(";")),
        ],
    )
}

fn cmake_version(system: System) -> String {
    let word_bytes = system.word_bytes.to_string();
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
    use crate::system::Family;

    const LINUX: System = System { family: Family::Linux, word_bytes: 8 };

    fn items_of(words: &[&str], system: System) -> Vec<Item> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let options = Options::parse(&words, None).expect("the words are right");
        let built = Built {
            shared: "/t/libsearchscope.so".into(),
            import: Some("/t/libsearchscope.dll.a".into()),
            archive: "/t/libsearchscope.a".into(),
            system_libraries: vec!["-lm".into(), "-lc".into()],
        };
        items(&options, system, &built).expect("the header is there")
    }

    fn text(items: &[Item], name: &str) -> String {
        let item = items.iter().find(|item| item.path.ends_with(name)).expect(name);
        let Content::Text(text) = &item.content else { panic!("{name} is a text") };
        assert!(!text.contains("=@") && !text.contains(" @"), "a place was not filled:\n{text}");
        text.clone()
    }

    fn texts(words: &[&str]) -> (String, String) {
        let items = items_of(words, LINUX);
        text(&items, "searchscope-config-version.cmake");
        (text(&items, "searchscope.pc"), text(&items, "searchscope-config.cmake"))
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
    fn the_archive_has_a_package_of_its_own() {
        let items = items_of(&["--prefix", "/p"], LINUX);
        let pc = text(&items, "searchscope-static.pc");
        assert!(pc.contains("\nName: searchscope-static\n"), "{pc}");
        assert!(pc.contains("\nLibs: ${libdir}/libsearchscope.a -lm -lc\n"), "{pc}");
        let items = items_of(&["--library-type=cdylib"], LINUX);
        assert!(!items.iter().any(|item| item.path.ends_with("searchscope-static.pc")));
    }

    #[test]
    fn windows_has_the_shared_library_beside_the_programs() {
        let system = System { family: Family::WindowsGnu, word_bytes: 8 };
        let items = items_of(&["--prefix", "/p"], system);
        for path in ["bin/searchscope.dll", "lib/libsearchscope.dll.a", "lib/libsearchscope.a"] {
            assert!(items.iter().any(|item| item.path == Path::new("/p").join(path)), "{path}");
        }
        let cmake = text(&items, "searchscope-config.cmake");
        assert!(
            cmake.contains("\"${CMAKE_CURRENT_LIST_DIR}/../../../bin/searchscope.dll\""),
            "{cmake}"
        );
    }

    #[test]
    fn a_static_library_alone_links_without_further_flags() {
        let (pc, _) = texts(&["--library-type=staticlib"]);
        assert!(pc.contains("\nLibs: -L${libdir} -lsearchscope -lm -lc\n"), "{pc}");
    }
}
