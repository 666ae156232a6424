//! Derives the trigrams of the matches of an expression, after Russ Cox, "Regular Expression Matching
//! with a Trigram Index".
//!
//! For each part of an expression the algebra knows either all strings that it matches, as long as
//! those are few, or how its matches may start and end and which trigrams they contain. Where two
//! parts meet, the ends of the first times the starts of the second make the trigrams across the
//! border. Every step may lose knowledge, and none may add a condition that a match could
//! violate: strings only become shorter, and queries only weaker.

use super::trigrams::{is_indexed, trigram};
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// Maximum number of trigrams in a query, repeats included. Looking up all of them takes a few milliseconds.
pub(super) const QUERY_TRIGRAMS_MAX: usize = 4096;
/// More trigrams of one string hardly exclude more.
const STRING_TRIGRAMS_MAX: usize = 64;
/// Number and total length of the strings up to which a part is exact.
const EXACT_MAX: usize = 32;
const EXACT_BYTES_MAX: usize = 1024;
/// Maximum number of starts or ends of a part, and of strings across a border.
const ENDS_MAX: usize = 64;
/// Two bytes of each side make every trigram across a border.
const END_BYTES: usize = 2;
/// A class with more characters than this counts as unknown.
const CLASS_CHARS_MAX: usize = 16;
/// Copies of a repeated part that are concatenated; further ones are unknown.
const COPIES_MAX: u32 = 4;
/// The parser allows a nesting of 64, and each level may become a few of the compiled expression.
const DEPTH_MAX: usize = 512;

/// Boolean expression over trigrams.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Query {
    All,
    Trigram(u32),
    And(Group),
    /// Without queries: no text matches.
    Or(Group),
}

/// Operands of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    pub(super) queries: Vec<Query>,
    /// Number of trigrams in them, with repeats.
    size: usize,
}

impl Group {
    fn push(&mut self, query: Query) {
        self.size += query.size();
        self.queries.push(query);
    }

    fn append(&mut self, group: Group) {
        self.size += group.size;
        self.queries.extend(group.queries);
    }
}

impl Query {
    fn size(&self) -> usize {
        match self {
            Query::All => 0,
            Query::Trigram(_) => 1,
            Query::And(group) | Query::Or(group) => group.size,
        }
    }

    /// Returns the conjunction; drops the second operand if the query would become too large.
    fn and(self, other: Query) -> Query {
        match (self, other) {
            (Query::All, query) | (query, Query::All) => query,
            (one, other) if one.size() + other.size() > QUERY_TRIGRAMS_MAX => one,
            (Query::And(mut group), Query::And(other)) => {
                group.append(other);
                Query::And(group)
            }
            (Query::And(mut group), query) | (query, Query::And(mut group)) => {
                group.push(query);
                Query::And(group)
            }
            (one, other) => {
                let mut group = Group::default();
                group.push(one);
                group.push(other);
                Query::And(group)
            }
        }
    }

    /// Returns the disjunction; weakens each operand if the query would become too large.
    fn any(queries: Vec<Query>) -> Query {
        let size: usize = queries.iter().map(Query::size).sum();
        if size > QUERY_TRIGRAMS_MAX {
            let share = QUERY_TRIGRAMS_MAX / queries.len();
            return Query::any(queries.into_iter().map(|query| query.weakened(share)).collect());
        }
        let mut group = Group::default();
        for query in queries {
            match query {
                Query::All => return Query::All,
                Query::Or(other) => group.append(other),
                query => group.push(query),
            }
        }
        Query::Or(group)
    }

    /// Returns the same or a weaker query of at most `size` trigrams.
    fn weakened(self, size: usize) -> Query {
        if self.size() <= size {
            return self;
        }
        match self {
            Query::And(group) => {
                let mut kept = Group::default();
                for query in group.queries {
                    if kept.size + query.size() <= size {
                        kept.push(query);
                    }
                }
                if kept.queries.is_empty() { Query::All } else { Query::And(kept) }
            }
            Query::Or(group) => {
                let share = size / group.queries.len().max(1);
                let queries = group.queries.into_iter().map(|query| query.weakened(share));
                Query::any(queries.collect())
            }
            Query::All | Query::Trigram(_) => Query::All,
        }
    }

    /// Returns the same query without repeats and redundant levels. Recurses as deep as the expression.
    pub(super) fn normalized(self) -> Query {
        let (group, is_and) = match self {
            Query::And(group) => (group, true),
            Query::Or(group) => (group, false),
            query => return query,
        };
        let mut queries = Vec::with_capacity(group.queries.len());
        for query in group.queries {
            match (query.normalized(), is_and) {
                (Query::All, true) => {}
                (Query::All, false) => return Query::All,
                (Query::And(group), true) | (Query::Or(group), false) => {
                    queries.extend(group.queries);
                }
                (query, _) => queries.push(query),
            }
        }
        queries.sort_unstable();
        queries.dedup();
        match (queries.len(), is_and) {
            (0, true) => Query::All,
            (1, _) => queries.swap_remove(0),
            _ => {
                let size = queries.iter().map(Query::size).sum();
                let group = Group { queries, size };
                if is_and { Query::And(group) } else { Query::Or(group) }
            }
        }
    }
}

/// Sorted and distinct.
type Strings = Vec<Vec<u8>>;

/// Knowledge of the matches of a part of an expression.
enum Matches {
    /// All of them.
    Exact(Strings),
    /// Each starts with one of `starts`, ends with one of `ends`, and satisfies `query`. The empty string
    /// among the starts or ends means that nothing is known.
    Known { starts: Strings, ends: Strings, query: Query },
}

/// Returns the trigrams that every match of the expression contains.
pub(super) fn query_of(hir: &Hir) -> Query {
    let (_, _, query) = matches_of(hir, 0).into_known();
    query
}

fn matches_of(hir: &Hir, depth: usize) -> Matches {
    if depth > DEPTH_MAX {
        return Matches::unknown();
    }
    let depth = depth + 1;
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Matches::empty(),
        HirKind::Literal(literal) => Matches::exact(vec![literal.0.to_vec()]),
        HirKind::Class(class) => class_strings(class).map_or(Matches::unknown(), Matches::exact),
        HirKind::Capture(capture) => matches_of(&capture.sub, depth),
        HirKind::Repetition(repetition) => repeated(repetition, depth),
        HirKind::Concat(parts) => {
            parts.iter().fold(Matches::empty(), |all, part| all.then(matches_of(part, depth)))
        }
        HirKind::Alternation(branches) => {
            let mut alternatives = Alternatives::default();
            branches.iter().for_each(|branch| alternatives.add(matches_of(branch, depth)));
            alternatives.finish()
        }
    }
}

/// Returns the matches of a repetition. Recurses once into its operand, for any count.
fn repeated(repetition: &Repetition, depth: usize) -> Matches {
    let (min, max) = (repetition.min, repetition.max);
    if min == 0 && max != Some(1) {
        return match max {
            Some(0) => Matches::empty(),
            _ => Matches::unknown(),
        };
    }
    let once = matches_of(&repetition.sub, depth);
    if min == 0 {
        let mut alternatives = Alternatives::default();
        alternatives.add(once);
        alternatives.add(Matches::empty());
        return alternatives.finish();
    }
    let n_copies = min.min(COPIES_MAX);
    let copies = (1..n_copies).fold(once.clone(), |all, _| all.then(once.clone()));
    if max == Some(n_copies) {
        return copies;
    }
    // A match both starts and ends with the copies, which may overlap in it.
    let (starts, ends, query) = copies.into_known();
    Matches::Known { starts, ends, query }
}

impl Clone for Matches {
    fn clone(&self) -> Matches {
        match self {
            Matches::Exact(strings) => Matches::Exact(strings.clone()),
            Matches::Known { starts, ends, query } => {
                Matches::Known { starts: starts.clone(), ends: ends.clone(), query: query.clone() }
            }
        }
    }
}

impl Matches {
    fn empty() -> Matches {
        Matches::Exact(vec![Vec::new()])
    }

    fn unknown() -> Matches {
        let (starts, ends) = (vec![Vec::new()], vec![Vec::new()]);
        Matches::Known { starts, ends, query: Query::All }
    }

    fn exact(strings: Strings) -> Matches {
        let exact = Matches::Exact(strings);
        match &exact {
            Matches::Exact(strings) if !is_small(strings) => {
                let (starts, ends, query) = exact.into_known();
                Matches::Known { starts, ends, query }
            }
            _ => exact,
        }
    }

    /// Returns starts, ends, and the query.
    fn into_known(self) -> (Strings, Strings, Query) {
        match self {
            Matches::Known { starts, ends, query } => (starts, ends, query),
            Matches::Exact(strings) => {
                let query = trigrams_of(&strings);
                (shortened(&strings, start_of), shortened(&strings, end_of), query)
            }
        }
    }

    /// Returns the matches of this part followed by those of `next`.
    fn then(self, next: Matches) -> Matches {
        match (self, next) {
            (Matches::Exact(one), Matches::Exact(other)) => {
                if let Some(strings) = product(&one, &other, EXACT_MAX).filter(is_small) {
                    return Matches::Exact(strings);
                }
                Matches::Exact(one).into_known_then(Matches::Exact(other))
            }
            (Matches::Exact(one), Matches::Known { starts, ends, query }) => {
                let strings = border(Side::Exact(&one), Side::Starts(starts));
                let query = query.and(trigrams_of(&strings));
                Matches::Known { starts: shortened(&strings, start_of), ends, query }
            }
            (one, next) => one.into_known_then(next),
        }
    }

    /// Does the same after reducing this part to its starts, ends and query.
    fn into_known_then(self, next: Matches) -> Matches {
        let (starts, ends, query) = self.into_known();
        match next {
            Matches::Exact(strings) => {
                // The strings stay whole, because their own trigrams are added here too.
                let strings = border(Side::Ends(ends), Side::Exact(&strings));
                let query = query.and(trigrams_of(&strings));
                Matches::Known { starts, ends: shortened(&strings, end_of), query }
            }
            Matches::Known { starts: next_starts, ends: next_ends, query: next_query } => {
                let across = trigrams_of(&border(Side::Ends(ends), Side::Starts(next_starts)));
                Matches::Known { starts, ends: next_ends, query: query.and(across).and(next_query) }
            }
        }
    }
}

/// Branches of an alternation.
#[derive(Default)]
struct Alternatives {
    /// Strings of the branches that are known exactly.
    exact: Strings,
    /// Starts and ends of the other branches.
    others: Option<(Strings, Strings)>,
    /// Query of each of them.
    queries: Vec<Query>,
    /// Number of trigrams in the queries.
    size: usize,
}

impl Alternatives {
    fn add(&mut self, branch: Matches) {
        match branch {
            Matches::Exact(strings) => {
                self.exact.extend(strings);
                sort(&mut self.exact);
                if !is_small(&self.exact) {
                    let strings = std::mem::take(&mut self.exact);
                    self.add_known(Matches::Exact(strings).into_known());
                }
            }
            known @ Matches::Known { .. } => self.add_known(known.into_known()),
        }
    }

    fn add_known(&mut self, (starts, ends, query): (Strings, Strings, Query)) {
        let (all_starts, all_ends) = self.others.get_or_insert_default();
        unite(all_starts, starts, start_of);
        unite(all_ends, ends, end_of);
        self.size += query.size();
        self.queries.push(query);
        // Bounds the memory for thousands of branches.
        if self.size > 4 * QUERY_TRIGRAMS_MAX {
            self.queries = vec![Query::any(std::mem::take(&mut self.queries))];
            self.size = self.queries[0].size();
        }
    }

    fn finish(mut self) -> Matches {
        if self.others.is_none() {
            return Matches::Exact(self.exact);
        }
        if !self.exact.is_empty() {
            let strings = std::mem::take(&mut self.exact);
            self.add_known(Matches::Exact(strings).into_known());
        }
        let (starts, ends) = self.others.unwrap_or_default();
        Matches::Known { starts, ends, query: Query::any(self.queries) }
    }
}

/// Returns the trigrams of a text that contains one of the strings.
fn trigrams_of(strings: &[Vec<u8>]) -> Query {
    let mut groups = Vec::with_capacity(strings.len());
    for string in strings {
        let windows = string.windows(3).map(|window| trigram(window[0], window[1], window[2]));
        let mut trigrams: Vec<u32> = windows.filter(|trigram| is_indexed(*trigram)).collect();
        if trigrams.is_empty() {
            return Query::All;
        }
        let step = trigrams.len().div_ceil(STRING_TRIGRAMS_MAX);
        trigrams = trigrams.into_iter().step_by(step).collect();
        trigrams.sort_unstable();
        trigrams.dedup();
        let queries: Vec<Query> = trigrams.into_iter().map(Query::Trigram).collect();
        groups.push(Query::And(Group { size: queries.len(), queries }));
    }
    Query::any(groups)
}

/// Returns all strings of `one` followed by one of `other`. Known ends and starts are shortened until
/// the strings are few enough; the strings of an exact side stay whole, since they are few already.
fn border(one: Side<'_>, other: Side<'_>) -> Strings {
    let (mut one, mut other) = (one, other);
    loop {
        if let Some(strings) = product(one.strings(), other.strings(), ENDS_MAX) {
            return strings;
        }
        // The side with more strings loses a byte, until it is the empty string.
        let side = match (&one, &other) {
            (Side::Exact(_), _) => &mut other,
            (_, Side::Exact(_)) => &mut one,
            _ if one.strings().len() > other.strings().len() => &mut one,
            _ => &mut other,
        };
        side.shorten();
    }
}

/// Strings on one side of a border.
enum Side<'s> {
    Exact(&'s Strings),
    Ends(Strings),
    Starts(Strings),
}

impl Side<'_> {
    fn strings(&self) -> &Strings {
        match self {
            Side::Exact(strings) => strings,
            Side::Ends(strings) | Side::Starts(strings) => strings,
        }
    }

    fn shorten(&mut self) {
        let (strings, cut): (_, Cut) = match self {
            Side::Exact(_) => return,
            Side::Ends(strings) => (strings, end_of),
            Side::Starts(strings) => (strings, start_of),
        };
        let longest = strings.iter().map(Vec::len).max().unwrap_or(0);
        let len = longest.saturating_sub(1);
        *strings = strings.iter().map(|string| cut(string, len).to_vec()).collect();
        sort(strings);
    }
}

/// Returns at most a number of bytes from one side of a string.
type Cut = fn(&[u8], usize) -> &[u8];

/// Returns all concatenations, or `None` if there are more than `max`.
fn product(one: &Strings, other: &Strings, max: usize) -> Option<Strings> {
    if one.len().saturating_mul(other.len()) > max {
        return None;
    }
    let pairs = one.iter().flat_map(|start| other.iter().map(|end| [&start[..], end].concat()));
    let mut strings: Strings = pairs.collect();
    sort(&mut strings);
    Some(strings)
}

/// Returns the starts or ends of strings, shortened while there are too many.
fn shortened(strings: &Strings, cut: Cut) -> Strings {
    for len in (1..=END_BYTES).rev() {
        let mut short = strings.iter().map(|string| cut(string, len).to_vec()).collect();
        sort(&mut short);
        // The empty string is a start of every string: the others say nothing more.
        if short.first().is_some_and(Vec::is_empty) {
            break;
        }
        if short.len() <= ENDS_MAX {
            return short;
        }
    }
    if strings.is_empty() { Vec::new() } else { vec![Vec::new()] }
}

/// Adds starts or ends to others. A string covered by a shorter one adds nothing, which keeps thousands of
/// branches cheap.
fn unite(all: &mut Strings, more: Strings, cut: Cut) {
    let n_before = all.len();
    for string in more {
        let known = &all[..n_before];
        let mut parts = (0..=string.len()).map(|len| cut(&string, len));
        if !parts.any(|part| known.binary_search_by(|known| known[..].cmp(part)).is_ok()) {
            all.push(string);
        }
    }
    if all.len() > n_before {
        *all = shortened(all, cut);
    }
}

fn start_of(string: &[u8], len: usize) -> &[u8] {
    &string[..len.min(string.len())]
}

fn end_of(string: &[u8], len: usize) -> &[u8] {
    &string[string.len().saturating_sub(len)..]
}

fn sort(strings: &mut Strings) {
    strings.sort_unstable();
    strings.dedup();
}

fn is_small(strings: &Strings) -> bool {
    strings.len() <= EXACT_MAX && strings.iter().map(Vec::len).sum::<usize>() <= EXACT_BYTES_MAX
}

/// Returns each character of a small class as a string.
fn class_strings(class: &Class) -> Option<Strings> {
    let mut strings = Vec::new();
    match class {
        Class::Unicode(class) => {
            let sizes = class.ranges().iter().map(|range| range.len());
            if sizes.sum::<usize>() > CLASS_CHARS_MAX {
                return None;
            }
            for range in class.ranges() {
                strings.extend((range.start()..=range.end()).map(|c| c.to_string().into_bytes()));
            }
        }
        Class::Bytes(class) => {
            let sizes = class.ranges().iter().map(|range| range.len());
            if sizes.sum::<usize>() > CLASS_CHARS_MAX {
                return None;
            }
            for range in class.ranges() {
                strings.extend((range.start()..=range.end()).map(|byte| vec![byte]));
            }
        }
    }
    sort(&mut strings);
    Some(strings)
}
