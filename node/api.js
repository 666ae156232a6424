'use strict';

const { threadId } = require('node:worker_threads');
const { callRunner } = require('./calls.js');
const { SearchscopeError, invalidParam, internal, cancelled } = require('./errors.js');
const { isAnyArrayBuffer, isUint8Array } = require('node:util/types');
const { nearest } = require('./nearest.js');
const { parseReply } = require('./parse.js');
const { reasonOf } = require('./signals.js');
const { Puller, ResultStream } = require('./stream.js');

/** The `code` of a native exception whose message is an engine error as JSON. */
const ENGINE_ERROR = 'searchscope';

const NO_ARGS = Object.freeze({});
const CALL_OPTIONS = ['signal', 'onProgress', 'overlay'];

/** The tools whose method returns a stream instead of a promise. */
const STREAMED = ['search', 'find'];

/** Creates the package's exports from the loaded native addon. */
function createApi(native) {
  const run = callRunner(native);

  /** An opened root directory with its options. */
  class Workspace {
    /** Undefined once closed. */
    #native;
    /** Functions that end the running calls and streams. */
    #stops = new Set();

    /** Internal: callers use `Workspace.open`. */
    constructor(opened) {
      if (!(opened instanceof native.NativeWorkspace)) {
        throw invalidParam('root', 'use Workspace.open(root, options)');
      }
      this.#native = opened;
    }

    static open(root, options = NO_ARGS) {
      if (typeof root !== 'string' || root === '') {
        throw invalidParam(
          'root',
          'root must be a non-empty string, the path of a directory',
        );
      }
      // Conversion to UTF-8 would replace the lone surrogate by U+FFFD and open another path.
      if (!root.isWellFormed()) {
        throw invalidParam('root', 'root must not contain a lone surrogate');
      }
      checkObject('options', options);
      const bytes = jsonBytes('options', options);
      return new Workspace(guarded(() => native.NativeWorkspace.open(root, bytes)));
    }

    withOverlay(texts) {
      const bytes = overlayBytes(texts);
      const opened = this.#opened();
      return new Workspace(guarded(() => opened.withOverlay(bytes)));
    }

    async call(tool, args = NO_ARGS, options = NO_ARGS) {
      checkObject('args', args);
      return parseReply(await this.callJson(tool, args, options));
    }

    async callJson(tool, args = NO_ARGS, options = NO_ARGS) {
      return this.#call(tool, args, options, false);
    }

    async callText(tool, args = NO_ARGS, options = NO_ARGS) {
      return this.#call(tool, args, options, true);
    }

    async #call(tool, args, options, asText) {
      const { signal, onProgress, overlay } = checkCallOptions(options);
      if (signal?.aborted) throw reasonOf(signal);
      if (typeof tool !== 'string')
        throw invalidParam('tool', 'tool must be a string that names a tool');
      const bytes = argsBytes(args);
      const opened = this.#overlaid(overlay);
      const begin = (token) => opened.call(tool, bytes, asText, token);
      return this.#run(begin, { signal, onProgress });
    }

    async #run(begin, { signal, onProgress }) {
      const envelope = await run(begin, { signal, onProgress, stops: this.#stops });
      if (typeof envelope.error === 'string')
        throw new SearchscopeError(JSON.parse(envelope.error));
      return envelope.reply;
    }

    /** Builds the index now; resolves with its state. */
    async warm(options = NO_ARGS) {
      const { signal, onProgress } = checkCallOptions(options);
      if (signal?.aborted) throw reasonOf(signal);
      const opened = this.#opened();
      return JSON.parse(await this.#run((token) => opened.warm(token), { signal, onProgress }));
    }

    /** Returns the state of the index. */
    indexStatus() {
      const opened = this.#opened();
      return JSON.parse(guarded(() => opened.indexStatus()));
    }

    search(args, options = NO_ARGS) {
      return this.#stream('search', args, options);
    }

    find(args = NO_ARGS, options = NO_ARGS) {
      return this.#stream('find', args, options);
    }

    /** Ends the running calls and streams and releases the root. */
    close() {
      this.#native?.close();
      this.#native = undefined;
      for (const stop of this.#stops) stop(closed());
    }

    #stream(tool, args, options) {
      checkObject('args', args);
      const { signal, onProgress, overlay } = checkCallOptions(options);
      const bytes = argsBytes(args);
      const opened = this.#overlaid(overlay);
      const stream = guarded(() => opened[tool](bytes, threadId));
      return new ResultStream(new Puller(stream, { signal, onProgress, stops: this.#stops }));
    }

    /** Returns the native workspace, with the unsaved texts of one call over it. */
    #overlaid(overlay) {
      const opened = this.#opened();
      if (overlay === undefined) return opened;
      const bytes = overlayBytes(overlay);
      return guarded(() => opened.withOverlay(bytes));
    }

    #opened() {
      if (this.#native === undefined) throw closed();
      return this.#native;
    }
  }

  addToolMethods(Workspace, guarded(() => native.toolNames()));
  if (Symbol.dispose) {
    addMethod(Workspace, Symbol.dispose, function dispose() {
      this.close();
    });
  }

  const tools = () => guarded(() => JSON.parse(native.tools()));

  const scopeReference = () => guarded(() => native.scopeReference());

  const secrets = () =>
    guarded(() => ({ version: native.secretsVersion(), lines: native.secrets() }));

  const limitHeaps = (n) => {
    if (!Number.isInteger(n) || n < 1 || n > 255) {
      throw invalidParam('n', `'n' must be an integer from 1 to 255, got ${String(n)}`);
    }
    guarded(() => native.limitHeaps(n));
  };

  const returnMemory = () => guarded(() => native.returnMemory());

  return { Workspace, SearchscopeError, tools, scopeReference, secrets, limitHeaps, returnMemory };
}

/** Adds a method for each tool that calls it, except for the tools that stream. */
function addToolMethods(Workspace, names) {
  for (const name of names.filter((name) => !STREAMED.includes(name))) {
    if (name in Workspace.prototype) {
      throw internal(new Error(`the tool ${name} has the name of a method of Workspace`));
    }
    addMethod(Workspace, name, function callTool(args, options) {
      return this.call(name, args, options);
    });
  }
}

/** Adds a method as a class definition does: not enumerable. */
function addMethod(Class, name, method) {
  Object.defineProperty(Class.prototype, name, {
    value: method,
    configurable: true,
    writable: true,
  });
}

function closed() {
  return cancelled('the workspace is closed');
}

/** Runs a native function and converts the errors that it throws to ours. */
function guarded(run) {
  try {
    return run();
  } catch (error) {
    if (error?.code === ENGINE_ERROR) throw new SearchscopeError(JSON.parse(error.message));
    throw internal(error);
  }
}

function checkObject(param, value) {
  // Binary types other than Uint8Array would be serialised as objects without fields.
  const isBytes = ArrayBuffer.isView(value) ? !isUint8Array(value) : isAnyArrayBuffer(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isBytes) {
    throw invalidParam(param, `${param} must be an object`);
  }
  return value;
}

/** Checks the options of a call; refuses unknown ones, so that a misspelt `signal` is not ignored. */
function checkCallOptions(options) {
  checkObject('options', options);
  for (const key of Object.keys(options)) {
    if (!CALL_OPTIONS.includes(key)) {
      const [near] = nearest(key, CALL_OPTIONS);
      const meant = near === undefined ? '' : `; did you mean '${near}'?`;
      const known = `${meant === '' ? ';' : ''} known: ${CALL_OPTIONS.join(', ')}`;
      throw invalidParam(key, `unknown option '${key}'${meant}${known}`);
    }
  }
  const { signal, onProgress, overlay } = options;
  if (signal !== undefined && !isAbortSignal(signal)) {
    throw invalidParam('signal', 'signal must be an AbortSignal');
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw invalidParam('onProgress', 'onProgress must be a function');
  }
  return { signal, onProgress, overlay };
}

/** Checks the shape, not the class: a signal may come from another realm or be a polyfill. */
function isAbortSignal(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof value.aborted === 'boolean' &&
    typeof value.addEventListener === 'function' &&
    typeof value.removeEventListener === 'function'
  );
}

/** Returns arguments as bytes. JSON text is not checked here; the engine does that. */
function argsBytes(args) {
  if (typeof args === 'string') return Buffer.from(args);
  // A copy: the call may wait, and the caller may change the bytes meanwhile.
  if (isUint8Array(args)) return Buffer.from(args);
  checkObject('args', args);
  return jsonBytes('args', args);
}

/** Returns unsaved texts as bytes; refuses values that JSON would drop or change without an error. */
function overlayBytes(texts) {
  checkObject('overlay', texts);
  for (const [path, text] of Object.entries(texts)) {
    if (text !== null && typeof text !== 'string') {
      throw invalidParam('overlay', `overlay['${path}'] must be a string, or null to remove the file`);
    }
  }
  return jsonBytes('overlay', texts);
}

function jsonBytes(param, value) {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch (cause) {
    throw invalidParam(param, `${param} cannot be converted to JSON: ${cause.message}`);
  }
}

module.exports = { createApi };
