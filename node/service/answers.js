'use strict';

/** A reader that takes nothing of a finished answer for so long is sent away. */
const UNREAD_MS = 30_000;

/** The answers that are not sent yet. */
class Answers {
  #open = new Set();
  #waiting = [];
  #closing = false;

  /** Express calls this for each request. */
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

  /** The protocol's library says keep-alive whatever the client or we want. */
  #endIfAsked(req) {
    if (!this.#closing && !/\bclose\b/i.test(req.headers.connection ?? '')) return;
    if (req.complete) req.socket.end();
    else req.once('end', () => req.socket.end());
  }

  get closing() {
    return this.#closing;
  }

  /** From here on each connection ends with its answer. */
  close() {
    this.#closing = true;
    for (const res of this.#open) res.shouldKeepAlive = false;
  }

  /** Resolves when every answer is sent. */
  async empty() {
    if (this.#open.size > 0) await new Promise((resolve) => this.#waiting.push(resolve));
  }
}

module.exports = { Answers };
