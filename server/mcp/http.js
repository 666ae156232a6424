'use strict';

const { toNodeHandler } = require('@modelcontextprotocol/node');
const {
  INVALID_PARAMS,
  PARSE_ERROR,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
} = require('@modelcontextprotocol/server');
const { withoutCancelled } = require('./batches.js');
const { adviceOnVersion, refusal } = require('./refusal.js');
const { Sessions } = require('./sessions.js');

/**
 * Streamable HTTP. Requests of the newest revision, stand-alone ones of earlier revisions, and those of
 * unknown sessions are each served by a server of their own. A client that begins with `initialize` gets
 * a session: without it, a later cancellation could not be matched with its call.
 */
class HttpFace {
  #alone;
  #sessions;
  #handler;

  constructor(newServer, onerror) {
    this.#alone = createMcpHandler(newServer, { onerror });
    this.#sessions = new Sessions(newServer, onerror);
    const fetch = (request, options) => this.#route(request, options);
    this.#handler = toNodeHandler({ fetch }, { onerror });
  }

  /** Serves a Node request; a host that has parsed the body has left it in `req.body`. */
  handle(req, res) {
    return this.#handler(req, res, req.body);
  }

  async close() {
    await Promise.all([this.#alone.close(), this.#sessions.close()]);
  }

  async #route(asked, options) {
    const { parsedBody = await parse(asked) } = options;
    const request = withAccept(asked);
    if (parsedBody === WRONG_JSON) {
      return refusal(400, PARSE_ERROR, 'Parse error: the body of the request is not JSON');
    }
    const advice = adviceOnVersion(parsedBody);
    if (advice !== undefined) return refusal(400, INVALID_PARAMS, advice, parsedBody.id ?? null);
    const withBody = { ...options, ...(parsedBody !== undefined && { parsedBody }) };
    // Our servers send no messages of their own, so a GET has nothing to listen to.
    if (request.method !== 'GET') {
      const id = request.headers.get('mcp-session-id');
      const answer = id === null ? undefined : this.#sessions.serve(id, request, withBody);
      if (answer !== undefined) return answer;
      if (id !== null && request.method === 'POST') {
        return this.#alone.fetch(withoutSession(request), withBody);
      }
      const opens =
        isInitializeRequest(parsedBody) && (await isLegacyRequest(request, parsedBody));
      if (opens) return this.#sessions.open(request, withBody);
    }
    const isBatch = Array.isArray(parsedBody) && parsedBody.length > 0;
    if (!isBatch) return this.#alone.fetch(request, withBody);
    const live = withoutCancelled(parsedBody);
    if (live.length === 0) return new Response(null, { status: 202 });
    return this.#alone.fetch(request, { ...withBody, parsedBody: live });
  }
}

/** Returns the request as one that accepts both forms of a reply, if it accepts anything. */
function withAccept(request) {
  const accept = request.headers.get('accept') ?? '*/*';
  if (request.method !== 'POST' || !accept.includes('*/*')) return request;
  return withHeader(request, 'accept', 'application/json, text/event-stream');
}

/**
 * Returns the request without its session id, for a session that this process does not know: it was
 * restarted, or has dropped the session. The tools have no state, so the request can be served alone.
 */
function withoutSession(request) {
  return withHeader(request, 'mcp-session-id', undefined);
}

/** Returns the request, whose body has been read, with another value of a header, or without it. */
function withHeader({ headers, url, method, signal }, name, value) {
  const changed = new Headers(headers);
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return new Request(url, { method, headers: changed, signal });
}

const WRONG_JSON = Symbol('wrong JSON');

/** Returns the parsed body of a request, which can then not be read again; undefined if it has none. */
async function parse(request) {
  if (request.method !== 'POST') return undefined;
  try {
    return JSON.parse(await request.text());
  } catch {
    return WRONG_JSON;
  }
}

module.exports = { HttpFace };
