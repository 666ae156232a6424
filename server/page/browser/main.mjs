// The page of the service: three views, selected by the fragment of the address.

import { getState, getTools } from './api.mjs';
import { CallView } from './call-view.mjs';
import { byId, settings, show } from './dom.mjs';
import { readCall, visible } from './places.mjs';
import { bindEscape, bindKeys } from './keys.mjs';
import { ScopeView } from './scope-view.mjs';
import { StateView } from './state-view.mjs';

const VIEWS = ['call', 'scope', 'state'];
const THEMES = ['auto', 'light', 'dark'];

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = { auto: 'Auto', light: 'Light', dark: 'Dark' }[theme];
  byId('theme').setAttribute('aria-label', `Colours: ${byId('theme').textContent}`);
  byId('theme').title = 'Colours: as in the system, light or dark (d)';
  settings.set('theme', theme);
}

function nextTheme() {
  setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);
}

/** Shows the view that the address names, in the state that the address describes. */
function route({ call, scope, state }) {
  const [, name = 'call', place = ''] = /^#(\w+)\/?(.*)$/s.exec(location.hash) ?? [];
  const view = VIEWS.includes(name) ? name : 'call';
  for (const one of VIEWS) show(byId(`view-${one}`), one === view);
  for (const link of document.querySelectorAll('nav a')) {
    if (link.dataset.view === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  state.watch(view === 'state');
  if (view === 'scope') scope.enter();
  if (view === 'call') call.restore(place, history.state);
  document.title = { call: call.title, scope: 'Scope · searchscope', state: 'State · searchscope' }[view];
}

/** Moves the focus to the next or the previous row of the shown view. */
function step(by) {
  const stops = [...document.querySelectorAll('main > section:not([hidden]) [data-stop]')];
  const at = stops.indexOf(document.activeElement);
  stops[Math.min(Math.max(at + by, 0), stops.length - 1)]?.focus();
}

function go(view) {
  location.hash = `#${view}`;
}

function inCallView(run) {
  return () => {
    if (!byId('view-call').hidden) return run();
    go('call');
    // After the view is shown.
    setTimeout(run);
  };
}

async function start() {
  setTheme(THEMES.includes(settings.get('theme')) ? settings.get('theme') : 'auto');
  byId('theme').addEventListener('click', nextTheme);
  const [tools, { root }] = await Promise.all([getTools(), getState()]);
  byId('root').textContent = visible(root);
  const call = new CallView(tools, root);
  const around = (path) => {
    call.choose(...readCall(path));
    go('call');
    call.run();
  };
  const use = (scope) => {
    call.choose('search', { scope });
    go('call');
    setTimeout(() => call.focus());
  };
  const views = { call, scope: new ScopeView({ around, use, onEnd: () => views.state.glance() }), state: new StateView() };
  call.onEnd = () => views.state.glance();
  document.querySelector('.skip').addEventListener('click', (event) => {
    // The address names the view.
    event.preventDefault();
    byId('main').focus();
  });
  addEventListener('popstate', () => route(views));
  call.choose('look');
  route(views);
  bindEscape(() => {
    const shown = byId('view-scope').hidden ? call : views.scope;
    const { isRunning } = shown;
    shown.cancel();
    return isRunning;
  });
  bindKeys([
    ['/', 'go to the query', inCallView(() => call.focus())],
    ['t', 'choose a tool', inCallView(() => call.focusTool())],
    ['j', 'next row', () => step(1)],
    ['k', 'previous row', () => step(-1)],
    ['n', 'next page', () => call.nextPage()],
    ['1', 'show the reply for people', () => call.show('read')],
    ['2', 'show the reply for agents', () => call.show('compact')],
    ['3', 'show the reply as JSON', () => call.show('json')],
    ['y', 'copy the reply', () => call.copyShown()],
    ['c', 'search', () => go('call')],
    ['s', 'build a scope', () => go('scope')],
    ['w', 'show the state of the service', () => go('state')],
    ['d', 'change colours', nextTheme],
  ]);
  document.documentElement.dataset.ready = '';
}

start().catch((error) => {
  const fatal = byId('fatal');
  fatal.textContent = `The page cannot start: ${error.message}`;
  show(fatal, true);
});
