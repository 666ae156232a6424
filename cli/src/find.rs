//! The verb `find`, and the lists of files that other verbs print.

use crate::command::{is_given, last_of, operand_paths, operand_text, texts};
use crate::failure::{Failure, Result, glob_hint, quoted};
use crate::finish::{FILES, finish, warn};
use crate::globs::ignoring_case;
use crate::patterns::{is_regex, literal};
use crate::place::{Place, is_dir};
use crate::print::{DIM, Out, report};
use crate::progress::Progress;
use crate::verbs::{Run, parsed};
use globset::{Glob, GlobBuilder};
use searchscope::{Call, FoundFile};
use searchscope_tools::{Outcome, find_each};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;

/// Kinds of entries in words, as fd has them, with the tool's letters.
const KINDS: &[(&str, &str)] = &[
    ("file", "f"),
    ("directory", "d"),
    ("dir", "d"),
    ("symlink", "l"),
    ("executable", "x"),
    ("empty", "e"),
];

impl Run<'_> {
    pub(crate) fn find(mut self) -> Result<Outcome> {
        let pattern = operand_text(self.matches, "PATTERN")?;
        let paths = operand_paths(self.matches, "PATH")?;
        let place = self.place(&paths)?;
        self.args.insert("paths".to_owned(), place.paths.clone().into());
        self.set_kinds()?;
        self.set_filters();
        let is_glob = self.set_name(pattern)?;
        let directory = pattern.filter(|pattern| {
            paths.is_empty() && !is_glob && !is_dots(pattern) && is_dir(Path::new(pattern))
        });
        if let Some(directory) = directory.filter(|directory| directory.contains('/'))
            && !self.matches.get_flag("full-path")
        {
            return Err(Failure::new(directory_hint(directory)));
        }
        let end: &[u8] = if self.matches.get_flag("print0") { b"\0" } else { b"\n" };
        let outcome = self.found_files(&place, end, false)?;
        if let Some(directory) = directory.filter(|_| outcome != Outcome::Found) {
            report(&directory_hint(directory));
            return Ok(outcome);
        }
        let pattern = pattern.filter(|pattern| is_like_glob(pattern) && !is_glob);
        if let Some(pattern) = pattern.filter(|_| outcome != Outcome::Found) {
            report(&glob_hint(pattern));
        }
        Ok(outcome)
    }

    /// Turns kinds in words into the tool's letters.
    fn set_kinds(&mut self) -> Result<()> {
        let Some(Value::Array(kinds)) = self.args.get_mut("types") else { return Ok(()) };
        for kind in kinds {
            let word = kind.as_str().unwrap_or_default();
            // The rest of find's own "-type".
            if word == "ype" {
                return Err(Failure::new("-type is read as -t ype; type -t KIND, such as -t d"));
            }
            if let Some((_, letter)) = KINDS.iter().find(|(known, _)| *known == word) {
                *kind = (*letter).into();
            }
        }
        Ok(())
    }

    /// Sets the arguments for `-E`, `-u`, `-1` and `--max-results`.
    fn set_filters(&mut self) {
        let excluded: Vec<String> =
            texts(self.matches, "exclude").map(|glob| format!("!{glob}")).collect();
        if !excluded.is_empty() {
            self.args.insert("globs".to_owned(), excluded.into());
        }
        if self.matches.get_count("unrestricted") > 0 {
            self.args.insert("no_ignore".to_owned(), true.into());
            self.args.insert("hidden".to_owned(), true.into());
        }
        // As in fd, 0 is no limit.
        let is_unlimited = self.matches.get_one::<u64>("max-results") == Some(&0);
        if is_unlimited {
            self.args.remove("files_max");
        }
        if self.matches.get_flag("max-one-result") {
            self.args.insert("files_max".to_owned(), json!(1));
        }
    }

    /// Sets the pattern for names. Returns whether it is a glob.
    fn set_name(&mut self, pattern: Option<&str>) -> Result<bool> {
        // The empty pattern matches every name.
        let Some(pattern) = pattern.filter(|pattern| !pattern.is_empty()) else {
            self.args.remove("name_pattern");
            return Ok(false);
        };
        let syntax = last_of(self.matches, &["glob", "fixed-strings"]);
        let mut is_glob = syntax == Some("glob");
        let case = last_of(self.matches, &["ignore-case", "case-sensitive"]);
        if syntax.is_none() && !is_regex(pattern) && is_a_glob(pattern) {
            report(&format!(
                "{0} is not a regex and is taken as a glob, as with -g {0}",
                quoted(pattern)
            ));
            is_glob = true;
        }
        let mut name = match syntax {
            Some("fixed-strings") => literal(pattern),
            _ => pattern.to_owned(),
        };
        // Smart case is the tool's.
        match (case, is_glob) {
            (Some("ignore-case"), true) => name = ignoring_case(&name),
            (Some("ignore-case"), false) if is_regex(&name) => name.insert_str(0, "(?i)"),
            (Some("case-sensitive"), true) => {
                name = format!("(?s-i){}", self.regex_of(&name)?);
                self.args.remove("glob");
                self.args.insert("name_pattern".to_owned(), name.into());
                return Ok(true);
            }
            (Some("case-sensitive"), false) if is_regex(&name) => name.insert_str(0, "(?-i)"),
            _ => {}
        }
        self.args.remove("glob");
        if is_glob {
            self.args.insert("glob".to_owned(), true.into());
        }
        self.args.insert("name_pattern".to_owned(), name.into());
        Ok(is_glob)
    }

    /// Returns the regex of a glob for whole names, or with `-p` for whole paths.
    fn regex_of(&self, glob: &str) -> Result<String> {
        let is_path = self.matches.get_flag("full-path");
        let built = GlobBuilder::new(glob).literal_separator(is_path).build();
        let built = built.map_err(|error| Failure::new(format!("PATTERN: {error}")))?;
        Ok(built.regex().to_owned())
    }

    /// Prints the files that match the arguments, each with `end` after its path.
    pub(crate) fn found_files(
        &self,
        place: &Place,
        end: &[u8],
        is_reversed: bool,
    ) -> Result<Outcome> {
        if let Some(form) = self.reply_form()? {
            return self.print_reply(place, "find", form);
        }
        let mut out = self.out();
        if is_reversed {
            out.hold();
        }
        let (mut summary, outcome) = self.each_file(place, &mut |file| {
            out.begin_block("")?;
            found_file(&mut out, place, file, end)
        })?;
        // fd does not report the rest either.
        let is_limit_of_fd =
            self.verb.name == "find" && is_given(self.matches, &["max-results", "max-one-result"]);
        if is_limit_of_fd {
            summary["cursor"] = Value::Null;
        }
        finish(&mut out, place, &summary, FILES, 0)?;
        Ok(outcome)
    }

    /// Looks for a file and prints nothing.
    pub(crate) fn any_file(&self, place: &Place) -> Result<Outcome> {
        let (summary, outcome) = self.each_file(place, &mut |_| Ok(()))?;
        if outcome != Outcome::Found {
            warn(&summary, place, true);
        }
        Ok(outcome)
    }

    fn each_file(
        &self,
        place: &Place,
        take: &mut dyn FnMut(&FoundFile) -> Result<()>,
    ) -> Result<(Value, Outcome)> {
        let workspace = self.open(place)?;
        let mut written = Ok(());
        let call = Call::new();
        let mut progress = Progress::show(self.verb.name, call.cancel_token());
        let summary = find_each(&workspace, &self.json_args(), &call, &mut |file| {
            progress.before_row();
            written = take(file);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        drop(progress);
        written?;
        parsed(&summary.map_err(|error| self.failure(error))?)
    }
}

/// Returns how `find` lists the files of a directory.
fn directory_hint(directory: &str) -> String {
    let given = quoted(directory);
    format!("PATTERN {given} is a directory; to list its files: searchscope find . {given}")
}

/// Returns whether a text is the current directory or the one above it, which are regexes of every name.
fn is_dots(text: &str) -> bool {
    text.trim_end_matches('/').chars().all(|char| char == '.')
}

/// Returns whether a text that is not a regex is a glob.
fn is_a_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{']) && Glob::new(text).is_ok()
}

/// Whether a regex for a name is rather a glob: a `*` after a letter, a digit or a sign of names.
fn is_like_glob(pattern: &str) -> bool {
    pattern.match_indices('*').any(|(at, _)| {
        let before = pattern[..at].chars().next_back();
        before.is_some_and(|char| char.is_alphanumeric() || "_-".contains(char))
    })
}

/// Prints a file of `find`.
fn found_file(out: &mut Out, place: &Place, file: &FoundFile, end: &[u8]) -> Result<()> {
    if let Some(details) = file.details {
        let seconds = details.modified_ns.div_euclid(1_000_000_000);
        out.plain(
            DIM,
            &format!("{} {:>10} {} ", details.file_type.code(), details.size, utc(seconds)),
        );
    }
    let path = file.path.as_bytes();
    out.path(&place.shown(path), || place.absolute(path));
    out.end_with(end)?;
    out.deliver()
}

/// Formats seconds since 1970 as a UTC date and time.
fn utc(seconds: i128) -> String {
    let days = i64::try_from(seconds.div_euclid(86_400)).unwrap_or(0);
    let of_day = seconds.rem_euclid(86_400);
    // Days since 0000-03-01 in eras of 400 years (Hinnant, "chrono-compatible low-level date algorithms").
    let (era, day) = ((days + 719_468).div_euclid(146_097), (days + 719_468).rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute) = (of_day / 3_600, of_day / 60 % 60);
    format!("{year:04}-{month:02}-{date:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates_of_utc() {
        assert_eq!(utc(0), "1970-01-01 00:00");
        assert_eq!(utc(951_782_399), "2000-02-28 23:59");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00");
        assert_eq!(utc(1_764_055_742), "2025-11-25 07:29");
        assert_eq!(utc(-1), "1969-12-31 23:59");
    }
}
