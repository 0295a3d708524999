// The Tint gate: compiles WGSL modules, as they are sent to the driver, with Tint (Chrome's and Dawn's WGSL compiler) on
// Dawn's null backend, so without a GPU. naga, behind wgpu, accepts shaders that Tint refuses; this keeps both content.
//
//     node check.mjs DIR          check every DIR/*.wgsl
//     node check.mjs --self-test  show that the gate passes good shaders and fails bad ones
//
// A module fails on any error or warning, when it has no compute entry point, and when a compute pipeline of an entry
// point cannot be made on a device with WebGPU's default limits and no features. An `override` thus needs a default.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create } from 'webgpu';

// WGSL's block comments nest; blanks keep lines and columns in place.
function withoutComments(code) {
  let out = '';
  let depth = 0;
  for (let i = 0; i < code.length; ) {
    const two = code.slice(i, i + 2);
    if (two === '/*' || (two === '*/' && depth > 0)) {
      depth += two === '/*' ? 1 : -1;
      out += '  ';
      i += 2;
    } else if (two === '//' && depth === 0) {
      const end = code.indexOf('\n', i);
      i = end < 0 ? code.length : end;
    } else {
      out += depth > 0 && code[i] !== '\n' ? ' ' : code[i];
      i += 1;
    }
  }
  return out;
}

// Returns the names of the functions with `@compute` among their attributes.
function computeEntryPoints(code) {
  return [...withoutComments(code).matchAll(/([^;{}]*)\bfn\s+(\w+)/g)]
    .filter(([, attributes]) => /@\s*compute\b/.test(attributes))
    .map(([, , name]) => name);
}

// Returns the problems that Tint and Dawn report for a module, one string each; none if it is good.
async function problems(device, name, code) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ label: name, code });
  const { messages } = await module.getCompilationInfo();
  const error = await device.popErrorScope();

  const lines = code.split('\n');
  const told = messages.map(({ type, lineNum, linePos, message }) => {
    const caret = `${' '.repeat(Math.max(linePos - 1, 0))}^`;
    return `${name}.wgsl:${lineNum}:${linePos}: ${type}: ${message}\n    ${lines[lineNum - 1] ?? ''}\n    ${caret}`;
  });
  if (messages.some(({ type }) => type !== 'info')) return told;
  if (error !== null) return [`${name}.wgsl: ${error.message}`];

  const entryPoints = computeEntryPoints(code);
  if (entryPoints.length === 0) return [`${name}.wgsl: no compute entry point`];
  const found = [];
  for (const entryPoint of entryPoints) {
    try {
      await device.createComputePipelineAsync({ label: entryPoint, layout: 'auto', compute: { module, entryPoint } });
    } catch (reason) {
      found.push(`${name}.wgsl: ${entryPoint}: ${reason.message.trim()}`);
    }
  }
  return found;
}

async function checkFolder(device, folder) {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.wgsl'))
    .sort();
  if (files.length === 0) {
    console.error(`tint: no .wgsl file in ${folder}`);
    return false;
  }
  let failed = 0;
  for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8');
    const found = await problems(device, file.slice(0, -'.wgsl'.length), code);
    if (found.length === 0) {
      console.log(`tint: ok      ${file} (${computeEntryPoints(code).join(', ')})`);
    } else {
      failed += 1;
      console.log(`tint: FAILED  ${file}`);
      for (const text of found) console.error(text);
    }
  }
  console.log(`tint: ${files.length - failed} of ${files.length} modules passed`);
  return failed === 0;
}

const OUT = '@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n';
const MAIN = '@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3u) ';

// Each case: its name, its code, and what the first problem must say; null where there must be none.
const CASES = [
  ['good', `${OUT}${MAIN}{ out[id.x] = id.x; }`, null],
  ['uniform-barrier', `${OUT}${MAIN}{ workgroupBarrier(); out[id.x] = 1u; }`, null],
  ['attribute-order', '@workgroup_size(min(8, 4)) @compute fn main() {}', null],
  ['syntax', 'fn main( {}', /error: expected '\)'/],
  ['non-uniform-barrier', `${OUT}${MAIN}{ if (id.x > 3u) { workgroupBarrier(); } out[id.x] = 1u; }`, /uniform control flow/],
  ['unreachable', `${OUT}${MAIN}{ return; out[id.x] = 1u; }`, /warning: code is unreachable/],
  ['shift-by-40', `${OUT}${MAIN}{ out[id.x] = 1u << 40u; }`, /error: shift left value/],
  ['feature', `enable f16;\n${MAIN}{}`, /error: extension 'f16'/],
  ['workgroup-memory', `var<workgroup> w: array<u32, 4097>;\n${MAIN}{ w[id.x] = 1u; }`, /main: .*workgroup storage/],
  ['workgroup-size', '@compute @workgroup_size(257) fn main() {}', /main: .*workgroup_size\(257/],
  ['override', 'override n: u32;\n@compute @workgroup_size(n) fn main() {}', /main: .*uninitialized/],
  [
    'second-entry-point',
    '@compute @workgroup_size(1) fn first() {}\n@compute @workgroup_size(512) fn second() {}',
    /second: .*workgroup_size\(512/,
  ],
  ['commented-out', '/* /* */ @compute @workgroup_size(1) fn main() {} */\n// @compute\nfn f() {}', /no compute entry point/],
  ['empty', '', /no compute entry point/],
];

// Each folder: what it holds, and the exit status that the gate must have on it.
const FOLDERS = [
  ['a good module', ['good'], 0],
  ['a good and a bad module', ['good', 'syntax'], 1],
  ['a warning', ['unreachable'], 1],
  ['nothing', [], 1],
];

async function selfTest(device) {
  let failed = 0;
  const expect = (right, name, expected, found) => {
    if (right) return;
    failed += 1;
    console.error(`tint: self-test FAILED: ${name}: expected ${expected}, found ${found}`);
  };

  console.log('tint: self-test; one warning about unreachable code, from Dawn itself, belongs to it');
  for (const [name, code, expected] of CASES) {
    const found = await problems(device, name, code);
    const right = expected === null ? found.length === 0 : expected.test(found[0] ?? '');
    expect(right, name, expected ?? 'no problem', found.join('\n') || 'none');
  }
  for (const [what, names, expected] of FOLDERS) {
    const folder = mkdtempSync(join(tmpdir(), 'hitmask-tint-'));
    for (const [name, code] of CASES.filter(([name]) => names.includes(name))) {
      writeFileSync(join(folder, `${name}.wgsl`), code);
    }
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder]);
    rmSync(folder, { recursive: true });
    expect(status === expected, `a folder with ${what}`, `exit status ${expected}`, status);
  }
  const cases = CASES.length + FOLDERS.length;
  console.log(`tint: self-test: ${cases - failed} of ${cases} cases as expected`);
  return failed === 0;
}

const [argument, ...rest] = process.argv.slice(2);
if (argument === undefined || rest.length > 0 || (argument.startsWith('-') && argument !== '--self-test')) {
  console.error('usage: node check.mjs DIR | --self-test');
  process.exit(2);
}

// Dawn also writes warnings to the console by itself; it has no switch for that.
const gpu = create(['backend=null']);
const adapter = await gpu.requestAdapter();
if (adapter === null) throw new Error('Dawn has no null backend here');
const device = await adapter.requestDevice();
const passed = await (argument === '--self-test' ? selfTest(device) : checkFolder(device, argument));
device.destroy();
process.exitCode = passed ? 0 : 1;
