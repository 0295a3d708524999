// The page `answers.html`: what it says where all answers are right, where one is wrong, and without a GPU.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';

import { Browser } from './browser.mjs';
import { serve } from './server.mjs';
import { golden, names, read } from './worlds.mjs';

// Opens the page with some files replaced, and returns its verdict, its headline, and the words of its rows.
async function visit({ webgpu, instead, random, picture }) {
  const web = await serve(instead);
  let browser;
  try {
    browser = await Browser.open({ webgpu });
    await browser.visit(`${web.url}/web/answers.html?random=${random}`);
    const found = await browser.run(`
      const root = document.documentElement;
      while (root.dataset.state === 'running') await new Promise((next) => setTimeout(next, 100));
      const rows = [...document.querySelectorAll('#rows tr')].map((row) => [...row.cells].map((cell) => cell.textContent));
      return { state: root.dataset.state, headline: document.getElementById('headline').textContent, rows };`);
    if (process.env.HITMASK_PICTURES && picture) {
      await writeFile(`${process.env.HITMASK_PICTURES}/${picture}`, await browser.picture());
    }
    return found;
  } finally {
    // First, as the test would not end with a server that is open.
    web.server.close();
    await browser?.close();
  }
}

test('all answers are right on the CPU and on the GPU', async () => {
  const { state, headline, rows } = await visit({ webgpu: true, random: 3, picture: 'answers.png' });
  assert.equal(headline, `All ${names.length + 3} answers are right on the CPU and on the GPU`);
  assert.equal(state, 'passed');
  assert.deepEqual(rows.map((row) => row.slice(4)), rows.map(() => ['equal', 'equal']));
  const lines = rows.slice(0, -3).map(([name, , , digest]) => `${name}.json ${digest}`);
  assert.deepEqual(lines.sort(), golden);
  assert.ok(rows.slice(-3).every(([, bodies, pairs]) => bodies === '200' && Number(pairs) > 20), JSON.stringify(rows.slice(-3)));
});

test('without WebGPU the page says that only the CPU was compared', async () => {
  const { state, headline, rows } = await visit({ webgpu: false, random: 1 });
  assert.equal(headline, `All ${names.length + 1} answers are right on the CPU; there is no GPU to compare with`);
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
  assert.equal(headline, '2 of 2 answers differ on the CPU; there is no GPU to compare with');
  assert.equal(state, 'failed');
  assert.ok(rows.every((row) => /^[0-9a-f]{16}$/.test(row[4])), JSON.stringify(rows));
});

test('a file that is missing is told by its name', async () => {
  const { state, headline } = await visit({ webgpu: false, random: 0, instead: { '/assets/golden/random.txt': 'nowhere.json 0' } });
  assert.equal(headline, 'The check has failed: tests/worlds/nowhere.world: 404 Not Found');
  assert.equal(state, 'failed');
});
