'use strict';

/** What replies have for the logger and not for callers. */
const ASIDES = ['warnings', 'more_warnings', 'timed_out', 'other_formats'];

/**
 * A reply of the engine about documents, without what is for the logger. As a value it is read,
 * and as JSON written, only when it is asked for: mostly the engine's text is passed on as it is.
 */
class Reply {
  /** `{warnings?, more_warnings?, timed_out?}` */
  asides = {};
  #json;
  #value;

  constructor(json) {
    this.#json = json;
    // In a text of JSON the quotes would have backslashes, so these are keys.
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

  /** What stands before the list `key`, which may be long and is not read for it. */
  before(key) {
    if (this.#value !== undefined) return this.#value;
    const end = this.#json.indexOf(`,"${key}":[`);
    return JSON.parse(`${this.#json.slice(0, end)}}`);
  }
}

module.exports = { Reply };
