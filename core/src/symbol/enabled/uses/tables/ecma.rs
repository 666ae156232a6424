//! JavaScript, TypeScript and TSX.

use super::Then::{At, By, Is, Same};
use super::{Rule, Table, by_text};
use crate::syntax::UseKind::{Assignment, Call, Definition, Import, Inheritance, Other, Type};

const ECMA_RULES: &[Rule] = &[
    ("import_statement", "*", Is(Import)),
    ("*", "export_statement", By(by_text::ecma_export)),
    ("call_expression", "function:", Is(Call)),
    ("new_expression", "constructor:", Is(Call)),
    ("member_expression", "property:", Same),
    ("parenthesized_expression", "*", Same),
    ("decorator", "*", Is(Call)),
    ("class_heritage", "*", Is(Inheritance)),
    ("assignment_expression", "left:", Is(Assignment)),
    ("augmented_assignment_expression", "left:", Is(Assignment)),
    ("update_expression", "argument:", Is(Assignment)),
    ("variable_declarator", "name:", Is(Definition)),
    ("for_in_statement", "left:", By(by_text::ecma_for)),
    ("arguments", "string", By(by_text::ecma_required)),
    ("function_expression", "name:", Is(Definition)),
    ("generator_function", "name:", Is(Definition)),
    ("class", "name:", Is(Definition)),
    ("arrow_function", "parameter:", Is(Definition)),
    ("catch_clause", "parameter:", Is(Definition)),
    ("formal_parameters", "*", Is(Definition)),
    ("array_pattern", "*", Same),
    ("object_pattern", "*", Same),
    ("pair_pattern", "value:", Same),
    ("assignment_pattern", "left:", Same),
    ("object_assignment_pattern", "left:", Same),
    ("rest_pattern", "*", Same),
];

const JSX_RULES: &[Rule] = &[
    ("jsx_opening_element", "name:", By(by_text::jsx_component)),
    ("jsx_self_closing_element", "name:", By(by_text::jsx_component)),
];

const TYPESCRIPT_RULES: &[Rule] = &[
    ("import_alias", "*", Is(Import)),
    ("non_null_expression", "*", Same),
    ("instantiation_expression", "*", Same),
    ("extends_clause", "value:", Is(Inheritance)),
    ("implements_clause", "*", Is(Inheritance)),
    ("extends_type_clause", "type:", Is(Inheritance)),
    ("generic_type", "name:", Same),
    ("nested_type_identifier", "name:", Same),
    ("required_parameter", "pattern:", Is(Definition)),
    ("optional_parameter", "pattern:", Is(Definition)),
    ("type_parameter", "name:", Is(Definition)),
    ("infer_type", "type_identifier", At(0, Definition)),
    ("mapped_type_clause", "name:", Is(Definition)),
    ("index_signature", "name:", Is(Definition)),
    ("property_signature", "name:", Is(Definition)),
    ("method_signature", "name:", Is(Definition)),
];

pub(in crate::symbol) const JAVASCRIPT: Table = Table {
    names: &[
        ("identifier", Other),
        ("property_identifier", Other),
        ("private_property_identifier", Other),
        ("shorthand_property_identifier", Other),
        ("shorthand_property_identifier_pattern", Other),
    ],
    paths: &["string"],
    rules: &[ECMA_RULES, JSX_RULES],
};

pub(in crate::symbol) const TYPESCRIPT: Table = Table {
    names: &[
        ("identifier", Other),
        ("property_identifier", Other),
        ("private_property_identifier", Other),
        ("shorthand_property_identifier", Other),
        ("shorthand_property_identifier_pattern", Other),
        ("type_identifier", Type),
    ],
    paths: &["string"],
    rules: &[ECMA_RULES, TYPESCRIPT_RULES],
};

pub(in crate::symbol) const TSX: Table =
    Table { rules: &[ECMA_RULES, TYPESCRIPT_RULES, JSX_RULES], ..TYPESCRIPT };
