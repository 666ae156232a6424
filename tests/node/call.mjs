// Runs calls for the contract corpus.
//
// Reads records from standard input until it ends: a line with the tool, a line with the length of the
// arguments in bytes, the arguments, a newline. `open a workspace` in place of a tool opens one for the records
// after it; its arguments are an object with `root` and `options`, which is JSON text. Other records are answered
// before the next is read, with `ok` or the error's code, a space, the length of the answer in bytes, a newline,
// the reply or the error as JSON, a newline.

import { SearchscopeError, Workspace } from 'searchscope';

const NEWLINE = 0x0a;

/** Reads lines and counted bytes from a stream of chunks. */
class Reader {
  #chunks;
  #buffer = Buffer.alloc(0);

  constructor(stream) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Returns a line without its end, or null at the end of the input. */
  async line() {
    for (;;) {
      const end = this.#buffer.indexOf(NEWLINE);
      if (end >= 0) {
        const line = this.#buffer.toString('utf8', 0, end);
        this.#buffer = this.#buffer.subarray(end + 1);
        return line;
      }
      if (!(await this.#more())) {
        if (this.#buffer.length > 0) throw new Error('the input ends inside a line');
        return null;
      }
    }
  }

  async bytes(count) {
    while (this.#buffer.length < count) {
      if (!(await this.#more())) throw new Error('the input ends inside the arguments');
    }
    const bytes = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return bytes;
  }

  async #more() {
    const { done, value } = await this.#chunks.next();
    if (!done) this.#buffer = Buffer.concat([this.#buffer, value]);
    return !done;
  }
}

function answer(status, text) {
  process.stdout.write(`${status} ${Buffer.byteLength(text)}\n${text}\n`);
}

/** Opens a workspace; an error of the root is the answer to every call. */
function open({ root, options }) {
  try {
    return Workspace.open(root, JSON.parse(options || '{}'));
  } catch (error) {
    return { callJson: () => Promise.reject(error), close: () => {} };
  }
}

let workspace;
const input = new Reader(process.stdin);
for (let tool = await input.line(); tool !== null; tool = await input.line()) {
  const args = await input.bytes(Number(await input.line()));
  await input.line();
  if (tool === 'open a workspace') {
    workspace?.close();
    workspace = open(JSON.parse(args));
    continue;
  }
  try {
    answer('ok', await workspace.callJson(tool, args));
  } catch (error) {
    if (!(error instanceof SearchscopeError)) throw error;
    answer(error.code, JSON.stringify(error.detail));
  }
}
