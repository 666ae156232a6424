//! Definitions that contain others by braces.

use super::scope::{Scope, ScopeKind, Statement};
use super::word_end;
use super::{Basis, Found, Recovered, after_blanks, begins_word, heads, is_macro_like, is_word};
use crate::budget::Budget;
use crate::symbol::enabled::forms::{Forms, Functions, Shape};
use crate::syntax::{SymbolKind, Unparsed};
use std::ops::Range;

/// Words that begin a statement which defines no member.
const NO_MEMBERS: &[&[u8]] = &[
    b"using",
    b"typedef",
    b"friend",
    b"return",
    b"goto",
    b"extern",
    b"import",
    b"package",
    b"throw",
    b"break",
    b"continue",
    b"export",
    b"delete",
    b"case",
    b"type",
    b"use",
    b"struct",
    b"class",
    b"union",
    b"enum",
    b"template",
    b"typename",
    b"operator",
    b"declare",
];
/// Words after which a colon ends a label.
const LABELS: &[&[u8]] = &[
    b"public",
    b"private",
    b"protected",
    b"signals",
    b"slots",
    b"Q_SIGNALS",
    b"Q_SLOTS",
    b"default",
];

pub(super) struct Reader<'a> {
    pub(super) code: &'a [u8],
    pub(super) forms: &'static Forms,
    pub(super) recovered: Recovered,
    pub(super) scopes: Vec<Scope>,
    /// The number of open blocks beyond the maximum.
    pub(super) n_beyond: usize,
    /// The end of the last token, and its last byte.
    pub(super) end: usize,
    pub(super) last: u8,
}

/// Reads the definitions of a text token by token.
pub(super) fn read(
    code: &[u8],
    forms: &'static Forms,
    budget: &Budget,
) -> Result<Recovered, Unparsed> {
    let mut reader = Reader {
        code,
        forms,
        recovered: Recovered { is_balanced: true, ..Recovered::default() },
        scopes: vec![Scope::new(ScopeKind::File, None, None)],
        n_beyond: 0,
        end: 0,
        last: b';',
    };
    let (mut at, mut is_new_line) = (0, false);
    while at < code.len() {
        budget.poll().map_err(|_| Unparsed::Stopped)?;
        let byte = code[at];
        if byte.is_ascii_whitespace() {
            is_new_line |= byte == b'\n';
            at += 1;
            continue;
        }
        if std::mem::take(&mut is_new_line) {
            reader.begin_line(at);
        }
        at = reader.token(at)?;
        reader.end = at.min(code.len());
        reader.last = code[reader.end - 1];
    }
    reader.recovered.is_balanced &= reader.scopes.len() == 1 && reader.n_beyond == 0;
    while reader.scopes.len() > 1 {
        reader.close(code.len());
    }
    reader.finish_pending();
    Ok(reader.recovered)
}

impl Reader<'_> {
    /// Returns the innermost block; the file is always open.
    pub(super) fn scope(&mut self) -> &mut Scope {
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    pub(super) fn statement(&mut self) -> &mut Statement {
        &mut self.scope().statement
    }

    pub(super) fn is_c(&self) -> bool {
        self.forms.lexis.has_directives && self.forms.functions == Functions::Anywhere
    }

    pub(super) fn is_kotlin(&self) -> bool {
        self.forms.lexis.nests && self.forms.shape == Shape::Lines
    }

    /// Handles a line that begins with the token at `at`.
    fn begin_line(&mut self, at: usize) {
        let last = self.last;
        if self.scope().parens > 0 {
            return;
        }
        let continues = matches!(
            last,
            b'=' | b','
                | b'.'
                | b':'
                | b'+'
                | b'-'
                | b'*'
                | b'/'
                | b'&'
                | b'|'
                | b'?'
                | b'>'
                | b'<'
        );
        if self.forms.shape == Shape::Lines && !continues {
            if !self.continues_line(at) {
                self.finish_pending();
                self.scope().reset();
            }
        } else if self.is_c() && self.is_lone_macro() && !matches!(self.code[at], b'{' | b':') {
            self.scope().reset();
        }
        if !continues && self.scope().pending.is_none() {
            let statement = self.statement();
            statement.clean_start = None;
            statement.is_dirty = false;
        }
    }

    /// Returns whether the line at `at` continues the statement before it.
    fn continues_line(&self, at: usize) -> bool {
        const WORDS: [&[u8]; 9] = [
            b"where",
            b"by",
            b"else",
            b"as",
            b"extends",
            b"implements",
            b"constructor",
            b"catch",
            b"finally",
        ];
        let word = &self.code[at..word_end(self.code, at)];
        matches!(
            self.code[at],
            b'{' | b':'
                | b'='
                | b'('
                | b'.'
                | b'?'
                | b'&'
                | b'|'
                | b'+'
                | b'-'
                | b'*'
                | b')'
                | b','
        ) || WORDS.contains(&word)
    }

    /// Returns whether the statement is only a macro, which may have arguments.
    fn is_lone_macro(&mut self) -> bool {
        let code = self.code;
        let statement = self.statement();
        let is_macro = statement.first_word.clone().is_some_and(|word| is_macro_like(&code[word]));
        statement.n_words == 1 && is_macro
    }

    /// Reads the token at `at`; returns the offset after it.
    fn token(&mut self, at: usize) -> Result<usize, Unparsed> {
        let byte = self.code[at];
        if byte.is_ascii_digit() {
            self.statement().is_dirty = true;
            return Ok(word_end(self.code, at));
        }
        if begins_word(byte) || byte == b'`' {
            return self.word(at);
        }
        match byte {
            b'(' | b'[' => self.open_parens(at),
            b')' | b']' => {
                let scope = self.scope();
                scope.parens = scope.parens.saturating_sub(1);
            }
            b'{' => return self.open(at).map(|()| at + 1),
            b'}' => {
                self.close(at + 1);
                return Ok(at + 1);
            }
            b';' => self.semicolon(at)?,
            b',' => self.comma(),
            b'@' => return Ok(self.annotation(at)),
            b'=' => return Ok(self.equals(at)),
            b':' => return Ok(self.colon(at)),
            _ => self.sign(byte),
        }
        Ok(at + 1)
    }

    fn open_parens(&mut self, at: usize) {
        let (byte, forms) = (self.code[at], self.forms);
        let scope = self.scope();
        scope.parens += 1;
        if scope.parens > 1 || byte != b'(' {
            return;
        }
        if scope.pending.is_none() {
            self.callee(at);
        } else if !forms.has_bare_types {
            self.drop_type();
        }
    }

    /// Notes the word before the first parenthesis of a statement.
    fn callee(&mut self, at: usize) {
        let (last, end, code) = (self.last, self.end, self.code);
        let statement = self.statement();
        if statement.callee.is_some() || statement.has_equals {
            return;
        }
        let word = statement.last_word.clone().filter(|word| word.end == end && is_word(last));
        let word = match (statement.operator, word) {
            // `operator()(…)`
            (Some(_), Some(word)) if code[word.clone()] == *b"operator" => return,
            (Some(start), _) => start..end,
            (None, Some(word)) => word,
            (None, None) => return,
        };
        debug_assert!(word.end <= at);
        statement.callee = Some((statement.path_start.unwrap_or(word.start), word));
    }

    /// Drops the type whose head is being read: it is the type of something else.
    fn drop_type(&mut self) {
        let Some(at) = self.scope().pending else { return };
        let found = &mut self.recovered.found[at];
        if !matches!(found.kind, SymbolKind::Function | SymbolKind::Variable | SymbolKind::Module) {
            found.is_dropped = true;
            self.scope().pending = None;
            self.statement().is_dirty = true;
        }
    }

    fn sign(&mut self, byte: u8) {
        if self.scope().parens > 0 {
            return;
        }
        if matches!(byte, b'*' | b'&') && !self.forms.has_bare_types && self.last != b',' {
            self.drop_type();
        }
        let statement = self.statement();
        if statement.operator.is_none() {
            statement.path_start = None;
        }
        statement.is_dirty |= !matches!(byte, b'#' | b'<' | b'>');
    }

    fn comma(&mut self) {
        let scope = self.scope();
        if scope.parens == 0 && scope.is_list {
            scope.reset();
        }
    }

    /// Skips the name of an annotation.
    fn annotation(&mut self, at: usize) -> usize {
        let scope = self.scope();
        if scope.parens == 0 {
            scope.statement.start.get_or_insert(at);
            scope.statement.clean_start.get_or_insert(at);
        }
        let rest = &self.code[at + 1..];
        let len = rest.iter().position(|byte| !is_word(*byte) && !matches!(byte, b'.' | b':'));
        let end = len.map_or(self.code.len(), |len| at + 1 + len);
        // `@interface` defines an annotation.
        if self.code[at + 1..end] == *b"interface" { at + 1 } else { end }
    }

    fn equals(&mut self, at: usize) -> usize {
        if matches!(self.code.get(at + 1), Some(b'=' | b'>')) {
            self.sign(b'=');
            return at + 2;
        }
        if matches!(self.last, b'!' | b'<' | b'>') && self.end == at {
            return at + 1;
        }
        let scope = self.scope();
        let is_operator = scope.statement.operator.is_some() && scope.statement.callee.is_none();
        if scope.parens == 0 && !is_operator {
            scope.statement.has_equals = true;
            scope.statement.is_dirty = true;
            scope.is_value = scope.pending.is_some();
            if !self.forms.has_bare_types {
                self.drop_type();
                self.scope().is_value = false;
            }
        }
        at + 1
    }

    fn colon(&mut self, at: usize) -> usize {
        if self.code.get(at + 1) == Some(&b':') {
            if self.scope().parens == 0 {
                let statement = self.statement();
                if statement.path_start.is_none() {
                    statement.path_start = statement.last_word.clone().map(|word| word.start);
                }
            }
            return at + 2;
        }
        let code = self.code;
        let scope = self.scope();
        if scope.parens == 0 && scope.pending.is_none() {
            let first = scope.statement.first_word.clone().map(|word| &code[word]);
            if first.is_some_and(|word| LABELS.contains(&word)) && scope.statement.n_words < 3 {
                scope.reset();
            } else {
                scope.statement.is_dirty = true;
            }
        }
        at + 1
    }

    /// Reads a word.
    fn word(&mut self, at: usize) -> Result<usize, Unparsed> {
        let code = self.code;
        let end = if code[at] == b'`' {
            let rest = &code[at + 1..];
            let len = memchr::memchr2(b'`', b'\n', rest).unwrap_or(0);
            at + 1 + len + usize::from(rest.get(len) == Some(&b'`'))
        } else {
            word_end(code, at)
        };
        let word = &code[at..end];
        if self.scope().parens > 0 {
            return self.argument(at, end);
        }
        let statement = self.statement();
        statement.start.get_or_insert(at);
        statement.clean_start.get_or_insert(at);
        let is_member = self.last == b'.' || self.last == b':' && code[..self.end].ends_with(b"::");
        let is_dirty = self.statement().is_dirty || is_member;
        if !is_dirty && let Some(after) = self.head(word, end)? {
            return Ok(after);
        }
        let is_modifier = self.forms.modifiers.iter().any(|one| one.as_bytes() == word);
        let is_macro = self.is_c() && is_macro_like(word);
        let statement = self.statement();
        if !statement.is_dirty && is_modifier {
            statement.is_enum |= word == b"enum";
            statement.is_const |= word == b"const";
        }
        if self.is_list_value(is_dirty, is_modifier) {
            let value = self.shape(SymbolKind::EnumMember, at..end, at..end, None)?;
            self.scope().value = value;
        }
        if word == b"operator" && self.is_c() {
            self.statement().operator = Some(at);
        }
        let last_path = self.last == b':' && code[..self.end].ends_with(b"::");
        let statement = self.statement();
        statement.is_dirty |= !is_modifier && !is_macro;
        statement.n_words += 1;
        statement.first_word.get_or_insert(at..end);
        if !last_path && statement.operator.is_none_or(|start| start == at) {
            statement.path_start = None;
        }
        statement.last_word = Some(at..end);
        // An attribute may follow the name.
        let is_attribute = word.starts_with(b"__") && statement.n_words > 2;
        if !statement.has_equals && statement.callee.is_none() && !is_attribute {
            statement.member = Some(at..end);
        }
        if word == b"template" && self.is_c() {
            let open = after_blanks(&code[..code.len().min(end + 64)], end);
            return Ok(heads::closed(code, open).unwrap_or(end));
        }
        Ok(end)
    }

    fn is_list_value(&mut self, is_dirty: bool, is_modifier: bool) -> bool {
        let scope = self.scope();
        scope.is_list && !is_dirty && !is_modifier && scope.statement.n_words == 0
    }

    /// Reads a word in parentheses: an argument, or a property in the parameters of a class of Kotlin.
    fn argument(&mut self, at: usize, end: usize) -> Result<usize, Unparsed> {
        let word = &self.code[at..end];
        let is_property = matches!(word, b"val" | b"var") && self.is_kotlin();
        let scope = self.scope();
        if scope.parens != 1 {
            return Ok(end);
        }
        if let Some(class) = scope.pending.filter(|_| is_property) {
            let is_class = !self.recovered.found[class].kind.is_function();
            let name = heads::name("", word, SymbolKind::Field, self.code, end);
            if let Some(name) = name.filter(|_| is_class) {
                let (range, after) = (at..name.end, name.end);
                self.push(SymbolKind::Field, range, name.name, None, Basis::Word, Some(class))?;
                return Ok(after);
            }
        }
        let [first, second] = &mut self.scope().statement.arguments;
        if first.is_none() {
            *first = Some(at..end);
        } else if second.is_none() {
            *second = Some(at..end);
        }
        Ok(end)
    }

    /// Begins a definition if `word` does; returns the offset at which reading continues.
    fn head(&mut self, word: &[u8], end: usize) -> Result<Option<usize>, Unparsed> {
        let Some(mut kind) = self.forms.kind_after(word) else {
            return Ok(None);
        };
        let is_kotlin = self.is_kotlin();
        let language = match (is_kotlin, self.is_c(), self.forms.heads[0]) {
            (true, ..) => "Kotlin",
            (_, true, _) => "C++",
            (.., "func") => "Go",
            _ => "",
        };
        let scope_kind = self.scope().kind;
        if kind == SymbolKind::Variable && !scope_kind.declares() {
            return Ok(None);
        }
        let statement = self.statement();
        kind = match kind {
            SymbolKind::Class if statement.is_enum => SymbolKind::Enum,
            SymbolKind::Variable if statement.is_const => SymbolKind::Constant,
            kind => kind,
        };
        let name = heads::name(language, word, kind, self.code, end);
        let is_interface = is_kotlin && kind == SymbolKind::Function;
        let name =
            name.filter(|name| !is_interface || self.code[name.name.clone()] != *b"interface");
        let Some(name) = name else {
            let next =
                self.code.get(after_blanks(&self.code[..self.code.len().min(end + 64)], end));
            let is_nameless = matches!(next, Some(b'{' | b':'));
            self.statement().nameless = match kind {
                _ if !is_nameless => None,
                SymbolKind::Function | SymbolKind::Variable | SymbolKind::Constant => None,
                SymbolKind::Enum => Some(ScopeKind::Enum),
                SymbolKind::Module => Some(ScopeKind::Module),
                _ => Some(ScopeKind::Type),
            };
            return Ok(None);
        };
        self.finish_pending();
        let start = self.statement().clean_start.unwrap_or(name.name.start);
        let is_member =
            name.kind == SymbolKind::Function && (name.scope.is_some() || scope_kind.is_type());
        let kind = if is_member { SymbolKind::Method } else { name.kind };
        let parent = self.scope().parent;
        let pending =
            self.push(kind, start..name.end, name.name, name.scope, Basis::Word, parent)?;
        let scope = self.scope();
        scope.pending = pending;
        scope.is_value = false;
        scope.statement.is_dirty = true;
        Ok(Some(name.end))
    }

    fn push(
        &mut self,
        kind: SymbolKind,
        range: Range<usize>,
        name: Range<usize>,
        scope: Option<Range<usize>>,
        basis: Basis,
        parent: Option<usize>,
    ) -> Result<Option<usize>, Unparsed> {
        let head_end = range.end;
        self.recovered.push(Found {
            kind,
            range,
            name,
            scope,
            head_end,
            basis,
            parent,
            has_body: false,
            is_dropped: false,
        })
    }

    /// Adds a definition that only its shape shows.
    pub(super) fn shape(
        &mut self,
        kind: SymbolKind,
        range: Range<usize>,
        name: Range<usize>,
        scope: Option<Range<usize>>,
    ) -> Result<Option<usize>, Unparsed> {
        let parent = self.scope().parent;
        self.push(kind, range, name, scope, Basis::Shape, parent)
    }

    /// Ends the definition whose head or value is being read.
    pub(super) fn finish_pending(&mut self) {
        let end = self.end;
        let scope = self.scope();
        scope.is_value = false;
        let Some(at) = scope.pending.take() else { return };
        let found = &mut self.recovered.found[at];
        found.range.end = found.range.end.max(end);
        if !found.has_body {
            found.head_end = found.range.end;
            found.is_dropped |= !self.forms.has_bare_types && !found.kind.is_function();
        }
    }

    fn semicolon(&mut self, at: usize) -> Result<(), Unparsed> {
        let is_block = self.scope().kind.declares();
        let scope = self.scope();
        if scope.parens > 0 && !is_block {
            return Ok(());
        }
        scope.parens = 0;
        scope.is_list = false;
        let is_pending = scope.pending.is_some();
        self.finish_pending();
        if !is_pending && is_block && self.forms.shape == Shape::Braces {
            self.member(at)?;
        }
        self.scope().reset();
        Ok(())
    }

    /// Adds the member or variable that a statement declares.
    fn member(&mut self, end: usize) -> Result<(), Unparsed> {
        let code = self.code;
        let statement = self.statement().clone();
        let (Some(start), Some(first), Some(name)) =
            (statement.start, statement.first_word, statement.member)
        else {
            return Ok(());
        };
        let is_named = statement.n_words > 1 && name != first;
        let last = statement.last_word.filter(|last| last.end == self.end && *last != first);
        let (kind, name) = match &code[first] {
            b"using" if is_named && statement.has_equals => (SymbolKind::Type, name),
            b"typedef" if self.is_c() => match last {
                Some(last) => (SymbolKind::Type, last),
                None => return Ok(()),
            },
            first if NO_MEMBERS.contains(&first) => return Ok(()),
            _ if is_named && statement.callee.is_none() => (SymbolKind::Variable, name),
            _ => return Ok(()),
        };
        self.shape(kind, start..end + 1, name, None)?;
        Ok(())
    }
}
