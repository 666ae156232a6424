// Long replies are parsed in slices, with the same result as in one piece.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';

const require = createRequire(import.meta.url);
const { SLICE_CHARS, parseReply } = require('../../node/parse.js');

/** Returns a generator of numbers that repeats in every run. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

function value(below, depth) {
  const texts = ['', 'a"b', '\\', '\\"', ']},{[', 'é🦀', '\n', ',"x":['];
  switch (below(depth > 3 ? 4 : 6)) {
    case 0:
      return texts[below(texts.length)].repeat(1 + below(40));
    case 1:
      return below(1000) / 8;
    case 2:
      return [true, false, null][below(3)];
    case 3:
      return 'x'.repeat(below(400));
    case 4:
      return Array.from({ length: below(5) }, () => value(below, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: below(4) }, (_, n) => [`k"${n}`, value(below, depth + 1)]),
      );
  }
}

describe('a reply', { timeout: 120_000 }, () => {
  test('is equal when parsed in slices', async () => {
    let sliced = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const below = random(seed);
      const reply = {
        before: value(below, 0),
        matches: Array.from({ length: 1 + below(9000) }, () => value(below, 1)),
        empty: [],
        between: { 'list"': [value(below, 1), [1, [2]]], long: 'y'.repeat(below(300_000)) },
        more: Array.from({ length: below(3000) }, () => 'z]'.repeat(below(90))),
        'odd\\"key': [['nested'], {}],
      };
      const text = JSON.stringify(reply);
      sliced += text.length > SLICE_CHARS;
      assert.deepEqual(await parseReply(text), reply, `seed ${seed}`);
      assert.equal(JSON.stringify(await parseReply(text)), text, 'the order of keys too');
    }
    assert.ok(sliced > 20, `${sliced} were long`);
  });

  test('of 100,000 matches is parsed in many turns of the event loop', async () => {
    const matches = Array.from({ length: 100_000 }, (_, n) => ({ path: 'a/b', line: n, text: 't' }));
    const text = JSON.stringify({ matches, complete: true });
    let turns = 0;
    let parsing = true;
    const count = () => {
      turns += 1;
      if (parsing) setImmediate(count);
    };
    setImmediate(count);
    const reply = await parseReply(text);
    parsing = false;
    assert.equal(reply.matches.length, 100_000);
    assert.ok(turns >= Math.floor(text.length / SLICE_CHARS), `${turns} turns`);
  });

  test('that is short or not an object is parsed at once', async () => {
    assert.deepEqual(await parseReply('{"a":[1]}'), { a: [1] });
    assert.equal(await parseReply('18383'), 18_383);
    await assert.rejects(parseReply('{'), SyntaxError);
  });
});
