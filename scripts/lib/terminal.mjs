// A picture of a terminal from the bytes that commands print: SVG, because it is small, sharp and has the text.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TOP } from './process.mjs';

const COLOURS = ['--pretty', '--color', 'always'];

/** Commands of the picture, each as it is typed, with the arguments that a terminal adds. */
const COMMANDS = [
  { typed: 'searchscope search price --scope production --enclosing', colours: true },
  { typed: "searchscope search 'price list'", colours: true },
  { typed: `searchscope call look '{"q": "who calls total_price"}' --compact`, colours: false },
];

const [LINE, CHARACTER, MARGIN, TITLE] = [19, 8.05, 16, 30];

const STYLE = `text { font: 13.4px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d6deeb; white-space: pre }
.path { fill: #c792ea } .number { fill: #7fdbca } .match { fill: #ff6b6b; font-weight: 700 }
.dim { fill: #8796a8 } .bold, .typed { font-weight: 700 } .prompt { fill: #addb67 }`;

/** Classes of the graphic renditions that the command prints. */
const CLASSES = { '35': 'path', '32': 'number', '1;31': 'match', '2': 'dim', '1': 'bold' };

/** Returns the picture of the commands in a copy of examples/project. */
export async function terminalPicture() {
  const folder = mkdtempSync(join(tmpdir(), 'searchscope-picture-'));
  try {
    cpSync(join(TOP, 'examples', 'project'), folder, { recursive: true });
    // An ignored file, so that the reply without a match has a reason to report.
    mkdirSync(join(folder, 'build'));
    writeFileSync(join(folder, 'build', 'prices.txt'), 'price list\n');
    const lines = [];
    for (const command of COMMANDS) {
      lines.push(`\x1b[prompt]$ \x1b[typed]${command.typed}\x1b[0m`, ...(await output(folder, command)), '');
    }
    return svg(lines.slice(0, -1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the lines that a command prints on both outputs. */
async function output(folder, { typed, colours }) {
  const native = join(TOP, 'node', 'searchscope');
  const command = [`'${native}'`, typed.replace(/^searchscope /, ''), ...(colours ? COLOURS : [])].join(' ');
  const options = { cwd: folder };
  // A command without a match exits with 1.
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} 2>&1 || [ $? = 1 ]`], options);
  return stdout.trimEnd().split('\n');
}

/** Returns an SVG of lines with escapes for colours. */
export function svg(lines) {
  const width = Math.ceil(2 * MARGIN + CHARACTER * Math.max(...lines.map((line) => plain(line).length)));
  const height = TITLE + MARGIN + LINE * lines.length;
  const rows = lines.map((line, n) => row(line, TITLE + MARGIN + LINE * n)).filter(Boolean);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve">
<title>A terminal with three commands of searchscope and their replies</title>
<style>${STYLE}</style>
<rect width="${width}" height="${height}" rx="8" fill="#0f1c2e"/>
<circle cx="20" cy="17" r="5" fill="#ff5f57"/><circle cx="38" cy="17" r="5" fill="#febc2e"/><circle cx="56" cy="17" r="5" fill="#28c840"/>
${rows.join('\n')}
</svg>
`;
}

const ESCAPE = /\x1b\[([\d;]*m|prompt\]|typed\])/;

const plain = (line) => line.split(ESCAPE).filter((_, n) => n % 2 === 0).join('');

function row(line, y) {
  if (line === '') return '';
  const parts = line.split(ESCAPE);
  const spans = parts.map((part, n) => {
    if (n % 2 === 1 || part === '') return '';
    const name = n === 0 ? undefined : className(parts[n - 1]);
    return name ? `<tspan class="${name}">${escaped(part)}</tspan>` : escaped(part);
  });
  return `<text x="${MARGIN}" y="${y}">${spans.join('')}</text>`;
}

/** Returns the class of an escape; undefined for the one that ends a colour. */
function className(code) {
  if (code.endsWith(']')) return code.slice(0, -1);
  const number = code.slice(0, -1);
  if (number === '0' || number === '') return undefined;
  if (!CLASSES[number]) throw new Error(`the picture has no colour for ${number}`);
  return CLASSES[number];
}

function escaped(text) {
  return text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);
}
