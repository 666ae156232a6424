// The picture of a terminal in docs/images: it has the replies of this build.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { TOP, ofThree } from './helpers.mjs';
import { svg, terminalPicture } from '../../scripts/lib/terminal.mjs';

const timeless = (text) => text.replace(/ \d+ ms/g, ' 0 ms').replace(/ width="\d+"| viewBox="[^"]*"/g, '');

describe('the picture of a terminal', { timeout: 120_000 }, () => {
  test('shows what the commands print (node scripts/terminal.mjs takes it again)', async () => {
    const committed = readFileSync(join(TOP, 'docs', 'images', 'terminal.svg'), 'utf8');
    const expected = timeless(committed);
    assert.equal(await ofThree(expected, async () => timeless(await terminalPicture())), expected);
    assert.ok(committed.length < 8_000, 'the picture is small');
  });

  test('has colours and escapes', () => {
    const picture = svg(['\x1b[35ma<b\x1b[0m:\x1b[1;31m&\x1b[0m', '', ' 1']);
    assert.ok(picture.includes('y="46"><tspan class="path">a&lt;b</tspan>:<tspan class="match">&amp;</tspan></text>'));
    assert.ok(picture.includes('y="84"> 1</text>'));
    assert.throws(() => svg(['\x1b[44mx']), /no colour for 44/);
  });
});
