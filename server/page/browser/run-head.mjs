// The head of a run: its status as text, a clock and a progress bar while it is running.

import { el } from './dom.mjs';
import { count, duration } from './sizes.mjs';

const CLOCK_MS = 200;

/** Elements that show the progress of a run, and its outcome when it ends. */
export class RunHead {
  #run;
  #status = el('p', { class: 'status', role: 'status' });
  #clock = el('p', { class: 'clock' });
  #bar;
  #timer;

  constructor(run, label) {
    this.#run = run;
    this.#bar = el('progress', { 'aria-label': label });
    this.element = el('div', { class: 'top' }, this.#status, this.#clock, this.#bar);
    this.#timer = setInterval(() => this.#tick(), CLOCK_MS);
    this.update();
  }

  /** Draws the current state of the run. */
  update() {
    const words = statusOf(this.#run);
    // Set only on change, because a screen reader announces it each time.
    if (this.#status.textContent !== words) this.#status.textContent = words;
    this.#status.className = `status ${this.#run.state}`;
    this.#bar.hidden = this.#run.state !== 'running';
    this.#tick();
  }

  #tick() {
    const run = this.#run;
    if (run.state === 'running') {
      const files = run.files > 0 ? `${count(run.files, 'file')} visited, ` : '';
      this.#clock.textContent = `${files}${duration(run.elapsed)}`;
      return;
    }
    clearInterval(this.#timer);
    this.#clock.textContent = '';
  }
}

function statusOf({ state, items, reply, ms, error, elapsed }) {
  if (state === 'running' && reply === undefined) return items.length === 0 ? 'Running…' : 'Receiving results…';
  if (state === 'cancelled') return `Cancelled after ${duration(elapsed)}`;
  if (error !== undefined) return `Error: ${error.code}`;
  return [totalOf(reply, items), wholeness(reply), duration(ms ?? elapsed)].filter(Boolean).join(' · ');
}

/** Returns the total of a reply, under the name that its tool uses, or else the number of shown rows. */
function totalOf(reply, items) {
  const { total, total_kind: kind, total_matches: matches, total_found: found, count: hits } = reply ?? {};
  const number = total ?? matches ?? found ?? hits ?? reply?.totalItems ?? reply?.summary?.total_matches;
  if (typeof number !== 'number') return items.length === 0 ? undefined : rowCount({ items });
  const what = reply.matches === undefined ? 'result' : 'matching line';
  return `${kind === 'at_least' ? 'at least ' : ''}${count(number, what)}`;
}

function wholeness(reply) {
  if (reply?.complete === true) return 'complete';
  if (reply?.complete !== false) return undefined;
  const why = { limit: 'limit reached', deadline: 'deadline reached', byte_budget: 'reply full' };
  return `incomplete${why[reply.stopped] === undefined ? '' : `: ${why[reply.stopped]}`}`;
}

/** Returns the number of rows of a run as text; "" for a run without rows. */
export function rowCount({ items }) {
  const lines = items.filter(({ text }) => text !== undefined).length;
  // In a reply with lines the files are only headings.
  const rows = lines > 0 ? lines : items.filter(({ remark }) => remark === undefined).length;
  return rows === 0 ? '' : count(rows, 'row');
}
