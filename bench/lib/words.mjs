// Arguments of the command.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CORPORA } from '../agents/agents.mjs';
import { Advice, TOP } from '../../scripts/lib/process.mjs';

const DEFINITIONS = join(TOP, 'bench', 'definitions');

/** Measurements of our own parts, which have no peer and are not part of a full run. */
export const PARTS = ['scopes', 'symbols', 'agents', 'replay', 'service'];
/** Parts that need neither the driver nor the C library. */
export const PARTS_FOR_AGENTS = ['agents', 'replay', 'service'];

const RUNS = 7;
const RUNS_QUICK = 3;

export const HELP = `npm run bench [-- [--quick] [--runs N] [--seed N] [--repository DIR] [--commits N] [--seconds N] [NAME...]]

Compares searchscope with its peers and writes the record in bench/record and bench/README.md.

  --quick     small generated trees and few runs, about two minutes; writes no record
  --runs N    number of measurements of each pair (${RUNS}, with --quick ${RUNS_QUICK})
  --seed N    seed of the agents' questions that are made (7)
  --repository DIR, --commits N
              repository of the replay (this one), and the number of commits (140)
  --seconds N time of each load of the service (36)
  NAME        run only these definitions; writes no record:
              ${definitionNames().join(', ')};
              parts without a peer: ${PARTS.join(', ')}

SEARCHSCOPE_BENCH_CACHE is where trees and peers are kept; SEARCHSCOPE_LINUX_TREE a Linux 6.1 source
that is there already.`;

/** Parses the arguments. */
export function parse(words) {
  const choice = { help: false, quick: false, runs: undefined, names: [] };
  const rest = [...words];
  while (rest.length > 0) {
    const word = rest.shift();
    if (word === '--help' || word === '-h') choice.help = true;
    else if (word === '--quick') choice.quick = true;
    else if (word === '--runs') choice.runs = count(word, rest.shift());
    else if (word === '--seed') choice.seed = count(word, rest.shift());
    else if (word === '--seconds') choice.seconds = count(word, rest.shift());
    else if (word === '--commits') choice.commits = count(word, rest.shift());
    else if (word === '--repository') choice.repository = directory(word, rest.shift());
    else if (word.startsWith('--runs=')) choice.runs = count('--runs', word.slice('--runs='.length));
    else if ([...definitionNames(), ...PARTS].includes(word)) choice.names.push(word);
    else throw new Advice(`unknown argument "${word}"\n\n${HELP}`);
  }
  choice.runs ??= choice.quick ? RUNS_QUICK : RUNS;
  return choice;
}

/** Returns the names of the corpora that a choice needs. */
export function corporaOf({ quick, names }) {
  const needsLinux = names.some((name) => ['scopes', 'symbols', 'service'].includes(name));
  const corpora = new Set(needsLinux ? ['linux'] : []);
  if (names.includes('agents')) for (const corpus of CORPORA) corpora.add(corpus);
  for (const name of definitionNames()) {
    const text = readFileSync(join(DEFINITIONS, `${name}.toml`), 'utf8');
    if (names.length > 0 && !names.includes(name)) continue;
    if (quick && !/^quick = true$/m.test(text)) continue;
    for (const [, corpus] of text.matchAll(/^corpus = "([^"]+)"$/gm)) corpora.add(corpus);
  }
  return corpora;
}

export function definitionNames() {
  const files = readdirSync(DEFINITIONS).filter((file) => file.endsWith('.toml'));
  return files.map((file) => file.slice(0, -'.toml'.length)).sort();
}

function count(word, text) {
  if (!/^[1-9]\d{0,3}$/.test(text ?? '')) throw new Advice(`${word} requires a number from 1 to 9999.`);
  return Number(text);
}

function directory(word, text) {
  if (!text || text.startsWith('--')) throw new Advice(`${word} requires a directory.`);
  return text;
}
