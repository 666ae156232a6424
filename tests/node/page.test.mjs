// The page of the service in a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROWS_FIRST } from '../../server/page/browser/rows-view.mjs';
import { sizeOf } from '../../server/page/browser/sizes.mjs';
import { ENDLESS_SEARCH, endlessStreamTree, hitTree, tempTree } from './helpers.mjs';
import { all, call, click, describePage, start, textOf } from './page-browser.mjs';
import { request, until } from './service.mjs';

const CONTRAST_MIN = 4.5;

const TREE = Object.freeze({
  'Cargo.toml': '[package]\nname = "tree"\n',
  'src/lib.rs': 'fn outer() {\n    let needle = 1;\n}\n',
  'src/<b>bold<b>.txt': 'needle <img src=x onerror="document.title=1"> <script>document.title=1</script>\n',
  'docs/zwölf.md': 'äöü needle, needle\n',
  '.gitignore': 'left-out\n',
  'left-out': 'needle\n',
});

/** Makes a tree with files whose list is long enough to arrive in parts. */
function largeTree(t) {
  const name = (n) => `${'directory'.repeat(8)}/${n}.txt`;
  return tempTree(t, Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [name(n), ''])));
}

describePage('the page in a browser', (open) => {
  test('shows the matches of a search with enclosing symbols, skipped entries and reply sizes', async (t) => {
    const { page, url } = await open(t, tempTree(t, TREE));
    await call(page, 'search', { patterns: ['needle'], enclosing: true });
    assert.match(await textOf(page, '.status'), /^3 matching lines · complete · [\d.]+ m?s$/);
    const paths = ['docs/zwölf.md', 'src/<b>bold<b>.txt', 'src/lib.rs'];
    assert.deepEqual(await all(page, '.path'), paths);
    assert.deepEqual(await all(page, 'mark'), ['needle', 'needle', 'needle', 'needle']);
    assert.deepEqual(await all(page, '.enclosing'), ['in fn outer']);
    assert.ok((await all(page, '.notes li')).some((note) => /^Skipped 1 entry: excluded/.test(note)));
    await page.until(() => /≈ \d+ tokens/.test(document.querySelector('#tab-compact .size').textContent));
    await click(page, '#tab-compact');
    assert.match(await textOf(page, '.panel pre'), /^docs\/zwölf\.md\n 1: äöü needle/);
    await click(page, '#tab-json');
    const { matches } = JSON.parse(await textOf(page, '.panel pre'));
    assert.deepEqual(matches.map(({ path }) => path), paths);
    const size = sizeOf(JSON.stringify(JSON.parse(await textOf(page, '.panel pre'))));
    assert.equal(await textOf(page, '#tab-json .size'), size);
    // The page offers to include the skipped files.
    await click(page, '.notes button');
    await page.until(() => /^4 matching lines/.test(document.querySelector('.status').textContent));
    assert.deepEqual(page.complaints, []);
    for (const address of page.requests) {
      assert.ok(address === 'about:blank' || address.startsWith(`${url}/`), address);
    }
  });

  test('shows the smaller page that an agent gets', async (t) => {
    const { page } = await open(t, hitTree(t, 3, 50));
    const note = () => textOf(page, '.panel .about');
    await call(page, 'search', { patterns: ['hit'] });
    await page.until(() => document.querySelector('#tab-compact .size').textContent !== '');
    await click(page, '#tab-compact');
    assert.match(await note(), /pages may be smaller than those of JSON/);
    assert.match(await textOf(page, '.panel pre'), /\n\[complete: false;.*cursor: /);
    await call(page, 'search', { patterns: ['hit'], paths: ['.'], matches_max: 50, count_all: true });
    await page.until(() => /cursor/.test(document.querySelector('.panel pre')?.textContent));
  });

  test('shows markup in names and lines as text', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await call(page, 'search', { patterns: ['needle'], paths: ['src'] });
    assert.equal((await all(page, '.path'))[0], 'src/<b>bold<b>.txt');
    assert.equal(`${(await all(page, '.row code'))[0]}\n`, TREE['src/<b>bold<b>.txt']);
    await call(page, 'read', { what: ['src/<b>bold<b>.txt'] });
    await click(page, '#tab-compact');
    await page.until(() => document.querySelector('.panel pre')?.textContent.includes('<img src=x'));
    assert.equal(await page.evaluate(() => document.querySelectorAll('main b, main img, main script').length), 0);
    assert.equal(await page.evaluate(() => document.title), 'src/<b>bold<b>.txt · read · searchscope');
  });

  test('streams results, lists the call in flight, and cancels it', async (t) => {
    const { page, url, gate } = await open(t, endlessStreamTree(t));
    await start(page, 'search', ENDLESS_SEARCH);
    await page.until(() => document.querySelectorAll('.row').length === 200);
    // The first rows are drawn before all results are here.
    await page.until(() => document.querySelector('.show-more')?.textContent === 'Show 100 more of 100');
    await page.until(() => /visited/.test(document.querySelector('.clock').textContent));
    const { calls } = JSON.parse((await request(`${url}/page/state`)).text);
    assert.deepEqual(calls.map(({ tool, via }) => [tool, via]), [['search', 'page']]);
    await click(page, '[data-view=state]');
    await page.until(() => /search\s*page\s*running/.test(document.getElementById('open-calls').textContent));
    assert.match(await textOf(page, '#index-facts'), /^State(cold|building|ready|off)/);
    assert.doesNotMatch(await textOf(page, '#view-state'), /null|undefined|NaN/);
    await click(page, '[data-view=call]');
    await page.until(() => !document.getElementById('view-call').hidden);
    await page.press('Escape');
    await page.until(() => /^Cancelled after/.test(document.querySelector('.status').textContent));
    assert.equal(await page.evaluate(() => document.querySelectorAll('.row').length), 200);
    await until(() => gate.inFlight === 0);
    await click(page, '.show-more');
    assert.equal(await page.evaluate(() => document.querySelectorAll('.row').length), 300);
  });

  test('shows the errors of tools for people and for agents', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await call(page, 'search', { patterns: ['(a'] });
    assert.equal(await textOf(page, '.status'), 'Error: pattern_syntax');
    assert.match(await textOf(page, '#error'), /unclosed group.*Parameter: patterns/);
    await click(page, '#tab-compact');
    assert.match(await textOf(page, '.panel pre'), /hint: /);
    await click(page, '#tab-read');
    await call(page, 'search', { patterns: ['a'], paths: ['scr'] });
    assert.match(await textOf(page, '#error'), /Did you mean: src/);
    // Two tools report errors in replies of their own shape.
    await call(page, 'Grep', { pattern: '(a' });
    assert.equal(await textOf(page, '.status'), 'Error: INVALID_PARAM');
    assert.match(await textOf(page, '#error'), /^Invalid regex pattern: unclosed group/);
    await call(page, 'find_and_grep', { roots: ['none'], query: 'a' });
    assert.equal(await textOf(page, '.status'), 'Error: error in stage fd');
    assert.match(await textOf(page, '#error'), /none/);
  });

  test('follows the cursor and returns to the first page', async (t) => {
    const { page } = await open(t, hitTree(t, 1, 5));
    const lines = () => all(page, '.row .number');
    await call(page, 'search', { patterns: ['hit'], matches_max: 2 });
    assert.deepEqual(await lines(), ['1', '2']);
    assert.match(await textOf(page, '.status'), /incomplete: limit reached/);
    await page.evaluate(() => document.activeElement.blur());
    for (const expected of [['3', '4'], ['5']]) {
      await page.until(() => document.getElementById('next-page') !== null);
      await page.press('n');
      await page.until((text) => document.querySelector('.row .number')?.textContent === text, expected[0]);
      await page.until(() => document.getElementById('cancel').disabled);
      assert.deepEqual(await lines(), expected);
    }
    await page.until(() => document.getElementById('first-page') !== null);
    assert.equal(await page.evaluate(() => document.getElementById('next-page')), null);
    await click(page, '#first-page');
    await page.until(() => document.querySelector('.row .number')?.textContent === '1');
    // Going back in the browser restores the earlier replies.
    await page.evaluate(() => history.back());
    await page.until(() => document.querySelector('.row .number')?.textContent === '5');
  });

  test('accepts a revision for changed files without quotes', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    const args = async () => JSON.parse(await page.evaluate(() => document.getElementById('args').value));
    await page.evaluate(() => {
      document.getElementById('tool').value = 'search';
      document.getElementById('tool').dispatchEvent(new Event('change'));
      document.getElementById('arg-changed').focus();
    });
    for (const [typed, changed] of [['true', true], ['main', { since: 'main' }], ['{"since":"v1"}', { since: 'v1' }]]) {
      await page.evaluate(() => (document.getElementById('arg-changed').value = ''));
      await page.type(typed);
      assert.deepEqual((await args()).changed, changed, typed);
    }
    await call(page, 'find', { changed: { since: 'main' } });
    await page.until(() => document.getElementById('arg-changed').value === 'main');
    assert.match(await textOf(page, '#error'), /git repository/);
  });

  test('builds a scope from clicks and shows its files', async (t) => {
    const { page } = await open(t, tempTree(t, TREE), '#scope');
    await page.until(() => document.querySelectorAll('.atom').length > 5);
    const note = (text) =>
      page.until((one) => document.getElementById('scope-note').textContent === one, text);
    await note('Choose atoms on the left and join them with operators.');
    await page.evaluate(() => {
      const named = (name) => [...document.querySelectorAll('.atom')].find((e) => e.firstChild.textContent === name);
      named('Project Files').click();
      document.querySelector('[data-op=AND]').click();
    });
    await note('An atom is missing after AND.');
    await click(page, '[data-op=NOT]');
    await page.evaluate(() => document.getElementById('atom-pattern').focus());
    await page.type('file:*.rs');
    await page.until(() => document.getElementById('pattern-note').textContent === 'Valid pattern');
    await page.press('Enter');
    await note("'Project Files' AND NOT file:*.rs");
    await click(page, '#scope-files');
    await page.until(() => document.querySelectorAll('#scope-result .path').length > 0);
    const files = await all(page, '#scope-result .path');
    assert.ok(files.includes('docs/zwölf.md') && !files.includes('src/lib.rs'), String(files));
    await click(page, '#scope-use');
    await page.until(() => !document.getElementById('view-call').hidden);
    const { scope } = JSON.parse(await page.evaluate(() => document.getElementById('args').value));
    assert.deepEqual(scope.tokens.map(({ op }) => op), ['PUSH_ATOM', 'PUSH_ATOM', 'NOT', 'AND']);
    await page.evaluate(() => document.getElementById('arg-patterns').focus());
    await page.type('needle');
    await page.press('Enter');
    await page.until(() => /^2 matching lines · complete/.test(document.querySelector('.status')?.textContent));
  });

  test('lists the files of a scope as they are found, and cancels the listing', async (t) => {
    const { page, gate } = await open(t, largeTree(t), '#scope');
    const status = () => textOf(page, '#scope-result .status');
    await page.evaluate(() => document.getElementById('atom-pattern').focus());
    await page.type('file:*.txt');
    await page.press('Enter');
    await page.until(() => !document.getElementById('scope-files').disabled);
    // The listing must not end before it is cancelled: its response is read slowly.
    await page.slow(20_000);
    await click(page, '#scope-files');
    assert.equal(await page.evaluate(() => document.getElementById('scope-cancel').disabled), false);
    await page.until(() => document.querySelectorAll('#scope-result .path').length > 0);
    assert.match(await status(), /^Receiving results/);
    await page.until(() => /\d s$/.test(document.querySelector('#scope-result .clock').textContent));
    assert.ok(await page.evaluate(() => document.querySelector('#scope-result progress').checkVisibility()));
    await page.press('Escape');
    await page.until(() => document.getElementById('scope-cancel').disabled);
    await page.until(() => /^Cancelled after/.test(document.querySelector('#scope-result .status').textContent));
    await until(() => gate.inFlight === 0);
    await page.slow(-1);
    await click(page, '#scope-files');
    await page.until(() => /^2,000 results · complete/.test(document.querySelector('#scope-result .status').textContent));
    assert.equal((await all(page, '#scope-result .path')).length, ROWS_FIRST);
    await page.press('Escape');
    await page.press('j');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'path');
    assert.deepEqual(page.complaints, []);
  });

  test('works with the keyboard alone', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await page.press('/');
    await page.type('needle');
    await page.press('Ctrl-Enter');
    await page.until(() => document.querySelectorAll('.row').length === 3);
    await page.until(() => document.getElementById('cancel').disabled);
    await page.press('Escape');
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    for (const expected of ['src/lib.rs', '2', 'src/<b>bold<b>.txt', '1']) {
      await page.press('j');
      assert.equal(await focused(), expected);
    }
    await page.press('k');
    assert.equal(await focused(), 'src/<b>bold<b>.txt');
    for (const [key, form] of [['2', 'compact'], ['3', 'json'], ['1', 'read']]) {
      await page.press(key);
      const chosen = () => document.querySelector('[aria-selected=true]').dataset.form;
      assert.equal(await page.evaluate(chosen), form);
      assert.equal(await page.evaluate(() => document.activeElement.id), 'result');
    }
    await page.press('?');
    assert.ok(await page.evaluate(() => document.getElementById('help').open));
    await page.press('Escape');
    await page.until(() => !document.getElementById('help').open);
    await page.press('j');
    await page.press('j');
    await page.press('Enter');
    await page.until(() => document.getElementById('tool').value === 'read');
    await page.until(() => /let needle/.test(document.querySelectorAll('.row code')[1]?.textContent));
    await page.press('s');
    await page.until(() => !document.getElementById('view-scope').hidden);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'atom-filter');
    // Tab reaches every control, in the order of the page.
    const reached = new Set();
    await page.evaluate(() => document.activeElement.blur());
    for (let n = 0; n < 80; n += 1) {
      await page.press('Tab');
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.dataset.op));
    }
    for (const id of ['theme', 'help-open', 'add-pattern', 'AND', 'NOT', 'atom-directory']) {
      assert.ok(reached.has(id), id);
    }
  });

  test('is usable at 360, 400 and 1280 pixels', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    await call(page, 'search', { patterns: ['needle'], context_after: 1 });
    for (const width of [360, 400, 1280]) {
      await page.resize(width, 800);
      for (const view of ['call', 'scope', 'state']) {
        await page.evaluate((one) => (location.hash = `#${one}`), view);
        await page.until((one) => !document.getElementById(`view-${one}`).hidden, view);
        const { wide, small } = await page.evaluate(() => {
          const shown = [...document.querySelectorAll('button, a, input, select')].filter((e) => e.checkVisibility());
          const rects = shown.filter((e) => !e.matches('.skip')).map((e) => [e.id || e.textContent, e.getBoundingClientRect()]);
          return {
            wide: document.documentElement.scrollWidth > innerWidth,
            small: rects.filter(([, r]) => r.right > innerWidth + 1 || r.left < -1).map(([name]) => name),
          };
        });
        assert.deepEqual([wide, small], [false, []], `${view} at ${width}`);
      }
    }
  });

  test('scrolls to the reply at 400 pixels without overlap of long names', async (t) => {
    const name = 'a-package-with-a-name-of-many-words-that-takes-several-lines';
    const { page } = await open(t, tempTree(t, { ...TREE, 'Cargo.toml': `[package]\nname = "${name}"\n` }));
    await page.resize(400, 800);
    const top = (selector) =>
      page.evaluate((one) => document.querySelector(one).getBoundingClientRect().top, selector);
    await call(page, 'search', { patterns: ['needle'], paths: ['src/lib.rs'] });
    // The query, the closed options and the reply are in view together.
    assert.ok(Math.abs(await top('#view-call')) < 2, String(await top('#view-call')));
    assert.ok((await top('#result')) < 200, String(await top('#result')));
    await page.evaluate(() => (location.hash = '#scope'));
    await page.until(() => document.querySelectorAll('.atom').length > 5);
    const cut = await page.evaluate(() => {
      const atoms = [...document.querySelectorAll('.atom')];
      return atoms.filter((e) => e.scrollHeight > e.clientHeight + 1).map((e) => e.textContent);
    });
    assert.deepEqual(cut, []);
    await click(page, '.atom');
    await click(page, '#scope-files');
    await page.until(() => document.getElementById('scope-cancel').disabled);
    assert.ok(Math.abs(await top('#scope-result')) < 2, String(await top('#scope-result')));
  });

  test('has enough contrast in light and dark', async (t) => {
    const { page } = await open(t, tempTree(t, { ...TREE, 'reversed.txt': 'needle \u202E\n' }));
    for (const colours of ['light', 'dark']) {
      await page.colours(colours);
      const start = await contrasts(page);
      await call(page, 'search', { patterns: ['needle'], enclosing: true, context_after: 1 });
      const grounds = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(grounds === 'rgb(255, 255, 255)', colours === 'light');
      assert.equal((await all(page, '.escape')).length, 1);
      const checked = [...start, ...(await contrasts(page))];
      assert.ok(checked.length > 40, String(checked.length));
      for (const view of ['scope', 'state']) {
        await page.evaluate((one) => (location.hash = `#${one}`), view);
        await page.until((one) => !document.getElementById(`view-${one}`).hidden, view);
        checked.push(...(await contrasts(page)));
      }
      await page.evaluate(() => (location.hash = '#call'));
      await call(page, 'search', { patterns: ['(a'] });
      checked.push(...(await contrasts(page)));
      // The marked query is empty, and shows its hint.
      await call(page, 'look', {});
      assert.equal(await page.evaluate(() => document.querySelector('.query').getAttribute('aria-invalid')), 'true');
      checked.push(...(await contrasts(page)));
      const poor = checked.filter(({ ratio }) => ratio < CONTRAST_MIN);
      assert.deepEqual(poor, [], colours);
    }
  });

  test('blocks inline scripts, styles, markup and other hosts by policy', async (t) => {
    const { page } = await open(t, tempTree(t, TREE));
    const tries = await page.evaluate(async () => {
      const attempt = (run) => {
        try {
          run();
          return 'allowed';
        } catch (error) {
          return error.name;
        }
      };
      const script = document.createElement('script');
      const inline = attempt(() => {
        script.textContent = 'document.title = "changed"';
        document.body.append(script);
      });
      const style = document.createElement('style');
      style.textContent = 'h1 { color: rgb(1, 2, 3) }';
      document.head.append(style);
      return {
        inline,
        title: document.title,
        isStyled: getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)',
        markup: attempt(() => (document.body.innerHTML = '<b>x</b>')),
        code: attempt(() => new Function('return 1')()),
        other: await fetch('http://localhost:9/', { mode: 'no-cors' }).then(() => 'allowed', () => 'refused'),
      };
    });
    const expected = { inline: 'TypeError', title: 'searchscope', isStyled: false, markup: 'TypeError' };
    assert.deepEqual(tries, { ...expected, code: 'EvalError', other: 'refused' });
    assert.ok(page.complaints.some((text) => /Content Security Policy/.test(text)));
  });
});

/** Returns the contrast of each visible text with its background. */
function contrasts(page) {
  return page.evaluate(() => {
    const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const ground = (element) => {
      for (let e = element; e !== null; e = e.parentElement) {
        const colour = numbers(getComputedStyle(e).backgroundColor);
        if (colour[3] !== 0) return colour;
      }
      return [255, 255, 255];
    };
    const hasText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== '');
    const shown = [...document.querySelectorAll('body *')].filter(
      (e) => hasText(e) && e.checkVisibility({ visibilityProperty: true }) && !e.matches(':disabled, :disabled *'),
    );
    const entries = shown.map((e) => [e.id || e.className || e.tagName, getComputedStyle(e).color, ground(e)]);
    const fields = [...document.querySelectorAll('[placeholder]')].filter((e) => e.checkVisibility());
    entries.push(...fields.map((e) => [`placeholder ${e.id}`, getComputedStyle(e, '::placeholder').color, ground(e)]));
    return entries.map(([name, colour, behind]) => {
      const [high, low] = [light(numbers(colour)), light(behind)].sort((a, b) => b - a);
      return { name, ratio: Math.round(((high + 0.05) / (low + 0.05)) * 100) / 100 };
    });
  });
}
