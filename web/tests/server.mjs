// Serves the package, the tests and the examples on this machine.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TYPES = {
  '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm',
};

// `instead` holds the text of files to serve in place of those on disk, by path, or a promise of it. With `clean`, addresses
// are as those of `npx serve`: `index.html` is shown, and redirected to, under the name of its folder without a slash.
export async function serve(instead = {}, { clean = false } = {}) {
  const server = createServer(async (request, response) => {
    let path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    if (clean && path.endsWith('/index.html')) {
      response.writeHead(301, { location: path.replace(/\/index\.html$/, '') });
      response.end();
      return;
    }
    if (clean && extname(path) === '') path = join(path, 'index.html');
    const body = (await instead[path]) ?? (await readFile(join(ROOT, path)).catch(() => undefined));
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(body);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}
