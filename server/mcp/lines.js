'use strict';

const { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } = require('@modelcontextprotocol/server');
const { RPC, cancelledId, errorMessage, idOf, withoutCancelled } = require('../json-rpc.js');
const { isStateless, revisionError } = require('./revisions.js');

const NEWLINE = 0x0a;

/** The only revision of the protocol with batches. */
const REVISION_WITH_BATCHES = '2025-03-26';

/** Maximum length of a line; no call needs as much. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** Size of unread answers above which reading pauses. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Messages as lines of JSON over two streams. Unlike the transport of the SDK it answers an invalid line
 * with the protocol's error, and continues after one that is too long.
 */
class LineTransport {
  onmessage;
  onerror;
  onclose;
  /** Resolves when the client sends no more requests; earlier ones may still be answered. */
  ended;
  /** Resolves when no more answers can be sent. */
  closed;
  #input;
  #output;
  #line = [];
  #lineBytes = 0;
  #isClosed = false;
  /** The batches whose answers are not complete, by the id of each request in them. */
  #batches = new Map();
  #hasBatches = false;
  #resolveEnded;
  #resolveClosed;

  constructor(input, output) {
    this.#input = input;
    this.#output = output;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
  }

  async start() {
    // Never removed: a client that stops reading must not crash the process, however late.
    this.#output.on('error', this.#onGone);
    this.#input.on('error', this.#onGone);
    this.#input.on('end', this.#onEnd).on('close', this.#resolveEnded);
    if (this.#input.readableEnded || this.#input.destroyed) this.#resolveEnded();
    this.#input.on('data', this.#onData);
  }

  send(message) {
    this.#hasBatches ||= message.result?.protocolVersion === REVISION_WITH_BATCHES;
    const batch = message.method === undefined ? this.#batches.get(message.id) : undefined;
    if (batch === undefined) return this.#write(message);
    batch.answers.push(message);
    return this.#settle(batch);
  }

  /** Notes that a request of a batch needs no further answer; sends the answers after the last one. */
  #settle(batch) {
    batch.waiting -= 1;
    if (batch.waiting > 0) return Promise.resolve();
    for (const id of batch.ids) this.#batches.delete(id);
    return batch.answers.length > 0 ? this.#write(batch.answers) : Promise.resolve();
  }

  #write(message) {
    if (this.#isClosed) return Promise.reject(new Error('the client has disconnected'));
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#onData).pause();
    this.#line = [];
    try {
      this.onclose?.();
    } finally {
      this.#resolveEnded();
      this.#resolveClosed();
    }
  }

  #onGone = (error) => {
    if (this.#isClosed) return;
    if (error) this.onerror?.(error);
    this.close();
  };

  #onEnd = () => {
    // The last line may lack its line end.
    this.#endLine();
    this.#resolveEnded();
  };

  #onData = (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#append(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#append(chunk.subarray(from));
    if (this.#output.writableLength > UNREAD_BYTES_MAX) this.#waitForReader();
  };

  /** Stops reading requests until the client has taken its answers. */
  #waitForReader() {
    this.#input.pause();
    this.#output.once('drain', () => {
      if (!this.#isClosed) this.#input.resume();
    });
  }

  #append(part) {
    this.#lineBytes += part.length;
    if (this.#lineBytes > LINE_BYTES_MAX) this.#line = [];
    else if (part.length > 0) this.#line.push(part);
  }

  #endLine() {
    const bytes = this.#lineBytes;
    const text = Buffer.concat(this.#line).toString('utf8').trim();
    this.#line = [];
    this.#lineBytes = 0;
    if (this.#isClosed) return;
    if (bytes > LINE_BYTES_MAX) {
      const message = `a line of ${bytes} bytes exceeds the limit of ${LINE_BYTES_MAX}`;
      this.#refuse({ code: RPC.parse, message });
    } else if (text !== '') {
      this.#receive(text);
    }
  }

  #receive(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch (error) {
      const why = `Parse error: the line is not JSON: ${error.message}`;
      this.#refuse({ code: RPC.parse, message: why });
      return;
    }
    const wrong = revisionError(message);
    if (wrong !== undefined) {
      // Notifications are never answered.
      if (message.id !== undefined) this.#refuse(wrong, message);
    } else if (isMessage(message)) this.#deliver(message);
    else if (this.#hasBatches && isBatch(message)) this.#receiveBatch(message);
    else {
      const why = 'Invalid Request: not a single JSON-RPC 2.0 message';
      this.#refuse({ code: RPC.invalidRequest, message: why }, message);
    }
  }

  #deliver(message) {
    const id = cancelledId(message);
    const batch = this.#batches.get(id);
    this.onmessage?.(message);
    if (batch === undefined) return;
    // A cancelled call is not answered; should its answer be on the way, it is sent alone.
    this.#batches.delete(id);
    this.#settle(batch).catch(() => {});
  }

  /** Answers all requests of a batch in one line. A call that its own batch cancels gets no answer. */
  #receiveBatch(messages) {
    const live = withoutCancelled(messages);
    const ids = live.filter(isJSONRPCRequest).map(({ id }) => id);
    const batch = { ids, waiting: ids.length, answers: [] };
    for (const id of ids) this.#batches.set(id, batch);
    for (const message of live) this.onmessage?.(message);
  }

  #refuse(error, refused) {
    this.onerror?.(new Error(error.message));
    // A client that cannot be answered is gone, which the stream itself reports.
    this.send(errorMessage(idOf(refused), error)).catch(() => {});
  }
}

/** Returns whether a value is a batch; stateless revisions have none. */
function isBatch(value) {
  const isPart = (part) => isMessage(part) && !isStateless(part) && revisionError(part) === undefined;
  return Array.isArray(value) && value.length > 0 && value.every(isPart);
}

function isMessage(value) {
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);
}

module.exports = { LineTransport };
