'use strict';

/**
 * Admits one request per turn of the event loop. A burst of requests would otherwise start in a single
 * turn and delay everything else in the process.
 */
function inTurn() {
  const waiting = [];
  const takeTurn = () => {
    const { res, next } = waiting.shift();
    if (waiting.length > 0) setImmediate(takeTurn);
    // A client that has disconnected meanwhile needs no answer.
    if (!res.destroyed) next();
  };
  return (req, res, next) => {
    waiting.push({ res, next });
    if (waiting.length === 1) setImmediate(takeTurn);
  };
}

/**
 * Admits one request of a connection at a time. Pipelined requests would otherwise continue after the
 * client has disconnected, because only the first of them is notified.
 */
function onePerConnection() {
  /** Socket -> the requests that wait for the admitted one. */
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
