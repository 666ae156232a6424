// Searches the Markdown documents of a directory. `searchDocuments` replaces a function of the same name
// in JavaScript: its arguments are a configuration, a logger, a text and options.
//
//   node documents.cjs DIRECTORY TEXT

const { searchDocuments } = require('searchscope/documents');

/** The logger of the host; only `info` and `warn` are called. */
const logger = {
  info: () => {},
  warn: (message, fields) => console.error(message, fields),
};

async function main([docsRoot, text]) {
  const config = { docsRoot, excludes: ['drafts/'] };
  const options = { context_chars: 40, signal: AbortSignal.timeout(5000) };
  const found = await searchDocuments(config, logger, text, options);
  for (const { path, name, matches } of found.results) {
    console.log(`${name} (${path})`);
    for (const { file_line, excerpt } of matches) {
      console.log(`  ${file_line}: ${excerpt.replaceAll('\n', ' ')}`);
    }
  }
  if (found.truncated) console.log('More results exist.');
}

main(process.argv.slice(2)).catch((error) => {
  // Such as "query is required and must not be empty".
  console.error(error.message);
  process.exitCode = 1;
});
