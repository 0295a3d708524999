// The sprites of Pixi and of Phaser, with the real packages: the hits of random ones, and the examples.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Browser } from './browser.mjs';
import { keep } from './person.mjs';
import { serve } from './server.mjs';

let browser;
let web;

before(async () => {
  web = await serve();
  browser = await Browser.open({ webgpu: false });
});

after(async () => {
  // First, as the tests would not end with a server that is open.
  web?.server.close();
  await browser?.close();
});

for (const library of ['Pixi', 'Phaser']) {
  test(`sprites hit as ${library} draws them`, async () => {
    await browser.visit(`${web.url}/web/tests/sprites.html`);
    let pairs = 0;
    for (const seed of [1, 2, 3]) {
      const { wrong, clear, found, now, solid } = await browser.run(`
        const { with${library} } = await import('/web/tests/sprites.js');
        return with${library}(${seed});`);
      assert.deepEqual(wrong, [], `seed ${seed}: two sprites, the pixels that they share, and that are near both`);
      assert.deepEqual(now, found);
      assert.equal(solid[5], 0, 'a sprite that is not visible');
      pairs += clear;
    }
    assert.ok(pairs > 20, `${pairs} pairs of sprites share more than a few pixels`);
  });

  test(`the example for ${library} finds hits`, async () => {
    const name = library.toLowerCase();
    await browser.visit(`${web.url}/web/examples/${name}.html`);
    const [frames, pairs] = await browser.run(`
      const seen = () => Number(document.body.dataset.frames ?? 0);
      let most = 0;
      for (let tries = 0; tries < 600 && seen() < 30; tries++) {
        await new Promise((next) => setTimeout(next, 50));
        most = Math.max(most, Number(document.body.dataset.pairs ?? 0));
      }
      return [seen(), most];`);
    assert.ok(frames >= 30 && pairs > 0, `${frames} frames, ${pairs} pairs; ${browser.console}`);
    await keep(browser, name);
  });
}

test('shapes come and go with their sprites, and an error moves none', async () => {
  await browser.visit(`${web.url}/web/tests/sprites.html`);
  const seen = await browser.run(`
    const { Hitmask } = await import('/web/dist/hitmask.js');
    const { SpriteHits } = await import('/web/dist/sprites.js');
    const hits = new SpriteHits(await Hitmask.create({ engine: 'cpu' }), (sprite) => sprite);
    const image = new OffscreenCanvas(8, 8);
    image.getContext('2d').fillRect(0, 0, 8, 8);
    const sprite = (x) => ({ image, region: [0, 0, 8, 8], anchor: [0, 0], matrix: [1, 0, 0, 1], x, y: 0, enabled: true });
    const [a, b] = [sprite(0), sprite(4)];
    hits.add(a);
    hits.add(b);
    const shapes = () => new Set([a, b].map((each) => hits.world.body(hits.body(each)).shape)).size;
    const seen = [shapes(), hits.runNow().length, hits.at(6, 6).length];
    const first = hits.world.body(hits.body(a)).shape;
    b.anchor = [4, 4];
    hits.update();
    seen.push(shapes());
    a.anchor = [4, 4];
    hits.update();
    seen.push(shapes());
    try { hits.world.add({ shape: first }); } catch (error) { seen.push(error.message); }
    [a.x, b.x, b.anchor] = [50, NaN, [1, 1]];
    try { hits.update(); } catch (error) { seen.push(error.sprite === b, error.message); }
    seen.push(hits.world.body(hits.body(a)).x, shapes());
    b.x = 60;
    hits.update();
    hits.remove(b);
    seen.push(hits.world.count, hits.runNow().length);
    return seen;`);
  const gone = seen.splice(5, 1)[0];
  assert.match(gone, /shape \d+ was removed, or belongs to another world$/);
  assert.match(seen.splice(6, 1)[0], /`at.x` is NaN/);
  assert.deepEqual(seen, [1, 1, 2, 2, 1, true, 0, 1, 1, 0]);
});

test('whatever is thrown about a sprite says which, and a sprite that was refused may come again', async () => {
  await browser.visit(`${web.url}/web/tests/sprites.html`);
  const seen = await browser.run(`
    const { Hitmask } = await import('/web/dist/hitmask.js');
    const { SpriteHits } = await import('/web/dist/sprites.js');
    let thrown;
    const drawn = (sprite) => { if (thrown !== undefined) throw thrown; return sprite; };
    const hits = new SpriteHits(await Hitmask.create({ engine: 'cpu' }), drawn);
    const image = new OffscreenCanvas(4, 4);
    const place = { anchor: [0, 0], matrix: [1, 0, 0, 1], x: 0, y: 0, enabled: true };
    const sprite = { image, region: [0, 0, 4, 4], ...place };
    hits.add(sprite);
    const seen = [];
    for (thrown of [new RangeError('mine'), Object.freeze(new Error('frozen')), 'a text', null]) {
      try { hits.update(); } catch (error) {
        seen.push([error instanceof Error, error.sprite === sprite, error.message, (error.cause ?? error) === thrown]);
      }
    }
    thrown = undefined;
    // Its region is empty and is refused; a valid one is accepted afterwards.
    const other = { ...sprite, image: new OffscreenCanvas(4, 4), region: [0, 0, 0, 4] };
    try { hits.add(other); } catch (error) { seen.push(error instanceof Error); }
    other.region = [0, 0, 4, 4];
    hits.add(other);
    seen.push(hits.world.count);
    return seen;`);
  assert.deepEqual(seen, [
    [true, true, 'mine', true], [true, true, 'Error: frozen', true], [true, true, 'a text', true], [true, true, 'null', false],
    true, 2,
  ]);
});

test('sprites exchange their frames, and an error takes back a frame that several have taken', async () => {
  await browser.visit(`${web.url}/web/tests/sprites.html`);
  const [before, swapped, message, back, ...counts] = await browser.run(`
    const { Hitmask } = await import('/web/dist/hitmask.js');
    const { SpriteHits } = await import('/web/dist/sprites.js');
    const hits = new SpriteHits(await Hitmask.create({ engine: 'cpu' }), (sprite) => sprite);
    const image = new OffscreenCanvas(16, 8);
    image.getContext('2d').fillRect(0, 0, 16, 8);
    const frame = (x) => [x, 0, 8, 8];
    const sprites = [0, 4, 8].map((x) => ({
      image, region: frame(x), anchor: [0, 0], matrix: [1, 0, 0, 1], x, y: 0, enabled: true,
    }));
    for (const sprite of sprites) hits.add(sprite);
    const shapes = () => sprites.map((sprite) => String(hits.world.body(hits.body(sprite)).shape));
    const seen = [shapes()];
    [sprites[0].region, sprites[1].region] = [sprites[1].region, sprites[0].region];
    hits.update();
    seen.push(shapes());
    for (const sprite of sprites) sprite.region = frame(2);
    sprites[2].x = NaN;
    try { hits.update(); } catch (error) { seen.push(error.message); }
    seen.push(shapes());
    sprites[2].x = 8;
    hits.update();
    seen.push(new Set(shapes()).size);
    sprites[0].region[0] = 5;
    hits.update();
    seen.push(new Set(shapes()).size);
    return seen;`);
  assert.deepEqual(swapped, [before[1], before[0], before[2]]);
  assert.match(message, /`at.x` is NaN/);
  assert.deepEqual(back, swapped);
  assert.deepEqual(counts, [1, 2]);
});

test('a sprite is refused by name', async () => {
  await browser.visit(`${web.url}/web/tests/sprites.html`);
  const messages = await browser.run(`
    const { Hitmask } = await import('/web/dist/hitmask.js');
    const { phaser, pixi, SpriteHits } = await import('/web/dist/sprites.js');
    const hits = new SpriteHits(await Hitmask.create({ engine: 'cpu' }), (sprite) => sprite);
    const caught = (act) => { try { act(); } catch (error) { return error.message; } };
    const image = new OffscreenCanvas(4, 4);
    const sprite = { image, region: [0, 0, 4, 4], anchor: [0, 0], matrix: [1, 0, 0, 1], x: 0, y: 0, enabled: true };
    hits.add(sprite);
    return [
      caught(() => hits.add(sprite)),
      caught(() => hits.remove({})),
      caught(() => hits.add({ ...sprite, x: NaN })),
      caught(() => pixi({ texture: { source: {} } })),
      caught(() => pixi({ texture: { source: { resource: image }, rotate: 2 } })),
      caught(() => phaser({ frame: { rotated: true } })),
      hits.world.count,
    ];`);
  assert.equal(messages[0], 'the sprite was added before');
  assert.equal(messages[1], 'the sprite was not added, or was removed');
  assert.match(messages[2], /`at.x` is NaN/);
  assert.equal(messages[3], 'the texture has no image to make a mask of');
  assert.match(messages[4], /packed turned/);
  assert.match(messages[5], /packed turned/);
  assert.equal(messages[6], 1);
});
