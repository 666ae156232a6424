// Progress reports to clients while their calls run.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, describe, test } from 'node:test';
import { ENDLESS, endlessFiles, later, rejection, slowFiles } from './helpers.mjs';
import { suiteContext, tempTree } from './helpers.mjs';
import { COMBINATIONS, callTool } from './mcp-clients.mjs';

const { reportProgress } = createRequire(import.meta.url)('../../server/mcp/progress.js');

/** Number of reports after which a test that waits for another one fails. */
const REPORTS_MAX = 100;

/**
 * Searches a directory until `isEnough` accepts the reports so far or their number is too large, cancels, and
 * returns the reports.
 */
async function reportsOf(client, path, isEnough) {
  const controller = new AbortController();
  const reports = [];
  const onprogress = (report) => {
    reports.push(report);
    if (isEnough(reports) || reports.length >= REPORTS_MAX) controller.abort();
  };
  const { signal } = controller;
  await rejection(callTool(client, 'search_in_files', { ...ENDLESS, path }, { signal, onprogress }));
  return reports;
}

function assertGrowing(reports) {
  for (const [n, { progress, message }] of reports.entries()) {
    assert.ok(n === 0 || progress > reports[n - 1].progress, JSON.stringify(reports));
    assert.match(message, /^\d+ files? visited in \d+\.\d s$/);
  }
}

for (const { name, connect } of COMBINATIONS) {
  describe(`${name}: progress`, { timeout: 60_000 }, () => {
    const suite = suiteContext();
    let client;

    before(async () => {
      const files = { ...slowFiles('slow/'), ...endlessFiles('endless/'), 'short/a.txt': 'needle\n' };
      client = await connect(suite, tempTree(suite, files));
    });

    test('counts the files of a long search', async () => {
      // However long the first files take.
      const hasCounted = (reports) => reports.length >= 2 && reports.at(-1).progress >= reports[0].progress + 1;
      const reports = await reportsOf(client, 'slow', hasCounted);
      assertGrowing(reports);
      assert.ok(hasCounted(reports), JSON.stringify(reports.map(({ progress }) => progress)));
    });

    test('grows also while one file takes long', async () => {
      const reports = await reportsOf(client, 'endless', ({ length }) => length === 4);
      assertGrowing(reports);
      assert.ok(reports[3].progress < 2, JSON.stringify(reports));
    });

    test('is not reported for short calls', async () => {
      const onprogress = (report) => assert.fail(JSON.stringify(report));
      const result = await callTool(client, 'search_in_files', { query: 'needle', path: 'short' }, { onprogress });
      assert.equal(result.isError, undefined);
    });
  });
}

describe('reports', { timeout: 120_000 }, () => {
  /** Makes a call whose client requests progress, and the list of its notifications. */
  function watched(progressToken = 'token') {
    const told = [];
    const notify = async (notification) => told.push(notification);
    return { told, progress: reportProgress({ mcpReq: { _meta: { progressToken }, notify } }) };
  }

  test('are sent only on request', () => {
    assert.equal(reportProgress({ mcpReq: {} }), undefined);
    assert.equal(reportProgress({ mcpReq: { _meta: {} } }), undefined);
  });

  test('carry the token, also one that is 0', async () => {
    const { told, progress } = watched(0);
    await later(250);
    progress.options.onProgress({ files: 1 });
    assert.equal(told[0].method, 'notifications/progress');
    assert.equal(told[0].params.progressToken, 0);
    assert.equal(told[0].params.progress, 1);
    assert.match(told[0].params.message, /^1 file visited in 0\.\d s$/);
  });

  test('are sent at most five times a second', async () => {
    const { told, progress } = watched();
    const started = performance.now();
    for (let files = 1; files <= 60; files += 1) {
      progress.options.onProgress({ files });
      await later(10);
    }
    assert.ok(told.length >= 2);
    assert.ok(told.length <= (performance.now() - started) / 200, `${told.length} reports`);
  });

  test('grow when the number of files does not, and follow it when it does', async () => {
    const { told, progress } = watched();
    for (const files of [7, 7, 7, 8]) {
      await later(250);
      progress.options.onProgress({ files });
    }
    assert.deepEqual(
      told.map(({ params }) => params.progress),
      [7, 7.001, 7.002, 8],
    );
  });

  test('stop at the end, and tolerate a disconnected client', async () => {
    const progress = reportProgress({
      mcpReq: { _meta: { progressToken: 1 }, notify: () => Promise.reject(new Error('gone')) },
    });
    await later(250);
    progress.options.onProgress({ files: 1 });
    const { told, progress: ended } = watched();
    ended.end();
    await later(250);
    ended.options.onProgress({ files: 1 });
    assert.deepEqual(told, []);
  });
});
