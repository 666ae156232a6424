'use strict';

/**
 * The functions that wait for each signal. One listener serves them all: Node reports more than ten
 * listeners on one signal as a leak, but ending many calls with one signal is legitimate.
 */
const waiting = new WeakMap();

/** Calls `onAbort` with the reason when the signal aborts. Returns a function that unregisters it. */
function onceAborted(signal, onAbort) {
  if (signal === undefined) return () => {};
  let entry = waiting.get(signal);
  if (entry === undefined) {
    entry = { functions: new Set(), listen: undefined };
    waiting.set(signal, entry);
  }
  if (entry.functions.size === 0) {
    entry.listen = () => {
      // Any code may dispatch an event of this name; only the signal knows whether it is aborted.
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

/** Returns the reason of an aborted signal; never undefined, although a polyfill may have none. */
function reasonOf({ reason }) {
  return reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
}

module.exports = { onceAborted, reasonOf };
