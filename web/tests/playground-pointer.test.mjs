// Tests of the playground: what mouse, keys and fingers do.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PAIR, browser, clickAt, drop, found, keep, mouse, open, press, type, view } from './playground.mjs';

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

test('the tip names what is below the pointer now', async () => {
  await open();
  await type(PAIR);
  const { zoom, x, y } = await view();
  const at = [x + 3.5 * zoom, y + 3.5 * zoom];
  await mouse('mouseMoved', ...at, { button: 'none' });
  await browser.run(`document.getElementById('picture').focus()`);
  await press('ArrowRight');
  const tipAt = (view) => `pixel (${Math.floor((at[0] - view.x) / view.zoom)}, ${Math.floor((at[1] - view.y) / view.zoom)})`;
  const { tip: moved } = await found();
  assert.equal(moved.split('\n').at(-1), tipAt(await view()));
  assert.notEqual(moved.split('\n').at(-1), 'pixel (3, 3)');
  await press('0');
  assert.equal((await found()).tip, '0 `hook` (hook)\n1 `bar` (bar)\npixel (3, 3)');
  assert.equal((await type('{}')).tip.split('\n').length, 1);
  // A drag keeps the pixel below the pointer, and the tip beside it.
  await type(PAIR);
  const before = await view();
  const left = () => browser.run(`return document.getElementById('tip').getBoundingClientRect().left`);
  await mouse('mousePressed', ...at);
  const first = await left();
  await mouse('mouseMoved', at[0] + 60, at[1], { buttons: 1 });
  const { tip } = await found();
  assert.deepEqual([await left(), tip.split('\n').at(-1)], [first + 60, tipAt(before)]);
  await mouse('mouseReleased', at[0] + 60, at[1]);
});

test('the tip and the list stay within the page, with many bodies and long names', async () => {
  await open();
  const bodies = Array.from({ length: 60 }, (_, n) => ({ shape: 'ball', at: [0, 0], name: n === 1 ? 'x'.repeat(900) : `b${n}` }));
  await type(JSON.stringify({ shapes: { ball: { circle: 9 } }, bodies }));
  const { zoom, x, y } = await view();
  for (const [u, v] of [[-2, -2], [2, -2], [-2, 2], [2, 2]]) {
    await mouse('mouseMoved', x + u * zoom, y + v * zoom, { button: 'none' });
    const lines = (await found()).tip.split('\n');
    const more = Number(/^and (\d+) more$/.exec(lines.at(-2))?.[1]);
    assert.deepEqual([lines[0], lines.length - 2 + more, lines.at(-1)], ['0 `b0` (ball)', 60, `pixel (${u}, ${v})`]);
    const isWithin = await browser.run(`
      const [tip, stage] = ['tip', 'stage'].map((id) => document.getElementById(id).getBoundingClientRect());
      return tip.left >= stage.left && tip.top >= stage.top && tip.right <= stage.right && tip.bottom <= stage.bottom;`);
    assert.ok(isWithin, `${u} ${v}`);
  }
  await keep('playground-tip');
  assert.ok(await browser.run(`const pairs = document.getElementById('pairs'); return pairs.scrollWidth <= pairs.clientWidth;`));
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

test('a drag in small steps keeps the point below the pointer', async () => {
  for (const ratio of [1, 1.25, 1.5]) {
    await open({ ratio });
    await type(PAIR);
    const first = await view();
    const [x, y] = [Math.round(first.x + 80), Math.round(first.y + 50)];
    await mouse('mousePressed', x, y);
    const drag = async (...steps) => {
      for (const step of steps) await mouse('mouseMoved', x + step, y - step, { buttons: 1 });
      await found();
      const { x: left, y: top } = await view();
      return [left - first.x, top - first.y].map((way) => Math.round(way * ratio));
    };
    const steps = Array.from({ length: 40 }, (_, n) => n + 1);
    assert.deepEqual(await drag(...steps), [40 * ratio, -40 * ratio], `${ratio}`);
    assert.deepEqual(await drag(...steps.reverse(), 0), [0, 0], `${ratio}`);
    await mouse('mouseReleased', x, y);
  }
});

test('a window that is resized in small steps, and back, keeps the picture', async () => {
  await open();
  await type(PAIR);
  await browser.run(`document.getElementById('picture').focus()`);
  await press('-');
  await found();
  const before = await view();
  for (const height of [801, 802, 803, 802, 801, 800]) {
    await browser.send('Emulation.setDeviceMetricsOverride', { width: 1300, height, deviceScaleFactor: 1, mobile: false });
    await found();
  }
  assert.deepEqual(await view(), before);
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

test('two fingers at one point leave the picture where numbers reach', async () => {
  await open();
  await type(PAIR);
  const { x, y } = await view();
  const touch = (type, ...fingers) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map(([x, y], id) => ({ x, y, id })) });
  await touch('touchStart', [x + 50, y + 50], [x + 90, y + 50]);
  await touch('touchMove', [x + 50, y + 50], [x + 50, y + 50]);
  await touch('touchMove', [x + 50, y + 50], [x + 90, y + 50]);
  await touch('touchEnd');
  await found();
  assert.ok(Object.values(await view()).every(Number.isFinite));
});

test('other buttons neither drag nor choose, and a button let go elsewhere ends the drag', async () => {
  await open();
  await type(PAIR);
  const first = await view();
  const [x, y] = [first.x + 3.5 * first.zoom, first.y + 3.5 * first.zoom];
  for (const [button, buttons] of [['right', 2], ['middle', 4]]) {
    await mouse('mousePressed', x, y, { button });
    await mouse('mouseMoved', x + 30, y, { button, buttons });
    await mouse('mouseReleased', x + 30, y, { button });
    await mouse('mousePressed', x, y, { button });
    await mouse('mouseReleased', x, y, { button });
    await found();
    assert.deepEqual([await view(), (await found()).pressed], [first, []], button);
  }
  const pointer = (type, more) => browser.run(`const canvas = document.getElementById('picture');
    canvas.setPointerCapture = () => {};
    canvas.dispatchEvent(new PointerEvent('${type}', { pointerId: 7, button: 0, ...${JSON.stringify(more)} }));`);
  for (const end of [['pointermove', { buttons: 0 }], ['lostpointercapture', {}]]) {
    await pointer('pointerdown', { buttons: 1, clientX: x, clientY: y });
    await pointer(...end);
    await pointer('pointermove', { buttons: end[0] === 'pointermove' ? 0 : 1, clientX: x + 60, clientY: y });
    await found();
    assert.deepEqual([await view(), (await found()).pressed], [first, []], end[0]);
  }
});
