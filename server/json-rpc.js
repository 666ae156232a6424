'use strict';

// JSON-RPC 2.0 as every address and the standard streams speak it: codes, messages, ids, batches and errors. No
// library of the protocol is loaded here, because `/context` serves most clients without one.

/** The codes of JSON-RPC 2.0, the first of those that it leaves to servers, and one of the Model Context Protocol. */
const RPC = Object.freeze({
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  unsupportedVersion: -32022,
});

/** Maximum number of messages in a batch: they run one after the other and occupy their connection. */
const BATCH_MAX = 100;

/** The method of a notification that cancels a request. */
const CANCELLED = 'notifications/cancelled';

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is an id. JSON-RPC discourages null but allows it. */
function isId(value) {
  return typeof value === 'string' || typeof value === 'number' || value === null;
}

/** Returns the id for the reply to a message; null if it has no valid one. */
function idOf(message) {
  return isId(message?.id) ? message.id : null;
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

/** Returns why a body is refused if it is a batch of too many messages; undefined for every other body. */
function tooLong(body) {
  if (!Array.isArray(body) || body.length <= BATCH_MAX) return undefined;
  return `the batch has more than ${BATCH_MAX} messages`;
}

/** Returns the id of the request that a message cancels; undefined if it cancels none. */
function cancelledId(message) {
  return message?.method === CANCELLED ? message.params?.requestId : undefined;
}

/** Returns a batch without the calls that it cancels itself, which nothing would answer, and their cancellations. */
function withoutCancelled(batch) {
  const cancels = (message) => message?.method === CANCELLED;
  const ids = new Set(batch.filter(cancels).map(cancelledId));
  return batch.filter((message) => !cancels(message) && !(message?.method && ids.has(message.id)));
}

/** Returns the message that answers a request with the error `{code, message, data?}`. */
function errorMessage(id, error) {
  return { jsonrpc: '2.0', id, error };
}

/** Returns the message that refuses an HTTP request, with its keys in the order of the protocol's library. */
function refusal(error, id = null) {
  return { jsonrpc: '2.0', error, id };
}

module.exports = {
  CANCELLED,
  RPC,
  cancelledId,
  errorMessage,
  idOf,
  isObject,
  mistakeIn,
  refusal,
  tooLong,
  withoutCancelled,
};
