// The package's types: compiled with `tsc --strict`, not run.

import { Hitmask, type Detail, type World } from '../dist/hitmask.js';
import { phaser, pixi, SpriteHits, type Drawn } from '../dist/sprites.js';

export async function frame(image: HTMLImageElement): Promise<Detail[]> {
  const hitmask = await Hitmask.create({ engine: 'cpu' });
  const { Shape, World } = hitmask;
  const world: World = new World();
  const ship: bigint = world.addShape(Shape.sprite(hitmask.mask(image, { region: [0, 0, 16, 16] }), 8, 8));
  const hero: bigint = world.add({ shape: ship, x: 100, y: 100, degrees: 30, layers: 1 });
  const zone: bigint = world.add({ shape: ship, layers: 4, mask: 1, detector: true });
  const [noticed, detects]: boolean[] = [world.sees(zone, hero), world.body(zone).detector];
  world.set(zone, { detector: noticed && detects });
  // @ts-expect-error A detector is true or false.
  world.set(zone, { detector: 1 });
  world.setPositions(Float32Array.of(1, 2));
  world.setPositions(Float32Array.of(1, 2), [0]);
  world.setShape(ship, Uint32Array.of(0));
  // @ts-expect-error Indices are whole numbers.
  world.removeAll(Float32Array.of(0));
  const near: bigint[] = [...world.atPoint(1, 2), ...world.inBox(0, 0, 9, 9, { mask: 1 })];
  const first: bigint | undefined = world.id(0);
  world.remove(first ?? near[0]);
  world.loadEvents(world.saveEvents());
  // @ts-expect-error There is no such request.
  await hitmask.run(world, 'everything');
  // @ts-expect-error A handle is a bigint.
  world.remove(Number(hero));
  return Array.from({ length: world.pairCount }, (_, pair) => world.detail(pair));
}

export function tint(hitmask: Hitmask): void {
  class Sprite {
    tint = 0;
  }
  const hits = new SpriteHits<Sprite>(hitmask, pixi);
  hits.add(new Sprite(), { layers: 1, mask: 2 });
  for (const [a, b] of hits.runNow()) a.tint = b.tint;
  const aside = (sprite: Sprite): Drawn => ({ ...phaser(sprite), x: 1 });
  new SpriteHits(hitmask, aside).free();
}
