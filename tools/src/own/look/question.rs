//! The reading of a question: the names in it, the words that count, and the kind of rows that it asks for.
//!
//! Callers write what they think: a name with words around it, a sentence, an assignment, a line of a log.
//! Reading decides only which attempts are made after the text as written; it never removes a file from them.

use super::heading::Heading;
use super::query::is_name;
use super::wanted::{OF_VERSIONS, Wanted, asked_by_form, is_kind, wanted};
use searchscope::toolkit::{MANIFEST, excerpt::floor_char_boundary, is_stop_word, sub_words};

/// Maximum length of a question that is read; the rest of a longer one only counts as written.
const BYTES_MAX: usize = 4_000;
/// Maximum number of names that a question may have.
const NAMES_MAX: usize = 8;
/// With this many other words, quoted parts do not count, nor does the verb of a commit's subject.
const WORDS_BESIDE_VALUES: usize = 2;

/// Minimum length of a name in capitals alone; shorter ones are abbreviations.
const SHOUTED_MIN: usize = 5;

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
        let heading = Heading::of(&tokens);
        let by_form = asked_by_form(&tokens, heading.kind);
        let mut apart = Apart { heading, by_form, ..Apart::default() };
        question.area = heading.area.to_owned();
        for (at, &written) in tokens.iter().enumerate() {
            if is_reference(&tokens[at..]) {
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
            if n_words > 1 && is_of_record(token) {
                question.is_message |= !is_issue(token);
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
            let is_formed = is_ticked || has_call || is_option(token) || has_form(word, starts);
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

/// Attributes of markup whose name says nothing beside their value.
const ATTRIBUTES: &[&str] = &["class", "className", "for", "href", "htmlFor", "id", "name", "src"];

/// Returns the value of an attribute such as `<div class="side-panel">`, if nothing but markup follows it.
fn attribute<'a>(left: &str, right: &'a str) -> Option<&'a str> {
    let name = left.rsplit(|c: char| c.is_whitespace() || c == '<').next()?;
    let is_known = ATTRIBUTES.contains(&name) || name.starts_with("data-");
    let sign = right.chars().next().filter(|sign| is_known && matches!(sign, '"' | '\''))?;
    let (value, rest) = right[1..].split_once(sign)?;
    let is_text = value.contains(char::is_alphabetic);
    (is_text && rest.chars().all(|c| c.is_whitespace() || matches!(c, '/' | '>'))).then_some(value)
}

/// Returns the left side of an assignment: `LIMIT=4`, `a.b = "c"`, `key: value` with a name before it, or the
/// value of an attribute.
fn assignment(q: &str) -> Option<&str> {
    let (left, right) = q.split_once('=')?;
    if let Some(value) = attribute(left, right) {
        return Some(value);
    }
    let is_operator =
        right.starts_with(['=', '>', '~']) || left.ends_with(['=', '!', '<', '>', ':']);
    let left = left.trim();
    let name = left.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_alone = left.split_whitespace().count() <= 2;
    (!is_operator && is_alone && is_any_name(name)).then_some(name)
}

/// Returns whether the first token belongs to the number of an issue that follows it: `(fixes #42)`.
fn is_reference(tokens: &[&str]) -> bool {
    let [word, number, ..] = tokens else { return false };
    let is_around = |c: char| !(c.is_alphanumeric() || c == '#');
    let number = number.trim_matches(is_around).strip_prefix('#');
    REFERENCES.contains(&word.trim_matches(is_around).to_lowercase().as_str())
        && number.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// Returns whether a token is the number of an issue: `(#42)`.
fn is_issue(token: &str) -> bool {
    token.trim_start_matches('(').starts_with('#')
}

/// Words before the number of an issue.
const REFERENCES: &[&str] = &[
    "close", "closed", "closes", "fix", "fixed", "fixes", "gh", "issue", "pr", "ref", "refs",
    "resolve", "resolved", "resolves", "see",
];

/// Returns whether a word says what is to be done.
fn is_task_verb(word: &str) -> bool {
    TASK_VERBS.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// Returns the path of a URL, without its query; any other token as it is.
fn url_path(token: &str) -> &str {
    let Some((_, rest)) = token.split_once("://") else { return token };
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    path.split(['?', '#']).next().unwrap_or_default()
}

/// Returns whether a token is an absolute path, which in a message is a value.
fn is_absolute(token: &str) -> bool {
    token.starts_with('/') && token.split('/').filter(|part| !part.is_empty()).count() > 1
}

/// Returns whether an absolute path is one of a host's routes, such as `/reverse_proxy/upstreams`, and not one of a
/// file: its last part has no extension, and its first is no usual directory.
pub(super) fn is_relative_to_host(token: &str) -> bool {
    let mut parts = token.trim_matches(|c: char| !c.is_alphanumeric()).split('/');
    let is_usual = |part: &str| DIRECTORIES.binary_search(&part).is_ok();
    parts.next().is_some_and(|first| !is_usual(first))
        && parts.next_back().is_none_or(|last| !last.contains('.'))
}

/// Directories at the root of systems and of containers, sorted.
pub(super) const DIRECTORIES: &[&str] = &[
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "app",
    "bin",
    "boot",
    "build",
    "builds",
    "code",
    "data",
    "dev",
    "etc",
    "github",
    "go",
    "home",
    "lib",
    "lib64",
    "media",
    "mnt",
    "nix",
    "opt",
    "private",
    "proc",
    "repo",
    "root",
    "run",
    "sbin",
    "snap",
    "src",
    "srv",
    "sys",
    "tmp",
    "usr",
    "var",
    "workspace",
    "workspaces",
];

/// Returns whether a token is a route with values in it, such as `/issues/42/watchers`.
fn is_route(token: &str) -> bool {
    let segments = || token.split('/').filter(|part| !part.is_empty());
    let is_value = |part: &str| part.contains(|c: char| c.is_ascii_digit()) && !part.contains('.');
    token.starts_with('/') && segments().count() > 1 && segments().any(is_value)
}

/// Returns whether a token begins with a quotation.
pub(super) fn is_quotation(token: &str) -> bool {
    token.trim_start_matches('(').starts_with(['"', '\'']) && token.len() > 2
}

/// Returns the quotation that is open after `token`, given the one before it.
pub(super) fn quotation_after(token: &str, open: Option<char>) -> Option<char> {
    let mut open = open;
    let mut before = ' ';
    for c in token.chars() {
        match open {
            Some(sign) if c == sign => open = None,
            // An apostrophe inside a word opens nothing.
            None if matches!(c, '"' | '\'') && !before.is_alphanumeric() => open = Some(c),
            None if c == '[' && before == ' ' => open = Some(']'),
            None if c == '{' && before == ' ' => open = Some('}'),
            _ => {}
        }
        before = c;
    }
    open
}

/// Returns whether a token is a number, an identifier of a value or a hash: `42`, `0xc0004f2000`, `3.5`.
fn is_number(token: &str) -> bool {
    let token = token.trim_matches(|c: char| !c.is_alphanumeric());
    let is_hex = token.starts_with("0x")
        || token.len() >= 7 && token.bytes().any(|byte| byte.is_ascii_digit());
    !token.is_empty()
        && (token.chars().all(|c| c.is_ascii_digit() || ".,:%+-".contains(c))
            || is_hex && token.chars().all(|c| c.is_ascii_hexdigit() || "x-?".contains(c)))
}

/// Returns whether a token is what a record of a log has beside its message.
fn is_of_record(token: &str) -> bool {
    is_number(token) || is_time(token) || is_level(token)
}

/// Returns whether a token is a date or a time of a record: `2026-02-03T09:41:07Z`, `09:41:07.123`.
fn is_time(token: &str) -> bool {
    let token = token.trim_matches(|c: char| !c.is_alphanumeric());
    let n_digits = token.bytes().take_while(u8::is_ascii_digit).count();
    let is_begun = matches!(
        (n_digits, token.as_bytes().get(n_digits)),
        (4, Some(b'-' | b'/')) | (1 | 2, Some(b':'))
    );
    is_begun && token.chars().all(|c| c.is_ascii_digit() || "-/:.,+TZ".contains(c))
}

/// Returns whether a word, in lower case, is a verb that was contracted with another word: `don't`, `we're`.
fn is_contraction(word: &str) -> bool {
    const ENDS: &[&str] = &["t", "re", "ll", "ve", "d", "m"];
    word.split_once(['\'', '’']).is_some_and(|(_, end)| ENDS.contains(&end))
}

/// Returns whether a token is the level of a message of a log.
fn is_level(token: &str) -> bool {
    const LEVELS: &[&str] =
        &["CRITICAL", "DEBUG", "ERROR", "FATAL", "INFO", "TRACE", "WARN", "WARNING"];
    LEVELS.contains(&token.trim_matches(|c: char| !c.is_alphabetic()))
}

/// Returns whether a token says that a message of a program follows: `error:`, `TypeError:`.
fn is_error_label(token: &str) -> bool {
    const ENDS: &[&str] = &["error", "exception", "fatal", "panic", "warning"];
    let label = token.strip_suffix(':').map(str::to_lowercase);
    label.is_some_and(|label| ENDS.iter().any(|end| label.ends_with(end)))
}

/// Returns the method of a frame of Go, such as `http.(*Handler).loopOnce(0xc0004f2000`.
fn method_of_type(token: &str) -> Option<&str> {
    let (_, method) = token.split_once("(*")?.1.split_once(").")?;
    let end = method.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(method.len());
    (end > 0).then(|| &method[..end])
}

/// Returns the name of a frame of JavaScript without the object that says nothing: `Object.load`.
fn without_receiver(word: &str) -> &str {
    let rest = ["Object.", "Module.", "exports."].iter().find_map(|no| word.strip_prefix(no));
    rest.filter(|rest| is_name(rest)).unwrap_or(word)
}

/// Returns a token without the punctuation around it; `None` without letters.
fn trimmed(token: &str) -> Option<&str> {
    let is_around =
        |c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '#' || c == '-');
    // The arguments of a call belong to no name.
    let token = token.trim_start_matches(is_around);
    let end = match token.find(['(', '<']) {
        Some(at) if at > 0 && !token[..at].ends_with('.') => at,
        _ => token.len(),
    };
    let word = token[..end].trim_matches(is_around).trim_matches('-');
    let word = word.trim_end_matches("'s").trim_end_matches(['#', '$']);
    let word = if word.starts_with('#') && word[1..].chars().all(|c| c.is_ascii_digit()) {
        ""
    } else {
        word
    };
    word.chars().any(char::is_alphabetic).then_some(word)
}

/// Returns whether a word is in camel case: `loadToken`.
fn has_camel(word: &str) -> bool {
    let upper_after = |(one, other): (char, char)| one.is_lowercase() && other.is_uppercase();
    word.chars().zip(word.chars().skip(1)).any(upper_after)
}

/// Returns whether a word has capitals and digits alone, as names of the environment: `PAGER`.
pub(super) fn is_shouted(word: &str) -> bool {
    word.len() >= SHOUTED_MIN
        && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit())
        && word.contains(char::is_alphabetic)
}

/// Returns whether a token is an option of a command, such as `--line-limit`.
fn is_option(token: &str) -> bool {
    let name = token.trim_start_matches(['`', '"', '\'', '(']).strip_prefix("--");
    name.is_some_and(|name| name.starts_with(char::is_alphabetic))
}

/// Returns whether a word has the form of a name, and not that of a word of a language.
fn has_form(word: &str, is_sentence_start: bool) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let pairs = || chars.windows(2);
    let is_shouted_then_named = chars
        .windows(3)
        .any(|three| three[0].is_uppercase() && three[1].is_uppercase() && three[2].is_lowercase());
    let has_inner = |signs: &[&str]| {
        signs
            .iter()
            .any(|sign| word.find(sign).is_some_and(|at| at > 0 && at + sign.len() < word.len()))
    };
    let has_digit_inside = pairs().any(|pair| pair[0].is_alphabetic() && pair[1].is_ascii_digit());
    let is_joined = has_inner(&["::", "->", "#", "."]) && !is_version(word);
    let is_capital = chars[0].is_uppercase()
        && !is_sentence_start
        && chars.len() > 2
        && chars[1..].iter().all(|c| c.is_lowercase());
    has_camel(word)
        || is_shouted_then_named && chars.len() > 4 && !word.ends_with('s')
        || word.contains('_') && chars.len() > 2
        || is_joined
        || has_digit_inside && chars.len() > 3
        || is_capital
}

/// Returns whether a word is a version, such as `4.x` and `1.2.3`.
fn is_version(word: &str) -> bool {
    let is_number = |part: &str| part == "x" || part.bytes().all(|byte| byte.is_ascii_digit());
    word.split('.').all(is_number)
}

/// Returns whether a word is a name, or several joined as most languages join them.
fn is_any_name(word: &str) -> bool {
    word.split(['.', ':', '#', '\\', '>', '/']).all(|part| {
        let part = part.trim_end_matches('-');
        part.is_empty() || is_name(part)
    }) && !sub_words(word).is_empty()
}
