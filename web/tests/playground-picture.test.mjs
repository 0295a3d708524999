// Tests of the playground: what the picture shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DARK, LIGHT, PAIR, SHARED, browser, colours, found, keep, open, type } from './playground.mjs';

test('the picture shows painted pixels, shared pixels and hits', async () => {
  for (const scheme of [DARK, LIGHT]) {
    await open({ scheme });
    const { state, pairs, rows, counts } = await type(PAIR);
    assert.equal(state, 'shown');
    assert.deepEqual(pairs, ['0,1', '4,5']);
    assert.equal(counts, '6 bodies, 2 pairs, 4 bodies hit, 2 shared pixels');
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
      const { width, height } = stage.getBoundingClientRect();
      const [sides, origin] = [[width, height], [left, top]];
      return { wide: canvas.width, high: canvas.height, sides, origin, zoom, counts: [...counts, all], plain };`);
    assert.ok([wide, high].every((pixels, axis) => Math.abs(pixels - sides[axis] * ratio) < 1), `${wide} ${high} ${sides}`);
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

// Returns how many pixels of the picture are other ones on the screen. Buttons are above some.
const different = async () => {
  const screen = (await browser.picture()).toString('base64');
  return browser.run(`
    const canvas = document.getElementById('picture');
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,${screen}')).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { left, top } = canvas.getBoundingClientRect();
    const { width, height } = canvas;
    const shown = context.getImageData(Math.round(left * devicePixelRatio), Math.round(top * devicePixelRatio), width, height).data;
    const drawn = canvas.getContext('2d').getImageData(0, 0, width, height).data;
    let count = 0;
    for (let at = 0; at < drawn.length; at += 4) count += [0, 1, 2].some((byte) => Math.abs(drawn[at + byte] - shown[at + byte]) > 2);
    return count;`);
};

test('the screen shows the pixels of the picture as they are', async () => {
  // In the last two, the screen shows one row more than the rounded height of the picture.
  for (const [width, height] of [[1301, 801], [1300, 800], [1111, 777]]) {
    await open({ width, height });
    await type(PAIR);
    const count = await different();
    assert.ok(count < 3000, `${width} x ${height}: ${count}`);
  }
});

test('the picture follows a ratio of pixels that changes alone, and works where the browser counts no pixels', async () => {
  // The browser emits no event of an emulated ratio.
  const listen = `const match = matchMedia;
    globalThis.ratios = [];
    globalThis.matchMedia = (query) => {
      const list = match(query);
      if (query.includes('resolution')) ratios.push(list);
      return list;
    };`;
  for (const more of ['', 'delete ResizeObserverEntry.prototype.devicePixelContentBoxSize;']) {
    const { identifier } = await browser.send('Page.addScriptToEvaluateOnNewDocument', { source: `${listen}${more}` });
    await open();
    await browser.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
    await type(PAIR);
    for (const deviceScaleFactor of [2, 1.5, 1]) {
      await browser.send('Emulation.setDeviceMetricsOverride', { width: 1300, height: 800, deviceScaleFactor, mobile: false });
      await browser.run(`ratios.at(-1)?.dispatchEvent(new Event('change'))`);
      const [pixels, length] = await browser.run(`const canvas = document.getElementById('picture');
        return [canvas.width, canvas.getBoundingClientRect().width];`);
      assert.equal(pixels, Math.round(length * deviceScaleFactor), `${deviceScaleFactor} ${more}`);
    }
    assert.deepEqual(await colours([[2.5, 3.5]]), [SHARED[DARK]]);
  }
});

// Returns a scene of bodies of one shape.
const sceneOf = (shape, ...bodies) =>
  JSON.stringify({ shapes: { s: shape }, bodies: bodies.map((body) => ({ shape: 's', at: [0, 0], ...body })) });

test('parts that overlap are filled, and holes are not', async () => {
  await open();
  const part = (polygon, ...holes) => ({ shape: { polygon, holes } });
  const [bar, post] = [[[0, 4], [30, 4], [30, 10], [0, 10]], [[12, -10], [18, -10], [18, 24], [12, 24]]];
  const hole = [[2, 5], [2, 9], [8, 9], [8, 5]];
  // However their outlines wind, and if the body is flipped.
  for (const [outline, scale] of [[post, [1, 1]], [[...post].reverse(), [1, 1]], [post, [-1, 1]]]) {
    const { state, problem } = await type(sceneOf({ parts: [part(bar, hole), part(outline)] }, { scale }));
    assert.equal(state, 'shown', problem);
    const [crossing, alone, empty, ground] = await colours([[15, 7.3], [24, 7.3], [5, 7.3], [24, 14.3]].map(([x, y]) => [scale[0] * x, y]));
    const blue = ([r, , b]) => b - r;
    assert.ok(Math.abs(blue(crossing) - blue(alone)) <= 4, `${crossing} ${alone}`);
    assert.ok(blue(alone) > blue(ground) + 12 && Math.abs(blue(empty) - blue(ground)) <= 4, `${alone} ${empty} ${ground}`);
  }
});

test('a sprite with a side that is longer than a mask can be is drawn as its box', async () => {
  await open();
  const long = { sprite: { rows: ['#'.repeat(3000)] } };
  const { state, note, counts } = await type(sceneOf(long, { scale: 4 }, { scale: 4 }));
  assert.deepEqual([state, note, counts], ['shown', '', '2 bodies, 1 pair, 2 bodies hit, 48000 shared pixels']);
  const ends = await colours([[0, 2], [6000, 2], [11_999, 2]]);
  // The colour of what is shared, the box of which is above those of the bodies.
  assert.ok(ends.every(([r, g, b]) => r > 150 && g > 150 && b > 120), `${ends}`);
});

test('a pixel that is shared alone is seen from any distance', async () => {
  await open();
  const corner = { sprite: { rows: ['#'.repeat(300), ...Array(299).fill(`#${'.'.repeat(299)}`)] } };
  for (const at of [[1301, 757], [-3333, 4444]]) {
    // Two corners whose ends cross in one pixel.
    const others = [[at[0] + 299, at[1] - 5], [at[0] + 20_000, at[1]]].map((at) => ({ at }));
    const { state, counts } = await type(sceneOf(corner, { at }, ...others));
    assert.deepEqual([state, counts], ['shown', '3 bodies, 1 pair, 2 bodies hit, 1 shared pixel']);
    await browser.run(`document.getElementById('fit').click()`);
    await found();
    assert.deepEqual(await colours([[at[0] + 299.5, at[1] + 0.5]]), [SHARED[DARK]]);
  }
});

test('a frame of more pixels than fit in memory has boxes in their place', async () => {
  await open();
  // Sprites of 4 million pixels each, of which 16 have the pixels that a picture keeps.
  const large = { sprite: { rows: Array.from({ length: 64 }, (_, y) => (y % 2 ? '#.' : '.#').repeat(32)) } };
  const bodies = Array.from({ length: 24 }, (_, n) => ({ at: [(n % 6) * 2100, Math.floor(n / 6) * 2100], scale: 32 }));
  const { state, note } = await type(sceneOf(large, ...bodies));
  assert.deepEqual([state, note], ['shown', '']);
  // A clear texel in the middle of the last sprite is clear where the sprite is drawn, and filled in a box.
  const kinds = (body) => [[0.5, 0.5], [1.5, 0.5]].map(([x, y]) => [body.at[0] + 32 * (32 + x), body.at[1] + 32 * (32 + y)]);
  const differ = async (body) => {
    const [a, b] = await colours(kinds(body));
    return Math.abs(a[1] - b[1]) > 40;
  };
  assert.deepEqual([await differ(bodies[0]), await differ(bodies[23])], [true, false]);
  // Closer to it, there is room for it.
  const { at: [x, y] } = bodies[23];
  await browser.run(`const canvas = document.getElementById('picture');
    const [zoom, left, top] = canvas.dataset.view.split(' ').map(Number);
    const { left: pageLeft, top: pageTop } = canvas.getBoundingClientRect();
    for (let n = 0; n < 4; n++) canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -60, cancelable: true,
      clientX: pageLeft + left + ${x + 1040} * zoom, clientY: pageTop + top + ${y + 1040} * zoom }));`);
  await found();
  assert.equal(await differ(bodies[23]), true);
});

// Counts the canvases and the bitmaps that the page makes from now on.
const count = () => browser.run(`
  globalThis.made = { canvases: 0, bitmaps: 0 };
  const counted = (name, key) => {
    const Made = globalThis[name];
    globalThis[name] = class extends Made {
      constructor(...given) {
        super(...given);
        made[key]++;
      }
    };
  };
  counted('OffscreenCanvas', 'canvases');
  counted('ImageData', 'bitmaps');`);
const made = () => browser.run('return made');

// Goes away by some levels.
const farther = async (levels) => {
  await browser.run(`for (let n = 0; n < ${levels}; n++) document.getElementById('farther').click()`);
  await found();
};

test('many small sprites and pairs share few canvases, and each has its own pixels', async () => {
  await open();
  await count();
  const crowd = Array.from({ length: 70 }, (_, n) => ({ at: [n % 2, 0] }));
  // Two sprites that share a clear pixel and, at (22, 1), a painted one.
  const others = [{ at: [20, 0] }, { at: [22, 0] }];
  const { state, counts } = await type(sceneOf({ sprite: { rows: ['##.', '#.#'] } }, ...crowd, ...others));
  assert.deepEqual([state, counts.split(', ').slice(0, 2)], ['shown', ['72 bodies', '2416 pairs']]);
  const pixels = [[0, 0], [1, 0], [2, 1], [22, 1], [21, 0], [21, 1], [22, 0], [23, 0], [23, 1]].map(([x, y]) => [x + 0.5, y + 0.5]);
  for (const near of [true, false]) {
    const seen = await colours(pixels);
    const isShared = seen.map((colour) => colour.join() === SHARED[DARK].join());
    assert.deepEqual(isShared, [true, true, true, true, false, false, false, false, false]);
    // Painted by one sprite, and by none.
    const isWarm = seen.slice(4).map(([r, , b]) => r > b + 40);
    assert.deepEqual(isWarm, [true, false, true, true, false]);
    if (near) await farther(3);
  }
  await farther(8);
  const { canvases, bitmaps } = await made();
  assert.ok(bitmaps > 2400 && canvases < 20, `${bitmaps} bitmaps, ${canvases} canvases`);
});

test('a picture limits how many figures and canvases it makes', async () => {
  await open();
  const rows = (length) => ({ sprite: { rows: ['#'.repeat(length)] } });
  const bodies = (count) => Array.from({ length: count }, (_, n) => ({ at: [0, 2 * n], hits: 0 }));
  await count();
  assert.equal((await type(sceneOf(rows(1100), ...bodies(2200)))).state, 'shown');
  const { canvases } = await made();
  assert.ok(canvases > 1900 && canvases < 2048, `${canvases} canvases`);
  await open();
  await count();
  assert.equal((await type(sceneOf(rows(1), ...bodies(66_000)))).state, 'shown');
  const { bitmaps } = await made();
  assert.ok(bitmaps > 65_000 && bitmaps < 65_536, `${bitmaps} bitmaps`);
});

test('two bodies at opposite corners of the world are both shown, in a small picture too', async () => {
  for (const [width, height] of [[1300, 800], [320, 500]]) {
    await open({ width, height });
    const corners = [[2_000_000, 2_000_000], [-2_000_000, -2_000_000]];
    await type(sceneOf({ circle: 16_384 }, ...corners.map((at) => ({ at }))));
    await browser.run(`document.getElementById('fit').click()`);
    await found();
    const seen = await colours(corners);
    assert.ok(seen.every(([r, , b]) => b > r + 15), `${seen}`);
  }
});

test('a picture that the browser has emptied is drawn again', async () => {
  await open();
  await type(PAIR);
  // As the browser does when the process of the GPU starts again.
  await browser.run(`const canvas = document.getElementById('picture');
    const context = canvas.getContext('2d');
    context.reset();
    canvas.dispatchEvent(new Event('contextrestored'));`);
  await found();
  assert.deepEqual(await colours([[2.5, 3.5]]), [SHARED[DARK]]);
});

test('no word is above the buttons of the picture on a phone', async () => {
  await open({ width: 320, height: 640 });
  assert.equal((await type('{')).state, 'refused');
  const above = await browser.run(`return ['closer', 'farther', 'fit'].map((id) => {
    const button = document.getElementById(id);
    button.scrollIntoView();
    const { left, top, width, height } = button.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2).id;
  });`);
  assert.deepEqual(above, ['closer', 'farther', 'fit']);
});
