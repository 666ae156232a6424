// `npm run bench -- agents`: right answers, calls and tokens of a scripted agent with each system.
// bench/README.md explains the method.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { say } from '../../scripts/lib/process.mjs';
import { answer, isRight } from './policy.mjs';
import { QUESTIONS } from './questions.mjs';
import { slippedQuestions } from './slips.mjs';
import { systemsOf } from './systems.mjs';
import { complete, readTree } from './truths.mjs';

const SEED = 7;
/** Number of questions in an ordinary session, for the last column of the table. */
const SESSION = 10;
/** Goals of `look` for each kind of question. */
const GOALS = { right: 0.98, calls: 1.1, tokens: 250, fixed: 1_000, wrong: 0 };

/** Corpora that contain the trees. */
export const CORPORA = ['crates', 'npm'];

/** Asks all questions and prints the tables. Returns whether `look` reaches its goals. */
export async function compareForAgents({ corpora, peers, seed = SEED }) {
  const tokens = await tokenizer(peers);
  const roots = rootsOf(corpora);
  const files = Object.fromEntries(Object.entries(roots).map(([tree, root]) => [tree, readTree(root)]));
  const kinds = {
    plain: QUESTIONS.map((question) => complete(question, files[question.tree])),
    'one slip': slippedQuestions(files, seed),
  };
  console.log(
    `${kinds.plain.length} questions and ${kinds['one slip'].length} with one slip (seed ${seed}) about ` +
      `${Object.keys(roots).length} trees: ${Object.keys(roots).join(', ')}. At most 6 calls per question; tokens as counted by o200k.\n`,
  );
  console.log('| system | questions | right | wrong conclusions | calls | reply tokens | fixed tokens | session of 10 |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  const misses = [];
  let reaches = true;
  for (const [name, system] of Object.entries(systemsOf(peers))) {
    if (system.missing) {
      console.log(`| ${name} | ${system.missing} | | | | | | |`);
      continue;
    }
    const opened = await openAll(system, roots);
    const fixed = tokens(Object.values(opened)[0].fixed);
    for (const [kind, questions] of Object.entries(kinds)) {
      const sum = await askAll(opened, questions, tokens, (miss) => {
        if (name === 'look') misses.push(miss);
      });
      const n = questions.length;
      const perQuestion = sum.tokens / n;
      const session = Math.round(fixed + SESSION * perQuestion);
      console.log(
        `| ${name} | ${n} ${kind} | ${sum.right} (${percent(sum.right / n)}) | ${sum.wrong} | ${(sum.calls / n).toFixed(2)} ` +
          `| ${Math.round(perQuestion)} | ${fixed} | ${session} |`,
      );
      if (name !== 'look') continue;
      const { right, wrong, calls } = sum;
      reaches &&= right / n >= GOALS.right && wrong <= GOALS.wrong && calls / n <= GOALS.calls;
      reaches &&= perQuestion <= GOALS.tokens && fixed <= GOALS.fixed;
    }
    for (const one of Object.values(opened)) one.close();
  }
  for (const miss of misses) console.log(`\nlook missed ${miss}`);
  if (!reaches) say('searchscope: look does not reach its goals.');
  return reaches;
}

async function askAll(opened, questions, tokens, onMiss) {
  const sum = { right: 0, wrong: 0, calls: 0, tokens: 0 };
  for (const question of questions) {
    const { conclusion, replies } = await answer(opened[question.tree], question);
    const right = isRight(question, conclusion);
    sum.right += right ? 1 : 0;
    sum.wrong += !right && conclusion !== undefined ? 1 : 0;
    sum.calls += replies.length;
    sum.tokens += replies.reduce((all, { text }) => all + tokens(text), 0);
    if (!right) onMiss(describe(question, conclusion, replies));
  }
  return sum;
}

function describe({ tree, kind, ask, slip, answer: truth }, conclusion, replies) {
  const shown = JSON.stringify(conclusion ?? 'no conclusion').slice(0, 300);
  const what = `${tree}, ${kind} ${JSON.stringify(ask)}${slip ? ` (${slip})` : ''}`;
  return `${what}: ${shown}; expected ${JSON.stringify(truth)}\n${replies.map(({ text }) => text.slice(0, 600)).join('\n')}`;
}

async function openAll(system, roots) {
  const opened = {};
  for (const [tree, root] of Object.entries(roots)) opened[tree] = await system.open(root);
  return opened;
}

/** Returns the directory of each tree. */
function rootsOf({ crates, npm }) {
  const crate = (name) => {
    const found = readdirSync(crates.root).filter((entry) => entry.replace(/-\d.*$/, '') === name);
    if (found.length === 0) throw new Error(`no crate ${name} in ${crates.root}`);
    return join(crates.root, found.sort().at(-1));
  };
  const names = ['rayon-core', 'regex-automata', 'serde_json', 'rustix', 'napi', 'tree-sitter'];
  const packages = ['rxjs', 'three', 'lodash'];
  return Object.fromEntries([
    ...names.map((name) => [name, crate(name)]),
    ...packages.map((name) => [name, join(npm.root, 'node_modules', name)]),
  ]);
}

/** Returns a function that counts the tokens of a text. The vocabulary comes with the package. */
async function tokenizer(peers) {
  const entry = join(peers, 'node_modules', 'gpt-tokenizer', 'esm', 'encoding', 'o200k_base.js');
  const { countTokens } = await import(pathToFileURL(entry));
  // Text that looks like a control token counts as text.
  return (text) => countTokens(text, { disallowedSpecial: new Set() });
}

function percent(part) {
  return `${Math.floor(part * 100)} %`;
}
