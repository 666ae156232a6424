// Converts a scope from infix, as a person builds it, to reverse Polish notation, as the tools take it.

const PRECEDENCE = { NOT: 3, AND: 2, OR: 1 };

/**
 * Returns whether a piece is an atom. Pieces are `{op}` with AND, OR, NOT, ( or ), or `{atom, label}`, an
 * atom without its id.
 */
export function isAtom(piece) {
  return piece.atom !== undefined;
}

/** Returns whether an operand ends with this piece, so that an operator must precede another operand. */
export function endsOperand(piece) {
  return piece !== undefined && (isAtom(piece) || piece.op === ')');
}

/** Adds a piece; inserts an OR between two operands. */
export function add(pieces, piece) {
  const beginsOperand = isAtom(piece) || piece.op === '(' || piece.op === 'NOT';
  const needsOr = beginsOperand && endsOperand(pieces.at(-1));
  return [...pieces, ...(needsOr ? [{ op: 'OR' }] : []), piece];
}

/**
 * Returns `{program}`, or `{problem}` as text while the expression is incomplete. The conversion is the
 * shunting-yard algorithm; it relies on `checkOrder` for a well-formed expression.
 */
export function toProgram(pieces) {
  if (pieces.length === 0) return { problem: 'Choose atoms on the left and join them with operators.' };
  const problem = checkOrder(pieces);
  if (problem !== undefined) return { problem };
  const atoms = [];
  const tokens = [];
  const stack = [];
  for (const piece of pieces) {
    if (isAtom(piece)) {
      const atomId = idOf(piece.atom, atoms);
      tokens.push({ op: 'PUSH_ATOM', atomId });
    } else if (piece.op === '(' || piece.op === 'NOT') stack.push(piece.op);
    else if (piece.op === ')') {
      while (stack.at(-1) !== '(') tokens.push({ op: stack.pop() });
      stack.pop();
    } else {
      while (PRECEDENCE[stack.at(-1)] >= PRECEDENCE[piece.op]) tokens.push({ op: stack.pop() });
      stack.push(piece.op);
    }
  }
  while (stack.length > 0) tokens.push({ op: stack.pop() });
  return { program: { atoms, tokens } };
}

/** Returns the id of an atom; an atom that is used twice is in the program once. */
function idOf(atom, atoms) {
  const text = JSON.stringify(atom);
  const known = atoms.find(({ atomId, ...other }) => JSON.stringify(other) === text);
  if (known !== undefined) return known.atomId;
  const atomId = `a${atoms.length + 1}`;
  atoms.push({ atomId, ...atom });
  return atomId;
}

function checkOrder(pieces) {
  let depth = 0;
  let before;
  for (const piece of pieces) {
    const isBinary = piece.op === 'AND' || piece.op === 'OR';
    if ((isBinary || piece.op === ')') && !endsOperand(before)) {
      return `An atom is missing before ${piece.op}.`;
    }
    if (!isBinary && piece.op !== ')' && endsOperand(before)) return 'An operator is missing between two atoms.';
    if (piece.op === '(') depth += 1;
    if (piece.op === ')') depth -= 1;
    if (depth < 0) return 'A closing bracket has no opening bracket.';
    before = piece;
  }
  if (!endsOperand(before)) return `An atom is missing after ${before.op}.`;
  return depth > 0 ? 'A bracket is not closed.' : undefined;
}
