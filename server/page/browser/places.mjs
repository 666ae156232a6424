// Addresses of calls, and texts of files and people that are safe to show.

/** Returns the address of a call within the page. */
export function addressOf(tool, args) {
  return `#call/${tool}?${encodeURIComponent(JSON.stringify(args))}`;
}

/** Number of lines of a document that are shown before a match, and in total. */
const CONTEXT_LINES = 5;
const DOCUMENT_LINES = 100;

/** Returns the call `[tool, args]` that reads a file, or the lines around one of its lines. */
export function readCall(path, line) {
  // Documents have their own root: their paths begin with a slash.
  if (path.startsWith('/')) {
    const from = Math.max((line ?? 1) - CONTEXT_LINES, 1);
    return ['read_document', { path, start_line: from, lines_max: DOCUMENT_LINES }];
  }
  // A line cannot follow a name that already looks like a place or a definition; the whole file can.
  const isPlain = line !== undefined && !/#|:\d/.test(path);
  return ['read', { what: [isPlain ? `${path}:${line}` : path] }];
}

/** Controls, marks of bidirectional text, and spaces that end a line: they reorder or break a name. */
const MISLEADING =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

/** Returns the text in pieces `[text, isEscape]`; characters that mislead a reader are escapes. */
export function visiblePieces(text) {
  return text
    .split(new RegExp(`(${MISLEADING.source})`))
    .map((piece, n) => [n % 2 === 0 ? piece : escapeOf(piece), n % 2 === 1])
    .filter(([piece]) => piece !== '');
}

/** Returns the text with escapes for characters that mislead a reader. */
export function visible(text) {
  return visiblePieces(text).map(([piece]) => piece).join('');
}

function escapeOf(char) {
  const known = { '\n': '\\n', '\r': '\\r' }[char];
  return known ?? `\\u{${char.codePointAt(0).toString(16)}}`;
}

const TITLE_MAX = 60;

/** Returns the title of the page for a query of a tool: one line, cut. */
export function titleOf(tool = '', query = '') {
  const letters = [...visible(query.trim().replace(/\s*\n\s*/g, ' '))];
  const cut = letters.length > TITLE_MAX ? `${letters.slice(0, TITLE_MAX - 1).join('')}…` : letters.join('');
  return [cut, tool, 'searchscope'].filter(Boolean).join(' · ');
}

/** Returns the path that a line of a text reply names; names with unusual characters are quoted. */
export function unquote(line) {
  if (!/^".*"$/.test(line)) return line;
  const known = { n: '\n', r: '\r', t: '\t', 0: '\0' };
  return line.slice(1, -1).replace(/\\(?:u\{([0-9a-f]+)\}|(.))/g, (_, code, char) => {
    return code === undefined ? (known[char] ?? char) : String.fromCodePoint(Number.parseInt(code, 16));
  });
}
