// Turns the JSON schemas of the tool table into TypeScript declarations.

const LINE_WIDTH = 100;

/** What the definitions of a schema are called, and how its arrays are written. */
class Names extends Map {
  /** Before the type of an array: what is given to us, we do not change. */
  arrays = '';

  taken() {
    const names = new Names(this);
    names.arrays = 'readonly ';
    return names;
  }
}

/** Collects declarations under names that are used once. */
export class Declarations {
  #texts = new Map();
  #sources = new Map();
  /** The definitions that arguments are made of; replies may have them too. */
  #taken = new Set();

  /** Names that the hand-written part of the file uses. */
  constructor(reserved) {
    for (const name of reserved) this.#sources.set(name, null);
  }

  /** Declares the schema of arguments and its definitions. */
  addArgs(name, schema, prefix) {
    this.#add(name, schema, prefix, true);
  }

  /** Declares the schema of a reply and its definitions. */
  addReply(name, schema, prefix) {
    this.#add(name, schema, prefix, false);
  }

  #add(name, schema, prefix, isTaken) {
    const definitions = schema.$defs ?? {};
    const names = new Names();
    for (const [key, definition] of Object.entries(definitions)) {
      // A definition that two tools share is declared once, if they mean the same by it.
      const source = JSON.stringify([definition, definitions]);
      const shared = !this.#sources.has(key) || this.#sources.get(key) === source;
      const declared = shared ? key : this.#freeName(prefix + key);
      this.#sources.set(declared, source);
      names.set(`#/$defs/${key}`, declared);
    }
    this.#sources.set(name, JSON.stringify(schema));
    this.#texts.set(name, declare(name, schema, isTaken ? names.taken() : names));
    for (const [key, definition] of Object.entries(definitions)) {
      const declared = names.get(`#/$defs/${key}`);
      if (isTaken) this.#taken.add(declared);
      const written = this.#taken.has(declared) ? names.taken() : names;
      this.#texts.set(declared, declare(declared, definition, written));
    }
  }

  #freeName(wanted) {
    let name = wanted;
    for (let n = 2; this.#sources.has(name); n += 1) name = `${wanted}${n}`;
    return name;
  }

  toString() {
    return [...this.#texts.values()].join('\n');
  }
}

/** `search_in_files` as the start of a type's name: `SearchInFiles`. */
export function pascalCase(name) {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
}

/** A documentation comment, wrapped. */
export function comment(text, indent = '') {
  if (!text) return '';
  const lines = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((line) => wrap(line, LINE_WIDTH - indent.length - 3));
  const [only] = lines;
  if (lines.length === 1 && only.length + indent.length + 7 <= LINE_WIDTH)
    return `${indent}/** ${only} */\n`;
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n');
  return `${indent}/**\n${body}\n${indent} */\n`;
}

function wrap(line, width) {
  const lines = [''];
  for (const word of line.split(/ +/)) {
    const last = lines.length - 1;
    const longer = lines[last] === '' ? word : `${lines[last]} ${word}`;
    if (longer.length <= width || lines[last] === '') lines[last] = longer;
    else lines.push(word);
  }
  return lines;
}

function declare(name, schema, names) {
  const doc = comment(documentation(schema));
  if (isPlainObject(schema))
    return `${doc}export interface ${name} ${objectType(schema, names, '')}\n`;
  return `${doc}export type ${name} = ${typeOf(schema, names, '')};\n`;
}

/** What the schema says for people: its text, then its values with theirs, then its default. */
function documentation(schema) {
  const paragraphs = [schema.description];
  for (const variant of schema.oneOf ?? []) {
    if (variant.const !== undefined && variant.description) {
      paragraphs.push(`- \`${JSON.stringify(variant.const)}\`: ${variant.description}`);
    }
  }
  if (schema.default !== undefined && schema.default !== null) {
    paragraphs.push(`Default: \`${JSON.stringify(schema.default)}\`.`);
  }
  return paragraphs.filter(Boolean).join('\n');
}

function isPlainObject(schema) {
  const combined = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? schema.$ref;
  return schema.type === 'object' && schema.properties !== undefined && combined === undefined;
}

/** The TypeScript type of a schema, as an expression. */
function typeOf(schema, names, indent) {
  if (schema === true) return 'unknown';
  if (schema === false) return 'never';
  const parts = [];
  if (schema.$ref !== undefined) parts.push(reference(schema.$ref, names));
  for (const key of ['anyOf', 'oneOf']) {
    if (schema[key])
      parts.push(union(schema[key].map((variant) => typeOf(variant, names, indent))));
  }
  if (schema.allOf) parts.push(...schema.allOf.map((part) => typeOf(part, names, indent)));
  if (schema.const !== undefined) parts.push(JSON.stringify(schema.const));
  else if (schema.enum) parts.push(union(schema.enum.map((value) => JSON.stringify(value))));
  // Beside a reference or a choice the bare type says nothing new, but properties do.
  else if (schema.type && (parts.length === 0 || schema.properties)) {
    parts.push(union([schema.type].flat().map((type) => simpleType(type, schema, names, indent))));
  }
  if (parts.length === 0) return 'unknown';
  return parts.length === 1 ? parts[0] : parts.map(parenthesised).join(' & ');
}

function reference(target, names) {
  const name = names.get(target);
  if (name === undefined)
    throw new Error(`the schema refers to ${target}, which it does not define`);
  return name;
}

function simpleType(type, schema, names, indent) {
  switch (type) {
    case 'object':
      return objectType(schema, names, indent);
    case 'array':
      return arrayType(schema, names, indent);
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    default:
      throw new Error(`the schema has the unknown type ${type}`);
  }
}

function arrayType(schema, names, indent) {
  if (schema.prefixItems)
    return `${names.arrays}[${schema.prefixItems.map((item) => typeOf(item, names, indent)).join(', ')}]`;
  return `${names.arrays}${parenthesised(typeOf(schema.items ?? true, names, indent))}[]`;
}

function objectType(schema, names, indent) {
  if (!schema.properties) {
    const values = schema.additionalProperties ?? true;
    if (values === false) return 'Record<string, never>';
    return `Record<string, ${typeOf(values, names, indent)}>`;
  }
  const required = new Set(schema.required ?? []);
  const inner = `${indent}  `;
  const fields = Object.entries(schema.properties).map(([key, value]) => {
    const mark = required.has(key) ? '' : '?';
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    return `${comment(documentation(value), inner)}${inner}${name}${mark}: ${typeOf(value, names, inner)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function union(types) {
  return [...new Set(types)].join(' | ');
}

/** Braces bind already; only a bare union or intersection needs parentheses. */
function parenthesised(type) {
  return / [|&] /.test(type) && !/^\{[^]*\}$/.test(type) ? `(${type})` : type;
}
