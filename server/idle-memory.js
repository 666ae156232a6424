'use strict';

const { returnMemory } = require('searchscope');

/** Time without a call after which memory is returned. */
const IDLE_MS = 1000;

/** Returns the memory that calls have freed to the system once no call has run for a moment. */
class IdleMemory {
  #timer;
  #giveBack;

  constructor(giveBack = returnMemory) {
    this.#giveBack = giveBack;
  }

  /** To be called after each call, with the number of those that still run. */
  look(inFlight) {
    clearTimeout(this.#timer);
    if (inFlight > 0) return;
    // It keeps no process alive.
    this.#timer = setTimeout(this.#giveBack, IDLE_MS).unref();
  }
}

module.exports = { IdleMemory };
