// The converter from JSON schemas to TypeScript, on each form that the schemas take.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { tools } from 'searchscope';
import { TOP } from './helpers.mjs';
import { declarations } from '../../scripts/lib/declarations.mjs';
import { Declarations, comment, pascalCase } from '../../scripts/lib/schema.mjs';

test('the committed declarations are those of the tool table', () => {
  for (const [name, text] of Object.entries(declarations(tools()))) {
    const committed = readFileSync(join(TOP, 'node', name), 'utf8');
    assert.equal(committed, text, 'run "npm run types"');
  }
});

test('the declarations that people read are short, and each type is declared once', () => {
  const texts = declarations(tools());
  assert.deepEqual(Object.keys(texts), ['index.d.ts', 'wire.d.ts']);
  assert.ok(texts['index.d.ts'].split('\n').length < 1_200);
  const all = Object.values(texts).join('\n');
  const names = [...all.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted());
  for (const name of ['Scope', 'ScopeProgram', 'ScopeAtom', 'ScopeDescriptor', 'Skipped', 'Warning'])
    assert.ok(names.includes(name), name);
});

test('the declarations need no packages but those of Node and, those of the service, the engine', () => {
  const sources = { node: /^(\.|node:)/, server: /^(\.|node:|searchscope(\/documents)?$)/ };
  for (const [folder, allowed] of Object.entries(sources)) {
    const files = readdirSync(join(TOP, folder), { recursive: true });
    const declared = files.filter((file) => /\.d\.m?ts$/.test(file));
    assert.ok(declared.length >= 2, declared.join());
    for (const file of declared) {
      const text = readFileSync(join(TOP, folder, file), 'utf8');
      for (const [, from] of text.matchAll(/from '([^']+)'/g)) assert.match(from, allowed, file);
    }
  }
});

test('the same table gives the same text', () => {
  assert.deepEqual(declarations(tools()), declarations(tools()));
});

/** Returns the declared type of a property with the schema. */
function typeOf(schema, $defs) {
  const all = new Declarations([]);
  all.addReply('Root', { type: 'object', properties: { x: schema }, required: ['x'], $defs });
  return /\n {2}x: ([^]*?);\n\}/.exec(String(all))[1];
}

describe('a schema', () => {
  const defs = { A: { type: 'string' }, B: { type: 'object', properties: {} } };
  const table = [
    [true, 'unknown'],
    [false, 'never'],
    [{}, 'unknown'],
    [{ type: 'string' }, 'string'],
    [{ type: 'integer', format: 'uint64', minimum: 0 }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ type: 'array' }, 'unknown[]'],
    [{ type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] }, '[number, string]'],
    [{ enum: ['a', 'b', null] }, '"a" | "b" | null'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ const: true }, 'true'],
    [
      {
        oneOf: [
          { const: 'a', description: 'first' },
          { type: 'string', const: 'b' },
        ],
      },
      '"a" | "b"',
    ],
    [{ anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] }, 'A | null'],
    [{ allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] }, 'A & B'],
    [{ $ref: '#/$defs/A', description: 'beside a reference' }, 'A'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [
      {
        type: 'object',
        properties: { a: { type: 'string' }, 'b-c': { type: 'number' } },
        required: ['a'],
      },
      '{\n    a: string;\n    "b-c"?: number;\n  }',
    ],
    [
      {
        type: 'object',
        properties: { a: true },
        oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
      },
      '(A | B) & {\n    a?: unknown;\n  }',
    ],
  ];
  for (const [schema, expected] of table) {
    test(JSON.stringify(schema), () => assert.equal(typeOf(schema, defs), expected));
  }

  test('that is contradictory is an error', () => {
    assert.throws(() => typeOf({ $ref: '#/$defs/Gone' }), /Gone/);
    assert.throws(() => typeOf({ type: 'strnig' }), /strnig/);
  });
});

describe('names', () => {
  test('of types derive from names of tools', () => {
    assert.deepEqual(['search_in_files', 'Grep', 'find_and_grep'].map(pascalCase), [
      'SearchInFiles',
      'Grep',
      'FindAndGrep',
    ]);
  });

  test('of arguments have read-only arrays, also if a reply has the same type', () => {
    const all = new Declarations([]);
    const list = { type: 'array', items: { type: 'string' } };
    const schema = {
      type: 'object',
      properties: { x: { ...list }, pair: { type: 'array', prefixItems: [{}, {}] } },
      $defs: { List: list },
    };
    all.addReply('FirstReply', schema);
    all.addArgs('OneArgs', schema);
    all.addReply('OneReply', schema);
    const text = String(all);
    assert.match(text, /type List = readonly string\[\];/);
    assert.match(text, /OneArgs \{\n {2}x\?: readonly string\[\];\n {2}pair\?: readonly \[/);
    assert.match(text, /OneReply \{\n {2}x\?: string\[\];/);
    assert.doesNotMatch(text, /FirstReply \{\n {2}x\?: readonly/);
  });

  test('are shared by equal definitions, and conflicting ones are an error', () => {
    const all = new Declarations(['Reserved']);
    const root = ($defs) => ({ type: 'object', properties: {}, $defs });
    all.addReply('OneReply', root({ Match: { type: 'string' } }));
    all.addReply('TwoReply', root({ Match: { type: 'string' } }));
    all.addArgs('TwoArgs', root({ Match: { type: ['string', 'null'], default: null } }));
    const names = [...String(all).matchAll(/export \w+ (\w+)/g)].map((match) => match[1]);
    assert.deepEqual(names, ['OneReply', 'Match', 'TwoReply', 'TwoArgs']);
    const other = root({ Match: { type: 'number' } });
    assert.throws(() => all.addReply('ThreeReply', other), /Match has two different declarations/);
    const reserved = root({ Reserved: { type: 'string' } });
    assert.throws(() => all.addArgs('FourArgs', reserved), /Reserved has two different declarations/);
  });

  test('of common fields belong to the base of both', () => {
    const all = new Declarations([]);
    const schema = (order) => ({
      type: 'object',
      properties: { path: { type: 'string' }, order: { type: order }, mode: { type: 'string' } },
      required: order === 'string' ? ['path', 'mode'] : ['path'],
    });
    const [one, two] = [schema('string'), schema('integer')];
    all.addBase('Both', 'args', 'Shared.', [one, two]);
    all.addArgs('OneArgs', one);
    all.addArgs('TwoArgs', two);
    const text = String(all);
    assert.match(text, /\/\*\* Shared\. \*\/\nexport interface Both \{\n {2}path: string;\n\}/);
    assert.match(text, /OneArgs extends Both \{\n {2}order\?: string;\n {2}mode: string;\n\}/);
    assert.match(text, /TwoArgs extends Both \{\n {2}order\?: number;\n {2}mode\?: string;\n\}/);
  });
});

test('comments are wrapped and cannot end early', () => {
  assert.equal(comment(undefined), '');
  assert.equal(comment('Short.', '  '), '  /** Short. */\n');
  assert.equal(comment('a */ b'), '/** a *\\/ b */\n');
  const long = comment('word '.repeat(60).trim());
  assert.ok(long.split('\n').every((line) => line.length <= 100));
  assert.equal(long.match(/word/g).length, 60);
});

test('values of a choice and defaults are documented', () => {
  const all = new Declarations([]);
  const mode = {
    description: 'How.',
    default: 'a',
    oneOf: [{ const: 'a', description: 'One way.' }],
  };
  all.addReply('Root', { type: 'object', properties: { mode } });
  assert.match(String(all), /\* How\.\n +\* - `"a"`: One way\.\n +\* Default: `"a"`\./);
});
