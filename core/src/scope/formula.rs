//! What a scope comes to: a frozen expression over leaves that are facts about a file.
//!
//! Values are of three kinds, so that one evaluation serves both questions: for a file a leaf is
//! `NONE` or `ALL`, for everything below a directory it may also be `SOME`. And is the least, or the
//! greatest, and the complement turns the scale around.

use super::regions::Roots;
use crate::workspace::RelPath;
use std::collections::HashMap;
use std::hash::Hash;

/// How many of the files in question belong.
pub(super) type Value = u8;
pub(super) const NONE: Value = 0;
pub(super) const SOME: Value = 1;
pub(super) const ALL: Value = 2;

/// A fact about a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Leaf {
    /// In the project's content: in no library, neither excluded nor ignored.
    Project,
    /// In a library.
    Library,
    /// Of the content: below a root of production sources.
    Production,
    /// Of the content: below a root of tests, or a test by its name.
    Test,
    /// Of the content: below a root of sources, so that it has a package.
    Source,
    /// Of the content: below a root of what a tool has made.
    Generated,
    /// The root of sources or classes that it is nearest to is one of these.
    Roots(Roots),
    /// Its module passes the filter of this number.
    Module(u32),
    /// Its library passes the filter of this number.
    LibraryName(u32),
    /// In a directory; below it at any depth if `deep`.
    Dir { path: RelPath, deep: bool },
    /// In the list of this number.
    Files(u32),
    /// Modified since the moment that the scope knows.
    Recent,
    /// The body of this number matches what the subject makes of its path.
    Body(Subject, u32),
}

impl Leaf {
    /// Whether there may be many of the kind, of which few hold for a file: those are told by their
    /// numbers.
    fn is_known_by_number(&self) -> bool {
        matches!(self, Leaf::Dir { .. } | Leaf::Files(_) | Leaf::Body(..))
    }
}

/// What the body of a pattern is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    /// The path below the innermost content root.
    Content,
    /// The path below the root of the library.
    Library,
    /// The path below the root of the workspace.
    Project,
    /// The package and the name without its extension.
    Class,
}

impl Subject {
    pub(super) const ALL: [Subject; 4] =
        [Subject::Content, Subject::Library, Subject::Project, Subject::Class];
}

/// One step of an expression in reverse Polish notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Const(Value),
    Leaf(u32),
    /// The value of an earlier definition.
    Definition(u32),
    And(u32),
    Or(u32),
    Not,
}

/// An expression, with parts that have a value of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Formula {
    pub leaves: Vec<Leaf>,
    /// Those of which whoever evaluates is asked one by one.
    asked: Vec<u32>,
    /// Each uses only those before it; the last one is the expression itself.
    definitions: Vec<Vec<Step>>,
}

impl Formula {
    /// The value, given those of the leaves: first `known` ones by their numbers, of which the others
    /// are `NONE`, then what `leaf` says of those that nobody knows by number.
    pub(super) fn value(
        &self,
        memory: &mut Evaluation,
        known: impl IntoIterator<Item = (u32, Value)>,
        leaf: &mut dyn FnMut(&Leaf) -> Value,
    ) -> Value {
        let Evaluation { leaves, definitions, stack } = memory;
        leaves.clear();
        leaves.resize(self.leaves.len(), NONE);
        for (index, value) in known {
            leaves[index as usize] = value;
        }
        for index in &self.asked {
            leaves[*index as usize] = leaf(&self.leaves[*index as usize]);
        }
        definitions.clear();
        for steps in &self.definitions {
            stack.clear();
            for step in steps {
                let value = match *step {
                    Step::Const(value) => value,
                    Step::Leaf(index) => leaves[index as usize],
                    Step::Definition(index) => definitions[index as usize],
                    Step::And(n) => take(stack, n).min().unwrap_or(ALL),
                    Step::Or(n) => take(stack, n).max().unwrap_or(NONE),
                    Step::Not => ALL - stack.pop().unwrap_or(ALL),
                };
                stack.push(value);
            }
            definitions.push(stack.pop().unwrap_or(NONE));
        }
        definitions.last().copied().unwrap_or(NONE)
    }
}

/// Takes the last `n` values away.
fn take(stack: &mut Vec<Value>, n: u32) -> impl Iterator<Item = Value> {
    let first = stack.len().saturating_sub(n as usize);
    stack.drain(first..)
}

/// Memory for evaluating formulas, again and again.
#[derive(Debug, Default)]
pub(super) struct Evaluation {
    leaves: Vec<Value>,
    definitions: Vec<Value>,
    stack: Vec<Value>,
}

/// Makes a formula; equal leaves become one.
#[derive(Debug, Default)]
pub(super) struct FormulaBuilder {
    formula: Formula,
    known: HashMap<Leaf, u32>,
}

impl FormulaBuilder {
    /// The step that gives a leaf.
    pub(super) fn leaf(&mut self, leaf: Leaf) -> Step {
        let leaves = &mut self.formula.leaves;
        Step::Leaf(*self.known.entry(leaf).or_insert_with_key(|leaf| {
            leaves.push(leaf.clone());
            number(leaves.len() - 1)
        }))
    }

    /// The step that gives the value of `steps`, which are worked out once.
    pub(super) fn define(&mut self, steps: Vec<Step>) -> Step {
        if let [only @ (Step::Const(_) | Step::Leaf(_) | Step::Definition(_))] = steps.as_slice() {
            return *only;
        }
        self.formula.definitions.push(steps);
        Step::Definition(number(self.formula.definitions.len() - 1))
    }

    /// The formula with `steps` as its expression.
    pub(super) fn finish(mut self, steps: Vec<Step>) -> Formula {
        self.formula.definitions.push(steps);
        let leaves = self.formula.leaves.iter().enumerate();
        let asked = leaves.filter(|(_, leaf)| !leaf.is_known_by_number());
        self.formula.asked = asked.map(|(index, _)| number(index)).collect();
        self.formula
    }
}

/// A place in a list that is bounded far below this.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(steps: Vec<Step>) -> Value {
        let formula = FormulaBuilder::default().finish(steps);
        formula.value(&mut Evaluation::default(), [], &mut |_| NONE)
    }

    #[test]
    fn the_scale_of_values() {
        use Step::{And, Const, Not, Or};
        assert_eq!(value(vec![Const(ALL), Const(SOME), And(2)]), SOME);
        assert_eq!(value(vec![Const(ALL), Const(NONE), And(2)]), NONE);
        assert_eq!(value(vec![Const(SOME), Const(NONE), Or(2)]), SOME);
        assert_eq!(value(vec![Const(SOME), Not]), SOME);
        assert_eq!(value(vec![Const(ALL), Const(ALL), Const(SOME), And(3), Not]), SOME);
    }

    #[test]
    fn equal_leaves_and_single_steps_are_kept_once() {
        let mut builder = FormulaBuilder::default();
        let first = builder.leaf(Leaf::Project);
        assert_eq!(builder.leaf(Leaf::Test), Step::Leaf(1));
        assert_eq!(builder.leaf(Leaf::Project), first);
        assert_eq!(builder.define(vec![first]), first);
        assert_eq!(builder.define(vec![first, Step::Not]), Step::Definition(0));
    }

    #[test]
    fn leaves_that_are_many_are_told_by_number() {
        let mut builder = FormulaBuilder::default();
        let steps = vec![builder.leaf(Leaf::Files(0)), builder.leaf(Leaf::Project), Step::And(2)];
        let formula = builder.finish(steps);
        let value = |known: &[(u32, Value)]| {
            formula.value(&mut Evaluation::default(), known.iter().copied(), &mut |leaf| {
                assert_eq!(leaf, &Leaf::Project);
                ALL
            })
        };
        assert_eq!((value(&[]), value(&[(0, SOME)])), (NONE, SOME));
    }

    proptest! {
        /// With leaves of unknown value, what is said of all of them holds for each choice.
        #[test]
        fn unknown_values_are_never_told_wrongly(
            ops in proptest::collection::vec(0u8..4, 1..40),
            unknown in proptest::collection::vec(0u8..3, 40),
            chosen in proptest::collection::vec(any::<bool>(), 40),
        ) {
            let mut builder = FormulaBuilder::default();
            let (mut steps, mut depth) = (Vec::new(), 0);
            for (index, op) in ops.iter().enumerate() {
                match op {
                    1 if depth >= 2 => { steps.push(Step::And(2)); depth -= 1; }
                    2 if depth >= 2 => { steps.push(Step::Or(2)); depth -= 1; }
                    3 if depth >= 1 => steps.push(Step::Not),
                    _ => { steps.push(builder.leaf(Leaf::Module(number(index)))); depth += 1; }
                }
            }
            steps.push(Step::And(depth));
            let formula = builder.finish(steps);
            let at = |leaf: &Leaf| match leaf { Leaf::Module(index) => *index as usize, _ => 0 };
            let known = |index: usize| match unknown[index] {
                SOME => if chosen[index] { ALL } else { NONE },
                value => value,
            };
            let mut memory = Evaluation::default();
            let of_all = formula.value(&mut memory, [], &mut |leaf| unknown[at(leaf)]);
            let of_one = formula.value(&mut memory, [], &mut |leaf| known(at(leaf)));
            prop_assert_ne!(of_one, SOME);
            prop_assert!(of_all == SOME || of_all == of_one);
        }
    }
}
