//! The command's arguments.

use crate::Result;
use std::path::{Component, Path, PathBuf};

pub(crate) const HELP: &str = "\
Builds the C library of searchscope and installs it.

    cargo run -p searchscope-install -- [OPTIONS]

    --prefix DIR             where it will be used: DIR/include, DIR/lib [/usr/local]
    --libdir DIR             the libraries, below the prefix or absolute [lib]
    --includedir DIR         the headers, below the prefix or absolute [include]
    --destdir DIR            put before every path that is written, for packages [$DESTDIR]
    --library-type KIND      \"cdylib\" or \"staticlib\" alone [both]
    --no-default-features    without the parsers, about a quarter of the size
    --target TRIPLE          another platform to build for, by Rust's name [this one]
    --profile NAME           the profile that cargo builds with [release]

Written files are replaced whole, by a rename. What was written is listed on standard output.
";

/// The kinds of library that are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Libraries {
    Both,
    Shared,
    Static,
}

/// The options, resolved: directories are absolute and free of `.` and `..`.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) prefix: PathBuf,
    pub(crate) libdir: PathBuf,
    pub(crate) includedir: PathBuf,
    pub(crate) destdir: Option<PathBuf>,
    pub(crate) libraries: Libraries,
    pub(crate) default_features: bool,
    /// Rust's name of another platform.
    pub(crate) target: Option<String>,
    pub(crate) profile: String,
}

impl Options {
    /// Parses the arguments; `destdir` is the default of `--destdir`.
    pub(crate) fn parse(words: &[String], destdir: Option<String>) -> Result<Options> {
        let mut words = Words { rest: words.iter() };
        let (mut prefix, mut libdir) = ("/usr/local".to_owned(), "lib".to_owned());
        let (mut includedir, mut profile) = ("include".to_owned(), "release".to_owned());
        let (mut destdir, mut default_features) = (destdir, true);
        let (mut libraries, mut target) = (Libraries::Both, None);
        while let Some((name, value)) = words.next() {
            match name {
                "--prefix" => prefix = words.value(name, value)?,
                "--libdir" => libdir = words.value(name, value)?,
                "--includedir" => includedir = words.value(name, value)?,
                "--destdir" => destdir = Some(words.value(name, value)?),
                "--target" => target = Some(words.value(name, value)?),
                "--profile" => profile = words.value(name, value)?,
                "--library-type" => libraries = kind(&words.value(name, value)?)?,
                "--no-default-features" if value.is_none() => default_features = false,
                _ => return Err(format!("unknown option \"{name}\"; see --help")),
            }
        }
        let prefix = plain(&absolute(Path::new(&prefix))?)?;
        let destdir = destdir.filter(|destdir| !destdir.is_empty());
        Ok(Options {
            libdir: plain(&prefix.join(libdir))?,
            includedir: plain(&prefix.join(includedir))?,
            prefix,
            destdir: destdir.map(|destdir| absolute(Path::new(&destdir))).transpose()?,
            libraries,
            default_features,
            target,
            profile,
        })
    }

    pub(crate) fn has_shared(&self) -> bool {
        self.libraries != Libraries::Static
    }

    pub(crate) fn has_static(&self) -> bool {
        self.libraries != Libraries::Shared
    }
}

/// Iterator over options in the forms `--name value` and `--name=value`.
struct Words<'a> {
    rest: std::slice::Iter<'a, String>,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<(&'a str, Option<&'a str>)> {
        let word = self.rest.next()?;
        Some(word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value))))
    }

    fn value(&mut self, name: &str, value: Option<&str>) -> Result<String> {
        let value = value.or_else(|| self.rest.next().map(String::as_str));
        let value = value.filter(|value| !value.is_empty());
        value.map(str::to_owned).ok_or_else(|| format!("{name} requires a value"))
    }
}

fn kind(value: &str) -> Result<Libraries> {
    match value {
        "cdylib" => Ok(Libraries::Shared),
        "staticlib" => Ok(Libraries::Static),
        _ => Err(format!("--library-type is \"cdylib\" or \"staticlib\", not \"{value}\"")),
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Refuses `..` and drops `.`: the installed files refer to each other by relative paths, whose number
/// of `..` is the number of names.
fn plain(path: &Path) -> Result<PathBuf> {
    if path.components().any(|part| part == Component::ParentDir) {
        return Err(format!("{}: write the path without \"..\"", path.display()));
    }
    Ok(path.components().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Options> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        Options::parse(&words, Some("/environment".into()))
    }

    #[test]
    fn absent_options_have_defaults() {
        let options = Options::parse(&[], None).expect("nothing is needed");
        assert_eq!(options.libdir, Path::new("/usr/local/lib"));
        assert_eq!(options.includedir, Path::new("/usr/local/include"));
        assert_eq!((options.destdir, options.target, &*options.profile), (None, None, "release"));
        assert_eq!((options.libraries, options.default_features), (Libraries::Both, true));
    }

    #[test]
    fn directories_are_below_the_prefix_or_absolute() {
        let words = ["--prefix=/p/./q", "--libdir", "lib/x", "--includedir=/elsewhere"];
        let options = parse(&words).expect("the words are right");
        assert_eq!(options.prefix, Path::new("/p/q"));
        assert_eq!(options.libdir, Path::new("/p/q/lib/x"));
        assert_eq!(options.includedir, Path::new("/elsewhere"));
        assert_eq!(options.destdir.as_deref(), Some(Path::new("/environment")));
        let options = parse(&["--destdir=/d", "--library-type=staticlib"]).expect("right too");
        assert_eq!(options.destdir.as_deref(), Some(Path::new("/d")));
        assert_eq!((options.has_shared(), options.has_static()), (false, true));
    }

    #[test]
    fn mistakes_are_named() {
        let mistakes: [(&[&str], &str); 6] = [
            (&["--prefix"], "--prefix requires a value"),
            (&["--prefix="], "--prefix requires a value"),
            (&["prefix"], "unknown option \"prefix\""),
            (&["--no-default-features=1"], "unknown option \"--no-default-features\""),
            (&["--library-type", "rlib"], "not \"rlib\""),
            (&["--libdir", "../lib"], "without \"..\""),
        ];
        for (words, expected) in mistakes {
            let why = parse(words).expect_err("this is a mistake");
            assert!(why.contains(expected), "{words:?}: {why}");
        }
    }
}
