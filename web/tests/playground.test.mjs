// Tests of the playground, as a person uses it: type, click, drag, drop files, follow links.

import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';

import { fragmentOf, textOf } from '../playground/link.js';
import { indexOf, placesOf } from '../playground/places.js';
import { Browser } from './browser.mjs';
import { serve } from './server.mjs';
import { golden, read } from './worlds.mjs';

const here = (path) => new URL(path, import.meta.url);
const [DARK, LIGHT] = ['dark', 'light'];
// The colour of pixels that a pair shares.
const SHARED = { [DARK]: [255, 255, 226], [LIGHT]: [26, 16, 38] };

let web;
let browser;
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
  for (let tries = 0; root.dataset.state === 'loading' && tries < 200; tries++) await new Promise((next) => setTimeout(next, 50));
  await new Promise((next) => setTimeout(next, 400));
  await new Promise(requestAnimationFrame);`;

// A page with a window of a size and a scheme of colours.
async function open({ fragment = '', width = 1300, height = 800, ratio = 1, scheme = DARK, on = browser, url = web.url } = {}) {
  await on.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: ratio, mobile: false });
  await on.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  // Only another document loads the page anew.
  await on.visit('about:blank');
  await on.visit(`${url}/web/playground/index.html${fragment}`);
  return found(on);
}

// Returns what the page shows.
function found(on = browser) {
  return on.run(`${SETTLE}
    const text = (id) => document.getElementById(id).textContent;
    const hidden = document.getElementById('problem').hidden;
    return {
      state: root.dataset.state, text: document.getElementById('text').value, href: location.href,
      problem: hidden ? undefined : text('what'), line: document.getElementById('where').hidden ? undefined : text('where'),
      counts: text('counts'), engines: text('engines'), copied: text('copied'), tip: text('tip'),
      pairs: [...document.querySelectorAll('#pairs [data-pair]')].map((row) => row.dataset.pair),
      rows: [...document.querySelectorAll('#pairs button')].map((row) => row.textContent),
      pressed: [...document.querySelectorAll('#pairs [aria-pressed="true"]')].map((row) => row.parentElement.dataset.pair),
      marks: [...document.querySelectorAll('#marks div')].map((mark) => mark.className),
    };`);
}

// Replaces the text as if it were typed.
async function type(text, on = browser) {
  await on.run(`const text = document.getElementById('text'); text.focus(); text.select();`);
  await on.send('Input.insertText', { text });
  return found(on);
}

// Chooses an example.
const choose = (name) => browser.run(`const examples = document.getElementById('examples');
  examples.value = ${JSON.stringify(name)};
  examples.dispatchEvent(new Event('change'));`);

// Drops files on the page: [name, bytes].
async function drop(...files) {
  const list = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  await browser.run(`
    const dataTransfer = new DataTransfer();
    for (const [name, base64] of ${JSON.stringify(list)}) {
      dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name));
    }
    for (const type of ['dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }`);
  return found();
}

// Returns the colours of the picture at points of the world, as red, green and blue.
function colours(points) {
  return browser.run(`
    const canvas = document.getElementById('picture');
    const [zoom, left, top] = canvas.dataset.view.split(' ').map(Number);
    const context = canvas.getContext('2d');
    return ${JSON.stringify(points)}.map(([x, y]) =>
      [...context.getImageData(Math.floor(x * zoom + left), Math.floor(y * zoom + top), 1, 1).data.subarray(0, 3)]);`);
}

// Returns the zoom, and where the world's origin is in the window.
async function view() {
  const [zoom, x, y, ratio] = await browser.run(`
    const canvas = document.getElementById('picture');
    const { left, top } = canvas.getBoundingClientRect();
    const [zoom, x, y] = canvas.dataset.view.split(' ').map(Number);
    return [zoom, x / devicePixelRatio + left, y / devicePixelRatio + top, devicePixelRatio];`);
  return { zoom, x, y, ratio };
}

async function mouse(type, x, y, more = {}) {
  await browser.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1, ...more });
}

async function clickAt(x, y) {
  await mouse('mousePressed', x, y);
  await mouse('mouseReleased', x, y);
}

async function press(key) {
  await browser.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key.length === 1 ? key : undefined });
  await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
}

async function keep(name) {
  if (process.env.HITMASK_PICTURES) await writeFile(`${process.env.HITMASK_PICTURES}/${name}.png`, await browser.picture());
}

// Returns the golden hash of a scene's answer, computed by the page's module from the text.
function hashOfText() {
  return browser.run(`
    const { Engine, Scene } = await import('/web/playground/module/hitmask.js');
    const { hashOf } = await import('/web/tests/golden.js');
    const world = Scene.parse(document.getElementById('text').value).world();
    Engine.cpu().runNow(world, 'details');
    const pairs = Array.from({ length: world.pairCount }, (_, pair) => String(world.pairs.subarray(2 * pair, 2 * pair + 2)));
    return { hash: hashOf(world), pairs };`);
}

const SCENES = (await readdir(here('../../assets/scenes'))).filter((name) => name.endsWith('.json'));
const hashes = new Map(golden.map((line) => line.split(' ')));

test('committed scenes have the answers of the native engines', async (t) => {
  await open();
  for (const name of SCENES) {
    const text = await readFile(here(`../../assets/scenes/${name}`), 'utf8');
    const images = [...new Set([...text.matchAll(/"\.\.\/(\w+\.png)"/g)].map(([, image]) => image))];
    const files = images.map(async (image) => [image, await readFile(here(`../../assets/${image}`))]);
    // Those with a CSV file come as saved worlds.
    const dropped = text.includes('bodies_csv')
      ? await drop([name.replace('.json', '.world'), await read(name.replace('.json', '.world'))])
      : await drop([name, text], ...(await Promise.all(files)));
    assert.equal(dropped.state, 'shown', `${name}: ${dropped.problem}`);
    const { hash, pairs } = await hashOfText();
    assert.equal(hash, hashes.get(name), name);
    assert.deepEqual(dropped.pairs, pairs, name);
    assert.match(dropped.counts, new RegExp(`^\\d+ bodies, ${pairs.length} pairs, `));
    await keep(`playground-${name.replace('.json', '')}`);
    t.diagnostic(`${name}: ${dropped.counts}`);
  }
});

test('each example is a scene', async () => {
  await open();
  const pairs = { 'Sprites and shapes': ['0,1', '2,3', '5,7'], 'Fast bullets': ['0,1', '3,4'], Touching: ['0,1', '1,2', '2,3'] };
  const names = await browser.run(`return [...document.getElementById('examples').options].slice(1).map(({ value }) => value)`);
  assert.deepEqual(Object.keys(pairs), names);
  for (const [name, expected] of Object.entries(pairs)) {
    await choose(name);
    const { state, pairs: shown } = await found();
    assert.deepEqual([state, shown], ['shown', expected], name);
    await keep(`playground-example-${name.toLowerCase().replaceAll(' ', '-')}`);
  }
});

test('a scene is refused in the words of `hitmask check`, with its line', async () => {
  await open();
  for (const { scene, error, line } of JSON.parse(await readFile(here('scenes/refused.json'), 'utf8'))) {
    const { state, problem, line: where, marks } = await type(scene);
    assert.equal(state, 'refused', scene);
    assert.ok([error, `the scene: ${error}`].includes(problem), `${problem}\n${error}`);
    assert.equal(where, line && `Line ${line}`, scene);
    assert.deepEqual(marks, line ? ['wrong'] : [], scene);
    await browser.run(`document.getElementById('where').click()`);
    const at = await browser.run(`return document.getElementById('text').selectionStart`);
    assert.equal(scene.slice(0, at).split('\n').length, line, scene);
  }
  await keep('playground-refused');
  const { state, problem, counts } = await type('{ "shapes": { "s": { "circle": 1 } }, "bodies": [{ "shape": "s", "at": [0, 0] }] }');
  assert.deepEqual([state, problem, counts], ['shown', undefined, '1 body, 0 pairs, 0 of the bodies in a pair']);
});

test('a file that the scene names is said to be out of reach', async () => {
  await open();
  const image = await type('{\n"shapes": { "ship": { "sprite": "../ship.png" } } }');
  assert.match(image.problem, /^shape `ship`: \.\.\/ship\.png: .*; a page reads no files: drop the image here/);
  assert.equal(image.line, 'Line 2');
  const csv = await type('{ "shapes": { "s": { "circle": 1 } }, "bodies_csv": "rows.csv" }');
  assert.match(csv.problem, /`bodies_csv`: rows\.csv: .*; a page reads no files$/);
  const with_image = await drop(['ship.png', await readFile(here('../../assets/ship.png'))]);
  assert.match(with_image.problem, /`bodies_csv`: rows\.csv: /);
});

// A hook and a bar that share two pixels, a bar that is alone, and a ball that crosses it and hits a second one.
const PAIR = `{
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

test('the picture shows painted pixels, shared pixels and hits', async () => {
  for (const scheme of [DARK, LIGHT]) {
    await open({ scheme });
    const { state, pairs, rows, counts } = await type(PAIR);
    assert.equal(state, 'shown');
    assert.deepEqual(pairs, ['0,1', '4,5']);
    assert.equal(counts, '6 bodies, 2 pairs, 4 of the bodies in a pair, 2 pixels in common');
    assert.match(rows[0], /^0 `hook` \(hook\) hits 1 `bar` \(bar\)2 pixels · push \(/);
    assert.match(rows[1], /^4 `ball that moves` \(ball\) hits 5 `ball in its way` \(ball\)tick \d+ of 65536/);
    const middle = ([x, y]) => [x + 0.5, y + 0.5];
    const [shared, other, hook, alone, ground, beside] = await colours([[2, 3], [3, 3], [0, 0], [5, 2], [12, 1], [3, 1]].map(middle));
    assert.deepEqual([shared, other], [SHARED[scheme], SHARED[scheme]]);
    // Bodies that hit are warm, others cool.
    assert.ok(hook[0] > hook[2], `${hook}`);
    assert.ok(alone[2] > alone[0], `${alone}`);
    // Nothing is painted in the hook's mouth.
    const isGround = ([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) < 24 && (scheme === DARK ? r < 40 : r > 230);
    assert.ok(isGround(ground) && isGround(beside), `${ground} ${beside}`);
    // The outlines of balls: cool for the one at rest alone, warm for the other two; the ghost is where they touch.
    const [rest, moving, way, ghost] = await colours([[20, 1], [20, 6], [25.5, 8], [26.0, 6]]);
    assert.ok(rest[2] > rest[0] && moving[0] > moving[2] && way[0] > way[2] && ghost[0] > ghost[2], `${[rest, moving, way, ghost]}`);
    await keep(`playground-pair-${scheme}`);
  }
});

test('pixels are whole and equally large, at any size of the window and of its pixels', async () => {
  for (const [width, height, ratio] of [[1301, 801, 1], [1302, 802, 1], [701, 613, 1], [1111, 777, 1.5], [900, 700, 2]]) {
    await open({ width, height, ratio });
    await type(PAIR);
    const { wide, high, sides, origin, zoom, counts, plain } = await browser.run(`
      const canvas = document.getElementById('picture');
      const stage = document.getElementById('stage');
      const [zoom, left, top] = canvas.dataset.view.split(' ').map(Number);
      const context = canvas.getContext('2d');
      // Without the lines around it: the counts of pixels of the screen in each shared pixel of the world.
      const counts = [2, 3].map((x) => {
        const { data } = context.getImageData(x * zoom + left, 3 * zoom + top, zoom, zoom);
        return Array.from({ length: zoom * zoom }, (_, at) => data[4 * at] === 255 && data[4 * at + 2] === 226).filter(Boolean).length;
      });
      // The numbers of colours within a pixel of the hook, and within one of the ground beside it.
      const plain = [[0, 1], [1, 1]].map(([x, y]) => {
        const { data } = context.getImageData(x * zoom + left + 1, y * zoom + top + 1, zoom - 1, zoom - 1);
        return new Set(new Uint32Array(data.buffer)).size;
      });
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      let all = 0;
      for (let at = 0; at < data.length; at += 4) all += data[at] === 255 && data[at + 1] === 255 && data[at + 2] === 226;
      const [sides, origin] = [[stage.clientWidth, stage.clientHeight], [left, top]];
      return { wide: canvas.width, high: canvas.height, sides, origin, zoom, counts: [...counts, all], plain };`);
    assert.deepEqual([wide, high], sides.map((side) => Math.round(side * ratio)));
    assert.ok([zoom, ...origin].every(Number.isInteger) && zoom >= 8, `${zoom} ${origin}`);
    assert.deepEqual(plain, [1, 1]);
    // A line separates the pixels, a pixel of the screen wide, at two sides of each.
    const clear = (zoom - 1) ** 2;
    assert.deepEqual(counts, [clear, clear, 2 * clear], `${width} x ${height} at ${ratio}`);
  }
  // A window that changes keeps the picture.
  await browser.send('Emulation.setDeviceMetricsOverride', { width: 640, height: 900, deviceScaleFactor: 1, mobile: false });
  await found();
  assert.deepEqual(await colours([[2.5, 3.5]]), [SHARED[DARK]]);
  await keep('playground-narrow');
});

test('a link leads to the same scene, bad or good', async () => {
  await open();
  for (const text of [PAIR.replace('"bar within', '"größer: 船 🚀'), '', '{ "shapes": ', '\t{}\n']) {
    const { href } = await type(text);
    assert.match(href, /#scene=[\w-]+$/);
    const again = await open({ fragment: new URL(href).hash });
    assert.equal(again.text, text);
    assert.equal(again.state, text.includes('bodies') || text.includes('{}') ? 'shown' : 'refused');
  }
});

test('copying gives the link, and the text can be saved', async () => {
  await browser.send('Browser.grantPermissions', { permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
  await open();
  const text = PAIR.replace('hook', 'crook');
  await type(text);
  await browser.run(`document.getElementById('copy').click()`);
  const { copied } = await found();
  assert.match(copied, /^(Copied|It is in the address bar)$/);
  const link = copied === 'Copied' ? await browser.run('return navigator.clipboard.readText()') : (await found()).href;
  assert.equal(await textOf(new URL(link).hash), text);
  const saved = await browser.run(`
    const blob = new Promise((found) => {
      const { createObjectURL } = URL;
      URL.createObjectURL = (blob) => (found(blob), createObjectURL.call(URL, blob));
    });
    addEventListener('click', (event) => event.target.download && event.preventDefault());
    document.getElementById('download').click();
    return (await blob).text();`);
  assert.equal(saved, text);
});

test('a scene that is too long for a link is said to be', async () => {
  await open();
  const numbers = Array.from({ length: 14_000 }, (_, n) => (n * 7919 * 104_729) % 999_983);
  const text = `{ "shapes": { "s": { "circle": 1 } }, "bodies": [{ "shape": "s", "at": [0, 0], "name": "${numbers}" }] }`;
  assert.equal((await type(text)).state, 'shown');
  assert.ok(!(await found()).href.includes('#'));
  await browser.run(`document.getElementById('copy').click()`);
  const { problem, copied, text: kept } = await found();
  assert.match(problem, /^The link would have \d{5,6} characters; the limit is 60000\. Download the scene, and attach the file\.$/);
  assert.deepEqual([copied, kept], ['Too long', text]);
});

test('a link that is broken is named, and shows no scene', async () => {
  const fragment = await fragmentOf(PAIR);
  const swapped = fragment.slice(0, 60) + (fragment[60] === 'A' ? 'B' : 'A') + fragment.slice(61);
  const packed = (bytes) => `#scene=${deflateSync(bytes).toString('base64url')}`;
  const wrong = [
    [fragment.slice(0, -9), /^the link is damaged: its \d+ characters of a scene are not all, or not the right ones$/],
    [swapped, /^the link is damaged: its \d+ characters/],
    ['#scene=', /^the link is damaged: its 0 characters/],
    [`${fragment}.`, /^the link is damaged: `\.` is no character of a scene$/],
    [`#code=abc`, /^the link has `#code=abc` where a scene begins with `#scene=`$/],
    [packed(Buffer.alloc((1 << 24) + 1, ' ')), /^the scene in the link is longer than 16777216 bytes$/],
    [packed(Buffer.of(0x7b, 0xff)), /^the link is damaged: what it holds is not text$/],
  ];
  for (const [link, words] of wrong) {
    const { state, problem, text, pairs } = await open({ fragment: link });
    assert.match(problem ?? '', words);
    assert.deepEqual([state, text, pairs], ['refused', '', []]);
  }
  await keep('playground-broken');
  // The page goes on.
  assert.equal((await type(PAIR)).state, 'shown');
});

test('a link that is pasted replaces the scene, and back brings the one before', async () => {
  await open();
  await type(PAIR);
  const other = PAIR.replace('hook', 'crook');
  await browser.run(`location.hash = ${JSON.stringify(await fragmentOf(other))}`);
  assert.equal((await found()).text, other);
  await choose('Touching');
  assert.match((await found()).text, /"touch": "included"/);
  for (const expected of [other, PAIR]) {
    await browser.run('history.back()');
    assert.equal((await found()).text, expected);
  }
});

test('files that are no scene are refused by name', async () => {
  await open();
  await type(PAIR);
  const saved = await read('corners.world');
  const damaged = Buffer.from(saved);
  damaged[100] ^= 1;
  const png = await readFile(here('../../assets/ship.png'));
  const sprite = '{ "shapes": { "ship": { "sprite": "ship.png" } } }';
  const wrong = [
    [[['damaged.world', damaged]], /^damaged\.world: .*(damaged|digest)/],
    [[['half.world', saved.subarray(0, 99)]], /^half\.world: /],
    [[['a.json', PAIR], ['b.json', PAIR]], /^a\.json, b\.json: more than one scene at once$/],
    [[['other.png', png]], /^other\.png: no shape of the scene has this image$/],
    [[['s.json', sprite], ['ship.png', png.subarray(0, 40)]], /^ship\.png: the image: /],
    [[['noise.bin', Buffer.of(1, 2, 0xff)]], /^noise\.bin: no scene, which is UTF-8 text, no saved world, and no PNG$/],
    [[['large.json', Buffer.alloc((1 << 24) + 1, ' ')]], /^large\.json has 16777217 bytes; the limit here is 16777216: use hitmask check$/],
  ];
  for (const [files, words] of wrong) {
    const { state, problem, text } = await drop(...files);
    assert.match(problem ?? '', words);
    // The text is as before.
    assert.deepEqual([state, text], ['refused', PAIR]);
  }
});

test('a file can be chosen instead of dropped', async () => {
  await open();
  const file = here('../../assets/scenes/corners.json');
  const { root } = await browser.send('DOM.getDocument');
  const { nodeId } = await browser.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#file' });
  await browser.send('DOM.setFileInputFiles', { nodeId, files: [file.pathname] });
  const { state, text } = await found();
  assert.deepEqual([state, text], ['shown', await readFile(file, 'utf8')]);
});

test('bodies and pairs are named, and found in the text', async () => {
  await open();
  await type(PAIR);
  const { zoom, x, y } = await view();
  await mouse('mouseMoved', x + 3.5 * zoom, y + 3.5 * zoom, { button: 'none' });
  assert.equal((await found()).tip, '0 `hook` (hook)\n1 `bar` (bar)\npixel (3, 3)');
  const markedLines = () => browser.run(`return [...document.querySelectorAll('#marks div')].map((mark) => {
    const height = parseFloat(getComputedStyle(document.getElementById('text')).lineHeight);
    return Math.round((parseFloat(mark.style.translate.split(' ')[1]) + document.getElementById('text').scrollTop) / height) + 1;
  })`);
  // The bar is above the hook; the second click goes to what is below.
  for (const [line, pressed] of [[9, ['0,1']], [8, ['0,1']], [9, ['0,1']]]) {
    await clickAt(x + 3.5 * zoom, y + 3.5 * zoom);
    assert.deepEqual((await found()).pressed, pressed);
    assert.deepEqual(await markedLines(), [line]);
  }
  await clickAt(x + 12 * zoom, y - 3 * zoom);
  assert.deepEqual([(await found()).pressed, await markedLines()], [[], []]);
  await browser.run(`document.querySelector('[data-pair="4,5"] button').click()`);
  assert.deepEqual([(await found()).pressed, await markedLines()], [['4,5'], [12, 13]]);
  await keep('playground-chosen');
});

test('the mouse, the wheel and the keys move the picture', async () => {
  await open();
  await type(PAIR);
  const first = await view();
  const { x, y } = { x: first.x + 8 * first.zoom, y: first.y + 5 * first.zoom };
  await mouse('mousePressed', x, y);
  await mouse('mouseMoved', x + 30, y + 20, { buttons: 1 });
  await mouse('mouseReleased', x + 30, y + 20);
  await found();
  const moved = await view();
  assert.deepEqual([moved.zoom, moved.x, moved.y], [first.zoom, first.x + 30, first.y + 20]);
  // The point below the mouse stays.
  const at = [x + 30, y + 20];
  await browser.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: at[0], y: at[1], deltaX: 0, deltaY: 120 });
  await found();
  const farther = await view();
  assert.ok(farther.zoom < moved.zoom);
  const stays = (view) => (at[0] - view.x) / view.zoom - (at[0] - moved.x) / moved.zoom;
  assert.ok(Math.abs(stays(farther)) <= 1 / farther.zoom, `${stays(farther)}`);
  await browser.run(`document.getElementById('picture').focus()`);
  for (const [key, change] of [['ArrowRight', [-40, 0]], ['ArrowDown', [0, -40]], ['ArrowLeft', [40, 0]], ['ArrowUp', [0, 40]]]) {
    const before = await view();
    await press(key);
    await found();
    const after = await view();
    assert.deepEqual([after.x - before.x, after.y - before.y], change, key);
  }
  await press('+');
  await found();
  assert.ok((await view()).zoom > farther.zoom);
  await press('0');
  await found();
  assert.deepEqual(await view(), first);
  // An edit leaves the picture where it was moved to.
  await press('-');
  await found();
  const before = await view();
  await type(PAIR.replace('[30, 8]', '[300, 8]'));
  assert.deepEqual(await view(), before);
  // Another scene is shown whole.
  await drop(['pair.json', PAIR]);
  assert.deepEqual(await view(), first);
});

test('fingers move the picture, and change its size', async () => {
  await open();
  await type(PAIR);
  const first = await view();
  const [x, y] = [first.x + 8 * first.zoom, first.y + 5 * first.zoom];
  const touch = (type, ...fingers) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map(([x, y], id) => ({ x, y, id })) });
  await touch('touchStart', [x, y]);
  await touch('touchMove', [x - 10, y + 50]);
  await touch('touchEnd');
  await found();
  const moved = await view();
  assert.deepEqual([moved.zoom, moved.x, moved.y], [first.zoom, first.x - 10, first.y + 50]);
  await touch('touchStart', [x - 20, y], [x + 20, y]);
  await touch('touchMove', [x - 40, y], [x + 40, y]);
  await touch('touchEnd');
  await found();
  const closer = await view();
  assert.ok(closer.zoom > moved.zoom, `${closer.zoom}`);
  // The point between the fingers stays.
  assert.ok(Math.abs((x - closer.x) / closer.zoom - (x - moved.x) / moved.zoom) <= 1, `${closer.x} ${moved.x}`);
  // No finger has clicked.
  assert.deepEqual((await found()).pressed, []);
});

test('a page that reads many scenes needs no more memory', async () => {
  await open();
  const size = (count) => browser.run(`
    const { default: init } = await import('/web/playground/module/hitmask.js');
    const { memory } = await init();
    const { Step } = await import('/web/playground/step.js');
    for (let n = 0; n < ${count}; n++) {
      new Step(${JSON.stringify(PAIR)}).free();
      try { new Step('{ "bodies": [{ "shape": "s", "at": [0, 0] }] }'); } catch {}
    }
    return memory.buffer.byteLength;`);
  const before = await size(100);
  assert.equal(await size(2000), before);
});

test('the places of shapes and bodies are found whatever the text looks like', () => {
  const text = '{"bodies":[ {"shape":"a", "at":[1,2]},{"name":"x\\"}]"}\n],\r\n' +
    '"shapes" : {"a" : {"polygon":[[0,0]]}, "b\\n\\"":{"circle": 1}}}';
  const { bodies, shapes } = placesOf(text);
  assert.deepEqual(bodies.map(([from, to]) => text.slice(from, to)), ['{"shape":"a", "at":[1,2]}', '{"name":"x\\"}]"}']);
  const found = [...shapes].map(([name, [from, to]]) => [name, text.slice(from, to)]);
  assert.deepEqual(found, [['a', '{"polygon":[[0,0]]}'], ['b\n"', '{"circle": 1}']]);
  // The library counts bytes: 2, 3 and 4 for these.
  assert.deepEqual([1, 3, 6, 10, 99].map((column) => indexOf('\nö船🚀x\n', 2, column)), [1, 2, 3, 5, 6]);
});

test('the GPU is compared with the CPU, and a difference is seen', async () => {
  const WAIT = `for (let tries = 0; document.getElementById('engines').textContent.includes('comparing') && tries < 1200; tries++) {
    await new Promise((next) => setTimeout(next, 50));
  }`;
  const stub = (flags, ...pairs) => `
    const answer = { flags: Uint32Array.of(${flags}), pairs: Uint32Array.of(${pairs}), pairCount: ${pairs.length / 2}, detail: () => ({}) };
    const World = { load: () => ({ ...answer, free() {} }) };
    export const Hitmask = { create: async () => ({ World, device: 'stub', run: async () => {} }) };`;
  const broken = 'export const Hitmask = { create: async () => { throw new Error("no module"); } };';
  const cases = [
    [{}, /GPU: .+: the same answer\.$/],
    [{ '/web/dist/hitmask.js': stub('0b010011') }, /GPU: stub: other bodies hit\.$/],
    [{ '/web/dist/hitmask.js': stub('0b110011', 0, 1) }, /GPU: stub: 1 pairs, not 2\.$/],
    [{ '/web/dist/hitmask.js': stub('0b110011', 0, 5, 1, 4) }, /GPU: stub: no pair 0 and 1\.$/],
    [{ '/web/dist/hitmask.js': stub('0b110011', 0, 1, 4, 5) }, /GPU: stub: other details of the pair 0 and 1\.$/],
    [{ '/web/dist/hitmask.js': broken }, /GPU: not compared: no module\.$/],
  ];
  for (const [instead, words] of cases) {
    const other = await serve(instead);
    const on = await Browser.open({ webgpu: true }).catch((error) => (other.server.close(), Promise.reject(error)));
    try {
      await open({ on, url: other.url, fragment: await fragmentOf(PAIR) });
      await on.run(WAIT);
      const { engines, state } = await found(on);
      assert.match(engines, words);
      assert.equal(state, 'shown');
    } finally {
      other.server.close();
      await on.close();
    }
  }
  const { engines } = await open();
  assert.match(engines, /^CPU: 1 thread, simd128\. GPU: none in this browser\.$/);
});

test('a page whose module is missing, broken or out of memory says so', async () => {
  const traps = `export default async () => {};
    export const Engine = { cpu() {} };
    export const Scene = { parse() { throw new WebAssembly.RuntimeError('unreachable'); } };`;
  const wrong = [
    ['export default async () => { throw new Error("broken"); };', /^The page has failed: broken$/],
    ['not a module', /^The page has failed: ./],
    [traps, /^The library has stopped: unreachable\. Reload the page\.$/],
  ];
  for (const [module, words] of wrong) {
    const other = await serve({ '/web/playground/module/hitmask.js': module });
    try {
      const { state, problem } = await open({ url: other.url });
      assert.equal(state, 'stopped');
      assert.match(problem, words);
    } finally {
      other.server.close();
    }
  }
});
