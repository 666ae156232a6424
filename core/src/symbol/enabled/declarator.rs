//! The names of C declarators, which are wrapped in parts of their type: `(*name[3])(int)`.

use std::ops::Range;
use tree_sitter::Node;

/// The maximum nesting of a declarator. Nobody writes deeper ones.
const DEPTH_MAX: usize = 64;
/// The number of children of a declaration that are searched for a name that the parser put aside.
const CHILDREN_MAX: usize = 16;

/// Keywords that the parser takes for names next to an unknown macro.
const NO_NAMES: &[&str] = &[
    "auto", "char", "const", "double", "else", "enum", "extern", "false", "float", "for", "if",
    "inline", "int", "long", "register", "return", "short", "signed", "sizeof", "static", "struct",
    "switch", "true", "typedef", "union", "unsigned", "void", "volatile", "while",
];

/// The name that a declarator declares.
pub(super) struct Declared<'tree> {
    /// The node at which the name begins.
    pub(super) node: Node<'tree>,
    /// The name, in bytes.
    pub(super) name: Range<usize>,
    /// The qualifier of the name, in bytes, with its trailing separator.
    pub(super) scope: Option<Range<usize>>,
}

/// Returns the name that a declarator, or a name with arguments or a scope, declares; `None` if it has no
/// name.
///
/// The parser does not know attributes that are macros, as in `int x __read_mostly;`. It takes the macro for
/// the name and puts the name next to it. `declaration` is the node in which to look for the name; `None`
/// where this cannot happen.
pub(super) fn declared<'tree>(
    declarator: Node<'tree>,
    declaration: Option<Node<'tree>>,
    text: &[u8],
) -> Option<Declared<'tree>> {
    let (mut node, mut scope_start) = (declarator, None);
    let mut way: Vec<Node<'_>> = declaration.into_iter().filter(|outer| *outer != node).collect();
    while let Some(inner) = inner(node) {
        if matches!(node.kind(), "qualified_identifier" | "nested_namespace_specifier") {
            scope_start.get_or_insert(node.start_byte());
        }
        way.push(node);
        node = inner;
        if way.len() > DEPTH_MAX {
            return None;
        }
    }
    let name = name_range(node)?;
    let word = text.get(name.clone()).and_then(|word| str::from_utf8(word).ok());
    let is_word = word.is_some_and(|word| NO_NAMES.contains(&word));
    if declaration.is_some() && (is_word || word.is_some_and(|word| word.starts_with("__"))) {
        way.push(node);
        let aside = way.windows(2).rev().find_map(|pair| put_aside(pair[0], pair[1]));
        let aside = aside.and_then(|aside| declared(aside, None, text));
        let is_name = |aside: &Declared<'_>| {
            // Text before the name may also be an attribute.
            aside.name.start > name.start || !text[aside.name.start..].starts_with(b"__")
        };
        if let Some(aside) = aside.filter(is_name) {
            return Some(aside);
        }
    }
    let scope = scope_start.map(|start| start..name.start);
    (!is_word).then_some(Declared { node, name, scope })
}

/// Returns the declarator, or the name, inside a declarator.
fn inner(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "operator_cast" => None,
        "nested_namespace_specifier" => children(node).into_iter().rfind(Node::is_named),
        "parenthesized_declarator"
        | "attributed_declarator"
        | "reference_declarator"
        | "variadic_declarator" => {
            let is_declarator = |child: &Node<'_>| {
                child.is_named() && !child.is_extra() && !child.kind().starts_with("ms_")
            };
            children(node).into_iter().find(is_declarator)
        }
        _ => node.child_by_field_name("declarator").or_else(|| node.child_by_field_name("name")),
    }
}

/// Returns the first children of a node.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.children(&mut node.walk()).take(CHILDREN_MAX).collect()
}

/// Returns the node that the parser put aside right before or after a part of a declaration.
fn put_aside<'tree>(declaration: Node<'tree>, part: Node<'tree>) -> Option<Node<'tree>> {
    let all = children(declaration);
    let at = all.iter().position(|child| *child == part)?;
    let beside = [at.checked_sub(1), Some(at + 1)];
    let mut beside = beside.into_iter().flatten().filter_map(|at| all.get(at).copied());
    let aside = beside.find(|node| node.is_error() && node.named_child_count() == 1)?;
    aside.named_child(0)
}

fn name_range(node: Node<'_>) -> Option<Range<usize>> {
    match node.kind() {
        "identifier"
        | "field_identifier"
        | "type_identifier"
        | "namespace_identifier"
        | "primitive_type"
        | "destructor_name"
        | "operator_name" => Some(node.byte_range()),
        // `operator int*() const`: all text before the parameters.
        "operator_cast" => {
            let mut inner = node.child_by_field_name("declarator");
            for _ in 0..DEPTH_MAX {
                let of_type = inner?;
                if let Some(parameters) = of_type.child_by_field_name("parameters") {
                    return Some(node.start_byte()..parameters.start_byte());
                }
                inner = of_type.child_by_field_name("declarator");
            }
            None
        }
        _ => None,
    }
}
