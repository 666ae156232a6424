// `npm run bench [RUNS]`: searchDocuments against the JavaScript that it replaces, both warm.
//
// Both search 1,000 generated documents in this process; equal results first, then in turn (ours,
// theirs, ours, theirs, …), and the medians of the times and of the ratios of neighbouring runs. The
// JavaScript is read out of its description, as in the tests.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchDocuments } from 'searchscope/documents';
import { makeOracle, withoutFileLines } from '../tests/node/documents/oracle.mjs';
import { SEED } from '../tests/node/documents/seed.mjs';
import { Random } from '../tests/node/documents/trees.mjs';

const RUNS = Number.parseInt(process.argv[2] ?? '21', 10);
const WARM_UP_RUNS = 3;

const DOCUMENTS = 1_000;
const DOCUMENT_CHARS = 8_000;
const WORDS =
  'the config server agent token 문서 검색 context search file project results value module a of and ' +
  'with for option Über example text line Markdown authentication';

/** The name of the case, query, options, and how many matches there must be. */
const CASES = [
  ['1 hit', 'needleword', {}, 1],
  ['10 hits', 'seldom', {}, 10],
  ['100 hits', 'Zebra', {}, 100],
  ['no hit', 'absentword', {}, 0],
  ['no hit, case-sensitive', 'absentword', { case_sensitive: true }, 0],
  ['no hit, Korean', '없는단어', {}, 0],
  ['no hit, Turkish', 'ılık', {}, 0],
  ['500 hits and more, 1 of a document', 'authentication', { max_results: 1 }, 500],
  ['500 hits and more, 10 of a document', 'authentication', {}, 500],
];

const SILENT = { info() {}, warn() {} };

function makeDocuments(root) {
  const random = new Random(1);
  const words = WORDS.split(' ');
  for (let n = 0; n < DOCUMENTS; n += 1) {
    const directory = join(root, `section-${n % 25}`, `part-${n % 3}`);
    let text = `---\nname: Document ${n}\ndescription: The document ${n}\n---\n`;
    while (text.length < DOCUMENT_CHARS) {
      text += `${Array.from({ length: 12 }, () => random.of(words)).join(' ')}\n`;
      if (random.chance(10)) text += '\n## Heading\n\n';
    }
    if (n === 500) text += 'needleword\n';
    if (n % 100 === 3) text += 'seldom\n';
    if (n % 10 === 3) text += 'a zebra\n';
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `document-${n}.md`), text);
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

async function timed(run) {
  const started = performance.now();
  const result = await run();
  return { ms: performance.now() - started, result };
}

async function compare([name, query, options, expected], ours, theirs) {
  const times = { ours: [], theirs: [], ratios: [] };
  for (let n = -WARM_UP_RUNS; n < RUNS; n += 1) {
    const mine = await timed(() => ours(query, options));
    const other = await timed(() => theirs(query, options));
    if (mine.result.total_matches !== expected) throw new Error(`${name}: not ${expected} hits`);
    if (!isDeepStrictEqual(withoutFileLines(mine.result), withoutFileLines(other.result))) {
      throw new Error(`${name}: the results differ`);
    }
    if (n < 0) continue;
    times.ours.push(mine.ms);
    times.theirs.push(other.ms);
    times.ratios.push(mine.ms / other.ms);
  }
  const [mine, other] = [median(times.ours), median(times.theirs)].map((ms) => ms.toFixed(2));
  const ratio = median(times.ratios).toFixed(3);
  console.log(`| ${name} | ${expected} | ${mine} | ${other} | **${ratio}** |`);
}

if (SEED === undefined) {
  console.error('SKIPPED: there is no directory shared/seeds beside the checkout to read the peer from');
} else {
  const root = mkdtempSync(join(tmpdir(), 'searchscope-bench-'));
  try {
    makeDocuments(root);
    const config = { docsRoot: root, excludes: ['drafts/'] };
    const oracle = makeOracle();
    const ours = (query, options) => searchDocuments(config, SILENT, query, options);
    const theirs = (query, options) => oracle(config, SILENT, query, options);
    console.log('| case | matches | ours ms | theirs ms | ratio |\n| --- | --- | --- | --- | --- |');
    for (const one of CASES) await compare(one, ours, theirs);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
