// Turns the JSON schemas of the tool table into TypeScript declarations.

const LINE_WIDTH = 100;

/** Modifiers of array types: we do not change the arguments that we receive. */
const ARRAYS = { args: 'readonly ', reply: '' };

/** Collects declarations. A name has the same meaning in all schemas. */
export class Declarations {
  #texts = new Map();
  #meanings = new Map();
  #bases = [];

  /** Reserves `names`, which the handwritten part of the declarations uses. */
  constructor(names) {
    for (const name of names) this.#meanings.set(name, null);
  }

  /**
   * Declares the fields that all of the schemas share, so that later declarations for these schemas
   * extend it. `role` is "args" or "reply".
   */
  addBase(name, role, description, schemas) {
    const [first, ...others] = schemas;
    const keys = Object.keys(first.properties).filter((key) =>
      others.every((schema) => fieldText(schema, key) === fieldText(first, key)),
    );
    const fields = picked(first, (key) => keys.includes(key));
    this.#declare(name, role, { ...fields, description });
    this.#bases.push({ name, keys, schemas });
  }

  /** Declares the schema of arguments and its definitions. */
  addArgs(name, schema) {
    this.#add(name, 'args', schema);
  }

  /**
   * Declares the schema of a reply and its definitions; a definition that arguments have too stays as it is.
   */
  addReply(name, schema) {
    this.#add(name, 'reply', schema);
  }

  #add(name, role, schema) {
    const base = this.#bases.find(({ schemas }) => schemas.includes(schema));
    const own = base ? picked(schema, (key) => !base.keys.includes(key)) : schema;
    this.#declare(name, role, own, base?.name);
    for (const [key, definition] of Object.entries(schema.$defs ?? {})) {
      this.#declare(key, role, definition);
    }
  }

  #declare(name, role, schema, base) {
    const meaning = JSON.stringify(schema, plain);
    const known = this.#meanings.get(name);
    if (known !== undefined && known !== meaning)
      throw new Error(`${name} has two different declarations`);
    if (known === meaning && role === 'reply') return;
    this.#meanings.set(name, meaning);
    this.#texts.set(name, declare(name, schema, ARRAYS[role], base));
  }

  /** Returns the declarations in the order in which they were added. */
  toString() {
    const text = [...this.#texts.values()].join('\n');
    for (const [, name] of text.matchAll(REFERENCE)) {
      if (!this.#texts.has(name)) throw new Error(`the schema refers to ${name}, which is not declared`);
    }
    return text.replaceAll(REFERENCE, '$1');
  }
}

/** Drops the parts of a schema that depend on whether a type is in arguments or in a reply. */
function plain(key, value) {
  if (key === 'default' || (key === 'additionalProperties' && value === false)) return undefined;
  if (key === 'enum') return value.filter((one) => one !== null);
  if (key === 'type' && Array.isArray(value)) return value.filter((type) => type !== 'null').join();
  if (value?.anyOf?.some(isNull)) {
    const { anyOf, ...others } = value;
    const choices = anyOf.filter((choice) => !isNull(choice));
    return choices.length === 1 ? { ...choices[0], ...others } : { ...others, anyOf: choices };
  }
  return value;
}

const isNull = (schema) => schema.type === 'null';

/** Returns a field of a schema as text, for comparison with that of another schema. */
function fieldText({ properties, required = [] }, key) {
  return JSON.stringify([properties[key], required.includes(key)]);
}

/** Returns the schema with some of its fields. */
function picked(schema, isWanted) {
  const properties = Object.entries(schema.properties).filter(([key]) => isWanted(key));
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Turns `search_in_files` into the start of a type's name: `SearchInFiles`. */
export function pascalCase(name) {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
}

/** Returns a documentation comment, wrapped. */
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

function declare(name, schema, arrays, base) {
  const doc = comment(documentation(schema));
  const heading = base ? `${name} extends ${base}` : name;
  if (isPlainObject(schema))
    return `${doc}export interface ${heading} ${objectType(schema, arrays, '')}\n`;
  return `${doc}export type ${name} = ${typeOf(schema, arrays, '')};\n`;
}

/**
 * Returns the documentation of a schema: its description, then its values with theirs, then its default.
 */
function documentation(schema) {
  const paragraphs = [schema.description];
  for (const variant of schema.oneOf ?? []) {
    if (variant.const !== undefined && variant.description) {
      paragraphs.push(`- \`${JSON.stringify(variant.const)}\`: ${variant.description}`);
    }
  }
  const [first, ...others] = paragraphs.map(reflowed);
  if (isUnusual(schema.default)) {
    const value = `Default: \`${JSON.stringify(schema.default)}\`.`;
    if (others.length === 0) return [first, value].filter(Boolean).join(' ');
    others.push(value);
  }
  return [first, ...others].filter(Boolean).join('\n');
}

/** Joins the lines of a description, which are broken as in its source. */
function reflowed(text) {
  return text?.replaceAll(/(?<=\S)\n(?=\S)/g, ' ');
}

/** Returns whether a default is worth documenting: it is not if it equals the meaning of absence. */
function isUnusual(value) {
  return value !== undefined && !NOTHING.includes(JSON.stringify(value));
}

const NOTHING = ['null', 'false', '""', '[]'];

function isPlainObject(schema) {
  const combined = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? schema.$ref;
  return schema.type === 'object' && schema.properties !== undefined && combined === undefined;
}

/** Returns the TypeScript type of a schema, as an expression. */
function typeOf(schema, arrays, indent) {
  if (schema === true) return 'unknown';
  if (schema === false) return 'never';
  const parts = [];
  if (schema.$ref !== undefined) parts.push(reference(schema.$ref));
  for (const key of ['anyOf', 'oneOf']) {
    if (schema[key])
      parts.push(union(schema[key].map((variant) => typeOf(variant, arrays, indent))));
  }
  if (schema.allOf) parts.push(...schema.allOf.map((part) => typeOf(part, arrays, indent)));
  if (schema.const !== undefined) parts.push(JSON.stringify(schema.const));
  else if (schema.enum) parts.push(union(schema.enum.map((value) => JSON.stringify(value))));
  // The bare type adds nothing to a reference or a choice, but properties do.
  else if (schema.type && (parts.length === 0 || schema.properties)) {
    parts.push(union([schema.type].flat().map((type) => simpleType(type, schema, arrays, indent))));
  }
  if (parts.length === 0) return 'unknown';
  return parts.length === 1 ? parts[0] : parts.map(parenthesised).join(' & ');
}

/** A name between marks, which are removed once all declarations exist. */
const REFERENCE = /\u0001(\w+)\u0001/g;

function reference(target) {
  return `\u0001${target.replace('#/$defs/', '')}\u0001`;
}

function simpleType(type, schema, arrays, indent) {
  switch (type) {
    case 'object':
      return objectType(schema, arrays, indent);
    case 'array':
      return arrayType(schema, arrays, indent);
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

function arrayType(schema, arrays, indent) {
  if (schema.prefixItems)
    return `${arrays}[${schema.prefixItems.map((item) => typeOf(item, arrays, indent)).join(', ')}]`;
  return `${arrays}${parenthesised(typeOf(schema.items ?? true, arrays, indent))}[]`;
}

function objectType(schema, arrays, indent) {
  if (!schema.properties) {
    const values = schema.additionalProperties ?? true;
    if (values === false) return 'Record<string, never>';
    return `Record<string, ${typeOf(values, arrays, indent)}>`;
  }
  const required = new Set(schema.required ?? []);
  const inner = `${indent}  `;
  const fields = Object.entries(schema.properties).map(([key, value]) => {
    const mark = required.has(key) ? '' : '?';
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    return `${comment(documentation(value), inner)}${inner}${name}${mark}: ${typeOf(value, arrays, inner)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function union(types) {
  return [...new Set(types)].join(' | ');
}

/** Adds parentheses to a bare union or intersection; braces bind already. */
function parenthesised(type) {
  return / [|&] /.test(type) && !/^\{[^]*\}$/.test(type) ? `(${type})` : type;
}
