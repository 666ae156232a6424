// A form generated from the JSON schema of a tool's arguments.

import { el } from './dom.mjs';

/** Parameters that are shown first; the others are under "More". */
const COMMON = new Set([
  ...['patterns', 'query', 'q', 'pattern', 'what', 'name_pattern', 'patternText', 'literal', 'use_regex', 'word'],
  ...['case', 'case_sensitive', 'enclosing', 'mode', 'paths', 'path', 'in', 'roots', 'globs', 'file_pattern', 'files'],
  ...['include', 'include_globs', 'scope', 'order', 'outline', 'only', 'extensions', 'details', 'kinds'],
  ...['since', 'no_ignore', 'hidden', 'fixed_strings', 'changed', 'start_line', 'lines_max', 'matches_max', 'files_max', 'cursor'],
]);

/** Parameters that are the query of a tool; each tool has the first that it knows in the large box. */
export const queryNames = ['q', 'what', 'patterns', 'query', 'pattern', 'name_pattern', 'patternText'];

/** Returns the name of the parameter that is the query of a tool; undefined for a tool without one. */
export function queryName({ name, inputSchema }) {
  if (name === 'read_document') return 'path';
  return queryNames.find((one) => Object.hasOwn(inputSchema.properties, one));
}

/** Returns the value of the query's parameter for the text in the box. */
export function queryValue({ inputSchema }, name, text) {
  return [inputSchema.properties[name].type].flat().includes('array') ? linesOf(text) : text;
}

const SCOPES = ['production', 'tests', 'libraries', 'module:', 'directory:', 'file:'];

/** The fields of one tool. `onChange` is called when a person changes one. */
export class ArgsForm {
  #fields = new Map();
  #more;
  #query;

  constructor(tool, { query, common, more, moreTitle, moreDetails }, onChange) {
    const { inputSchema } = tool;
    this.#more = moreDetails;
    const { properties, required = [] } = inputSchema;
    const main = queryName(tool);
    const first = [];
    const others = [];
    for (const [name, schema] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      const field = makeField(name, resolve(schema, inputSchema), { isRequired, isQuery: name === main });
      field.isCommon = isRequired || name === main || COMMON.has(name);
      // The box is not in its element.
      (name === main ? field.control : field.element).addEventListener('input', onChange);
      this.#fields.set(name, field);
      if (name === main) this.#query = field;
      (field.isCommon ? first : others).push(field.element);
    }
    const none = `${tool.name} has no query; run it as it is.`;
    query.replaceChildren(this.#query?.control ?? el('p', { class: 'about' }, none));
    common.replaceChildren(...first);
    more.replaceChildren(...others);
    moreTitle.textContent = `More parameters (${others.length})`;
    moreDetails.hidden = others.length === 0;
    moreDetails.open = false;
  }

  /** Returns the arguments that are set, and the names of those that cannot be parsed. */
  read() {
    const args = {};
    const wrong = [];
    for (const [name, field] of this.#fields) {
      try {
        const value = field.read();
        if (value !== undefined) args[name] = value;
      } catch {
        wrong.push(name);
      }
    }
    return { args, wrong };
  }

  /** Sets the fields; returns the names of arguments that have no field. */
  write(args) {
    for (const [name, field] of this.#fields) {
      field.write(args[name]);
      if (!field.isCommon && args[name] !== undefined) this.#more.open = true;
    }
    return Object.keys(args).filter((name) => !this.#fields.has(name));
  }

  /** Text in the large box; undefined for a tool without one. */
  get query() {
    return this.#query?.control.value;
  }

  focus() {
    const [first] = this.#fields.values();
    const field = this.#query ?? first;
    field?.control.focus();
    field?.control.select?.();
  }

  /**
   * Marks the fields with these names as wrong, and no others; `message` is the id of the element that says
   * why. Returns the controls of the marked ones.
   */
  mark(names, message = 'args-error') {
    for (const [name, field] of this.#fields) mark(field, names.includes(name), message);
    const marked = names.map((name) => this.#fields.get(name)).filter(Boolean);
    if (marked.some((field) => !field.isCommon)) this.#more.open = true;
    return marked.map(({ control }) => control);
  }
}

function mark({ control }, isWrong, message) {
  for (const [name, value] of [['aria-invalid', 'true'], ['aria-errormessage', message]]) {
    if (isWrong) control.setAttribute(name, value);
    else control.removeAttribute(name);
  }
}

/** Returns a schema with its references resolved, and without null, which is equivalent to absent. */
function resolve(schema, top) {
  const { $ref, anyOf, description, ...rest } = schema;
  const about = description ?? '';
  if ($ref !== undefined) return { ...resolve(top.$defs[$ref.split('/').at(-1)], top), description: about };
  const options = anyOf?.filter(({ type }) => type !== 'null');
  if (options?.length === 1) return { ...rest, ...resolve(options[0], top), description: about };
  const types = [schema.type].flat().filter((type) => type !== undefined && type !== 'null');
  const resolved = { ...schema, type: types[0] };
  if (schema.items !== undefined) resolved.items = resolve(schema.items, top);
  return resolved;
}

function choicesOf({ oneOf, enum: values }) {
  if (oneOf?.every((one) => 'const' in one)) {
    return oneOf.map(({ const: value, description = '' }) => [value, description]);
  }
  return values?.filter((value) => value !== null).map((value) => [value, '']);
}

function makeField(name, schema, { isRequired, isQuery }) {
  const choices = choicesOf(schema);
  const itemChoices = schema.items === undefined ? undefined : choicesOf(schema.items);
  const make = [
    [isQuery, queryField],
    [name === 'scope', scopeField],
    [name === 'changed', changedField],
    [choices !== undefined, choiceField],
    [itemChoices !== undefined, severalField],
    [schema.type === 'boolean', booleanField],
    [schema.type === 'integer' || schema.type === 'number', numberField],
    [schema.type === 'array' && schema.items?.type === 'string', linesField],
    [schema.type === 'string', textField],
    [true, jsonField],
  ].find(([fits]) => fits)[1];
  const id = `arg-${name}`;
  const { control, read, write, isInline } = make({ id, schema, choices: choices ?? itemChoices });
  const { first, rest } = sentences(schema.description ?? '');
  const help = first === '' ? '' : el('span', { class: 'help', id: `${id}-help` }, first);
  if (help !== '') {
    if (rest !== '') help.title = rest;
    control.setAttribute('aria-describedby', help.id);
  }
  if (isRequired) control.setAttribute('aria-required', 'true');
  const mark = isRequired ? el('span', { class: 'required' }, ' required') : '';
  const label = el('label', { class: 'name', for: control.id }, name);
  if (isQuery) {
    const about = el('div', { class: 'field' }, el('span', {}, label, mark), help);
    return { element: about, control, read, write };
  }
  const parts = isInline ? [el('span', { class: 'check' }, control, label)] : [el('span', {}, label, mark)];
  const element = el('div', { class: 'field' }, ...parts, help, isInline ? '' : control);
  return { element, control, read, write };
}

/** Returns the first sentence of a description, and the whole text as `rest` if it has more sentences. */
function sentences(description) {
  const text = description.replace(/\s+/g, ' ').trim();
  const end = /[^.]{12,}?\.(?= [A-Z"]|$)/.exec(text);
  const first = end === null ? text : text.slice(0, end.index + end[0].length);
  return { first, rest: first === text ? '' : text };
}

/** Returns the default as a placeholder; some schemas state it only in their description. */
function hint({ default: value, description = '' }) {
  const named = /Default: ([^.:]{1,40})\.?$/.exec(description.trim());
  if ((value === undefined || value === null) && named !== null) return `default: ${named[1].replace(/\s+/g, ' ')}`;
  if (value === undefined || value === null || value === '') return '';
  return `default: ${Array.isArray(value) ? value.join(', ') || 'none' : value}`;
}

const PLAIN = { autocomplete: 'off', spellcheck: false, autocapitalize: 'off' };

function textField({ id, schema }) {
  const control = el('input', { id, type: 'text', placeholder: hint(schema), ...PLAIN });
  return {
    control,
    read: () => control.value || undefined,
    write: (value) => (control.value = asText(value)),
  };
}

/** Creates the field for a scope; a program is written as JSON. */
function scopeField({ id }) {
  const list = el('datalist', { id: `${id}-list` }, SCOPES.map((value) => el('option', { value })));
  const control = el('input', { id, type: 'text', list: list.id, placeholder: 'default: all files', ...PLAIN });
  const read = () => {
    const text = control.value.trim();
    return text === '' ? undefined : text.startsWith('{') ? JSON.parse(text) : text;
  };
  // The list can be placed after the control only once that has a parent.
  queueMicrotask(() => control.after(list));
  return { control, read, write: (value) => (control.value = asText(value)) };
}

/** Changed files: `true`, or the revision that files are compared with. */
function changedField({ id }) {
  const control = el('input', { id, type: 'text', placeholder: 'true, or a revision such as main', ...PLAIN });
  const read = () => {
    const text = control.value.trim();
    if (['', 'true', 'false'].includes(text)) return text === '' ? undefined : text === 'true';
    return text.startsWith('{') ? JSON.parse(text) : { since: text };
  };
  return { control, read, write: (value) => (control.value = asText(value?.since ?? value)) };
}

function numberField({ id, schema }) {
  const { minimum: min, maximum: max } = schema;
  const props = { id, type: 'number', placeholder: hint(schema), inputMode: 'numeric', ...PLAIN };
  const control = el('input', { ...props, min, max, step: schema.type === 'integer' ? 1 : 'any' });
  const read = () => {
    if (control.validity.badInput) throw new Error('not a number');
    return control.value === '' ? undefined : Number(control.value);
  };
  return { control, read, write: (value) => (control.value = asText(value)) };
}

function booleanField({ id, schema }) {
  const control = el('input', { id, type: 'checkbox' });
  const otherwise = schema.default === true;
  const read = () => (control.checked === otherwise ? undefined : control.checked);
  const write = (value) => (control.checked = value ?? otherwise);
  write(undefined);
  return { control, read, write, isInline: true };
}

function choiceField({ id, choices, schema }) {
  const none = el('option', { value: '' }, hint(schema) || 'default');
  const options = choices.map(([value, about]) => {
    const words = about === '' ? value : `${value} — ${about.split(/\.(\s|$)/)[0]}`;
    return el('option', { value }, words.length > 70 ? `${words.slice(0, 69)}…` : words);
  });
  const control = el('select', { id }, none, options);
  return {
    control,
    read: () => control.value || undefined,
    write: (value) => (control.value = asText(value)),
  };
}

function severalField({ id, choices }) {
  const control = el('select', { id, multiple: true, size: Math.min(choices.length, 5) });
  control.append(...choices.map(([value, about]) => el('option', { value, title: about }, value)));
  const read = () => {
    const values = [...control.selectedOptions].map((option) => option.value);
    return values.length === 0 ? undefined : values;
  };
  const write = (values = []) => {
    for (const option of control.options) option.selected = values?.includes(option.value) ?? false;
  };
  return { control, read, write };
}

/** Creates the field for a list of texts, one per line. */
function linesField({ id, schema }) {
  const placeholder = ['one per line', hint(schema)].filter(Boolean).join('; ');
  const control = el('textarea', { id, rows: 1, placeholder, class: 'lines-field', ...PLAIN });
  return { control, ...linesOfControl(control, true) };
}

/** Creates the large box: a text or a list of texts, in one line until it has more. */
function queryField({ id, schema }) {
  const props = { id, rows: 1, class: 'lines-field query', enterKeyHint: 'search', ...PLAIN };
  const placeholder = sentences(schema.description ?? '').first.replace(/\.$/, '');
  const control = el('textarea', { ...props, placeholder });
  control.setAttribute('aria-label', `Query (${id.slice('arg-'.length)})`);
  return { control, ...linesOfControl(control, schema.type === 'array') };
}

const ROWS_MAX = 8;

function linesOfControl(control, isList) {
  let kept;
  let shown;
  const fit = () => {
    control.rows = Math.min(Math.max(control.value.split('\n').length, 1), ROWS_MAX);
    // A line that does not fit takes more rows.
    while (control.rows < ROWS_MAX && control.scrollHeight > control.clientHeight + 2) control.rows += 1;
  };
  control.addEventListener('input', fit);
  const read = () => {
    // Unchanged, it is what was set: a name may contain a line feed.
    if (kept !== undefined && control.value === shown) return kept;
    if (!isList) return control.value || undefined;
    const lines = linesOf(control.value);
    return lines.length === 0 ? undefined : lines;
  };
  const write = (value) => {
    control.value = Array.isArray(value) ? value.join('\n') : asText(value);
    kept = value ?? undefined;
    shown = control.value;
    fit();
  };
  return { read, write };
}

function linesOf(text) {
  return text.split('\n').filter((line) => line !== '');
}

function jsonField({ id }) {
  const control = el('textarea', { id, rows: 2, placeholder: 'JSON', ...PLAIN });
  const read = () => (control.value.trim() === '' ? undefined : JSON.parse(control.value));
  return { control, read, write: (value) => (control.value = asText(value)) };
}

function asText(value) {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
