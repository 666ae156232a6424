'use strict';

const { pino } = require('pino');
const { printableJson } = require('../printable.js');
const { pathOf } = require('./refuse.js');

/** Lines that nobody has read yet; when there are more of them, further ones are dropped. */
const UNREAD_BYTES_MAX = 1 << 20;

/** Addresses that are queried every few seconds. */
const PULSES = Object.freeze(['/healthz', '/page/state']);

/** Names that a client chooses are cut to this in a log. */
const NAME_CHARS_MAX = 100;

/** Never standard output, which belongs to the protocol; and never waiting for a reader. */
const STDERR = Object.freeze({
  write(line) {
    if (process.stderr.writableLength < UNREAD_BYTES_MAX) process.stderr.write(printableJson(line));
  },
});

/** Makes a logger whose methods take a message and fields; each call is one line of JSON. */
function createLogger(level, stream = STDERR) {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const lines = pino(options, stream);
  const at = (name) => (message, fields) => lines[name](fields ?? {}, message);
  return Object.freeze({
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    debugging: lines.isLevelEnabled('debug'),
  });
}

/** The same for what tells the searched text at `info`: it is told at `debug` only. */
function quietLogger(logger) {
  return Object.freeze({ ...logger, info: logger.debug });
}

/** Logs each request when it is over, without what was asked unless `debug` is wanted. */
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
        // The client went away, or was sent away, before it had everything.
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
  // Asked every few seconds, and of no interest while all is well.
  const pulse = PULSES.includes(pathOf(req)) || req.body?.method === 'ping';
  return pulse && statusCode < 400 ? 'debug' : 'info';
}

/** Which method, tool or action was called, where a body or a query says so. */
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

module.exports = { createLogger, logRequests, quietLogger };
