// Milliseconds of a step, in Node and in headless Chromium: from new positions of all bodies to a copy of all pairs.
//
//   cargo run --release -p hitmask-workbench --example worlds -- 10000 web/target/worlds boxes sprites turned
//   node web/benches/frames.mjs web/target/worlds

import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Hitmask } from '../dist/node.js';
import { Browser } from '../tests/browser.mjs';
import { serve } from '../tests/server.mjs';
import { frames } from './frames.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node web/benches/frames.mjs FOLDER-OF-WORLDS');
  process.exit(2);
}
const FRAMES = 200;
const root = fileURLToPath(new URL('../..', import.meta.url));

const middle = (times) => times.toSorted((a, b) => a - b)[times.length >> 1].toFixed(2);

if (relative(root, resolve(folder)).startsWith('..')) {
  console.error(`${folder} must lie in the repository, which is served to the browser`);
  process.exit(2);
}

const web = await serve();
const browser = await Browser.open({ webgpu: false });
try {
  await browser.visit(`${web.url}/web/tests/page.html`);
  const hitmask = await Hitmask.create({ engine: 'cpu' });
  console.log(`${hitmask.device}, ${FRAMES} frames, the median in ms`);
  console.log('world                    pairs     Node Chromium');
  for (const name of (await readdir(folder)).filter((name) => name.endsWith('.world')).sort()) {
    const file = resolve(folder, name);
    const [times, pairs] = await frames(hitmask, await readFile(file), FRAMES);
    const [inPage, same] = await browser.run(`
      const { Hitmask } = await import('/web/dist/hitmask.js');
      const { frames } = await import('/web/benches/frames.js');
      const saved = new Uint8Array(await (await fetch('/${relative(root, file)}')).arrayBuffer());
      return frames(await Hitmask.create({ engine: 'cpu' }), saved, ${FRAMES});`);
    if (pairs !== same) throw new Error(`${name}: ${pairs} pairs in Node, ${same} in Chromium`);
    console.log(name.padEnd(20), String(pairs).padStart(9), middle(times).padStart(8), middle(inPage).padStart(8));
  }
} finally {
  web.server.close();
  await browser.close();
}
