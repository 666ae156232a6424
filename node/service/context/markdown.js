'use strict';

/** The text of a search's result, to the letter as callers of the service know it. */
function searchMarkdown({ query, total_matches, total_files, truncated, results }) {
  const title = `# Search Results for '${query}'\n\n`;
  if (total_matches === 0) return `${title}No matches found.`;
  const cut = truncated ? ' (truncated)' : '';
  const found = `Found ${total_matches} matches in ${total_files} files${cut}\n\n`;
  return `${title}${found}${results.map(fileMarkdown).join('')}`;
}

function fileMarkdown({ path, name, matches }) {
  const lines = matches.map(({ line, excerpt }, n) => `${n + 1}. Line ${line}: ${excerpt}\n`);
  return `## ${path} (${name})\n\n${lines.join('')}\n`;
}

function listMarkdown({ documents, total_found, truncated }) {
  if (documents.length === 0) return '# Documents\n\nNo documents found.';
  const found = `Found ${total_found} documents${truncated ? ' (truncated)' : ''}`;
  const each = documents.map(
    ({ path, name, description }) => `## ${path} (${name})\n\n${description}\n`,
  );
  return `# Documents\n\n${found}\n\n${each.join('\n')}`;
}

/** What stands under a document of which only a part was asked for; else nothing. */
function partMarkdown({ path, content, start_line, total_lines }) {
  const n_lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
  const last = start_line + n_lines - 1;
  if (start_line === 1 && last >= total_lines) return undefined;
  const rest = last < total_lines ? `; go on with start_line ${last + 1}` : '';
  return `Lines ${start_line} to ${last} of ${total_lines} of ${path}${rest}.`;
}

module.exports = { listMarkdown, partMarkdown, searchMarkdown };
