'use strict';

const { CallQueue } = require('./queue.js');
const { SearchscopeError, invalidParam, internal } = require('./errors.js');

/** The `code` of a native exception whose message is an engine error as JSON. */
const ENGINE_ERROR = 'searchscope';

const NO_ARGS = Object.freeze({});
const CALL_OPTIONS = ['signal', 'onProgress'];

/** Makes the package's exports from the loaded native part. */
function createApi(native) {
  const queue = new CallQueue(native);

  /** One root directory and everything beneath it. */
  class Workspace {
    #native;

    /** Not for callers: `Workspace.open` makes workspaces. */
    constructor(opened) {
      if (!(opened instanceof native.NativeWorkspace)) {
        throw invalidParam('root', 'a workspace is made by Workspace.open(root, options)');
      }
      this.#native = opened;
    }

    static open(root, options = NO_ARGS) {
      if (typeof root !== 'string' || root === '') {
        throw invalidParam(
          'root',
          'root must be the path of a directory, a string that is not empty',
        );
      }
      checkObject('options', options);
      const bytes = jsonBytes('options', options);
      return new Workspace(guarded(() => native.NativeWorkspace.open(root, bytes)));
    }

    async call(tool, args = NO_ARGS, options = NO_ARGS) {
      checkObject('args', args);
      const reply = await this.callJson(tool, args, options);
      return JSON.parse(reply);
    }

    async callJson(tool, args = NO_ARGS, options = NO_ARGS) {
      const { signal, onProgress } = checkCallOptions(options);
      if (signal?.aborted) throw signal.reason;
      if (typeof tool !== 'string')
        throw invalidParam('tool', 'tool must be a string, the name of a tool');
      const bytes = argsBytes(args);
      const begin = (token, callsMax) => this.#native.call(tool, bytes, token, callsMax);
      const envelope = await queue.run(begin, { signal, onProgress });
      if (typeof envelope.error === 'string')
        throw new SearchscopeError(JSON.parse(envelope.error));
      return envelope.reply;
    }
  }

  const tools = () => guarded(() => JSON.parse(native.tools()));

  const scopeReference = () => guarded(() => native.scopeReference());

  return { Workspace, SearchscopeError, tools, scopeReference };
}

/** Runs a native function that throws on failure and turns what it throws into our error. */
function guarded(run) {
  try {
    return run();
  } catch (error) {
    if (error?.code === ENGINE_ERROR) throw new SearchscopeError(JSON.parse(error.message));
    throw internal(error);
  }
}

function checkObject(param, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParam(param, `${param} must be an object`);
  }
}

/** Refuses what is not an option, so that a misspelt `signal` is not silently without effect. */
function checkCallOptions(options) {
  checkObject('options', options);
  for (const key of Object.keys(options)) {
    if (!CALL_OPTIONS.includes(key)) {
      throw invalidParam(
        key,
        `there is no option '${key}'; the options of a call are: ${CALL_OPTIONS}`,
      );
    }
  }
  const { signal, onProgress } = options;
  if (signal !== undefined && !isAbortSignal(signal)) {
    throw invalidParam('signal', 'signal must be an AbortSignal');
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw invalidParam('onProgress', 'onProgress must be a function');
  }
  return { signal, onProgress };
}

/** By its shape, because a signal may come from another realm or be a polyfill. */
function isAbortSignal(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof value.aborted === 'boolean' &&
    typeof value.addEventListener === 'function' &&
    typeof value.removeEventListener === 'function'
  );
}

/** JSON text goes to the engine as it is, right or wrong; the engine judges it. */
function argsBytes(args) {
  if (typeof args === 'string') return Buffer.from(args);
  // A copy: a call may wait, and what it was given may change meanwhile.
  if (args instanceof Uint8Array) return Buffer.from(args);
  checkObject('args', args);
  return jsonBytes('args', args);
}

function jsonBytes(param, value) {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch (cause) {
    throw invalidParam(param, `${param} cannot be written as JSON: ${cause.message}`);
  }
}

module.exports = { createApi };
