// The document service over GET.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { searchDocuments } from 'searchscope/documents';
import { listener } from './documents/oracle.mjs';
import { evaluate, seedPart, testWithSeed } from './documents/seed.mjs';
import { TREE, serve } from './documents/service.mjs';

const { version } = createRequire(import.meta.url)('searchscope/package.json');

describe('context: GET', { timeout: 120_000 }, () => {
  test('without an action lists the actions', async (t) => {
    const { get } = await serve(t);
    for (const query of ['', '?', '?action=', '?other=x']) {
      const { status, body } = await get(query);
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ['name', 'version', 'tools', 'usage']);
      assert.deepEqual([body.name, body.version], ['searchscope', version]);
      const names = body.tools.map(({ name }) => name).sort();
      assert.deepEqual(names, ['list_documents', 'read_document', 'search_documents']);
    }
  });

  testWithSeed('context: the definition, the usage and the words are the seed`s', async (t) => {
    const { get } = await serve(t);
    const { body } = await get('');
    const definition = seedPart("{\n  name: 'search_documents',\n  description: 'Search", '\n```');
    const tool = body.tools.find(({ name }) => name === 'search_documents');
    assert.deepEqual(tool, evaluate(`return ${definition}`));
    const usage = seedPart('// After\nusage: {\n', '\n```').replace('// After\nusage: ', '');
    assert.equal(JSON.stringify(body.usage), JSON.stringify(evaluate(`return ${usage}`)));
    const [, unknown] = /(`Unknown action: \$\{action\}. Use [^`]*, or [^`]*`)/.exec(
      seedPart('**Unknown action', '**GET'),
    );
    const wrong = await get('?action=drop');
    assert.equal(wrong.status, 400);
    assert.deepEqual(wrong.body, {
      error: { code: 'INVALID_PARAMS', message: evaluate(`return ${unknown}`, { action: 'drop' }) },
    });
  });

  test('action=search returns the result of the function', async (t) => {
    const { get, docsRoot, logger } = await serve(t);
    const table = [
      ['query=config', 'config', {}],
      ['query=API&case_sensitive=true', 'API', { case_sensitive: true }],
      ['query=API&case_sensitive=TRUE', 'API', {}],
      ['query=test&context_chars=100', 'test', { context_chars: 100 }],
      ['query=config&context_chars=0x20', 'config', {}],
      [
        'query=config&context_chars=11px&max_results=1',
        'config',
        { context_chars: 11, max_results: 1 },
      ],
      ['query=config&path=/guide', 'config', { path: '/guide' }],
      ['query=config&path=', 'config', {}],
      ['query=%20here%20', 'here', {}],
      ['query=and+config', 'and config', {}],
      ['query=%EC%84%A4%EC%A0%95', '설정', {}],
    ];
    for (const [query, text, options] of table) {
      const { status, body } = await get(`?action=search&${query}`);
      const expected = await searchDocuments(
        { docsRoot, excludes: ['drafts/'] },
        listener(),
        text,
        options,
      );
      assert.equal(status, 200, query);
      assert.equal(JSON.stringify(body), JSON.stringify({ success: true, ...expected }), query);
    }
    assert.equal(logger.heard.length, table.length);
    assert.match(
      logger.heard[0],
      /"Document search completed",\{"query":"config","total_matches":3,/,
    );
  });

  test('action=list and action=read', async (t) => {
    const { get } = await serve(t);
    const list = await get('?action=list&path=/');
    assert.deepEqual(list.body, {
      success: true,
      documents: [
        { path: '/api.md', name: 'api', description: 'All calls' },
        { path: '/guide/start.md', name: 'Getting Started', description: 'The first steps' },
      ],
      total_found: 2,
      truncated: false,
    });
    assert.equal((await get('?action=list&path=/guide')).body.total_found, 1);
    const { body } = await get('?action=read&path=/guide/start.md');
    assert.deepEqual(body, {
      success: true,
      path: '/guide/start.md',
      name: 'Getting Started',
      description: 'The first steps',
      content: TREE['guide/start.md'],
      start_line: 1,
      end_line: 6,
      total_lines: 6,
    });
    const part = await get('?action=read&path=/guide/start.md&start_line=5&lines_max=1');
    assert.deepEqual([part.body.content, part.body.start_line], ['config here\n', 5]);
  });

  test('wrong parameters are refused and change nothing', async (t) => {
    const { get, logger } = await serve(t);
    const table = [
      ['action=drop', 400, "Unknown action: drop. Use 'list', 'read', or 'search'"],
      ['action=constructor', 400, "Unknown action: constructor. Use 'list', 'read', or 'search'"],
      ['action=search', 400, 'query required'],
      ['action=search&query=', 400, 'query required'],
      ['action=search&query=%20', 400, 'query required'],
      [`action=search&query=${'x'.repeat(201)}`, 400, 'query must be 200 characters or less'],
      ['action=search&query=a&query=b', 400, 'query must be given only once'],
      ['action=search&action=list', 400, 'action must be given only once'],
      ['action=search&query[a]=b', 400, 'query required'],
      ['action=search&query[]=b', 400, 'query required'],
      ['action=search&query=x&path=..', 400, /^PATH_TRAVERSAL: /],
      ['action=search&query=x&path=a%00b', 400, /^PATH_TRAVERSAL: /],
      ['action=search&query=x&path=a&path=b', 400, 'path must be given only once'],
      ['action=read', 400, 'path required'],
      ['action=read&path=/../x', 400, /^PATH_TRAVERSAL: /],
      ['action=read&path=/gone.md', 404, /./],
      ['action=read&path=/api.md&start_line=x', 400, 'start_line must be a whole number'],
      ['action=read&path=/api.md&lines_max=-1', 400, 'lines_max must be a whole number'],
      ['action=list&path=/..', 400, /^PATH_TRAVERSAL: /],
    ];
    for (const [query, expected, message] of table) {
      const { status, body } = await get(`?${query}`);
      assert.equal(status, expected, query);
      assert.deepEqual(Object.keys(body), ['error'], query);
      assert.equal(body.error.code, expected === 404 ? 'NOT_FOUND' : 'INVALID_PARAMS', query);
      if (typeof message === 'string') assert.equal(body.error.message, message, query);
      else assert.match(body.error.message, message, query);
    }
    for (const query of ['action=search&query=%', 'action=search&query=%ff', '&=&&a=b', '?%%%']) {
      assert.equal((await get(`?${query}`)).status, 200, query);
    }
    assert.deepEqual(logger.errors, []);
  });

  test('other methods are refused', async (t) => {
    const { get, url } = await serve(t);
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const { status, headers, body } = await get('', { method });
      assert.equal(status, 405);
      assert.equal(headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
      assert.equal(body.error.code, 'METHOD_NOT_ALLOWED');
    }
    assert.equal((await get('', { method: 'HEAD' })).status, 200);
    assert.equal((await get('', { method: 'OPTIONS' })).status, 204);
    const headers = { accept: 'text/html, text/event-stream' };
    for (const query of ['', '?', '?action=', '?query=x']) {
      assert.equal((await get(query, { headers })).status, 405);
    }
    for (const [query, status] of [
      ['?action=list', 200],
      ['?a=b&action=search&query=config', 200],
      ['?action=drop', 400],
    ]) {
      assert.equal((await get(query, { headers })).status, status);
    }
    assert.equal((await fetch(`${url}/below`)).status, 404);
  });
});
