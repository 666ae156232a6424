'use strict';

const express = require('express');
const { version } = require('./package.json');
const { RPC, tooLong } = require('./json-rpc.js');
const { limitBodies, readJson } = require('./http/bodies.js');
const { guard } = require('./http/guard.js');
const { answerErrors, pathOf, refuse, refuseBusy, refuseMethod } = require('./http/refuse.js');
const { logRequests } = require('./http/request-log.js');
const { inTurn, onePerConnection } = require('./http/turns.js');
const { pageRouter } = require('./page/router.js');

/**
 * Maximum size of a request body. Calls are short, and parsing large ones blocks the event loop; this
 * leaves room for long lists of paths.
 */
const BODY_BYTES_MAX = 256 << 10;
/** Maximum nesting of a body; no argument of a tool is nested deeper. */
const DEPTH_MAX = 64;
const ALL_BODIES_BYTES_MAX = 16 << 20;

const ROUTES = Object.freeze(['/mcp', '/context', '/page/call']);
const ADDRESSES = Object.freeze([
  ...['GET /', 'GET /healthz', 'POST /mcp', 'GET /context', 'POST /context'],
]);

/**
 * Creates the service's Express app. `mcp` serves `/mcp`, the router `documents` serves `/context`, and
 * `page` configures the router for `/` and `/page`; `names` are the options of the guard; `answers` and
 * `gate` track responses and calls in flight, `indexStatus` returns the state of the index.
 */
function createApp({ mcp, documents, page, names, answers, gate, indexStatus, logger }) {
  const app = express();
  app.disable('x-powered-by');
  // Hashing each reply for an ETag could only save sending it: the search has run by then.
  app.disable('etag');
  app.set('query parser', 'simple');

  app.use(onePerConnection(), logRequests(logger), answers.handler, guard(names));
  const status = serviceStatus(gate, answers, indexStatus);
  app.all('/healthz', health(status, answers));
  app.use(refuseWhenClosing(answers));
  app.use(limitBodies({ bytesMax: BODY_BYTES_MAX, allBytesMax: ALL_BODIES_BYTES_MAX }));
  app.use(ROUTES, readJson({ bytesMax: BODY_BYTES_MAX, depthMax: DEPTH_MAX }), inTurn());
  app.all('/mcp', refuseForMcp, (req, res) => mcp.handle(req, res));
  app.use('/context', documents);
  app.use(pageRouter(page, status));
  app.use(refuseAddress);
  app.use(answerErrors(logger));
  return app;
}

/** Refuses requests that the protocol's library would process for long or report as its own failure. */
function refuseForMcp(req, res, next) {
  const { method, body } = req;
  if (method !== 'POST') return refuseMethod(req, res, '/mcp accepts only POST', 'POST');
  const message = tooLong(body);
  if (message === undefined) return next();
  refuse(req, res, { status: 400, code: 'bad_request', rpc: RPC.invalidRequest, message });
}

/** Returns a function that reports the state of the service, for `/healthz` and the page. */
function serviceStatus(gate, answers, indexStatus) {
  const started = performance.now();
  return () => ({
    status: answers.closing ? 'stopping' : 'ok',
    version,
    in_flight: gate.inFlight,
    index: indexStatus(),
    uptime_s: Math.floor((performance.now() - started) / 1000),
  });
}

function health(status, answers) {
  return (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return refuseMethod(req, res, '/healthz accepts only GET', 'GET, HEAD');
    }
    res.status(answers.closing ? 503 : 200).set('Cache-Control', 'no-store');
    res.json(status());
  };
}

function refuseWhenClosing(answers) {
  return (req, res, next) => {
    if (!answers.closing) return next();
    refuseBusy(req, res, 'the service is stopping', { Connection: 'close' });
  };
}

function refuseAddress(req, res) {
  const message = `no such address: ${pathOf(req)}; known: ${ADDRESSES.join(', ')}`;
  refuse(req, res, { status: 404, code: 'not_found', message });
}

module.exports = { BODY_BYTES_MAX, createApp };
