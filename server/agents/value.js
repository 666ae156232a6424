'use strict';

/** Returns the value with every object as an ordinary one: parsers give them prototypes of their own. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

module.exports = { plain };
