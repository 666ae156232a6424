//! The blocks of a text with braces: what each belongs to.

use super::braces::Reader;
use super::is_macro_like;
use super::scope::{Scope, ScopeKind};
use crate::symbol::enabled::forms::{Functions, Shape};
use crate::syntax::{SymbolKind, Unparsed};

/// The maximum number of open blocks that are followed.
const DEPTH_MAX: usize = 256;

/// Words with parentheses and a block that are not functions.
const STATEMENTS: &[&[u8]] = &[
    b"if",
    b"for",
    b"while",
    b"switch",
    b"catch",
    b"return",
    b"do",
    b"else",
    b"try",
    b"synchronized",
    b"lock",
    b"using",
    b"fixed",
    b"foreach",
    b"when",
    b"with",
    b"new",
    b"sizeof",
    b"throw",
    b"case",
    b"await",
    b"yield",
    b"defined",
    b"requires",
    b"noexcept",
    b"alignas",
    b"decltype",
    b"typeof",
    b"__attribute__",
    b"__declspec",
    b"static_assert",
    b"super",
    b"this",
    b"base",
    b"extension",
];

impl Reader<'_> {
    /// Opens a block.
    pub(super) fn open(&mut self, at: usize) -> Result<(), Unparsed> {
        if self.scopes.len() >= DEPTH_MAX {
            self.n_beyond += 1;
            return Ok(());
        }
        let mut scope = self.block(at)?;
        scope.unknown_head = self.unknown_head(&scope);
        // Other blocks of a statement belong to its definition.
        if scope.kind != ScopeKind::Other || self.scope().pending.is_none() {
            self.scope().parens = 0;
        }
        self.scopes.push(scope);
        Ok(())
    }

    /// Returns the block that opens at `at`.
    fn block(&mut self, at: usize) -> Result<Scope, Unparsed> {
        let (end, parent) = (self.end, self.scope().parent);
        let scope = self.scope();
        let (is_value, parens) = (scope.is_value, scope.parens);
        if parens == 0
            && !is_value
            && let Some(owner) = scope.pending.take()
        {
            let found = &mut self.recovered.found[owner];
            found.head_end = end;
            found.has_body = true;
            let kind = match found.kind {
                SymbolKind::Module => ScopeKind::Module,
                SymbolKind::Enum => ScopeKind::Enum,
                kind if kind.is_function() => ScopeKind::Function,
                SymbolKind::Variable | SymbolKind::Constant => ScopeKind::Other,
                _ => ScopeKind::Type,
            };
            return Ok(Scope::new(kind, Some(owner), Some(owner)));
        }
        if parens == 0
            && scope.is_list
            && !scope.statement.has_equals
            && let Some(owner) = scope.value.take()
        {
            let found = &mut self.recovered.found[owner];
            (found.head_end, found.has_body) = (end, true);
            return Ok(Scope::new(ScopeKind::Type, Some(owner), Some(owner)));
        }
        let kind = if parens == 0 { self.nameless(at) } else { None };
        if let Some(kind) = kind {
            return Ok(Scope::new(kind, None, parent));
        }
        if parens == 0
            && let Some(owner) = self.function(at)?
        {
            return Ok(Scope::new(ScopeKind::Function, Some(owner), Some(owner)));
        }
        Ok(Scope::new(ScopeKind::Other, None, parent))
    }

    /// Returns the kind of a block whose head declares something without a name.
    fn nameless(&mut self, at: usize) -> Option<ScopeKind> {
        let code = self.code;
        let (is_kotlin, is_c) = (self.is_kotlin(), self.is_c());
        let statement = self.statement();
        if statement.nameless.is_some() && !statement.has_equals {
            return statement.nameless;
        }
        let first = statement.first_word.clone().map(|word| &code[word])?;
        let n_words = statement.n_words;
        match first {
            b"extern" if is_c && n_words == 1 => Some(ScopeKind::Module),
            b"impl" => Some(ScopeKind::Type),
            b"init" | b"get" | b"set" if is_kotlin && at > 0 => Some(ScopeKind::Function),
            _ => None,
        }
    }

    /// Adds the function whose body opens at `at`, if the statement is one.
    fn function(&mut self, at: usize) -> Result<Option<usize>, Unparsed> {
        let code = self.code;
        let kind = self.scope().kind;
        let may_be = match self.forms.functions {
            Functions::Nowhere => false,
            Functions::InTypes => kind.is_type(),
            Functions::Anywhere => kind.declares(),
        };
        let statement = self.statement().clone();
        let (Some(start), Some((path, callee))) = (statement.start, statement.callee) else {
            return Ok(None);
        };
        if !may_be || statement.has_equals || STATEMENTS.contains(&&code[callee.clone()]) {
            return Ok(None);
        }
        let (mut name, mut scope) =
            (callee.clone(), (path < callee.start).then_some(path..callee.start));
        if self.is_c() && is_macro_like(&code[callee]) && statement.n_words == 1 {
            match statement.arguments {
                [Some(suite), Some(case)] => (name, scope) = (case, Some(suite)),
                [Some(only), None] => name = only,
                _ => return Ok(None),
            }
        }
        // A destructor's sign belongs to its name.
        if name.start > 0 && code[name.start - 1] == b'~' {
            name.start -= 1;
        }
        let kind = if scope.is_some() { SymbolKind::Method } else { SymbolKind::Function };
        let owner = self.shape(kind, start..at + 1, name, scope)?;
        if let Some(owner) = owner {
            self.recovered.found[owner].head_end = at;
            self.recovered.found[owner].has_body = true;
        }
        Ok(owner)
    }

    /// Returns the start of a head that nothing explains, if its block may contain definitions.
    fn unknown_head(&mut self, block: &Scope) -> Option<usize> {
        let scope = self.scope();
        let statement = &scope.statement;
        let is_unknown = block.kind == ScopeKind::Other
            && scope.kind.declares()
            && scope.parens == 0
            && scope.pending.is_none()
            && !statement.has_equals
            && statement.n_words > 0;
        statement.start.filter(|_| is_unknown)
    }

    /// Closes the innermost block.
    pub(super) fn close(&mut self, end: usize) {
        if self.n_beyond > 0 {
            self.n_beyond -= 1;
            return;
        }
        self.finish_pending();
        if self.scopes.len() == 1 {
            self.recovered.is_balanced = false;
            self.scope().reset();
            self.scope().parens = 0;
            return;
        }
        let Some(block) = self.scopes.pop() else { return };
        if let Some(owner) = block.owner {
            self.recovered.found[owner].range.end = end;
        }
        if let Some(start) = block.unknown_head {
            self.recovered.blocks.push(start..end);
        }
        let is_braced = self.forms.shape == Shape::Braces;
        let scope = self.scope();
        // The braces of a value are part of its statement.
        let is_value = is_braced && scope.statement.has_equals;
        if scope.pending.is_none() && scope.parens == 0 && !is_value {
            let is_list = scope.is_list && block.kind != ScopeKind::Enum;
            scope.reset();
            // The block of a value in an enumeration.
            scope.statement.is_dirty = is_list;
            scope.statement.n_words = u32::from(is_list);
        }
    }
}
