'use strict';

const { isMainThread, threadId } = require('node:worker_threads');
const { internal } = require('./errors.js');
const { tellProgress } = require('./progress.js');
const { onceAborted, reasonOf } = require('./signals.js');

/**
 * Returns a function that runs native calls, and cancels them when their signal aborts or this thread ends.
 * The native side queues them.
 */
function callRunner(native) {
  // A terminated worker runs no more JavaScript, and when the process exits the environment may not end.
  native.cancelAtEnd(threadId);
  if (isMainThread) process.on('exit', () => native.cancelAll());

  /**
   * Returns the envelope with which the promise of `begin(token)` resolves. `signal` is a checked signal or
   * undefined. `onProgress`, if defined, is called with the number of files visited while the call runs; if
   * it throws, the call ends with that exception. `stops`, a set, contains until the end a function which
   * ends the call with a given error.
   */
  return async function run(begin, { signal, onProgress, stops }) {
    if (signal?.aborted) throw reasonOf(signal);
    const token = new native.CancelToken(threadId);
    let stop;
    let release;
    let endProgress;
    try {
      return await new Promise((resolve, reject) => {
        stop = (error) => {
          token.cancel();
          reject(error);
        };
        stops.add(stop);
        release = onceAborted(signal, stop);
        if (onProgress) endProgress = tellProgress(onProgress, () => token.files(), stop);
        started(begin, token).then(resolve, (error) => reject(internal(error)));
      });
    } finally {
      endProgress?.();
      stops.delete(stop);
      release?.();
    }
  };
}

/** Returns the promise of the call, rejected if the call cannot be started. */
async function started(begin, token) {
  return begin(token);
}

module.exports = { callRunner };
