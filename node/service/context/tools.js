'use strict';

const { tools } = require('../../index.js');
const { isForCaller } = require('./calls.js');
const { listMarkdown, partMarkdown, searchMarkdown } = require('./markdown.js');

/** How each tool runs: (calls, args, signal) -> the texts of its result. */
const RUNNERS = new Map([
  ['list_documents', async (calls, args, signal) => [listMarkdown(await calls.list(args, signal))]],
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
const TOOLS = Object.freeze(
  tools()
    .filter(({ name }) => RUNNERS.has(name))
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: name === 'search_documents' ? openSchema(inputSchema) : inputSchema,
    })),
);

/** Searching has always let arguments pass that it does not know. */
function openSchema({ additionalProperties, ...schema }) {
  return schema;
}

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
