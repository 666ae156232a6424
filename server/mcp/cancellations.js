'use strict';

/**
 * The calls in flight of clients over HTTP whose revision cancels by a request of its own, by the id that
 * their `initialize` received and the id of their request. The first only keeps the requests of two clients
 * apart: any process serves any id, and none is remembered after its calls.
 */
class Cancellations {
  #running = new Map();

  /** Returns the calls of an HTTP request, which `signal` ends. They are forgotten when `response` closes. */
  watch(client, requestIds, { signal, response }) {
    const calls = new CancellableCalls(requestIds);
    if (signal.aborted) return calls;
    const keys = requestIds.map((id) => keyOf(client, id));
    for (const key of keys) this.#running.set(key, calls);
    response.once('close', () => {
      for (const key of keys) {
        if (this.#running.get(key) === calls) this.#running.delete(key);
      }
    });
    return calls;
  }

  /** Cancels a call. One that another process runs, or that has ended, is unknown here. */
  cancel(client, requestId) {
    this.#running.get(keyOf(client, requestId))?.cancel(requestId);
  }

  get size() {
    return this.#running.size;
  }
}

/**
 * The calls of one HTTP request, each with a signal of its own. The protocol's library ends a response after every
 * call in it has a reply. A cancelled call therefore still gets one, which `withoutCancelled` drops: the protocol
 * has no reply to it. If all calls are cancelled, `signal` ends the response at once.
 */
class CancellableCalls {
  #controllers;
  #cancelled = new Set();
  #all = new AbortController();

  constructor(requestIds) {
    this.#controllers = new Map(requestIds.map((id) => [id, new AbortController()]));
  }

  /** A signal that is aborted when every call is cancelled. */
  get signal() {
    return this.#all.signal;
  }

  get size() {
    return this.#controllers.size;
  }

  /** Returns the signal of a call. */
  signalOf(requestId) {
    return this.#controllers.get(requestId)?.signal;
  }

  cancel(requestId) {
    this.#controllers.get(requestId)?.abort();
    this.#cancelled.add(requestId);
    if (this.#cancelled.size === this.size) this.#all.abort();
  }

  /** Returns the response without the replies to cancelled calls. */
  withoutCancelled(response) {
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    // Each chunk is one event: the protocol's library enqueues them whole.
    const transform = (event, stream) => {
      const isDropped = this.#cancelled.size > 0 && this.#cancelled.has(repliedId(event));
      if (!isDropped) stream.enqueue(event);
    };
    return new Response(response.body.pipeThrough(new TransformStream({ transform })), response);
  }
}

/** Returns the id of the request that an event replies to; undefined if it is not a reply. */
function repliedId(event) {
  const data = /^data: (.*)$/m.exec(new TextDecoder().decode(event))?.[1];
  const { id, method } = data === undefined ? {} : JSON.parse(data);
  return method === undefined ? id : undefined;
}

function keyOf(client, requestId) {
  return JSON.stringify([client, requestId]);
}

/** The calls by their HTTP request, which the protocol's library passes on to each tool call. */
const callsOf = new WeakMap();

/** Lets tool calls find the calls of their HTTP request. */
function attachCalls(request, calls) {
  callsOf.set(request, calls);
}

/** Returns the signal of the cancellation of a tool call; undefined if no request of the client can cancel it. */
function cancellationOf({ http, mcpReq }) {
  return callsOf.get(http?.req)?.signalOf(mcpReq.id);
}

module.exports = { Cancellations, attachCalls, cancellationOf };
