// The demo in headless Chromium, as a person uses it: mouse, keys, fingers, files.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';

import { Browser } from './browser.mjs';
import * as person from './person.mjs';
import { serve } from './server.mjs';

/** A scene without files: two sprites, and a circle of radius 6 at (60.5, 30.25). */
export const STILL = await readFile(new URL('../../demo/tests/still.json', import.meta.url), 'utf8');

// So that canvases show what WebGPU draws in SwiftShader, the browser's own pictures have to be there too.
const SHOWN = ['--use-vulkan=swiftshader', '--use-angle=vulkan'];

let web;
let folder;
/** The browsers: with WebGPU and without. */
export const browsers = {};
before(async () => {
  web = await serve();
  folder = await mkdtemp(join(tmpdir(), 'hitmask-demo-'));
  for (const [drawn, options] of [['WebGPU', { webgpu: true, more: SHOWN }], ['WebGL 2', { webgpu: false }]]) {
    const browser = await Browser.open(options);
    browsers[drawn] = browser;
    await saveHere(browser);
  }
});
after(async () => {
  web?.server.close();
  for (const browser of Object.values(browsers)) await browser.close();
  if (folder) await rm(folder, { recursive: true });
});

/** Makes a browser save files where `Page.downloaded` finds them. */
export const saveHere = (browser) =>
  browser.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true });

export const pause = (millis) => new Promise((next) => setTimeout(next, millis));

/** Calls `find` until it returns something. The error after some seconds has what `now` returns. */
export async function wait(what, find, now = () => '', seconds = 20) {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await pause(20)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${seconds} seconds: ${await now()}`);
}

/** Returns a script that drops files on the page: [name, bytes]. */
export const dropping = (...files) => person.dropping('#canvas', ...files);

/** The demo on a page. */
export class Page {
  /** Opens the demo with a query, in a window of a size. `script` runs before those of the page. */
  static async open(browser, query = '', { width = 900, height = 600, script = '' } = {}) {
    await browser.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 0, mobile: false });
    await browser.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    const { identifier } = await browser.send('Page.addScriptToEvaluateOnNewDocument', { source: script });
    // Without the messages and the files of the page before.
    [browser.console, browser.saved] = [[], []];
    await browser.visit(`${web.url}/web/demo/page/index.html${query}`);
    await browser.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
    const page = new Page(browser);
    await wait('a first picture, or an error', async () => (await page.found()).state !== 'loading');
    return page;
  }

  constructor(browser) {
    this.browser = browser;
  }

  /** Returns what the page shows: numbers are those of the last frame. */
  async found() {
    const [state, text, error] = await this.browser.run(`
      const [canvas, error] = ['canvas', 'error'].map((id) => document.getElementById(id));
      return [document.documentElement.dataset.state, canvas.ariaLabel, error.hidden ? '' : error.textContent];`);
    const words = /^(.*): step (\d+), (\d+) bodies, (\d+) pairs that hit, engine (.*), drawn by (.*)$/;
    const [, scene, step, bodies, pairs, engine, drawn] = words.exec(text) ?? [];
    return { state, text, error, scene, step: Number(step), bodies: Number(bodies), pairs: Number(pairs), engine, drawn };
  }

  /** Waits until the page shows something that `test` accepts. */
  until(what, test, seconds) {
    const find = async () => {
      const found = await this.found();
      return (await test(found)) ? found : undefined;
    };
    return wait(what, find, async () => JSON.stringify(await this.found()), seconds);
  }

  /** Waits until there is no step in 20 frames of the page, and returns what it shows. */
  atRest() {
    return this.until('no steps', async ({ step }) => {
      await this.browser.run('for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame);');
      return (await this.found()).step === step;
    });
  }

  /** Sends an event of the keyboard, as the browser does: keyDown or keyUp. */
  key(...event) {
    return person.key(this.browser, ...event);
  }

  press(...key) {
    return person.press(this.browser, ...key);
  }

  mouse(...event) {
    return person.mouse(this.browser, ...event);
  }

  click(...at) {
    return person.click(this.browser, ...at);
  }

  drag(...ends) {
    return person.drag(this.browser, ...ends);
  }

  /** Touches the screen: each item is where the fingers are then, and none at the end. */
  async touch(...moments) {
    const points = (moment) => moment.map(([x, y], id) => ({ x, y, id }));
    let before = 0;
    for (const moment of moments) {
      const type = moment.length > before ? 'touchStart' : 'touchMove';
      await this.browser.send('Input.dispatchTouchEvent', { type, touchPoints: points(moment) });
      before = moment.length;
    }
    await this.browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  /** Drops files on the page: [name, bytes]. */
  drop(...files) {
    return this.browser.run(dropping(...files));
  }

  /** Returns the bytes of the file that a key makes the browser save. */
  async saved(key) {
    await this.press(key);
    return this.downloaded();
  }

  async downloaded() {
    const guid = await wait('a file', () => this.browser.saved.shift());
    assert.match(this.browser.names.get(guid), /^hitmask-.*\.(json|jsonl|png)$/);
    return readFile(join(folder, guid));
  }

  /** Returns the bodies of the scene that the key S saves. */
  async bodies() {
    return JSON.parse(await this.saved('s')).bodies;
  }

  /** Makes some steps, from the present one on. */
  async steps(count, seconds) {
    const { step } = await this.found();
    await this.browser.run(`
      const canvas = document.getElementById('canvas');
      for (let step = 0; step < ${count}; step++) {
        for (const type of ['keydown', 'keyup']) canvas.dispatchEvent(new KeyboardEvent(type, { key: 'n', code: 'KeyN' }));
      }`);
    return this.until(`step ${step + count}`, (found) => found.step === step + count, seconds);
  }

  /** Returns the number of pixels at which two pictures (PNG) differ by more than this in a colour, or why not. */
  difference(one, other, most) {
    return this.browser.run(`
      const read = async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]), { colorSpaceConversion: 'none' });
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, bitmap.width, bitmap.height);
      };
      const [one, other] = [await read('${one.toString('base64')}'), await read('${other.toString('base64')}')];
      if (one.width !== other.width || one.height !== other.height) return one.width + 'x' + one.height;
      let count = 0;
      for (let at = 0; at < one.data.length; at += 4) {
        count += [0, 1, 2].some((channel) => Math.abs(one.data[at + channel] - other.data[at + channel]) > ${most});
      }
      return count;`);
  }

  keep(name) {
    return person.keep(this.browser, name);
  }
}
