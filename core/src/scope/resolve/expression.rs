//! Evaluates programs over resolved atoms, into one formula and a readable expression.

use crate::error::{Error, ErrorKind, Result};
use crate::scope::compiled::{NONE, Step};
use crate::scope::language::FailureMode;
use crate::scope::language::{ScopeOp, ScopeProgram, ScopeShape};
use crate::suggest::shorten;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The outcome of an atom.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Resolved {
        step: Step,
        shape: ScopeShape,
    },
    /// It failed and contains nothing.
    Empty,
    /// It failed and is dropped.
    Skipped,
}

/// The outcome of a program.
pub(super) struct Outcomes {
    pub steps: Vec<Step>,
    pub expression: String,
    pub shape: ScopeShape,
    pub diagnostics: Vec<String>,
}

/// A node of the expression.
#[derive(Clone, Copy)]
struct Node {
    kind: NodeKind,
    shape: ScopeShape,
}

#[derive(Clone, Copy)]
enum NodeKind {
    Atom(usize),
    /// Replaces a scope that has no complement.
    Empty,
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
}

impl ScopeProgram {
    /// Combines the outcomes of the atoms; `names` are their display names.
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
                            "the NOT at tokens[{index}] is left out together with its atom"
                        ));
                        None
                    }
                },
                op => {
                    let (right, left) = (stack.pop().flatten(), stack.pop().flatten());
                    match (left, right) {
                        (Some(left), Some(right)) => Some(run.binary(op, left, right)),
                        // Combined with a skipped atom, an operand stays as it is.
                        (left, right) => left.or(right),
                    }
                }
            };
            stack.push(node);
        }
        let Some(root) = stack.pop().flatten() else {
            let message = "the program is empty: every atom failed and was skipped";
            return Err(Error::new(ErrorKind::InvalidParam, message).with_param("atoms"));
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

/// A program while it is evaluated.
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

    /// Adds the complement; a local scope has none.
    fn not(&mut self, index: usize, operand: usize) -> Result<usize> {
        if self.nodes[operand].shape != ScopeShape::Local {
            return Ok(self.add(NodeKind::Not(operand), ScopeShape::Global));
        }
        let param = format!("tokens[{index}].op");
        let reason = "a LOCAL scope has no complement";
        let is_fatal = self.program.strict
            || self.program.non_strict_default_failure_mode == FailureMode::Fail;
        if is_fatal {
            let hint = "name its file as a FILES atom instead";
            return Err(Error::at_param(
                ErrorKind::InvalidParam,
                param,
                format!("{reason}; {hint}"),
            ));
        }
        self.diagnostics.push(format!("'{param}': {reason}; it contains nothing here"));
        Ok(self.add(NodeKind::Empty, ScopeShape::Global))
    }

    /// Returns the operands of a node.
    fn below(&self, at: usize) -> [Option<usize>; 2] {
        match self.nodes[at].kind {
            NodeKind::Atom(_) | NodeKind::Empty => [None, None],
            NodeKind::Not(operand) => [Some(operand), None],
            NodeKind::And(left, right) | NodeKind::Or(left, right) => [Some(left), Some(right)],
        }
    }

    /// Reports failed atoms whose emptiness makes the scope larger.
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
                     widened beyond the request"
                        .to_owned(),
                );
            }
            let is_negated = is_negated != matches!(self.nodes[at].kind, NodeKind::Not(_));
            open.extend(self.below(at).into_iter().flatten().map(|below| (below, is_negated)));
        }
        for place in widened {
            let id = shorten(&self.program.atoms[place].atom_id);
            self.diagnostics.push(format!(
                "atom '{id}' failed and contains nothing, under NOT: the scope was widened beyond \
                 the request"
            ));
        }
    }

    fn steps(&self, root: usize) -> Vec<Step> {
        // The order root, right, left is the reverse of operands before operators.
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

    /// Returns the expression in infix notation, with parentheses where needed.
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
