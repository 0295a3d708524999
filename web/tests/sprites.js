// Random sprites, drawn by Pixi and by Phaser. Each library's own picture of a sprite, alone, judges its hits.

import { Hitmask } from '../dist/hitmask.js';
import { phaser, pixi, SpriteHits } from '../dist/sprites.js';

const [WIDTH, HEIGHT, COUNT] = [320, 240, 24];

/** Returns a function that draws numbers below 1 (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A sheet of four frames of 32 x 24: letters with arms and holes, so that a box says little. */
function sheet() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [64, 48];
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  const bars = [
    [[0, 0, 6, 24], [0, 18, 32, 6]],
    [[0, 0, 32, 5], [13, 0, 6, 24]],
    [[0, 0, 32, 4], [0, 20, 32, 4], [0, 0, 4, 24], [28, 0, 4, 24]],
    [[8, 4, 20, 3], [8, 4, 3, 16], [20, 12, 12, 8]],
  ];
  bars.forEach((all, k) => all.forEach(([x, y, w, h]) => context.fillRect(32 * (k % 2) + x, 24 * (k >> 1) + y, w, h)));
  return canvas;
}

export const frames = [[0, 0], [32, 0], [0, 24], [32, 24]].map(([x, y]) => ({ x, y, width: 32, height: 24 }));

/** Returns the properties of random sprites, which each library takes in its own way. */
function draws(seed) {
  const next = random(seed);
  const pick = (from) => from[Math.floor(next() * from.length)];
  return Array.from({ length: COUNT }, (_, k) => ({
    frame: pick([0, 1, 2, 3]),
    x: 30 + next() * (WIDTH - 60),
    y: 30 + next() * (HEIGHT - 60),
    angle: pick([0, Math.PI / 2, next() * 7, next() * 7]),
    scale: [pick([1, 1, 0.6, 1.7]), pick([1, 1, 0.6, 1.7])],
    flip: [next() < 0.4, next() < 0.4],
    anchor: pick([[0.5, 0.5], [0, 0], [0.25, 0.75]]),
    inside: next() < 0.3,
    visible: k !== 5,
  }));
}

/** Returns the sprites' pictures, the pairs that SpriteHits finds, and the sprites at some points. */
async function judge(drawn, sprites, draw) {
  const hitmask = await Hitmask.create({ engine: 'cpu' });
  const hits = new SpriteHits(hitmask, drawn);
  for (const sprite of sprites) hits.add(sprite);
  const shown = sprites.map((sprite) => sprite.visible);
  const name = ([a, b]) => [sprites.indexOf(a), sprites.indexOf(b)].join();
  const found = new Set((await hits.run()).map(name));
  const now = hits.runNow().map(name);

  const picture = document.createElement('canvas');
  [picture.width, picture.height] = [WIDTH, HEIGHT];
  const context = picture.getContext('2d', { willReadFrequently: true });
  const alone = [];
  for (const [k, sprite] of sprites.entries()) {
    for (const other of sprites) other.visible = other === sprite && shown[k];
    context.clearRect(0, 0, WIDTH, HEIGHT);
    context.drawImage(await draw(), 0, 0, WIDTH, HEIGHT);
    const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
    alone.push(Uint8Array.from({ length: WIDTH * HEIGHT }, (_, pixel) => Number(data[4 * pixel + 3] >= 128)));
  }
  sprites.forEach((sprite, k) => (sprite.visible = shown[k]));

  // A library rounds a pixel's centre at the edge of a texel in its own way: a pixel around may be different.
  const near = (mask, pixel) =>
    [-WIDTH, 0, WIDTH].some((row) => [-1, 0, 1].some((column) => mask[pixel + row + column] === 1));
  const wrong = [];
  let clear = 0;
  for (let a = 0; a < sprites.length; a++) {
    for (let b = a + 1; b < sprites.length; b++) {
      let [shared, close] = [0, 0];
      for (let pixel = WIDTH + 1; pixel < alone[a].length - WIDTH - 1; pixel++) {
        if (alone[a][pixel] === 0 && !near(alone[a], pixel)) continue;
        shared += alone[a][pixel] & alone[b][pixel];
        close += Number(near(alone[b], pixel));
      }
      const hit = found.has(`${a},${b}`);
      if (hit ? close === 0 : shared > 8) wrong.push([a, b, shared, close]);
      clear += Number(shared > 8);
    }
  }
  const solid = alone.map((mask) => mask.reduce((sum, pixel) => sum + pixel, 0));
  hits.free();
  return { wrong, clear, found: [...found].sort(), now: now.sort(), solid };
}

export async function withPixi(seed) {
  const { Application, Container, Rectangle, Sprite, Texture, TextureSource } = await import('pixi.js');
  const app = new Application();
  await app.init({ width: WIDTH, height: HEIGHT, preference: 'webgl', backgroundAlpha: 0, antialias: false, autoStart: false });
  // Half of the frames are trimmed: what was cut off in packing counts for the anchor.
  const source = TextureSource.from({ resource: sheet(), scaleMode: 'nearest' });
  const textures = frames.map((frame, k) => new Texture({
    source,
    frame: new Rectangle(frame.x, frame.y, frame.width, frame.height),
    ...(k % 2 ? { orig: new Rectangle(0, 0, 40, 40), trim: new Rectangle(6, 10, 32, 24) } : {}),
  }));
  const group = new Container({ x: 20, y: -10, rotation: 0.3, scale: 1.2 });
  app.stage.addChild(group);
  const sprites = draws(seed).map(({ frame, x, y, angle, scale, flip, anchor, inside, visible }) => {
    const sprite = new Sprite({ texture: textures[frame], x, y, rotation: angle, visible });
    sprite.scale.set(...scale.map((side, k) => (flip[k] ? -side : side)));
    sprite.anchor.set(...anchor);
    (inside ? group : app.stage).addChild(sprite);
    return sprite;
  });
  const answer = await judge(pixi, sprites, () => {
    app.render();
    return app.canvas;
  });
  app.destroy();
  return answer;
}

export async function withPhaser(seed) {
  const Phaser = await import('phaser');
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  const scene = await new Promise((ready) => {
    new Phaser.Game({
      type: Phaser.WEBGL, width: WIDTH, height: HEIGHT, transparent: true, pixelArt: true, banner: false, canvas,
      audio: { noAudio: true }, scene: { create() { ready(this); } },
    });
  });
  const texture = scene.textures.addCanvas('sheet', sheet());
  frames.forEach(({ x, y, width, height }, k) => {
    const frame = texture.add(k, 0, x, y, width, height);
    if (k % 2) frame.setTrim(40, 40, 6, 10, 32, 24);
  });
  const group = scene.add.container(20, -10).setRotation(0.3).setScale(1.2);
  const sprites = draws(seed).map(({ frame, x, y, angle, scale, flip, anchor, inside, visible }) => {
    const sprite = scene.add.sprite(x, y, 'sheet', frame).setRotation(angle).setScale(...scale).setFlip(...flip);
    sprite.setOrigin(...anchor).setVisible(visible);
    if (inside) group.add(sprite);
    return sprite;
  });
  const answer = await judge(phaser, sprites, () => new Promise((drawn) => scene.game.renderer.snapshot(drawn)));
  scene.game.destroy(true);
  return answer;
}
