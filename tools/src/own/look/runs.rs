//! Parts of a message that a line has word for word.
//!
//! A program builds its message from texts of its source and values: "No such command 'deploi'." from
//! `"No such command {name}."`. Words in a row that are the same say more than the same words apart.

use super::answer::Lookup;
use super::ranked::{Ranked, sorted};
use super::template::{self, Fit};
use super::token::{is_quotation, quotation_after};
use searchscope::toolkit::{RankedFile, Role, is_stop_word};
use searchscope::{Case, ErrorKind, FileMatches, PatternOptions, Result, Stop, StopReason, Syntax};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Minimum number of letters, and of words in a row, that count; one of the words says something.
const LETTERS_MIN: usize = 10;
const WORDS_MIN: usize = 2;
/// Maximum number of words of a message, and of a line, that are compared.
const WORDS_MAX: usize = 64;
const LINE_WORDS_MAX: usize = 400;
/// Maximum number of lines of a file that are compared, and of bytes of a line.
const LINES_MAX: u64 = 1_000;
const LINE_BYTES_MAX: usize = 4_000;
/// The number of first files of a ranking that are searched, and of their lines that are compared.
const FILES_MAX: usize = 300;
const LINES_IN_ALL_MAX: usize = 60_000;
/// Files with less than this share of the longest run, in percent, keep their place in the ranking.
const SHARE_OF_LONGEST: usize = 75;
/// The share of the letters that count in tests and documents, in percent: they quote messages, and do not build
/// them.
const SHARE_OF_QUOTED: usize = 60;
/// A text of at least this many words that fits is the one from which the message was built.
const WORDS_OF_TEXT: usize = 3;
/// A text of fewer words without a sign of a message is none.
const WORDS_OF_MESSAGE: usize = 4;

/// The line of a file that has most of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageLine {
    pub(super) line: u64,
    /// Whether code of the project has the text there from which the message was built.
    pub(super) builds_it: bool,
}

/// A word of a message, in lower case; `None` for a value, which no source has.
type MessageWord = Option<String>;

/// A message, or a text that may be one.
struct Message {
    words: Vec<MessageWord>,
    /// The text in the form of [`template::plain`].
    plain: String,
    /// Whether it has a sign of a message.
    is_known: bool,
}

impl Message {
    fn read(text: &str, is_known: bool) -> Message {
        Message { words: words_of_message(text), plain: template::plain(text), is_known }
    }

    /// Returns the line of a file that has most of the message, the first of equal ones, and its number of letters.
    fn best_line(&self, file: &FileMatches, role: Role) -> Option<(usize, MessageLine)> {
        let is_code = role == Role::Production;
        let percent = if is_code { 100 } else { SHARE_OF_QUOTED };
        let compared = file.lines.iter().map(|line| {
            let text = String::from_utf8_lossy(&line.text);
            let fit = template::fit(&self.plain, &text);
            let builds_it = is_code && self.may_be_built_from(fit);
            let n_letters = match self.is_known || builds_it {
                true => n_letters_in(&self.words, &text) + fit.n_letters,
                false => 0,
            };
            (n_letters * percent / 100, MessageLine { line: line.number, builds_it })
        });
        compared.max_by_key(|(n_letters, at)| (*n_letters, Reverse(at.line)))
    }

    /// Returns whether a text with this fit says so much that the message was built from it. Of what has no
    /// sign of a message half of the letters that are no values are from there.
    fn may_be_built_from(&self, fit: Fit) -> bool {
        let n_letters: usize = self.words.iter().flatten().map(|word| word.chars().count()).sum();
        fit.n_words >= WORDS_OF_TEXT && (self.is_known || fit.n_letters * 2 >= n_letters)
    }
}

impl Lookup<'_> {
    /// Puts the files first that have the longest part of `message` in a row, if it is long enough, and remembers
    /// the line with it in each file. Of a text that may be none, only the texts that fit it count, from which a program
    /// would build it. The order stays as it is if the time does not suffice or too many lines have two of its words.
    pub(super) fn runs_first(
        &mut self,
        (message, is_message): (&str, bool),
        ranked: &mut Ranked,
    ) -> Result<()> {
        let ranking = &mut ranked.ranking;
        let message = Message::read(message, is_message);
        let words = &message.words;
        if !is_message && words.len() < WORDS_OF_MESSAGE {
            return Ok(());
        }
        let pairs = pairs(words);
        let patterns = if pairs.is_empty() { beside_values(words) } else { pairs };
        if patterns.is_empty() {
            return Ok(());
        }
        let first = &ranking.files[..ranking.files.len().min(FILES_MAX)];
        let paths = first.iter().map(|file| file.path.clone()).collect();
        let mut request = self.request(PatternOptions {
            patterns,
            syntax: Syntax::Regex,
            case: Case::Insensitive,
            ..PatternOptions::default()
        })?;
        request.only = Some(sorted(paths));
        request.limits.matches_per_file_max = Some(LINES_MAX);
        request.limits.line_bytes_max = Some(LINE_BYTES_MAX);
        let mut longest: HashMap<String, (usize, MessageLine)> = HashMap::new();
        let mut n_lines_left = LINES_IN_ALL_MAX;
        let sink = &mut |file: FileMatches| {
            if file.lines.len() > n_lines_left {
                return ControlFlow::Break(Stop::HERE);
            }
            n_lines_left -= file.lines.len();
            let path = file.path.display().into_owned();
            let most = message.best_line(&file, Role::of(&path));
            longest.extend(most.map(|most| (path, most)));
            ControlFlow::Continue(())
        };
        let call = self.half_of_the_time();
        let report = match self.workspace.run_search_each(&request, &call, sink) {
            // A message of long words has too large an expression, and keeps its order.
            Err(error) if error.kind() == ErrorKind::PatternSyntax => return Ok(()),
            report => report?,
        };
        self.answer.is_late |= report.stopped == Some(StopReason::Deadline);
        let most = longest.values().map(|(n_letters, _)| *n_letters).max().unwrap_or_default();
        if report.stopped.is_some() || most < LETTERS_MIN {
            return Ok(());
        }
        longest.retain(|_, (n_letters, _)| *n_letters * 100 >= most * SHARE_OF_LONGEST);
        let n_letters_of = |file: &RankedFile| {
            longest.get(&*file.path.display()).map_or(0, |(n_letters, _)| *n_letters)
        };
        // Files with equally many letters keep their order.
        ranking.files.sort_by_cached_key(|file| Reverse(n_letters_of(file)));
        ranked.message_at = longest.into_iter().map(|(path, (_, at))| (path, at)).collect();
        Ok(())
    }
}

/// Returns whether a token stands in backquotes, as a name or a value does.
fn is_ticked(token: &str) -> bool {
    let token = token.trim_matches(|c: char| c != '`' && !c.is_alphanumeric());
    token.len() > 2 && token.starts_with('`') && token.ends_with('`')
}

/// Returns the words of a message, in lower case, with its values as `None`.
fn words_of_message(message: &str) -> Vec<MessageWord> {
    let mut words = Vec::new();
    let mut open = None;
    for token in message.split_whitespace() {
        let before = open;
        open = quotation_after(token, open);
        let is_quoted = is_quotation(token) || is_ticked(token);
        if before.is_some() || open.is_some() || is_quoted || is_value(token) {
            words.push(None);
        } else {
            words.extend(words_of(token).map(Some));
        }
    }
    words.truncate(WORDS_MAX);
    words
}

/// Returns whether a token of a message is a value: a number, a path, a name of code.
fn is_value(token: &str) -> bool {
    let inner = token.trim_matches(|c: char| !c.is_alphanumeric());
    inner.contains(|c: char| c.is_ascii_digit() || "/\\@=<>{}[]_$|.".contains(c))
}

/// Returns the words of a text, in lower case.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

/// Returns expressions for two words in a row of which one says something, each once. Other letters than those of
/// ASCII may stand between the words: the lines are compared word by word later.
fn pairs(words: &[MessageWord]) -> Vec<String> {
    let mut pairs: Vec<String> = Vec::new();
    for pair in words.windows(2) {
        let [Some(first), Some(second)] = pair else { continue };
        let says = !is_stop_word(first) || !is_stop_word(second);
        let pair =
            format!("{}[^a-zA-Z0-9]+{}", regex_syntax::escape(first), regex_syntax::escape(second));
        if says && !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}

/// Returns expressions for the words beside values, in texts of a source: where no two words are in a row, as in
/// "Compacting 4@0 + 2@1 files", only a text that fits says something.
fn beside_values(words: &[MessageWord]) -> Vec<String> {
    let mut beside: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let has_value = |at: usize| words.get(at).is_some_and(Option::is_none);
        let Some(word) = word.as_ref().filter(|word| !is_stop_word(word)) else { continue };
        let word = format!("[\"'`].*{}", regex_syntax::escape(word));
        if (has_value(at.wrapping_sub(1)) || has_value(at + 1)) && !beside.contains(&word) {
            beside.push(word);
        }
    }
    beside
}

/// Words in a row that a message and a line have.
#[derive(Clone, Copy, Default)]
struct Run {
    n_words: usize,
    n_letters: usize,
    says: bool,
}

/// Returns the number of letters of a message that a line has in a row: of each part between values the longest
/// run. 0 if no word of them says something.
fn n_letters_in(message: &[MessageWord], line: &str) -> usize {
    let words: Vec<String> = words_of(line).take(LINE_WORDS_MAX).collect();
    let runs = message.split(Option::is_none).map(|part| longest_run(part, &words));
    let runs: Vec<Run> = runs.filter(|run| run.n_words >= WORDS_MIN).collect();
    let says = runs.iter().any(|run| run.says);
    if says { runs.iter().map(|run| run.n_letters).sum() } else { 0 }
}

fn longest_run(part: &[MessageWord], words: &[String]) -> Run {
    let mut longest = Run::default();
    // The runs that end at each word of the part, one place later.
    let mut before = vec![Run::default(); part.len() + 1];
    let mut runs = before.clone();
    for word in words {
        runs.fill(Run::default());
        for (at, _) in part.iter().enumerate().filter(|(_, own)| own.as_ref() == Some(word)) {
            let run = before[at];
            runs[at + 1] = Run {
                n_words: run.n_words + 1,
                n_letters: run.n_letters + word.chars().count(),
                says: run.says || !is_stop_word(word),
            };
            let is_longer = runs[at + 1].n_letters > longest.n_letters;
            longest = if is_longer { runs[at + 1] } else { longest };
        }
        std::mem::swap(&mut before, &mut runs);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_words_and_values() {
        let shown = |message: &str| {
            let words = words_of_message(message);
            words
                .into_iter()
                .map(|word| word.unwrap_or("_".to_owned()))
                .collect::<Vec<_>>()
                .join(" ")
        };
        for (message, words) in [
            ("No such command 'deploi'. Try again", "no such command _ try again"),
            ("Unknown scheme \"a b\": can't read flag(s)", "unknown scheme _ _ can t read flag s"),
            ("wait 30s for /etc/app.conf now", "wait _ for _ now"),
            ("Failed (code=7) at x_y.", "failed _ at _"),
        ] {
            assert_eq!(shown(message), words, "{message}");
        }
    }

    #[test]
    fn the_longest_runs_count() {
        let message = words_of_message("Error: No such command 'deploi'. It is not in the list");
        for (line, n_letters) in [
            ("raise E(_(\"No such command {name}.\"))", 13),
            ("# no such\tCommand, error", 13),
            ("x(\"{} is not in the list\")", 14),
            ("is not in the", 0),
            ("such a command", 0),
            ("command", 0),
            ("no such command is in the list", 13 + 9),
        ] {
            assert_eq!(n_letters_in(&message, line), n_letters, "{line}");
        }
    }

    #[test]
    fn words_beside_values_are_looked_for_in_texts() {
        let words = words_of_message("Compacting 4@0 + 2@1 files of the");
        assert_eq!(beside_values(&words), ["[\"'`].*compacting", "[\"'`].*files"]);
        assert_eq!(beside_values(&words_of_message("no values")), Vec::<String>::new());
    }

    #[test]
    fn pairs_say_something() {
        let words = words_of_message("it is in the list of the list of");
        assert_eq!(pairs(&words), ["the[^a-zA-Z0-9]+list", "list[^a-zA-Z0-9]+of"]);
    }
}
