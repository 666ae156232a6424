// The search view of the page in a browser: the box, the menu, paging, errors, links and hostile names.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempTree } from './helpers.mjs';
import { all, call, click, describePage, ended, textOf } from './page-browser.mjs';

const TREE = Object.freeze({
  'src/lib.rs': 'fn outer() {\n    let needle = 1;\n}\n',
  'src/other.rs': '// needle (a\nfn last() {}\n',
});

const LINES = 400;

/** Many lines that `look` replies to with several pages. */
function longTree(t) {
  const lines = (name) => Array.from({ length: LINES }, (_, n) => `${name} needle ${n} ${'x'.repeat(60)}\n`).join('');
  return tempTree(t, Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.txt`, lines(name)])));
}

const RTL = 'invoice\u202Efdp.exe';
const HOSTILE = ['<img src=x onerror=alert(1)>', 'new\nline.txt', RTL, 'n'.repeat(255), '"quoted".txt', 'place:10', '# remark'];
const isPosix = process.platform !== 'win32';

async function write(page, id, text) {
  await page.evaluate((one) => {
    document.getElementById(one).focus();
    document.getElementById(one).select();
  }, id);
  await page.type(text);
}

const chooseTool = (page, name) =>
  page.evaluate((one) => {
    document.getElementById('tool').value = one;
    document.getElementById('tool').dispatchEvent(new Event('change'));
  }, name);

const args = async (page) => JSON.parse(await page.evaluate(() => document.getElementById('args').value));
const titleOf = (page) => page.evaluate(() => document.title);
const box = (page, selector) =>
  page.evaluate((one) => JSON.parse(JSON.stringify(document.querySelector(one).getBoundingClientRect())), selector);

describePage('the search view of the page', (open) => {
  test('opens on look with one large box, and runs it on Enter', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    assert.equal(await page.evaluate(() => document.getElementById('tool').value), 'look');
    const names = await all(page, '#tool option');
    assert.deepEqual(names.slice(0, 2), ['look', 'read']);
    assert.ok(names.length > 10 && names.includes('search'));
    const { width, height } = await box(page, '.query');
    assert.ok(width > 600 && height >= 44, `${width} ${height}`);
    const size = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector('.query')).fontSize));
    assert.ok(size >= 16, String(size));
    assert.equal(await titleOf(page), 'searchscope');
    assert.match(await textOf(page, '#result'), /Write a name, a text, a question/);
    await page.press('/');
    await page.type('needle');
    await page.press('Enter');
    await ended(page);
    assert.match(await textOf(page, '.status'), /^2 results · complete/);
    assert.deepEqual(await all(page, 'mark'), ['needle', 'needle']);
    assert.equal(await titleOf(page), 'needle · look · searchscope');
    assert.deepEqual(page.complaints, []);
  });

  test('starts a line on Shift-Enter, and runs a query of several lines on Enter', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    const height = async () => (await box(page, '.query')).height;
    await write(page, 'arg-q', 'panic:');
    const low = await height();
    const shift = { key: 'Enter', windowsVirtualKeyCode: 13, modifiers: 8, text: '\r', type: 'keyDown' };
    await page.send('Input.dispatchKeyEvent', shift);
    await page.type('needle');
    assert.ok((await height()) > low + 10, String(await height()));
    await page.press('Enter');
    await ended(page);
    assert.deepEqual(await args(page), { q: 'panic:\nneedle' });
    await write(page, 'arg-q', 'a line that does not fit in the box '.repeat(6));
    assert.ok((await height()) > low + 10, String(await height()));
  });

  test('runs an example of the empty state', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await click(page, '.empty button');
    await ended(page);
    assert.deepEqual(await args(page), { q: 'main' });
  });

  test('keeps the query when the tool changes', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await write(page, 'arg-q', 'needle');
    const table = [
      ['search', { patterns: ['needle'] }],
      ['find', { name_pattern: 'needle' }],
      ['Grep', { pattern: 'needle' }],
      // Its pattern is a glob for names.
      ['find_and_grep', { query: 'needle' }],
      ['list_documents', {}],
      ['scope_resolve_program', {}],
      ['read', { what: ['needle'] }],
      ['read_document', { path: 'needle' }],
      ['look', { q: 'needle' }],
    ];
    for (const [tool, expected] of table) {
      await chooseTool(page, tool);
      assert.deepEqual(await args(page), expected, tool);
    }
    // A file that is read from a reply does not replace it; other arguments stay where the tool has them.
    await call(page, 'search', { patterns: ['needle'], paths: ['src'] });
    await click(page, '.path');
    await page.until(() => document.getElementById('tool').value === 'read');
    await ended(page);
    await chooseTool(page, 'search');
    assert.deepEqual(await args(page), { patterns: ['needle'] });
    await call(page, 'search', { patterns: ['needle'], paths: ['src'], cursor: null });
    await chooseTool(page, 'find');
    assert.deepEqual(await args(page), { name_pattern: 'needle', paths: ['src'] });
  });

  test('scrolls the reply while the form stays', async (t) => {
    const { page } = await open(t, longTree(t));
    for (const [width, height] of [[1280, 800], [360, 640]]) {
      await page.resize(width, height);
      await call(page, 'look', { q: 'needle' });
      const before = await box(page, '.query');
      await page.evaluate(() => document.getElementById('next-page').scrollIntoView());
      const after = await box(page, '.query');
      const { top, bottom } = await box(page, '#next-page');
      assert.ok(top > after.bottom && bottom <= height, `${top} ${bottom} at ${width}`);
      assert.ok(after.top >= 0 && Math.abs(after.top - before.top) < 2, `${after.top} at ${width}`);
      // Keys that go back up never leave the focus below the form.
      await page.press('Escape');
      await page.evaluate(() => [...document.querySelectorAll('[data-stop]')].at(-1).focus());
      const bar = await box(page, '.bar');
      for (let n = 0; n < 25; n += 1) {
        await page.press('k');
        const focused = await box(page, ':focus');
        assert.ok(focused.top >= bar.bottom && focused.bottom <= height, `${focused.top} at ${width}`);
      }
    }
  });

  test('pages through look and read with a key and with a button', async (t) => {
    const { page } = await open(t, longTree(t));
    await call(page, 'look', { q: 'needle' });
    const first = () => page.evaluate(() => document.querySelector('.row')?.textContent);
    const begin = await first();
    await page.evaluate(() => document.activeElement.blur());
    await page.until(() => document.getElementById('next-page') !== null);
    await page.press('n');
    await page.until((text) => document.querySelector('.row') && document.querySelector('.row').textContent !== text, begin);
    await ended(page);
    const { page: second } = await args(page);
    assert.ok(second > 1, String(second));
    await page.until(() => document.getElementById('next-page') !== null);
    await page.evaluate(() => {
      document.getElementById('next-page').focus();
      document.getElementById('next-page').click();
    });
    await page.until((n) => JSON.parse(document.getElementById('args').value).page > n, second);
    await ended(page);
    // The reply starts at its top, and the focus is in it, not lost with the button.
    const place = await page.evaluate(() => [document.getElementById('result').scrollTop, document.activeElement.id]);
    assert.deepEqual(place, [0, 'result']);
    await page.until(() => document.getElementById('first-page') !== null);
    await click(page, '#first-page');
    await page.until((text) => document.querySelector('.row')?.textContent === text, begin);
    await call(page, 'read', { what: ['a.txt'] });
    await page.until(() => document.getElementById('next-page') !== null);
    await page.press('n');
    await page.until(() => document.querySelector('.row .number')?.textContent > 1);
    assert.match((await args(page)).what[0], /^a\.txt:\d+-400$/);
  });

  test('marks the field of an error once and searches for the text as written', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await page.evaluate(() => {
      window.alerts = 0;
      const count = (changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        window.alerts += added.filter(({ id }) => id === 'error').length;
      };
      new MutationObserver(count).observe(document.getElementById('result'), { childList: true, subtree: true });
    });
    const marked = () => page.evaluate(() => [...document.querySelectorAll('#view-call [aria-invalid=true]')].map((e) => e.id));
    await call(page, 'search', { patterns: ['(a'] });
    assert.deepEqual(await marked(), ['arg-patterns']);
    const message = await page.evaluate(() => {
      const { id } = document.getElementById(document.getElementById('arg-patterns').getAttribute('aria-errormessage'));
      return [id, document.querySelectorAll('#error').length, window.alerts];
    });
    assert.deepEqual(message, ['error', 1, 1]);
    assert.equal(await textOf(page, '.excerpt mark'), '(');
    // The field is as marked after another look at the reply, and not once it is edited.
    await click(page, '#tab-json');
    await click(page, '#tab-read');
    assert.deepEqual(await marked(), ['arg-patterns']);
    await click(page, '#literal');
    await page.until(() => /^1 matching line /.test(document.querySelector('.status').textContent));
    assert.deepEqual(await args(page), { patterns: ['(a'], literal: true });
    assert.deepEqual(await marked(), []);
    await call(page, 'search', { patterns: ['(a'] });
    await write(page, 'arg-patterns', 'a');
    assert.deepEqual(await marked(), []);
  });

  test('offers a search for the text with the arguments of each tool', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    const table = [
      ['search_in_files', { query: '(a', path: '.', use_regex: true }, { query: '(a', path: '.' }],
      ['find_and_grep', { roots: ['.'], query: '(a' }, { roots: ['.'], query: '(a', fixed_strings: true }],
      ['Grep', { pattern: '(a' }, { pattern: '\\(a' }],
      ['find', { name_pattern: '*.rs' }, { name_pattern: '*.rs', glob: true }],
      ['find', { name_pattern: 'l(' }, { name_pattern: 'l\\(' }],
    ];
    for (const [tool, wrong, right] of table) {
      await call(page, tool, wrong);
      const marked = await page.evaluate(() => document.querySelector('[aria-invalid=true]')?.classList.contains('query'));
      assert.equal(marked, true, tool);
      await click(page, '#literal');
      await ended(page);
      await page.until(() => document.getElementById('error') === null);
      assert.deepEqual(await args(page), right, tool);
    }
  });

  test('marks a field among the options, goes to it, and takes a near name', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await page.resize(360, 640);
    await call(page, 'search', { patterns: ['needle'], paths: ['scr'] });
    const isOpen = () => page.evaluate(() => document.getElementById('options').open);
    const { bottom } = await box(page, '#error');
    assert.ok(bottom < 640, String(bottom));
    await page.evaluate(() => document.querySelector('#error button').click());
    assert.equal(await isOpen(), true);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'arg-paths');
    await page.evaluate(() => [...document.querySelectorAll('#error button')].find((e) => e.textContent === 'src').click());
    await page.until(() => /^2 matching lines/.test(document.querySelector('.status').textContent));
    assert.deepEqual(await args(page), { patterns: ['needle'], paths: ['src'] });
  });

  test('names the query in the title, on one line and cut, as the history goes', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await call(page, 'look', { q: `needle\n${RTL} ${'long '.repeat(40)}` });
    const title = await titleOf(page);
    assert.match(title, /^needle invoice\\u\{202e\}fdp\.exe long .*… · look · searchscope$/);
    assert.ok(title.length < 90, title);
    await click(page, '[data-view=state]');
    await page.until(() => document.title === 'State · searchscope');
    await page.evaluate(() => history.back());
    await page.until((text) => document.title === text, title);
  });

  test('links paths and lines to read, also in a new tab', async (t) => {
    const { page, newPage } = await open(t, tempTree(t, TREE));
    await call(page, 'look', { q: 'needle' });
    const links = await page.evaluate(() => {
      const stops = [...document.querySelectorAll('#result [data-stop]')];
      return stops.map(({ tagName, hash }) => [tagName, decodeURIComponent(hash)]);
    });
    const place = (what) => ['A', `#call/read?{"what":["${what}"]}`];
    assert.deepEqual(links.slice(0, 2), [place('src/lib.rs'), place('src/lib.rs:2')]);
    const hash = await page.evaluate(() => document.querySelector('.path').hash);
    const other = await newPage(hash);
    await ended(other);
    assert.deepEqual(await all(other, '.row code'), ['fn outer() {', '    let needle = 1;', '}']);
    // Another call waits for a person.
    const waiting = await newPage(`#call/look?${encodeURIComponent('{"q":"needle"}')}`);
    assert.equal(await waiting.evaluate(() => document.querySelector('.status')), null);
    assert.deepEqual(await args(waiting), { q: 'needle' });
  });

  test('comes back to the place in a reply from which a file was opened', async (t) => {
    const { page } = await open(t, longTree(t));
    const top = () => page.evaluate(() => document.getElementById('result').scrollTop);
    await call(page, 'look', { q: 'needle' });
    await page.evaluate(() => (document.getElementById('result').scrollTop = 300));
    await click(page, '.row:nth-child(20) .number');
    await page.until(() => document.getElementById('tool').value === 'read');
    await ended(page);
    assert.equal(await top(), 0);
    await page.evaluate(() => history.back());
    await page.until(() => document.getElementById('tool').value === 'look');
    assert.equal(await top(), 300);
    await page.evaluate(() => history.forward());
    await page.until(() => document.getElementById('tool').value === 'read');
    assert.equal(await top(), 0);
  });

  test('reads lists of files with their numbers of lines', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await call(page, 'look', { q: 'needle', only: 'files' });
    assert.deepEqual((await all(page, '.path')).sort(), ['src/lib.rs', 'src/other.rs']);
    assert.deepEqual(await all(page, '.file .about'), ['lines: 1', 'lines: 1']);
  });

  test('shows hostile names as they are written and reads their files', { skip: !isPosix }, async (t) => {
    const root = tempTree(t, Object.fromEntries(HOSTILE.map((name) => [name, `needle in ${HOSTILE.indexOf(name)}\n`])));
    let hasBytes = true;
    try {
      writeFileSync(Buffer.concat([Buffer.from(join(root, 'bytes')), Buffer.from([0xff])]), 'needle in bytes\n');
    } catch {
      // macOS has names in UTF-8 only.
      hasBytes = false;
    }
    const { page } = await open(t, root);
    const escaped = (name) => name.replace('\n', '\\n').replace('\u202E', '\\u{202e}');
    const replies = [['look', { q: 'needle' }], ['search', { patterns: ['needle'] }], ['look', { q: 'needle', only: 'files' }]];
    for (const width of [1280, 360]) {
      await page.resize(width, 800);
      for (const [tool, query] of replies) {
        await call(page, tool, query);
        const shown = await all(page, '.path');
        for (const name of HOSTILE) assert.ok(shown.includes(escaped(name)), `${tool}: ${name}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, String(width));
        assert.equal(await page.evaluate(() => document.querySelectorAll('main img').length), 0);
        const dead = await page.evaluate(() => [...document.querySelectorAll('a.path:not([href])')].map((e) => e.title));
        assert.deepEqual(dead, hasBytes ? ['The name is not valid UTF-8'] : []);
      }
    }
    for (const [at, name] of HOSTILE.entries()) {
      for (const selector of ['.path', '.number']) {
        await call(page, 'look', { q: `needle in ${at}` });
        await click(page, selector);
        await page.until(() => document.getElementById('tool').value === 'read');
        await ended(page);
        assert.deepEqual(await all(page, '.row code'), [`needle in ${at}`], name);
        assert.doesNotMatch(await titleOf(page), /[\n\u202E]/);
      }
    }
    assert.deepEqual(page.complaints, []);
  });

  test('shows marks of bidirectional text in lines', async (t) => {
    const { page } = await open(t, tempTree(t, { 'a.js': `if (x) { /*\u202E } needle \u2066*/ }\n` }));
    await call(page, 'search', { patterns: ['needle'] });
    assert.equal(await textOf(page, '.row code'), 'if (x) { /*\\u{202e} } needle \\u{2066}*/ }');
    assert.deepEqual(await all(page, '.escape'), ['\\u{202e}', '\\u{2066}']);
    for (const form of ['compact', 'json']) {
      await click(page, `#tab-${form}`);
      const shown = await textOf(page, '.panel pre');
      assert.ok(/needle/.test(shown) && !/[\u202E\u2066]/.test(shown), shown);
    }
    await click(page, '#tab-read');
    await call(page, 'search', { patterns: ['needle'], paths: [RTL] });
    const error = await textOf(page, '#error');
    assert.ok(/\\u\{202e\}fdp/.test(error) && !/\u202E/.test(error), error);
  });

  test('has a clock in the state that shows the age of its figures', async (t) => {
    const { page, close } = await open(t, tempTree(t, TREE), '#state');
    await page.until(() => /^\d\d:\d\d:\d\d$/.test(document.getElementById('clock').textContent));
    const first = await textOf(page, '#clock');
    await page.until((text) => document.getElementById('clock').textContent !== text, first);
    assert.equal(await textOf(page, '#age'), 'live');
    await page.evaluate(() => (location.hash = '#call'));
    await call(page, 'look', { q: 'needle' });
    await page.evaluate(() => (location.hash = '#state'));
    await page.until(() => /^\d\d:\d\d:\d\d$/.test(document.querySelector('#recent-calls td')?.textContent));
    await close();
    await page.until(() => /^figures from \d+(\.\d)? s ago$/.test(document.getElementById('age').textContent));
  });

  test('shows the age of the state while the service does not respond', async (t) => {
    const { page } = await open(t, tempTree(t, TREE), '#state');
    await page.until(() => document.getElementById('age').textContent === 'live');
    const network = { offline: false, latency: 60_000, downloadThroughput: -1, uploadThroughput: -1 };
    await page.send('Network.emulateNetworkConditions', network);
    await page.until(() => /^figures from ([3-9]|\d\d)/.test(document.getElementById('age').textContent));
  });

  test('skips to the content of the shown view', async (t) => {
    const { page } = await open(t, tempTree(t, TREE), '#state');
    await click(page, '.skip');
    const isHidden = () => document.getElementById('view-state').hidden;
    const place = await page.evaluate(() => [location.hash, document.activeElement.id]);
    place.push(await page.evaluate(isHidden));
    assert.deepEqual(place, ['#state', 'main', false]);
  });

  test('goes from the box to the reply on Escape, where keys scroll', async (t) => {
    const { page } = await open(t, longTree(t));
    await call(page, 'look', { q: 'needle' });
    await page.press('/');
    await page.press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'result');
    await page.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'PageDown', windowsVirtualKeyCode: 34 });
    await page.until(() => document.getElementById('result').scrollTop > 0);
  });
});
