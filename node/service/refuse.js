'use strict';

/** The JSON-RPC codes of what is refused before a method is looked at. */
const RPC = Object.freeze({ parse: -32700, request: -32600, refused: -32000, internal: -32603 });

/** The path that was asked for, also inside of a mounted router. */
function pathOf(req) {
  return req.originalUrl.split('?', 1)[0];
}

function speaksRpc(req) {
  const path = pathOf(req);
  return path.startsWith('/mcp') || (path.startsWith('/context') && req.method === 'POST');
}

/**
 * Answers a request that is not served, in the shape that its address speaks: `code` is for
 * programs, `rpc` the same where JSON-RPC is spoken.
 */
function refuse(req, res, { status, code, message, rpc = RPC.refused, headers = {} }) {
  // A connection that is closed while the client still sends takes our answer with it; on one that
  // is kept the rest is read and thrown away, within the time that a request may take.
  if (isSending(req)) res.set('Connection', 'keep-alive');
  res.status(status).set(headers);
  if (speaksRpc(req)) {
    res.json({ jsonrpc: '2.0', error: { code: rpc, message, data: { code } }, id: null });
  } else {
    res.json({ error: { code, message } });
  }
}

function isSending({ headers, complete }) {
  const announced = headers['transfer-encoding'] ?? Number(headers['content-length'] ?? 0);
  return announced !== 0 && !complete;
}

/** Refuses for now; the client may come again. */
function refuseBusy(req, res, message, headers) {
  refuse(req, res, {
    status: 503,
    code: 'busy',
    message,
    headers: { 'Retry-After': '1', ...headers },
  });
}

const NOT_UTF8 = Object.freeze({ message: 'bodies are JSON in UTF-8' });

/** What each mistake in a body, by the name that express has for it, is called here. */
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
    rpc: RPC.request,
    message: 'the body is nested too deep',
  },
  'encoding.unsupported': {
    status: 415,
    code: 'unsupported_encoding',
    rpc: RPC.request,
    message: 'bodies are taken as they are, not compressed',
  },
  'charset.unsupported': {
    ...NOT_UTF8,
    status: 415,
    code: 'unsupported_charset',
    rpc: RPC.request,
  },
});

function tooLarge(bytesMax) {
  const message = `the body is too large; ${bytesMax} bytes are taken`;
  return { status: 413, code: 'body_too_large', rpc: RPC.request, message };
}

function bodyMistake({ type, limit }) {
  return type === 'entity.too.large' ? tooLarge(limit) : BODY_MISTAKES[type];
}

/** The last handler of an app: every error becomes an answer, and ours are logged. */
function answerErrors(logger) {
  // Express knows a handler of errors by its four parameters.
  return (error, req, res, _next) => {
    const mistake = bodyMistake(error);
    const own = mistake === undefined && !(error.status >= 400 && error.status < 500);
    if (own) logger.error('request failed', { path: pathOf(req), error: error.stack });
    // Half an answer cannot be taken back; a client sees that it is not whole.
    if (res.headersSent || res.destroyed) return void res.destroy();
    if (mistake !== undefined) return refuse(req, res, mistake);
    if (own) {
      const message = 'searchscope failed by a defect of its own';
      return refuse(req, res, { status: 500, code: 'internal', rpc: RPC.internal, message });
    }
    const { status, message } = error;
    refuse(req, res, { status, code: 'bad_request', rpc: RPC.request, message });
  };
}

module.exports = { RPC, answerErrors, pathOf, refuse, refuseBusy, tooLarge };
