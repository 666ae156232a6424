'use strict';

const http = require('node:http');
const DEFAULTS = require('./defaults.js');

/** How many ports after the usual one are tried before the system chooses. */
const PORTS_TRIED = 10;

/** More than this are not accepted; each costs a file handle and some memory. */
const CONNECTIONS_MAX = 2048;

const TIMES = Object.freeze({
  /** Time for a client to send its head, and the whole request. A slow one is sent away. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** How long a connection may lie idle between two requests. */
  idleMs: 30_000,
  /** How often those times are looked at. */
  checkMs: 1000,
});

/** When a client that is silent is asked by the network layer whether it is still there. */
const PROBE_MS = 30_000;

/** The service cannot listen where it was told to. */
class ListenError extends Error {}

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

/** The number of a port, or undefined where the text is none. */
function portOf(text) {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

/** Listens on the port, or without one on the usual port or the next that is free; gives it. */
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
    const onError = (cause) => reject(new ListenError(explain(cause, host, port), { cause }));
    server.once('error', onError);
    // Clients that come all at once wait in the system's queue, as many as may be connected.
    server.listen({ host, port, backlog: CONNECTIONS_MAX }, () => {
      server.removeListener('error', onError);
      resolve(server.address().port);
    });
  });
}

function explain({ code, message }, host, port) {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use; choose another with --port, or any free one with --port 0`;
    case 'EACCES':
      return `the system does not allow port ${port}; choose one from 1024 up with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine; choose another with --host`;
    default:
      return `cannot listen on ${host}, port ${port}: ${message}`;
  }
}

module.exports = { ListenError, createServer, listen, portOf };
