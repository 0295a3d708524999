// Tests of the page `answers.html`: all answers right, one wrong, no GPU, and a GPU that does not work.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Browser } from './browser.mjs';
import { keep } from './person.mjs';
import { serve } from './server.mjs';
import { golden, names, read } from './worlds.mjs';

// Opens the page with some files replaced, and returns its verdict, its headline, and the words of its rows.
async function visit({ webgpu, instead, random, picture }) {
  const web = await serve(instead);
  let browser;
  try {
    browser = await Browser.open({ webgpu });
    await browser.visit(`${web.url}/web/answers.html#random=${random}`);
    const found = await browser.run(`
      const root = document.documentElement;
      for (let tries = 0; root.dataset.state === 'running' && tries < 3000; tries++) {
        await new Promise((next) => setTimeout(next, 100));
      }
      const rows = [...document.querySelectorAll('#rows tr')].map((row) => [...row.cells].map((cell) => cell.textContent));
      return { state: root.dataset.state, headline: document.getElementById('headline').textContent, rows };`);
    if (picture) await keep(browser, picture);
    return found;
  } finally {
    // First, as the test would not end with a server that is open.
    web.server.close();
    await browser?.close();
  }
}

test('all answers are right on the CPU and on the GPU', async () => {
  const { state, headline, rows } = await visit({ webgpu: true, random: 3, picture: 'answers' });
  assert.equal(headline, `All ${names.length + 3} answers are right on the CPU and on the GPU`);
  assert.equal(state, 'passed');
  assert.deepEqual(rows.map((row) => row.slice(4)), rows.map(() => ['equal', 'equal']));
  const lines = rows.slice(0, -3).map(([name, , , digest]) => `${name}.json ${digest}`);
  assert.deepEqual(lines.sort(), golden);
  assert.ok(rows.slice(-3).every(([, bodies, pairs]) => bodies === '200' && Number(pairs) > 20), JSON.stringify(rows.slice(-3)));
});

test('without WebGPU the page says that only the CPU was compared', async () => {
  const { state, headline, rows } = await visit({ webgpu: false, random: 1 });
  assert.equal(headline, `All ${names.length} answers are right on the CPU; this browser has no GPU to compare with`);
  assert.equal(state, 'passed');
  assert.deepEqual(rows.map((row) => row.slice(4)), rows.map(() => ['equal', 'not run']));
});

test('a wrong digest, and another world, are seen', async () => {
  const instead = {
    '/assets/golden/scenes.txt': `corners.json ${'0'.repeat(16)}\n`,
    '/assets/golden/small-crowds.txt': golden.filter((line) => line.startsWith('crowd-boxes')).join(),
    '/assets/golden/random.txt': '',
    '/web/tests/worlds/crowd-boxes.world': await read('crowd-bullets.world'),
  };
  const { state, headline, rows } = await visit({ webgpu: false, random: 0, instead });
  assert.equal(headline, '2 of 2 answers differ on the CPU; this browser has no GPU to compare with');
  assert.equal(state, 'failed');
  assert.ok(rows.every((row) => /^[0-9a-f]{16}$/.test(row[4])), JSON.stringify(rows));
});

test('a GPU that does not work is no browser without one', async () => {
  const instead = { '/web/dist/gpu/hitmask.js': 'export const Engine = {}; export default async () => { throw new Error("broken"); };' };
  const { state, headline } = await visit({ webgpu: true, random: 0, instead });
  assert.equal(headline, 'The check has failed: broken');
  assert.equal(state, 'failed');
});

test('a number of random worlds that is none is an error', async () => {
  const { state, headline } = await visit({ webgpu: false, random: 'many' });
  assert.equal(headline, 'The check has failed: `random` is many; it must be a whole number below a million');
  assert.equal(state, 'failed');
});

test('a missing file is named in the error', async () => {
  const { state, headline } = await visit({ webgpu: false, random: 0, instead: { '/assets/golden/random.txt': 'nowhere.json 0' } });
  assert.equal(headline, 'The check has failed: tests/worlds/nowhere.world: 404 Not Found');
  assert.equal(state, 'failed');
});
