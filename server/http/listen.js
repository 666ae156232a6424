'use strict';

const http = require('node:http');
const DEFAULTS = require('../defaults.js');

/** Number of ports, from the usual one on, that are tried before the system chooses. */
const PORTS_TRIED = 10;

/** Maximum number of connections; each costs a file handle and some memory. */
const CONNECTIONS_MAX = 2048;

const TIMES = Object.freeze({
  /** Time for a client to send its headers, and the whole request; a slower one is disconnected. */
  headersMs: 10_000,
  requestMs: 30_000,
  /**
   * Maximum idle time of a connection between two requests: longer than the 60 s after which proxies and clients
   * close theirs, so that none sends a request while it is closed here.
   */
  idleMs: 75_000,
  /** Interval at which these times are checked. */
  checkMs: 1000,
});

/** Idle time after which a TCP keep-alive probe checks that the client still exists. */
const PROBE_MS = 30_000;

function createServer(app, times = TIMES) {
  const options = {
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    keepAliveTimeout: times.idleMs,
    connectionsCheckingInterval: times.checkMs,
    keepAlive: true,
    keepAliveInitialDelay: PROBE_MS,
  };
  const server = http.createServer(options, app);
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

/** Returns a port number; undefined if the text is not one. */
function portOf(text) {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

/** Listens on the port, or without one on the usual port or the next free one; returns the port. */
async function listen(server, host, port, logger) {
  if (port !== undefined) return await listenOn(server, host, port);
  for (let tried = DEFAULTS.port; tried < DEFAULTS.port + PORTS_TRIED; tried += 1) {
    try {
      return await listenOn(server, host, tried);
    } catch (error) {
      if (error.cause?.code !== 'EADDRINUSE') throw error;
      logger.warn('port in use, trying the next', { port: tried });
    }
  }
  return await listenOn(server, host, 0);
}

function listenOn(server, host, port) {
  return new Promise((resolve, reject) => {
    const onError = (cause) => reject(new Error(explain(cause, host, port), { cause }));
    server.once('error', onError);
    // A burst of clients waits in the system's queue, up to the maximum number of connections.
    server.listen({ host, port, backlog: CONNECTIONS_MAX }, () => {
      server.removeListener('error', onError);
      resolve(server.address().port);
    });
  });
}

function explain({ code, message }, host, port) {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use; choose another with --port, or let --port 0 choose a free one`;
    case 'EACCES':
      return `no permission to listen on port ${port}; choose 1024 or higher with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine; choose another with --host`;
    default:
      return `cannot listen on ${host}, port ${port}: ${message}`;
  }
}

module.exports = { createServer, listen, portOf };
