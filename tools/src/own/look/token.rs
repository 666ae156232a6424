//! The forms of the tokens of a question: values, paths, names, options.

use super::query::is_name;
use searchscope::toolkit::sub_words;

/// Minimum length of a name in capitals alone; shorter ones are abbreviations.
const SHOUTED_MIN: usize = 5;

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
pub(super) fn assignment(q: &str) -> Option<&str> {
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
pub(super) fn is_reference(tokens: &[&str]) -> bool {
    let [word, number, ..] = tokens else { return false };
    let is_around = |c: char| !(c.is_alphanumeric() || c == '#');
    let number = number.trim_matches(is_around).strip_prefix('#');
    REFERENCES.contains(&word.trim_matches(is_around).to_lowercase().as_str())
        && number.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// Returns whether a token is the number of an issue: `(#42)`.
pub(super) fn is_issue(token: &str) -> bool {
    token.trim_start_matches('(').starts_with('#')
}

/// Words before the number of an issue.
const REFERENCES: &[&str] = &[
    "close", "closed", "closes", "fix", "fixed", "fixes", "gh", "issue", "pr", "ref", "refs",
    "resolve", "resolved", "resolves", "see",
];

/// Returns the path of a URL, without its query; any other token as it is.
pub(super) fn url_path(token: &str) -> &str {
    let Some((_, rest)) = token.split_once("://") else { return token };
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    path.split(['?', '#']).next().unwrap_or_default()
}

/// Returns whether a token is an absolute path, which in a message is a value.
pub(super) fn is_absolute(token: &str) -> bool {
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
pub(super) fn is_route(token: &str) -> bool {
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

/// Returns the digits of a token without the punctuation around them.
pub(super) fn digits(token: &str) -> Option<&str> {
    let digits = token.trim_matches(|c: char| !c.is_alphanumeric());
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// Returns whether a token has the form of a status of HTTP, such as `204`.
pub(super) fn is_status(token: &str) -> bool {
    let is_status = |digits: &str| digits.len() == 3 && matches!(digits.as_bytes()[0], b'1'..=b'5');
    !is_issue(token) && digits(token).is_some_and(is_status)
}

/// Returns whether a text begins or ends as a question does.
pub(super) fn asks(tokens: &[&str]) -> bool {
    const BEGINNINGS: &[&str] = &[
        "are", "can", "do", "does", "how", "is", "should", "what", "when", "where", "which", "who",
        "why",
    ];
    let is_beginning = |token: &&str| BEGINNINGS.contains(&token.to_lowercase().as_str());
    tokens.first().is_some_and(is_beginning)
        || tokens.last().is_some_and(|token| token.ends_with('?'))
}

/// Returns whether a token is what a record of a log has beside its message.
pub(super) fn is_of_record(token: &str) -> bool {
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
pub(super) fn is_contraction(word: &str) -> bool {
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
pub(super) fn is_error_label(token: &str) -> bool {
    const ENDS: &[&str] = &["error", "exception", "fatal", "panic", "warning"];
    let label = token.strip_suffix(':').map(str::to_lowercase);
    label.is_some_and(|label| ENDS.iter().any(|end| label.ends_with(end)))
}

/// Returns the method of a frame of Go, such as `http.(*Handler).loopOnce(0xc0004f2000`.
pub(super) fn method_of_type(token: &str) -> Option<&str> {
    let (_, method) = token.split_once("(*")?.1.split_once(").")?;
    let end = method.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(method.len());
    (end > 0).then(|| &method[..end])
}

/// Returns the name of a frame of JavaScript without the object that says nothing: `Object.load`.
pub(super) fn without_receiver(word: &str) -> &str {
    let rest = ["Object.", "Module.", "exports."].iter().find_map(|no| word.strip_prefix(no));
    rest.filter(|rest| is_name(rest)).unwrap_or(word)
}

/// Returns a token without the punctuation around it; `None` without letters.
pub(super) fn trimmed(token: &str) -> Option<&str> {
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
pub(super) fn has_camel(word: &str) -> bool {
    let upper_after = |(one, other): (char, char)| one.is_lowercase() && other.is_uppercase();
    word.chars().zip(word.chars().skip(1)).any(upper_after)
}

/// Returns whether a word has capitals and digits alone, as names of the environment: `PAGER`.
pub(super) fn is_shouted(word: &str) -> bool {
    word.len() >= SHOUTED_MIN
        && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit())
        && word.contains(char::is_alphabetic)
}

/// Returns whether a word is of several parts with hyphens between them: `unstable-markdown`, `read-only`.
pub(super) fn is_hyphenated(word: &str) -> bool {
    let is_part = |part: &str| part.len() > 1 && part.chars().all(char::is_alphanumeric);
    word.contains('-') && word.split('-').all(is_part)
}

/// Returns whether a token is an option of a command, such as `--line-limit`.
pub(super) fn is_option(token: &str) -> bool {
    let name = token.trim_start_matches(['`', '"', '\'', '(']).strip_prefix("--");
    name.is_some_and(|name| name.starts_with(char::is_alphabetic))
}

/// Returns the only option among the tokens of a text that is no message: `--line-limit`; or `-parameters`, if it is
/// quoted or a word says that it is an option.
pub(super) fn only_option(tokens: &[&str]) -> Option<String> {
    const SAYING: &[&str] = &["argument", "flag", "flags", "option", "options", "switch"];
    let is_called_so = tokens.iter().any(|token| SAYING.contains(&token.to_lowercase().as_str()));
    let is_message = tokens.iter().take(2).any(|token| is_error_label(token) || is_level(token));
    let mut options = tokens.iter().filter_map(|token| {
        let is_clear = is_called_so || token.starts_with(['"', '\'', '`']);
        let token = token.trim_matches(|c: char| !(c.is_alphanumeric() || c == '-'));
        let option = token.split('=').next().unwrap_or_default();
        let name = option.trim_start_matches('-');
        let has_dashes = match option.len() - name.len() {
            1 => is_clear,
            n_dashes => n_dashes == 2,
        };
        let has_form = name.len() > 1
            && name.starts_with(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
        (has_form && has_dashes).then(|| option.to_owned())
    });
    let option = options.next().filter(|_| tokens.len() > 1 && !is_message)?;
    options.next().is_none().then_some(option)
}

/// Returns whether a word has the form of a name, and not that of a word of a language.
pub(super) fn has_form(word: &str, is_sentence_start: bool) -> bool {
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
pub(super) fn is_any_name(word: &str) -> bool {
    word.split(['.', ':', '#', '\\', '>', '/']).all(|part| {
        let part = part.trim_end_matches('-');
        part.is_empty() || is_name(part)
    }) && !sub_words(word).is_empty()
}

/// Returns the number of words that run a task of a project, before the name of the task: 2 in
/// `npm run test:unit`. The name has a sign, because `make clean` and `make read-only` may be words of a sentence.
pub(super) fn words_of_runner(tokens: &[&str]) -> usize {
    const RUNNERS: &[&[&str]] = &[
        &["npm", "run"],
        &["pnpm", "run"],
        &["yarn", "run"],
        &["bun", "run"],
        &["composer", "run"],
        &["pnpm"],
        &["yarn"],
        &["make"],
        &["just"],
        &["task"],
        &["rake"],
        &["./gradlew"],
        &["gradle"],
    ];
    let runner = RUNNERS.iter().find(|runner| tokens.starts_with(runner));
    let n_words = runner.map_or(0, |runner| runner.len());
    let is_name = |task: &&str| {
        let ends = task.starts_with(char::is_alphanumeric) && task.ends_with(char::is_alphanumeric);
        let is_verb = n_words == 1 && ["make", "just", "task"].contains(&tokens[0]);
        ends && (task.contains([':', '_']) || task.contains('-') && !is_verb)
    };
    if tokens.get(n_words).is_some_and(is_name) { n_words } else { 0 }
}
