'use strict';

/**
 * The calls in flight of clients over HTTP whose revision cancels by a request of its own, by the id that
 * their `initialize` received and the id of their request. The first only keeps the requests of two clients
 * apart: any process serves any id, and none is remembered after its calls.
 */
class Cancellations {
  #running = new Map();

  /**
   * Returns a signal that a cancellation of one of the requests aborts, or the end of `signal`. The calls
   * are forgotten when `response` closes.
   */
  watch(client, requestIds, { signal, response }) {
    if (signal.aborted) return signal;
    const controller = new AbortController();
    const keys = requestIds.map((id) => keyOf(client, id));
    for (const key of keys) this.#running.set(key, controller);
    response.once('close', () => {
      for (const key of keys) {
        if (this.#running.get(key) === controller) this.#running.delete(key);
      }
    });
    return AbortSignal.any([signal, controller.signal]);
  }

  /** Cancels a call. One that another process runs, or that has ended, is unknown here. */
  cancel(client, requestId) {
    this.#running.get(keyOf(client, requestId))?.abort();
  }

  get size() {
    return this.#running.size;
  }
}

function keyOf(client, requestId) {
  return JSON.stringify([client, requestId]);
}

module.exports = { Cancellations };
