'use strict';

/** Shorter calls show no progress. */
const SHOW_AFTER_MS = 1000;
const REDRAW_MS = 200;

/** Shows on a terminal that a call is running and for how long; `clear` removes the line. */
function showProgress(what, stream) {
  if (!stream.isTTY) return { clear() {} };
  const started = Date.now();
  let shown = false;
  const draw = () => {
    const elapsed = Date.now() - started;
    if (elapsed < SHOW_AFTER_MS) return;
    shown = true;
    stream.write(`\r\x1b[K${what}: ${(elapsed / 1000).toFixed(1)} s … (Ctrl-C to cancel)`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    clear() {
      clearInterval(timer);
      if (shown) stream.write('\r\x1b[K');
      shown = false;
    },
  };
}

module.exports = { showProgress };
