'use strict';

const path = require('node:path');

/** Loads the native part, which setting up a clone or installing the package puts beside this file. */
function load() {
  const file = path.join(__dirname, 'searchscope.node');
  const script = path.join(__dirname, '..', 'scripts', 'install.mjs');
  try {
    return require(file);
  } catch (cause) {
    const advice = `To build it, which needs Rust (cargo), run: node "${script}"`;
    throw new Error(`searchscope: its native part cannot be loaded from ${file}.\n${advice}`, {
      cause,
    });
  }
}

module.exports = { load };
