//! The definitions of a source file and their nesting.

use super::SymbolKind;
use crate::room;
use std::collections::TryReserveError;
use std::ops::{Range, RangeInclusive};

/// A definition in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub(crate) name: Box<str>,
    pub(crate) kind: SymbolKind,
    /// The qualifier written before the name: the class of `void Job::run()`.
    pub(crate) scope: Option<Box<str>>,
    start: u32,
    end: u32,
    name_start: u32,
    line: u32,
    column: u32,
    parent: u32,
    is_recovered: bool,
}

const NO_PARENT: u32 = u32::MAX;
/// The length at which a qualified name is cut.
const QUALIFIED_BYTES_MAX: usize = 2_048;

/// The definitions of a source file, by start, outer ones first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    language: &'static str,
    words: Words,
    package: Option<Box<str>>,
    symbols: Vec<Symbol>,
    unread: Vec<RangeInclusive<u32>>,
}

/// A language's name separator and its words for definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    /// The separator of a qualified name.
    pub separator: &'static str,
    pub function: &'static str,
    pub method: &'static str,
    pub module: &'static str,
    pub constant: &'static str,
    pub variable: &'static str,
}

/// A definition as found by a parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub kind: SymbolKind,
    /// The whole definition, in bytes.
    pub range: Range<usize>,
    pub name: Box<str>,
    pub name_start: usize,
    /// The line of the name from 1, and its offset there in bytes from 1.
    pub line: usize,
    pub column: usize,
    /// The qualifier written before the name, such as a receiver, with the language's separator.
    pub scope: Option<Box<str>>,
    /// Whether it was read by the form of its lines, because the parser lost it.
    pub is_recovered: bool,
}

impl Words {
    /// Returns the language's word for a definition of this kind.
    pub(crate) fn of(&self, kind: SymbolKind) -> &'static str {
        match kind {
            SymbolKind::Function => self.function,
            SymbolKind::Method => self.method,
            SymbolKind::Constant => self.constant,
            SymbolKind::Variable => self.variable,
            SymbolKind::Module => self.module,
            kind => kind.word(),
        }
    }
}

impl Symbol {
    /// Returns the name as written in the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind of the definition.
    pub fn kind(&self) -> SymbolKind {
        self.kind
    }

    /// Returns the line of the name, from 1.
    pub fn line(&self) -> u64 {
        self.line.into()
    }

    /// Returns the offset of the name in its line, in bytes from 1.
    pub fn column(&self) -> u64 {
        self.column.into()
    }

    /// Returns the offset of the name, counted as [`Symbol::range`].
    pub(crate) fn name_start(&self) -> usize {
        self.name_start as usize
    }

    /// Returns the range of the whole definition, in bytes of the text without a byte order mark. For a
    /// decoded file, the text is its UTF-8 form.
    pub fn range(&self) -> Range<u64> {
        self.start.into()..self.end.into()
    }

    /// Returns whether the parser lost the definition to a syntax error, and it was read by the form of its
    /// lines. Its name and line are exact; its end may not be.
    pub fn is_recovered(&self) -> bool {
        self.is_recovered
    }

    /// Returns the index of the definition that contains this one.
    pub fn parent(&self) -> Option<usize> {
        (self.parent != NO_PARENT).then_some(self.parent as usize)
    }
}

impl Outline {
    /// Sorts and nests the definitions of a file. Local variables are dropped; functions and variables of
    /// types become methods and fields. If several parts have the same name at the same position, the first
    /// wins.
    pub(crate) fn new(
        language: &'static str,
        words: Words,
        package: Option<Box<str>>,
        parts: Vec<Part>,
    ) -> Result<Outline, TryReserveError> {
        let mut parts = room::sort_by_key(parts, |part| part.name_start)?;
        parts.dedup_by(|later, first| later.name_start == first.name_start);
        // No two have the same name at the same position.
        parts.sort_unstable_by_key(|part| {
            (part.range.start, usize::MAX - part.range.end, part.name_start)
        });
        let mut outline =
            Outline { language, words, package, symbols: Vec::new(), unread: Vec::new() };
        outline.symbols.try_reserve_exact(parts.len())?;
        let mut open: Vec<u32> = Vec::new();
        for part in parts {
            outline.place(part, &mut open);
        }
        outline.symbols.shrink_to_fit();
        Ok(outline)
    }

    /// Adds the next definition. `open` contains the definitions that may enclose it, innermost last.
    fn place(&mut self, part: Part, open: &mut Vec<u32>) {
        let (start, end) = (as_u32(part.range.start), as_u32(part.range.end));
        while open.last().is_some_and(|&outer| self.symbols[outer as usize].end <= start) {
            open.pop();
        }
        // Definitions that share their whole text, as `a` and `b` of `int a, b;`, are siblings.
        let first = open.last().map(|&first| &self.symbols[first as usize]);
        let first = first.filter(|first| (first.start, first.end) == (start, end));
        let beside = first.map(|first| first.parent);
        let mut kind = part.kind;
        let in_function = || open.iter().any(|&at| self.symbols[at as usize].kind.is_function());
        if matches!(kind, SymbolKind::Variable | SymbolKind::Constant) && in_function() {
            return;
        }
        let parent = match beside {
            Some(parent) => (parent != NO_PARENT).then_some(parent),
            None => open.last().copied(),
        };
        let outer = parent.map(|at| self.symbols[at as usize].kind);
        if outer.is_some_and(SymbolKind::has_methods) {
            kind = kind.inside_type();
        }
        // `def Shop.open` inside `class Shop` repeats its class.
        let enclosing = parent.map(|at| &self.symbols[at as usize].name);
        let scope = part.scope.filter(|scope| enclosing != Some(scope));
        if beside.is_none() {
            open.push(as_u32(self.symbols.len()));
        }
        self.symbols.push(Symbol {
            name: part.name,
            kind,
            scope,
            start,
            end,
            name_start: as_u32(part.name_start),
            line: as_u32(part.line),
            column: as_u32(part.column),
            parent: parent.unwrap_or(NO_PARENT),
            is_recovered: part.is_recovered,
        });
    }

    /// Adds the lines, from 1, whose definitions are unknown.
    pub(crate) fn with_unread(mut self, unread: Vec<RangeInclusive<u32>>) -> Outline {
        self.unread = unread;
        self
    }

    /// Returns the lines, from 1, in which a syntax error may hide definitions that the outline lacks, in
    /// order. Other syntax errors have cost no definition.
    pub fn unread_lines(&self) -> impl Iterator<Item = RangeInclusive<u64>> {
        self.unread.iter().map(|lines| u64::from(*lines.start())..=u64::from(*lines.end()))
    }

    /// Returns a sentence about the lines of [`Outline::unread_lines`]; `None` if there are none.
    pub fn unread_remark(&self) -> Option<String> {
        const SHOWN: usize = 3;
        let shown =
            self.unread.iter().take(SHOWN).map(|lines| match (lines.start(), lines.end()) {
                (start, end) if start == end => start.to_string(),
                (start, end) => format!("{start}-{end}"),
            });
        let shown = shown.collect::<Vec<_>>().join(", ");
        let noun = match self.unread.as_slice() {
            [] => return None,
            [one] if one.start() == one.end() => "line",
            _ => "lines",
        };
        let more = if self.unread.len() > SHOWN { " and others" } else { "" };
        Some(format!("syntax errors hide possible definitions in {noun} {shown}{more}"))
    }

    /// Returns the language of the file, such as "Rust" or "C++".
    pub fn language(&self) -> &'static str {
        self.language
    }

    /// Returns the definitions, by start, outer ones first.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Returns the qualified name of a definition, with its package, in the language's notation:
    /// `Workspace::open`, `com.example.Job.run`. A name of more than 2 KiB is cut at the start and begins
    /// with `…`.
    pub fn qualified_name(&self, symbol: &Symbol) -> String {
        let (mut names, is_whole) = self.names_to(symbol);
        if let Some(package) = self.package.as_deref().filter(|_| is_whole) {
            names.insert(0, package);
        }
        names.join(self.words.separator)
    }

    /// Returns the names from the outermost definition to this one, without the package, and whether they are
    /// complete. A field defined in a constructor belongs to the constructor's type.
    fn names_to<'a>(&'a self, symbol: &'a Symbol) -> (Vec<&'a str>, bool) {
        let (mut names, mut bytes) = (Vec::new(), 0);
        let mut next = Some(symbol);
        let mut is_field = false;
        while let Some(symbol) = next {
            let is_method = symbol.kind == SymbolKind::Method;
            is_field = symbol.kind == SymbolKind::Field || is_field && is_method;
            bytes += symbol.text_bytes() + 1;
            if bytes > QUALIFIED_BYTES_MAX && !names.is_empty() {
                names.push("…");
                break;
            }
            if !(is_field && is_method) {
                names.push(&*symbol.name);
                names.extend(symbol.scope.as_deref());
            }
            next = symbol.parent().and_then(|parent| self.symbols.get(parent));
        }
        names.reverse();
        (names, next.is_none())
    }

    /// Returns the innermost definition that contains the text from `start` to `end`.
    pub fn enclosing(&self, start: u64, end: u64) -> Option<&Symbol> {
        let behind = self.symbols.partition_point(|symbol| u64::from(symbol.start) <= start);
        let mut next = behind.checked_sub(1).and_then(|last| self.symbols.get(last));
        while let Some(symbol) = next {
            if start < symbol.end.into() && end <= symbol.end.into() {
                return Some(self.named_at(symbol, start));
            }
            next = symbol.parent().and_then(|parent| self.symbols.get(parent));
        }
        None
    }

    /// Returns the definition whose name contains `at`, else the first, among those that share their whole
    /// text, as `a` and `b` of `int a, b;`. `last` is the last of them.
    fn named_at<'a>(&'a self, last: &'a Symbol, at: u64) -> &'a Symbol {
        // They are adjacent, in the order of their names.
        let place = |symbol: &Symbol| (symbol.start, u32::MAX - symbol.end);
        let first = self.symbols.partition_point(|symbol| place(symbol) < place(last));
        let behind = self.symbols.partition_point(|symbol| place(symbol) <= place(last));
        let all = &self.symbols[first..behind];
        let next = all.partition_point(|symbol| u64::from(symbol.name_start) <= at);
        let named = next.checked_sub(1).map(|index| &all[index]).filter(|symbol| {
            let name = u64::from(symbol.name_start);
            (name..name + symbol.name.len() as u64).contains(&at)
        });
        named.or_else(|| all.first()).unwrap_or(last)
    }

    /// Returns the word for the kind of a definition, such as `fn`: the language's for functions, modules, constants
    /// and variables, else [`SymbolKind::words`]'s first.
    pub fn keyword(&self, symbol: &Symbol) -> &'static str {
        self.words.of(symbol.kind)
    }

    /// Returns a short description: the keyword and the qualified name without the package, such as
    /// `fn Workspace::open`.
    pub fn label(&self, symbol: &Symbol) -> String {
        let names = self.names_to(symbol).0.join(self.words.separator);
        format!("{} {names}", self.keyword(symbol))
    }

    /// Returns the memory that the outline takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let texts = self.symbols.iter().map(Symbol::text_bytes).sum::<usize>();
        size_of::<Outline>()
            + self.symbols.capacity() * size_of::<Symbol>()
            + self.unread.capacity() * size_of::<RangeInclusive<u32>>()
            + texts
    }
}

impl Symbol {
    fn text_bytes(&self) -> usize {
        self.name.len() + self.scope.as_ref().map_or(0, |scope| scope.len())
    }
}

/// Converts an offset in a parsed text, which is far smaller than 4 GiB.
fn as_u32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: Words = Words {
        separator: "::",
        function: "fn",
        method: "fn",
        module: "mod",
        constant: "const",
        variable: "static",
    };

    fn part(kind: SymbolKind, name: &str, range: Range<usize>) -> Part {
        let name_start = range.start + 1;
        let (name, is_recovered) = (name.into(), false);
        Part { kind, range, name, name_start, line: 1, column: 2, scope: None, is_recovered }
    }

    fn outline(parts: Vec<Part>) -> Outline {
        Outline::new("Rust", WORDS, Some("app".into()), parts).expect("there is room")
    }

    #[test]
    fn definitions_are_nested() {
        let mut scoped = part(SymbolKind::Method, "run", 60..70);
        scoped.scope = Some("Job".into());
        let outline = outline(vec![
            scoped,
            part(SymbolKind::Function, "open", 20..30),
            part(SymbolKind::Impl, "Workspace", 10..50),
            part(SymbolKind::Function, "main", 50..60),
        ]);
        let symbols = outline.symbols();
        let names: Vec<String> = symbols.iter().map(|one| outline.qualified_name(one)).collect();
        assert_eq!(names, ["app::Workspace", "app::Workspace::open", "app::main", "app::Job::run"]);
        assert_eq!(
            (symbols[1].kind(), symbols[2].kind()),
            (SymbolKind::Method, SymbolKind::Function)
        );
        assert_eq!((symbols[1].parent(), symbols[2].parent()), (Some(0), None));
        let label = |start, end| outline.enclosing(start, end).map(|one| outline.label(one));
        assert_eq!(label(25, 26).as_deref(), Some("fn Workspace::open"));
        assert_eq!(label(25, 31).as_deref(), Some("impl Workspace"));
        assert_eq!(label(30, 31).as_deref(), Some("impl Workspace"));
        assert_eq!(label(60, 61).as_deref(), Some("fn Job::run"));
        assert_eq!((label(5, 6), label(70, 70), label(49, 51)), (None, None, None));
    }

    #[test]
    fn functions_and_variables_of_types_are_methods_and_fields() {
        let outline = outline(vec![
            part(SymbolKind::Class, "Job", 0..40),
            part(SymbolKind::Variable, "count", 5..10),
            part(SymbolKind::Constant, "MAX", 10..15),
            part(SymbolKind::Function, "run", 15..30),
            part(SymbolKind::Function, "inner", 20..25),
            part(SymbolKind::Variable, "all", 40..45),
        ]);
        use SymbolKind as K;
        let kinds: Vec<K> = outline.symbols().iter().map(Symbol::kind).collect();
        assert_eq!(kinds, [K::Class, K::Field, K::Constant, K::Method, K::Function, K::Variable]);
    }

    #[test]
    fn locals_are_omitted_and_the_first_of_two_parts_counts() {
        let outline = outline(vec![
            part(SymbolKind::Variable, "all", 0..5),
            part(SymbolKind::Function, "f", 5..30),
            part(SymbolKind::Variable, "local", 10..15),
            part(SymbolKind::Struct, "Inner", 20..25),
            part(SymbolKind::Variable, "f", 5..20),
        ]);
        let names: Vec<&str> = outline.symbols().iter().map(Symbol::name).collect();
        assert_eq!(names, ["all", "f", "Inner"]);
        assert_eq!(outline.symbols()[1].kind(), SymbolKind::Function);
    }

    #[test]
    fn enclosing_prefers_the_named_definition() {
        let mut second = part(SymbolKind::Variable, "b", 0..10);
        second.name_start = 8;
        let outline = outline(vec![part(SymbolKind::Variable, "a", 0..10), second]);
        let found = |at| outline.enclosing(at, at + 1).map(Symbol::name);
        assert_eq!([found(0), found(1), found(8), found(9)], ["a", "a", "b", "a"].map(Some));
        assert_eq!(outline.symbols().iter().filter_map(Symbol::parent).count(), 0);
    }

    #[test]
    fn a_qualified_name_has_a_bound() {
        let name = "m".repeat(900);
        let parts = (0..50).map(|n| part(SymbolKind::Module, &name, n..200 - n));
        let outline = outline(parts.collect());
        let innermost = outline.symbols().last().expect("the last");
        let qualified = outline.qualified_name(innermost);
        assert!(
            qualified.starts_with("…::m") && qualified.ends_with('m') && qualified.len() < 2_100
        );
        assert_eq!(outline.qualified_name(&outline.symbols()[0]), format!("app::{name}"));
        assert!(outline.label(innermost).starts_with("mod …::m"));
    }

    #[test]
    fn a_field_of_a_constructor_belongs_to_its_type_once() {
        let mut again = part(SymbolKind::Method, "run", 30..40);
        again.scope = Some("Job".into());
        let outline = outline(vec![
            part(SymbolKind::Class, "Job", 0..50),
            part(SymbolKind::Method, "new", 5..25),
            part(SymbolKind::Field, "db", 10..15),
            part(SymbolKind::Class, "Local", 16..24),
            part(SymbolKind::Field, "x", 18..20),
            again,
        ]);
        let names: Vec<String> =
            outline.symbols().iter().map(|one| outline.qualified_name(one)).collect();
        let expected =
            ["Job", "Job::new", "Job::db", "Job::new::Local", "Job::new::Local::x", "Job::run"];
        assert_eq!(names, expected.map(|name| format!("app::{name}")));
        let enclosing = outline.enclosing(11, 12).map(|one| outline.label(one));
        assert_eq!(enclosing.as_deref(), Some("field Job::db"));
        let enclosing = outline.enclosing(15, 16).map(|one| outline.label(one));
        assert_eq!(enclosing.as_deref(), Some("fn Job::new"));
    }
}
