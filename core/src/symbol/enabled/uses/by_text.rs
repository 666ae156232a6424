//! Roles that the text of a node or the text around it decides: the tree has no kind or field for them.

use super::roles::Seen;
use crate::syntax::UseKind;

/// The maximum length of type arguments that are skipped between a name and its call.
const TYPE_ARGUMENTS_MAX: usize = 256;

impl<'a> Seen<'a> {
    fn own(&self) -> &'a [u8] {
        self.text.get(self.node.byte_range()).unwrap_or_default()
    }

    fn before(&self) -> &'a [u8] {
        self.text.get(..self.node.start_byte()).unwrap_or_default().trim_ascii_end()
    }

    fn after(&self) -> &'a [u8] {
        self.text.get(self.node.end_byte()..).unwrap_or_default().trim_ascii_start()
    }

    fn has(&self, field: &str) -> bool {
        self.node.child_by_field_name(field).is_some()
    }

    fn field_text(&self, field: &str) -> &'a [u8] {
        let node = self.node.child_by_field_name(field);
        node.and_then(|node| self.text.get(node.byte_range())).unwrap_or_default()
    }
}

/// Returns whether a text begins with a word.
fn starts_with_word(text: &[u8], word: &[u8]) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| !rest.first().is_some_and(|&byte| is_part_of_name(byte)))
}

/// Returns the text before the word that a text ends with.
fn before_word<'a>(text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let rest = text.strip_suffix(word)?;
    (!rest.last().is_some_and(|&byte| is_part_of_name(byte))).then_some(rest)
}

fn is_part_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

/// Returns whether a text begins with an operator that assigns.
fn starts_with_assignment(text: &[u8]) -> bool {
    let operator = text.iter().take_while(|byte| b"=+-*/%<>&|^".contains(byte)).count();
    let Some(end) = text[..operator].iter().position(|byte| *byte == b'=') else { return false };
    // `=-1` assigns; `==`, `=>` and comparisons do not.
    let is_comparison = matches!(&text[..=end], b"<=" | b">=");
    !is_comparison && !text[end + 1..].starts_with(b"=") && !text[end + 1..].starts_with(b">")
}

/// Returns whether a name is a part of a qualified name, but not the last.
pub(super) fn is_qualifier(seen: &Seen<'_>) -> bool {
    let after = seen.after();
    let signs: [&[u8]; 4] = [b"?.", b"!!.", b"::", b"."];
    signs.iter().any(|sign| after.starts_with(sign))
}

/// Returns whether a name begins like a type by the convention of Rust.
fn reads_like_type(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_uppercase)
        && (name.len() == 1 || name.iter().any(u8::is_ascii_lowercase))
}

/// Rust: a path before another part. Its last part decides, because a test of the whole text would make a path of
/// many parts quadratic.
pub(super) fn rust_path(seen: &Seen<'_>) -> Option<UseKind> {
    if seen.outer == Some(UseKind::Import) {
        return None;
    }
    let is_type = match seen.node.kind() {
        "generic_type" => true,
        "scoped_identifier" | "scoped_type_identifier" => reads_like_type(seen.field_text("name")),
        _ => reads_like_type(seen.own()),
    };
    is_type.then_some(UseKind::Type)
}

/// Rust: a name in a pattern. A constant and a variant have its form too, but begin with an upper-case letter.
pub(super) fn rust_binding(seen: &Seen<'_>) -> Option<UseKind> {
    let is_binding =
        seen.node.kind() == "identifier" && !seen.own().first().is_some_and(u8::is_ascii_uppercase);
    is_binding.then_some(UseKind::Definition)
}

/// Rust: a name in the arguments of a macro, which the grammar does not parse.
pub(super) fn rust_token(seen: &Seen<'_>) -> Option<UseKind> {
    let (name, after) = (seen.own(), seen.after());
    if seen.outer == Some(UseKind::Other) {
        return seen.outer;
    }
    if seen.outer == Some(UseKind::Inheritance) {
        return (!after.starts_with(b"::")).then_some(UseKind::Inheritance);
    }
    let is_definition = seen.before().ends_with(b"fn") || seen.before().ends_with(b"struct");
    if is_definition {
        return Some(UseKind::Definition);
    }
    let called = match after.strip_prefix(b"::") {
        Some(rest) if rest.starts_with(b"<") => after_angles(rest).starts_with(b"("),
        Some(_) => false,
        None => after.starts_with(b"(") || is_macro_call(after),
    };
    if called {
        return Some(UseKind::Call);
    }
    let is_type = reads_like_type(name) && (after.starts_with(b"::") || after.starts_with(b"{"));
    is_type.then_some(UseKind::Type)
}

fn is_macro_call(after: &[u8]) -> bool {
    let Some(rest) = after.strip_prefix(b"!") else { return false };
    matches!(rest.trim_ascii_start().first(), Some(b'(' | b'[' | b'{'))
}

/// Returns the text after the type arguments that it begins with.
fn after_angles(text: &[u8]) -> &[u8] {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate().take(TYPE_ARGUMENTS_MAX) {
        match byte {
            b'<' => depth += 1,
            b'>' if depth <= 1 => return text[at + 1..].trim_ascii_start(),
            b'>' => depth -= 1,
            _ => {}
        }
    }
    b""
}

/// Rust: `derive` implements the traits that it names.
pub(super) fn rust_derive(seen: &Seen<'_>) -> Option<UseKind> {
    seen.own().starts_with(b"derive").then_some(UseKind::Inheritance)
}

/// Rust: nested arguments of an attribute; those of other macros have no role. `cfg_attr` may contain `derive`.
pub(super) fn rust_nested(seen: &Seen<'_>) -> Option<UseKind> {
    match seen.outer {
        Some(UseKind::Other) if before_word(seen.before(), b"derive").is_some() => {
            Some(UseKind::Inheritance)
        }
        Some(outer @ (UseKind::Other | UseKind::Inheritance)) => Some(outer),
        _ => None,
    }
}

/// The types of Go that have names in lower case everywhere.
const GO_TYPES: [&[u8]; 22] = [
    b"any",
    b"bool",
    b"byte",
    b"comparable",
    b"complex128",
    b"complex64",
    b"error",
    b"float32",
    b"float64",
    b"int",
    b"int16",
    b"int32",
    b"int64",
    b"int8",
    b"rune",
    b"string",
    b"uint",
    b"uint16",
    b"uint32",
    b"uint64",
    b"uint8",
    b"uintptr",
];

/// Go: a call with type arguments, or one of an element. Both have one form, so the index decides: a name in lower
/// case is a variable more often than a type.
pub(super) fn go_indexed(seen: &Seen<'_>) -> Option<UseKind> {
    let is_type = match seen.node.child_by_field_name("type_arguments") {
        Some(types) if types.named_child_count() > 1 => true,
        Some(_) => {
            let types = seen.field_text("type_arguments");
            reads_like_go_type(types.strip_prefix(b"[").unwrap_or(types))
        }
        None => reads_like_go_type(seen.field_text("index")),
    };
    Some(if is_type { UseKind::Call } else { UseKind::Other })
}

/// Returns whether a text begins with a type of Go.
fn reads_like_go_type(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let n_path = text.iter().take_while(|&&byte| is_part_of_name(byte) || byte == b'.').count();
    let (path, rest) = text.split_at(n_path);
    let name = path.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    match (name, rest.trim_ascii_start().first()) {
        (b"", first) => matches!(first, Some(b'*' | b'[')) || text.starts_with(b"<-chan"),
        (b"map", Some(b'[')) | (b"func", Some(b'(')) | (b"chan", _) => true,
        (b"struct" | b"interface", Some(b'{')) => true,
        (_, None | Some(b']' | b'[')) => {
            name.first().is_some_and(u8::is_ascii_uppercase) || GO_TYPES.contains(&name)
        }
        _ => false,
    }
}

/// Go: the targets of a `range` or a receive are new before `:=`.
pub(super) fn go_targets(seen: &Seen<'_>) -> Option<UseKind> {
    let is_new = seen.after().starts_with(b":=");
    Some(if is_new { UseKind::Definition } else { UseKind::Assignment })
}

/// Go: a field without a name embeds its type.
pub(super) fn go_embedded(seen: &Seen<'_>) -> Option<UseKind> {
    (!seen.has("name")).then_some(UseKind::Inheritance)
}

/// Go: an interface embeds a single type; several are a constraint.
pub(super) fn go_element(seen: &Seen<'_>) -> Option<UseKind> {
    (seen.node.named_child_count() == 1).then_some(UseKind::Inheritance)
}

/// JavaScript: `export … from` imports too.
pub(super) fn ecma_export(seen: &Seen<'_>) -> Option<UseKind> {
    seen.has("source").then_some(UseKind::Import)
}

/// JavaScript: the variable of a `for`, with or without a declaration.
pub(super) fn ecma_for(seen: &Seen<'_>) -> Option<UseKind> {
    let words: [&[u8]; 4] = [b"const", b"let", b"var", b"using"];
    let is_declared = words.iter().any(|word| before_word(seen.before(), word).is_some());
    Some(if is_declared { UseKind::Definition } else { UseKind::Assignment })
}

/// JavaScript: the first argument of `require` or `import` names a module.
pub(super) fn ecma_required(seen: &Seen<'_>) -> Option<UseKind> {
    let callee = seen.before().strip_suffix(b"(")?.trim_ascii_end();
    let before = before_word(callee, b"require").or_else(|| before_word(callee, b"import"))?;
    (!before.ends_with(b".")).then_some(UseKind::Import)
}

/// JSX: components are called; elements of HTML, in lower case, are not.
pub(super) fn jsx_component(seen: &Seen<'_>) -> Option<UseKind> {
    let name = seen.own();
    let is_component = !name.first().is_some_and(u8::is_ascii_lowercase) || name.contains(&b'.');
    is_component.then_some(UseKind::Call)
}

/// PHP: a name after `instanceof` is a type.
pub(super) fn php_instanceof(seen: &Seen<'_>) -> Option<UseKind> {
    before_word(seen.before(), b"instanceof").and_then(|_| php_class(seen))
}

/// PHP: a class before `::`. An object may be in its place.
pub(super) fn php_class(seen: &Seen<'_>) -> Option<UseKind> {
    (!matches!(seen.own().first(), Some(b'$' | b'('))).then_some(UseKind::Type)
}

/// PHP: the class of a constant.
pub(super) fn php_constant(seen: &Seen<'_>) -> Option<UseKind> {
    if seen.index == 0 { php_class(seen) } else { None }
}

/// PHP: a called method. Braces contain an expression that computes its name.
pub(super) fn php_method(seen: &Seen<'_>) -> Option<UseKind> {
    (!seen.before().ends_with(b"{")).then_some(UseKind::Call)
}

/// Kotlin and C#: the operand of `++` or `--` receives a value.
pub(super) fn stepped(seen: &Seen<'_>) -> Option<UseKind> {
    let signs: [&[u8]; 2] = [b"++", b"--"];
    let is_stepped =
        signs.iter().any(|sign| seen.before().ends_with(sign) || seen.after().starts_with(sign));
    // In the tree of Kotlin, `++a.b` is a field of `++a`.
    (is_stepped && !is_qualifier(seen)).then_some(UseKind::Assignment)
}

/// Kotlin: a path that begins with `++` or `--` receives a value.
pub(super) fn kotlin_stepped(seen: &Seen<'_>) -> Option<UseKind> {
    let path = seen.own();
    (path.starts_with(b"++") || path.starts_with(b"--")).then_some(UseKind::Assignment)
}

/// Kotlin: a name after a dot has the role of its path.
pub(super) fn kotlin_member(seen: &Seen<'_>) -> Option<UseKind> {
    if seen.index == 0 { None } else { seen.outer }
}

/// Kotlin: a type before `::class`. An object in its place has a name in lower case.
pub(super) fn kotlin_class(seen: &Seen<'_>) -> Option<UseKind> {
    let rest = seen.after().strip_prefix(b"::")?.trim_ascii_start();
    if seen.index > 0 || !starts_with_word(rest, b"class") {
        return None;
    }
    let last = match u32::try_from(seen.node.named_child_count()).unwrap_or(0).checked_sub(1) {
        Some(last) => seen.node.named_child(last)?,
        None => seen.node,
    };
    let name = seen.text.get(last.byte_range())?;
    name.first().is_some_and(u8::is_ascii_uppercase).then_some(UseKind::Type)
}

/// C#: a name alone in a pattern. A constant has the form of a type, unless all its letters are upper-case ones.
pub(super) fn csharp_pattern(seen: &Seen<'_>) -> Option<UseKind> {
    reads_like_type(seen.own()).then_some(UseKind::Type)
}

/// C#: the variable of a `join`, after its type, if any.
pub(super) fn csharp_join(seen: &Seen<'_>) -> Option<UseKind> {
    starts_with_word(seen.after(), b"in").then_some(UseKind::Definition)
}

/// C# and Bash: a name before an operator that assigns.
pub(super) fn assigned(seen: &Seen<'_>) -> Option<UseKind> {
    starts_with_assignment(seen.after()).then_some(UseKind::Assignment)
}

/// Python: a name in a `case` binds a variable, unless it is qualified.
pub(super) fn python_capture(seen: &Seen<'_>) -> Option<UseKind> {
    (!seen.own().contains(&b'.')).then_some(UseKind::Definition)
}

/// Ruby: a name in a pattern binds a variable; a constant matches the objects of a class.
pub(super) fn ruby_pattern(seen: &Seen<'_>) -> Option<UseKind> {
    match seen.node.kind() {
        "identifier" => Some(UseKind::Definition),
        "constant" | "scope_resolution" => Some(UseKind::Type),
        _ => None,
    }
}

/// Ruby: a call that returns a base class is not one itself.
pub(super) fn ruby_superclass(seen: &Seen<'_>) -> Option<UseKind> {
    Some(if seen.field_text("method") == b"new" { UseKind::Call } else { UseKind::Other })
}

/// Ruby: calls that import a file, mix in a module, or construct an object.
pub(super) fn ruby_call(seen: &Seen<'_>) -> Option<UseKind> {
    match seen.field_text("method") {
        b"new" => Some(UseKind::Call),
        _ if seen.has("receiver") => None,
        b"require" | b"require_relative" | b"load" | b"autoload" | b"using" => {
            Some(UseKind::Import)
        }
        b"include" | b"extend" | b"prepend" => Some(UseKind::Inheritance),
        _ => None,
    }
}

/// Bash: `source` imports a file, and `let` assigns.
pub(super) fn bash_command(seen: &Seen<'_>) -> Option<UseKind> {
    match seen.field_text("name") {
        b"source" | b"." => Some(UseKind::Import),
        b"let" => Some(UseKind::Assignment),
        _ => None,
    }
}

/// Bash: `local` and its kin declare variables; `export` passes on one that exists.
pub(super) fn bash_declaration(seen: &Seen<'_>) -> Option<UseKind> {
    (!seen.own().starts_with(b"export")).then_some(UseKind::Definition)
}
