// Tests of the playground: scenes, and the errors of their text.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';

import { indexOf, placesOf } from '../playground/places.js';
import { PAIR, browser, choose, drop, found, keep, open, type } from './playground.mjs';
import { golden, read } from './worlds.mjs';

const here = (path) => new URL(path, import.meta.url);

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
  const names = await browser.run(`return [...document.getElementById('examples').options].map(({ value }) => value)`);
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
  assert.deepEqual([state, problem, counts], ['shown', undefined, '1 body, 0 pairs, 0 bodies hit']);
});

test('the place of an error in a long line is scrolled into view', async () => {
  await open();
  const bodies = Array.from({ length: 100 }, (_, n) => `{"shape":"s",\t"at":[${n},0],"name":"船"}`);
  const line = `{"shapes":{"s":{"circle":1}},"bodies":[${bodies.join().replace('[70,0]', '[70,x]')}]}`;
  await type(line);
  const { at, scrollLeft, clientWidth } = await browser.run(`
    document.getElementById('where').click();
    const { scrollLeft, clientWidth, selectionStart } = document.getElementById('text');
    return { scrollLeft, clientWidth, at: selectionStart };`);
  // The browser scrolls to the cursor itself when a character is typed: not at all if it is in view.
  await browser.send('Input.insertText', { text: 'x' });
  assert.ok(line.slice(at - 10, at + 10).includes('[70,x]'), line.slice(at - 10, at + 10));
  assert.ok(scrollLeft > clientWidth);
  assert.equal(await browser.run(`return document.getElementById('text').scrollLeft`), scrollLeft);
});

test('a file that the scene names is said to be out of reach', async () => {
  await open();
  const image = await type('{\n"shapes": { "ship": { "sprite": "../ship.png" } } }');
  assert.match(image.problem, /^shape `ship`: \.\.\/ship\.png: .*\. Files that the scene names cannot be read: drop the image here/);
  assert.equal(image.line, 'Line 2');
  const csv = await type('{ "shapes": { "s": { "circle": 1 } }, "bodies_csv": "rows.csv" }');
  assert.match(csv.problem, /`bodies_csv`: rows\.csv: .*\. Files that the scene names cannot be read\.$/);
  const with_image = await drop(['ship.png', await readFile(here('../../assets/ship.png'))]);
  assert.match(with_image.problem, /`bodies_csv`: rows\.csv: /);
});

test('a pair of an older answer shares no pixels', async () => {
  await open();
  const [before, after] = await browser.run(`
    const { Engine, Scene, Shape } = await import('/web/playground/module/hitmask.js');
    const world = Scene.parse(${JSON.stringify(PAIR)}).world();
    Engine.cpu().runNow(world, 'details');
    const shared = () => { try { return typeof world.shared(0); } catch (error) { return error.message; } };
    const before = shared();
    world.add({ shape: world.addShape(Shape.circle(1)), x: 900, y: 0 });
    return [before, shared()];`);
  assert.deepEqual([before, typeof after], ['object', 'string']);
  assert.match(after, /is the answer of another world, or of this one before a body was added/);
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

test('a long name takes no stack', () => {
  const name = 'x\\"'.repeat(3_000_000) + 'y'.repeat(9_000_000);
  const { bodies } = placesOf(`{"bodies":[{"name":"${name}"}]}`);
  assert.deepEqual(bodies, [[11, 11 + name.length + 11]]);
});

test('what is wrong is told with the text, and only as long as it is', async () => {
  await open();
  const told = () => browser.run(`
    const text = document.getElementById('text');
    const words = document.getElementById(text.getAttribute('aria-describedby')).textContent.trim();
    const { role } = Object.fromEntries([...document.getElementById('picture').attributes].map(({ name, value }) => [name, value]));
    return { words, invalid: text.getAttribute('aria-invalid'), role };`);
  await type('{');
  const { words, invalid, role } = await told();
  assert.match(words, /^Line 1\s+.*EOF/);
  // It takes keys, so it is no image.
  assert.deepEqual([invalid, role], ['true', 'application']);
  await type(PAIR);
  assert.deepEqual(await told().then(({ words, invalid }) => [words, invalid]), ['', 'false']);
});
