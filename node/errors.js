'use strict';

/** The error of every failed call; `code` is stable, `message` is for people. */
class SearchscopeError extends Error {
  /** @param detail the engine's error: {code, message, param?, path?, span?, near?} */
  constructor(detail, options) {
    super(detail.message, options);
    this.code = detail.code;
    // Only defined fields, because all own properties are printed with the error.
    for (const key of ['param', 'path', 'span', 'near']) {
      if (detail[key] !== undefined) this[key] = detail[key];
    }
    this.detail = detail;
  }
}

// On the prototype, as with the built-in errors: an own property would be printed with each error.
Object.defineProperty(SearchscopeError.prototype, 'name', {
  value: 'SearchscopeError',
  configurable: true,
  writable: true,
});

/**
 * Returns whether a value is our error. By its name, because the workspace of a host may come from another
 * copy of this package, which has a class of its own.
 */
function isSearchscopeError(value) {
  return value?.name === SearchscopeError.prototype.name;
}

function invalidParam(param, message) {
  return new SearchscopeError({ code: 'invalid_param', message, param });
}

function internal(cause) {
  const message = 'internal error in searchscope';
  return new SearchscopeError({ code: 'internal', message }, { cause });
}

function cancelled(message) {
  return new SearchscopeError({ code: 'cancelled', message });
}

module.exports = { SearchscopeError, isSearchscopeError, invalidParam, internal, cancelled };
