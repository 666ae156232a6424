'use strict';

const { CallRecord } = require('./call-record.js');

/** What a caller gets when there is no room for its call; nothing was started. */
class BusyError extends Error {
  constructor(callsMax) {
    super(`the service is busy with ${callsMax} calls; try again in a moment`);
    this.code = 'busy';
  }
}

Object.defineProperty(BusyError.prototype, 'name', { value: 'BusyError' });

/** Calls beyond these wait for so long at most: a burst passes, an overload is answered. */
const WAIT_MS = 2000;

/**
 * Lets so many calls in at once. As many more wait their turn, first come first served, and for a
 * bounded time: a caller that is told soon can do something else, one that waits for ever cannot.
 */
class Gate {
  #callsMax;
  #waitMs;
  #inFlight = 0;
  #waiting = new Set();
  #empty = [];
  /** The calls that wait or run and the latest that ended, a `CallRecord`. */
  calls = new CallRecord();
  #onLeave;

  /** `onLeave` is called at the end of each call, however it ends. */
  constructor(callsMax, { waitMs = WAIT_MS, onLeave } = {}) {
    this.#callsMax = callsMax;
    this.#waitMs = waitMs;
    this.#onLeave = onLeave;
  }

  /** How many calls are in. */
  get inFlight() {
    return this.#inFlight;
  }

  /** The number of calls that may be in at once. */
  get callsMax() {
    return this.#callsMax;
  }

  /** How many calls wait for their turn. */
  get waiting() {
    return this.#waiting.size;
  }

  /**
   * Runs `call` when it is its turn and gives what it gives. Rejects with a `BusyError` when there is
   * no room in time, and with the signal's reason when that aborts first; then nothing was started.
   * `tool` and `via` name the call in the record.
   */
  async run(call, { signal, tool, via } = {}) {
    const entry = this.calls.begin({ tool, via });
    try {
      const reply = await this.#runInTurn(call, entry, signal);
      entry.end();
      return reply;
    } catch (error) {
      entry.end(error);
      throw error;
    }
  }

  async #runInTurn(call, entry, signal) {
    if (this.#inFlight >= this.#callsMax) await this.#turn(signal);
    else this.#inFlight += 1;
    entry.start();
    try {
      return await call();
    } finally {
      this.#leave();
      this.#onLeave?.();
    }
  }

  /** Resolves when no call is in, and so none waits. */
  async empty() {
    if (this.#inFlight > 0) await new Promise((resolve) => this.#empty.push(resolve));
  }

  /** Resolves when a call that leaves has handed its place over. */
  #turn(signal) {
    if (this.#waiting.size >= this.#callsMax) throw new BusyError(this.#callsMax);
    if (signal?.aborted) throw signal.reason;
    return new Promise((resolve, reject) => {
      const waiter = {};
      const leaveQueue = () => {
        this.#waiting.delete(waiter);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      waiter.enter = () => {
        leaveQueue();
        resolve();
      };
      waiter.refuse = (error) => {
        leaveQueue();
        reject(error);
      };
      const onAbort = () => waiter.refuse(signal.reason);
      const timer = setTimeout(() => waiter.refuse(new BusyError(this.#callsMax)), this.#waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  /** Hands the place of a call that is done to the one that waits for longest. */
  #leave() {
    const [next] = this.#waiting;
    if (next !== undefined) return next.enter();
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const resolve of this.#empty.splice(0)) resolve();
  }
}

module.exports = { BusyError, Gate };
