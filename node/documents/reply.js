'use strict';

/** Fields of replies that are meant for the logger, not for callers. */
const ASIDES = ['warnings', 'more_warnings', 'timed_out', 'other_formats'];

/**
 * A reply of the engine about documents, without the fields for the logger. It is parsed or serialised
 * only on demand: mostly the engine's text is passed on unchanged.
 */
class Reply {
  /** `{warnings?, more_warnings?, timed_out?}` */
  asides = {};
  #json;
  #value;

  constructor(json) {
    this.#json = json;
    // Inside a JSON string the quotes would be escaped, so these are keys.
    if (!ASIDES.some((key) => json.includes(`,"${key}":`))) return;
    const { warnings, more_warnings, timed_out, other_formats: _, ...value } = JSON.parse(json);
    this.asides = { warnings, more_warnings, timed_out };
    this.#value = value;
    this.#json = undefined;
  }

  get value() {
    this.#value ??= JSON.parse(this.#json);
    return this.#value;
  }

  get json() {
    this.#json ??= JSON.stringify(this.#value);
    return this.#json;
  }

  /** Returns the fields before the list `key`, which may be long and is not parsed. */
  before(key) {
    if (this.#value !== undefined) return this.#value;
    const end = this.#json.indexOf(`,"${key}":[`);
    return JSON.parse(`${this.#json.slice(0, end)}}`);
  }
}

module.exports = { Reply };
