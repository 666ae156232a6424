'use strict';

const { CallRecord } = require('./call-record.js');

/** The error for a call that was refused for lack of room; nothing was started. */
class BusyError extends Error {
  constructor(callsMax) {
    super(`the service is busy with ${callsMax} calls; try again in a moment`);
    this.code = 'busy';
  }
}

Object.defineProperty(BusyError.prototype, 'name', { value: 'BusyError' });

/** Maximum time that a call waits for its turn: a burst passes, an overload is refused. */
const WAIT_MS = 2000;

/**
 * Admits up to `callsMax` calls at once. As many more wait for their turn, first come first served, and
 * for a bounded time: a caller that is refused soon can do something else, one that waits for ever cannot.
 */
class Gate {
  #callsMax;
  #waitMs;
  #inFlight = 0;
  #waiting = new Set();
  #empty = [];
  /** The `CallRecord` of waiting, running and recently finished calls. */
  calls = new CallRecord();
  #onLeave;

  /** `onLeave` is called after each call, successful or not. */
  constructor(callsMax, { waitMs = WAIT_MS, onLeave } = {}) {
    this.#callsMax = callsMax;
    this.#waitMs = waitMs;
    this.#onLeave = onLeave;
  }

  /** Returns the number of running calls. */
  get inFlight() {
    return this.#inFlight;
  }

  /** Returns the maximum number of running calls. */
  get callsMax() {
    return this.#callsMax;
  }

  /** Returns the number of calls that wait for their turn. */
  get waiting() {
    return this.#waiting.size;
  }

  /**
   * Runs `call` in its turn and returns its result. Rejects with a `BusyError` if there is no room in
   * time, and with the signal's reason if that aborts while the call waits; then nothing was started.
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

  /** Resolves when no call is running, which implies that none is waiting. */
  async empty() {
    if (this.#inFlight > 0) await new Promise((resolve) => this.#empty.push(resolve));
  }

  /** Resolves when a finished call has handed over its place. */
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

  /** Hands the place of a finished call to the one that has waited longest. */
  #leave() {
    const [next] = this.#waiting;
    if (next !== undefined) return next.enter();
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const resolve of this.#empty.splice(0)) resolve();
  }
}

module.exports = { BusyError, Gate };
