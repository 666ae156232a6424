'use strict';

const express = require('express');
const { defectFields, isBusy } = require('../defects.js');
const { RPC } = require('../json-rpc.js');
const { errorReply } = require('./answer.js');
const { failure } = require('./get.js');

const RETRY_AFTER_S = 1;
const INTERNAL_ERROR = 'internal error';

/** HTTP statuses of errors that answer a whole request; other errors are sent with status 200. */
const STATUS_OF_RPC = new Map([
  [RPC.parse, 400],
  [RPC.invalidRequest, 400],
  [RPC.internal, 500],
  [RPC.refused, 503],
]);

/** Runs `work` with a signal that aborts when the client disconnects; its error is then ignored. */
async function whileConnected(response, work) {
  const controller = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) controller.abort();
  };
  response.on('close', onClose);
  if (response.closed) onClose();
  try {
    await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  }
}

/**
 * Returns whether a client of the protocol requests a stream of messages from the server. We offer none,
 * which the protocol requires to be reported by status 405.
 */
function wantsEvents(request) {
  return /\btext\/event-stream\b/i.test(request.get('Accept') ?? '');
}

/** Reads the body whatever its type, because `curl -d` declares JSON as a form. */
function readBody(bytesMax) {
  const read = express.raw({ type: () => true, limit: bytesMax });
  return (request, response, next) =>
    // A host that parses bodies has read it already.
    request.body === undefined ? read(request, response, next) : next();
}

/** Returns `{value}`, or `{reply}` if the body is not JSON. */
function parseBody(body) {
  const isBytes = Buffer.isBuffer(body);
  if (body !== undefined && typeof body !== 'string' && !isBytes) return { value: body };
  try {
    // A byte order mark is dropped, bytes that are not UTF-8 are refused.
    const text = isBytes ? new TextDecoder('utf-8', { fatal: true }).decode(body) : body;
    return { value: JSON.parse(text) };
  } catch {
    const message = 'the body must be JSON in UTF-8: a JSON-RPC 2.0 message or an array of them';
    return { reply: errorReply(null, RPC.parse, message) };
  }
}

/** Returns the error that a caller sees for one that it did not cause: busy, or internal. */
function explainRpc(error, logger) {
  if (isBusy(error)) return { code: RPC.refused, message: error.message };
  logError(logger, error);
  return { code: RPC.internal, message: INTERNAL_ERROR };
}

/** Answers a GET request whose work threw. */
function failGet(error, response, logger) {
  if (isBusy(error)) return send(response, failure(503, 'BUSY', error.message));
  logError(logger, error);
  send(response, failure(500, 'INTERNAL_ERROR', INTERNAL_ERROR));
}

/** Answers a POST request whose body cannot be read, or that hit a defect. */
function failPost(error, response, { explain, bodyBytesMax }) {
  const message =
    error.type === 'entity.too.large'
      ? `the body exceeds ${bodyBytesMax} bytes`
      : 'the body cannot be read';
  if (error.status >= 400 && error.status < 500) {
    const { json } = errorReply(null, RPC.invalidRequest, message);
    return send(response, { status: error.status, json });
  }
  const { code, message: text } = explain(error);
  sendRpc(response, errorReply(null, code, text));
}

function logError(logger, error) {
  logger.error('Context request failed', defectFields(error));
}

/** Sends the reply to a message or a batch; undefined if there is nothing to reply. */
function sendRpc(response, reply) {
  if (reply === undefined) return response.status(202).end();
  send(response, { status: STATUS_OF_RPC.get(reply.code) ?? 200, json: reply.json });
}

/**
 * Sends JSON, given as text or as a value. The framework's `json` is not used: depending on the host's
 * settings it hashes, indents or escapes the response.
 */
function send(response, { status, body, json = JSON.stringify(body) }) {
  if (status === 503) response.set('Retry-After', String(RETRY_AFTER_S));
  const bytes = Buffer.from(json);
  response.status(status).set('Content-Type', 'application/json; charset=utf-8');
  response.set('Content-Length', String(bytes.length)).end(bytes);
}

module.exports = {
  explainRpc,
  failGet,
  failPost,
  parseBody,
  readBody,
  send,
  sendRpc,
  wantsEvents,
  whileConnected,
};
