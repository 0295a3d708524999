// Drives web/verify.html in headless Chromium through ChromeDriver, without packages. See USAGE.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `usage: node web/test.mjs DIR [--faults] [--json FILE] [--picture FILE] [--minutes N]

Opens DIR/verify.html, written by \`hitmask verify --export DIR\`, in headless Chromium, waits until it has run all vectors
on the browser's WebGPU (on SwiftShader, in software), and prints what came of it. Needs chromium and chromedriver
(Debian: apt-get install chromium chromium-driver), which may be named by CHROMIUM and CHROMEDRIVER.

  --faults        plant faults in the vectors, one at a time, and see each found by name
  --json FILE     write the page's whole result there
  --picture FILE  write a picture of the page there, PNG
  --minutes N     how long the page may take; 20 by default

Exit status: 0 all is equal (or each fault was found), 1 it is not, 2 it could not be tried.`;

const CHROMIUM = process.env.CHROMIUM ?? 'chromium';
const CHROMEDRIVER = process.env.CHROMEDRIVER ?? 'chromedriver';
// WebGPU on SwiftShader, without features that use the network.
const ARGUMENTS = [
  '--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--window-size=1200,1000',
  '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan',
];
const TYPES = { html: 'text/html', js: 'text/javascript', json: 'application/json', bin: 'application/octet-stream' };
class CannotRun extends Error {}

// Serves files by name, from memory.
async function serve(files) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname.slice(1);
    const body = files.get(name);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': TYPES[name.split('.').pop()] ?? 'text/plain' });
    response.end(body);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

// A browser controlled by ChromeDriver.
class Browser {
  static async open() {
    const program = spawnSync('sh', ['-c', 'command -v "$0"', CHROMIUM], { encoding: 'utf8' }).stdout.trim();
    if (program === '') throw new CannotRun(`no ${CHROMIUM}: apt-get install chromium`);
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), 'hitmask-chromium-'));
    browser.driver = spawn(CHROMEDRIVER, ['--port=0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = new Promise((started, failed) => {
      let said = '';
      browser.driver.on('error', () => failed(new CannotRun(`no ${CHROMEDRIVER}: apt-get install chromium-driver`)));
      browser.driver.on('exit', () => failed(new CannotRun(`${CHROMEDRIVER} has ended: ${said}`)));
      browser.driver.stdout.on('data', (text) => {
        said += text;
        const found = /started successfully on port (\d+)/.exec(said);
        if (found) started(found[1]);
      });
    });
    try {
      browser.at = `http://127.0.0.1:${await port}`;
      const options = { binary: program, args: [...ARGUMENTS, `--user-data-dir=${browser.folder}`] };
      const capabilities = { alwaysMatch: { browserName: 'chrome', 'goog:chromeOptions': options } };
      const { sessionId, capabilities: got } = await browser.ask('POST', '/session', { capabilities });
      browser.at += `/session/${sessionId}`;
      browser.version = got.browserVersion;
    } catch (error) {
      await browser.close();
      throw error instanceof CannotRun ? error : new CannotRun(`${CHROMIUM} does not start: ${error.message}`);
    }
    return browser;
  }

  async ask(method, path, body) {
    const response = await fetch(this.at + path, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(value.message.split('\n')[0]);
    return value;
  }

  // Returns the result of a function body in the page.
  script(script) {
    return this.ask('POST', '/execute/sync', { script, args: [] });
  }

  async picture(file) {
    const height = await this.script('return document.documentElement.scrollHeight');
    await this.ask('POST', '/window/rect', { width: 1200, height: Math.min(height + 150, 9000) });
    writeFileSync(file, Buffer.from(await this.ask('GET', '/screenshot'), 'base64'));
  }

  async close() {
    await this.ask('DELETE', '').catch(() => {});
    this.driver.removeAllListeners('exit');
    this.driver.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

// Returns the page's result for some files.
async function verify(browser, files, minutes) {
  const server = await serve(files);
  try {
    await browser.ask('POST', '/url', { url: `http://localhost:${server.address().port}/verify.html` });
    const end = Date.now() + 60_000 * minutes;
    for (;;) {
      const state = await browser.script('return document.documentElement.dataset.state');
      if (state === 'passed' || state === 'failed') break;
      const headline = await browser.script('return document.getElementById("verdict").innerText');
      if (state === 'waiting') throw new CannotRun(`the page has no vectors: ${headline}`);
      if (Date.now() > end) throw new CannotRun(`the page was not done after ${minutes} minutes: ${headline}`);
      await new Promise((next) => setTimeout(next, 250));
    }
    return JSON.parse(await browser.script('return document.getElementById("result").textContent'));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

// Lists what is wrong, one line each.
function wrong(result) {
  const lines = result.problem ? [`the page: ${result.problem}`] : [];
  const differ = (kind) => ({ name, different, first }) => `${kind} ${name}: ${different} different: ${first}`;
  lines.push(...result.functions.filter(({ different }) => different > 0).map(differ('function')));
  lines.push(...result.entries.filter(({ problem }) => problem).map(({ entry, problem }) => `entry point ${entry}: ${problem}`));
  lines.push(...result.steps.filter(({ different }) => different > 0).map(differ('step')));
  if (result.passed !== (lines.length === 0)) lines.push(`the page says passed: ${result.passed}`);
  return lines;
}

function tell(browser, result) {
  const sum = (list, field) => list.reduce((sum, item) => sum + item[field], 0);
  const { functions, entries, steps, adapter } = result;
  console.log(`web: Chromium ${browser.version}, ${Object.values(adapter ?? {}).filter(Boolean).join(' ') || 'no adapter'}`);
  console.log(`web: ${functions.length} functions, ${sum(functions, 'vectors')} inputs, ${sum(functions, 'different')} different`);
  console.log(`web: ${entries.length} entry points, ${sum(entries, 'dispatches')} dispatches`);
  console.log(`web: ${steps.length} steps, ${sum(steps, 'words')} words, ${sum(steps, 'different')} different`);
  console.log(`web: ${result.seconds?.toFixed(1)} s in the page`);
}

// Returns a text with the first `from` replaced by `to`. If there is none, the test is at fault.
function replaced(text, from, to) {
  if (!text.includes(from)) throw new CannotRun(`the vectors have no \`${from}\``);
  return text.replace(from, to);
}

// Faults: a description; the function in which it is, or an empty name for whole steps; how it is planted in the
// manifest and its words; and the message that must be reported.
const FAULTS = [
  [
    'a bit of an answer of wide_mul, flipped',
    'wide_mul',
    ({ functions: { list: [asked] } }, words) => (words[asked.answers[0] + 4 * 1000] ^= 1 << 7),
    /^function wide_mul: 1 different: input 1000,/,
  ],
  [
    'a bit of the last word of the last flags, flipped',
    '',
    ({ steps }, words) => {
      const { words: [start, length] } = steps.at(-1).expected.find(({ what }) => what === 'flags');
      words[start + length - 1] ^= 1;
    },
    ({ steps }) => new RegExp(`^step ${steps.at(-1).name}: 1 different: flags`),
  ],
  [
    'a constant of the wide product, 16 as 15, where it is asked by itself',
    'wide_product',
    ({ functions: { list: [asked] } }) => (asked.module = replaced(asked.module, '(middle << 16u)', '(middle << 15u)')),
    /^function wide_product: \d+ different/,
  ],
  [
    'a constant of the details, the ticks of a step, one less, in a whole step',
    '',
    ({ modules }) => {
      for (const [name, tick] of [['detail_convex', 'first'], ['detail_sprites', '(*now).tick'], ['detail_mixed', '(*now).tick']]) {
        const module = modules.find((module) => module.name === name);
        module.source = replaced(module.source, `vec2<u32>(${tick}, TICKS)`, `vec2<u32>(${tick}, TICKS - 1u)`);
      }
    },
    /^step .*: \d+ different: details \d+, word 1: 0x0000ffff, right is 0x00010000/,
  ],
  [
    'a shader that Tint refuses',
    '',
    ({ modules }) => (modules.find(({ name }) => name === 'sieve').source += 'fn broken( {}'),
    /^entry point sieve: sieve:\d+:\d+: error/,
  ],
  [
    "an answer behind its buffer's end",
    '',
    ({ steps: [{ expected: [counts], sizes }] }) => (counts.start = sizes[counts.buffer]),
    ({ steps: [{ name }] }) => new RegExp(`^step ${name}: 1 different: `),
  ],
];

// Keeps only what a fault needs: one function, or a few steps, which need all modules. In each of these steps the first
// pair moves: its details begin with its tick and the number of ticks per step.
function some({ functions, modules, steps, ...rest }, words, name) {
  const list = functions.list.filter((asked) => asked.name === name);
  const moving = ({ expected }) => {
    const { words: [start, length] } = expected.find(({ what }) => what === 'details') ?? { words: [0, 0] };
    return length > 0 && words[start + 1] > 0;
  };
  const run = list.length > 0 ? { modules: [], steps: [] } : { modules, steps: steps.filter(moving).slice(0, 4) };
  return structuredClone({ ...rest, ...run, functions: { ...functions, list } });
}

async function plantFaults(browser, files, minutes) {
  const manifest = JSON.parse(files.get('vectors.json'));
  let missed = 0;
  for (const [what, name, plant, told] of [['nothing', '', () => {}, null], ...FAULTS]) {
    const words = new Uint32Array(Uint8Array.from(files.get('vectors.bin')).buffer);
    const planted = some(manifest, words, name);
    plant(planted, words);
    const bytes = new Uint8Array(words.buffer);
    const served = new Map([...files, ['vectors.json', JSON.stringify(planted)], ['vectors.bin', bytes]]);
    const result = await verify(browser, served, minutes);
    // A few steps alone do not use all entry points.
    const lines = wrong(result).filter((line) => !line.endsWith('no step has run it') && !line.startsWith('the page says'));
    const pattern = typeof told === 'function' ? told(planted) : told;
    const right = pattern === null ? result.passed && lines.length === 0 : !result.passed && lines.some((line) => pattern.test(line));
    missed += right ? 0 : 1;
    console.log(`web: ${right ? 'found ' : 'MISSED'} ${what}: ${(lines[0] ?? 'all equal').slice(0, 200)}`);
  }
  return missed;
}

async function main() {
  const options = {
    faults: { type: 'boolean' }, help: { type: 'boolean', short: 'h' }, json: { type: 'string' }, minutes: { type: 'string', default: '20' },
    picture: { type: 'string' },
  };
  const { values, positionals: [folder, ...more] } = parseArgs({ options, allowPositionals: true });
  if (values.help) return console.log(USAGE);
  if (folder === undefined || more.length > 0) throw new CannotRun(USAGE);
  const names = ['verify.html', 'verify.js', 'vectors.json', 'vectors.bin'];
  const files = new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  const minutes = Number(values.minutes);
  const browser = await Browser.open();
  try {
    if (values.faults) {
      process.exitCode = (await plantFaults(browser, files, minutes)) === 0 ? 0 : 1;
      return;
    }
    const result = await verify(browser, files, minutes);
    tell(browser, result);
    if (values.json) writeFileSync(values.json, `${JSON.stringify(result)}\n`);
    if (values.picture) await browser.picture(values.picture);
    const lines = wrong(result);
    lines.forEach((line) => console.error(`web: WRONG: ${line}`));
    process.exitCode = lines.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
  }
}

await main().catch((error) => {
  console.error(`web: DID NOT RUN: ${error.message}`);
  process.exitCode = 2;
});
