// Compares the answers of both engines in this browser with those that were computed natively, and with each other.
//
// `answers.html#random=N` makes N random worlds; 20 by default. The verdict is `data-state` of the page's root element:
// `running`, `passed` or `failed`.

import { crowd } from './tests/cases.js';
import { FILES, hashOf } from './tests/golden.js';

// The number of bodies of a random world.
const CROWD = 200;

const element = (id) => document.getElementById(id);

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
  return response;
}

function cell(row, text, className = '') {
  Object.assign(row.insertCell(), { textContent: text, className });
}

// Returns the digest of each engine's answer; `make` creates the world for an engine.
async function digests(engines, make) {
  const found = {};
  for (const [name, hitmask] of Object.entries(engines)) {
    const world = make(hitmask);
    try {
      await hitmask.run(world, 'details');
      found[name] = hashOf(world);
      found.bodies = world.count;
      found.pairs = world.pairCount;
    } finally {
      world.free();
    }
  }
  return found;
}

// Adds the row of a world, and returns whether all engines have its digest.
function report(name, expected, found) {
  const row = element('rows').insertRow();
  for (const text of [name, found.bodies, found.pairs, expected]) cell(row, text);
  const wrong = ['cpu', 'gpu'].filter((engine) => engine in found && found[engine] !== expected);
  for (const engine of ['cpu', 'gpu']) {
    if (!(engine in found)) cell(row, 'not run', 'faint');
    else if (wrong.includes(engine)) cell(row, found[engine], 'different');
    else cell(row, 'equal', 'equal');
  }
  return wrong.length === 0;
}

// Opens the engines. A GPU that the browser has, but that does not work, is an error.
async function open() {
  // Here, so that a package that is not built is an error that the page can show.
  const { Hitmask } = await import('./dist/hitmask.js');
  const engines = { cpu: await Hitmask.create({ engine: 'cpu' }) };
  if (await navigator.gpu?.requestAdapter()) engines.gpu = await Hitmask.create({ engine: 'gpu', software: true });
  element('engines').textContent = `CPU: ${engines.cpu.device}. GPU: ${engines.gpu?.device ?? 'none'}.`;
  return engines;
}

function randomWorlds() {
  const text = new URLSearchParams(location.hash.slice(1)).get('random') ?? '20';
  if (!/^[0-9]{1,6}$/.test(text)) throw new Error(`\`random\` is ${text}; it must be a whole number below a million`);
  return Number(text);
}

async function check() {
  const random = randomWorlds();
  const engines = await open();
  let [worlds, different] = [0, 0];
  const judge = (name, expected, found) => {
    worlds++;
    if (!report(name, expected, found)) different++;
    element('headline').textContent = `${worlds} worlds, ${different} different`;
  };
  const lists = await Promise.all(FILES.map(async (name) => (await fetched(`../assets/golden/${name}`)).text()));
  for (const line of lists.join('').trim().split('\n')) {
    const [file, expected] = line.split(' ');
    const name = file.replace('.json', '');
    const bytes = new Uint8Array(await (await fetched(`tests/worlds/${name}.world`)).arrayBuffer());
    judge(name, expected, await digests(engines, (hitmask) => hitmask.World.load(bytes)));
  }
  // Without a GPU there is nothing to compare the CPU's answers with.
  for (let seed = 1; engines.gpu && seed <= random; seed++) {
    const found = await digests(engines, (hitmask) => crowd(hitmask, CROWD, seed));
    judge(`random, seed ${seed}`, found.cpu, found);
  }
  const where = engines.gpu ? 'on the CPU and on the GPU' : 'on the CPU; this browser has no GPU to compare with';
  const verdict = different ? `${different} of ${worlds} answers differ` : `All ${worlds} answers are right`;
  element('headline').textContent = `${verdict} ${where}`;
  return different === 0;
}

let state = 'failed';
try {
  if (await check()) state = 'passed';
} catch (error) {
  element('headline').textContent = `The check has failed: ${error.message}`;
}
document.documentElement.dataset.state = state;
