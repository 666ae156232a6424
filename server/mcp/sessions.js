'use strict';

const { randomUUID } = require('node:crypto');
const { WebStandardStreamableHTTPServerTransport } = require('@modelcontextprotocol/server');
const { refusal } = require('./refusal.js');

/** The code with which the protocol's servers refuse a session that has ended. */
const SESSION_NOT_FOUND = -32001;

/** Maximum number of sessions; beyond that, the least recently used one is closed. */
const SESSIONS_MAX = 1000;

/** The sessions of HTTP clients that began with `initialize`. */
class Sessions {
  #newServer;
  #onerror;
  /** By id, least recently used first. */
  #sessions = new Map();
  /** Ids of the sessions that were most recently ended by their clients. */
  #ended = new Set();

  constructor(newServer, onerror) {
    this.#newServer = newServer;
    this.#onerror = onerror;
  }

  /** Answers the request that opens a session. */
  async open(request, options) {
    const server = this.#newServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#add(id, { server, transport }),
    });
    server.onclose = () => this.#sessions.delete(transport.sessionId);
    server.onerror = this.#onerror;
    await server.connect(transport);
    endCancelledStreams(transport);
    const response = await transport.handleRequest(request, options);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  /**
   * Answers a request of the session with the id; returns undefined for an unknown session. A session
   * that its client has ended is refused.
   */
  serve(id, request, options) {
    const session = this.#sessions.get(id);
    if (session === undefined) {
      const isOver = this.#ended.has(id) || request.method !== 'POST';
      const message = 'Session not found: start again with initialize';
      return isOver ? refusal(404, SESSION_NOT_FOUND, message) : undefined;
    }
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (request.method === 'DELETE') this.#end(id);
    return session.transport.handleRequest(request, options);
  }

  async close() {
    const servers = [...this.#sessions.values()].map((session) => session.server);
    await Promise.all(servers.map((server) => server.close()));
  }

  #end(id) {
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > SESSIONS_MAX) this.#ended.delete(oldest);
  }

  #add(id, session) {
    this.#sessions.set(id, session);
    if (this.#sessions.size <= SESSIONS_MAX) return;
    const [oldest] = this.#sessions.values();
    oldest.server.close().catch(this.#onerror);
  }
}

/** Ends the response of a cancelled call: the call is not answered, so nothing else would end it. */
function endCancelledStreams(transport) {
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    deliver(message, extra);
    if (message.method === 'notifications/cancelled') {
      transport.closeSSEStream(message.params?.requestId);
    }
  };
}

module.exports = { Sessions };
