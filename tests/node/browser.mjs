// Drives a headless Chromium over its own protocol through a pipe, so no package is needed.

import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const NAMES = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  ...['chrome', 'msedge'],
];
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

export const HOW_TO_GET_ONE =
  'install Chromium (Debian: apt-get install chromium-headless-shell; macOS: brew install --cask chromium) or name ' +
  'one in the variable CHROMIUM';

/** Returns the path of a Chromium, or undefined. */
export function findBrowser(env = process.env) {
  if (env.CHROMIUM) return env.CHROMIUM;
  const folders = (env.PATH ?? '').split(delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...places, ...ELSEWHERE].find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Timeout of an answer; the browser is much faster. */
const ANSWER_MS_MAX = 30_000;
const CLOSING_MS_MAX = 3000;

/** A browser; `close()` ends it. */
export class Browser {
  #child;
  #folder = mkdtempSync(join(tmpdir(), 'searchscope-browser-'));
  #calls = new Map();
  #sessions = new Map();
  #count = 0;
  #rest = '';
  #ended;

  constructor(program) {
    const flags = [
      ...['--headless', '--remote-debugging-pipe', `--user-data-dir=${this.#folder}`, '--no-first-run'],
      ...['--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--force-color-profile=srgb'],
      // There is no sandbox for root in a container; the pages are our own.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ];
    this.#child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    const [, , , toBrowser, fromBrowser] = this.#child.stdio;
    toBrowser.on('error', () => {});
    fromBrowser.setEncoding('utf8').on('data', (chunk) => this.#receive(chunk));
    this.#ended = new Promise((resolve) => this.#child.on('exit', resolve).on('error', resolve));
    this.#ended.then(() => this.#failAll(new Error('the browser has ended')));
  }

  async close() {
    // On this command the browser also ends its helper processes, which keep the pipe open.
    this.send('Browser.close').catch(() => {});
    const late = setTimeout(() => this.#child.kill('SIGKILL'), CLOSING_MS_MAX);
    await this.#ended;
    clearTimeout(late);
    for (const stream of this.#child.stdio) stream?.destroy();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Opens an empty page. */
  async newPage() {
    const { browserContextId } = await this.send('Target.createBrowserContext');
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page((method, params) => this.send(method, params, sessionId));
    this.#sessions.set(sessionId, page);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    return page;
  }

  send(method, params = {}, sessionId) {
    this.#count += 1;
    const id = this.#count;
    this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), ANSWER_MS_MAX);
      this.#calls.set(id, { resolve, reject, timer, method });
    });
  }

  #receive(chunk) {
    const messages = (this.#rest + chunk).split('\0');
    this.#rest = messages.pop();
    for (const message of messages) this.#take(JSON.parse(message));
  }

  #take({ id, result, error, method, params, sessionId }) {
    if (id === undefined) return void this.#sessions.get(sessionId)?.take(method, params);
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    clearTimeout(call.timer);
    if (error === undefined) call.resolve(result);
    else call.reject(new Error(`${call.method}: ${error.message}`));
  }

  #failAll(error) {
    for (const { reject, timer } of this.#calls.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#calls.clear();
  }
}

const KEYS = Object.freeze({ Enter: '\r', Tab: '\t', Escape: '', ArrowRight: '', ArrowLeft: '', Backspace: '' });
const CODES = Object.freeze({ Enter: 13, Tab: 9, Escape: 27, ArrowRight: 39, ArrowLeft: 37, Backspace: 8 });
const CTRL = 2;

class Page {
  send;
  /** Complaints of the page: exceptions, errors in the console, refusals by its policy. */
  complaints = [];
  /** Requested URLs. */
  requests = [];

  constructor(send) {
    this.send = send;
  }

  take(method, params) {
    if (method === 'Runtime.exceptionThrown') {
      const { text, exception } = params.exceptionDetails;
      this.complaints.push(`${text} ${exception?.description ?? ''}`);
    } else if (method === 'Log.entryAdded' && params.entry.level === 'error') {
      this.complaints.push(params.entry.text);
    } else if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
  }

  /** Navigates to the address from an empty page, and waits until the page is ready. */
  async goto(url) {
    await this.send('Page.navigate', { url: 'about:blank' });
    await this.send('Page.navigate', { url });
    await this.until(() => document.documentElement?.dataset.ready !== undefined);
  }

  /** Runs the function in the page, with values as arguments, and returns its result. */
  async evaluate(fn, ...args) {
    const expression = `(${fn})(...${JSON.stringify(args)})`;
    // Code from here is otherwise exempt from the policy of the page.
    const asPage = { allowUnsafeEvalBlockedByCSP: false };
    const options = { expression, awaitPromise: true, returnByValue: true, ...asPage };
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until the function returns a true value in the page, and returns it. */
  async until(fn, ...args) {
    const end = performance.now() + ANSWER_MS_MAX;
    for (;;) {
      const value = await this.evaluate(fn, ...args);
      if (value) return value;
      if (performance.now() > end) throw new Error(`still not: ${fn} ${JSON.stringify(args)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Presses a key, such as `a`, `Enter` or `Ctrl-Enter`. */
  async press(name) {
    const [, ctrl, key] = /^(Ctrl-)?(.+)$/s.exec(name);
    const text = ctrl ? undefined : (KEYS[key] ?? key) || undefined;
    const code = CODES[key] ?? key.toUpperCase().charCodeAt(0);
    const event = { key, windowsVirtualKeyCode: code, modifiers: ctrl ? CTRL : 0 };
    await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', text, ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /** Types the text into the focused element. */
  type(text) {
    return this.send('Input.insertText', { text });
  }

  resize(width, height) {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    return this.send('Emulation.setDeviceMetricsOverride', metrics);
  }

  /** Limits the bytes per second that the page receives; -1 for no limit. */
  slow(bytesPerSecond) {
    const network = { offline: false, latency: 0, downloadThroughput: bytesPerSecond, uploadThroughput: -1 };
    return this.send('Network.emulateNetworkConditions', network);
  }

  /** Sets the system's colours to `dark` or `light`. */
  colours(value) {
    return this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
  }

  /** Returns a screenshot as the bytes of a PNG. */
  async picture() {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }
}
