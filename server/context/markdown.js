'use strict';

const { printable, printableLine } = require('searchscope/internal');

/** Returns the text of a search result; callers of the service rely on its exact form. */
function searchMarkdown({ query, total_matches, total_files, truncated, results }) {
  const title = `# Search Results for '${printableLine(query)}'\n\n`;
  if (total_matches === 0) return `${title}No matches found.`;
  const cut = truncated ? ' (truncated)' : '';
  const found = `Found ${total_matches} matches in ${total_files} files${cut}\n\n`;
  return `${title}${found}${results.map(fileMarkdown).join('')}`;
}

function fileMarkdown({ path, name, matches }) {
  const lines = matches.map(
    ({ line, excerpt }, n) => `${n + 1}. Line ${line}: ${withinItem(excerpt)}\n`,
  );
  return `## ${printableLine(path)} (${printableLine(name)})\n\n${lines.join('')}\n`;
}

function listMarkdown({ documents, total_found, truncated }) {
  if (documents.length === 0) return '# Documents\n\nNo documents found.';
  const found = `Found ${total_found} documents${truncated ? ' (truncated)' : ''}`;
  const each = documents.map(
    ({ path, name, description }) =>
      `## ${printableLine(path)} (${printableLine(name)})\n\n${printableLine(description)}\n`,
  );
  return `# Documents\n\n${found}\n\n${each.join('\n')}`;
}

/** Returns the line to show below a part of a document; undefined for a whole document. */
function partMarkdown({ path, start_line, end_line, total_lines }) {
  if (start_line === 1 && end_line >= total_lines) return undefined;
  const shown = printableLine(path);
  if (start_line > total_lines) return `${shown} has only ${lines(total_lines)}.`;
  const rest = end_line < total_lines ? `; continue with start_line ${end_line + 1}` : '';
  return `Lines ${start_line} to ${end_line} of ${total_lines} of ${shown}${rest}.`;
}

/** Lines that only our own text may contain: its title, the heading of a document, an item. */
const OWN_LINE = /\n(?=# Search Results for '|## \/[^\n]* \([^\n]*\)(?:\n|$)|\d+\. Line \d+: )/g;

/** Returns an excerpt in which no line can pass for one of ours: such lines are indented. */
function withinItem(excerpt) {
  return printable(excerpt).replace(OWN_LINE, '\n    ');
}

function lines(count) {
  return count === 1 ? '1 line' : `${count} lines`;
}

module.exports = { listMarkdown, partMarkdown, searchMarkdown };
