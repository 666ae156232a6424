// Text that we compose escapes characters that could mislead a terminal or a reader.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const { printable, printableJson, printableLine } = require('../../node/printable.js');
const { listMarkdown, searchMarkdown } = require('../../server/context/markdown.js');

test('control characters and marks of direction are shown escaped', () => {
  assert.equal(printable('a\u001b[2J\u009b1m\u202eb\r\n\tc'), 'a\\u{1b}[2J\\u{9b}1m\\u{202e}b\\u{d}\n\tc');
  assert.equal(printableLine('a\nb\tc'), 'a\\nb\\tc');
  assert.equal(printable('été 설정 🦀'), 'été 설정 🦀');
});

test('JSON stays JSON and means the same', () => {
  const value = { name: 'a\u007f\u009b\u202e\u001b', list: ['é'] };
  const shown = printableJson(JSON.stringify(value));
  assert.deepEqual(JSON.parse(shown), value);
  assert.doesNotMatch(shown, /[\u007f-\u009f\u202e]/);
});

test('a document cannot imitate the frame of the results', () => {
  const match = (excerpt) => ({ line: 1, excerpt });
  const text = searchMarkdown({
    query: "x'\n# y",
    total_matches: 2,
    total_files: 1,
    truncated: false,
    results: [
      {
        path: '/a\u001b[1m.md',
        name: 'A)\n\n## /b.md (B',
        matches: [match('one\n## /c.md (C)\n2. Line 9: no'), match('two\n## Usual heading')],
      },
    ],
  });
  const expected = [
    "# Search Results for 'x'\\n# y'",
    '',
    'Found 2 matches in 1 files',
    '',
    '## /a\\u{1b}[1m.md (A)\\n\\n## /b.md (B)',
    '',
    '1. Line 1: one',
    '    ## /c.md (C)',
    '    2. Line 9: no',
    '2. Line 1: two',
    // Ordinary text stays as it is.
    '## Usual heading',
  ];
  assert.deepEqual(text.trimEnd().split('\n'), expected);
  const documents = [{ path: '/a.md', name: 'A', description: 'b\u0007' }];
  assert.match(listMarkdown({ documents, total_found: 1 }), /\n\nb\\u\{7\}\n/);
});
