'use strict';

/**
 * The functions that wait for each signal. One listener serves them all: Node takes more than ten
 * listeners of one signal for a leak, and a host that ends many calls with one signal is right.
 */
const waiting = new WeakMap();

/** Calls `onAbort` with the reason when the signal aborts. Returns a function that ends that. */
function onceAborted(signal, onAbort) {
  if (signal === undefined) return () => {};
  let entry = waiting.get(signal);
  if (entry === undefined) {
    entry = { functions: new Set(), listen: undefined };
    waiting.set(signal, entry);
  }
  if (entry.functions.size === 0) {
    entry.listen = () => {
      // Anybody may dispatch an event of this name; only the signal knows whether it is aborted.
      if (!signal.aborted) return;
      for (const each of [...entry.functions]) each(reasonOf(signal));
    };
    signal.addEventListener('abort', entry.listen);
  }
  entry.functions.add(onAbort);
  return () => {
    if (entry.functions.delete(onAbort) && entry.functions.size === 0) {
      signal.removeEventListener('abort', entry.listen);
    }
  };
}

/** Why a signal is aborted; never undefined, as that of a polyfill may be. */
function reasonOf({ reason }) {
  return reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
}

module.exports = { onceAborted, reasonOf };
