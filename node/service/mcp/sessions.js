'use strict';

const { randomUUID } = require('node:crypto');
const { WebStandardStreamableHTTPServerTransport } = require('@modelcontextprotocol/server');
const { refusal } = require('./refusal.js');

/** The code that the protocol's servers answer with for a session that is no more. */
const SESSION_NOT_FOUND = -32001;

/** How many sessions are kept; past that, the one that was not used for longest goes. */
const SESSIONS_MAX = 1000;

/** The sessions of HTTP clients that began with `initialize`. */
class Sessions {
  #newServer;
  #onerror;
  // In the order of their last use, because that is the order in which they go.
  #sessions = new Map();
  /** Ids of sessions that their clients have ended, the latest ones. */
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
   * Answers a request of the session with the id; undefined for one that is not known. A session that
   * its client has ended is not served again.
   */
  serve(id, request, options) {
    const session = this.#sessions.get(id);
    if (session === undefined) {
      const isOver = this.#ended.has(id) || request.method !== 'POST';
      const message = 'Session not found: begin again with initialize';
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

/** A cancelled call is not answered, so nothing else would end the response that waits for it. */
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
