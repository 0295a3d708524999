// The package in headless Chromium: on the CPU, on WebGPU in software, and in a worker.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { Browser } from './browser.mjs';
import { keep } from './person.mjs';
import { serve } from './server.mjs';
import { golden, names } from './worlds.mjs';

const IMPORTS = `
  const { Hitmask } = await import('/web/dist/hitmask.js');
  const { circles, crowd, failures, goldenHashes, play } = await import('/web/tests/cases.js');
  // Returns the page's engine of a kind, which is opened by the first call: compiling the GPU engine's shaders in software takes
  // many seconds.
  const opened = (engine) => ((window.engines ??= {})[engine] ??= Hitmask.create({ engine, software: true }));
`;
const WORLDS = `
  const worlds = await Promise.all(${JSON.stringify(names)}.map(async (name) => {
    const response = await fetch('/web/tests/worlds/' + name);
    return [name.replace('.world', '.json'), new Uint8Array(await response.arrayBuffer())];
  }));
`;

for (const webgpu of [false, true]) {
  describe(webgpu ? 'with WebGPU' : 'without WebGPU', () => {
    let browser;
    let web;

    before(async () => {
      web = await serve();
      browser = await Browser.open({ webgpu });
      await browser.visit(`${web.url}/web/tests/page.html`);
    });

    after(async () => {
      // First, as the tests would not end with a server that is open.
      web?.server.close();
      await browser?.close();
    });

    const run = (body) => browser.run(IMPORTS + body);

    test('the page has the WebGPU that it should', async () => {
      assert.equal(await browser.run('return Boolean(await navigator.gpu?.requestAdapter())'), webgpu);
    });

    for (const engine of webgpu ? ['auto', 'gpu'] : ['auto']) {
      test(`all cases pass on ${engine}`, async () => {
        assert.deepEqual(await run(`return failures(await opened('${engine}'))`), []);
      });

      test(`the golden hashes are those of every other engine on ${engine}`, async () => {
        const hashes = await run(`${WORLDS}
          return goldenHashes(await opened('${engine}'), worlds);`);
        assert.deepEqual(hashes.sort(), golden);
      });
    }

    test('masks come from canvases, images and ImageData', async () => {
      const counts = await run(`
        const hitmask = await Hitmask.create({ engine: 'cpu' });
        const canvas = document.querySelector('canvas');
        const context = canvas.getContext('2d');
        context.fillRect(8, 8, 16, 16);
        const bitmap = await createImageBitmap(canvas);
        const image = new Image();
        image.src = canvas.toDataURL();
        await image.decode();
        const data = context.getImageData(0, 0, 64, 64);
        const region = [0, 0, 16, 16];
        return [canvas, bitmap, image, data].flatMap((source) =>
          [hitmask.mask(source).count, hitmask.mask(source, { region }).count]);`);
      assert.deepEqual(counts, [256, 64, 256, 64, 256, 64, 256, 64]);
    });

    test('an image that is not loaded is an Error', async () => {
      const message = await run(`
        const hitmask = await Hitmask.create({ engine: 'cpu' });
        const image = new Image();
        image.src = 'nowhere.png';
        try { hitmask.mask(image, { region: [0, 0, 8, 8] }); } catch (error) { return error.message; }`);
      assert.match(message, /the image is not loaded: await/);
    });

    if (!webgpu) {
      test('a GPU that there is not is an Error in the words of the library', async () => {
        const message = await run(`return Hitmask.create({ engine: 'gpu' }).then(() => '', (error) => error.message)`);
        assert.match(message, /^GPU: the browser gives none out/);
      });

      test('a worker computes while the page draws', async () => {
        await browser.visit(`${web.url}/web/examples/worker.html`);
        const frames = await browser.run(`
          const seen = () => Number(document.body.dataset.frames ?? 0);
          for (let tries = 0; tries < 600 && seen() < 30; tries++) await new Promise((next) => setTimeout(next, 50));
          return [seen(), Number(document.body.dataset.pairs)];`);
        assert.ok(frames[0] >= 30 && frames[1] > 0, `${frames} ${browser.console}`);
        await keep(browser, 'worker');
      });
      return;
    }

    test('the GPU answers as the CPU, over steps that move', async () => {
      const different = await run(`
        const [gpu, cpu] = [await opened('gpu'), await opened('cpu')];
        const [a, b] = [crowd(gpu, 1000), crowd(cpu, 1000)];
        const at = a.positions();
        const wrong = [];
        for (let frame = 0; frame < 3; frame++) {
          for (let k = 0; k < at.length; k++) at[k] += Math.sin(frame + k);
          a.setPositions(at);
          b.setPositions(at);
          const ask = ['flags', 'pairs', 'details'][frame % 3];
          await Promise.all([gpu.run(a, ask), cpu.run(b, ask)]);
          const detail = (world, pair) => ({ ...world.detail(pair), sums: String(world.detail(pair).sums) });
          const details = (world) => Array.from({ length: world.pairCount }, (_, pair) => detail(world, pair));
          const all = (world) =>
            JSON.stringify([[...world.flags], [...world.pairs], ask === 'details' ? details(world) : []]);
          if (all(a) !== all(b) || b.flags.length === 0) wrong.push(frame);
        }
        return [wrong, gpu.name, cpu.name];`);
      assert.deepEqual(different, [[], 'gpu', 'cpu']);
    });

    // By an engine of its own, in which steps fail.
    test('a step at once on the GPU is an Error, and the page goes on', async () => {
      const messages = await run(`
        const gpu = await Hitmask.create({ engine: 'gpu', software: true });
        const world = circles(gpu);
        const caught = (act) => { try { act(); } catch (error) { return error.message; } };
        const at_once = caught(() => gpu.runNow(world));
        const first = gpu.run(world);
        const second = await gpu.run(world).then(() => '', (error) => error.message);
        await first;
        return [at_once, second];`);
      assert.deepEqual(messages, [
        '`gpu::Engine::run` would stop the page for ever: use `gpu::Engine::run_async`',
        'a step of this engine is in flight: await it before the next',
      ]);
    });

    // By an engine of its own, whose device is destroyed.
    test('a lost device is an Error that says so', async () => {
      const messages = await run(`
        const devices = [];
        const { requestDevice } = GPUAdapter.prototype;
        GPUAdapter.prototype.requestDevice = async function (...options) {
          const device = await requestDevice.apply(this, options);
          devices.push(device);
          return device;
        };
        const gpu = await Hitmask.create({ engine: 'gpu', software: true });
        GPUAdapter.prototype.requestDevice = requestDevice;
        const world = circles(gpu);
        await gpu.run(world);
        const step = gpu.run(world).then(() => '', (error) => error.message);
        devices[0].destroy();
        const message = () => gpu.run(world).then(() => '', (error) => error.message);
        return [await step, await message()];`);
      for (const message of messages) assert.match(message, /^GPU: the device is lost; rebuild the engine|^$/);
      assert.match(messages[1], /the device is lost/);
    });

    test('a GPU in software is refused unless it is allowed', async () => {
      const message = await run(`return Hitmask.create({ engine: 'gpu' }).then(() => '', (error) => error.message)`);
      assert.match(message, /^GPU: none in hardware, only /);
    });

    test('nothing was written on the console', () => {
      assert.deepEqual(browser.console, []);
    });
  });
}
