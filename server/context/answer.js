'use strict';

const { RPC, errorMessage, idOf, mistakeIn, tooLong } = require('../json-rpc.js');

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
  const refused = tooLong(body);
  if (refused !== undefined) return errorReply(null, RPC.invalidRequest, refused);
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

/** Returns the reply `{json, code}` for an error. */
function errorReply(id, code, message) {
  return { json: JSON.stringify(errorMessage(id, { code, message })), code };
}

module.exports = { RpcError, answer, errorReply };
