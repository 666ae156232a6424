'use strict';

const { serveStdio } = require('@modelcontextprotocol/server/stdio');
const { CANCELLED } = require('../json-rpc.js');
const { LineTransport } = require('./lines.js');
const { isStateless } = require('./revisions.js');

/**
 * One of the two servers of a connection, as its transport. The protocol's library serves all messages of a
 * connection by the revision of the first, but a request of a stateless revision is to be served by what it
 * says itself, whichever came before it.
 */
class Branch {
  onmessage;
  onerror;
  onclose;
  #lines;

  constructor(lines) {
    this.#lines = lines;
  }

  async start() {}

  send(message) {
    return this.#lines.send(message);
  }

  close() {
    return this.#lines.close();
  }
}

/** Serves the client of a transport of lines by a server for each kind of revision. Returns their connections. */
function serveBoth(newServer, lines, onerror) {
  const stateless = new Branch(lines);
  const withHandshake = new Branch(lines);
  const connections = [
    serveStdio(newServer, { transport: stateless, legacy: 'reject', onerror }),
    serveStdio(newServer, { transport: withHandshake, onerror }),
  ];
  lines.onmessage = (message) => {
    const isShared = message.method === CANCELLED;
    if (isShared || isStateless(message)) stateless.onmessage(message);
    if (isShared || !isStateless(message)) withHandshake.onmessage(message);
  };
  lines.onerror = onerror;
  lines.onclose = () => {
    stateless.onclose();
    withHandshake.onclose();
  };
  lines.start();
  return connections;
}

/** The protocol over two streams, one client per call of `serve`. */
class StdioFace {
  #newServer;
  #onerror;
  #connections = new Set();

  constructor(newServer, onerror) {
    this.#newServer = newServer;
    this.#onerror = onerror;
  }

  /** Serves a client; resolves when it sends no more requests. Running calls are still answered. */
  async serve({ stdin = process.stdin, stdout = process.stdout } = {}) {
    const lines = new LineTransport(stdin, stdout);
    const connections = serveBoth(this.#newServer, lines, this.#onerror);
    for (const connection of connections) this.#connections.add(connection);
    lines.closed.then(() => {
      for (const connection of connections) this.#connections.delete(connection);
    });
    await lines.ended;
  }

  async close() {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }
}

module.exports = { StdioFace };
