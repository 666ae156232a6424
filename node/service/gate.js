'use strict';

/** What a caller gets when there is no room for its call; nothing was started. */
class BusyError extends Error {
  constructor(callsMax) {
    super(`the service is busy with ${callsMax} calls; try again in a moment`);
    this.code = 'busy';
  }
}

Object.defineProperty(BusyError.prototype, 'name', { value: 'BusyError' });

/**
 * Lets so many calls in at once and refuses more. The engine runs two of them at a time; those
 * that wait cost little, but a queue without an end is none that anybody waits for.
 */
class Gate {
  #callsMax;
  #inFlight = 0;
  #empty = [];

  constructor(callsMax) {
    this.#callsMax = callsMax;
  }

  /** How many calls are in. */
  get inFlight() {
    return this.#inFlight;
  }

  /** Runs `call` and gives what it gives; rejects with a `BusyError` when there is no room. */
  async run(call) {
    if (this.#inFlight >= this.#callsMax) throw new BusyError(this.#callsMax);
    this.#inFlight += 1;
    try {
      return await call();
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) for (const resolve of this.#empty.splice(0)) resolve();
    }
  }

  /** Resolves when no call is in. */
  async empty() {
    if (this.#inFlight > 0) await new Promise((resolve) => this.#empty.push(resolve));
  }
}

module.exports = { BusyError, Gate };
