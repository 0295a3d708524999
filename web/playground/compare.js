// The same step on the GPU, and whether it has the same answer.

/** Whether this browser has a GPU to compare with. */
export const hasGpu = async () => Boolean(await navigator.gpu?.requestAdapter());

let opening;

// Opens the GPU, when it is needed first.
function open() {
  opening ??= (async () => {
    // The package, whose module with WebGPU has the same world, and no scenes.
    const { Hitmask } = await import('../dist/hitmask.js');
    return Hitmask.create({ engine: 'gpu', software: true });
  })();
  return opening;
}

// The details of a pair as text, which is equal if they are.
const textOf = ({ tick, area, bounds, first, sums }) => String([tick, area, bounds, first, sums]);

/** Returns how the answer of a world on the GPU differs from that of the same world on the CPU; `undefined` if it is equal. */
function difference(cpu, gpu) {
  if (String(cpu.flags) !== String(gpu.flags)) return 'other bodies hit';
  if (cpu.pairCount !== gpu.pairCount) return `${gpu.pairCount} pairs, not ${cpu.pairCount}`;
  const [expected, found] = [cpu.pairs, gpu.pairs];
  for (let pair = 0; pair < cpu.pairCount; pair++) {
    const [a, b] = expected.subarray(2 * pair);
    if (found[2 * pair] !== a || found[2 * pair + 1] !== b) return `no pair ${a} and ${b}`;
    if (textOf(cpu.detail(pair)) !== textOf(gpu.detail(pair))) return `other details of the pair ${a} and ${b}`;
  }
  return undefined;
}

/** Runs the step of a world on the GPU too. Returns the name of the GPU and the difference. */
export async function compare(world) {
  const bytes = world.save();
  const hitmask = await open();
  const other = hitmask.World.load(bytes);
  try {
    await hitmask.run(other, 'details');
    return { device: hitmask.device, difference: difference(world, other) };
  } finally {
    other.free();
  }
}
