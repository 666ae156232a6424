//! Programs in reverse Polish notation.

use super::atom::{FailureMode, ScopeAtom, codes};
use super::formula::{NONE, Step};
use crate::error::{Error, Result};
use crate::nearest::{shorten, unknown};
use std::collections::{BTreeSet, HashMap, HashSet};

codes! {
    /// What a token does.
    pub enum ScopeOp {
        /// Pushes an atom.
        PushAtom = "PUSH_ATOM",
        /// Takes two scopes and pushes what is in both.
        And = "AND",
        /// Takes two scopes and pushes what is in either.
        Or = "OR",
        /// Takes a scope and pushes everything else under the root.
        Not = "NOT",
    }
}

codes! {
    /// What a scope is made of, as IntelliJ's classes have it.
    pub enum ScopeShape {
        /// It is asked about files.
        Global = "GLOBAL",
        /// It is a list of places in files, and has no complement.
        Local = "LOCAL",
        /// Both; read in descriptors, never made: a union of both is global.
        Mixed = "MIXED",
    }
}

/// One token of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the fields are those of the contract")]
pub struct ScopeToken {
    /// What it does.
    pub op: ScopeOp,
    /// Of [`ScopeOp::PushAtom`] alone: which atom.
    pub atom_id: Option<String>,
}

/// A scope as an expression: atoms, and tokens in reverse Polish notation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the fields are those of the contract")]
pub struct ScopeProgram {
    /// What tokens may push; each has an id of its own. At most 1,024.
    pub atoms: Vec<ScopeAtom>,
    /// At least one and at most 4,096.
    pub tokens: Vec<ScopeToken>,
    /// Whether an atom that does not resolve fails the program.
    pub strict: bool,
    /// Whether scopes resolve that depend on what a user is just looking at.
    pub allow_ui_interactive_scopes: bool,
    /// What becomes of an atom that does not resolve and does not say so itself, where the program is
    /// not strict.
    pub non_strict_default_failure_mode: FailureMode,
}

impl ScopeProgram {
    /// A strict program of one atom.
    pub fn of(atom: ScopeAtom) -> ScopeProgram {
        let token = ScopeToken { op: ScopeOp::PushAtom, atom_id: Some(atom.atom_id.clone()) };
        ScopeProgram {
            atoms: vec![atom],
            tokens: vec![token],
            strict: true,
            allow_ui_interactive_scopes: false,
            non_strict_default_failure_mode: FailureMode::EmptyScope,
        }
    }
}

/// docs/contracts/general.md#limits.
const TOKENS_MAX: usize = 4_096;
const ATOMS_MAX: usize = 1_024;

/// What an atom has come to.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Resolved {
        step: Step,
        shape: ScopeShape,
    },
    /// It failed, and contains nothing.
    Empty,
    /// It failed, and is left out.
    Skipped,
}

/// What a program has come to.
pub(super) struct Outcomes {
    pub steps: Vec<Step>,
    pub expression: String,
    pub shape: ScopeShape,
    pub diagnostics: Vec<String>,
}

/// A part of the expression.
#[derive(Clone, Copy)]
struct Node {
    kind: NodeKind,
    shape: ScopeShape,
}

#[derive(Clone, Copy)]
enum NodeKind {
    Atom(usize),
    /// What stands in the place of something that has no complement.
    Empty,
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
}

impl ScopeProgram {
    /// Refuses what is no program, whatever its atoms are. Gives the place of each atom by its id.
    pub(super) fn check(&self) -> Result<HashMap<&str, usize>> {
        let too_many = |param, max, n| {
            let message = format!("'{param}' may be at most {max}, got {n}");
            Err(Error::invalid_param(param, message))
        };
        if self.tokens.is_empty() {
            return Err(Error::invalid_param("tokens", "'tokens' must not be empty"));
        }
        if self.tokens.len() > TOKENS_MAX {
            return too_many("tokens", TOKENS_MAX, self.tokens.len());
        }
        if self.atoms.len() > ATOMS_MAX {
            return too_many("atoms", ATOMS_MAX, self.atoms.len());
        }
        let mut places = HashMap::with_capacity(self.atoms.len());
        for (index, atom) in self.atoms.iter().enumerate() {
            let param = format!("atoms[{index}].atomId");
            if atom.atom_id.is_empty() {
                return Err(Error::invalid_param(&param, format!("'{param}' must not be empty")));
            }
            if let Some(first) = places.insert(atom.atom_id.as_str(), index) {
                let id = shorten(&atom.atom_id);
                let message = format!("'{param}' is '{id}', which is also that of atoms[{first}]");
                return Err(Error::invalid_param(&param, message));
            }
        }
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate() {
            depth = check_token(index, token, depth, &places)?;
        }
        if depth != 1 {
            let message = format!(
                "'tokens' leave {depth} scopes and must leave one: an AND or an OR is missing \
                 for each further one"
            );
            return Err(Error::invalid_param("tokens", message));
        }
        Ok(places)
    }

    /// Puts the outcomes of the atoms together; `names` are what people call them.
    pub(super) fn run(
        &self,
        places: &HashMap<&str, usize>,
        outcomes: &[Outcome],
        names: &[String],
    ) -> Result<Outcomes> {
        let mut run = Run { program: self, outcomes, nodes: Vec::new(), diagnostics: Vec::new() };
        let mut stack: Vec<Option<usize>> = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let node = match token.op {
                ScopeOp::PushAtom => {
                    let place = token.atom_id.as_deref().and_then(|id| places.get(id));
                    place.and_then(|place| run.push_atom(*place))
                }
                ScopeOp::Not => match stack.pop().flatten() {
                    Some(operand) => Some(run.not(index, operand)?),
                    None => {
                        run.diagnostics.push(format!(
                            "the NOT of tokens[{index}] is left out with the atom that it is about"
                        ));
                        None
                    }
                },
                op => {
                    let (right, left) = (stack.pop().flatten(), stack.pop().flatten());
                    match (left, right) {
                        (Some(left), Some(right)) => Some(run.binary(op, left, right)),
                        // What combines with nothing is what it was.
                        (left, right) => left.or(right),
                    }
                }
            };
            stack.push(node);
        }
        let Some(root) = stack.pop().flatten() else {
            let message = "nothing of the program is left: every atom failed and was skipped";
            return Err(Error::invalid_param("atoms", message));
        };
        run.warn_of_widened(root);
        run.warn_of_unused();
        Ok(Outcomes {
            steps: run.steps(root),
            expression: run.infix(root, names),
            shape: run.nodes[root].shape,
            diagnostics: run.diagnostics,
        })
    }
}

/// Checks one token; `depth` scopes are on the stack before it. Gives how many are behind it.
fn check_token(
    index: usize,
    token: &ScopeToken,
    depth: usize,
    places: &HashMap<&str, usize>,
) -> Result<usize> {
    let param = format!("tokens[{index}].atomId");
    let op = token.op.code();
    match (token.op, token.atom_id.as_deref()) {
        (ScopeOp::PushAtom, None) => {
            let message = format!("'{param}' is missing: {op} needs the id of an atom");
            return Err(Error::invalid_param(&param, message));
        }
        (ScopeOp::PushAtom, Some(id)) if !places.contains_key(id) => {
            let mut known: Vec<(&&str, &usize)> = places.iter().collect();
            known.sort_by_key(|(_, place)| **place);
            let known: Vec<&str> = known.into_iter().map(|(id, _)| *id).collect();
            let message = format!("'{param}': {}", unknown("atom", id, &known));
            return Err(Error::invalid_param(&param, message));
        }
        (ScopeOp::PushAtom, Some(_)) => return Ok(depth + 1),
        (_, Some(_)) => {
            let message = format!("'{param}' is only for PUSH_ATOM, and this is {op}");
            return Err(Error::invalid_param(&param, message));
        }
        (_, None) => {}
    }
    let taken = if token.op == ScopeOp::Not { 1 } else { 2 };
    if depth < taken {
        let param = format!("tokens[{index}].op");
        let message =
            format!("'{param}': {op} takes {taken} scopes from the stack, and {depth} are there");
        return Err(Error::invalid_param(&param, message));
    }
    Ok(depth - taken + 1)
}

/// A program that is being put together.
struct Run<'a> {
    program: &'a ScopeProgram,
    outcomes: &'a [Outcome],
    nodes: Vec<Node>,
    diagnostics: Vec<String>,
}

impl Run<'_> {
    /// Reports atoms that no token pushes: a caller that lists an atom means it to count.
    fn warn_of_unused(&mut self) {
        let pushed: HashSet<&str> =
            self.program.tokens.iter().filter_map(|token| token.atom_id.as_deref()).collect();
        let unused = self.program.atoms.iter().filter(|atom| !pushed.contains(&*atom.atom_id));
        self.diagnostics.extend(unused.map(|atom| {
            format!("atom '{}' changes nothing: no token pushes it", shorten(&atom.atom_id))
        }));
    }

    fn add(&mut self, kind: NodeKind, shape: ScopeShape) -> usize {
        self.nodes.push(Node { kind, shape });
        self.nodes.len() - 1
    }

    fn push_atom(&mut self, place: usize) -> Option<usize> {
        let shape = match &self.outcomes[place] {
            Outcome::Resolved { shape, .. } => *shape,
            Outcome::Empty => ScopeShape::Global,
            Outcome::Skipped => return None,
        };
        Some(self.add(NodeKind::Atom(place), shape))
    }

    fn binary(&mut self, op: ScopeOp, left: usize, right: usize) -> usize {
        use ScopeShape::{Global, Local};
        let locals = [left, right].iter().filter(|at| self.nodes[**at].shape == Local).count();
        match op {
            ScopeOp::And => {
                self.add(NodeKind::And(left, right), if locals > 0 { Local } else { Global })
            }
            _ => self.add(NodeKind::Or(left, right), if locals > 1 { Local } else { Global }),
        }
    }

    /// The complement; a local scope has none.
    fn not(&mut self, index: usize, operand: usize) -> Result<usize> {
        if self.nodes[operand].shape != ScopeShape::Local {
            return Ok(self.add(NodeKind::Not(operand), ScopeShape::Global));
        }
        let param = format!("tokens[{index}].op");
        let message = format!("'{param}': a LOCAL scope has no complement");
        let is_fatal = self.program.strict
            || self.program.non_strict_default_failure_mode == FailureMode::Fail;
        if is_fatal {
            let hint = "name its file as a FILES atom instead";
            return Err(Error::invalid_param(&param, format!("{message}; {hint}")));
        }
        self.diagnostics.push(format!("{message}; it contains nothing here"));
        Ok(self.add(NodeKind::Empty, ScopeShape::Global))
    }

    /// The parts below a part.
    fn below(&self, at: usize) -> [Option<usize>; 2] {
        match self.nodes[at].kind {
            NodeKind::Atom(_) | NodeKind::Empty => [None, None],
            NodeKind::Not(operand) => [Some(operand), None],
            NodeKind::And(left, right) | NodeKind::Or(left, right) => [Some(left), Some(right)],
        }
    }

    /// Says which failed atoms contain nothing where that makes the scope larger.
    fn warn_of_widened(&mut self, root: usize) {
        let mut open = vec![(root, false)];
        let mut widened = BTreeSet::new();
        while let Some((at, is_negated)) = open.pop() {
            if let NodeKind::Atom(place) = self.nodes[at].kind
                && matches!(self.outcomes[place], Outcome::Empty)
                && is_negated
            {
                widened.insert(place);
            }
            if matches!(self.nodes[at].kind, NodeKind::Empty) && is_negated {
                self.diagnostics.push(
                    "a LOCAL scope that contains nothing is under a further NOT: the scope was \
                     widened to more than was asked for"
                        .to_owned(),
                );
            }
            let is_negated = is_negated != matches!(self.nodes[at].kind, NodeKind::Not(_));
            open.extend(self.below(at).into_iter().flatten().map(|below| (below, is_negated)));
        }
        for place in widened {
            let id = shorten(&self.program.atoms[place].atom_id);
            self.diagnostics.push(format!(
                "atom '{id}' failed and contains nothing, under NOT: the scope was widened to more \
                 than was asked for"
            ));
        }
    }

    fn steps(&self, root: usize) -> Vec<Step> {
        // From the root with the right part first, backwards, is operands before operators.
        let (mut steps, mut open) = (Vec::new(), vec![root]);
        while let Some(at) = open.pop() {
            steps.push(match self.nodes[at].kind {
                NodeKind::Atom(place) => match &self.outcomes[place] {
                    Outcome::Resolved { step, .. } => *step,
                    Outcome::Empty | Outcome::Skipped => Step::Const(NONE),
                },
                NodeKind::Empty => Step::Const(NONE),
                NodeKind::Not(_) => Step::Not,
                NodeKind::And(..) => Step::And(2),
                NodeKind::Or(..) => Step::Or(2),
            });
            open.extend(self.below(at).into_iter().flatten());
        }
        steps.reverse();
        steps
    }

    /// The expression as people write it, with parentheses where they are needed.
    fn infix(&self, root: usize, names: &[String]) -> String {
        enum Piece {
            Part { at: usize, level: u8 },
            Text(&'static str),
        }
        let mut text = String::new();
        let mut open = vec![Piece::Part { at: root, level: 0 }];
        while let Some(piece) = open.pop() {
            let (at, level) = match piece {
                Piece::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                Piece::Part { at, level } => (at, level),
            };
            let (own, word, parts) = match self.nodes[at].kind {
                NodeKind::Atom(place) => {
                    text.push_str(&names[place]);
                    continue;
                }
                NodeKind::Empty => {
                    text.push_str("EMPTY");
                    continue;
                }
                NodeKind::Not(operand) => (2, "NOT ", (operand, None)),
                NodeKind::And(left, right) => (1, " AND ", (left, Some(right))),
                NodeKind::Or(left, right) => (0, " OR ", (left, Some(right))),
            };
            let is_enclosed = own < level;
            if is_enclosed {
                text.push('(');
                open.push(Piece::Text(")"));
            }
            match parts {
                (operand, None) => {
                    text.push_str(word);
                    open.push(Piece::Part { at: operand, level: own });
                }
                (left, Some(right)) => {
                    open.push(Piece::Part { at: right, level: own });
                    open.push(Piece::Text(word));
                    open.push(Piece::Part { at: left, level: own });
                }
            }
        }
        text
    }
}
