'use strict';
// Shows records of `hitmask bench --format json`. Records are untrusted: their text is only ever set as text.

// The schema of the records that this page reads, as in record.rs.
const SCHEMA = 2;
// Colours that colour-blind readers can tell apart (Okabe and Ito, Color Universal Design, 2008).
const COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#888888'];
// How the line of each engine is dashed.
const DASHES = { cpu: null, gpu: '6 4', auto: '1 3', reference: '9 3 2 3' };
// What the filters choose by; a filter with one value is not shown.
const FILTERS = { workload: 'Workload', backend: 'Engine', ask: 'Answer', broad: 'Broad phase', motion: 'Motion' };

/** The records, each with its name, whether it is shown, and its colour. */
const records = [];
/** The values that each filter leaves out. */
const left_out = Object.fromEntries(Object.keys(FILTERS).map((key) => [key, new Set()]));

const byId = (id) => document.getElementById(id);

/** Creates an element with attributes and children: elements or text. */
function make(name, attributes = {}, ...children) {
  const svg = ['svg', 'path', 'line', 'circle', 'text', 'g', 'title'].includes(name);
  const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'style') element.style.cssText = value;
    else if (key.startsWith('on')) element[key] = value;
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Formats a value with three digits and the largest unit that fits. */
function scaled(value, units) {
  if (!Number.isFinite(value)) return '-';
  const [size, name] = units.findLast(([size]) => Math.abs(value) >= size) ?? units[0];
  return `${Number((value / size).toPrecision(3))}${name}`;
}
const time = (ns) => scaled(ns, [[1, ' ns'], [1e3, ' µs'], [1e6, ' ms'], [1e9, ' s']]);
const count = (n) => scaled(n, [[1, ''], [1e3, 'k'], [1e6, 'M'], [1e9, 'G'], [1e12, 'T']]);

/** Formats a number of things. */
const number = (n, thing) => `${n} ${thing}${n === 1 ? '' : 's'}`;

/** Adds a record from its text. Throws an error that says what is wrong with it. */
function add(text, name) {
  let record;
  try {
    record = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: not JSON: ${error.message}`);
  }
  if (record?.schema !== SCHEMA) throw new Error(`${name}: a record of schema ${SCHEMA} is needed, not ${record?.schema}`);
  const lists = [record.cases, record.engines, record.roofs ?? [], record.suite?.parts ?? [], record.suite?.scores ?? []];
  const of_suite = !record.suite || (record.suite.parts && record.suite.scores);
  if (!lists.every(Array.isArray) || !record.machine || !of_suite) throw new Error(`${name}: no record of hitmask bench`);
  const values = [...(record.roofs ?? []).map((roof) => roof?.value),
    ...(record.suite?.scores ?? []).map((score) => score?.points ?? 0)];
  if (!values.every(Number.isFinite)) throw new Error(`${name}: a limit or a score that is no number`);
  for (const one of record.cases) {
    const numbers = [one?.bodies, one?.time?.median_ns, one?.time?.min_ns, one?.time?.max_ns];
    if (!numbers.every(Number.isFinite)) throw new Error(`${name}: a case without bodies or times`);
    const still = one.moved_permille === 1000 ? 'all bodies move' : `${one.moved_permille} ‰ of the bodies move`;
    one.motion = one.moving ? `${still}, also within the step` : still;
  }
  const taken = (wanted) => records.some((other) => other.name === wanted);
  for (let k = 2, plain = name; taken(name); k++) name = `${plain} (${k})`;
  records.push({ record, name, shown: true, colour: COLOURS[records.length % COLOURS.length] });
}

/** Reads files, then shows all records. */
async function read(files) {
  const problems = [];
  for (const file of files) {
    const before = records.length;
    try {
      add(await file.text(), file.name);
      show();
    } catch (error) {
      // A record that cannot be shown must not hide the others.
      records.length = before;
      problems.push(error.message.startsWith(file.name) ? error.message : `${file.name}: ${error.message}`);
    }
  }
  byId('problem').textContent = problems.join('\n');
  show();
}

const shown = () => records.filter((one) => one.shown);
const swatch = (colour) => make('span', { class: 'swatch', style: `background:${colour}` });
const passes = (one) => Object.keys(FILTERS).every((key) => !left_out[key].has(one[key]));
const cases_of = (entry) => entry.record.cases.filter(passes);
const key_of = (one) => JSON.stringify([one.workload, one.n, one.motion, one.ask, one.broad, one.backend]);

function table(heads, rows) {
  const cell = (kind, content, column) => make(kind, { class: column.word ? 'word' : null }, content);
  return make('table', {},
    make('thead', {}, make('tr', {}, ...heads.map((head) => cell('th', head.node ?? head.text, head)))),
    make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((content, i) => {
      const made = cell('td', content?.text ?? content, heads[i]);
      if (content?.best) made.classList.add('best');
      return made;
    })))));
}

const machine_head = (entry) => ({ node: make('span', {}, swatch(entry.colour), entry.name) });

function show_machines() {
  byId('machines').replaceChildren(...records.map((entry) => {
    const { machine, engines, commit, date, hitmask, suite, debug } = entry.record;
    const engine = (one) => one.adapter
      ? `${one.backend}: ${one.adapter.name}${one.adapter.software ? ' (in software)' : ''}`
      : `${one.backend}: ${number(one.threads ?? 1, 'thread')}, ${one.simd ?? 'plain'}`;
    const cores = machine.cores && number(machine.cores, 'core');
    const about = [machine.cpu, cores, `${machine.os} on ${machine.arch}`, ...engines.map(engine),
      `hitmask ${hitmask}`, commit?.slice(0, 12), date, suite?.name, debug ? 'built without optimisation' : null];
    const box = make('input', { type: 'checkbox', checked: entry.shown, onchange: () => {
      entry.shown = box.checked;
      show();
    } });
    return make('label', { class: 'machine' }, box, swatch(entry.colour), make('b', {}, entry.name), ' ',
      make('small', {}, about.filter(Boolean).join(' · ')));
  }));
}

function show_scores() {
  const with_suite = shown().filter((entry) => entry.record.suite);
  byId('scores-of-suite').hidden = with_suite.length === 0;
  const rows = with_suite.flatMap((entry) => entry.record.suite.scores.map((score) => [
    make('span', {}, swatch(entry.colour), entry.name), entry.record.suite.name, score.backend,
    score.points == null ? 'none' : score.points.toFixed(1), `${score.ran} of ${score.of}`,
  ]));
  const problems = with_suite.flatMap((entry) => entry.record.suite.parts.filter((part) => part.problem)
    .map((part) => make('p', {}, `${entry.name}: ${part.part} on ${part.backend} not run: ${part.problem}`)));
  byId('scores').replaceChildren(
    table([{ text: 'Machine', word: true }, { text: 'Suite', word: true }, { text: 'Engine', word: true },
      { text: 'Score' }, { text: 'Parts measured' }], rows), ...problems);
}

function show_filters() {
  const all = shown().flatMap((entry) => entry.record.cases);
  byId('filters').replaceChildren(...Object.entries(FILTERS).flatMap(([key, label]) => {
    const values = [...new Set(all.map((one) => one[key]))];
    values.push(...[...left_out[key]].filter((value) => !values.includes(value)));
    if (values.length < 2 && left_out[key].size === 0) return [];
    const choices = values.map((value) => {
      const box = make('input', { type: 'checkbox', checked: !left_out[key].has(value), onchange: () => {
        if (box.checked) left_out[key].delete(value);
        else left_out[key].add(value);
        show();
      } });
      return make('label', {}, box, String(value), ' ');
    });
    return [make('fieldset', {}, make('legend', {}, label), ...choices)];
  }));
}

function show_cases() {
  const entries = shown();
  const heads = ['Workload', 'Bodies', 'Engine', 'Broad phase', 'Answer', 'Motion'];
  const rows = new Map();
  entries.forEach((entry, column) => cases_of(entry).forEach((one) => {
    const key = key_of(one);
    if (!rows.has(key)) rows.set(key, { one, times: [] });
    rows.get(key).times[column] = one;
  }));
  const row = ({ one, times }) => {
    const measured = times.filter(Boolean);
    const best = Math.min(...measured.map((other) => other.time.median_ns));
    const compared = measured.length > 1;
    const cell = (other) => {
      if (!other) return '-';
      const { median_ns } = other.time;
      const ratio = compared ? ` (${(median_ns / best).toFixed(2)} x)` : '';
      return { text: time(median_ns) + ratio, best: compared && median_ns === best };
    };
    return [one.workload, count(one.bodies), one.backend, one.broad, one.ask, one.motion,
      ...entries.map((_, column) => cell(times[column]))];
  };
  const workloads = [...new Set([...rows.values()].map(({ one }) => one.workload))];
  const place = ({ one }) => [workloads.indexOf(one.workload), one.bodies, one.backend];
  const sorted = [...rows.values()].sort((a, b) => {
    const [x, y] = [place(a), place(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2].localeCompare(y[2]);
  });
  const words = heads.map((text, i) => ({ text, word: i !== 1 }));
  byId('cases').replaceChildren(table([...words, ...entries.map(machine_head)], sorted.map(row)));
}

/** Plots time over bodies for each workload, both on logarithmic scales, with a line for each machine and engine. */
function show_plots() {
  const workloads = new Map();
  for (const entry of shown()) {
    for (const one of cases_of(entry)) {
      const lines = workloads.get(one.workload) ?? workloads.set(one.workload, new Map()).get(one.workload);
      const label = `${entry.name}: ${one.backend}, ${one.broad}, ${one.ask}, ${one.motion}`;
      if (!lines.has(label)) lines.set(label, { colour: entry.colour, dashes: DASHES[one.backend], points: [] });
      lines.get(label).points.push(one);
    }
  }
  const drawn = [...workloads].filter(([, lines]) => [...lines.values()].some((line) => line.points.length > 1));
  byId('plots').replaceChildren(...drawn.map(([workload, lines]) => plot(workload, lines)));
}

function plot(workload, lines) {
  const [width, height, left, right, top, bottom] = [420, 280, 58, 14, 30, 34];
  const all = [...lines.values()].flatMap((line) => line.points);
  const axis = (values, from, to) => {
    const low = Math.floor(Math.log10(Math.min(...values)));
    const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
    const at = (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
    return { at, ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)) };
  };
  const x = axis(all.map((one) => Math.max(one.bodies, 1)), left, width - right);
  const y = axis(all.map((one) => Math.max(one.time.median_ns, 1)), height - bottom, top);
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' },
    make('text', { x: left, y: 19, class: 'title' }, workload));
  for (const tick of x.ticks) {
    svg.append(make('line', { class: 'grid', x1: x.at(tick), x2: x.at(tick), y1: top, y2: height - bottom }),
      make('text', { x: x.at(tick), y: height - bottom + 14, 'text-anchor': 'middle' }, count(tick)));
  }
  for (const tick of y.ticks) {
    svg.append(make('line', { class: 'grid', x1: left, x2: width - right, y1: y.at(tick), y2: y.at(tick) }),
      make('text', { x: left - 6, y: y.at(tick) + 4, 'text-anchor': 'end' }, time(tick)));
  }
  svg.append(make('text', { x: (left + width - right) / 2, y: height - 5, 'text-anchor': 'middle' }, 'bodies'));
  for (const [label, { colour, dashes, points }] of lines) {
    const sorted = points.toSorted((a, b) => a.bodies - b.bodies);
    const at = (one) => [x.at(Math.max(one.bodies, 1)), y.at(Math.max(one.time.median_ns, 1))];
    const path = sorted.map((one, i) => `${i ? 'L' : 'M'}${at(one).map((v) => v.toFixed(1)).join(' ')}`).join('');
    svg.append(make('path', { d: path, fill: 'none', stroke: colour, 'stroke-width': 2,
      'stroke-dasharray': dashes }, make('title', {}, label)));
    for (const one of sorted) {
      const [cx, cy] = at(one);
      svg.append(make('circle', { cx, cy, r: 3, fill: colour },
        make('title', {}, `${label}: ${count(one.bodies)} bodies, ${time(one.time.median_ns)}`)));
    }
  }
  return svg;
}

/** Shows how the time of each case parts into stages, by the host's clock and by the GPU's. */
function show_stages() {
  const rows = [];
  for (const entry of shown()) {
    for (const one of cases_of(entry)) {
      for (const clock of ['host', 'gpu']) {
        const stages = (one.stages ?? []).filter((stage) => stage.clock === clock && stage.median_ns > 0);
        const total = stages.reduce((sum, stage) => sum + stage.median_ns, 0);
        if (total === 0) continue;
        const parts = stages.map((stage, i) => make('span', {
          style: `flex:${stage.median_ns} 0 0;background:${COLOURS[i % COLOURS.length]}`,
          title: `${stage.name} ${time(stage.median_ns)}`,
        }));
        const words = stages.map((stage) => `${stage.name} ${time(stage.median_ns)}`).join(', ');
        rows.push([make('span', {}, swatch(entry.colour), entry.name), one.workload, count(one.bodies), one.backend,
          clock, time(total), make('div', { class: 'bar' }, ...parts), make('span', { class: 'note' }, words)]);
      }
    }
  }
  const heads = ['Machine', 'Workload', 'Bodies', 'Engine', 'Clock', 'Sum', 'Stages', ''];
  byId('stages').replaceChildren(table(heads.map((text, i) => ({ text, word: i !== 2 && i !== 5 })), rows));
}

function show_roofs() {
  const with_roofs = shown().filter((entry) => entry.record.roofs?.length);
  byId('roofs-of-gpus').hidden = with_roofs.length === 0;
  const names = [...new Set(with_roofs.flatMap((entry) => entry.record.roofs.map((roof) => roof.name)))];
  const cell = (entry, name) => {
    const roof = entry.record.roofs.find((one) => one.name === name);
    return roof ? `${Number(roof.value.toPrecision(3))} ${roof.unit}` : '-';
  };
  byId('roofs').replaceChildren(table([{ text: 'Limit', word: true }, ...with_roofs.map(machine_head)],
    names.map((name) => [name, ...with_roofs.map((entry) => cell(entry, name))])));
}

function show() {
  for (const part of [show_machines, show_scores, show_filters, show_plots, show_cases, show_stages, show_roofs]) part();
}

byId('open').onchange = (event) => read(event.target.files);
document.ondragover = (event) => {
  event.preventDefault();
  document.body.classList.add('dragged');
};
document.ondragleave = () => document.body.classList.remove('dragged');
document.ondrop = (event) => {
  event.preventDefault();
  document.body.classList.remove('dragged');
  read(event.dataTransfer.files);
};
for (const { name, record } of JSON.parse(byId('records').textContent)) add(JSON.stringify(record), name);
show();
