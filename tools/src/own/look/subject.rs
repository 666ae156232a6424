//! A name with words around it: its rows, in the order that the words ask for.

use super::answer::{Lookup, Rows};
use super::body::is_comment;
use super::fallback::FILES_FOR_SPELLING;
use super::hits::{Hit, HitFile, Hits};
use super::named_first::hyphenated_name;
use super::order;
use super::phrase::{is_change_log, terms_of};
use super::query::{Query, is_name};
use super::question::Question;
use super::ranked::Ranked;
use super::token::{is_hyphenated, is_shouted};
use super::wanted::Wanted;
use regex_automata::meta::Regex;
use searchscope::toolkit::{Likeness, RankedFile, Role, SAME_PARTS};
use searchscope::{PatternOptions, Result};
use std::collections::BTreeMap;

/// Maximum number of rows on a page about a name with words around it.
pub(super) const ROWS_OF_SUBJECT: usize = 16;
/// Maximum number of words of a question in which a word may be a name in another naming.
const WORDS_OF_JOINED: usize = 3;
/// A name in at most this many files is what a question with another word is about.
pub(super) const FILES_OF_NAME: usize = 10;

impl Lookup<'_> {
    /// Searches for the name that a question is about, and shows its rows in the order that the question asks
    /// for. Lines that contain the question as written come first and alone.
    pub(super) fn found_subject(&mut self, question: &Question, subject: &str) -> Result<bool> {
        let named = Query::literal(subject);
        let written = std::mem::replace(&mut self.query, named);
        let found = self.show_subject(question, &written);
        if !matches!(found, Ok(true)) {
            self.query = written;
            self.wanted = None;
        }
        found
    }

    fn show_subject(&mut self, question: &Question, written: &Query) -> Result<bool> {
        let mut hits = self.search(self.query.pattern())?;
        let has_form = !question.names.is_empty()
            || written.words.len() == 1
            || is_shouted(&self.query.text)
            || is_hyphenated(&self.query.text) && stands_as_name(&hits, &self.query.text);
        if self.query.is_qualified() {
            hits = self.with_qualified(hits)?;
        }
        let may_define =
            |hit: &Hit| hit.is_definition || hit.likeness == Likeness::Strong && hit.is_word;
        let is_defined = hits.lines.iter().any(may_define);
        let asks_for_name = question.wanted.is_some_and(Wanted::is_of_name);
        let is_rare = is_in_few(&hits) && !question.may_be_word(&self.query.text);
        let is_name = match has_form {
            true => question.is_subject_alone() || is_defined || is_rare,
            false => asks_for_name && is_defined,
        };
        if hits.n_lines == 0 || !is_name {
            return Ok(false);
        }
        let is_any_case = written.text.to_lowercase() == written.text;
        let has_written = |hit: &Hit| {
            hit.part_of.is_some() && written.words.len() > 1
                || is_any_case && hit.text.to_lowercase().contains(&written.text)
                || hit.text.contains(&written.text)
        };
        let (in_logs, elsewhere): (Vec<&Hit>, Vec<&Hit>) = hits
            .lines
            .iter()
            .filter(|hit| has_written(hit))
            .partition(|hit| is_change_log(&hits.files[hit.file].path));
        if !elsewhere.is_empty() {
            let named = std::mem::replace(&mut self.query, written.clone());
            if self.found(written.pattern(), None)? {
                return Ok(true);
            }
            self.query = named;
        }
        let reading = match in_logs.is_empty() {
            true => "",
            false => "only a change log has it as written; ",
        };
        self.answer.note(&hits.report);
        self.wanted = question.wanted;
        let first = first_of(question.wanted);
        self.answer.remarks.push(format!("{reading}lines with {}{first}:", self.query.shown()));
        self.answer.rows_per_page = Some(ROWS_OF_SUBJECT);
        let is_small = hits.report.searched_files <= FILES_FOR_SPELLING;
        self.show(hits)?;
        if self.only.is_none() && !question.is_subject_alone() {
            self.add_rows_inside(question, &written.text)?;
        }
        self.add_called_file()?;
        if is_small && question.wanted.is_none() && question.content.len() > 1 {
            self.add_spelled_file(&question.content.join("/"))?;
        }
        Ok(true)
    }

    /// Adds the lines inside a definition that have most of the other words of the question; if none has one, all lines
    /// of the first definition, if they are few.
    fn add_rows_inside(&mut self, question: &Question, written: &str) -> Result<()> {
        let Rows::Lines { files, lines, order } = &self.answer.rows else { return Ok(()) };
        let places = order.iter().zip(1..).filter(|(at, _)| lines[**at].is_definition);
        let places: Vec<(usize, &Hit)> = places.map(|(at, after)| (after, &lines[*at])).collect();
        let defining: Vec<(&str, &Hit)> =
            places.iter().map(|(_, hit)| (files[hit.file].path.as_str(), *hit)).collect();
        let Some(&first) = defining.first() else { return Ok(()) };
        let terms = terms_of(question, written);
        let weights = vec![1.0; terms.len()];
        let name = (defining.as_slice(), self.query.text.as_str());
        let (best, mut inside) = match self.rows_inside(name, question, (&terms, &weights))? {
            Some(found) => found,
            None => (0, self.short_definition(first)?),
        };
        let (after, file) = (places[best].0, places[best].1.file);
        inside.retain(|row| !lines.iter().any(|hit| hit.file == file && hit.line == row.line));
        let Rows::Lines { lines, order, .. } = &mut self.answer.rows else { return Ok(()) };
        order.splice(after..after, lines.len()..lines.len() + inside.len());
        self.answer.n_inside = inside.len() as u64;
        lines.extend(inside.into_iter().map(|hit| Hit { file, ..hit }));
        Ok(())
    }

    /// Searches for the option of a command that the question has, as written and with its dashes, and shows its rows
    /// if few files have it.
    pub(super) fn found_option(&mut self, question: &Question) -> Result<bool> {
        let is_asked = !self.is_message && !question.is_of_change();
        let option = question.option.as_deref().filter(|_| is_asked);
        let Some(option) = option else { return Ok(false) };
        let with_dashes = format!(r"(?:^|[^\w-]){}(?:$|[^\w-])", regex_syntax::escape(option));
        let mut hits = self.search(PatternOptions::regex(&with_dashes))?;
        if !is_in_code(&hits) {
            // Some libraries add the dashes.
            let name = regex_syntax::escape(option.trim_start_matches('-'));
            let either = format!(r#"{with_dashes}|["'`]{name}["'`]"#);
            hits = self.search(PatternOptions::regex(either))?;
        }
        if !is_in_code(&hits) || hits.files.len() > FILES_OF_NAME {
            return Ok(false);
        }
        self.answer.note(&hits.report);
        self.query = Query::literal(option);
        let remark = format!("lines with {}{}:", self.query.shown(), first_of(question.wanted));
        self.answer.remarks.push(remark);
        self.wanted = question.wanted;
        self.answer.rows_per_page = Some(ROWS_OF_SUBJECT);
        self.show(hits)?;
        Ok(true)
    }

    /// Searches for the name that a question is about in any naming, in the files of a ranking that have it so:
    /// `loadToken` for `load_token` or `loadtoken`. A name that the tree has as written is not searched again.
    pub(super) fn found_renamed_subject(&mut self, ranked: &Ranked) -> Result<bool> {
        let Ranked { question, ranking, .. } = ranked;
        let asks_for_name = question.wanted.is_some_and(Wanted::is_of_name);
        let has_form =
            question.names.iter().any(|name| !question.may_be_word(name)) || asks_for_name;
        let is_written = ranking.files.iter().any(|file| file.similar > SAME_PARTS);
        let formed = question.subject().filter(|_| has_form && !is_written);
        let joined = joined_subject(ranked);
        let Some(subject) = joined.map(|(word, _)| word).or(formed) else { return Ok(false) };
        let named = Query::literal(subject);
        let shown = format!("{}{}", named.shown(), self.with_filters());
        let first = first_of(question.wanted);
        let remark = format!("no line contains {shown}; in other case or naming{first}:");
        let written = std::mem::replace(&mut self.query, named);
        (self.is_renamed, self.wanted, self.sets_apart) = (true, question.wanted, true);
        let has_parts = |file: &RankedFile| match joined {
            Some((_, term)) => file.only_joined >> term & 1 == 1,
            None => file.similar >= SAME_PARTS,
        };
        let renamed = self.query.renamed();
        let found = self.found_among(ranking, has_parts, (renamed, Some(&remark)));
        (self.is_renamed, self.sets_apart) = (false, false);
        if !matches!(found, Ok(true)) {
            (self.query, self.wanted) = (written, None);
            return found;
        }
        self.answer.rows_per_page = Some(ROWS_OF_SUBJECT);
        self.add_ranked_to_aside(ranked)?;
        Ok(true)
    }

    /// Puts the one file whose path ends with `path` first.
    fn add_spelled_file(&mut self, path: &str) -> Result<()> {
        let name = std::mem::replace(&mut self.query, Query::literal(path));
        let added = self.add_called_file();
        self.query = name;
        added
    }
}

/// Returns whether code has lines that are no comments: documents write an option with its dashes where the code that
/// reads it may not.
fn is_in_code(hits: &Hits) -> bool {
    let is_code = |hit: &Hit| {
        hits.files[hit.file].role == Role::Production && !is_comment(hit.text.trim_start())
    };
    hits.lines.iter().any(is_code)
}

/// Returns whether a name with hyphens is a text, a key or a part of a path in code, rather than a word of a comment.
fn stands_as_name(hits: &Hits, name: &str) -> bool {
    let Ok(regex) = Regex::new(&hyphenated_name(name)) else { return false };
    let is_name =
        |hit: &Hit| hits.files[hit.file].role == Role::Production && regex.is_match(&*hit.text);
    hits.lines.iter().any(is_name)
}

/// Returns whether few files have a name as a whole; those with longer names count only without them.
fn is_in_few(hits: &Hits) -> bool {
    let mut whole: Vec<usize> =
        hits.lines.iter().filter(|hit| hit.is_word).map(|hit| hit.file).collect();
    whole.dedup();
    let n_files = if whole.is_empty() { hits.files.len() } else { whole.len() };
    n_files <= FILES_OF_NAME
}

/// Returns the only word of a short question without names that the tree has but as several words of a name, and
/// its term: `maybescale` for `maybe_scale`.
fn joined_subject(ranked: &Ranked) -> Option<(&str, usize)> {
    let Ranked { question, terms, ranking, .. } = ranked;
    if !question.names.is_empty() || question.content.len() > WORDS_OF_JOINED {
        return None;
    }
    let joined = question.content.iter().filter_map(|word| {
        let term = terms.parts_of(word).next()?;
        (is_name(word) && ranking.only_joined >> term & 1 == 1).then_some((word.as_str(), term))
    });
    let mut joined = joined.take(2);
    joined.next().filter(|_| joined.next().is_none())
}

/// Returns the kind of rows that come first, as the end of a remark.
pub(super) fn first_of(wanted: Option<Wanted>) -> &'static str {
    match wanted {
        Some(Wanted::Definitions) => ", definitions first",
        Some(Wanted::Uses) => ", uses first",
        Some(Wanted::Tests) => ", tests first",
        Some(Wanted::Settings) => ", settings first",
        Some(Wanted::Docs) => ", documentation first",
        None => "",
    }
}

/// Returns the order of `lines` by the kind of rows that a question asks for.
pub(super) fn by_wanted(
    wanted: Wanted,
    files: &[HitFile],
    lines: &[Hit],
    name: &str,
) -> Vec<usize> {
    let mut ranked = order::by_relevance(files, lines, name);
    let role_first = |role: Role| move |at: &usize| files[lines[*at].file].role != role;
    match wanted {
        Wanted::Definitions => ranked.sort_by_key(|at| !lines[*at].is_definition),
        Wanted::Uses => ranked.sort_by_key(|at| {
            let hit = &lines[*at];
            (is_no_use(hit, name), !hit.is_word, files[hit.file].role, !is_call(hit, name))
        }),
        Wanted::Tests => ranked.sort_by_key(role_first(Role::Tests)),
        Wanted::Docs => ranked.sort_by_key(role_first(Role::Docs)),
        // Tests set what they try; the setting itself is read elsewhere.
        Wanted::Settings => ranked.sort_by_key(|at| {
            let hit = &lines[*at];
            let is_set = is_assigned(hit, name) || is_read_from_environment(&hit.text, name);
            (files[hit.file].role == Role::Tests, !is_set)
        }),
    }
    ranked
}

/// Lists lines that define nothing under a heading of their own, below the definitions in the same file.
pub(super) fn set_uses_apart(hits: &mut Hits) {
    move_apart(hits, |hit| !hit.is_definition);
}

/// Lists definitions, imports and mentions under a heading of their own, below the uses in the same file.
pub(super) fn set_apart(hits: &mut Hits, name: &str) {
    move_apart(hits, |hit| is_no_use(hit, name));
}

fn move_apart(hits: &mut Hits, is_apart: impl Fn(&Hit) -> bool) {
    let mut apart: BTreeMap<usize, usize> = BTreeMap::new();
    for hit in hits.lines.iter_mut().filter(|hit| is_apart(hit)) {
        hit.file = *apart.entry(hit.file).or_insert_with(|| {
            hits.files.push(HitFile { n_lines: 0, ..hits.files[hit.file].clone() });
            hits.files.len() - 1
        });
    }
}

/// Returns whether a line, without white space before it, imports names or gives them on.
pub(super) fn is_import(line: &str) -> bool {
    const IMPORTS: &[&str] = &[
        "import ", "from ", "use ", "pub use ", "using ", "#include", "require", "export {",
        "export *", "@import", "package ",
    ];
    let is_namespace_of_file = line.starts_with("namespace ") && line.trim_end().ends_with(';');
    is_namespace_of_file || IMPORTS.iter().any(|sign| line.starts_with(sign))
}

/// Returns whether a line defines the name, imports it, or mentions it in a comment or a list of names.
fn is_no_use(hit: &Hit, name: &str) -> bool {
    let line = hit.text.trim_start();
    let is_mention = ["//", "# ", "#[", "* ", "*/", "/*", "-- ", "\"\"\""]
        .iter()
        .any(|sign| line.starts_with(sign));
    let rest = line.replace(name, "");
    let is_listed = !rest.contains(char::is_alphanumeric) && !rest.contains('(');
    hit.is_definition || is_mention || is_listed || is_import(line)
}

/// Returns whether a line calls the name.
fn is_call(hit: &Hit, name: &str) -> bool {
    let line = &hit.text;
    let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
    line.match_indices(last).any(|(at, _)| {
        if line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            return false;
        }
        let after = line[at + last.len()..].trim_start_matches(['!', '?']);
        after.starts_with('(') || after.starts_with("::<")
    })
}

/// Returns whether a line reads the name from the environment of the process.
pub(super) fn is_read_from_environment(line: &str, name: &str) -> bool {
    const ENVIRONMENTS: &[&str] = &["env", "environ", "getenvironmentvariable"];
    const READERS: &[&str] = &[".get", ".fetch", ".key?", "::var", "::var_os", "!"];
    let is_sign = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '!' | '?'));
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].trim_end_matches(is_sign).to_lowercase();
        let reader = READERS.iter().find_map(|reader| before.strip_suffix(reader));
        let environment = reader.unwrap_or(&before).trim_end_matches(is_sign);
        let after = &line[at + name.len()..];
        let is_whole = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        is_whole && ENVIRONMENTS.iter().any(|name| environment.ends_with(name))
    })
}

/// Returns whether a line sets the name.
fn is_assigned(hit: &Hit, name: &str) -> bool {
    hit.text.match_indices(name).any(|(at, _)| {
        let after = hit.text[at + name.len()..].trim_start_matches(['"', '\'', ']', ')', ' ']);
        after.starts_with(['=', ':']) && !after.starts_with("==") && !after.starts_with("::")
    })
}
