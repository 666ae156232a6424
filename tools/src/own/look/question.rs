//! The reading of a question: the names in it, the words that count, and the kind of rows that it asks for.
//!
//! Callers write what they think: a name with words around it, a sentence, an assignment, a line of a log.
//! Reading decides only which attempts are made after the text as written; it never removes a file from them.

use super::body::{NUMBER, has_number, has_word};
use super::heading::Heading;
use super::token::{
    asks, assignment, digits, has_camel, has_form, is_absolute, is_any_name, is_contraction,
    is_error_label, is_issue, is_of_record, is_option, is_quotation, is_reference,
    is_relative_to_host, is_route, is_status, method_of_type, only_option, quotation_after,
    trimmed, url_path, without_receiver, words_of_runner,
};
use super::wanted::{OF_VERSIONS, Wanted, asked_by_form, asks_for_number, is_kind, wanted};
use searchscope::toolkit::{MANIFEST, excerpt::floor_char_boundary, is_stop_word, sub_words};

/// Maximum length of a question that is read; the rest of a longer one only counts as written.
const BYTES_MAX: usize = 4_000;
/// Maximum number of names that a question may have.
const NAMES_MAX: usize = 8;
/// With this many other words, quoted parts do not count, nor does the verb of a commit's subject.
const WORDS_BESIDE_VALUES: usize = 2;

/// A question of at least this many words may begin with a verb that says what to do.
const WORDS_OF_TASK: usize = 4;
/// Verbs that begin tasks and subjects of commits. They say what is to be done and not where.
pub(super) const TASK_VERBS: &[&str] = &[
    "add",
    "address",
    "adjust",
    "allow",
    "avoid",
    "bump",
    "change",
    "clarify",
    "cleanup",
    "correct",
    "document",
    "drop",
    "enable",
    "ensure",
    "fix",
    "fixed",
    "fixes",
    "implement",
    "improve",
    "introduce",
    "make",
    "prevent",
    "refactor",
    "remove",
    "rename",
    "replace",
    "revert",
    "simplify",
    "support",
    "update",
    "use",
];

/// What the reading of a question sets apart until all of it is read.
#[derive(Default)]
struct Apart<'q> {
    /// Words that may choose the kind of rows.
    chosen: Vec<(Wanted, &'q str)>,
    /// Values of a message.
    values: Vec<&'q str>,
    /// Verbs that say what is to be done.
    verbs: Vec<&'q str>,
    /// Numbers that may be statuses of HTTP, and may be values.
    statuses: Vec<&'q str>,
    /// Whether the text asks something, or is too short for a message.
    is_asked: bool,
    heading: Heading<'q>,
    /// Words for the files that the form of the question asks for.
    by_form: Vec<&'static str>,
}

/// A question, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Question {
    /// The words that count for ranking: without values, numbers and the right side of an assignment.
    pub(super) text: String,
    /// The texts that have the form of a name, as written, each once.
    pub(super) names: Vec<String>,
    /// The words that neither are common nor choose the kind of rows, as written, names included.
    pub(super) content: Vec<String>,
    pub(super) wanted: Option<Wanted>,
    /// The part of the project that the subject of a commit names: `io` in `fix(io): …` and `io: …`; else empty.
    pub(super) area: String,
    /// The words that choose the kind of rows, as written, and one for a form such as "how do I …".
    pub(super) choosing: Vec<String>,
    /// Whether it is a message of a program: it has values, numbers or a level.
    pub(super) is_message: bool,
    /// Whether it is the subject of a commit or a task: it has the kind of a change, or begins with a verb of one.
    pub(super) is_change: bool,
    /// Whether a name stands in backquotes or has parentheses.
    is_marked: bool,
    /// Whether it asks for a number: a limit, a size, a version.
    asks_for_number: bool,
    /// Its only option of a command, with the dashes: `--line-limit`.
    pub(super) option: Option<String>,
}

impl Question {
    pub(super) fn read(q: &str) -> Question {
        let q = &q[..floor_char_boundary(q, BYTES_MAX)];
        let mut question = Question::default();
        let assigned = assignment(q);
        let is_apart = assigned.is_some() && q.contains(char::is_whitespace);
        let q = assigned.unwrap_or(q);
        let tokens: Vec<&str> = q.split_whitespace().collect();
        let (n_words, mut open, mut is_first) = (tokens.len(), None, true);
        let n_of_runner = words_of_runner(&tokens);
        let heading = Heading::of(&tokens);
        let by_form = asked_by_form(&tokens, heading.kind);
        let is_asked = n_words < WORDS_OF_TASK || asks(&tokens);
        let mut apart = Apart { heading, by_form, is_asked, ..Apart::default() };
        question.area = heading.area.to_owned();
        question.asks_for_number = asks_for_number(&tokens);
        question.option = only_option(&tokens);
        for (at, &written) in tokens.iter().enumerate() {
            if at < n_of_runner || is_reference(&tokens[at..]) {
                continue;
            }
            question.is_message |= at < 2 && n_words >= WORDS_OF_TASK && is_error_label(written);
            let may_be_verb = n_words >= WORDS_OF_TASK && (at == 0 || at == heading.n_tokens);
            if may_be_verb && is_task_verb(written) {
                apart.verbs.push(written);
                continue;
            }
            let token = if at == 0 { heading.place(written) } else { written };
            let before = open;
            open = quotation_after(token, open);
            let is_whole_quotation = open.is_none() && is_quotation(token);
            let is_value = before.is_some() || open.is_some() || is_whole_quotation;
            if n_words > 1 && question.took_part_of_record(token, &mut apart) {
                continue;
            }
            if let Some(method) = method_of_type(token) {
                question.add_name(method);
                continue;
            }
            let is_url = token.contains("://");
            let token = url_path(token);
            if question.took_path((token, is_url), n_words, &mut apart) {
                continue;
            }
            let Some(word) = trimmed(token).map(without_receiver) else { continue };
            let starts = std::mem::replace(&mut is_first, token.ends_with(['.', '?', '!', ':']));
            // A name in camel case is no value of a message, although it is quoted.
            let is_ticked =
                token.contains(&format!("`{word}")) || is_whole_quotation && has_camel(word);
            if is_value && n_words > 1 && !is_ticked {
                question.is_message = true;
                apart.values.push(word);
                continue;
            }
            let has_call = token.contains(&format!("{word}("));
            let is_marked = is_ticked || has_call || n_of_runner > 0 && at == n_of_runner;
            let is_formed = is_marked || is_option(token) || has_form(word, starts);
            if n_words > 1 && is_formed && is_any_name(word) {
                question.is_marked |= is_ticked || has_call;
                question.add_name(word);
                continue;
            }
            question.add_word(word, n_words, &mut apart);
        }
        // What stands in markup or before a value is a name, whatever its form.
        if is_apart && n_words == 1 {
            question.names = question.content.clone();
        }
        question.complete(&apart);
        question
    }

    /// Takes a token of a record of a log that is not one of its message, such as a number; returns whether it is one.
    fn took_part_of_record<'q>(&mut self, token: &'q str, apart: &mut Apart<'q>) -> bool {
        if is_status(token) {
            apart.statuses.push(token);
            return true;
        }
        let is_part = is_of_record(token);
        self.is_message |= is_part && !is_issue(token);
        is_part
    }

    /// Takes a token that is a path or a route; returns whether it is one. The parts of a path on the disk and of a
    /// URL are values.
    fn took_path<'q>(
        &mut self,
        (token, is_url): (&'q str, bool),
        n_words: usize,
        apart: &mut Apart<'q>,
    ) -> bool {
        let is_path = n_words > 1 && is_absolute(token);
        if is_path && (is_url || !is_relative_to_host(token)) {
            self.is_message = true;
            apart.values.extend(token.split('/').filter_map(trimmed));
            return true;
        }
        let is_taken = is_path || is_route(token);
        if is_taken {
            let is_word = |part: &&str| !part.contains(|c: char| c.is_ascii_digit());
            let words = token.split('/').filter(is_word).filter_map(trimmed);
            words.for_each(|word| self.add_content(word));
        }
        is_taken
    }

    /// Decides about the words that were set apart.
    fn complete(&mut self, apart: &Apart<'_>) {
        let chosen = &apart.chosen;
        let are_statuses = apart.is_asked && !self.is_message && !apart.statuses.is_empty();
        if are_statuses {
            apart
                .statuses
                .iter()
                .filter_map(|token| digits(token))
                .for_each(|n| self.add_content(n));
        } else {
            self.is_message |= !apart.statuses.is_empty();
        }
        let has_kind = !apart.heading.kind.is_empty();
        self.is_change = has_kind || !apart.verbs.is_empty() && apart.values.is_empty();
        // Quoted parts of a message are values; those of a short question are what it is about.
        if self.content.len() < WORDS_BESIDE_VALUES {
            apart.values.iter().for_each(|word| self.add_content(word));
        }
        let is_sparse = self.names.is_empty() && self.content.len() < WORDS_BESIDE_VALUES;
        if apart.heading.n_tokens > 0 && is_sparse {
            apart.verbs.iter().for_each(|word| self.add_content(word));
        }
        self.choosing = chosen.iter().map(|(_, word)| (*word).to_owned()).collect();
        self.choosing.extend(apart.by_form.iter().map(|&word| word.to_owned()));
        let n_content = self.content.len();
        if n_content > 0 {
            // A change such as "fix(io): call close" asks for no call.
            let mut asking = chosen.iter().filter(|(wanted, _)| !(has_kind && wanted.is_of_name()));
            // "where is the function f called" asks for calls, although `function` comes first.
            let deciding = asking.clone().find(|(_, word)| !is_kind(&word.to_lowercase()));
            self.wanted = deciding.or(asking.next()).map(|(wanted, _)| *wanted);
        }
        if n_content == 0 || n_content > 1 && self.names.is_empty() {
            let saying = chosen.iter().filter(|(_, word)| !is_stop_word(&word.to_lowercase()));
            saying.for_each(|(_, word)| self.add_content(word));
        }
        self.text = self.content.join(" ");
    }

    /// Returns the one name that the question is about: its only name, or its only word that counts.
    pub(super) fn subject(&self) -> Option<&str> {
        match (self.names.as_slice(), self.content.as_slice()) {
            ([name], content) if content.len() <= 2 => Some(name),
            ([], [word]) if is_any_name(word) => Some(word),
            _ => None,
        }
    }

    /// Returns the names that are of several parts, such as `loadToken`.
    pub(super) fn names_of_parts(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().map(String::as_str);
        names.filter(|name| sub_words(name).len() > 1)
    }

    /// Returns whether a line has a name of the question that other signs than those of one name join, such as
    /// `cluster.settle-timeout`.
    pub(super) fn has_joined_name(&self, line: &str) -> bool {
        let is_joined = |name: &&String| name.contains(['.', ':', '#', '/', '>']);
        self.names.iter().filter(is_joined).any(|name| has_word(line, name))
    }

    /// Returns whether it is about a change of the project, which may touch more than the names in it.
    pub(super) fn is_of_change(&self) -> bool {
        self.is_change || !self.area.is_empty()
    }

    /// Returns what a line counts for a number in it, if the question asks for one.
    pub(super) fn number_rate(&self, line: &str) -> f32 {
        if self.asks_for_number && has_number(line) { NUMBER } else { 0.0 }
    }

    /// Returns whether `name`, one of the question, may be a word of the sentence: it has nothing of a name but its
    /// first letter, as `Delete` in "context: implement Delete".
    pub(super) fn may_be_word(&self, name: &str) -> bool {
        let mut chars = name.chars();
        let is_capitalised =
            chars.next().is_some_and(char::is_uppercase) && chars.all(char::is_lowercase);
        is_capitalised && !self.is_marked && !self.is_subject_alone()
    }

    /// Returns whether the question is its subject and words that only choose the kind of rows.
    pub(super) fn is_subject_alone(&self) -> bool {
        self.content.len() <= 1
    }

    fn add_name(&mut self, word: &str) {
        if self.names.len() < NAMES_MAX && !self.names.iter().any(|name| name == word) {
            self.names.push(word.to_owned());
        }
        self.add_content(word);
    }

    /// Adds a word that is no name: as one that counts, or as one that chooses the kind of rows.
    fn add_word<'q>(&mut self, word: &'q str, n_words: usize, apart: &mut Apart<'q>) {
        let lower = word.to_lowercase();
        if apart.by_form.contains(&MANIFEST) && OF_VERSIONS.contains(&lower.as_str()) {
            return;
        }
        match wanted(&lower).filter(|_| n_words > 1) {
            Some(wanted) => apart.chosen.push((wanted, word)),
            None if is_stop_word(&lower) || is_contraction(&lower) => {}
            None => self.add_content(word),
        }
    }

    fn add_content(&mut self, word: &str) {
        if !self.content.iter().any(|known| known == word) {
            self.content.push(word.to_owned());
        }
    }
}

/// Returns whether a word says what is to be done.
fn is_task_verb(word: &str) -> bool {
    TASK_VERBS.binary_search(&word.to_lowercase().as_str()).is_ok()
}
