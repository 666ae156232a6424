'use strict';

const { isMainThread, threadId } = require('node:worker_threads');
const net = require('node:net');
const { internal, cancelled } = require('./errors.js');
const { tellProgress } = require('./progress.js');
const { onceAborted, reasonOf } = require('./signals.js');

/** Delay before the next attempt when calls of other threads occupy all slots. */
const RETRY_MS = 5;

/**
 * Returns the maximum number of calls that may hold a libuv thread. They share that small pool with the
 * host's file and DNS work, so they get at most half of it; two are enough because the engine has
 * threads of its own.
 */
function callsMax(threadpoolSize = process.env.UV_THREADPOOL_SIZE) {
  const size =
    threadpoolSize === undefined ? 4 : Math.max(Number.parseInt(threadpoolSize, 10) || 1, 1);
  return Math.max(Math.min(2, Math.floor(size / 2)), 1);
}

/** Runs native calls, a few at a time, and cancels them when their signal aborts or the thread ends. */
class CallQueue {
  #native;
  #max = callsMax();
  #waiting = new Set();
  #running = 0;
  #retry;
  #closed = false;
  #lifeline;

  constructor(native) {
    this.#native = native;
    // Node waits for running calls before it exits: without this, until their searches are complete.
    process.on('exit', () => {
      this.#closed = true;
      this.#waiting.clear();
      native.cancelAll(isMainThread ? undefined : threadId);
    });
  }

  /**
   * Runs `begin(token, callsMax)` once there is room and returns the envelope that it resolves with.
   * `begin` returns null for lack of room. `signal` is a checked signal or undefined. `onProgress`,
   * if defined, is called with the number of files visited while the call runs; if it throws, the call
   * ends with that exception. `stops`, a set, contains until the end a function which ends the call
   * with a given error.
   */
  async run(begin, { signal, onProgress, stops } = {}) {
    if (signal?.aborted) throw reasonOf(signal);
    if (this.#closed) throw cancelled('the process is exiting');
    this.#watchTermination();
    const token = new this.#native.CancelToken(threadId);
    let stop;
    let endProgress;
    let release;
    try {
      return await new Promise((resolve, reject) => {
        const beginAndTell = () => {
          const running = begin(token, this.#max);
          if (running !== null && onProgress) {
            endProgress = tellProgress(onProgress, () => token.files(), stop);
          }
          return running;
        };
        const call = { begin: beginAndTell, resolve, reject };
        stop = (error) => {
          this.#waiting.delete(call);
          token.cancel();
          reject(error);
        };
        stops?.add(stop);
        release = onceAborted(signal, stop);
        this.#waiting.add(call);
        this.#startWaiting();
      });
    } finally {
      endProgress?.();
      stops?.delete(stop);
      release?.();
    }
  }

  /** Starts waiting calls in order, as long as there is room. */
  #startWaiting() {
    for (const call of this.#waiting) {
      let running;
      try {
        running = call.begin();
      } catch (error) {
        running = Promise.reject(error);
      }
      if (running === null) break;
      this.#waiting.delete(call);
      this.#running += 1;
      running
        .then(call.resolve, (error) => call.reject(internal(error)))
        .finally(() => {
          this.#running -= 1;
          this.#startWaiting();
        });
    }
    // A call of this thread runs this again at its end; calls of other threads cannot, so poll for them.
    if (this.#waiting.size > 0 && this.#running === 0) {
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        this.#startWaiting();
      }, RETRY_MS);
    }
  }

  /**
   * Lets `worker.terminate()` cancel running calls: no code of the worker runs then, but Node closes
   * its handles, and the native side waits for this socket to be closed.
   */
  #watchTermination() {
    if (isMainThread || this.#lifeline !== undefined) return;
    const end = this.#native.cancelWhenClosed(threadId);
    if (end === null) {
      this.#lifeline = null;
      return;
    }
    this.#lifeline = new net.Socket({ fd: end.fd, readable: false, writable: true });
    // If the worker is terminated before this line, the native side closes the descriptor.
    end.own();
    this.#lifeline.unref();
  }
}

module.exports = { CallQueue, callsMax };
