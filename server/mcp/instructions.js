'use strict';

const ABOUT = `Searches text and files beneath one directory, the workspace root. Paths are \
relative to it; nothing outside can be read. No tool changes anything.`;

/**
 * Purpose of each tool, the usual choice first. A tool of the table that is missing here comes last, with
 * the first sentence of its description.
 */
const GUIDE = Object.freeze([
  ['look', 'the usual choice: definitions and uses, also of a rough or misspelt name'],
  ['read', 'lines of files, the definition of a name, the outline of a file or directory'],
  ['search', 'exact text search in files: many patterns, limits, a cursor'],
  ['find', 'files by name, type, size or time'],
  ['Grep', 'up to 100 lines of the newest files, within 2 seconds'],
  ['search_in_files', 'every line with a text or regex'],
  ['find_files_by_name', 'paths by a glob'],
  ['find_and_grep', 'choose files by age, size or type, then search those'],
  ['scope_list_catalog', 'scopes to search in: modules, named ones and others'],
  ['scope_search_text', 'every match in a scope, also in libraries'],
  ['scope_search_symbols', 'where something is defined, by name or initials'],
  ['scope_search_files', 'the files of a scope, by words or a glob'],
  ['scope_validate_pattern', 'the meaning of a scope pattern'],
  ['scope_describe_program', 'the parts of a scope, and those that do not resolve'],
  ['scope_resolve_program', 'combine scopes with AND, OR, NOT'],
  ['list_documents', 'Markdown documents with a description'],
  ['search_documents', 'text in Markdown documents, best documents first, with excerpts'],
  ['read_document', 'the text of one Markdown document'],
]);

const WITH_CURSOR = ['search', 'find'];
const WITH_SCOPE = [
  ...['search', 'find', 'scope_search_text', 'scope_search_symbols', 'scope_search_files'],
];
const WITH_FILTERS = [...WITH_SCOPE, 'Grep', 'search_in_files', 'find_and_grep'];

/** Sentences of advice, each with the tools that it applies to; without tools it applies to all. */
const ADVICE = Object.freeze([
  [
    'Narrow early by path, glob or type, and ask for counts or file names before every line.',
    WITH_FILTERS,
  ],
  ['An incomplete reply says so, and how to continue.'],
  ['With a cursor, call again with the same arguments and the cursor.', WITH_CURSOR],
  ['Hidden, git-ignored and binary files are excluded unless requested.', WITH_FILTERS],
  ['With a scope, the scope decides which files belong.', WITH_SCOPE],
  [
    'An error begins with its code and ends with a hint: correct the call, do not repeat it unchanged.',
  ],
]);

/** Returns the guide that an agent gets when it connects; it covers only the served tools. */
function instructions(served) {
  const names = new Set(served.map((tool) => tool.name));
  const guided = new Set(GUIDE.map(([name]) => name));
  const others = served.filter((tool) => !guided.has(tool.name)).map(describe);
  const lines = [...GUIDE.filter(([name]) => names.has(name)), ...others].map(
    ([name, purpose]) => `- ${name}: ${purpose}.`,
  );
  const advice = ADVICE.filter(([, about]) => about?.some((name) => names.has(name)) ?? true);
  return [ABOUT, ...lines, advice.map(([sentence]) => sentence).join(' ')].join('\n');
}

function describe({ name, description }) {
  const [first] = description.split(/\.(?=\s|$)/);
  return [name, first.charAt(0).toLowerCase() + first.slice(1)];
}

module.exports = { instructions };
