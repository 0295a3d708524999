// The playground in headless Chromium, as a person uses it: type, click, drag, drop files, follow links.

import { after, before } from 'node:test';

import { Browser } from './browser.mjs';
import * as person from './person.mjs';
import { serve } from './server.mjs';

export const [DARK, LIGHT] = ['dark', 'light'];
// The colour of pixels that a pair shares.
export const SHARED = { [DARK]: [255, 255, 226], [LIGHT]: [26, 16, 38] };

let web;
export let browser;
before(async () => {
  web = await serve();
  browser = await Browser.open({ webgpu: false });
});
after(async () => {
  web?.server.close();
  await browser?.close();
});

// The end of what the page does with a text, a file or a link.
const SETTLE = `
  const root = document.documentElement;
  // Longer than the pause after which a text is read.
  await new Promise((next) => setTimeout(next, 250));
  const isBusy = () => root.dataset.state === 'loading' || document.querySelector('main[aria-busy="true"]');
  for (let tries = 0; isBusy() && tries < 600; tries++) await new Promise((next) => setTimeout(next, 50));
  await new Promise(requestAnimationFrame);`;

// Opens a page with a window of a size and a scheme of colours.
export async function open({
  fragment = '', width = 1300, height = 800, ratio = 1, scheme = DARK, on = browser, url = web.url, path = 'index.html',
} = {}) {
  await on.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: ratio, mobile: false });
  await on.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  // Only another document loads the page anew.
  await on.visit('about:blank');
  await on.visit(`${url}/web/playground/${path}${fragment}`);
  return found(on);
}

// Returns what the page shows.
export function found(on = browser) {
  return on.run(`${SETTLE}
    const text = (id) => document.getElementById(id).textContent;
    const hidden = document.getElementById('problem').hidden;
    return {
      state: root.dataset.state, text: document.getElementById('text').value, href: location.href,
      problem: hidden ? undefined : text('what'), line: document.getElementById('where').hidden ? undefined : text('where'),
      note: text('note'), stopped: text('stopped'),
      counts: text('counts'), engines: text('engines'), copied: text('copied'), tip: text('tip'),
      pairs: [...document.querySelectorAll('#pairs [data-pair]')].map((row) => row.dataset.pair),
      rows: [...document.querySelectorAll('#pairs button')].map((row) => row.textContent),
      pressed: [...document.querySelectorAll('#pairs [aria-pressed="true"]')].map((row) => row.parentElement.dataset.pair),
      marks: [...document.querySelectorAll('#marks div')].map((mark) => mark.className),
    };`);
}

// Replaces the text as if it were typed.
export async function type(text, on = browser) {
  await on.run(`const text = document.getElementById('text'); text.focus(); text.select();`);
  await on.send('Input.insertText', { text });
  return found(on);
}

// Chooses an example.
export const choose = (name) => browser.run(`const examples = document.getElementById('examples');
  examples.value = ${JSON.stringify(name)};
  document.getElementById('load').click();`);

// Drops files on the page: [name, bytes].
export async function drop(...files) {
  await browser.run(person.dropping('body', ...files));
  return found();
}

// Returns the colours of the picture at points of the world, as red, green and blue.
export function colours(points) {
  return browser.run(`
    const canvas = document.getElementById('picture');
    const [zoom, left, top] = canvas.dataset.view.split(' ').map(Number);
    const context = canvas.getContext('2d');
    return ${JSON.stringify(points)}.map(([x, y]) =>
      [...context.getImageData(Math.floor(x * zoom + left), Math.floor(y * zoom + top), 1, 1).data.subarray(0, 3)]);`);
}

// Returns the zoom, and where the world's origin is in the window.
export async function view() {
  const [zoom, x, y, ratio] = await browser.run(`
    const canvas = document.getElementById('picture');
    const { left, top } = canvas.getBoundingClientRect();
    const [zoom, x, y] = canvas.dataset.view.split(' ').map(Number);
    return [zoom, x / devicePixelRatio + left, y / devicePixelRatio + top, devicePixelRatio];`);
  return { zoom, x, y, ratio };
}

export const mouse = (...event) => person.mouse(browser, ...event);
export const clickAt = (...at) => person.click(browser, ...at);
export const press = (key) => person.press(browser, key);
export const keep = (name) => person.keep(browser, name);

// A hook and a bar that share two pixels, a bar that is alone, and a ball that crosses it and hits a second one.
export const PAIR = `{
  "shapes": {
    "hook": { "sprite": { "rows": ["####", "#...", "#...", "####"] } },
    "bar": { "sprite": { "rows": ["######"] } },
    "ball": { "circle": 2 }
  },
  "bodies": [
    { "shape": "hook", "at": [0, 0], "name": "hook" },
    { "shape": "bar", "at": [2, 3], "name": "bar" },
    { "shape": "bar", "at": [1, 2], "name": "bar within the hook" },
    { "shape": "ball", "at": [20, 3], "name": "ball" },
    { "shape": "ball", "at": [20, 8], "move": [8, 0], "name": "ball that moves" },
    { "shape": "ball", "at": [30, 8], "name": "ball in its way" }
  ]
}
`;
