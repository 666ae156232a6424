// The soak: the evaluation of its samples.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runNode } from './helpers.mjs';
import { sampleOf, trendOf } from '../../scripts/lib/soak.mjs';

function samples(n, of) {
  return Array.from({ length: n }, (_, at) => ({
    memory: 50_000,
    handles: 20,
    threads: 11,
    calls: at * 100,
    ...of(at),
  }));
}

describe('the trend of samples', () => {
  test('ignores fluctuation and the warm-up of a process', () => {
    const steady = samples(90, (at) => ({
      memory: 50_000 + (at % 7) * 900 - Math.max(0, 30 - at) * 1000,
      handles: 20 + (at % 5),
      threads: at < 20 ? 3 : 11,
    }));
    assert.deepEqual(trendOf(steady).problems, []);
  });

  test('detects growing memory, handles and threads, and an idle process', () => {
    const of = (grow) => trendOf(samples(90, grow)).problems.join();
    assert.match(of((at) => ({ memory: 50_000 + at * 100 })), /^memory grows: 54500,57500 KB$/);
    assert.match(of((at) => ({ handles: 20 + at })), /^open handles grow/);
    assert.match(of((at) => ({ threads: 11 + (at >> 4) })), /^threads grow/);
    assert.match(of(() => ({ calls: 7 })), /^no calls/);
    assert.match(trendOf([]).problems.join(), /fewer/);
  });

  test('distinguishes a few leaked handles from many short-lived ones', () => {
    const busy = samples(3_600, (at) => ({ handles: 20 + ((at * 7) % (at < 2_400 ? 20 : 60)) }));
    assert.deepEqual(trendOf(busy).problems, []);
    const kept = samples(3_600, (at) => ({ handles: 20 + ((at * 7) % 20) + Math.floor(at / 400) }));
    assert.deepEqual(trendOf(kept).problems, ['open handles grow: 23,26']);
  });

  test('needs enough samples', () => {
    const { isJudged, problems } = trendOf(
      samples(20, (at) => ({ memory: at * 10_000, handles: at, threads: at })),
    );
    assert.deepEqual([isJudged, problems], [false, []]);
  });

  test('is read from lines of numbers', () => {
    assert.deepEqual(sampleOf('1 2 3 4\n'), { memory: 1, handles: 2, threads: 3, calls: 4 });
    for (const line of ['', '1 2 3', 'a b c d', '1 2 3 4 5']) assert.equal(sampleOf(line), null);
  });
});

test('npm run soak explains its arguments', async () => {
  const refused = [
    [['--minutes', 'x'], /^searchscope: --minutes or --seconds must be a number/],
    [['--random', '0'], /^searchscope: --random must be a number of cases/],
    [['--peer', 'd'], /^searchscope: --peer needs --index/],
    [['--index', '--random', '9'], /^searchscope: --index and --random exclude each other/],
  ];
  for (const [words, message] of refused) {
    const done = await runNode([join('scripts', 'soak.mjs'), ...words]);
    assert.equal(done.code, 1);
    assert.match(done.stderr, message);
  }
});
