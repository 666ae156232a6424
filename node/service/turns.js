'use strict';

/**
 * Lets requests through one at a turn of the event loop. Many that come at once would otherwise all
 * be begun in the same turn, and whatever else the process has to do would wait for them.
 */
function inTurn() {
  const waiting = [];
  const takeTurn = () => {
    const { res, next } = waiting.shift();
    if (waiting.length > 0) setImmediate(takeTurn);
    // A client that has left meanwhile needs no answer.
    if (!res.destroyed) next();
  };
  return (req, res, next) => {
    waiting.push({ res, next });
    if (waiting.length === 1) setImmediate(takeTurn);
  };
}

module.exports = { inTurn };
