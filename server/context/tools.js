'use strict';

const { tools } = require('searchscope');
const { failedResult, textContent } = require('../mcp/results.js');
const { isForCaller } = require('./calls.js');
const { listMarkdown, partMarkdown, searchMarkdown } = require('./markdown.js');

/** The function of each tool: (calls, args, signal) -> the texts of its result. */
const RUNNERS = new Map([
  ['list_documents', list],
  ['read_document', read],
  ['search_documents', search],
]);

async function list(calls, args, signal) {
  const reply = await calls.list(args, signal);
  return [listMarkdown(reply.value)];
}

async function read(calls, args, signal) {
  const document = JSON.parse(await calls.read(args, signal));
  const part = partMarkdown(document);
  return part === undefined ? [document.content] : [document.content, part];
}

async function search(calls, args, signal) {
  const { query, context_chars, case_sensitive, path, max_results } = args;
  const options = { context_chars, case_sensitive, path, max_results, signal };
  const reply = await calls.search(query, options);
  return [searchMarkdown(reply.value)];
}

/** The definitions of the tools, as `tools/list` returns them. */
const TOOLS = Object.freeze(
  tools()
    .filter(({ name }) => RUNNERS.has(name))
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: name === 'search_documents' ? openSchema(inputSchema) : inputSchema,
    })),
);

/**
 * Returns the schema without its ban on unknown arguments, which searching has always accepted, and without the
 * order, which this service does not have.
 */
function openSchema({ additionalProperties, ...schema }) {
  const { order, ...properties } = schema.properties;
  return { ...schema, properties };
}

function hasTool(name) {
  return RUNNERS.has(name);
}

/**
 * Runs a tool. An error that the caller can act on is a result too, because the model that made the call
 * should read it; other errors are thrown.
 */
async function runTool(name, calls, args, signal) {
  try {
    const texts = await RUNNERS.get(name)(calls, args, signal);
    return { content: texts.map(textContent) };
  } catch (error) {
    if (!isForCaller(error)) throw error;
    return failedResult(error.message);
  }
}

module.exports = { TOOLS, hasTool, runTool };
