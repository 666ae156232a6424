'use strict';

const { useAddon } = require('./addon.js');

/** Loads the native addon from a file and returns the module `searchscope`; see load.d.ts. */
function load(file) {
  useAddon(file);
  return require('./index.js');
}

module.exports = { load };
