//! A compiled scope: a frozen expression over leaves that are facts about a file.
//!
//! The logic has three values, so that one evaluation answers both questions: for a file a leaf is
//! `NONE` or `ALL`; for everything below a directory it may also be `SOME`. Conjunction is the
//! minimum, disjunction the maximum, and the complement `ALL - value`. `SOME` is conservative:
//! `a && !a` of `SOME` stays `SOME`, so a walk may enter a directory in vain but never prunes one
//! that contains a file of the scope.
//!
//! A scope may list 100,000 files, and few of those leaves hold for any one file. Evaluation is
//! therefore incremental. Large operands become definitions; a base row contains the values of all
//! definitions when no numbered leaf holds, and is cached by the values of the leaves that are
//! queried one by one. A call copies the row, sets the leaves that hold, and recomputes only their
//! users. Invariant: a definition uses only earlier ones, so one pass over the dirty bits in
//! ascending order recomputes each at most once. Evaluating the whole program per file was rejected,
//! because its cost grows with the program; a BDD was rejected, because its size can explode.

use super::regions::{Roots, number};
use crate::workspace::RelPath;
use std::collections::HashMap;
use std::hash::Hash;

/// The share of the files in question that belong: none, some or all.
pub(super) type Value = u8;
pub(in crate::scope) const NONE: Value = 0;
pub(super) const SOME: Value = 1;
pub(in crate::scope) const ALL: Value = 2;

/// A fact about a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::scope) enum Leaf {
    /// In the project's content: in no library, neither excluded nor ignored.
    Project,
    /// In a library.
    Library,
    /// In the content, below a production source root.
    Production,
    /// In the content, below a test source root, or a test by its name.
    Test,
    /// In the content, below a source root, so that it has a package.
    Source,
    /// In the content, below a root of generated sources.
    Generated,
    /// The innermost source or class root is one of these.
    Roots(Roots),
    /// Its module passes the filter of this number.
    Module(u32),
    /// Its library passes the filter of this number.
    LibraryName(u32),
    /// In a directory; below it at any depth if `deep`.
    Dir { path: RelPath, deep: bool },
    /// In the list of this number.
    Files(u32),
    /// Modified since the time stored in the scope.
    Recent,
    /// The body of this number matches the path of the subject.
    Body(Subject, u32),
}

impl Leaf {
    /// Returns whether a scope may have many leaves of this kind, of which few hold for any one file. Callers
    /// pass these by number.
    fn is_known_by_number(&self) -> bool {
        matches!(self, Leaf::Dir { .. } | Leaf::Files(_) | Leaf::Body(..))
    }
}

/// The text that the body of a pattern is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::scope) enum Subject {
    /// The path below the innermost content root.
    Content,
    /// The path below the innermost content root that is not that of a source set: the directory of the
    /// project in a build.
    BuildProject,
    /// The path below the root of the library.
    Library,
    /// The path below the root of the workspace.
    Project,
    /// The package and the name without its extension.
    Class,
}

impl Subject {
    pub(in crate::scope) const COUNT: usize = 5;
    pub(in crate::scope) const ALL: [Subject; Subject::COUNT] = [
        Subject::Content,
        Subject::BuildProject,
        Subject::Library,
        Subject::Project,
        Subject::Class,
    ];
}

/// One step of an expression in reverse Polish notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::scope) enum Step {
    Const(Value),
    Leaf(u32),
    /// The value of an earlier definition.
    Definition(u32),
    And(u32),
    Or(u32),
    Not,
}

/// The minimum size of an operand that becomes a definition, so that its value is reused when its leaves do
/// not change.
const PART_STEPS: usize = 32;
/// The maximum number of base rows in the cache.
const BASES_MAX: usize = 256;

/// An expression whose large operands are definitions.
#[derive(Clone, Debug, Default, Hash)]
pub(in crate::scope) struct Formula {
    pub leaves: Vec<Leaf>,
    /// Leaves whose values the evaluation queries one by one.
    asked: Vec<u32>,
    /// Each definition uses only earlier ones; the last is the expression itself.
    definitions: Vec<Vec<Step>>,
    /// The definitions that use each leaf, and each definition.
    users_of_leaf: Vec<Vec<u32>>,
    users_of_definition: Vec<Vec<u32>>,
}

impl Formula {
    /// Returns the value of the expression. `known` lists the numbered leaves that are not `NONE`;
    /// `leaf` returns the values of all others.
    ///
    /// Starts from the cached base row and recomputes only the users of the `known` leaves.
    pub(super) fn value(
        &self,
        cache: &mut Evaluation,
        known: impl IntoIterator<Item = (u32, Value)>,
        leaf: &mut dyn FnMut(&Leaf) -> Value,
    ) -> Value {
        let Evaluation { leaves, definitions, stack, asked, dirty, bases } = cache;
        leaves.clear();
        leaves.resize(self.leaves.len(), NONE);
        asked.clear();
        for index in &self.asked {
            let value = leaf(&self.leaves[*index as usize]);
            asked.push(value);
            leaves[*index as usize] = value;
        }
        definitions.clear();
        match bases.get(asked) {
            Some(base) => definitions.extend_from_slice(base),
            None => {
                for steps in &self.definitions {
                    let value = run(steps, leaves, definitions, stack);
                    definitions.push(value);
                }
                // Clearing is enough: a walk soon meets the frequent combinations again, and an order of use
                // would have to be kept at every look-up.
                if bases.len() >= BASES_MAX {
                    bases.clear();
                }
                bases.insert(asked.clone(), definitions.clone());
            }
        }
        dirty.clear();
        dirty.resize(self.definitions.len().div_ceil(64), 0);
        for (index, value) in known {
            if leaves[index as usize] != value {
                leaves[index as usize] = value;
                mark(dirty, &self.users_of_leaf[index as usize]);
            }
        }
        // Users come after the definitions that they use, so none is recomputed twice.
        let mut word = 0;
        while word < dirty.len() {
            if dirty[word] == 0 {
                word += 1;
                continue;
            }
            let index = word * 64 + dirty[word].trailing_zeros() as usize;
            dirty[word] &= dirty[word] - 1;
            let value = run(&self.definitions[index], leaves, definitions, stack);
            if definitions[index] != value {
                definitions[index] = value;
                mark(dirty, &self.users_of_definition[index]);
            }
        }
        definitions.last().copied().unwrap_or(NONE)
    }
}

fn mark(dirty: &mut [u64], users: &[u32]) {
    for user in users {
        dirty[*user as usize / 64] |= 1 << (user % 64);
    }
}

/// Returns the value of one definition.
fn run(steps: &[Step], leaves: &[Value], definitions: &[Value], stack: &mut Vec<Value>) -> Value {
    stack.clear();
    for step in steps {
        let value = match *step {
            Step::Const(value) => value,
            Step::Leaf(index) => leaves[index as usize],
            Step::Definition(index) => definitions[index as usize],
            Step::And(n) => take(stack, n, ALL, Value::min),
            Step::Or(n) => take(stack, n, NONE, Value::max),
            Step::Not => ALL - stack.pop().unwrap_or(ALL),
        };
        stack.push(value);
    }
    stack.pop().unwrap_or(NONE)
}

/// Pops the last `n` values and joins them; `none` is the result for zero values.
fn take(stack: &mut Vec<Value>, n: u32, none: Value, join: fn(Value, Value) -> Value) -> Value {
    let first = stack.len().saturating_sub(n as usize);
    let value = stack[first..].iter().fold(none, |all, value| join(all, *value));
    stack.truncate(first);
    value
}

/// Reusable memory for evaluating one formula repeatedly.
#[derive(Debug, Default)]
pub(super) struct Evaluation {
    leaves: Vec<Value>,
    definitions: Vec<Value>,
    stack: Vec<Value>,
    asked: Vec<Value>,
    /// The definitions to recompute, one bit each.
    dirty: Vec<u64>,
    /// The values of all definitions when no numbered leaf holds, by the values of the queried leaves.
    bases: HashMap<Vec<Value>, Vec<Value>>,
}

/// Builds a formula; equal leaves are merged.
#[derive(Debug, Default)]
pub(in crate::scope) struct FormulaBuilder {
    formula: Formula,
    known: HashMap<Leaf, u32>,
}

impl FormulaBuilder {
    /// Returns the step that pushes the value of `leaf`.
    pub(in crate::scope) fn leaf(&mut self, leaf: Leaf) -> Step {
        let leaves = &mut self.formula.leaves;
        Step::Leaf(*self.known.entry(leaf).or_insert_with_key(|leaf| {
            leaves.push(leaf.clone());
            number(leaves.len() - 1)
        }))
    }

    /// Returns a step for the value of `steps`, which is computed once.
    pub(in crate::scope) fn define(&mut self, steps: Vec<Step>) -> Step {
        let steps = self.in_parts(steps);
        if let [only @ (Step::Const(_) | Step::Leaf(_) | Step::Definition(_))] = steps.as_slice() {
            return *only;
        }
        self.add(steps)
    }

    fn add(&mut self, steps: Vec<Step>) -> Step {
        self.formula.definitions.push(steps);
        Step::Definition(number(self.formula.definitions.len() - 1))
    }

    /// Returns the same steps with large operands replaced by definitions. In postfix order an operand is the
    /// end of the steps so far, so it is cut off without building a tree, and a deep program needs no
    /// recursion.
    fn in_parts(&mut self, steps: Vec<Step>) -> Vec<Step> {
        let mut parts = Vec::with_capacity(steps.len());
        // The number of steps of each operand on the stack.
        let mut sizes: Vec<usize> = Vec::new();
        for step in steps {
            let n = match step {
                Step::Const(_) | Step::Leaf(_) | Step::Definition(_) => 0,
                Step::Not => 1,
                Step::And(n) | Step::Or(n) => n as usize,
            };
            parts.push(step);
            let first = sizes.len().saturating_sub(n);
            let mut size = sizes.drain(first..).sum::<usize>() + 1;
            if size >= PART_STEPS {
                let part = parts.split_off(parts.len() - size);
                let step = self.add(part);
                parts.push(step);
                size = 1;
            }
            sizes.push(size);
        }
        parts
    }

    /// Returns the formula with `steps` as its expression.
    pub(in crate::scope) fn finish(mut self, steps: Vec<Step>) -> Formula {
        let steps = self.in_parts(steps);
        self.add(steps);
        let mut formula = self.formula;
        let leaves = formula.leaves.iter().enumerate();
        let asked = leaves.filter(|(_, leaf)| !leaf.is_known_by_number());
        formula.asked = asked.map(|(index, _)| number(index)).collect();
        formula.users_of_leaf = vec![Vec::new(); formula.leaves.len()];
        formula.users_of_definition = vec![Vec::new(); formula.definitions.len()];
        for (user, steps) in (0..).zip(&formula.definitions) {
            for step in steps {
                let users = match step {
                    Step::Leaf(index) => &mut formula.users_of_leaf[*index as usize],
                    Step::Definition(index) => &mut formula.users_of_definition[*index as usize],
                    _ => continue,
                };
                if users.last() != Some(&user) {
                    users.push(user);
                }
            }
        }
        formula
    }
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
    fn many_leaves_are_reported_by_number() {
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

    #[test]
    fn rows_of_values_are_remembered_up_to_a_number() {
        let mut builder = FormulaBuilder::default();
        let mut steps: Vec<Step> = (0..6).map(|index| builder.leaf(Leaf::Module(index))).collect();
        steps.push(Step::Or(6));
        let formula = builder.finish(steps);
        let mut cache = Evaluation::default();
        let mut ask = |row: usize| {
            let value = formula.value(&mut cache, [], &mut |leaf| match leaf {
                Leaf::Module(index) => {
                    let digit = row / 3usize.pow(*index) % 3;
                    [NONE, SOME, ALL][digit]
                }
                _ => NONE,
            });
            (value, cache.bases.len())
        };
        for row in 0..BASES_MAX {
            assert_eq!(ask(row).1, row + 1);
        }
        assert_eq!(ask(0), (NONE, BASES_MAX), "known already");
        for row in BASES_MAX..3usize.pow(6) {
            assert!(ask(row).1 <= BASES_MAX, "row {row}");
        }
    }

    #[test]
    fn a_long_expression_is_evaluated_in_parts() {
        let mut builder = FormulaBuilder::default();
        let mut steps = vec![builder.leaf(Leaf::Module(0))];
        for index in 1..200 {
            steps.extend([builder.leaf(Leaf::Module(index)), Step::And(2)]);
        }
        let n_steps = steps.len();
        let definitions = builder.finish(steps).definitions;
        let longest = definitions.iter().map(Vec::len).max();
        assert!(longest <= Some(PART_STEPS + 1), "{longest:?}");
        assert!(definitions.len() <= n_steps / (PART_STEPS - 2), "{}", definitions.len());
    }

    proptest! {
        /// A value computed from unknown leaves holds for every choice of them.
        #[test]
        fn unknown_values_are_never_reported_as_known(
            // Long enough for more definitions than one word has bits.
            ops in prop_oneof![1usize..300, 2_500usize..4_000]
                .prop_flat_map(|n| proptest::collection::vec(0u8..4, n)),
            unknown in proptest::collection::vec(0u8..3, 300),
            chosen in proptest::collection::vec(any::<bool>(), 300),
            numbered in proptest::collection::vec(any::<bool>(), 300),
        ) {
            let mut builder = FormulaBuilder::default();
            let (mut steps, mut depth) = (Vec::new(), 0);
            for (index, op) in ops.iter().enumerate() {
                match op {
                    1 if depth >= 2 => { steps.push(Step::And(2)); depth -= 1; }
                    2 if depth >= 2 => { steps.push(Step::Or(2)); depth -= 1; }
                    3 if depth >= 1 => steps.push(Step::Not),
                    _ => {
                        let leaf = match numbered[index % numbered.len()] {
                            true => Leaf::Files(number(index)),
                            false => Leaf::Module(number(index)),
                        };
                        steps.push(builder.leaf(leaf));
                        depth += 1;
                    }
                }
            }
            steps.push(Step::And(depth));
            let whole = steps.clone();
            let formula = builder.finish(steps);
            let at = |leaf: &Leaf| match leaf {
                Leaf::Module(index) | Leaf::Files(index) => *index as usize,
                _ => 0,
            };
            let unknown = |index: usize| unknown[index % unknown.len()];
            let known = |index: usize| match unknown(index) {
                SOME => if chosen[index % chosen.len()] { ALL } else { NONE },
                value => value,
            };
            // One cache for all calls, as in a walk.
            let mut cache = Evaluation::default();
            let mut value = |of: &dyn Fn(usize) -> Value| {
                let numbered = (0..).zip(&formula.leaves);
                let numbered = numbered.filter(|(_, leaf)| leaf.is_known_by_number());
                let known: Vec<_> = numbered.map(|(index, leaf)| (index, of(at(leaf)))).collect();
                let value = formula.value(&mut cache, known, &mut |leaf| of(at(leaf)));
                // The value of the whole program without definitions.
                let leaves: Vec<Value> = formula.leaves.iter().map(|leaf| of(at(leaf))).collect();
                assert_eq!(value, run(&whole, &leaves, &[], &mut Vec::new()));
                value
            };
            let of_all = value(&unknown);
            let of_one = value(&known);
            prop_assert_eq!(value(&unknown), of_all);
            prop_assert_ne!(of_one, SOME);
            prop_assert!(of_all == SOME || of_all == of_one);
        }
    }
}
