// The package in Node: the cases, the golden hashes, and memory over ten thousand frames.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { Hitmask } from '../dist/node.js';
import { CASES, crowd, goldenHashes, play } from './cases.js';
import { golden, names, read } from './worlds.mjs';

const here = (path) => new URL(path, import.meta.url);
const hitmask = await Hitmask.create();

for (const [name, run] of Object.entries(CASES)) test(name, () => run(hitmask));

test('the golden hashes are those of every other engine', async () => {
  assert.equal(hitmask.device, '1 thread, simd128');
  const worlds = await Promise.all(names.map(async (name) => [name.replace('.world', '.json'), await read(name)]));
  assert.deepEqual((await goldenHashes(hitmask, worlds)).sort(), golden);
});

test('the module with WebGPU answers as the one without, on the CPU', async () => {
  const bindings = await import('../dist/gpu/hitmask.js');
  const { memory } = await bindings.default({ module_or_path: await readFile(here('../dist/gpu/hitmask_bg.wasm')) });
  const { failures } = await import('./cases.js');
  const auto = new Hitmask(bindings, memory, bindings.Engine.auto());
  assert.deepEqual(await failures(auto), []);
  const pairs = await Promise.all([hitmask, auto].map(async (each) => {
    const world = crowd(each, 2_000);
    await each.run(world, 'details');
    return [...world.pairs];
  }));
  assert.deepEqual(pairs[0], pairs[1]);
  assert.ok(pairs[0].length > 1_000);
});

test('ten thousand frames need no more memory than the first thousands', async () => {
  const [before, after] = await play(hitmask, 10_000);
  assert.equal(after, before);
});

test('an image in Node is an Error that says what to do', () => {
  assert.throws(() => hitmask.mask({ width: 4, height: 4 }), /no canvas here to read an image with: use `Mask.fromRgba`/);
});

test('WebAssembly without SIMD is an Error', async () => {
  const { validate } = WebAssembly;
  WebAssembly.validate = () => false;
  try {
    await assert.rejects(Hitmask.create(), /no WebAssembly SIMD \(simd128\) here: it takes Chrome 96/);
  } finally {
    WebAssembly.validate = validate;
  }
});

test('an engine that there is not is an Error', async () => {
  await assert.rejects(Hitmask.create({ engine: 'quantum' }), /`engine` is `quantum`/);
  await assert.rejects(Hitmask.create({ engine: 'gpu' }), /GPU: the browser gives none out/);
});
