// Measures steps of a world whose bodies all move, on the CPU.

/** Returns the milliseconds of each of `count` steps, and the pairs of the last. */
export async function frames(hitmask, saved, count) {
  const world = hitmask.World.load(saved);
  const homes = world.positions();
  const at = homes.slice();
  const times = [];
  let pairs;
  for (let frame = 0; frame < count; frame++) {
    for (let k = 0; k < at.length; k++) at[k] = homes[k] + Math.round(2 * Math.sin(frame + k));
    const begin = performance.now();
    world.setPositions(at);
    await hitmask.run(world, 'pairs');
    ({ pairs } = world);
    times.push(performance.now() - begin);
  }
  world.free();
  return [times, pairs.length / 2];
}
