'use strict';

const { randomUUID } = require('node:crypto');
const { toNodeHandler } = require('@modelcontextprotocol/node');
const { createMcpHandler, isInitializeRequest, isJSONRPCRequest } = require('@modelcontextprotocol/server');
const { RPC, cancelledId, idOf, refusal, withoutCancelled } = require('../json-rpc.js');
const { Cancellations, attachCalls } = require('./cancellations.js');
const { batchError, isStateless, revisionError } = require('./revisions.js');

const SESSION = 'mcp-session-id';

/**
 * Streamable HTTP without sessions: a server of its own serves each request, so any process can serve the
 * next one. A client of a revision with a handshake gets a session id from `initialize`, which only names
 * the client when it cancels a call.
 */
class HttpFace {
  #servers;
  #cancellations = new Cancellations();
  #onerror;

  constructor(newServer, onerror) {
    this.#servers = createMcpHandler(newServer, { onerror });
    this.#onerror = onerror;
  }

  /** Serves a Node request; a host that has parsed the body has left it in `req.body`. */
  handle(req, res, body = req.body) {
    const fetch = (request, options) => this.#route(request, options, res);
    return toNodeHandler({ fetch }, { onerror: this.#onerror })(req, res, body);
  }

  async close() {
    await this.#servers.close();
  }

  async #route(asked, options, res) {
    const { parsedBody: body } = await parse(asked, options);
    if (body === WRONG_JSON) {
      const message = 'Parse error: the body of the request is not JSON';
      return badRequest({ code: RPC.parse, message });
    }
    const header = asked.headers.get('mcp-protocol-version') ?? undefined;
    const error = Array.isArray(body) ? batchError(header) : revisionError(body, header);
    if (error !== undefined) return badRequest(error, idOf(body));
    const client = asked.headers.get(SESSION);
    const request = unread(asked, asked.signal);
    if (request.method !== 'POST') return this.#servers.fetch(request, options);
    if (Array.isArray(body)) return this.#serveBatch(request, options, { body, client, res });
    if (isStateless(body)) return this.#servers.fetch(request, { ...options, parsedBody: body });
    return this.#serve(request, options, { body, client, res });
  }

  #serveBatch(request, options, { body, client, res }) {
    const live = withoutCancelled(body);
    if (body.length > 0 && live.length === 0) {
      this.#cancel(client, body);
      return new Response(null, { status: 202 });
    }
    return this.#serve(request, options, { body: live, cancelling: body, client, res });
  }

  /** Serves a message or a batch of a revision with a handshake. */
  async #serve(request, options, { body, cancelling = body, client, res }) {
    this.#cancel(client, cancelling);
    const all = { ...options, parsedBody: body };
    const response = await this.#serveCalls(request, all, { client, res });
    // Without a name, a later cancellation could not be matched with its call.
    if (response.ok && isInitializeRequest(body)) response.headers.set(SESSION, randomUUID());
    return response;
  }

  /** Serves a message or a batch; a client with a name can cancel each call in it. */
  async #serveCalls(request, options, { client, res }) {
    if (client === null) return this.#servers.fetch(request, options);
    const ids = [options.parsedBody].flat().filter(isJSONRPCRequest).map(({ id }) => id);
    const calls = this.#cancellations.watch(client, ids, { signal: request.signal, response: res });
    const cancellable = unread(request, AbortSignal.any([request.signal, calls.signal]));
    attachCalls(cancellable, calls);
    const response = await this.#servers.fetch(cancellable, options);
    return calls.size > 1 ? calls.withoutCancelled(response) : response;
  }

  #cancel(client, messages) {
    if (client === null) return;
    for (const message of [messages].flat()) {
      const id = cancelledId(message);
      if (id !== undefined) this.#cancellations.cancel(client, id);
    }
  }
}

/** Returns the response to a request that is refused here, in the form of a protocol server. */
function badRequest(error, id) {
  return Response.json(refusal(error, id), { status: 400 });
}

/**
 * Returns the request, whose body has been read, with the signal, and as one that accepts both forms of a reply
 * if it accepts anything.
 */
function unread({ headers, url, method }, signal) {
  const changed = new Headers(headers);
  const accept = headers.get('accept') ?? '*/*';
  if (method === 'POST' && accept.includes('*/*')) {
    changed.set('accept', 'application/json, text/event-stream');
  }
  return new Request(url, { method, headers: changed, signal });
}

const WRONG_JSON = Symbol('wrong JSON');

/** Returns the options with the parsed body of a request, which can then not be read again. */
async function parse(request, options) {
  if (options.parsedBody !== undefined || request.method !== 'POST') return options;
  try {
    return { parsedBody: JSON.parse(await request.text()) };
  } catch {
    return { parsedBody: WRONG_JSON };
  }
}

module.exports = { HttpFace };
