// Checks the files that `npm pack` would publish, from its JSON.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const [{ files, size }] = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const module = (name) =>
  ['hitmask.d.ts', 'hitmask.js', 'hitmask_bg.wasm', 'hitmask_bg.wasm.d.ts'].map((file) => `${name}/${file}`);
const expected = [
  'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'hitmask.d.ts', 'hitmask.js', 'node.js', 'package.json',
  'sprites.d.ts', 'sprites.js',
  ...module('cpu'), ...module('gpu'),
];
assert.deepEqual(files.map(({ path }) => path).sort(), expected.sort());
console.log(`${files.length} files, ${size} bytes`);
