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

/// Rust: a part of a path, before another part.
pub(super) fn rust_path(seen: &Seen<'_>) -> Option<UseKind> {
    let is_type = seen.outer != Some(UseKind::Import) && reads_like_type(seen.own());
    is_type.then_some(UseKind::Type)
}

/// Rust: a name in the arguments of a macro, which the grammar does not parse.
pub(super) fn rust_token(seen: &Seen<'_>) -> Option<UseKind> {
    let (name, after) = (seen.own(), seen.after());
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

/// JSX: components are called; elements of HTML, in lower case, are not.
pub(super) fn jsx_component(seen: &Seen<'_>) -> Option<UseKind> {
    let name = seen.own();
    let is_component = !name.first().is_some_and(u8::is_ascii_lowercase) || name.contains(&b'.');
    is_component.then_some(UseKind::Call)
}

/// PHP: a name after `instanceof` is a type.
pub(super) fn php_instanceof(seen: &Seen<'_>) -> Option<UseKind> {
    seen.before().ends_with(b"instanceof").then_some(UseKind::Type)
}

/// Kotlin and C#: the operand of `++` or `--` receives a value.
pub(super) fn stepped(seen: &Seen<'_>) -> Option<UseKind> {
    let signs: [&[u8]; 2] = [b"++", b"--"];
    let is_stepped =
        signs.iter().any(|sign| seen.before().ends_with(sign) || seen.after().starts_with(sign));
    is_stepped.then_some(UseKind::Assignment)
}

/// Ruby: calls that import a file, mix in a module, or construct an object.
pub(super) fn ruby_call(seen: &Seen<'_>) -> Option<UseKind> {
    match seen.field_text("method") {
        b"new" => Some(UseKind::Call),
        _ if seen.has("receiver") => None,
        b"require" | b"require_relative" | b"load" | b"autoload" => Some(UseKind::Import),
        b"include" | b"extend" | b"prepend" => Some(UseKind::Inheritance),
        _ => None,
    }
}

/// Bash: `source` imports a file.
pub(super) fn bash_command(seen: &Seen<'_>) -> Option<UseKind> {
    matches!(seen.field_text("name"), b"source" | b".").then_some(UseKind::Import)
}
