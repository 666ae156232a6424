// A mount beneath the root that never answers blocks neither the process nor its own jobs.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runScript, tempTree } from './helpers.mjs';

/** Exit code of a script that could not mount. */
const NO_MOUNT = 77;

/**
 * Mounts a user-space file system without a server, in namespaces of its own. Node inherits the handle
 * 5: closing it makes the mount fail, whatever waits for it.
 */
const MOUNT = `[ -c /dev/fuse ] && ( : <>/dev/fuse ) || exit ${NO_MOUNT}
  exec 5<>/dev/fuse
  mount -i -t fuse -o fd=5,rootmode=40000,user_id=0,group_id=0 dead "$1" || exit ${NO_MOUNT}
  shift
  exec "$@"`;

const OPEN = `const ws = Workspace.open(argv[0], { threads: 1 });
  const beside = Workspace.open(argv[0] + '/src');
  const dead = { patterns: ['hit'], deadline_ms: 300 };`;

/** Runs the script on a tree with a dead mount; returns its output as JSON, or skips the test. */
async function withDeadMount(t, script) {
  const root = tempTree(t, { 'a.txt': 'hit\n', 'src/b.txt': 'hit\n' });
  const at = join(root, 'dead');
  mkdirSync(at);
  const within = ['unshare', '--mount', 'sh', '-c', MOUNT, 'sh', at];
  const whole = `${OPEN}\n(async () => { ${script} })();`;
  const done = await runScript(whole, [root], { within }).catch((error) => ({ error }));
  if (done.error || done.code === NO_MOUNT || /unshare/.test(done.stderr)) {
    t.skip(`nothing can be mounted here: ${done.error ?? done.stderr}`);
    return undefined;
  }
  assert.equal(done.stderr, '');
  return { ...done, json: done.stdout && JSON.parse(done.stdout) };
}

describe('a mount that does not answer', { timeout: 120_000 }, () => {
  test('is reported, and blocks neither other calls nor the host', async (t) => {
    const script = `let n = 0;
      let done = false;
      const others = (async () => {
        for (; !done; n += 1) {
          const reply = await beside.call('search', { patterns: ['hit'] });
          if (reply.total !== 1) throw new Error(JSON.stringify(reply));
          await require('node:fs/promises').readFile(argv[0] + '/a.txt');
          await later(5);
        }
      })();
      const call = () => ws.call('search', dead).then(() => 'found', (error) => error.code);
      const codes = await Promise.all(Array.from({ length: 8 }, call));
      done = true;
      await others;
      require('node:fs').closeSync(5);
      let reply;
      for (let tries = 0; tries < 200 && !reply; tries += 1) {
        reply = await ws.call('search', dead).catch(() => later(50));
      }
      console.log(JSON.stringify({ codes, n, reply }));`;
    const { json } = (await withDeadMount(t, script)) ?? {};
    if (!json) return;
    assert.deepEqual(new Set(json.codes), new Set(['timeout']));
    // The other calls wait for their turn as usual, but not for the mount.
    t.diagnostic(`${json.n} other calls meanwhile`);
    assert.ok(json.n > 1, `${json.n} other calls meanwhile`);
    // The contents of the mount cannot be known, and the reply reports that.
    assert.equal(json.reply.total, 2);
    assert.equal(json.reply.complete, false);
    assert.match(JSON.stringify(json.reply.warnings), /dead/);
  });

  test('cannot block a cancelled call', async (t) => {
    const script = `const controller = new AbortController();
      const call = ws.call('search', { ...dead, deadline_ms: 60_000 }, { signal: controller.signal });
      setTimeout(() => controller.abort(), 100);
      const error = await call.catch((error) => error);
      await later(200);
      // The thread that Node lent is free again.
      const reply = await beside.call('search', { patterns: ['hit'] });
      console.log(JSON.stringify({ name: error.name, total: reply.total }));
      process.exit(0);`;
    const { json } = (await withDeadMount(t, script)) ?? {};
    if (!json) return;
    assert.deepEqual(json, { name: 'AbortError', total: 1 });
  });

  test('does not keep the process from ending', async (t) => {
    const script = `ws.call('search', { ...dead, deadline_ms: 60_000 }).catch(() => {});
      ws.search({ patterns: ['hit'] }).next().catch(() => {});
      setTimeout(() => process.exit(7), 200);`;
    const done = await withDeadMount(t, script);
    if (!done) return;
    assert.equal(done.code, 7);
    t.diagnostic(`the process took ${done.ms.toFixed()} ms`);
    assert.ok(done.ms < 30_000);
  });
});
