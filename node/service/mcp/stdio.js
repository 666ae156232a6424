'use strict';

const { serveStdio } = require('@modelcontextprotocol/server/stdio');
const { LineTransport } = require('./lines.js');

/** The protocol over the streams of a process, one connection each time it is served. */
class StdioFace {
  #newServer;
  #onerror;
  #connections = new Set();

  constructor(newServer, onerror) {
    this.#newServer = newServer;
    this.#onerror = onerror;
  }

  /** Serves a client and resolves when it asks for nothing more; running calls are still answered. */
  async serve({ stdin = process.stdin, stdout = process.stdout } = {}) {
    const transport = new LineTransport(stdin, stdout);
    const connection = serveStdio(this.#newServer, { transport, onerror: this.#onerror });
    this.#connections.add(connection);
    transport.closed.then(() => this.#connections.delete(connection));
    await transport.ended;
  }

  async close() {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }
}

module.exports = { StdioFace };
