//! Checks the pattern language against itself: printing reproduces the parsed pattern.

use super::pattern_tree::{Tree, is_normal, is_true, leaf_text, values};
use proptest::prelude::*;
use searchscope::fuzzing::parse_pattern as parse;

fn any_leaf() -> impl Strategy<Value = String> {
    let path = "[a-c/*.~# é0-9-]{1,8}";
    let path_leaf = (
        prop::sample::select(vec!["file", "ext"]),
        prop::option::of("[^\\]]{1,5}"),
        path.prop_map(|body: String| body.split("  ").collect::<Vec<_>>().join(" ")),
    );
    let class = prop::sample::select(vec!["", "src", "lib", "problem"]);
    let class_leaf = (class, prop::option::of("[^\\]]{1,5}"), "[.*]{0,2}[$a-c][$.*]{0,2}");
    prop_oneof![
        path_leaf
            .prop_filter("one space", |(_, _, body)| !body.contains("  "))
            .prop_map(|(prefix, filter, body)| leaf_text(prefix, filter.as_deref(), &body)),
        class_leaf.prop_map(|(prefix, filter, body)| leaf_text(prefix, filter.as_deref(), &body)),
        "\\$?[a-cé1_]{1,4}".prop_map(|name| format!("${name}")),
        Just("projectPath:/a*".to_owned()),
    ]
}

fn any_tree() -> impl Strategy<Value = Tree> {
    any_leaf().prop_map(Tree::Leaf).prop_recursive(6, 60, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|tree| Tree::Not(Box::new(tree))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Tree::And),
            prop::collection::vec(inner, 2..4).prop_map(Tree::Or),
        ]
    })
}

/// Draws texts of tokens in any order, most of which are not patterns.
fn any_text() -> impl Strategy<Value = String> {
    let tokens = [
        "a",
        "b1",
        "$x",
        "$",
        "file",
        "file:",
        "src[",
        "]",
        "[",
        ":",
        "(",
        ")",
        "!",
        "&&",
        "||",
        "|",
        " ",
        "\t\n",
        "*",
        "**",
        "/",
        "//",
        ".",
        "..",
        "-",
        "~",
        "#",
        "1",
        "é",
        "😀",
        "\u{301}",
        "+",
        "and",
        " or ",
        "not ",
        "projectPath:",
        "prob:",
        "lib:",
        "ext[m]:",
        "\u{85}",
        "\0",
    ];
    prop_oneof![
        prop::collection::vec(prop::sample::select(tokens.to_vec()), 0..12)
            .prop_map(|tokens| tokens.concat()),
        "(?s).{0,20}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_tree_is_the_tree(tree in any_tree(), trues in any::<u64>()) {
        let set = parse(&tree.written()).expect("written with all its parentheses");
        let text = &set.text;
        prop_assert!(is_normal(&set), "{:?}", set);
        prop_assert_eq!(parse(text), Ok(set.clone()), "{}", text);
        // Flattening and printing keep the meaning.
        let of = |leaf: &str| is_true(leaf, trues);
        prop_assert_eq!(vec![tree.value(&of)], values(&set, &of), "{}", text);
    }

    #[test]
    fn every_text_is_a_pattern_or_a_mistake_with_its_position(text in any_text()) {
        match parse(&text) {
            Ok(set) => {
                prop_assert!(is_normal(&set));
                let normal = &set.text;
                prop_assert_eq!(parse(normal), Ok(set.clone()), "{}", normal);
            }
            Err(error) => {
                let before = text.get(..error.span.start).expect("a span between characters");
                prop_assert!(text.get(error.span.clone()).is_some());
                prop_assert_eq!(before.encode_utf16().count() + 1, error.position);
                prop_assert!(!error.message.is_empty());
                let hint = error.hint.unwrap_or_default();
                prop_assert!(hint.ends_with('.'), "{hint:?}");
            }
        }
    }
}
