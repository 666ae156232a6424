// A client in a process of its own: node serve-loop-client.mjs URL MS
//
// Calls tools for MS milliseconds, several at once; prints the numbers of all answers and of wrong ones.

import { callTool, request } from './service.mjs';

const [url, ms] = process.argv.slice(2);
const CLIENTS = 8;

const KINDS = [
  () => callTool(url, 'search_in_files', { query: 'needle 7', file_pattern: 'f1*' }),
  () => callTool(url, 'search', { patterns: ['needle', 'line 5'], matches_max: 200 }),
  () => callTool(url, 'find_files_by_name', { name_pattern: '*7.txt' }),
  () => callTool(url, 'Grep', { pattern: 'needle' }),
  async () => {
    const { status } = await request(`${url}/context?action=search&query=needle`);
    return { isError: status !== 200 };
  },
];

const end = performance.now() + Number(ms);
let calls = 0;
let wrong = 0;

async function client(first) {
  for (let n = first; performance.now() < end; n += 1) {
    const { isError } = await KINDS[n % KINDS.length]();
    calls += 1;
    if (isError) wrong += 1;
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
console.log(JSON.stringify({ calls, wrong }));
