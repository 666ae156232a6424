'use strict';

const { RPC, refusal } = require('../json-rpc.js');

/** Returns the requested path, even inside a mounted router. */
function pathOf(req) {
  return req.originalUrl.split('?', 1)[0];
}

function speaksRpc(req) {
  const path = pathOf(req);
  return path.startsWith('/mcp') || (path.startsWith('/context') && req.method === 'POST');
}

/**
 * Refuses a request in the format of its address. `code` is for programs; `rpc` is its counterpart in
 * JSON-RPC.
 */
function refuse(req, res, { status, code, message, rpc = RPC.refused, headers = {} }) {
  // Closing a connection while the client still sends would lose our response. On a connection that is
  // kept alive the rest is read and discarded, within the time limit of a request.
  if (isSending(req)) res.set('Connection', 'keep-alive');
  res.status(status).set(headers);
  if (speaksRpc(req)) {
    res.json(refusal({ code: rpc, message, data: { code } }));
  } else {
    res.json({ error: { code, message } });
  }
}

function isSending({ headers, complete }) {
  const announced = headers['transfer-encoding'] ?? Number(headers['content-length'] ?? 0);
  return announced !== 0 && !complete;
}

/** Refuses a request for now; the client may retry. */
function refuseBusy(req, res, message, headers) {
  refuse(req, res, {
    status: 503,
    code: 'busy',
    message,
    headers: { 'Retry-After': '1', ...headers },
  });
}

/** Refuses a method that the address does not have; `allowed` is the header with those that it has. */
function refuseMethod(req, res, message, allowed) {
  refuse(req, res, { status: 405, code: 'method_not_allowed', message, headers: { Allow: allowed } });
}

const NOT_UTF8 = Object.freeze({ message: 'bodies must be JSON in UTF-8' });

/** Our response for each mistake in a body, by express's name for it. */
const BODY_MISTAKES = Object.freeze({
  'entity.parse.failed': {
    status: 400,
    code: 'invalid_json',
    rpc: RPC.parse,
    message: 'the body is not a JSON object or array',
  },
  'entity.verify.failed': { ...NOT_UTF8, status: 400, code: 'invalid_json', rpc: RPC.parse },
  'too.deep': {
    status: 400,
    code: 'invalid_json',
    rpc: RPC.invalidRequest,
    message: 'the body is nested too deeply',
  },
  'encoding.unsupported': {
    status: 415,
    code: 'unsupported_encoding',
    rpc: RPC.invalidRequest,
    message: 'compressed bodies are not supported',
  },
  'charset.unsupported': {
    ...NOT_UTF8,
    status: 415,
    code: 'unsupported_charset',
    rpc: RPC.invalidRequest,
  },
});

function tooLarge(bytesMax) {
  const message = `the body exceeds ${bytesMax} bytes`;
  return { status: 413, code: 'body_too_large', rpc: RPC.invalidRequest, message };
}

function bodyMistake({ type, limit }) {
  return type === 'entity.too.large' ? tooLarge(limit) : BODY_MISTAKES[type];
}

/** Returns the last handler of an app: it turns every error into a response, and logs our own. */
function answerErrors(logger) {
  // Express recognises an error handler by its four parameters.
  return (error, req, res, _next) => {
    const mistake = bodyMistake(error);
    const own = mistake === undefined && !(error.status >= 400 && error.status < 500);
    if (own) logger.error('request failed', { path: pathOf(req), error: error.stack });
    // A partial response cannot be revoked; the client sees that it is incomplete.
    if (res.headersSent || res.destroyed) return void res.destroy();
    if (mistake !== undefined) return refuse(req, res, mistake);
    if (own) {
      const message = 'internal error in searchscope';
      return refuse(req, res, { status: 500, code: 'internal', rpc: RPC.internal, message });
    }
    const { status, message } = error;
    refuse(req, res, { status, code: 'bad_request', rpc: RPC.invalidRequest, message });
  };
}

module.exports = { answerErrors, pathOf, refuse, refuseBusy, refuseMethod, tooLarge };
