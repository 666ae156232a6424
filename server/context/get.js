'use strict';

const { TOOLS } = require('./tools.js');
const { isForCaller } = require('./calls.js');

const USAGE = Object.freeze({
  list: 'GET /context?action=list&path=/',
  read: 'GET /context?action=read&path=/path/to/doc.md',
  search: 'GET /context?action=search&query=keyword',
  post: 'POST /context with JSON-RPC 2.0 body',
});

/** A mistake in the parameters of a request. */
class RequestError extends Error {
  code = 'invalid_param';
}

/** The function of each action: (calls, query, signal) -> JSON whose fields follow `success: true`. */
const ACTIONS = new Map([
  ['list', list],
  ['read', read],
  ['search', search],
]);

/** Status and code of an action's errors that are not mistakes in its parameters. */
const FAILURES = Object.freeze({
  io: [403, 'ACCESS_DENIED'],
  not_found: [404, 'NOT_FOUND'],
  result_too_large: [413, 'RESULT_TOO_LARGE'],
  timeout: [504, 'TIMEOUT'],
});

/** Answers a GET request: returns the response for `send`. Throws errors that are not for callers. */
async function answerGet(url, { calls, serverInfo, signal }) {
  let action;
  try {
    const query = queryOf(url);
    action = query('action');
    if (!action) return { status: 200, body: { ...serverInfo, tools: TOOLS, usage: USAGE } };
    const run = ACTIONS.get(action);
    if (run === undefined) {
      throw new RequestError(`Unknown action: ${action}. Use 'list', 'read', or 'search'`);
    }
    const json = await run(calls, query, signal);
    return { status: 200, json: `{"success":true,${json.slice(1)}` };
  } catch (error) {
    if (!isForCaller(error)) throw error;
    // For compatibility, a search reports all its errors as 400.
    const told = action === 'search' ? undefined : FAILURES[error.code];
    return failure(...(told ?? [400, 'INVALID_PARAMS']), error.message);
  }
}

/** Returns whether the request names an action; without one it gets an overview. */
function hasAction(url) {
  return paramsOf(url).getAll('action').some(Boolean);
}

async function list(calls, query, signal) {
  return (await calls.list({ path: query('path') || '/' }, signal)).json;
}

async function read(calls, query, signal) {
  const path = query('path');
  if (!path) throw new RequestError('path required');
  const start_line = wholeNumber(query, 'start_line');
  const lines_max = wholeNumber(query, 'lines_max');
  return calls.read({ path, start_line, lines_max }, signal);
}

async function search(calls, query, signal) {
  const text = query('query');
  if (!text || text.trim().length === 0) throw new RequestError('query required');
  const reply = await calls.search(text, {
    context_chars: Number.parseInt(query('context_chars'), 10),
    case_sensitive: query('case_sensitive') === 'true',
    path: query('path') || '/',
    max_results: Number.parseInt(query('max_results'), 10),
    signal,
  });
  return reply.json;
}

/**
 * Returns a function that reads a parameter from the URL itself: the host's settings decide whether its
 * framework turns repeated or bracketed ones into lists and objects.
 */
function queryOf(url) {
  const params = paramsOf(url);
  return (name) => {
    const values = params.getAll(name);
    if (values.length > 1) throw new RequestError(`${name} must be given only once`);
    return values[0];
  };
}

function paramsOf(url) {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start));
}

function wholeNumber(query, name) {
  const text = query(name);
  if (!text) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new RequestError(`${name} must be a whole number`);
  return Number(text);
}

/** Returns the response to a failed request. */
function failure(status, code, message) {
  return { status, body: { error: { code, message } } };
}

module.exports = { answerGet, failure, hasAction };
