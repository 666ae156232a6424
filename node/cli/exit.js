'use strict';

/** The exit statuses of the verbs that are JavaScript. */
module.exports = Object.freeze({ ok: 0, usage: 2 });
