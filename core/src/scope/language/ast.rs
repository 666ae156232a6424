//! A parsed scope pattern and its normal form.
//!
//! A pattern is a program in postfix order rather than a tree, so no operation on it recurses, including
//! drop. It is kept flattened: a union contains no union and an intersection no intersection, so patterns
//! with equal text are equal.

use std::borrow::Cow;

/// A parsed pattern: complete and never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PackageSet {
    ops: Vec<Op>,
}

/// One step of a pattern; operators follow their operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Leaf(Leaf),
    /// Another scope, by the name after the `$`.
    Ref(String),
    /// Takes one operand.
    Not,
    /// The number of operands, at least two and none of them an `And`.
    And(u32),
    /// The number of operands, at least two and none of them an `Or`.
    Or(u32),
}

/// A pattern of paths or of classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Leaf {
    pub prefix: Prefix,
    /// The text in the brackets, as written.
    pub filter: Option<String>,
    /// The pattern itself; each run of blanks is one space.
    pub body: String,
}

/// The subject of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Prefix {
    /// Classes of the project.
    None,
    File,
    Ext,
    ProjectPath,
    Src,
    Test,
    Lib,
    Problem,
}

impl Prefix {
    /// All prefixes that can be written.
    pub(crate) const ALL: [Prefix; 7] = [
        Prefix::File,
        Prefix::Ext,
        Prefix::ProjectPath,
        Prefix::Src,
        Prefix::Test,
        Prefix::Lib,
        Prefix::Problem,
    ];

    /// Returns the prefix as written, without the colon.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Prefix::None => "",
            Prefix::File => "file",
            Prefix::Ext => "ext",
            Prefix::ProjectPath => "projectPath",
            Prefix::Src => "src",
            Prefix::Test => "test",
            Prefix::Lib => "lib",
            Prefix::Problem => "problem",
        }
    }

    /// Returns whether the body matches paths rather than class names.
    pub(crate) const fn is_path(self) -> bool {
        matches!(self, Prefix::File | Prefix::Ext | Prefix::ProjectPath)
    }
}

impl Leaf {
    /// Returns the body as paths or class names are matched with it: `projectPath` drops one leading `/`.
    pub(crate) fn match_body(&self) -> &str {
        match self.prefix {
            Prefix::ProjectPath => self.body.strip_prefix('/').unwrap_or(&self.body),
            _ => &self.body,
        }
    }

    /// Returns the normal form of this leaf.
    pub(crate) fn text(&self) -> String {
        let prefix = self.prefix.text();
        match &self.filter {
            Some(filter) => format!("{prefix}[{filter}]:{}", self.body),
            // Without the colon this would be a reference.
            None if prefix.is_empty() && self.body.starts_with('$') => format!(":{}", self.body),
            None if prefix.is_empty() => self.body.clone(),
            None => format!("{prefix}:{}", self.body),
        }
    }
}

impl PackageSet {
    /// Returns the steps; operands precede their operators.
    pub(crate) fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Returns the normal form, which parses to an equal pattern. This text is stored and hashed.
    pub(crate) fn text(&self) -> String {
        let mut reversed: Vec<Cow<'_, str>> = Vec::with_capacity(2 * self.ops.len());
        let mut open: Vec<Open> = Vec::new();
        for op in self.ops.iter().rev() {
            let in_parens = open.last().is_some_and(|parent| parent.operator.puts_in_parens(op));
            if in_parens {
                reversed.push(")".into());
            }
            let (operator, n_left) = match op {
                Op::Not => (Operator::Not, 1),
                Op::And(n) => (Operator::And, *n),
                Op::Or(n) => (Operator::Or, *n),
                Op::Leaf(leaf) => {
                    reversed.push(leaf.text().into());
                    close(&mut open, &mut reversed);
                    continue;
                }
                Op::Ref(name) => {
                    reversed.push(format!("${name}").into());
                    close(&mut open, &mut reversed);
                    continue;
                }
            };
            open.push(Open { operator, n_left, in_parens });
        }
        reversed.iter().rev().map(AsRef::as_ref).collect()
    }
}

/// An operator whose text is being written from the end.
struct Open {
    operator: Operator,
    /// The number of operands still to be written.
    n_left: u32,
    in_parens: bool,
}

#[derive(Clone, Copy)]
enum Operator {
    Not,
    And,
    Or,
}

impl Operator {
    fn puts_in_parens(self, operand: &Op) -> bool {
        match self {
            Operator::Not => matches!(operand, Op::And(_) | Op::Or(_)),
            Operator::And => matches!(operand, Op::Or(_)),
            Operator::Or => false,
        }
    }
}

/// Writes the text that precedes the operand just written, up to the start of the next one.
fn close(open: &mut Vec<Open>, reversed: &mut Vec<Cow<'_, str>>) {
    while let Some(parent) = open.last_mut() {
        parent.n_left -= 1;
        if parent.n_left > 0 {
            reversed
                .push(if matches!(parent.operator, Operator::And) { "&&" } else { "||" }.into());
            return;
        }
        if matches!(parent.operator, Operator::Not) {
            reversed.push("!".into());
        }
        if parent.in_parens {
            reversed.push("(".into());
        }
        open.pop();
    }
}

/// Builds a pattern step by step and flattens it.
#[derive(Debug, Default)]
pub(super) struct Builder {
    ops: Vec<Op>,
}

/// The number of operands of an operator under construction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Operands(u32);

impl Builder {
    /// Adds a leaf or a reference.
    pub(super) fn push(&mut self, operand: Op) {
        self.ops.push(operand);
    }

    /// Negates the last operand.
    pub(super) fn not(&mut self) {
        self.ops.push(Op::Not);
    }

    /// Counts the last operand as one of an intersection and absorbs the operands of an inner one.
    pub(super) fn operand_of_and(&mut self, operands: &mut Operands) {
        match self.ops.pop_if(|op| matches!(op, Op::And(_))) {
            Some(Op::And(n)) => operands.0 += n,
            _ => operands.0 += 1,
        }
    }

    /// Counts the last operand as one of a union and absorbs the operands of an inner one.
    pub(super) fn operand_of_or(&mut self, operands: &mut Operands) {
        match self.ops.pop_if(|op| matches!(op, Op::Or(_))) {
            Some(Op::Or(n)) => operands.0 += n,
            _ => operands.0 += 1,
        }
    }

    /// Ends an intersection; a single operand is left as it is.
    pub(super) fn and(&mut self, operands: &mut Operands) {
        let Operands(n) = std::mem::take(operands);
        if n > 1 {
            self.ops.push(Op::And(n));
        }
    }

    /// Ends a union; a single operand is left as it is.
    pub(super) fn or(&mut self, operands: &mut Operands) {
        let Operands(n) = std::mem::take(operands);
        if n > 1 {
            self.ops.push(Op::Or(n));
        }
    }

    /// Returns the pattern. The caller must have ended every operator.
    pub(in crate::scope) fn finish(self) -> PackageSet {
        PackageSet { ops: self.ops }
    }
}
