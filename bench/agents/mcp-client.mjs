// A minimal client of the Model Context Protocol over standard input and output.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const VERSION = '2025-06-18';

export class McpClient {
  #child;
  #next = 1;
  #waiting = new Map();

  constructor(command, args) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${command} exited`));
    });
  }

  /**
   * Opens the session and returns, as text, the instructions and tools that an agent receives before its
   * first question.
   */
  async open() {
    const clientInfo = { name: 'searchscope-bench', version: '1' };
    const { instructions = '' } = await this.#ask('initialize', {
      protocolVersion: VERSION,
      capabilities: {},
      clientInfo,
    });
    this.#send({ method: 'notifications/initialized' });
    const { tools } = await this.#ask('tools/list', {});
    return instructions + JSON.stringify(tools);
  }

  /** Returns the text of a tool's reply. */
  async call(name, args) {
    const { content } = await this.#ask('tools/call', { name, arguments: args });
    return content.map(({ text }) => text ?? '').join('\n');
  }

  close() {
    this.#child.kill();
  }

  #take(line) {
    const { id, result, error } = JSON.parse(line);
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }

  #ask(method, params) {
    const id = this.#next;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
