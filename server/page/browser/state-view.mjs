// The view of the service's state: settings, index, calls in flight and the latest ones.

import { getState } from './api.mjs';
import { byId, el, show } from './dom.mjs';
import { explainIndex } from './explain.mjs';
import { bytes, duration } from './sizes.mjs';

const WATCH_MS = 1000;
const GLANCE_MS = 5000;
/** Age from which figures count as old. */
const FRESH_MS = 3000;

/** Polls the service while the page is visible, more often while this view is shown. */
export class StateView {
  #isWatched = false;
  #timer;

  /** Time of the state that is shown. */
  #read;

  constructor() {
    setInterval(() => this.#tick(), WATCH_MS);
    document.addEventListener('visibilitychange', () => this.#look());
    this.#look();
  }

  /** Polls now, because something has just changed. */
  glance() {
    this.#look();
  }

  watch(isWatched) {
    this.#isWatched = isWatched;
    this.#look();
  }

  async #look() {
    clearTimeout(this.#timer);
    if (document.hidden) return;
    try {
      const state = await getState();
      this.#pulse(state.status === 'ok' ? 'ok' : 'bad', words(state));
      this.#read = new Date();
      if (this.#isWatched) this.#draw(state);
    } catch (error) {
      this.#pulse('bad', 'unreachable');
      if (this.#isWatched) byId('facts').replaceChildren(...facts([['Status', error.message]]));
    }
    this.#tick();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), this.#isWatched ? WATCH_MS : GLANCE_MS);
  }

  /** Shows the time, and the age of the figures, which grows while the service does not respond. */
  #tick() {
    if (!this.#isWatched || this.#read === undefined) return;
    const now = new Date();
    byId('clock').dateTime = now.toISOString();
    byId('clock').textContent = timeOf(now);
    const age = now - this.#read;
    const isFresh = age < FRESH_MS;
    byId('age').textContent = isFresh ? 'live' : `figures from ${duration(age)} ago`;
    byId('age').className = isFresh ? '' : 'bad';
  }

  #pulse(state, text) {
    byId('pulse').className = state;
    byId('pulse-text').textContent = text;
  }

  #draw(state) {
    const { in_flight: inFlight, waiting, calls_max: callsMax } = state;
    byId('facts').replaceChildren(
      ...facts([
        ['Status', state.status],
        ['Version', state.version],
        ['Root', state.root],
        ['Uptime', duration(state.uptime_s * 1000)],
        ['Calls', `${inFlight} running, ${waiting} waiting, maximum ${callsMax}`],
        ['Reply', `maximum ${bytes(state.reply_bytes_max)}; format over MCP: ${state.result}`],
      ]),
    );
    show(byId('index-part'), state.index !== undefined);
    if (state.index !== undefined) byId('index-facts').replaceChildren(...facts(explainIndex(state.index)));
    const doing = ({ waiting: waits }) => (waits ? 'waiting' : 'running');
    const open = state.calls.map((call) => [call.tool, call.via, doing(call), duration(call.ms)]);
    const done = state.recent.map(({ tool, via, outcome, ms, at }) => {
      return [timeOf(new Date(at)), tool, via, outcome, duration(ms)];
    });
    byId('open-calls').replaceChildren(table(['Tool', 'Via', 'State', 'Time'], open));
    byId('recent-calls').replaceChildren(table(['At', 'Tool', 'Via', 'Outcome', 'Time'], done));
  }
}

function words({ status, in_flight: inFlight, index }) {
  if (status !== 'ok') return status;
  const calls = inFlight === 0 ? 'idle' : `${inFlight} running`;
  return index?.state === 'building' ? `${calls}, index building` : calls;
}

function timeOf(date) {
  return date.toLocaleTimeString('en-GB');
}

function facts(entries) {
  return entries.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, String(value))));
}

function table(heads, rows) {
  if (rows.length === 0) return el('p', { class: 'about' }, 'None.');
  const head = el('tr', {}, heads.map((text) => el('th', { scope: 'col' }, text)));
  const body = rows.map((row) => el('tr', {}, row.map((text) => el('td', {}, text))));
  return el('table', {}, el('thead', {}, head), el('tbody', {}, body));
}
