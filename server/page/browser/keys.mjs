// Shortcuts. Single letters work outside fields and can be disabled.

import { byId, el, settings } from './dom.mjs';

const FIELDS = 'input:not([type=checkbox]), textarea, select';

/** Binds the shortcuts `[key, description, run]` and lists them in the help. */
export function bindKeys(shortcuts) {
  const help = byId('help');
  const letters = byId('letters');
  letters.checked = settings.get('letters', 'on') === 'on';
  letters.addEventListener('change', () => settings.set('letters', letters.checked ? 'on' : 'off'));
  const all = [...shortcuts, ['?', 'show this list', () => help.showModal()]];
  const always = [
    ['Enter', 'run the tool; Shift-Enter starts a line in the query'],
    ['Escape', 'cancel the call; go from a field to the reply'],
  ];
  const row = ([key, text]) => el('div', {}, el('dt', {}, el('kbd', {}, key)), el('dd', {}, text));
  byId('keys').replaceChildren(...[...always, ...all].map(row));
  byId('help-open').addEventListener('click', () => help.showModal());
  byId('help-close').addEventListener('click', () => help.close());
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help.open) return;
    if (!letters.checked || event.target.matches(FIELDS)) return;
    const found = all.find(([key]) => key === event.key);
    if (found === undefined) return;
    event.preventDefault();
    found[2]();
  });
}

/** Makes Escape cancel a running call; otherwise it goes to the reply, where shortcuts and scrolling work. */
export function bindEscape(cancel) {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || byId('help').open) return;
    if (!cancel() && event.target.matches(FIELDS)) {
      event.target.blur();
      event.target.closest('section')?.querySelector('.result')?.focus({ preventScroll: true });
    }
  });
}
