// `npm run bench`: builds and prepares everything, and starts the driver. bench/README.md explains the
// method.

import { cpus } from 'node:os';
import { mkdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { compareForAgents } from './agents/agents.mjs';
import { compareByReplay } from './agents/replay.mjs';
import { measureService } from './service/service.mjs';
import { Advice, main, say } from '../scripts/lib/process.mjs';
import { build, buildForAgents } from './lib/build.mjs';
import { cacheDirectory } from './lib/cache.mjs';
import { gitIndex, makeCorpora } from './lib/corpora.mjs';
import { HELP, PARTS, PARTS_FOR_AGENTS, corporaOf, parse } from './lib/words.mjs';

/** Names: one is defined once, one is common, and one is a part of others. */
const SYMBOLS = ['e1000_probe', 'mutex_lock_nested', 'tcp_v4_rcv', 'ext4_fill_super'];

await main(async () => {
  const choice = parse(process.argv.slice(2));
  if (choice.help) return console.log(HELP);
  const cache = cacheDirectory();
  mkdirSync(cache, { recursive: true });
  say(`searchscope: trees and peers are kept in ${cache}`);
  const isForAgents = choice.names.length > 0 && choice.names.every((name) => PARTS_FOR_AGENTS.includes(name));
  const builder = isForAgents ? buildForAgents : build;
  const { driver, peers, residents, programs } = await builder(cache, !choice.quick);
  const corpora = await makeCorpora(cache, corporaOf(choice));
  const names = choice.names.filter((name) => !PARTS.includes(name));
  if (names.length === choice.names.length || names.length > 0) {
    const index = await indexOf(cache, corpora.linux?.root);
    const setting = join(cache, 'setting.json');
    writeFileSync(
      setting,
      JSON.stringify({
        cache,
        date: new Date().toISOString().slice(0, 10),
        cpu: `${cpus()[0].model}, ${cpus().length} cores`,
        runs: choice.runs,
        quick: choice.quick,
        names,
        corpora,
        residents,
        programs: { ...programs, ...index },
      }),
    );
    drive(driver, ['run', setting]);
  }
  const measures = { agents: compareForAgents, replay: compareByReplay, service: measureService };
  for (const [part, measure] of Object.entries(measures)) {
    if (choice.names.includes(part) && !(await measure({ corpora, peers, ...choice }))) process.exitCode = 1;
  }
  for (const part of choice.names.filter((name) => PARTS.includes(name) && !PARTS_FOR_AGENTS.includes(name))) {
    if (!corpora.linux.root) throw new Advice(corpora.linux.version);
    const rest = part === 'symbols' ? SYMBOLS : [];
    drive(driver, [part, corpora.linux.root, `${choice.runs}`, ...rest]);
  }
});

async function indexOf(cache, root) {
  if (!root) return {};
  try {
    return { 'git-index': await gitIndex(cache, root) };
  } catch (error) {
    if (!(error instanceof Advice)) throw error;
    say(`searchscope: no index for git grep: ${error.message}`);
    return {};
  }
}

/** Runs the driver. It reports its own errors. */
function drive(driver, args) {
  const { status } = spawnSync(driver, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
