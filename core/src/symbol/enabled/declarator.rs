//! The names of declarators, which C wraps in what the type of the thing is: `(*name[3])(int)`.

use std::ops::Range;
use tree_sitter::Node;

/// A declarator that is nested more deeply is not what somebody wrote.
const DEPTH_MAX: usize = 64;
/// How many children of a declaration are looked at for a name that the parser put aside.
const CHILDREN_MAX: usize = 16;

/// Words of the language that the parser takes for names where it does not know a macro.
const NO_NAMES: &[&str] = &[
    "auto", "char", "const", "double", "else", "enum", "extern", "false", "float", "for", "if",
    "inline", "int", "long", "register", "return", "short", "signed", "sizeof", "static", "struct",
    "switch", "true", "typedef", "union", "unsigned", "void", "volatile", "while",
];

/// What a declarator declares.
pub(super) struct Declared<'tree> {
    /// The node that the name begins with.
    pub(super) node: Node<'tree>,
    /// The name, in bytes.
    pub(super) name: Range<usize>,
    /// What qualifies the name, in bytes, with the separator behind it.
    pub(super) scope: Option<Range<usize>>,
}

/// What a declarator, or a name with arguments or a scope, declares; none if it has no name.
///
/// An attribute that is a macro, as in `int x __read_mostly;`, is unknown to the parser, which takes
/// it for the name and puts the name aside, next to it. `declaration` is then what the name may lie
/// in; none where this cannot be.
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
            // What stands before the name may as well be an attribute.
            aside.name.start > name.start || !text[aside.name.start..].starts_with(b"__")
        };
        if let Some(aside) = aside.filter(is_name) {
            return Some(aside);
        }
    }
    let scope = scope_start.map(|start| start..name.start);
    (!is_word).then_some(Declared { node, name, scope })
}

/// The declarator, or the name, in a declarator.
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

/// The first children of a node.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.children(&mut node.walk()).take(CHILDREN_MAX).collect()
}

/// What the parser put aside right before or behind a part of a declaration.
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
        // `operator int*() const`: all that stands before the parameters.
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
