'use strict';

/** The codes of JSON-RPC 2.0, and the first of those that it leaves to servers. */
const RPC = Object.freeze({
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  busy: -32000,
});

/** Maximum number of messages in a batch: they run one after the other and occupy their connection. */
const BATCH_MAX = 100;

/** Maximum total size of the replies to a batch: a small request must not produce gigabytes. */
const BATCH_BYTES_MAX = 16 << 20;

/** An error that is sent to the caller unchanged. */
class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * Answers a message or a batch of messages. Returns `{json, code?}`, the text to send and the code of a
 * single error; or undefined if there is nothing to send. `methods` maps names to
 * `(params, signal) => result`; `methodsWhenFull` does so for the rest of a batch whose replies have
 * become large. `explain` converts their exceptions, except for an `RpcError`. The calls of a batch run
 * one after the other.
 */
async function answer(body, context) {
  if (!Array.isArray(body)) return answerOne(body, context);
  if (body.length === 0) return errorReply(null, RPC.invalidRequest, 'the batch is empty');
  if (body.length > BATCH_MAX) {
    const message = `the batch has more than ${BATCH_MAX} messages`;
    return errorReply(null, RPC.invalidRequest, message);
  }
  const full = { ...context, methods: context.methodsWhenFull };
  const replies = [];
  let bytes = 0;
  let current = context;
  for (const message of body) {
    let reply = await answerOne(message, current);
    if (reply === undefined) continue;
    if (current !== full && bytes + Buffer.byteLength(reply.json) > BATCH_BYTES_MAX) {
      current = full;
      reply = await answerOne(message, current);
    }
    bytes += Buffer.byteLength(reply.json);
    replies.push(reply.json);
  }
  return replies.length === 0 ? undefined : { json: `[${replies.join(',')}]` };
}

async function answerOne(message, { methods, explain, signal }) {
  const mistake = mistakeIn(message);
  if (mistake !== undefined) return errorReply(idOf(message), RPC.invalidRequest, mistake);
  // Notifications get no reply, and neither do responses, because we send no requests.
  if (message.method === undefined || message.id === undefined) return undefined;
  try {
    const method = methods.get(message.method);
    if (method === undefined) {
      throw new RpcError(RPC.methodNotFound, `unknown method '${message.method}'`);
    }
    if (Array.isArray(message.params)) {
      throw new RpcError(RPC.invalidParams, 'params must be an object');
    }
    const result = await method(message.params ?? {}, signal);
    return { json: JSON.stringify({ jsonrpc: '2.0', id: message.id, result }) };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message: text } = error instanceof RpcError ? error : explain(error);
    return errorReply(message.id, code, text);
  }
}

/** Returns why a value is not a request, notification or response; undefined if it is one. */
function mistakeIn(message) {
  if (!isObject(message)) return 'a message must be an object';
  if (message.jsonrpc !== '2.0') return 'jsonrpc must be "2.0"';
  if (message.id !== undefined && !isId(message.id)) return 'id must be a string or a number';
  const isAnswer = message.result !== undefined || message.error !== undefined;
  if (message.method === undefined && isAnswer) return undefined;
  if (typeof message.method !== 'string') return 'method must be a string';
  const { params } = message;
  if (params !== undefined && !isObject(params) && !Array.isArray(params)) {
    return 'params must be an object';
  }
  return undefined;
}

/** Returns the id for the reply; null if the message has no valid one. */
function idOf(message) {
  return isObject(message) && isId(message.id) ? message.id : null;
}

/** Returns whether a value is an id. JSON-RPC discourages null but allows it. */
function isId(value) {
  return typeof value === 'string' || typeof value === 'number' || value === null;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function errorReply(id, code, message) {
  return { json: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }), code };
}

module.exports = { BATCH_MAX, RPC, RpcError, answer, errorReply, isObject };
