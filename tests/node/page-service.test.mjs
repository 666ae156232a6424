// The files and URLs of the service's page, without a browser.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { TOP, hitTree, tempTree } from './helpers.mjs';
import { request, serve } from './service.mjs';

const { Workspace } = createRequire(import.meta.url)('../../node/index.js');

const SOON = { timeout: 120_000 };
const FOLDER = join(TOP, 'server', 'page', 'browser');
const PAGE_BYTES_MAX = 115_000;

const TREE = Object.freeze({ 'src/lib.rs': 'fn outer() {\n    let needle = 1;\n}\n', 'a.md': 'needle\nneedle\n' });

/** Posts a call of the page and returns the events of the answer. */
async function events(url, tool, args) {
  const body = JSON.stringify({ tool, arguments: args });
  const { status, text } = await request(`${url}/page/call`, { method: 'POST', body });
  assert.equal(status, 200, text);
  return text.trim().split('\n').map((line) => JSON.parse(line));
}

describe('the files of the page', SOON, () => {
  test('are small', () => {
    const sizes = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name)));
    const bytes = sizes.reduce((sum, file) => sum + file.length, 0);
    assert.ok(bytes <= PAGE_BYTES_MAX, String(bytes));
    for (const file of sizes) assert.ok(file.toString().split('\n').length < 400);
  });

  test('never turn text into markup, and contain no inline code', () => {
    const source = (name) => readFileSync(join(FOLDER, name), 'utf8');
    for (const name of readdirSync(FOLDER).filter((name) => name.endsWith('.mjs'))) {
      const danger = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/;
      assert.doesNotMatch(source(name), danger, name);
      assert.doesNotMatch(source(name), /https?:\/\//, name);
    }
    assert.doesNotMatch(source('index.html'), /<style|<script(?! type="module" src=)|\son\w+=|style=|\/\/\w/);
  });

  test('are served with a strict policy and an ETag', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const page = await request(`${url}/`);
    assert.equal(page.status, 200);
    assert.match(page.headers['content-type'], /^text\/html/);
    const policy = page.headers['content-security-policy'];
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.match(policy, /frame-ancestors 'none'.*require-trusted-types-for 'script'/);
    assert.equal(page.headers['x-content-type-options'], 'nosniff');
    const named = [...page.text.matchAll(/(?:src|href)="(\/page\/[^"]+)"/g)].map(([, path]) => path);
    assert.equal(named.length, 3);
    for (const path of ['/', ...named]) {
      const { headers } = await request(url + path);
      const again = await request(url + path, { headers: { 'If-None-Match': `"x", W/${headers.etag}` } });
      assert.deepEqual([again.status, again.text], [304, ''], path);
    }
    const head = await request(`${url}/`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    const post = await request(`${url}/`, { method: 'POST', body: '{}' });
    assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
    assert.equal((await request(`${url}/page/..%2fcalls.js`)).status, 404);
  });
});

describe('the addresses of the page', SOON, () => {
  test('refuse foreign hosts and origins', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const body = JSON.stringify({ tool: 'find', arguments: {} });
    const all = [
      ['/', {}],
      ['/page/main.mjs', {}],
      ['/page/tools', {}],
      ['/page/state', {}],
      ['/page/call', { method: 'POST', body }],
    ];
    for (const [path, options] of all) {
      const status = async (headers) => (await request(url + path, { ...options, headers })).status;
      assert.equal(await status({}), 200, path);
      assert.equal(await status({ Host: 'evil.example' }), 403, path);
      assert.equal(await status({ Origin: 'http://evil.example' }), 403, path);
      assert.equal(await status({ 'Sec-Fetch-Site': 'cross-site' }), 403, path);
    }
  });

  test('/page/call returns the reply of the tool, streamed or not, and its text', async (t) => {
    const root = tempTree(t, TREE);
    const { url } = await serve(t, { root });
    const workspace = Workspace.open(root);
    const calls = [
      ['search', { patterns: ['needle'], matches_max: 2 }, 'matches'],
      ['search', { patterns: ['needle'], mode: 'count' }, 'files'],
      ['search', { patterns: ['needle'], limit: 2, timeout_ms: 5_000 }, 'matches'],
      ['find', {}, 'files'],
      ['find', { max_results: 1 }, 'files'],
      ['search_in_files', { query: 'needle' }],
    ];
    const timeless = (reply) => ({ ...reply, elapsed_us: 0 });
    for (const [tool, args, list] of calls) {
      const all = await events(url, tool, args);
      const of = (name) => all.filter(({ event }) => event === name);
      const results = of('results').flatMap((event) => event.results);
      const reply = list
        ? { [list]: results, ...of('report')[0].report }
        : JSON.parse(of('reply')[0].json);
      assert.deepEqual(timeless(reply), timeless(await workspace.call(tool, args)), tool);
      assert.deepEqual(Object.keys(reply), Object.keys(await workspace.call(tool, args)));
      assert.equal(of('text')[0].text, await workspace.callText(tool, args));
      assert.equal(all.at(-1).event, 'end');
    }
  });

  test('/page/call accepts every other name of a limit that the tools accept', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const forms = readFileSync(join(TOP, 'tools', 'src', 'arguments', 'forms.rs'), 'utf8');
    const listed = (name) => new RegExp(`const ${name}: .* = &(\\[.*\\]);`).exec(forms)[1];
    const names = [...JSON.parse(listed('LIMIT')), ...JSON.parse(listed('TIME'))];
    assert.ok(names.length >= 5);
    for (const name of names) {
      for (const [tool, args] of [['search', { patterns: ['needle'] }], ['find', {}]]) {
        const all = await events(url, tool, { ...args, [name]: 1_000 });
        assert.ok(all.some(({ event }) => event === 'report'), `${tool} ${name} ${JSON.stringify(all)}`);
      }
    }
  });

  test('/page/call sends the text that an agent gets, unless the call leaves it out', async (t) => {
    const root = hitTree(t, 3, 50);
    const { url } = await serve(t, { root });
    const workspace = Workspace.open(root);
    const calls = [
      // An agent gets 100 lines of these 150.
      ['search', { patterns: ['hit'] }],
      ['search', { patterns: ['nothing'] }],
      ['find', {}],
      ['Grep', { pattern: '(' }],
      ['look', { q: 'hit' }],
      ['search_in_files', { query: 'hit' }],
    ];
    for (const [tool, args] of calls) {
      const { text } = (await events(url, tool, args)).find(({ event }) => event === 'text');
      assert.equal(text, await workspace.callText(tool, args), `${tool} ${JSON.stringify(args)}`);
    }
    const body = JSON.stringify({ tool: 'find', arguments: {}, text: false });
    const { text } = await request(`${url}/page/call`, { method: 'POST', body });
    const names = text.trim().split('\n').map((line) => JSON.parse(line).event);
    assert.ok(names.includes('report') && !names.includes('text'), String(names));
  });

  test('/page/call refuses invalid calls and reports the errors of tools', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    for (const body of ['{"tool":"none"}', '{"tool":"find","arguments":[]}', '[]', '{}']) {
      const { status, text } = await request(`${url}/page/call`, { method: 'POST', body });
      assert.deepEqual([status, JSON.parse(text).error.code], [400, 'bad_request'], body);
    }
    const [failed, end] = await events(url, 'search', { patterns: ['(a'] });
    assert.deepEqual([failed.event, failed.error.code, end.event], ['error', 'pattern_syntax', 'end']);
    assert.match(failed.agent, /^pattern_syntax: [^]*hint: /);
    const state = JSON.parse((await request(`${url}/page/state`)).text);
    assert.deepEqual(
      state.recent.map(({ tool, via, outcome }) => [tool, via, outcome]),
      [['search', 'page', 'pattern_syntax']],
    );
  });

  test('/page/tools lists every tool and marks those that agents see', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE), tools: 'agent' });
    const { tools } = JSON.parse((await request(`${url}/page/tools`)).text);
    assert.ok(tools.length > 15);
    const served = tools.filter((tool) => tool.served).map(({ name }) => name);
    assert.deepEqual(served, ['look', 'read']);
  });
});
