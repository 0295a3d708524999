import { Hitmask } from '../dist/hitmask.js';

const [WIDTH, HEIGHT, COUNT] = [800, 600, 1500];
const hitmask = await Hitmask.create({ engine: 'cpu' });
const world = new hitmask.World();
const ball = world.addShape(hitmask.Shape.circle(4));
const at = new Float32Array(2 * COUNT).map((_, k) => Math.random() * (k % 2 ? HEIGHT : WIDTH));
const motion = at.map(() => Math.random() * 3 - 1.5);
world.addAll(at, { shape: ball });

async function frame() {
  for (let k = 0; k < at.length; k++) {
    at[k] += motion[k];
    if (at[k] < 0 || at[k] > (k % 2 ? HEIGHT : WIDTH)) motion[k] = -motion[k];
  }
  const start = performance.now();
  world.setPositions(at);
  await hitmask.run(world);
  const ms = performance.now() - start;
  const [copy, flags] = [at.slice(), world.flags];
  postMessage({ at: copy, flags, pairs: world.pairCount, ms }, [copy.buffer, flags.buffer]);
}

onmessage = frame;
await frame();
