// The cases of every method, for any engine. Runs in Node, in pages and in workers.

import { hashOf } from './golden.js';

function equal(found, expected) {
  const text = (value) => JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item));
  const [a, b] = [text(ArrayBuffer.isView(found) ? [...found] : found), text(expected)];
  if (a !== b) throw new Error(`expected ${b}, found ${a}`);
}

function throws(act, words) {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Error)) throw new Error(`not an Error: ${error}`);
    if (!error.message.includes(words)) throw new Error(`expected "${words}", found "${error.message}"`);
    return;
  }
  throw new Error(`nothing was thrown: expected "${words}"`);
}

const SHIP = ['..#..', '.###.', '#####'];

// A ship, and a shot that is much faster than it is large.
function duel({ World, Mask, Shape }) {
  const world = new World();
  const ship = world.addShape(Shape.sprite(Mask.fromRows(SHIP), 2.5, 1.5));
  const shot = world.addShape(Shape.circle(1));
  const hero = world.add({ shape: ship, x: 10, y: 10, degrees: 30 });
  const bullet = world.add({ shape: shot, x: 0, y: 10, dx: 40 });
  return { world, ship, shot, hero, bullet };
}

// Two circles that hit: few shaders do.
export function circles({ World, Shape }) {
  const world = new World();
  world.addAll(Float32Array.of(0, 0, 4, 0), { shape: world.addShape(Shape.circle(3)) });
  return world;
}

// Random bodies of all kinds, the same each time.
export function crowd({ World, Mask, Shape }, count, seed = 1) {
  let state = seed;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const world = new World();
  const shapes = [
    Shape.rect(8, 5), Shape.circle(3.5), Shape.capsule(-3, 0, 3, 2, 2), Shape.polygon([-4, -3, 5, 0, -2, 4, 0, 0]),
    Shape.sprite(Mask.fromRows(SHIP), 2.5, 1.5),
  ].map((shape) => world.addShape(shape));
  const side = Math.sqrt(count) * 9;
  for (let k = 0; k < count; k++) {
    const [x, y] = [random() * side, random() * side];
    world.add({ shape: shapes[k % 5], x, y, dx: random() * 6 - 3, degrees: k % 3 ? random() * 360 : 0, tag: k });
  }
  return world;
}

export const CASES = {
  async 'a fast shot hits a turned ship'(hitmask) {
    const { world, hero, bullet } = duel(hitmask);
    await hitmask.run(world, 'details');
    equal(world.pairs, [0, 1]);
    equal(hitmask.pairsOf(world), [0, 1]);
    equal([world.pairCount, world.flag(0), world.flag(1), world.flag(2)], [1, true, true, false]);
    equal([...world.flags], [3]);
    equal([world.id(0), world.index(bullet)], [hero, 1]);
    const { tick, area, bounds } = world.detail(0);
    equal([tick > 0 && tick < 65536, area > 0, bounds.length], [true, true, 4]);
    const stop = world.stop(bullet);
    equal([stop.other, stop.tick, stop.x < 10], [hero, tick, true]);
    const { normal, depth } = world.contact(0);
    equal([normal.length, depth >= 0], [2, true]);
    // Later, an index may name another body.
    world.add({ shape: world.addShape(hitmask.Shape.circle(1)), x: 900, y: 0 });
    throws(() => world.contact(0), '`hits` is the answer of another world, or of this one before a body was added');
    equal(world.detail(0).tick, tick);
    await hitmask.run(world, 'flags');
    equal([world.pairCount, [...world.flags]], [0, [3]]);
  },

  async 'a segment hits what it crosses'(hitmask) {
    const { World, Shape } = hitmask;
    const world = new World();
    world.add({ shape: world.addShape(Shape.capsule(0, 0, 9, 0, 0)), x: 0, y: 0 });
    const tile = world.addShape(Shape.rect(2, 2));
    for (const [x, y] of [[2, -1], [4, 0], [7, -2]]) world.add({ shape: tile, x, y, layers: 2, mask: 1 });
    await hitmask.run(world, 'pairs');
    equal(world.pairs, [0, 1]);
    throws(() => Shape.capsule(1, 1, 1, 1, 0), 'with neither length nor radius');
  },

  async 'bodies are changed, switched off and removed'(hitmask) {
    const { world, hero, bullet, shot } = duel(hitmask);
    world.set(hero, { y: 20, tag: 7 });
    equal([world.body(hero).x, world.body(hero).y, world.body(hero).tag], [10, 20, 7]);
    await hitmask.run(world);
    equal(world.pairs, []);
    world.set(hero, { y: 10 });
    world.set(bullet, { enabled: false });
    await hitmask.run(world);
    equal(world.pairs, []);
    world.remove(bullet);
    equal([world.has(bullet), world.count, world.indices], [false, 1, 2]);
    throws(() => world.body(bullet), 'was removed');
    throws(() => world.remove(bullet), 'was removed');
    const again = world.add({ shape: shot, x: 10, y: 10 });
    equal([world.has(bullet), world.index(again)], [false, 1]);
    await hitmask.run(world);
    equal(world.pairs, [0, 1]);
    world.clear();
    equal(world.count, 0);
  },

  async 'a detector hits what does not hit it'(hitmask) {
    const world = new hitmask.World();
    const ball = world.addShape(hitmask.Shape.circle(2));
    const hero = world.add({ shape: ball, x: 0, y: 0, dx: 4, layers: 1, mask: 2 });
    const zone = world.add({ shape: ball, x: 1, y: 0, layers: 4, mask: 1, detector: true });
    equal([world.body(hero).detector, world.body(zone).detector], [false, true]);
    await hitmask.run(world, 'details');
    equal(world.pairs, [0, 1]);
    equal([world.sees(zone, hero), world.sees(hero, zone)], [true, false]);
    equal([world.stop(hero) === undefined, world.sweep(hero, 4, 0).stops], [true, []]);
    const field = { shape: ball, x: 0, y: 1, layers: 4, mask: 1 };
    equal([world.hitBy(field), world.hitBy({ ...field, detector: true })], [[], [hero]]);
    world.set(zone, { y: 1 });
    equal(world.body(zone).detector, true);
    equal(hitmask.World.load(world.save()).body(zone).detector, true);
    world.set(zone, { detector: false });
    await hitmask.run(world);
    equal([[...world.pairs], world.sees(zone, hero), world.body(zone).detector], [[], false, false]);
    world.set(zone, { detector: true });
    const indices = world.addAll(Float32Array.of(0, 0, 90, 0), { shape: ball, layers: 4, mask: 1, detector: true });
    equal(indices, [2, 3]);
    await hitmask.run(world);
    equal(world.pairs, [0, 1, 0, 2]);
    throws(() => world.set(zone, { detector: 1 }), '`detector` is 1; it must be true or false');
    world.remove(zone);
    throws(() => world.sees(zone, hero), 'body 1 was removed');
    throws(() => world.sees(hero, zone), 'body 1 was removed');
    throws(() => world.sees(hero, 12n), 'body');
  },

  async 'positions and motions come from typed arrays'(hitmask) {
    const world = new hitmask.World();
    const ball = world.addShape(hitmask.Shape.circle(2));
    const indices = world.addAll(Float32Array.of(0, 0, 10, 0, 20, 0), { shape: ball, layers: 2 });
    equal(indices, [0, 1, 2]);
    world.setPositions(Float32Array.of(0, 0, 3, 0, 20, 0));
    await hitmask.run(world);
    equal(world.pairs, [0, 1]);
    world.setPositions(Float32Array.of(40, 0), Uint32Array.of(1));
    equal(world.positions(), [0, 0, 40, 0, 20, 0]);
    world.setMoving(Float32Array.of(0, 0), Float32Array.of(30, 0), Uint32Array.of(0));
    await hitmask.run(world);
    equal(world.pairs, [0, 2]);
    world.advance();
    equal(world.positions(), [30, 0, 40, 0, 20, 0]);
    const matrix = [4, 0, 0, 4];
    world.setPoses(world.positions(), Float32Array.of(...matrix, ...matrix, ...matrix), new Float32Array(6));
    await hitmask.run(world);
    equal(world.pairs, [0, 1, 0, 2]);
    const square = world.addShape(hitmask.Shape.rect(2, 2));
    world.setShape(square, indices);
    world.removeAll(Uint32Array.of(0));
    equal([world.body(world.id(1)).shape, world.body(world.id(1)).layers, world.count], [square, 2, 2]);
    throws(() => world.setPositions(Float32Array.of(1)), 'even length');
    throws(() => world.setPositions(Float32Array.of(1, 2), Uint32Array.of(9)), 'there is no body 9');
    throws(() => world.setPositions(Float32Array.of(0, 0, 0, NaN, 0, 0)), 'NaN');
  },

  async 'masks come from pixels, and ground is shot to pieces'(hitmask) {
    const { Mask, Shape, World } = hitmask;
    const pixels = new Uint8ClampedArray(4 * 16).fill(255);
    pixels[3] = 100;
    const mask = Mask.fromRgba(pixels, 4, 4);
    equal([mask.width, mask.height, mask.count, mask.get(0, 0), mask.get(1, 0)], [4, 4, 15, false, true]);
    equal(Mask.fromRgba(pixels, 4, 4, 50).count, 16);
    equal(Mask.fromAlpha(Uint8Array.of(0, 200), 2, 1).toAlpha(), [0, 255]);
    const ground = new Mask(100, 100);
    ground.drawRect(0, 50, 100, 50);
    ground.drawDisc(50, 50, 10);
    const world = new World();
    const shape = world.addShape(Shape.sprite(ground));
    world.add({ shape, x: 0, y: 0 });
    world.add({ shape: world.addShape(Shape.circle(3)), x: 50, y: 60 });
    await hitmask.run(world, 'details');
    equal([world.pairCount, world.detail(0).area > 20], [1, true]);
    world.eraseDisc(shape, 50, 60, 8);
    equal([world.maskOf(shape).get(50, 60), world.maskOf(shape).get(50, 90)], [false, true]);
    await hitmask.run(world);
    equal(world.pairCount, 0);
    throws(() => Mask.fromRgba(pixels, 5, 4), '');
    throws(() => new Mask(0, 4), '');
    throws(() => new Mask(9000, 9000), '8192');
  },

  async 'events tell which contacts began and ended'(hitmask) {
    const { world, hero, bullet } = duel(hitmask);
    world.set(hero, { tag: 5 });
    await hitmask.run(world);
    world.updateEvents();
    equal(world.began, [{ a: hero, b: bullet, tags: [5, 0], hit: 0 }]);
    await hitmask.run(world);
    world.updateEvents();
    equal([world.began.length, world.stayed.length, world.ended.length], [0, 1, 0]);
    world.set(bullet, { y: 90 });
    await hitmask.run(world);
    world.updateEvents();
    equal([world.stayed.length, world.ended], [0, [{ a: hero, b: bullet, tags: [5, 0] }]]);
  },

  async 'events come back with a saved state, and go on as before'(hitmask) {
    const { world, hero, shot, bullet } = duel(hitmask);
    world.set(hero, { tag: 5 });
    const events = () => [world.began, world.stayed, world.ended];
    const counts = (lists) => lists.map((list) => list.length);
    const step = async () => {
      await hitmask.run(world);
      world.updateEvents();
      return events();
    };
    const play = async () => {
      const stayed = await step();
      world.set(bullet, { y: 90 });
      world.add({ shape: shot, x: 10, y: 10 });
      return [stayed, await step()];
    };
    await step();
    const [state, saved, first] = [world.save(true), world.saveEvents(), events()];
    const rest = await play();
    equal([first, ...rest].map(counts), [[1, 0, 0], [0, 1, 0], [1, 0, 1]]);
    world.loadInto(state);
    equal(events(), rest[1]);
    world.loadEvents(saved);
    equal(events(), first);
    equal(world.saveEvents(), [...saved]);
    equal(await play(), rest);
    throws(() => world.loadEvents(state), 'saved file');
    throws(() => world.loadEvents(saved.slice(1)), 'saved file');
    equal(events(), rest[1]);
  },

  'questions need no step'(hitmask) {
    const { World, Shape } = hitmask;
    const world = new World();
    const floor = world.add({ shape: world.addShape(Shape.rect(100, 10)), x: 0, y: 20 });
    const man = world.addShape(Shape.rect(2, 2));
    const hero = world.add({ shape: man, x: 0, y: 0, layers: 2 });
    equal(world.atPoint(50, 25), [floor]);
    equal(world.atPoint(50, 25, { mask: 2 }), []);
    equal(world.inBox(-50, -50, 50, 50), [floor, hero]);
    const { body, fraction, x, y, normal } = world.ray(10, 0, 10, 40);
    equal([body, Math.abs(fraction - 0.5) < 1e-3, x, y, normal], [floor, true, 10, 20, [0, -1]]);
    equal(world.ray(10, 0, 10, 10) === undefined, true);
    equal(world.nearest(1, 3, { count: 1 }), [{ body: hero, distance: 1 }]);
    equal(world.hitBy({ shape: man, x: 0, y: 19 }), [floor]);
    equal(world.distance(floor, hero), 18);
    const fall = world.sweep(hero, 30, 30);
    equal([fall.x, fall.y, fall.stops[0].other], [18, 18, floor]);
    const slide = world.slide(hero, 30, 30);
    equal([slide.x, slide.y, slide.stops[0].normal], [30, 18, [0, -1]]);
    throws(() => world.ray(0, 0, NaN, 0), 'NaN');
    throws(() => world.atPoint(0, 0, { mask: -1 }), 'mask');
  },

  async 'a world is saved, and comes back with the same handles'(hitmask) {
    const { world, hero, bullet } = duel(hitmask);
    const [whole, sum] = [world.save(), world.checksum()];
    const copy = hitmask.World.load(whole);
    equal([copy.checksum(), copy.has(hero), copy.has(bullet)], [sum, true, true]);
    const state = world.save(true);
    world.set(hero, { x: 500 });
    equal(world.checksum() === sum, false);
    world.loadInto(state);
    equal(world.checksum(), sum);
    await hitmask.run(world);
    equal(world.pairs, [0, 1]);
    throws(() => hitmask.World.load(whole.slice(0, 40)), 'saved file');
    throws(() => hitmask.World.load(new Uint8Array(0)), 'saved file');
  },

  'bad input is an Error with the words of the library'(hitmask) {
    const { World, Shape } = hitmask;
    const world = new World();
    const ball = world.addShape(Shape.circle(1));
    throws(() => world.add({ shape: ball, x: NaN }), '`at.x` is NaN; it must');
    throws(() => world.add({ shape: ball, x: 1e9 }), '`at.x` is');
    throws(() => world.add({ shape: ball, x: 'left' }), '`x` is string; it must be a number');
    throws(() => world.add({ shape: 7, x: 0 }), '`shape`');
    throws(() => world.add({ shape: 7n }), 'shape 7 was removed, or belongs to another world');
    throws(() => world.add({}), '`shape`');
    throws(() => world.add(null), '`options`');
    throws(() => world.add({ shape: ball, matrix: [1, 2, 3] }), 'an array of 4 numbers');
    throws(() => world.add({ shape: ball, layers: 1.5 }), 'a whole number');
    throws(() => world.add({ shape: ball, tag: -1 }), '`tag`');
    throws(() => world.body(12n), 'body');
    throws(() => Shape.rect(0, 5), '`box` is [0, 5]; it must');
    throws(() => Shape.polygon([0, 0, 4, 4, 4, 0, 0, 4]), 'cross');
    throws(() => Shape.polygon([0, 0, 1]), 'even length');
    throws(() => hitmask.World.load(Uint8Array.of(1, 2, 3)), 'saved file');
    throws(() => world.detail(0), 'pair');
    equal(world.count, 0);
  },

  'errors that are caught in each frame leave the module as it was'({ Mask }) {
    // Long enough to use up the module's stack, if each lost a part of it.
    for (let frame = 0; frame < 4000; frame++) {
      throws(() => Mask.fromRows(['##', 1]), '`rows[1]` is 1; it must be a string');
      throws(() => Mask.fromRows('##'), '`rows` is string; it must be an array of strings');
    }
    throws(() => Mask.fromRows([]), 'a mask cannot have 0 x 0 texels');
    equal(Mask.fromRows(['##', '.#']).count, 3);
  },

  'what is no array of numbers is an Error by its name'({ World, Shape, Mask }) {
    const world = new World();
    const shape = world.addShape(Shape.circle(1));
    world.addAll([0, 0, 5, 5], { shape });
    const [bytes, events] = [world.save(), world.saveEvents()];
    const two = Float32Array.of(1, 2, 3, 4);
    const calls = {
      at: [(at) => world.addAll(at, { shape }), (at) => world.setPositions(at), (at) => world.setMoving(at, two),
        (at) => world.setPoses(at, two, two)],
      motion: [(motion) => world.setMoving(two, motion), (motion) => world.setPoses(two, new Float32Array(8), motion)],
      matrices: [(matrices) => world.setPoses(two, matrices, two)],
      indices: [(indices) => world.removeAll(indices), (indices) => world.setPositions(two, indices ?? 0)],
      corners: [(corners) => Shape.polygon(corners)],
      pixels: [(pixels) => Mask.fromRgba(pixels, 0, 0)],
      alpha: [(alpha) => Mask.fromAlpha(alpha, 0, 0)],
      bytes: [(bytes) => World.load(bytes), (bytes) => world.loadInto(bytes), (bytes) => world.loadEvents(bytes)],
    };
    const others = [5, null, undefined, {}, '12', { length: 2, 0: 1, 1: 2 }, new ArrayBuffer(8), new DataView(new ArrayBuffer(8)),
      BigInt64Array.of(1n, 2n), new BigUint64Array(0)];
    // Often enough to use up the module's stack, if each lost a part of it.
    for (let time = 0; time < 100; time++) {
      for (const [name, refuse] of Object.entries(calls).flatMap(([name, list]) => list.map((call) => [name, call]))) {
        for (const other of others) throws(() => refuse(other), 'it must be an array of numbers');
        throws(() => refuse([1, '2']), `\`${name}[1]\` is string; it must be a number`);
        throws(() => refuse([1n]), `\`${name}[0]\` is bigint; it must be a number`);
      }
    }
    throws(() => Mask.fromAlpha([0, 256], 2, 1), '`alpha` is 256; it must be a whole number from 0 to 255');
    equal([...world.positions(), world.checksum() === World.load(bytes).checksum()], [0, 0, 5, 5, true]);

    world.setPositions(Float64Array.of(1, 2, 3, 4));
    world.setMoving([5, 6], Int16Array.of(1, -1), [1]);
    equal([...world.positions(), world.body(world.id(1)).dy], [1, 2, 5, 6, -1]);
    equal(Mask.fromAlpha([255, 0], 2, 1).count + Mask.fromRgba([0, 0, 0, 255], 1, 1).count, 2);
    world.loadInto([...bytes]);
    world.loadEvents([...events]);
    equal([...world.positions()], [0, 0, 5, 5]);
  },

  'the pose of a body is one option'({ World, Shape }) {
    const world = new World();
    const shape = world.addShape(Shape.rect(4, 2));
    const body = world.add({ shape, scale: 2, flipX: true });
    const matrix = () => world.body(body).matrix.map(Math.round);
    equal(matrix(), [-2, 0, 0, 2]);
    world.set(body, { x: 1 });
    equal(matrix(), [-2, 0, 0, 2]);
    world.set(body, { degrees: 90 });
    equal(matrix(), [0, -1, 1, 0]);
    for (const option of [{ degrees: 0 }, { radians: 1 }, { scale: 1 }, { scaleX: 1 }, { scaleY: 1 }, { flipX: false }, { flipY: true }]) {
      throws(() => world.set(body, { ...world.body(body), ...option }), '`matrix` is given; it must be alone: it replaces the angle');
    }
    throws(() => world.set(body, { degrees: 1, radians: 1 }), '`radians` is given; it must be alone: it replaces `degrees`');
    world.set(body, world.body(body));
    equal(matrix(), [0, -1, 1, 0]);
  },

  async 'a number that is not whole is an Error by its name'(hitmask) {
    const { Mask, World, Shape } = hitmask;
    const { world, hero, ship } = duel(hitmask);
    await hitmask.run(world, 'details');
    const whole = (name, found, most = 4294967295, least = 0) =>
      `\`${name}\` is ${found}; it must be a whole number from ${least} to ${most}`;
    for (const [index, found] of [[NaN, 'NaN'], [undefined, 'NaN'], [0.5, '0.5'], [-1, '-1'], [2 ** 32, '4294967296']]) {
      throws(() => world.id(index), whole('index', found));
      throws(() => world.flag(index), whole('index', found));
      throws(() => world.detail(index), whole('pair', found));
      throws(() => world.contact(index), whole('pair', found));
    }
    throws(() => world.id(Infinity), whole('index', 'inf'));
    equal([world.id(4294967295) === undefined, world.flag(4294967295), world.id(-0)], [true, false, hero]);
    throws(() => world.set(hero, { layers: -1 }), whole('layers', -1));
    throws(() => world.set(hero, { tag: 2 ** 53 }), whole('tag', 2 ** 53, 2 ** 53 - 1));
    world.set(hero, { tag: 2 ** 53 - 1 });
    equal(world.body(hero).tag, 2 ** 53 - 1);
    throws(() => world.nearest(0, 0, { count: 1.5 }), whole('count', 1.5));

    const at = Float32Array.of(1, 2);
    const edits = {
      removeAll: (indices) => world.removeAll(indices),
      setPositions: (indices) => world.setPositions(at, indices),
      setMoving: (indices) => world.setMoving(at, at, indices),
      setPoses: (indices) => world.setPoses(at, Float32Array.of(1, 0, 0, 1), at, indices),
      setShape: (indices) => world.setShape(ship, indices),
    };
    for (const edit of Object.values(edits)) {
      throws(() => edit([0.7]), whole('indices', 0.7));
      throws(() => edit([0, NaN]), whole('indices', 'NaN'));
      throws(() => edit([-1]), whole('indices', -1));
      throws(() => edit([0, '0']), '`indices[1]` is string; it must be a number');
      throws(() => edit([,]), '`indices[0]` is undefined; it must be a number');
      for (const [indices, found] of [[null, 'null'], [0, '0'], [{ length: 0 }, 'object']]) {
        throws(() => edit(indices), `\`indices\` is ${found}; it must be an array of numbers`);
      }
    }
    for (const name of ['removeAll', 'setShape']) throws(() => edits[name](), '`indices` is undefined; it must be an array of numbers');
    equal([world.count, world.body(hero).x], [2, 10]);
    edits.setPositions([0]);
    edits.setShape([1]);
    equal([world.body(hero).x, world.body(hero).y, world.body(world.id(1)).shape], [1, 2, ship]);
    edits.removeAll([]);
    edits.removeAll([1, 0]);
    equal(world.count, 0);

    const pixels = new Uint8Array(4 * 16).fill(255);
    throws(() => new Mask(4.9, 4), whole('width', 4.9));
    throws(() => new Mask(4, -4), whole('height', -4));
    throws(() => Mask.fromRgba(pixels, 4, 4, 300), whole('threshold', 300, 255));
    throws(() => Mask.fromRgba(pixels, 4, 4.5), whole('height', 4.5));
    throws(() => Mask.fromAlpha(pixels, 8, 8, -1), whole('threshold', -1, 255));
    throws(() => Mask.fromAlpha(pixels, NaN, 8), whole('width', 'NaN'));
    const mask = Mask.fromRgba(pixels, 4, 4, 255);
    for (const [x, y, name, found] of [[0.5, 0, 'x', 0.5], [-1, 0, 'x', -1], [0, NaN, 'y', 'NaN'], [0, 2 ** 32, 'y', 2 ** 32]]) {
      throws(() => mask.set(x, y, false), whole(name, found));
    }
    throws(() => mask.set(4, 0, false), '');
    equal([[0, 0], [-1, 0], [0, -1], [4, 0], [2 ** 32, 0], [0, -(2 ** 32)]].map(([x, y]) => mask.get(x, y)),
      [true, false, false, false, false, false]);
    const [most, least] = [2 ** 53 - 1, 1 - 2 ** 53];
    throws(() => mask.get(0.5, 0), whole('x', 0.5, most, least));
    throws(() => mask.get(0, NaN), whole('y', 'NaN', most, least));
    for (const [k, name] of ['x', 'y', 'width', 'height'].entries()) {
      for (const [wrong, found] of [[0.5, '0.5'], [NaN, 'NaN'], [2 ** 31, '2147483648']]) {
        const box = [0, 0, 2, 2].with(k, wrong);
        throws(() => mask.drawRect(...box), whole(name, found, 2147483647, -2147483648));
      }
    }
    const empty = new Mask(4, 4);
    empty.drawRect(-1, -1, 3, 2);
    equal([mask.count, empty.count], [16, 2]);
  },

  async 'a wrong ask is an Error, at once or of the promise'(hitmask) {
    const { world } = duel(hitmask);
    const error = await hitmask.run(world, 'everything').then(() => undefined, (error) => error);
    equal([error instanceof Error, error.message], [true, '`ask` is `everything`; it must be `flags`, `pairs` or `details`']);
    const wrong = [[1 / 60, String(1 / 60)], [true, 'boolean'], [16n, 'bigint'], [null, 'null'], [{}, 'object'], [['pairs'], 'object']];
    for (const [ask, told] of wrong) {
      const words = `\`ask\` is ${told}; it must be \`flags\`, \`pairs\` or \`details\``;
      if (hitmask.name === 'cpu') throws(() => hitmask.runNow(world, ask), words);
      const error = await hitmask.run(world, ask).then(() => undefined, (error) => error);
      equal([error instanceof Error, error.message], [true, words]);
    }
    await hitmask.run(world, undefined);
    equal(world.pairs, [0, 1]);
  },

  'a handle that is none is an Error'(hitmask) {
    const { world } = duel(hitmask);
    const [checksum, count] = [world.checksum(), world.count];
    const circle = hitmask.Shape.circle(1);
    const wrong = [[undefined, 'undefined'], [1, '1'], ['1', 'string'], [null, 'null'], [-1n, 'bigint'], [2n ** 128n, 'bigint']];
    for (const [id, told] of wrong) {
      const calls = [
        () => world.remove(id), () => world.set(id, {}), () => world.body(id), () => world.index(id),
        () => world.sweep(id, 1, 0), () => world.slide(id, 1, 0), () => world.stop(id), () => world.sees(id, id),
        () => world.distance(id, id),
      ];
      for (const call of calls) throws(call, `\`body\` is ${told}; it must be a body's handle`);
      const ofShapes = [
        () => world.removeShape(id), () => world.replaceShape(id, circle), () => world.maskOf(id),
        () => world.eraseDisc(id, 0, 0, 1), () => world.setShape(id, [0]),
      ];
      for (const call of ofShapes) throws(call, `\`shape\` is ${told}; it must be a shape's handle`);
      equal(world.has(id), false);
    }
    equal([world.checksum(), world.count], [checksum, count]);
  },

  'what a getter throws arrives as it is'(hitmask) {
    const { world } = duel(hitmask);
    const mine = new RangeError('mine');
    let caught;
    try {
      world.add({ get shape() { throw mine; } });
    } catch (error) {
      caught = error;
    }
    equal(caught === mine, true);
  },

  // The answer is of the world as it was when the step began.
  async 'a world may change while its step is in flight'(hitmask) {
    const { world, hero } = duel(hitmask);
    const step = hitmask.run(world);
    world.set(hero, { y: 300 });
    await step;
    equal(world.pairs, [0, 1]);
  },

  async 'an engine has its name and its device while a step is in flight'(hitmask) {
    const world = circles(hitmask);
    await hitmask.run(world);
    const about = () => [hitmask.name, hitmask.device];
    const before = about();
    equal([['cpu', 'gpu'].includes(before[0]), before[1].length > 0], [true, true]);
    const step = hitmask.run(world);
    equal(about(), before);
    // A step on a GPU begins now, and is in flight.
    await null;
    equal(about(), before);
    await step;
    equal(world.pairs, [0, 1]);
  },

  // The CPU answers before `run` returns; `auto` and a GPU answer later.
  async 'a state is loaded while a step is in flight, and its answer comes all the same'(hitmask) {
    const { world, hero, shot, bullet } = duel(hitmask);
    const state = world.save(true);
    const step = hitmask.run(world, 'details');
    const wasAnswered = world.pairCount > 0;
    world.set(hero, { y: 300 });
    world.loadInto(state);
    equal(world.pairs, []);
    await step;
    equal(world.pairs, wasAnswered ? [] : [0, 1]);
    equal(world.stop(bullet)?.other, wasAnswered ? undefined : hero);
    world.updateEvents();
    equal(world.began.length, wasAnswered ? 0 : 1);

    world.add({ shape: shot, x: 10, y: 10 });
    const other = hitmask.run(world, 'details');
    world.loadInto(state);
    await other;
    equal([world.indices, world.pairCount > 1], [2, !wasAnswered]);
    if (wasAnswered) return;
    throws(() => world.stop(bullet), '`hits` is the answer of another world, or of this one before a body was added');
    throws(() => world.updateEvents(), '`hits` is the answer of another world, or of this one before a body was added');
    equal(world.began.length, 1);
  },
};

/** Runs all cases, and returns a line for each that failed. */
export async function failures(hitmask) {
  const failed = [];
  for (const [name, test] of Object.entries(CASES)) {
    try {
      await test(hitmask);
    } catch (error) {
      failed.push(`${name}: ${error.stack ?? error}`);
    }
  }
  return failed;
}

/** Returns the golden hash of each saved world. */
export async function goldenHashes(hitmask, worlds) {
  const lines = [];
  for (const [name, bytes] of worlds) {
    const world = hitmask.World.load(bytes);
    await hitmask.run(world, 'details');
    lines.push(`${name} ${hashOf(world)}`);
    world.free();
  }
  return lines;
}

/** Plays frames of a small game, and returns the bytes of the module's memory before the last three quarters and after. */
export async function play(hitmask, frames) {
  const world = crowd(hitmask, 60);
  world.remove(world.add(world.body(world.id(1))));
  const at = world.positions();
  const shot = world.body(world.id(1)).shape;
  let before = 0;
  for (let frame = 0; frame < frames; frame++) {
    if (frame === frames / 4) before = hitmask.memory.buffer.byteLength;
    for (let k = 0; k < at.length; k++) at[k] += Math.sin(frame + k);
    world.setPositions(at);
    const extra = world.add({ shape: shot, x: frame % 100, y: 20, dx: 5 });
    await hitmask.run(world, frame % 2 ? 'details' : 'pairs');
    world.updateEvents();
    world.ray(0, 20, 100, 20);
    world.slide(extra, 10, 3);
    world.remove(extra);
  }
  world.free();
  return [before, hitmask.memory.buffer.byteLength];
}
