// Elements and texts. Text from files is only ever set as text, never as markup.

/**
 * Creates an element. Props are set as properties; `class`, `for`, `role`, `list`, `href`, `data-*` and `aria-*`
 * are set as attributes, `on` has listeners. Children are elements or texts; empty ones are omitted.
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (/^(class|for|role|list|href|data-.*|aria-.*)$/.test(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== ''));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Creates a button with a click handler. */
export function button(text, onClick, props = {}) {
  return el('button', { type: 'button', on: { click: onClick }, ...props }, text);
}

export function show(element, isShown) {
  element.hidden = !isShown;
}

/** Returns whether the form is above the reply instead of beside it. */
export function isNarrow() {
  return matchMedia('(max-width: 799px)').matches;
}

/** Scrolls to the element where the columns are below each other. */
export function scrollIfNarrow(element) {
  if (isNarrow()) element.scrollIntoView();
}

let toastTimer;

/** Shows a message for a moment, also to a screen reader. */
export function toast(text) {
  const place = byId('toast');
  place.textContent = text;
  place.classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.classList.remove('shown'), 2500);
}

/** Copies the text; browsers allow that only in secure contexts, which include loopback. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${what}`);
  } catch {
    toast('The browser does not allow this page to copy');
  }
}

/** Returns a function that calls `run` once, `ms` after the last of many calls. */
export function debounce(run, ms) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...given), ms);
  };
}

/** Settings in the storage of this browser; without storage they last until the page is left. */
export const settings = {
  get(name, otherwise) {
    try {
      return localStorage.getItem(`searchscope.${name}`) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`searchscope.${name}`, value);
    } catch {
      // Blocked or full.
    }
  },
};
