//! A scope pattern as a tree, with the meaning that its postfix program must have.

use searchscope::fuzzing::{PatternOp as Op, ScopePattern};

/// A pattern as in the IDE, of any shape, including ones that are not in normal form.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    /// A leaf or a reference, as its text.
    Leaf(String),
    Not(Box<Tree>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
}

impl Tree {
    /// Prints the pattern with all optional parentheses.
    pub(crate) fn written(&self) -> String {
        let join = |trees: &[Tree], operator: &str| {
            let parts: Vec<String> =
                trees.iter().map(|tree| format!("({})", tree.written())).collect();
            parts.join(operator)
        };
        match self {
            Tree::Leaf(text) => text.clone(),
            Tree::Not(tree) => format!("!({})", tree.written()),
            Tree::And(trees) => join(trees, "&&"),
            Tree::Or(trees) => join(trees, "||"),
        }
    }

    /// Evaluates the pattern with `of` as the value of its leaves.
    pub(crate) fn value(&self, of: &impl Fn(&str) -> bool) -> bool {
        match self {
            Tree::Leaf(text) => of(text),
            Tree::Not(tree) => !tree.value(of),
            Tree::And(trees) => trees.iter().all(|tree| tree.value(of)),
            Tree::Or(trees) => trees.iter().any(|tree| tree.value(of)),
        }
    }
}

/// Returns the value of a leaf in a draw of 64 bits; equal leaves have equal values.
pub(crate) fn is_true(leaf: &str, trues: u64) -> bool {
    let sum: usize = leaf.bytes().map(usize::from).sum();
    trues >> (sum % 64) & 1 == 1
}

/// Runs the postfix program and returns its final stack.
pub(crate) fn values(pattern: &ScopePattern, of: &impl Fn(&str) -> bool) -> Vec<bool> {
    let mut values: Vec<bool> = Vec::new();
    for op in &pattern.ops {
        let value = match op {
            Op::Leaf(text) => of(text),
            Op::Not => !values.pop().expect("an operand"),
            Op::And(n) => values.split_off(values.len() - *n).iter().all(|value| *value),
            Op::Or(n) => values.split_off(values.len() - *n).iter().any(|value| *value),
        };
        values.push(value);
    }
    values
}

/// Returns whether the pattern is in normal form: no operator has an operand of its own kind, or fewer
/// than two operands.
pub(crate) fn is_normal(pattern: &ScopePattern) -> bool {
    let mut roots: Vec<&Op> = Vec::new();
    for op in &pattern.ops {
        let n = match op {
            Op::Leaf(_) => 0,
            Op::Not => 1,
            Op::And(n) | Op::Or(n) => *n,
        };
        let taken = roots.split_off(roots.len() - n);
        let is_same =
            |taken: &&Op| matches!((op, taken), (Op::And(_), Op::And(_)) | (Op::Or(_), Op::Or(_)));
        if taken.iter().any(is_same) || (matches!(op, Op::And(_) | Op::Or(_)) && n < 2) {
            return false;
        }
        roots.push(op);
    }
    true
}

/// Prints a leaf. A leaf that begins with `$` gets a colon before it, which distinguishes it from a
/// reference.
pub(crate) fn leaf_text(prefix: &str, filter: Option<&str>, body: &str) -> String {
    match filter {
        Some(filter) => format!("{prefix}[{filter}]:{body}"),
        None if prefix.is_empty() && body.starts_with('$') => format!(":{body}"),
        None if prefix.is_empty() => body.to_owned(),
        None => format!("{prefix}:{body}"),
    }
}
