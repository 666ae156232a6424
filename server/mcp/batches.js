'use strict';

const CANCELLED = 'notifications/cancelled';

/** Returns a batch without the calls that it cancels itself, which nothing would answer, and their cancellations. */
function withoutCancelled(batch) {
  const cancels = (message) => message?.method === CANCELLED;
  const ids = new Set(batch.filter(cancels).map((message) => message.params?.requestId));
  return batch.filter((message) => !cancels(message) && !(message?.method && ids.has(message.id)));
}

module.exports = { CANCELLED, withoutCancelled };
