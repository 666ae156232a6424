// Shared by the tests of the page in a browser: a browser for a suite, a service and page for a test, calls.

import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { Browser, HOW_TO_GET_ONE, findBrowser } from './browser.mjs';
import { serve } from './service.mjs';

const SOON = { timeout: 120_000 };

const program = findBrowser();

/** Runs a suite whose tests need a browser; `suite` receives a function that opens a page. */
export function describePage(name, suite) {
  const missing = `SKIPPED: ${name}: there is no Chromium; ${HOW_TO_GET_ONE}`;
  // CI requires one; its set-up installs it.
  const skip = program === undefined && !process.env.CI ? missing : false;
  if (skip) console.error(skip);
  describe(name, { ...SOON, skip }, () => {
    let browser;
    before(() => {
      assert.ok(program, `there is no Chromium; ${HOW_TO_GET_ONE}`);
      browser = new Browser(program);
    });
    after(() => browser?.close());

    /** Serves the root, and opens its page at a place; returns both. */
    async function open(t, root, place = '') {
      const service = await serve(t, { root });
      const newPage = async (at) => {
        const page = await browser.newPage();
        await page.resize(1280, 900);
        await page.goto(`${service.url}/${at}`);
        return page;
      };
      return { page: await newPage(place), newPage, ...service };
    }

    suite(open);
  });
}

/** Calls a tool with its arguments as JSON, and waits for the end of the call. */
export async function call(page, tool, args) {
  await start(page, tool, args);
  await ended(page);
}

export async function ended(page) {
  await page.until(() => /^(?!Running|Receiving)./.test(document.querySelector('.status')?.textContent));
  await page.until(() => document.getElementById('cancel').disabled);
}

export async function start(page, tool, args) {
  await page.evaluate(
    async (name, text) => {
      const set = (id, value, event) => {
        document.getElementById(id).value = value;
        document.getElementById(id).dispatchEvent(new Event(event));
      };
      document.getElementById('result').querySelector('.status')?.remove();
      set('tool', name, 'change');
      set('args', text, 'input');
      document.getElementById('run').click();
    },
    tool,
    JSON.stringify(args),
  );
}

export const textOf = (page, selector) =>
  page.evaluate((one) => document.querySelector(one)?.textContent, selector);

export const all = (page, selector) =>
  page.evaluate((one) => [...document.querySelectorAll(one)].map((e) => e.textContent), selector);

export const click = (page, selector) =>
  page.evaluate((one) => document.querySelector(one).click(), selector);
