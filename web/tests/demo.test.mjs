// Tests of the demo on a page: what it draws, and what mouse, keys, fingers and files do.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Browser } from './browser.mjs';
import { Page, STILL, browsers, dropping, pause, saveHere } from './demo.mjs';

const repository = (path) => readFile(new URL(`../../${path}`, import.meta.url));
const canvasSize = (page) => page.browser.run(`const { width, height } = document.getElementById('canvas'); return [width, height];`);

test('it opens, draws by WebGPU or else by WebGL 2, and goes on', async (t) => {
  for (const [drawn, browser] of Object.entries(browsers)) {
    const page = await Page.open(browser);
    const first = await page.found();
    t.diagnostic(`${drawn}: a first picture after ${Math.round(await browser.run('return performance.now()'))} ms`);
    assert.deepEqual([first.state, first.scene, first.bodies, first.drawn, first.error], ['shown', 'Bullet hell', 2000, drawn, '']);
    // Counts change: those of the step, and of pairs.
    const pairs = new Set();
    for (let step = first.step; pairs.size < 3; step++) pairs.add((await page.until('a step', (found) => found.step > step)).pairs);
    await page.keep(`demo-${drawn}`);
    assert.deepEqual(browser.console, []);
  }
});

test('its pictures are those of the native demo, at the same step', async (t) => {
  // The arguments are those of demo/tests/window.rs, which compares the same pictures.
  const scenes = {
    'bullet-hell': 'lit&bodies=400&view=80,40,2',
    asteroids: 'bodies=60&view=230,90,2',
    pinball: 'lit&bodies=50&view=-20,40,2',
    letters: 'lit&bodies=24&view=-2,0,2',
    tunnelling: 'lit&bodies=30&view=0,130,2',
    cave: 'view=0,0,1',
    laser: 'view=-20,0,1',
  };
  for (const [drawn, browser] of Object.entries(browsers)) {
    for (const [scene, more] of Object.entries(scenes)) {
      const page = await Page.open(browser, `?scene=${scene}&paused&no-panel&bounds&candidates&${more}`, { width: 480, height: 320 });
      await page.steps(119);
      const picture = await page.saved('F12');
      const native = await repository(`demo/tests/pictures/${scene}.png`);
      const differing = await page.difference(picture, native, 1);
      t.diagnostic(`${drawn}, ${scene}: ${differing} pixels of ${480 * 320} differ by more than 1`);
      // Edges of lines are drawn with floats.
      assert.ok(differing < 300, `${drawn}, ${scene}: ${differing}`);
      await page.keep(`demo-${scene}-${drawn}`);
    }
  }
});

/** Waits until the GPU engine is there, whose shaders a browser compiles in software here. */
const onGpu = (page) => page.until('the GPU engine', (found) => found.engine === 'GPU', 120);

test('where there is WebGPU, the GPU engine computes the same', async (t) => {
  // The first scene has the arguments of demo/tests/window.rs. One page shows all, so that the shaders are compiled once.
  const query = '?scene=bullet-hell&paused&no-panel&bounds&candidates&lit&bodies=400&view=80,40,2';
  const cpu = await Page.open(browsers['WebGL 2'], query, { width: 480, height: 320 });
  const gpu = await Page.open(browsers.WebGPU, `${query}&backend=gpu`, { width: 480, height: 320 });
  await onGpu(gpu);
  t.diagnostic(`on the GPU after ${Math.round(await gpu.browser.run('return performance.now()'))} ms`);
  // The native picture is of step 119. The others are compared with the page on the CPU.
  for (const [key, scene, count] of [['', 'Bullet hell', 119], ['2', 'Asteroids', 30], ['3', 'Pinball', 30], ['6', 'Cave', 30]]) {
    for (const page of [cpu, gpu]) {
      if (key !== '') await page.press(key);
      await page.until(scene, (found) => found.scene === scene && found.step === 0);
      await page.steps(count, 120);
    }
    const { pairs, engine } = await cpu.found();
    // In the cave nothing hits: the player slides.
    assert.deepEqual([pairs > 0, engine], [scene !== 'Cave', 'CPU'], `${scene}: ${pairs} pairs`);
    await gpu.until(`${pairs} pairs on the GPU`, (found) => found.pairs === pairs && found.engine === 'GPU');
    const right = key === '' ? await repository('demo/tests/pictures/bullet-hell.png') : await cpu.saved('F12');
    const differing = await gpu.difference(await gpu.saved('F12'), right, 1);
    assert.ok(differing < 300, `${scene}: ${differing} pixels differ`);
    await gpu.keep(`demo-${scene}-gpu`);
  }
  for (const page of [cpu, gpu]) assert.deepEqual(page.browser.console, []);
});

test('on the GPU engine it plays, lit or not, and bodies are dragged', async () => {
  const browser = browsers.WebGPU;
  const script = `window.texts = new Set(); setInterval(() => texts.add(document.getElementById('canvas')?.ariaLabel), 50);`;
  const page = await Page.open(browser, '?backend=gpu&bodies=300&no-panel', { script });
  // A bad file meanwhile does not change the choice.
  await page.drop(['bad.json', '{']);
  await page.until('the error', (found) => /^bad\.json/.test(found.error));
  await onGpu(page);
  // Until the shaders were compiled, the CPU played.
  const texts = await browser.run('return [...texts];');
  assert.ok(texts.some((text) => /: step [1-9].*, engine CPU,/.test(text)), texts.join(' | '));
  const dragged = [];
  for (const lit of ['', 'lit']) {
    if (lit) {
      await page.press('l');
      await page.press(' ');
    }
    // It plays on while a body, or else the ground, is dragged, also where steps need the last answer.
    for (const [key, scene] of [['3', 'Pinball'], ['1', 'Bullet hell']]) {
      await page.press(key);
      const { step } = await page.until(scene, (found) => found.scene === scene);
      await page.mouse('mouseMoved', 400, 300, { button: 'none' });
      await page.mouse('mousePressed', 400, 300);
      let x = 400;
      await page.until('steps', async (found) => {
        x = x === 400 ? 401 : 400;
        await page.mouse('mouseMoved', x, 300, { buttons: 1 });
        return found.step > step + 10;
      });
      await page.mouse('mouseReleased', x, 300);
    }
    // Steps that wait belong to the scene that was there.
    await page.press(' ');
    for (let k = 0; k < 5; k++) await page.press('n');
    await page.press('r');
    await page.until('the beginning', (found) => found.step === 0);
    assert.equal((await page.atRest()).step, 0);
    await page.press(' ');
    const pairs = new Set();
    for (let { step } = await page.found(); pairs.size < 3; step++) {
      pairs.add((await page.until('a step', (found) => found.step > step)).pairs);
    }
    await page.press(' ');
    await page.drop(['still.json', STILL]);
    await page.until('the file', (found) => found.scene === 'still.json' && found.pairs === 1);
    // The ball onto the ring and the tile.
    const [x, y] = BALL;
    await page.drag(BALL, [x - 38 * ZOOM, y - 9 * ZOOM]);
    await page.until('the ball on both', (found) => found.pairs === 3);
    dragged.push(await page.saved('F12'));
    assert.equal((await page.found()).engine, 'GPU');
    await page.keep(`demo-dragged-gpu${lit}`);
  }
  const [unlit, lit] = dragged;
  assert.ok((await page.difference(unlit, lit, 1)) > 100);
  await page.press('g');
  await page.until('the CPU', (found) => found.engine === 'CPU' && found.pairs === 3);
  assert.equal(await page.difference(lit, await page.saved('F12'), 0), 0);
  await page.press('l');
  assert.equal(await page.difference(unlit, await page.saved('F12'), 0), 0);
  assert.deepEqual(browser.console, []);
});

/** Lays the page out late, so that the device opens late. */
const late = `window.ResizeObserver = class extends ResizeObserver {
  constructor(call) { super((...all) => setTimeout(() => call(...all), 1500)); }
};`;

test('a page that is laid out late shows the same part of the world', async () => {
  const query = '?scene=letters&paused&no-panel&bounds&candidates&lit&bodies=24&view=-2,0,2';
  const page = await Page.open(browsers['WebGL 2'], query, { width: 480, height: 320, script: late });
  await page.steps(119);
  const differing = await page.difference(await page.saved('F12'), await repository('demo/tests/pictures/letters.png'), 1);
  assert.ok(differing < 300, `${differing}`);
});

test('a file that is dropped before the device is open is shown then', async () => {
  // Before the demo starts, and after, when its canvas has the focus.
  for (const focus of ['body', '#canvas']) {
    const script = `${late}
      addEventListener('DOMContentLoaded', () => {
        const look = setInterval(() => {
          if (!document.activeElement.matches('${focus}')) return;
          clearInterval(look);
          window.state = document.documentElement.dataset.state;
          ${dropping(['still.json', STILL])}
        });
      });`;
    const page = await Page.open(browsers['WebGL 2'], '?bodies=300&no-panel', { script });
    await page.until('the file', (found) => found.scene === 'still.json' && found.bodies === 3);
    assert.equal(await page.browser.run('return window.state'), 'loading');
    assert.deepEqual(page.browser.console, []);
  }
});

test('keys and the panel choose scenes and numbers', async () => {
  const page = await Page.open(browsers['WebGL 2'], '?bodies=300');
  for (const [key, scene] of [['2', 'Asteroids'], ['6', 'Cave'], ['7', 'Laser'], ['1', 'Bullet hell']]) {
    await page.press(key);
    await page.until(scene, (found) => found.scene === scene && found.step > 2);
  }
  // A label of the panel, which is 332 points wide: by the mouse, and by a finger.
  const label = [900 - 332 + 114, 68];
  await page.click(...label);
  await page.until('Cave', (found) => found.scene === 'Cave');
  await page.press('2');
  await page.until('Asteroids', (found) => found.scene === 'Asteroids');
  await page.touch([label]);
  await page.until('Cave', (found) => found.scene === 'Cave');
  await page.press(' ');
  const { step } = await page.atRest();
  await page.press('n');
  await page.until('one step', (found) => found.step === step + 1);
  await page.press('3');
  const few = await page.until('Pinball', (found) => found.scene === 'Pinball');
  await page.press('+');
  await page.until('more bodies', (found) => found.bodies > few.bodies);
  // The panel goes and comes by the button.
  const shown = await page.browser.picture();
  const differs = async () => page.difference(shown, await page.browser.picture(), 20);
  await page.click(30, 20);
  await page.until('no panel', async () => (await differs()) > 10_000);
  await page.click(30, 20);
  await page.until('the panel', async () => (await differs()) < 10_000);
  assert.deepEqual(page.browser.console, []);
});

test('the CPU, auto and the reference answer alike; without WebGPU there is no GPU engine', async () => {
  const page = await Page.open(browsers['WebGL 2'], '?bodies=300&paused&no-panel');
  const { pairs, engine } = await page.steps(20);
  assert.ok(pairs > 5, `${pairs}`);
  assert.equal(engine, 'CPU');
  const refused = /: the GPU engine needs WebGPU, with its default limits: use the CPU engine$/;
  for (const [engine, words] of [['auto', /^$/], ['reference', /^$/], ['reference', refused]]) {
    await page.press('g');
    const found = await page.until(`${engine} ${words}`, (found) => found.engine === engine && words.test(found.error));
    assert.equal(found.pairs, pairs);
  }
});

// Where the window shows the ball of STILL, at 12 pixels for each of the world's, and what its position is.
const [BALL, AT, ZOOM] = [[657, 325], [60.5, 30.25], 12];
const ballOf = async (page) => (await page.bodies())[2].at;

async function openStill(browser) {
  const page = await Page.open(browser, '?paused&no-panel');
  await page.drop(['still.json', STILL]);
  await page.until('the scene', (found) => found.scene === 'still.json' && found.bodies === 3);
  return page;
}

test('the mouse drags a body, and the view', async () => {
  const page = await openStill(browsers['WebGL 2']);
  assert.deepEqual(await ballOf(page), AT);
  const [x, y] = BALL;
  await page.drag(BALL, [x + 48, y - 36]);
  assert.deepEqual(await ballOf(page), [AT[0] + 48 / ZOOM, AT[1] - 36 / ZOOM]);
  // The right button moves the view, and with it the ball.
  await page.mouse('mousePressed', 100, 500, { button: 'right' });
  await page.mouse('mouseMoved', 60, 480, { button: 'right', buttons: 2 });
  await page.mouse('mouseReleased', 60, 480, { button: 'right' });
  await page.drag([x + 8, y - 56], [x + 8 - 48, y - 56 + 36]);
  assert.deepEqual(await ballOf(page), AT);
  // The wheel zooms about the pointer.
  await page.browser.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: x - 40, y: y - 20, deltaX: 0, deltaY: -40 });
  await page.drag([x - 40, y - 20], [x - 40 + 32, y - 20]);
  assert.deepEqual(await ballOf(page), [AT[0] + 32 / 16, AT[1]]);
});

test('a finger drags a body or the view, and two zoom it', async () => {
  const page = await openStill(browsers['WebGL 2']);
  const [x, y] = BALL;
  await page.touch([BALL], [[x + 24, y - 18]], [[x + 48, y - 36]]);
  assert.deepEqual(await ballOf(page), [AT[0] + 48 / ZOOM, AT[1] - 36 / ZOOM]);
  // On the ground, the view.
  await page.touch([[100, 500]], [[80, 490]], [[52, 536]]);
  await page.touch([BALL], [[x - 24, y + 18]], [[x - 48, y + 36]]);
  assert.deepEqual(await ballOf(page), AT);
  // Fingers twice as far apart: three levels, to 24 pixels. A finger that stays drags nothing.
  const [ballX, ballY] = [x - 48, y + 36];
  const apart = (by) => [[ballX - by, ballY], [ballX + by, ballY]];
  await page.touch([[ballX - 40, ballY]], apart(40), apart(50), apart(60), apart(80), [[ballX - 80, ballY]]);
  assert.deepEqual(await ballOf(page), AT);
  await page.touch([[ballX, ballY]], [[ballX + 20, ballY]], [[ballX + 48, ballY - 24]]);
  assert.deepEqual(await ballOf(page), [AT[0] + 2, AT[1] - 1]);
  // Both fingers move alike.
  const both = (byX, byY) => apart(80).map(([fingerX, fingerY]) => [fingerX + byX, fingerY + byY]);
  await page.touch([both(0, 0)[0]], both(0, 0), both(-16, 12), both(-30, 24));
  const [from, to] = [[ballX + 48 - 30, ballY], [ballX, ballY]];
  await page.drag(from, to);
  assert.deepEqual(await ballOf(page), [AT[0] + 2 + (to[0] - from[0]) / 24, AT[1] - 1 + (to[1] - from[1]) / 24]);
});

test('keys for fingers play the cave', async () => {
  const page = await Page.open(browsers['WebGL 2'], '?scene=cave&paused&no-panel', { width: 500 });
  const hero = async () => (await page.bodies()).find(({ shape }) => shape === 'hero').at[0];
  const before = await hero();
  const left = `document.querySelector('[data-key="ArrowLeft"]')`;
  const send = (type) => page.browser.run(`${left}.dispatchEvent(new PointerEvent('${type}'))`);
  const isShown = () => page.browser.run(`return getComputedStyle(document.getElementById('pad')).display === 'flex'`);
  assert.ok(await isShown());
  await send('pointerdown');
  await page.steps(10);
  await send('pointerup');
  // As the key of the window, in demo/tests/window.rs.
  const after = await hero();
  assert.ok(Math.abs(before - after - 14) < 0.5, `${before} ${after}`);
  await page.steps(5);
  assert.equal(await hero(), after);
  // Other scenes have no such keys.
  await page.press('2');
  await page.until('asteroids', (found) => found.scene === 'Asteroids');
  assert.ok(!(await isShown()));
});

test('a key for fingers that is hidden comes up', async () => {
  const script = `
    window.keys = [];
    for (const type of ['keydown', 'keyup']) addEventListener(type, ({ key }) => window.keys.push([type, key]), { capture: true });`;
  const page = await Page.open(browsers['WebGL 2'], '?scene=cave&paused&no-panel', { width: 500, script });
  await page.browser.run(`document.querySelector('[data-key="ArrowLeft"]').dispatchEvent(new PointerEvent('pointerdown'))`);
  await page.press('2');
  const all = [['keydown', 'ArrowLeft'], ['keydown', '2'], ['keyup', '2'], ['keyup', 'ArrowLeft']];
  const keys = () => page.browser.run('return window.keys');
  await page.until('all keys', async () => (await keys()).length === all.length);
  assert.deepEqual((await keys()).sort(), all.sort());
});

test('a narrow page has no panel at first, so it shows errors itself', async () => {
  for (const [width, words] of [[719, /^bad\.json/], [721, /^$/]]) {
    const page = await Page.open(browsers['WebGL 2'], '?bodies=100&paused', { width });
    await page.steps(1);
    const before = await page.browser.picture();
    await page.drop(['bad.json', '{']);
    const differs = async () => page.difference(before, await page.browser.picture(), 60);
    // The error is on the page or in the panel.
    await page.until('an error', async () => (await differs()) > 300);
    assert.match((await page.found()).error, words);
    await page.keep(`demo-error-${width}`);
    // Escape does nothing.
    await page.press('Escape');
    await page.steps(1);
  }
});

test('an error of files goes with the scene that it is about, or with a click', async () => {
  const page = await Page.open(browsers['WebGL 2'], '?bodies=100&paused&no-panel');
  const refuse = async () => {
    await page.drop(['a.json', STILL], ['b.json', STILL]);
    await page.until('the error', (found) => /^2 files at once that do not name each other/.test(found.error));
    await page.steps(2);
    assert.match((await page.found()).error, /^2 files at once that do not name each other/);
  };
  await refuse();
  await page.press('2');
  await page.until('no error', (found) => found.scene === 'Asteroids' && found.error === '');
  await refuse();
  await page.click(200, 300);
  await page.until('no error', (found) => found.error === '');
});

test('keys of the browser are left to it', async () => {
  // What becomes of each key: whether the demo prevents the browser's action.
  const script = `
    window.keys = [];
    addEventListener('keydown', (event) => {
      if (event.isTrusted) setTimeout(() => window.keys.push([event.key, event.defaultPrevented]));
    }, { capture: true });`;
  const page = await Page.open(browsers['WebGL 2'], '?scene=asteroids&bodies=20&paused&no-panel', { script });
  const { step } = await page.steps(3);
  const [ALT, CONTROL, META, SHIFT] = [1, 2, 4, 8];
  const given = [['r', CONTROL], ['F5'], ['+', CONTROL], ['ArrowLeft', ALT], ['r', META], ['Tab'], ['Tab', SHIFT]];
  for (const [key, modifiers] of given) await page.press(key, modifiers);
  // The demo's own, after which it has seen those before. Tabs have moved the focus.
  await page.browser.run(`document.getElementById('canvas').focus()`);
  await page.press('n');
  await page.until('one step', (found) => found.step === step + 1);
  // Timers run in their order, but not at once if there is much to draw.
  const keys = await page.browser.run('return new Promise((done) => setTimeout(() => done(window.keys)))');
  assert.deepEqual(keys, [...given.map(([key]) => [key, false]), ['n', true]]);
});

test('a key that goes down alone comes up, also with Control', async () => {
  const page = await Page.open(browsers['WebGL 2'], '?scene=cave&paused&no-panel');
  const hero = async () => (await page.bodies()).find(({ shape }) => shape === 'hero').at[0];
  const before = await hero();
  await page.key('keyDown', 'ArrowLeft');
  await page.steps(10);
  await page.key('keyDown', 'Control', 2);
  await page.key('keyUp', 'ArrowLeft', 2);
  await page.key('keyUp', 'Control');
  const after = await hero();
  assert.ok(Math.abs(before - after - 14) < 0.5, `${before} ${after}`);
  await page.steps(5);
  assert.equal(await hero(), after);
});

test('files that are dropped open, and bad ones are errors on the page', async () => {
  const page = await Page.open(browsers['WebGL 2'], '?bodies=100&no-panel');
  const goesOn = async (error) => {
    const { step, scene } = await page.until(`${error}`, (found) => error.test(found.error));
    assert.equal(scene, 'Bullet hell');
    await page.until('a step', (found) => found.step > step);
  };
  await page.drop(['bad.json', '{ "shapes": { "s": { "circle": 1 } },\n  "bodies": [{ "shape": "s", "at": [0] }] }']);
  await goesOn(/^bad\.json: .*line 2/);
  await page.drop(['none.json', '{ "bodies": [{ "shape": "ball", "at": [0, 0] }] }']);
  await goesOn(/^none\.json: body 0 \(ball\): there is no shape `ball`/);
  await page.drop(['bytes', Uint8Array.of(0xff, 0xfe, 0)]);
  await goesOn(/^bytes is no scene: it is not UTF-8 text/);
  await page.drop(['csv.json', '{ "shapes": { "s": { "circle": 1 } }, "bodies_csv": "bodies.csv" }']);
  await goesOn(/^csv\.json: `bodies_csv`: bodies\.csv: [^:]*$/);
  await page.drop(['a.json', STILL], ['b.json', STILL]);
  await goesOn(/^2 files at once that do not name each other/);
  const ship = '{ "shapes": { "ship": { "sprite": "art/ship.png" } }, "bodies": [{ "shape": "ship", "at": [0, 0] }] }';
  await page.drop(['ship.json', ship]);
  await goesOn(/^ship\.json: shape `ship`: art\/ship\.png is not here/);
  await page.drop(['ship.json', ship], ['ship.png', await repository('assets/ship.png')]);
  await page.until('the ship', (found) => found.scene === 'ship.json' && found.bodies === 1 && found.error === '');
  await page.keep('demo-ship');
  // The file that a person chooses with the button.
  const { root } = await page.browser.send('DOM.getDocument');
  const { nodeId } = await page.browser.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#file' });
  const files = [fileURLToPath(new URL('../../demo/tests/still.json', import.meta.url))];
  await page.browser.send('DOM.setFileInputFiles', { nodeId, files });
  await page.until('the other scene', (found) => found.scene === 'still.json' && found.bodies === 3);
  // Dropped again, it is read again.
  const less = JSON.parse(STILL);
  less.bodies.pop();
  await page.drop(['still.json', JSON.stringify(less)]);
  await page.until('fewer bodies', (found) => found.scene === 'still.json' && found.bodies === 2);
  // An artist's sheet, and a level with the files that it names.
  await page.drop(['hero.aseprite', await repository('files/assets/hero.aseprite')]);
  await page.until('the sheet', (found) => /hero\.aseprite/.test(found.text));
  await page.keep('demo-sheet');
  assert.deepEqual(page.browser.console, []);
});

test('the browser asks before a page with unsaved changes is left', async () => {
  const page = await Page.open(browsers['WebGL 2']);
  const asks = (expected) => page.until(`asks: ${expected}`, async () => {
    const asks = await page.browser.run("return !dispatchEvent(new Event('beforeunload', { cancelable: true }));");
    return asks === expected;
  });
  await page.drop(['hero.aseprite', await repository('files/assets/hero.aseprite')]);
  await page.until('the sheet', (found) => /hero\.aseprite/.test(found.text));
  await asks(false);
  // A box is drawn, which then waits for its name, and deleted.
  await page.drag([100, 100], [200, 200]);
  await asks(true);
  await page.press('Enter');
  await page.press('Delete');
  await asks(false);
  assert.deepEqual(page.browser.console, []);
  // With a box again, it asks. The tests' browser answers that the page is left.
  await page.drag([100, 100], [200, 200]);
  await asks(true);
  assert.deepEqual(page.browser.dialogs, []);
  await Page.open(page.browser);
  assert.deepEqual(page.browser.dialogs.splice(0), ['beforeunload']);
});

test('a replay is saved', async () => {
  const page = await Page.open(browsers['WebGL 2'], '?scene=asteroids&bodies=20&paused&no-panel');
  await page.press('o');
  await page.steps(3);
  const replay = `${await page.saved('o')}`.trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(replay.length, 5);
  assert.equal(replay[0].bodies.length, (await page.found()).bodies);
});

test('it follows the size of the page', async () => {
  for (const browser of Object.values(browsers)) {
    const page = await Page.open(browser, '?bodies=300', { width: 900, height: 600 });
    assert.deepEqual(await canvasSize(page), [900, 600]);
    for (const [width, height] of [[640, 480], [1200, 700], [900, 600]]) {
      await page.browser.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 0, mobile: false });
      await page.until('the size', () => canvasSize(page).then((size) => size[0] === width && size[1] === height));
      const { step } = await page.found();
      await page.until('a step', (found) => found.step > step + 1);
      await page.keep(`demo-${width}x${height}`);
    }
    assert.deepEqual(browser.console, []);
  }
});

test('on a screen with two pixels for each of the page, it draws and drags by its pixels', async () => {
  const browser = await Browser.open({ webgpu: false, more: ['--force-device-scale-factor=2'] });
  try {
    await saveHere(browser);
    const page = await openStill(browser);
    assert.deepEqual(await canvasSize(page), [1800, 1200]);
    // Scenes are drawn with at most 16 pixels, and sizes of the page are half of that.
    await page.drag([450 + (60.5 - 43.25) * 8, 300 + (30.25 - 28.125) * 8], [450 + (60.5 - 43.25) * 8 + 40, 300 + (30.25 - 28.125) * 8]);
    assert.deepEqual(await ballOf(page), [AT[0] + 5, AT[1]]);
    await page.keep('demo-ratio');
  } finally {
    await browser.close();
  }
});

test('a page that is hidden rests, and comes back without the steps of the time between', async () => {
  for (const browser of Object.values(browsers)) {
    const page = await Page.open(browser, '?bodies=300&no-panel');
    await page.until('steps', (found) => found.step > 5);
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
    await browser.send('Target.activateTarget', { targetId });
    await page.until('it is hidden', () => browser.run('return document.hidden'));
    const { step } = await page.found();
    await pause(2000);
    const { step: later } = await page.found();
    assert.ok(later <= step + 1, `${step} ${later}`);
    await browser.send('Target.closeTarget', { targetId });
    const back = await page.until('a step', (found) => found.step > later);
    // Two seconds are 120 steps.
    assert.ok(back.step < later + 60, `${later} ${back.step}`);
  }
});

test('without an adapter WebGPU is not used; without WebGL 2 too, the page says so', async () => {
  const noAdapter = `Object.defineProperty(navigator, 'gpu', { value: { requestAdapter: async () => null } });`;
  const page = await Page.open(browsers['WebGL 2'], '?bodies=300', { script: noAdapter });
  assert.equal((await page.found()).drawn, 'WebGL 2');
  const noContext = `HTMLCanvasElement.prototype.getContext = () => null;`;
  const none = await Page.open(browsers['WebGL 2'], '', { script: noContext });
  const { state, error } = await none.found();
  assert.equal(state, 'stopped');
  assert.match(error, /^The demo cannot start: .*neither WebGPU nor WebGL 2/);
  assert.doesNotMatch(error, /Reload/);
});

test('options of the address that are wrong are errors on the page', async () => {
  for (const [query, words] of [
    ['?frames=3', /there is no option `frames`; available: scene, bodies/],
    ['?backend=gpu', /the GPU engine needs WebGPU, with its default limits/],
    ['?bodies=many', /invalid value 'many' for '--bodies <N>'/],
    ['?scene=lost.json', /lost\.json was not dropped on this page/],
  ]) {
    const page = await Page.open(browsers['WebGL 2'], query);
    const { state, error } = await page.found();
    assert.deepEqual([state, words.test(error)], ['stopped', true], error);
  }
});

test('a GPU that is lost stops the demo, and the page says so', async () => {
  const losses = {
    WebGPU: [
      (browser) => browser.send('Browser.crashGpuProcess'),
      /^The demo has stopped: the device was lost: .*[^.]\. Reload the page\.$/,
    ],
    'WebGL 2': [
      (browser) => browser.run(`document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext();`),
      /^The demo has stopped: the browser has taken WebGL back\. Reload the page\.$/,
    ],
  };
  for (const [drawn, [lose, words]] of Object.entries(losses)) {
    const page = await Page.open(browsers[drawn], '?bodies=300');
    await lose(page.browser);
    await page.until('it stops', (found) => found.state === 'stopped' && words.test(found.error));
    await pause(300);
    assert.equal((await page.found()).state, 'stopped');
  }
});

test('a trap stops the demo, and the page says so', async () => {
  const page = await Page.open(browsers['WebGL 2'], '?bodies=300');
  await page.browser.run(`setTimeout(() => { throw new WebAssembly.RuntimeError('unreachable'); })`);
  const { error } = await page.until('it stops', (found) => found.state === 'stopped');
  assert.equal(error, 'The demo has stopped: unreachable. Reload the page.');
});
