// Tests of the playground: the GPU, and modules that fail.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { fragmentOf, textOf as sceneOf } from '../playground/link.js';
import { Browser } from './browser.mjs';
import { dropping } from './person.mjs';
import { PAIR, browser, drop, found, open, type } from './playground.mjs';
import { serve } from './server.mjs';

const [GPU, MODULE, COMPARE] = ['dist/hitmask.js', 'playground/module/hitmask.js', 'playground/compare.js'].map((path) => `/web/${path}`);
const textOf = (path) => readFile(new URL(`../..${path}`, import.meta.url), 'utf8');

// Calls `work` with the address of a server that has texts in place of files.
async function serving(instead, work) {
  const { server, url } = await serve(instead);
  try {
    return await work(url);
  } finally {
    server.close();
  }
}

const WAIT = `for (let tries = 0; document.getElementById('engines').textContent.includes('comparing') && tries < 1200; tries++) {
  await new Promise((next) => setTimeout(next, 50));
}`;
// Returns the text of a package whose GPU answers this to every step, after what it does to be created and to run one.
const stub = (flags, pairs, { create = '', run = '' } = {}) => `
  const answer = { flags: Uint32Array.of(${flags}), pairs: Uint32Array.of(${pairs}), pairCount: ${pairs.length / 2}, detail: () => ({}) };
  const World = { load: () => ({ ...answer, free() {} }) };
  let count = 0;
  const create = async () => {
    const isFirst = count++ === 0;
    ${create}
    return { World, device: 'stub', run: async () => { ${run} } };
  };
  export const Hitmask = { create };`;

test('the GPU is compared with the CPU, and a difference is seen', async () => {
  const cases = [
    [{}, /GPU: .+: the same answer\.$/, ''],
    [{ [GPU]: stub('0b010011', []) }, /GPU: stub: other bodies hit\.$/, 'different'],
    [{ [GPU]: stub('0b110011', [0, 1]) }, /GPU: stub: 1 pairs, not 2\.$/, 'different'],
    [{ [GPU]: stub('0b110011', [0, 5, 1, 4]) }, /GPU: stub: no pair 0 and 1\.$/, 'different'],
    [{ [GPU]: stub('0b110011', [0, 1, 4, 5]) }, /GPU: stub: other details of the pair 0 and 1\.$/, 'different'],
  ];
  const on = await Browser.open({ webgpu: true });
  try {
    for (const [instead, words, className] of cases) {
      await serving(instead, async (url) => {
        await open({ on, url, fragment: await fragmentOf(PAIR) });
        await on.run(WAIT);
        const { engines, state } = await found(on);
        assert.match(engines, words);
        assert.equal(state, 'shown');
        assert.equal(await on.run(`return document.querySelector('#engines span').className`), className);
      });
    }
  } finally {
    await on.close();
  }
  await open();
  await browser.run(WAIT);
  assert.match((await found()).engines, /^CPU: 1 thread, simd128\. GPU: none in this browser\.$/);
});

test('a GPU that fails, hangs or is lost is not compared, and opened anew for the next step', async () => {
  // The adapter is planted, so no browser with WebGPU is needed.
  const adapter = (text) => `Object.defineProperty(navigator, 'gpu', { value: { requestAdapter: async () => { ${text} } } });`;
  // The first device fails, or is lost; the second works.
  const failing = stub('0b110011', [0, 1], { create: 'if (isFirst) throw new Error("no device");' });
  const lost = stub('0b110011', [0, 1], { run: 'if (isFirst) throw new Error("lost");' });
  const hanging = 'export const Hitmask = { create: () => new Promise(() => {}) };';
  const compare = (await textOf(COMPARE)).replace('60_000', '300');
  const cases = [
    ['return {};', failing, /GPU: not compared: no device\.$/, /GPU: stub: 1 pairs, not 2\.$/],
    ['return {};', lost, /GPU: not compared: lost\.$/, /GPU: stub: 1 pairs, not 2\.$/],
    ['return {};', hanging, /GPU: not compared: no answer in 0\.3 s\.$/, /GPU: not compared: no answer in 0\.3 s\.$/],
    ['throw new Error("no adapter");', hanging, /GPU: not compared: no adapter\.$/, /GPU: not compared: no adapter\.$/],
  ];
  for (const [gpu, module, before, after] of cases) {
    await serving({ [GPU]: module, [COMPARE]: adapter(gpu) + compare }, async (url) => {
      await open({ url, fragment: await fragmentOf(PAIR) });
      for (const words of [before, after]) {
        await browser.run(WAIT);
        const { engines, state, note } = await found();
        assert.match(engines, words);
        assert.deepEqual([state, note], ['shown', '']);
        if (words === before) await type(`${PAIR} `);
      }
    });
  }
  await serving({ [GPU]: hanging, [COMPARE]: adapter('return {};') + compare.replace('200_000', '1') }, async (url) => {
    assert.match((await open({ url, fragment: await fragmentOf(PAIR) })).engines, /GPU: not compared: more than 1 pairs\.$/);
  });
});

// Returns the text of the library's module with `world` and `runNow` replaced; `isPage` is false in a worker.
async function planted({ world = '', runNow = '', painted = '' }) {
  return `${await textOf(MODULE)}
    const isPage = typeof document !== 'undefined';
    const overflow = () => 1 + overflow();
    const trap = () => { throw new WebAssembly.RuntimeError('unreachable'); };
    // What a trap has borrowed stays borrowed.
    const borrow = (object) => { object.free = () => { throw new Error('borrowed'); }; };
    const plant = (type, name, edit) => {
      const real = type.prototype[name];
      type.prototype[name] = function (...all) { edit(this, ...all); return real.apply(this, all); };
    };
    plant(Scene, 'world', (self) => { ${world} });
    plant(Engine, 'runNow', (self, world) => { ${runNow} });
    plant(World, 'painted', (self) => { ${painted} });`;
}

test('a trap stops the page, and is named', async () => {
  const cases = [
    { world: 'if (isPage) { borrow(self); trap(); }' },
    { runNow: 'if (isPage) { borrow(world); trap(); }' },
    { painted: 'if (isPage) trap();' },
    // Not of the first scene.
    { runNow: 'if (isPage && world.count === 6) trap();' },
  ];
  for (const edit of cases) {
    await serving({ [MODULE]: await planted(edit) }, async (url) => {
      await open({ url, fragment: edit.runNow?.includes('count') ? '' : await fragmentOf(PAIR) });
      const { state, stopped, text } = await type(PAIR);
      assert.deepEqual([state, stopped, text], ['stopped', 'The library has stopped: unreachable. Reload the page.', PAIR]);
      assert.ok(await browser.run(`return document.querySelector('main').inert && document.getElementById('load').disabled`));
      // Neither files nor links wake it.
      assert.equal((await drop(['pair.json', PAIR])).state, 'stopped');
      await browser.run(`location.hash = ''`);
      assert.equal((await found()).state, 'stopped');
    });
  }
});

test('an error of drawing a body leaves a box, and the rest of the picture', async () => {
  await serving({ [MODULE]: await planted({ painted: 'throw new Error("no memory");' }) }, async (url) => {
    const { state, note } = await open({ url, fragment: await fragmentOf(PAIR) });
    assert.deepEqual([state, note], ['shown', '']);
    const isDrawn = `const canvas = document.getElementById('picture');
      const [zoom, left, top] = canvas.dataset.view.split(' ').map(Number);
      const { data } = canvas.getContext('2d').getImageData(left + 20 * zoom, top + Math.round(1.5 * zoom), 1, 1);
      return data[2] > data[0] + 10;`;
    assert.ok(await browser.run(isDrawn));
  });
});

test('a step without an end, and one that needs all memory, are refused, and the page goes on', async () => {
  const scene = await fragmentOf('{ "shapes": { "s": { "circle": 1 } }, "bodies": [{ "shape": "s", "at": [0, 0] }] }');
  const cases = [
    ['if (!isPage && world.count === 1) for (;;);', 'the step takes more than 3 seconds, the limit of this page: use hitmask check'],
    // A module that has trapped once traps again.
    ['if (!isPage && (globalThis.isBroken ||= world.count === 1)) trap();', 'the library fails on this scene: unreachable'],
    [
      'if (!isPage && (globalThis.isBroken ||= world.count === 1)) overflow();',
      'the library fails on this scene: Maximum call stack size exceeded',
    ],
  ];
  for (const [runNow, words] of cases) {
    await serving({ [MODULE]: await planted({ runNow }) }, async (url) => {
      const { state, problem } = await open({ url, fragment: scene });
      assert.deepEqual([state, problem], ['refused', words]);
      assert.equal((await type(PAIR)).state, 'shown');
    });
  }
  // A link of a kilobyte, with 50 million pairs.
  const bodies = Array(10_000).fill('{ "shape": "s", "at": [0, 0] }');
  const crowd = await fragmentOf(`{ "shapes": { "s": { "circle": 1 } }, "bodies": [${bodies}] }`);
  assert.ok(crowd.length < 4000);
  const { state, problem } = await open({ fragment: crowd });
  assert.equal(state, 'refused');
  assert.match(problem, /^(the step takes more than 3 seconds|the library fails on this scene|the list of the pairs' details needs)/);
  assert.equal((await type(PAIR)).state, 'shown');
});

test('a worker whose files cannot be fetched is loaded again by the next edit, and then limits steps', async () => {
  const endless = await planted({ runNow: 'if (!isPage && world.count === 1) for (;;);' });
  const slow = '{ "shapes": { "s": { "circle": 1 } }, "bodies": [{ "shape": "s", "at": [0, 0] }] }';
  const unloaded = ['refused', 'the library could not be loaded to check this scene; the next edit loads it again'];
  const files = { [MODULE]: endless, '/web/playground/worker.js': await textOf('/web/playground/worker.js') };
  for (const path of Object.keys(files)) {
    const instead = { ...files };
    await serving(instead, async (url) => {
      const stateOf = async (text) => type(text).then(({ state, problem }) => [state, problem]);
      await open({ url });
      for (const isLost of [true, false]) {
        // This ends the worker.
        const [state, problem] = await stateOf(slow);
        assert.equal(state, 'refused');
        assert.match(problem, /^the step takes more than 3 seconds/);
        if (!isLost) continue;
        instead[path] = 'not a module';
        assert.deepEqual(await stateOf(PAIR), unloaded, path);
        instead[path] = files[path];
        assert.deepEqual(await stateOf(`${PAIR} `), ['shown', undefined], path);
      }
    });
  }
});

test('a browser without module workers computes steps in the page', async () => {
  const html = await textOf('/web/playground/index.html');
  // As there, the type of a worker is not read.
  const older = '<script>const Modern = Worker; globalThis.Worker = function (url) { return new Modern(url); };</script>';
  await serving({ '/web/playground/index.html': html.replace('<title>', `${older}<title>`) }, async (url) => {
    assert.equal((await open({ url, fragment: await fragmentOf(PAIR) })).state, 'shown');
    assert.equal((await type(`${PAIR}}`)).state, 'refused');
  });
});

// Opens a page whose script or library comes when `release` is called, and calls `work` when its text can be edited.
async function loading(path, fragment, work) {
  let release;
  await serving({ [path]: new Promise((resolve) => (release = resolve)) }, async (url) => {
    try {
      await browser.visit('about:blank');
      await browser.send('Page.navigate', { url: `${url}/web/playground/index.html${fragment}` });
      // The script shows a text.
      const isScript = path.endsWith('playground.js');
      await browser.run(`
        const isThere = () => document.getElementById('text') && (${isScript} || document.getElementById('text').value !== '');
        while (!isThere()) await new Promise((next) => setTimeout(next, 50));`);
      await work(async () => {
        release(await readFile(new URL(`../..${path}`, import.meta.url)));
        return found();
      });
    } finally {
      release('');
    }
  });
}

const [SCRIPT, WASM] = ['/web/playground/playground.js', '/web/playground/module/hitmask_bg.wasm'];
const TOGGLES = `return [...document.querySelectorAll('header :is(button, select)')].map(({ disabled }) => disabled)`;

test('a text that is typed while the page loads is kept, and the buttons wait', async () => {
  const other = PAIR.replace('hook', 'crook');
  for (const path of [SCRIPT, WASM]) {
    await loading(path, await fragmentOf(other), async (release) => {
      assert.deepEqual(await browser.run(TOGGLES), [true, true, true, true, true]);
      await browser.run(`const text = document.getElementById('text'); text.focus(); text.select();`);
      await browser.send('Input.insertText', { text: PAIR });
      const { state, text, pairs, href } = await release();
      assert.deepEqual([state, text, pairs], ['shown', PAIR, ['0,1', '4,5']], path);
      assert.equal(await sceneOf(new URL(href).hash), PAIR);
      assert.deepEqual(await browser.run(TOGGLES), [false, false, false, false, false]);
      if (path !== SCRIPT) return;
      assert.equal(await browser.run(`return document.getElementById('numbers').textContent.split('\\n').length`), PAIR.split('\n').length);
      await browser.run('history.back()');
      assert.equal((await found()).text, other);
    });
  }
});

test('a file that is dropped while the page loads does not replace the page, and is taken by its script', async () => {
  await loading(SCRIPT, '', async () => {
    const prevented = await browser.run(`
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['{}'], 'a.json'));
      return ['dragover', 'drop'].map((type) =>
        !document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })));`);
    assert.deepEqual(prevented, [true, true]);
  });
  await loading(WASM, '', async (release) => {
    await browser.run(dropping('body', ['pair.json', PAIR]));
    const { state, text } = await release();
    assert.deepEqual([state, text], ['shown', PAIR]);
  });
});

test('a page whose module is missing or broken says so', async () => {
  const wrong = [
    ['export default async () => { throw new Error("broken"); };', /^The page has failed: broken$/],
    ['not a module', /^The page has failed: ./],
  ];
  for (const [module, words] of wrong) {
    await serving({ [MODULE]: module }, async (url) => {
      const { state, stopped } = await open({ url });
      assert.equal(state, 'stopped');
      assert.match(stopped, words);
      // The text can still be downloaded and copied.
      assert.deepEqual(await browser.run(TOGGLES), [true, true, true, false, false]);
    });
  }
});
