// Takes the pictures of the page in docs/images: `node scripts/pictures.mjs`. Needs a build and a Chromium.
// The searched tree is this repository, so run it again when the page looks different.

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Browser, HOW_TO_GET_ONE, findBrowser } from '../tests/node/browser.mjs';
import { Advice, TOP, main, say } from './lib/process.mjs';

const require = createRequire(import.meta.url);
const { startService } = require('../server/serve.js');
const { createLogger } = require('../server/log.js');

const SIZE = [1120, 640];
const NARROW = [360, 640];
const LOOK = { q: 'who calls PageCalls', in: 'server' };
const WRONG = { patterns: ['callJson(tool'] };

const addressOf = (tool, args) => `#call/${tool}?${encodeURIComponent(JSON.stringify(args))}`;

/** Each picture: its file, the colours, its place in the page, the steps to its state, and its size. */
const PICTURES = [
  { file: 'page-search.png', colours: 'light', place: addressOf('look', LOOK), steps: search },
  { file: 'page-error.png', colours: 'dark', place: addressOf('search', WRONG), steps: search, size: NARROW },
  { file: 'page-scope.png', colours: 'dark', place: '#scope', steps: scope },
  { file: 'page-state.png', colours: 'light', place: '#state', steps: state },
];

async function search(page) {
  await page.evaluate(() => document.getElementById('run').click());
  await page.until(() => /tokens/.test(document.querySelector('#tab-compact .size')?.textContent));
  await page.until(() => document.getElementById('cancel').disabled);
}

async function state(page) {
  await page.until(() => document.querySelectorAll('#recent-calls td').length > 0);
  await page.until(() => /live/.test(document.getElementById('age').textContent));
}

async function scope(page) {
  const named = (name) => [...document.querySelectorAll('.atom')].find((e) => e.firstChild.textContent === name);
  await page.until(named, 'Project Production Files');
  await page.evaluate(`(name) => (${named})(name).click()`, 'Project Production Files');
  await page.evaluate(() => document.querySelector('[data-op=AND]').click());
  await page.evaluate(() => document.getElementById('atom-pattern').focus());
  await page.type('file:*.rs');
  await page.press('Enter');
  await page.until(() => / AND file:/.test(document.getElementById('scope-note').textContent));
  await page.evaluate(() => document.getElementById('scope-files').click());
  await page.until(() => /complete/.test(document.querySelector('#scope-result .status')?.textContent));
}

async function take(browser, service, { file, colours, place, steps, size = SIZE }) {
  const page = await browser.newPage();
  await page.resize(...size);
  await page.colours(colours);
  await page.goto(`${service.url}/${place}`);
  await steps(page);
  // The directory of this checkout says nothing to readers.
  await page.evaluate((root) => {
    for (const e of document.querySelectorAll('#root, #facts dd')) if (e.textContent === root) e.textContent = '~/project';
  }, TOP);
  await page.evaluate(() => document.activeElement.blur());
  writeFileSync(join(TOP, 'docs', 'images', file), await page.picture());
  say(`docs/images/${file}`);
}

await main(async () => {
  const program = findBrowser();
  if (program === undefined) throw new Advice(`the pictures need a browser: ${HOW_TO_GET_ONE}`);
  const service = await startService({ root: TOP, port: 0 }, createLogger('error'));
  const browser = new Browser(program);
  try {
    for (const picture of PICTURES) await take(browser, service, picture);
  } finally {
    await browser.close();
    await service.close();
  }
});
