//! The verb `find`, and the lists of files that other verbs print.

use crate::command::{operand_paths, operand_text};
use crate::failure::{Result, glob_hint};
use crate::finish::{FILES, finish, warn};
use crate::place::Place;
use crate::print::{DIM, Out, report};
use crate::verbs::{Run, parsed};
use searchscope::tools::{Outcome, find_each};
use searchscope::{Call, FoundFile};
use serde_json::Value;

impl Run<'_> {
    pub(crate) fn find(mut self) -> Result<Outcome> {
        let pattern = operand_text(self.matches, "PATTERN")?;
        let place = self.place(&operand_paths(self.matches, "PATH")?)?;
        self.args.insert("paths".to_owned(), place.paths.clone().into());
        // The empty pattern matches every name.
        if self.args.get("name_pattern").is_some_and(|pattern| pattern == "") {
            self.args.remove("name_pattern");
        }
        let end: &[u8] = if self.matches.get_flag("print0") { b"\0" } else { b"\n" };
        let outcome = self.found_files(&place, end, false)?;
        let pattern = pattern.filter(|pattern| is_like_glob(pattern));
        if let Some(pattern) =
            pattern.filter(|_| outcome != Outcome::Found && !self.matches.get_flag("glob"))
        {
            report(&glob_hint(pattern));
        }
        Ok(outcome)
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
        let (summary, outcome) = self.each_file(place, &mut |file| {
            out.begin_block("")?;
            found_file(&mut out, place, file, end)
        })?;
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
        let summary = find_each(&workspace, &self.json_args(), &Call::new(), &mut |file| {
            written = take(file);
            written.is_ok()
        });
        written?;
        parsed(&summary.map_err(|error| self.failure(error))?)
    }
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
