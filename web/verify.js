// Runs the vectors of `hitmask verify --export` on this browser's WebGPU and compares every bit.
//
// The page shows the result. For programs, the element `result` has it as JSON once the page's attribute `data-state`
// is `passed` or `failed`: `passed`, `problem`, `adapter`, `browser`, `functions`, `entries`, `steps`. A vector that
// has not run never counts as equal.

const FORMAT = 1;
// The bindings of `ask`, the entry point of functions.
const [ATLAS, INPUTS, ANSWERS] = [3, 4, 20];
// The invocations per workgroup of `ask`, and the words per answer.
const [GROUP, ANSWER] = [64, 4];
// The content of buffers where nothing was uploaded; an engine's buffers have leftovers of earlier steps there.
const NOISE = 0xdeadbeef;

const at = (id) => document.getElementById(id);
const hex = (word) => word.toString(16).padStart(8, '0');
const count = new Intl.NumberFormat('en').format;

// The vectors: a manifest, and the words that it refers to by start and length.
class Vectors {
  constructor(text, bytes) {
    this.manifest = JSON.parse(text);
    const { format, words } = this.manifest;
    if (format !== FORMAT) throw new Error(`vectors.json is of form ${format}, and this page reads form ${FORMAT}`);
    if (bytes.byteLength !== 4 * words) {
      throw new Error(`vectors.bin has ${bytes.byteLength} bytes, and vectors.json speaks of ${4 * words}`);
    }
    this.all = new Uint32Array(bytes);
  }

  words([start, length]) {
    return this.all.subarray(start, start + length);
  }
}

// A device, with functions that create and read its objects.
class Gpu {
  constructor(device) {
    this.device = device;
  }

  buffer(size, words, usage = GPUBufferUsage.STORAGE) {
    const kinds = usage | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const buffer = this.device.createBuffer({ size, usage: kinds, mappedAtCreation: true });
    const held = new Uint32Array(buffer.getMappedRange());
    held.fill(NOISE);
    held.set(words);
    buffer.unmap();
    return buffer;
  }

  layout(bindings) {
    const entries = bindings.map(([binding, type]) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type, hasDynamicOffset: type === 'uniform' },
    }));
    return this.device.createBindGroupLayout({ entries });
  }

  async module(label, code) {
    const module = this.device.createShaderModule({ label, code });
    const { messages } = await module.getCompilationInfo();
    const bad = messages.find(({ type }) => type !== 'info');
    if (bad) throw new Error(`${label}:${bad.lineNum}:${bad.linePos}: ${bad.type}: ${bad.message}`);
    return module;
  }

  pipeline(module, entryPoint, layout) {
    const whole = this.device.createPipelineLayout({ bindGroupLayouts: [layout] });
    return this.device.createComputePipelineAsync({ label: entryPoint, layout: whole, compute: { module, entryPoint } });
  }

  // Submits what `encode` encodes, followed by copies of parts of buffers, `[buffer, start, bytes]`. Returns their
  // words.
  async run(encode, parts) {
    const { device } = this;
    const encoder = device.createCommandEncoder();
    encode(encoder);
    const size = parts.reduce((sum, [, , bytes]) => sum + bytes, 0);
    const staging = device.createBuffer({ size: Math.max(size, 4), usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    let end = 0;
    for (const [buffer, start, bytes] of parts) {
      if (bytes > 0) encoder.copyBufferToBuffer(buffer, start, staging, end, bytes);
      end += bytes;
    }
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    const words = new Uint32Array(staging.getMappedRange().slice(0, size));
    staging.destroy();
    let taken = 0;
    return parts.map(([, , bytes]) => words.subarray(taken, (taken += bytes / 4)));
  }

  // Runs `act`. A device error rejects the promise.
  async scoped(act) {
    for (const filter of ['validation', 'out-of-memory', 'internal']) this.device.pushErrorScope(filter);
    let failed = null;
    const value = await act().catch((error) => (failed = error));
    for (let k = 0; k < 3; k += 1) failed ??= await this.device.popErrorScope();
    if (failed !== null) throw failed;
    return value;
  }
}

// Runs one function on all its inputs.
async function runFunction(gpu, vectors, asked) {
  const { atlas, cases } = vectors.manifest.functions;
  const inputs = vectors.words(asked.inputs);
  const right = vectors.words(asked.answers);
  const found = await gpu.scoped(async () => {
    const layout = gpu.layout([
      [ATLAS, 'read-only-storage'],
      [INPUTS, asked.writes_inputs ? 'storage' : 'read-only-storage'],
      [ANSWERS, 'storage'],
    ]);
    const pipeline = await gpu.pipeline(await gpu.module(asked.name, asked.module), 'ask', layout);
    const buffers = [
      [ATLAS, gpu.buffer(4 * atlas[1], vectors.words(atlas))],
      [INPUTS, gpu.buffer(inputs.byteLength, inputs)],
      [ANSWERS, gpu.buffer(right.byteLength, [])],
    ];
    const entries = buffers.map(([binding, buffer]) => ({ binding, resource: { buffer } }));
    const group = gpu.device.createBindGroup({ layout, entries });
    const encode = (encoder) => {
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(cases / GROUP);
      pass.end();
    };
    const [answers] = await gpu.run(encode, [[buffers[2][1], 0, right.byteLength]]);
    for (const [, buffer] of buffers) buffer.destroy();
    return answers;
  });
  let different = 0;
  let first = null;
  for (let k = 0; k < cases; k += 1) {
    const place = ANSWER * k;
    if (right.subarray(place, place + ANSWER).every((word, i) => word === found[place + i])) continue;
    different += 1;
    const bits = (words) => `0x${Array.from(words.subarray(place, place + ANSWER), hex).reverse().join('_')}`;
    first ??= () => {
      const input = new Int32Array(inputs.slice(asked.words * k, asked.words * (k + 1)).buffer);
      return `input ${k}, [${input.join(', ')}]: ${bits(found)}, right is ${bits(right)}`;
    };
  }
  return { name: asked.name, vectors: cases, equal: cases - different, different, first: first?.() ?? '' };
}

// Creates the pipelines of all entry points, with their layouts.
async function pipelines(gpu, modules, told) {
  const all = new Map();
  for (const { name, source, entries, reads, writes } of modules) {
    const bindings = [[0, 'uniform'], ...reads.map((k) => [k, 'read-only-storage']), ...writes.map((k) => [k, 'storage'])];
    let module = null;
    let problem = '';
    const layout = gpu.layout(bindings);
    const note = (error) => (problem = error.message);
    await gpu.scoped(async () => (module = await gpu.module(name, source))).catch(note);
    for (const entry of entries) {
      const made = { entry, module: name, bindings: bindings.map(([k]) => k), layout, dispatches: 0, problem };
      if (module !== null) {
        const make = async () => (made.pipeline = await gpu.pipeline(module, entry, layout));
        await gpu.scoped(make).catch((error) => (made.problem = error.message));
      }
      all.set(entry, made);
    }
    await told(name);
  }
  return all;
}

// Runs one step, from its uploads to its answer.
async function runStep(gpu, vectors, entries, step) {
  const { bytes, stride } = vectors.manifest.params;
  const parts = await gpu.scoped(async () => {
    const uploads = new Map(step.uploads.map(([buffer, words]) => [buffer, vectors.words(words)]));
    const usage = (k) => (k === 0 ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE);
    const buffers = step.sizes.map((size, k) => gpu.buffer(size, uploads.get(k) ?? [], usage(k)));
    const groups = new Map();
    const group = (entry) => {
      const { bindings, layout } = entries.get(entry);
      const resource = (k) => ({ buffer: buffers[k], size: k === 0 ? bytes : undefined });
      const bound = bindings.map((binding) => ({ binding, resource: resource(binding) }));
      groups.set(entry, groups.get(entry) ?? gpu.device.createBindGroup({ layout, entries: bound }));
      return groups.get(entry);
    };
    const encode = (encoder) => {
      let pass = null;
      let dispatches = 0;
      for (const command of step.commands) {
        if (command.dispatch === undefined) {
          pass?.end();
          pass = null;
        }
        if (command.clear !== undefined) {
          encoder.clearBuffer(buffers[command.clear], command.start);
        } else if (command.copy !== undefined) {
          encoder.copyBufferToBuffer(buffers[command.copy], 0, buffers[command.to], 0, command.bytes);
        } else {
          const entry = entries.get(command.dispatch);
          if (!entry.pipeline) throw new Error(`${command.dispatch} does not compile`);
          pass ??= encoder.beginComputePass();
          pass.setPipeline(entry.pipeline);
          pass.setBindGroup(0, group(command.dispatch), [stride * dispatches]);
          pass.dispatchWorkgroups(...command.groups);
          dispatches += 1;
          entry.dispatches += 1;
        }
      }
      pass?.end();
    };
    const wanted = step.expected.map(({ buffer, start, words }) => [buffers[buffer], start, 4 * words[1]]);
    try {
      return await gpu.run(encode, wanted);
    } finally {
      for (const buffer of buffers) buffer.destroy();
    }
  });
  let [words, different, first] = [0, 0, ''];
  step.expected.forEach((part, p) => {
    const right = vectors.words(part.words);
    const counts = part.counts && vectors.words(part.counts);
    right.forEach((word, k) => {
      words += 1;
      if (((word ^ parts[p][k]) & (counts ? counts[k] : -1)) === 0) return;
      different += 1;
      const place = `${part.what} ${Math.floor(k / part.element)}, word ${k % part.element}`;
      first ||= `${place}: 0x${hex(parts[p][k])}, right is 0x${hex(word)}`;
    });
  });
  return { words, different, first };
}

// Appends a row to a table. A cell is a text, or a text and its class.
function row(table, cells) {
  const line = at(table).insertRow();
  for (const cell of cells) {
    const [text, kind] = Array.isArray(cell) ? cell : [cell, ''];
    const made = line.insertCell();
    made.textContent = text;
    made.className = kind;
  }
}

function about(facts) {
  for (const [name, value] of facts) {
    at('about').append(Object.assign(document.createElement('dt'), { textContent: name }));
    at('about').append(Object.assign(document.createElement('dd'), { textContent: value || 'not told' }));
  }
}

function say(state, headline, detail) {
  document.documentElement.dataset.state = state;
  at('headline').textContent = headline;
  at('detail').textContent = detail;
}

const problems = (different) => [count(different), different > 0 ? 'number different' : 'number'];

async function verify(vectors) {
  const result = { passed: false, problem: '', browser: navigator.userAgent, functions: [], entries: [], steps: [] };
  const start = performance.now();
  const { functions, modules, steps, version } = vectors.manifest;
  try {
    if (!navigator.gpu) throw new Error('this browser has no WebGPU, or the page is neither of localhost nor of https');
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (adapter === null) throw new Error('this browser has WebGPU, but no adapter');
    const { vendor, architecture, device: model, description } = adapter.info;
    result.adapter = { vendor, architecture, device: model, description };
    about([
      ['adapter', [vendor, architecture, model, description].filter(Boolean).join(', ')],
      ['browser', navigator.userAgent],
      ['vectors', `of hitmask ${version}: ${functions.list.length} functions, ${steps.length} steps`],
    ]);
    // Without requested limits, the device has WebGPU's defaults, the least that the engine must work with.
    const device = await adapter.requestDevice();
    const gpu = new Gpu(device);
    device.lost.then(({ message }) => (result.problem ||= `the device was lost: ${message}`));
    device.addEventListener('uncapturederror', ({ error }) => (result.problem ||= error.message));
    at('results').hidden = false;

    const all = functions.list.length + modules.length + steps.length;
    let done = 0;
    // Updates the page from time to time, not at each iteration.
    let shown = 0;
    const told = async (name) => {
      done += 1;
      if (performance.now() - shown < 100) return;
      at('progress').value = done / all;
      say('running', `${count(done)} of ${count(all)}`, name);
      await new Promise((next) => setTimeout(next));
      shown = performance.now();
    };
    for (const asked of functions.list) {
      const cases = functions.cases;
      const failed = (error) => ({ name: asked.name, vectors: cases, equal: 0, different: cases, first: error.message });
      const ran = await runFunction(gpu, vectors, asked).catch(failed);
      result.functions.push(ran);
      const { name, vectors: inputs, equal, different, first } = ran;
      row('functions', [[name, 'name'], [count(inputs), 'number'], [count(equal), 'number'], problems(different), [first, 'first']]);
      await told(name);
    }
    const entries = await pipelines(gpu, modules, told);
    for (const step of steps) {
      const pairs = vectors.words(step.expected[0].words)[0];
      const failed = (error) => ({ words: 0, different: 1, first: error.message });
      const ran = { name: step.name, bodies: step.bodies, pairs, ...(await runStep(gpu, vectors, entries, step).catch(failed)) };
      result.steps.push(ran);
      const { name, bodies, words, different, first } = ran;
      const numbers = [bodies, pairs, words].map((number) => [count(number), 'number']);
      row('steps', [name, ...numbers, problems(different), [first, 'first']]);
      await told(name);
    }
    for (const { entry, module, dispatches, problem } of entries.values()) {
      const never = dispatches === 0 ? 'no step has run it' : '';
      result.entries.push({ entry, module, dispatches, problem: problem || never });
      row('entries', [[entry, 'name'], [module, 'name'], [count(dispatches), 'number'], [problem || never, 'first different']]);
    }
  } catch (error) {
    result.problem ||= error.message;
  }

  const wrongFunctions = result.functions.filter(({ different }) => different > 0).length;
  const wrongSteps = result.steps.filter(({ different }) => different > 0).length;
  // A single scene may leave entry points out.
  const wrongEntries = result.entries.filter(({ problem, dispatches }) => problem && dispatches > 0).length;
  const ran = result.functions.length === functions.list.length && result.steps.length === steps.length;
  result.passed = ran && result.problem === '' && wrongFunctions + wrongSteps + wrongEntries === 0;
  result.seconds = (performance.now() - start) / 1000;
  const inputs = result.functions.reduce((sum, { vectors: inputs }) => sum + inputs, 0);
  const words = result.steps.reduce((sum, { words }) => sum + words, 0);
  const ask = `${count(inputs)} answers of ${result.functions.length} functions`;
  const steady = `${count(words)} words of ${result.steps.length} steps`;
  if (result.passed) {
    say('passed', 'Equal to the last bit', `${ask}, ${steady}, in ${result.seconds.toFixed(1)} s`);
  } else {
    const wrong = `${wrongFunctions} functions and ${wrongSteps} steps differ`;
    say('failed', result.problem || wrong, result.problem ? wrong : `of ${ask}, ${steady}`);
  }
  at('result').textContent = JSON.stringify(result).replaceAll('<', '\\u003c');
}

// Loads a folder's files from the server of the page.
async function fetched() {
  const get = async (name) => {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return response;
  };
  const [text, words] = await Promise.all([get('vectors.json'), get('vectors.bin')]);
  return new Vectors(await text.text(), await words.arrayBuffer());
}

// Reads these files as the user provides them.
async function given(files) {
  const find = (name) => [...files].find((file) => file.name === name);
  const [text, words] = ['vectors.json', 'vectors.bin'].map(find);
  if (!text || !words) throw new Error('vectors.json and vectors.bin are both needed');
  return new Vectors(await text.text(), await words.arrayBuffer());
}

function waitForFiles(reason) {
  say('waiting', 'No vectors yet', reason);
  const take = (files) => given(files).then(verify, (error) => say('waiting', 'No vectors yet', error.message));
  const box = at('files');
  at('chosen').addEventListener('change', ({ target }) => take(target.files));
  for (const [event, over] of [['dragover', true], ['dragleave', false], ['drop', false]]) {
    box.addEventListener(event, (dropped) => {
      dropped.preventDefault();
      box.classList.toggle('over', over);
      if (event === 'drop') take(dropped.dataTransfer.files);
    });
  }
}

fetched().then(verify, (error) => waitForFiles(error.message));
