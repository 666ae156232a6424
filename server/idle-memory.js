'use strict';

const { returnMemory } = require('searchscope');

/** Number of heaps: with one for each thread, what one has freed stays unused by the others. */
const HEAPS = 2;

/** Time without a call after which memory is returned. */
const IDLE_MS = 1000;

/** Returns the memory that calls have freed to the system once no call has run for a second. */
class IdleMemory {
  #timer;
  #inFlight;
  #giveBack;

  /** `inFlight` returns the number of running calls. */
  constructor(inFlight, giveBack = returnMemory) {
    this.#inFlight = inFlight;
    this.#giveBack = giveBack;
  }

  /** Starts the second anew. Call it after each call. */
  look() {
    clearTimeout(this.#timer);
    // A call that still runs then starts the second anew when it ends.
    const onIdle = () => {
      if (this.#inFlight() === 0) this.#giveBack();
    };
    this.#timer = setTimeout(onIdle, IDLE_MS).unref();
  }
}

module.exports = { HEAPS, IdleMemory };
