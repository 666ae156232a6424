// Starts programs from Node and collects their output as text, as services do.

import { spawn } from 'node:child_process';
import { root, serve } from './serve.mjs';

await serve(async (mode, calls) => {
  const answers = [];
  for (const [, command] of calls) answers.push(await output(command));
  return answers;
});

function output([program, ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const parts = [];
    child.stdout.on('data', (part) => parts.push(part));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal !== null) reject(new Error(`${program} was ended by signal ${signal}`));
      else resolve(Buffer.concat(parts).toString());
    });
  });
}
