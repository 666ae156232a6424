'use strict';

/** A client that reads nothing of a finished response for this long is disconnected. */
const UNREAD_MS = 30_000;

/** The responses that are not completely sent. */
class Answers {
  #open = new Set();
  #waiting = [];
  #closing = false;

  /** Express middleware that tracks the response of each request. */
  handler = (req, res, next) => {
    this.#open.add(res);
    if (this.#closing) res.shouldKeepAlive = false;
    res.once('finish', () => this.#endIfAsked(req));
    res.once('prefinish', () => req.socket.setTimeout(UNREAD_MS));
    res.once('close', () => {
      this.#open.delete(res);
      if (this.#open.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    });
    next();
  };

  /** Ends the connection if the client or we want that: the protocol's library always keeps it alive. */
  #endIfAsked(req) {
    if (!this.#closing && !/\bclose\b/i.test(req.headers.connection ?? '')) return;
    if (req.complete) req.socket.end();
    else req.once('end', () => req.socket.end());
  }

  get closing() {
    return this.#closing;
  }

  /** Makes each connection end after its current response. */
  close() {
    this.#closing = true;
    for (const res of this.#open) res.shouldKeepAlive = false;
  }

  /** Resolves when every response is sent. */
  async empty() {
    if (this.#open.size > 0) await new Promise((resolve) => this.#waiting.push(resolve));
  }
}

module.exports = { Answers };
