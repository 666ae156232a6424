'use strict';

/**
 * The revisions of the protocol and the messages that name one. A request of a stateless revision describes
 * itself in `params._meta`; earlier revisions begin with a handshake, `initialize`. No library of the
 * protocol is loaded here, because `/context` needs these rules and serves most clients without one.
 */

const { RPC, isObject } = require('../json-rpc.js');

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';

/** Revisions that requests may name in `_meta`, newest first. */
const STATELESS = Object.freeze(['2026-07-28']);

/** Published revisions that begin with `initialize`, newest first. */
const WITH_HANDSHAKE = Object.freeze(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);

/** Methods that only stateless revisions have. */
const STATELESS_METHODS = new Set(['server/discover', 'subscriptions/listen']);

/** Maximum number of characters of an unknown revision that an error repeats. */
const SHOWN_MAX = 40;

/** Returns the `_meta` of a message; undefined if it has none. */
function metaOf(message) {
  const params = message?.params;
  return isObject(params) ? params._meta : undefined;
}

/** Returns whether a message is of a stateless revision, known or not, or lacks only its name. */
function isStateless(message) {
  const meta = metaOf(message);
  if (message?.method === 'initialize') return isObject(meta) && STATELESS.includes(meta[VERSION_KEY]);
  if (STATELESS_METHODS.has(message?.method)) return true;
  const keys = [VERSION_KEY, CAPABILITIES_KEY, CLIENT_KEY];
  return isObject(meta) && keys.some((key) => Object.hasOwn(meta, key));
}

/**
 * Returns the error `{code, message, data?}` for a request whose revision is unknown or missing; undefined
 * for any other message. `header` is the value of `MCP-Protocol-Version`, which names the revision a second
 * time over HTTP; the protocol's library compares both.
 */
function revisionError(message, header) {
  if (!isObject(message) || typeof message.method !== 'string') return undefined;
  const meta = metaOf(message);
  if (meta !== undefined && !isObject(meta)) {
    return { code: RPC.invalidParams, message: 'params._meta must be an object' };
  }
  const named = meta?.[VERSION_KEY];
  if (message.method === 'initialize' && !isStateless(message)) {
    return handshakeError(message, named);
  }
  if (named === undefined) {
    if (header !== undefined) return isKnown(header) ? undefined : unsupported(header);
    return isStateless(message) ? missing(VERSION_KEY, `"${STATELESS[0]}"`) : undefined;
  }
  if (typeof named !== 'string') return missing(VERSION_KEY, `"${STATELESS[0]}"`);
  if (header !== undefined && header !== named) return undefined;
  if (!STATELESS.includes(named)) return unsupported(named);
  const isDescribed = message.id === undefined || isObject(meta[CAPABILITIES_KEY]);
  return isDescribed ? undefined : missing(CAPABILITIES_KEY, 'an object');
}

/** Returns the error for a batch under a header of another revision than those that have batches, or could. */
function batchError(header) {
  if (header === undefined || WITH_HANDSHAKE.includes(header)) return undefined;
  if (!STATELESS.includes(header)) return unsupported(header);
  return { code: RPC.invalidRequest, message: `revision ${header} has no batches` };
}

/** Returns the error for an `initialize` that names no revision, or that `_meta` contradicts. */
function handshakeError({ params }, named) {
  if (typeof named === 'string' && !isKnown(named)) return unsupported(named);
  if (typeof params?.protocolVersion === 'string') return undefined;
  const message = `initialize needs params.protocolVersion, a revision of the protocol such as "${WITH_HANDSHAKE[0]}"`;
  return { code: RPC.invalidParams, message };
}

/** Returns the error for a request without a key of `_meta`, or with another type of value. */
function missing(key, expected) {
  const message = `params._meta needs "${key}": ${expected}`;
  return { code: RPC.invalidParams, message, data: { envelope: { missing: [key] } } };
}

/** Returns the protocol's error for a revision that requests cannot name; `supported` are those that they can. */
function unsupported(revision) {
  const requested = revision.slice(0, SHOWN_MAX);
  const message =
    `Unsupported protocol version: ${requested}; supported: ${STATELESS.join(', ')}, ` +
    `and after initialize ${WITH_HANDSHAKE.join(', ')}`;
  return { code: RPC.unsupportedVersion, message, data: { supported: [...STATELESS], requested } };
}

function isKnown(revision) {
  return STATELESS.includes(revision) || WITH_HANDSHAKE.includes(revision);
}

module.exports = {
  CAPABILITIES_KEY,
  STATELESS,
  VERSION_KEY,
  WITH_HANDSHAKE,
  batchError,
  isStateless,
  revisionError,
};
