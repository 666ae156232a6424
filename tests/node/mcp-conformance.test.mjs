// The official conformance suite against the service, with all scenarios that it has for a server of a revision. A
// scenario that is not listed here fails the tests, so that a new version of the suite is read.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { TOP, runNode, suiteContext, tempTree } from './helpers.mjs';
import { serveHttp } from './mcp-clients.mjs';

const SUITE = join(TOP, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

const named = (reason, names) => names.trim().split(/\s+/).map((name) => [name, reason]);

/** The scenarios of both revisions that this service cannot pass, by the reason. */
const SKIPPED = [
  ...named('it has no prompts', `prompts-list prompts-get-simple prompts-get-with-args
    prompts-get-embedded-resource prompts-get-with-image`),
  ...named('it has no resources', `resources-list resources-read-text resources-read-binary
    resources-templates-read`),
  ...named('it has no completion of arguments', 'completion-complete'),
  ...named('it calls a tool of the suite`s own server', `tools-call-simple-text tools-call-image tools-call-audio
    tools-call-embedded-resource tools-call-mixed-content tools-call-error tools-call-with-progress
    json-schema-2020-12`),
];

const SKIPPED_2026 = [
  ...SKIPPED,
  ...named('no tool asks the client for input: elicitation, sampling and roots', `
    input-required-result-basic-elicitation input-required-result-basic-sampling
    input-required-result-basic-list-roots input-required-result-request-state
    input-required-result-multiple-input-requests input-required-result-multi-round
    input-required-result-non-tool-request input-required-result-result-type
    input-required-result-tampered-state input-required-result-capability-check
    input-required-result-missing-input-response input-required-result-ignore-extra-params`),
  ...named('it has no resources', 'sep-2164-resource-not-found'),
  ...named('it has no tasks, an extension', `tasks-lifecycle tasks-capability-negotiation tasks-wire-fields
    tasks-request-state-removal tasks-mrtr-input tasks-request-headers tasks-dispatch-and-envelope
    tasks-status-notifications tasks-required-task-error tasks-mrtr-composition`),
  ...named('no parameter of a tool is a header', 'http-custom-header-server-validation'),
];

const SKIPPED_2025 = [
  ...SKIPPED,
  ...named('it does not log over the protocol', 'logging-set-level tools-call-with-logging'),
  ...named('no tool asks the client for input', `tools-call-sampling tools-call-elicitation
    elicitation-sep1034-defaults elicitation-sep1330-enums`),
  ...named('it has no resources', 'resources-subscribe resources-unsubscribe'),
  ...named('it sends no events that a client could resume', 'server-sse-polling'),
];

/** The scenarios that run, each with the checks in it that need what the service has not. */
const RUN_2026 = {
  'server-stateless': [
    // These call tools of the suite's own server.
    ...['sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400'],
    ...['sep-2575-http-server-no-independent-requests-on-stream', 'sep-2575-server-no-log-without-loglevel'],
  ],
  caching: [
    // It has no prompts and no resources.
    ...['sep-2549-prompts-list-caching-hints', 'sep-2549-resources-list-caching-hints'],
    'sep-2549-resources-templates-list-caching-hints',
  ],
  'tools-list': [],
  'server-sse-multiple-streams': [],
  'dns-rebinding-protection': [],
  'http-header-validation': [],
  'input-required-result-unsupported-methods': [],
  'input-required-result-validate-input': [],
};

const RUN_2025 = {
  'server-initialize': [],
  ping: [],
  'tools-list': [],
  'server-sse-multiple-streams': [],
  'server-session-lifecycle': [],
  'dns-rebinding-protection': [],
};

/**
 * Node's option that lets the suite load in Node 20, which lacks one function: the suite imports it for other
 * commands than this one.
 */
const SHIM = (() => {
  const dataUrl = (script) => `data:text/javascript,${encodeURIComponent(script)}`;
  const fs = dataUrl(`export * from 'node:fs'; export const globSync = undefined;`);
  const hooks = dataUrl(`export async function resolve(specifier, context, next) {
    const isSuite = /conformance.dist/.test(context.parentURL ?? '');
    if (specifier !== 'fs' || !isSuite) return next(specifier, context);
    return { url: ${JSON.stringify(fs)}, shortCircuit: true };
  }`);
  const register = `import { register } from 'node:module'; register(${JSON.stringify(hooks)});`;
  return ['--import', dataUrl(register)];
})();

/** Runs the suite of a revision and returns the checks of each scenario. */
async function checksOf(t, url, revision) {
  const output = mkdtempSync(join(tmpdir(), 'searchscope-conformance-'));
  t.after(() => rmSync(output, { recursive: true, force: true }));
  const words = ['server', '--url', url, '--requirements', revision, '--output-dir', output];
  // It exits with 1, because it counts the scenarios that cannot pass.
  const { stdout, stderr } = await runNode([...SHIM, SUITE, ...words], { cwd: output });
  const found = readdirSync(output).map((folder) => {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(folder) ?? assert.fail(folder);
    return [scenario, JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8'))];
  });
  assert.ok(found.length > 0, `${stdout}\n${stderr}`);
  return new Map(found);
}

const TARGETS = [
  ['/mcp', '2026-07-28', RUN_2026, SKIPPED_2026],
  ['/context', '2026-07-28', RUN_2026, SKIPPED_2026],
  ['/mcp', '2025-11-25', RUN_2025, SKIPPED_2025],
];

for (const [path, revision, run, skipped] of TARGETS) {
  describe(`the conformance suite of ${revision} with ${path}`, { timeout: 300_000 }, () => {
    const suite = suiteContext();
    let checks;

    before(async () => {
      const root = tempTree(suite, { 'a.txt': 'needle\n', 'guide.md': 'A needle.\n' });
      const { origin } = await serveHttp(suite, root);
      checks = await checksOf(suite, `${origin}${path}`, revision);
    });

    for (const [scenario, absent] of Object.entries(run)) {
      test(scenario, () => {
        const all = checks.get(scenario) ?? assert.fail('the suite has no such scenario');
        const failed = all.filter(({ status }) => ['FAILURE', 'WARNING'].includes(status));
        const why = JSON.stringify(failed.map(({ id, errorMessage }) => [id, errorMessage]));
        assert.deepEqual(failed.map(({ id }) => id).sort(), [...absent].sort(), why);
        assert.ok(all.some(({ status }) => status === 'SUCCESS'), JSON.stringify(all));
      });
    }

    test('has no other scenarios than these and the skipped ones', () => {
      const known = [...Object.keys(run), ...skipped.map(([name]) => name)];
      assert.deepEqual([...checks.keys()].sort(), known.sort());
    });

    test('finds every message of the skipped ones valid, too', () => {
      for (const [scenario, all] of checks) {
        const wire = all.filter(({ id }) => id === 'wire-schema-valid');
        for (const { status, errorMessage } of wire) assert.equal(status, 'SUCCESS', `${scenario}: ${errorMessage}`);
      }
    });
  });
}
