'use strict';

/** The exit statuses of the programs. */
const EXIT = Object.freeze({ ok: 0, failed: 1, usage: 2 });

/** A mistake in the arguments of a program. */
class UsageError extends Error {}

module.exports = { EXIT, UsageError };
