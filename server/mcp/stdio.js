'use strict';

const { serveStdio } = require('@modelcontextprotocol/server/stdio');
const { LineTransport } = require('./lines.js');

/** The protocol over two streams, one connection per call of `serve`. */
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
