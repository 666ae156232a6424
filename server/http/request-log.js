'use strict';

const { pathOf } = require('./refuse.js');

/** Addresses that are polled every few seconds. */
const PULSES = Object.freeze(['/healthz', '/page/state']);
/** Methods by which clients, and the service itself when it starts, see whether it answers. */
const QUIET_METHODS = Object.freeze(['ping', 'server/discover']);

/** Names that a client chooses are cut to this length in a log. */
const NAME_CHARS_MAX = 100;

/** Logs each request at its end; its full URL only at level `debug`. */
function logRequests(logger) {
  let count = 0;
  return (req, res, next) => {
    const started = performance.now();
    const { socket } = req;
    const before = socket.bytesWritten;
    count += 1;
    const id = count;
    res.once('close', () => {
      const level = levelOf(req, res);
      logger[level]('request', {
        id,
        method: req.method,
        path: cut(pathOf(req)),
        ...called(req),
        status: res.headersSent ? res.statusCode : undefined,
        ms: Math.round(performance.now() - started),
        bytes: socket.bytesWritten - before,
        // The client disconnected, or was disconnected, before it had everything.
        ...(res.writableFinished ? {} : { unfinished: true }),
        ...(logger.debugging ? { url: req.originalUrl } : {}),
      });
    });
    next();
  };
}

function levelOf(req, res) {
  const { statusCode } = res;
  if (statusCode === 429 || statusCode === 503) return 'warn';
  if (statusCode >= 500) return 'error';
  // Polled every few seconds, and of no interest while it succeeds.
  const pulse = PULSES.includes(pathOf(req)) || QUIET_METHODS.includes(req.body?.method);
  return pulse && statusCode < 400 ? 'debug' : 'info';
}

/** Returns the method, tool or action of a request, if its body or query names one. */
function called(req) {
  const { body, query } = req;
  if (Array.isArray(body)) return { batch: body.length };
  const rpc = body?.method;
  const tool = rpc === 'tools/call' ? body.params?.name : body?.tool;
  const names = { rpc, tool, action: query?.action };
  const texts = Object.entries(names).filter(([, name]) => typeof name === 'string');
  return Object.fromEntries(texts.map(([key, name]) => [key, cut(name)]));
}

function cut(text) {
  return text.length > NAME_CHARS_MAX ? `${text.slice(0, NAME_CHARS_MAX)}…` : text;
}

module.exports = { logRequests };
