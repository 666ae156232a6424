'use strict';

const { tools } = require('../../index.js');
const { isForCaller } = require('./calls.js');
const { listMarkdown, partMarkdown, searchMarkdown } = require('./markdown.js');

const SEARCH_DOCUMENTS = Object.freeze({
  name: 'search_documents',
  description:
    'Search for text across all markdown documents. Returns matching excerpts with surrounding ' +
    'context. Results are limited to 500 total matches across 1000 files maximum.',
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description: 'Search keyword or phrase (required, 1-200 chars, trimmed)',
        minLength: 1,
        maxLength: 200,
      },
      context_chars: {
        type: 'number',
        description: 'Characters before/after match (default: 50, range: 10-500)',
        default: 50,
        minimum: 10,
        maximum: 500,
      },
      case_sensitive: {
        type: 'boolean',
        description: 'Case-sensitive search (default: false)',
        default: false,
      },
      path: {
        type: 'string',
        description: 'Directory path to search in (default: /)',
        default: '/',
      },
      max_results: {
        type: 'number',
        description: 'Max matches per file (default: 10, range: 1-100)',
        default: 10,
        minimum: 1,
        maximum: 100,
      },
    },
    required: ['query'],
  },
});

/** How each tool runs: (calls, args, signal) -> the texts of its result. */
const RUNNERS = new Map([
  [
    'list_documents',
    async (calls, args, signal) => [listMarkdown(await calls.list(args, signal))],
  ],
  [
    'read_document',
    async (calls, args, signal) => {
      const document = await calls.read(args, signal);
      const part = partMarkdown(document);
      return part === undefined ? [document.content] : [document.content, part];
    },
  ],
  [
    'search_documents',
    async (calls, args, signal) => {
      const { query, context_chars, case_sensitive, path, max_results } = args;
      const options = { context_chars, case_sensitive, path, max_results, signal };
      return [searchMarkdown(await calls.search(query, options))];
    },
  ],
]);

/** The definitions of the tools, as `tools/list` gives them. */
const TOOLS = Object.freeze([
  ...tools()
    .filter(({ name }) => RUNNERS.has(name) && name !== SEARCH_DOCUMENTS.name)
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  SEARCH_DOCUMENTS,
]);

function hasTool(name) {
  return RUNNERS.has(name);
}

/**
 * Runs a tool. An error that the caller can do something about is a result too, because the model
 * that made the call shall read it; other errors are thrown.
 */
async function runTool(name, calls, args, signal) {
  try {
    const texts = await RUNNERS.get(name)(calls, args, signal);
    return { content: texts.map(textContent) };
  } catch (error) {
    if (!isForCaller(error)) throw error;
    return { content: [textContent(error.message)], isError: true };
  }
}

function textContent(text) {
  return { type: 'text', text };
}

module.exports = { TOOLS, hasTool, runTool };
