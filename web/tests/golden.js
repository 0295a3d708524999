// The golden hash of an answer, as tests/suite/golden.rs defines it: FNV-1a of 64 bits over 8-byte integers.

/** The files in assets/golden whose worlds are saved in tests/worlds. */
export const FILES = ['scenes.txt', 'small-crowds.txt', 'random.txt'];

const PRIME = 0x100000001b3n;
const MASK = (1n << 64n) - 1n;

export class Hash {
  constructor() {
    this.value = 0xcbf29ce484222325n;
  }

  take(value) {
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let byte = 0; byte < 8; byte++) {
      this.value = ((this.value ^ (rest & 0xffn)) * PRIME) & MASK;
      rest >>= 8n;
    }
  }

  // Numbers that may be absent: 0 if they are, otherwise 1 and the numbers.
  takeAll(values) {
    this.take(values === undefined ? 0 : 1);
    for (const value of values ?? []) this.take(value);
  }

  toString() {
    return this.value.toString(16).padStart(16, '0');
  }
}

/** Returns the hash of the last answer of a world, whose step was run with `details`. */
export function hashOf(world) {
  const hash = new Hash();
  const { flags, pairs, pairCount } = world;
  for (const length of [flags.length, pairCount, pairCount]) hash.take(length);
  for (const word of [...flags, ...pairs]) hash.take(word);
  for (let pair = 0; pair < pairCount; pair++) {
    const { tick, area, bounds, first, sums } = world.detail(pair);
    hash.takeAll(tick === undefined ? undefined : [tick, 65536]);
    hash.takeAll(area === undefined ? undefined : [area]);
    hash.takeAll(bounds === undefined ? undefined : [...bounds, ...first, ...sums]);
  }
  return hash.toString();
}
