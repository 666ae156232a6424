//! A parsed scope pattern, and its text.
//!
//! A pattern is a program in postfix order and not a tree of boxes, so that nothing that is done with
//! it, dropping it included, recurses. It is kept in its normal form: a union holds no union and an
//! intersection no intersection, so patterns with the same text are equal.

use std::borrow::Cow;

/// A parsed pattern: never empty, and always whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PackageSet {
    ops: Vec<Op>,
}

/// One step of a pattern; operators take what stands before them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Leaf(Leaf),
    /// Another scope, by its name: what follows the `$`.
    Ref(String),
    /// Takes one operand.
    Not,
    /// Takes so many operands, two or more, none of which is an `And`.
    And(u32),
    /// Takes so many operands, two or more, none of which is an `Or`.
    Or(u32),
}

/// A pattern of paths or of classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Leaf {
    pub prefix: Prefix,
    /// What stands in the brackets, as it was written.
    pub filter: Option<String>,
    /// The pattern itself; every run of blanks is one space.
    pub body: String,
}

/// What a leaf is about.
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
    /// All that are written.
    pub(crate) const ALL: [Prefix; 7] = [
        Prefix::File,
        Prefix::Ext,
        Prefix::ProjectPath,
        Prefix::Src,
        Prefix::Test,
        Prefix::Lib,
        Prefix::Problem,
    ];

    /// As it is written, without the colon.
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

    /// Whether the body is about a path, and not about the name of a class.
    pub(crate) const fn is_path(self) -> bool {
        matches!(self, Prefix::File | Prefix::Ext | Prefix::ProjectPath)
    }
}

impl Leaf {
    /// What a path or a class name is held against: the body, but `projectPath` drops one leading `/`.
    pub(crate) fn match_body(&self) -> &str {
        match self.prefix {
            Prefix::ProjectPath => self.body.strip_prefix('/').unwrap_or(&self.body),
            _ => &self.body,
        }
    }

    /// The normal form of this leaf alone.
    pub(crate) fn text(&self) -> String {
        let prefix = self.prefix.text();
        match &self.filter {
            Some(filter) => format!("{prefix}[{filter}]:{}", self.body),
            // Without the colon it would be a reference.
            None if prefix.is_empty() && self.body.starts_with('$') => format!(":{}", self.body),
            None if prefix.is_empty() => self.body.clone(),
            None => format!("{prefix}:{}", self.body),
        }
    }
}

impl PackageSet {
    /// The steps, operands before their operators.
    pub(crate) fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The normal form: parsed again, it gives an equal pattern. This is what is kept and hashed.
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

/// An operator whose text is being written, from its end.
struct Open {
    operator: Operator,
    /// The operands that are still to be written.
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

/// Writes what stands before an operand that has just been written, up to where the next one begins.
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

/// Builds a pattern step by step, flattening as it goes.
#[derive(Debug, Default)]
pub(super) struct Builder {
    ops: Vec<Op>,
}

/// Counts the operands of an operator that is being built.
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

    /// Counts the last operand as one of an intersection; those of an inner one are taken over.
    pub(super) fn operand_of_and(&mut self, operands: &mut Operands) {
        match self.ops.pop_if(|op| matches!(op, Op::And(_))) {
            Some(Op::And(n)) => operands.0 += n,
            _ => operands.0 += 1,
        }
    }

    /// Counts the last operand as one of a union; those of an inner one are taken over.
    pub(super) fn operand_of_or(&mut self, operands: &mut Operands) {
        match self.ops.pop_if(|op| matches!(op, Op::Or(_))) {
            Some(Op::Or(n)) => operands.0 += n,
            _ => operands.0 += 1,
        }
    }

    /// Ends an intersection; one operand alone stays what it is.
    pub(super) fn and(&mut self, operands: &mut Operands) {
        let Operands(n) = std::mem::take(operands);
        if n > 1 {
            self.ops.push(Op::And(n));
        }
    }

    /// Ends a union; one operand alone stays what it is.
    pub(super) fn or(&mut self, operands: &mut Operands) {
        let Operands(n) = std::mem::take(operands);
        if n > 1 {
            self.ops.push(Op::Or(n));
        }
    }

    /// The pattern, when everything that was begun has been ended.
    pub(in crate::scope) fn finish(self) -> PackageSet {
        PackageSet { ops: self.ops }
    }
}
