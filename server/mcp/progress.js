'use strict';

/** Slightly less than the interval of the engine's reports, so that jitter drops none. */
const INTERVAL_MS = 200;

/**
 * Sends progress notifications for a call, if the client requested them. `progress` is the number of files
 * visited; the protocol requires it to grow, so it increases by a thousandth if the number did not.
 * Returns the options of the call that enable the reports, and `end`, after which none is sent; or
 * undefined.
 */
function reportProgress({ mcpReq }) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  const started = performance.now();
  let told = started;
  let thousandths = 0;
  let ended = false;
  const onProgress = ({ files }) => {
    const now = performance.now();
    if (ended || now - told < INTERVAL_MS) return;
    told = now;
    thousandths = Math.max(files * 1000, thousandths + 1);
    const seconds = ((now - started) / 1000).toFixed(1);
    const message = `${files} ${files === 1 ? 'file' : 'files'} visited in ${seconds} s`;
    const params = { progressToken, progress: thousandths / 1000, message };
    // A client that cannot be notified is gone, and the end of its connection ends the call.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return {
    options: { onProgress },
    end() {
      ended = true;
    },
  };
}

module.exports = { reportProgress };
