'use strict';

const { pino } = require('pino');
const { printableJson } = require('searchscope/internal');

/** Maximum size of unread log lines; further ones are dropped. */
const UNREAD_BYTES_MAX = 1 << 20;

/** Writes to standard error, because standard output belongs to the protocol; never waits for a reader. */
const STDERR = Object.freeze({
  write(line) {
    if (process.stderr.writableLength < UNREAD_BYTES_MAX) process.stderr.write(printableJson(line));
  },
});

/** Creates a logger whose methods take a message and fields; each call writes one line of JSON. */
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

/** Returns a logger that writes `info` at `debug`, for messages that contain the searched text. */
function quietLogger(logger) {
  return Object.freeze({ ...logger, info: logger.debug });
}

module.exports = { createLogger, quietLogger };
