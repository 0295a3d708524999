// The same step on the GPU, and whether it has the same answer.

/** The time that the GPU has for each part of a comparison, in milliseconds. Shaders compiled for software take long. */
const MOST = 60_000;
/** The most pairs that are compared. */
const MOST_PAIRS = 200_000;

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

// Returns what a promise does, or throws after the limit.
async function inTime(promise) {
  let limit;
  const late = new Promise((_, reject) => {
    limit = setTimeout(() => reject(new Error(`no answer in ${MOST / 1000} s`)), MOST);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(limit);
  }
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

/**
 * Runs the step of a world on the GPU too. Returns the name of the GPU and the difference; `undefined` if this browser
 * has no GPU.
 */
export async function compare(world) {
  if (!(await inTime(navigator.gpu?.requestAdapter()))) return undefined;
  if (world.pairCount > MOST_PAIRS) throw new Error(`more than ${MOST_PAIRS} pairs`);
  const bytes = world.save();
  try {
    const hitmask = await inTime(open());
    const other = hitmask.World.load(bytes);
    await inTime(hitmask.run(other, 'details'));
    const found = { device: hitmask.device.trim(), difference: difference(world, other) };
    other.free();
    return found;
  } catch (error) {
    // The GPU may be lost: the next comparison opens it anew.
    opening = undefined;
    // A trap of that module leaves the page's own as it is.
    throw new Error(error.message);
  }
}
