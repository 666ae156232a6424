// `npm run bench -- replay`: the subject of a commit is the question, and the files that the commit changes
// are the answer, on the tree before it. bench/README.md explains the method.

import { Advice, TOP, say } from '../../scripts/lib/process.mjs';
import { History } from './commits.mjs';
import { rankersOf } from './rankers.mjs';
import { tokenizer } from './tokens.mjs';

const COMMITS = 140;
/** Numbers of files that an agent opens at first, and at most. */
const FIRST = 3;
const AT_MOST = 10;
/** Goals of `look`: shares of the commits with a changed file among the first 3 and 10. */
const GOALS = { first: 0.8, atMost: 0.92 };
/** Quantile of the normal distribution for an interval of 95 %. */
const Z = 1.96;

/** Replays the commits with each system and prints the table. Returns whether `look` reaches its goals. */
export async function compareByReplay({ peers, repository = TOP, commits: count = COMMITS }) {
  const { Workspace } = await import('searchscope');
  const tokens = await tokenizer(peers);
  const history = new History(repository);
  try {
    const commits = history.commits(count);
    if (commits.length === 0) throw new Advice(`${repository} has no commit that changes 1 to 10 code files.`);
    if (commits.length < count) say(`searchscope: the history has only ${commits.length} such commits.`);
    const results = await replayAll(history, commits, rankersOf(Workspace, peers));
    console.log(
      `${commits.length} commits, ${commits.at(-1).hash.slice(0, 8)} to ${commits[0].hash.slice(0, 8)}: ` +
        'a changed file among the first files of the reply to the subject, with intervals of 95 %.\n',
    );
    console.log(`| system | first ${FIRST} | first ${AT_MOST} | no file | reply tokens | ms |`);
    console.log('| --- | --- | --- | --- | --- | --- |');
    for (const [name, result] of Object.entries(results)) console.log(rowOf(name, result, tokens));
    const { places } = results.look;
    const isReached = share(places, FIRST) >= GOALS.first && share(places, AT_MOST) >= GOALS.atMost;
    if (!isReached) say('searchscope: look does not reach its goals in the edit replay.');
    return isReached;
  } finally {
    history.close();
  }
}

async function replayAll(history, commits, systems) {
  const results = {};
  for (const [name, { missing }] of Object.entries(systems)) results[name] = { missing, places: [], texts: [], times: [] };
  for (const { parent, subject, files } of commits) {
    history.checkOut(parent);
    for (const [name, result] of Object.entries(results)) {
      if (result.missing) continue;
      const begin = performance.now();
      try {
        const ranked = await systems[name].rank(history.root, subject);
        result.times.push(performance.now() - begin);
        result.texts.push(ranked.text);
        result.places.push(placeOf(files, ranked.files));
      } catch (error) {
        if (name === 'look') throw error;
        result.missing = `failed: ${error.message}`;
      }
    }
  }
  return results;
}

/** Returns the place of the first right file from 1, Infinity if there is none, undefined for an empty list. */
export function placeOf(right, ranked) {
  if (ranked.length === 0) return undefined;
  const at = ranked.findIndex((file) => right.includes(file));
  return at < 0 ? Infinity : at + 1;
}

function rowOf(name, { missing, places, texts, times }, tokens) {
  if (missing) return `| ${name} | ${missing} | | | | |`;
  const empty = places.filter((place) => place === undefined).length;
  const cells = [shown(places, FIRST), shown(places, AT_MOST), empty, median(texts.map(tokens)), Math.round(median(times))];
  return `| ${name} | ${cells.join(' | ')} |`;
}

function shown(places, most) {
  const n = hits(places, most);
  const [low, high] = interval(n, places.length).map((part) => Math.round(part * 100));
  return `${n} (${Math.round(share(places, most) * 100)} %, ${low}–${high})`;
}

function hits(places, most) {
  return places.filter((place) => place <= most).length;
}

function share(places, most) {
  return hits(places, most) / places.length;
}

/** Returns Wilson's interval of a share of `n` in `all`. */
export function interval(n, all) {
  const part = n / all;
  const spread = Z ** 2 / all;
  const middle = part + spread / 2;
  const half = Z * Math.sqrt((part * (1 - part)) / all + spread / (4 * all));
  return [(middle - half) / (1 + spread), (middle + half) / (1 + spread)];
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
