// `npm run bench -- agents`: right answers, calls and tokens of a scripted agent with each system.
// bench/README.md explains the method.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../scripts/lib/process.mjs';
import { answer, isRight } from './policy.mjs';
import { QUESTIONS } from './questions.mjs';
import { roughQuestions } from './rough.mjs';
import { slippedQuestions } from './slips.mjs';
import { systemsOf } from './systems.mjs';
import { tokenizer } from './tokens.mjs';
import { complete, readTree } from './truths.mjs';

const SEED = 7;
/** Number of questions in an ordinary session, for the last column of the table. */
const SESSION = 10;
/** Goals of `look` for each kind of question: the share of right answers, and means of a question. */
const GOALS = { calls: 1.1, tokens: 250, fixed: 1_000 };
const GOALS_OF_KIND = {
  plain: { right: 0.98, wrong: 0 },
  'one slip': { right: 0.98, wrong: 0 },
  rough: { right: 0.9, wrong: Infinity },
};

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
    rough: roughQuestions(files, seed),
  };
  const counts = Object.entries(kinds).map(([kind, questions]) => `${questions.length} ${kind}`);
  console.log(
    `Questions (seed ${seed}): ${counts.join(', ')}, about ${Object.keys(roots).length} trees: ` +
      `${Object.keys(roots).join(', ')}. At most 6 calls per question; tokens as counted by o200k.\n`,
  );
  console.log('| system | questions | right | wrong conclusions | calls | reply tokens | fixed tokens | session of 10 |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  const sums = {};
  for (const [name, system] of Object.entries(systemsOf(peers))) {
    if (system.missing) {
      console.log(`| ${name} | ${system.missing} | | | | | | |`);
      continue;
    }
    const opened = await openAll(system, roots);
    const fixed = tokens(Object.values(opened)[0].fixed);
    sums[name] = { fixed };
    for (const [kind, questions] of Object.entries(kinds)) {
      const sum = await askAll(opened, questions, tokens);
      sums[name][kind] = sum;
      console.log(rowOf(name, kind, sum, fixed));
    }
    for (const one of Object.values(opened)) one.close();
  }
  printForms(kinds.rough, sums);
  const isReached = reachesGoals(sums.look);
  for (const kind of Object.keys(kinds)) for (const miss of sums.look[kind].misses) console.log(`\nlook missed ${miss}`);
  if (!isReached) say('searchscope: look does not reach its goals.');
  return isReached;
}

function rowOf(name, kind, { n, right, wrong, calls, tokens }, fixed) {
  const session = Math.round(fixed + (SESSION * tokens) / n);
  return (
    `| ${name} | ${n} ${kind} | ${right} (${percent(right / n)}) | ${wrong} | ${(calls / n).toFixed(2)} ` +
    `| ${Math.round(tokens / n)} | ${fixed} | ${session} |`
  );
}

function reachesGoals({ fixed, ...kinds }) {
  const reaches = ([kind, { n, right, wrong, calls, tokens }]) =>
    right / n >= GOALS_OF_KIND[kind].right &&
    wrong <= GOALS_OF_KIND[kind].wrong &&
    calls / n <= GOALS.calls &&
    tokens / n <= GOALS.tokens;
  return fixed <= GOALS.fixed && Object.entries(kinds).every(reaches);
}

/** Prints the right answers of each system to the rough questions, by their form. */
function printForms(questions, sums) {
  const names = Object.keys(sums);
  console.log(`\n| rough question | number | ${names.join(' | ')} |`);
  console.log(`| --- | --- | ${names.map(() => '---').join(' | ')} |`);
  for (const form of new Set(questions.map((question) => question.form))) {
    const n = questions.filter((question) => question.form === form).length;
    const cells = names.map((name) => sums[name].rough.forms[form] ?? 0);
    console.log(`| ${form} | ${n} | ${cells.join(' | ')} |`);
  }
}

/** Asks all questions; `forms` are the right answers by the form of a rough question. */
async function askAll(opened, questions, tokens) {
  const sum = { n: questions.length, right: 0, wrong: 0, calls: 0, tokens: 0, forms: {}, misses: [] };
  for (const question of questions) {
    const { conclusion, replies } = await answer(opened[question.tree], question);
    const right = isRight(question, conclusion);
    sum.right += right ? 1 : 0;
    sum.wrong += !right && conclusion !== undefined ? 1 : 0;
    sum.calls += replies.length;
    sum.tokens += replies.reduce((all, { text }) => all + tokens(text), 0);
    if (right && question.form) sum.forms[question.form] = (sum.forms[question.form] ?? 0) + 1;
    if (!right) sum.misses.push(describe(question, conclusion, replies));
  }
  return sum;
}

function describe({ tree, kind, ask, slip, form, answer: truth }, conclusion, replies) {
  const shown = JSON.stringify(conclusion ?? 'no conclusion').slice(0, 300);
  const what = `${tree}, ${kind} ${JSON.stringify(ask)}${slip || form ? ` (${slip ?? form})` : ''}`;
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

function percent(part) {
  return `${Math.floor(part * 100)} %`;
}
