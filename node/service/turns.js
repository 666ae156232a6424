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

/**
 * Lets one request of a connection in at a time. Those that a client has sent ahead would go on after
 * it has left, because only the first of them learns of that.
 */
function onePerConnection() {
  /** Socket -> the requests that wait for the one that is in. */
  const waiting = new WeakMap();
  const begin = (socket, { res, next }) => {
    res.once('close', () => {
      const following = waiting.get(socket).shift();
      if (following === undefined) waiting.delete(socket);
      else if (!socket.destroyed) begin(socket, following);
    });
    next();
  };
  return ({ socket }, res, next) => {
    const before = waiting.get(socket);
    if (before !== undefined) return void before.push({ res, next });
    waiting.set(socket, []);
    begin(socket, { res, next });
  };
}

module.exports = { inTurn, onePerConnection };
