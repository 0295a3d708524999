// The page: a scene on the left, the picture of its step on the right, and a link to both.
//
// `data-state` of the root element is `loading`, `shown`, `refused` (the text, the file or the link) or `stopped`.

import { compare, hasGpu } from './compare.js';
import { Editor } from './editor.js';
import { EXAMPLES } from './examples.js';
import { advise, textOfFiles } from './files.js';
import { inksOf } from './inks.js';
import { MOST, fragmentOf, textOf } from './link.js';
import { counted, list, press } from './list.js';
import { Picture } from './picture.js';
import { placeOf, placesOf } from './places.js';
import { control } from './pointer.js';
import { Step, load } from './step.js';

/** The time without typing after which the scene is read, in milliseconds. */
const PAUSE = 150;

const element = (id) => document.getElementById(id);
const root = document.documentElement;
const dark = matchMedia('(prefers-color-scheme: dark)');

const editor = new Editor({ text: element('text'), numbers: element('numbers'), marks: element('marks') });
const picture = new Picture(element('picture'), inksOf(dark.matches));
/** The step that is shown. */
let step;
/** The end of the comparison that runs on the GPU. */
let compared = Promise.resolve();
/** The number of the last edit, so that what began earlier is dropped. */
let edit = 0;
let pause;

function setState(state) {
  root.dataset.state = state;
  element('text').setAttribute('aria-invalid', String(state === 'refused'));
  element('stale').hidden = state !== 'refused' || step === undefined;
}

// Shows an error beside the text, with its place in the text if it has one.
function say(message, place) {
  const where = element('where');
  element('problem').hidden = false;
  element('what').textContent = message;
  where.hidden = place === undefined;
  if (place === undefined) return;
  where.textContent = `Line ${editor.lineOf(place[0])}`;
  where.onclick = () => editor.go(place[0]);
}

function refuse(message, place) {
  setState('refused');
  if (step === undefined) element('counts').textContent = 'No scene';
  choose([]);
  say(message, place);
  editor.mark(place ? [[...place, 'wrong']] : []);
}

// Marks bodies, or a pair and its bodies, in the text, in the list and in the picture.
function choose(bodies, pair) {
  picture.chosen = { bodies, pair };
  picture.draw();
  press(element('pairs'), (row) => row === pair || (pair === undefined && bodies.some((body) => step.pairOf(row).includes(body))));
  // A text that was not read has no places.
  if (root.dataset.state !== 'shown') return;
  const places = bodies.length === 0 ? [] : placesOf(editor.text).bodies;
  // Rows of a CSV file have none.
  const chosen = bodies.map((body) => places[body]).filter(Boolean);
  editor.mark(chosen.map((place) => [...place, 'chosen']));
  if (chosen.length > 0) editor.reveal(chosen[0][0]);
}

function choosePair(pair) {
  if (picture.chosen.pair === pair) {
    choose([]);
    return;
  }
  picture.reveal(...step.middle(pair));
  choose([...step.pairOf(pair)], pair);
}

function tellCounts() {
  const hit = step.hits.reduce((sum, isHit) => sum + isHit, 0);
  const [bodies, pairs] = [counted(step.count, 'body', 'bodies'), counted(step.pairCount, 'pair', 'pairs')];
  const area = step.area > 0 ? `, ${counted(step.area, 'pixel', 'pixels')} in common` : '';
  const counts = `${bodies}, ${pairs}, ${hit} of the bodies in a pair${area}`;
  element('counts').textContent = counts;
  element('picture').setAttribute('aria-label', `The bodies, and where they hit: ${counts}`);
}

// Tells the engines, and whether they agree once the GPU has answered too.
async function tellEngines(of) {
  const line = element('engines');
  const cpu = `CPU: ${of.engine}.`;
  line.textContent = `${cpu} GPU: comparing.`;
  if (!(await hasGpu())) {
    if (of === step) line.textContent = `${cpu} GPU: none in this browser.`;
    return;
  }
  await compared;
  if (of !== step) return;
  let [gpu, className] = ['', ''];
  compared = compare(of.world).then(
    ({ device, difference }) => {
      [gpu, className] = difference ? [`${device.trim()}: ${difference}`, 'different'] : [`${device.trim()}: the same answer`, 'equal'];
    },
    (error) => ([gpu, className] = [`not compared: ${error.message}`, 'different']),
  );
  await compared;
  if (of !== step) return;
  line.replaceChildren(`${cpu} GPU: `, Object.assign(document.createElement('span'), { className, textContent: `${gpu}.` }));
}

// Reads the text, and shows its step or what is wrong with it.
function read() {
  const { text } = editor;
  let next;
  try {
    next = new Step(text);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) stop(error);
    else refuse(advise(error.message), placeOf(error.message, text));
    return;
  }
  // A comparison may still read it.
  if (step) compared.then(step.free.bind(step));
  step = next;
  element('problem').hidden = true;
  setState('shown');
  list(element('pairs'), step, choosePair);
  choose([]);
  picture.show(step);
  tellCounts();
  tellEngines(step);
}

// After a defect, or without memory, the module cannot go on.
function stop(error) {
  setState('stopped');
  say(`The library has stopped: ${error.message}. Reload the page.`);
  element('text').readOnly = true;
}

// Brings the address up to date with the text; a new entry of the history leaves the text before behind.
async function address(isNew) {
  const now = edit;
  const link = linkOf(await fragmentOf(editor.text));
  if (now !== edit) return;
  const to = link.length > MOST ? location.pathname + location.search : link;
  if (isNew) history.pushState(null, '', to);
  else history.replaceState(null, '', to);
}

const linkOf = (fragment) => location.origin + location.pathname + location.search + fragment;

function typed() {
  edit++;
  clearTimeout(pause);
  pause = setTimeout(() => {
    read();
    address(false);
  }, PAUSE);
}

// Shows another text.
function show(text) {
  edit++;
  clearTimeout(pause);
  editor.text = text;
  picture.follows = true;
  read();
}

// Shows the text of the address; without one, an example.
async function follow() {
  const now = ++edit;
  try {
    const text = (await textOf(location.hash)) ?? Object.values(EXAMPLES)[0];
    if (now === edit) show(text);
  } catch (error) {
    if (now !== edit) return;
    editor.text = '';
    refuse(error.message);
  }
}

async function open(files) {
  const now = ++edit;
  try {
    const text = await textOfFiles(files, editor.text);
    if (now !== edit) return;
    show(text);
    address(true);
  } catch (error) {
    if (now === edit) refuse(error.message);
  }
}

async function copy() {
  const link = linkOf(await fragmentOf(editor.text));
  const copied = element('copied');
  if (link.length > MOST) {
    copied.value = 'Too long';
    say(`The link would have ${link.length} characters; the limit is ${MOST}. Download the scene, and attach the file.`);
    return;
  }
  history.replaceState(null, '', link);
  try {
    await navigator.clipboard.writeText(link);
    copied.value = 'Copied';
  } catch {
    copied.value = 'It is in the address bar';
  }
  setTimeout(() => (copied.value = ''), 3000);
}

function download() {
  const url = URL.createObjectURL(new Blob([editor.text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: 'scene.json' }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}

function hover(x, y) {
  const tip = element('tip');
  tip.hidden = x === undefined || step === undefined;
  if (tip.hidden) return;
  const [u, v] = picture.view.toWorld(x * picture.ratio, y * picture.ratio);
  const bodies = at(u, v).map((body) => step.label(body));
  tip.textContent = [...bodies, `pixel (${Math.floor(u)}, ${Math.floor(v)})`].join('\n');
  const { clientWidth, clientHeight } = element('stage');
  const [right, low] = [x > clientWidth / 2, y > clientHeight / 2];
  Object.assign(tip.style, {
    left: right ? '' : `${x + 14}px`, right: right ? `${clientWidth - x + 14}px` : '',
    top: low ? '' : `${y + 14}px`, bottom: low ? `${clientHeight - y + 14}px` : '',
  });
}

// Returns the bodies at a point; none beyond the world's edge.
function at(x, y) {
  try {
    return step.at(x, y);
  } catch {
    return [];
  }
}

function click(x, y) {
  if (step === undefined || root.dataset.state !== 'shown') return;
  const bodies = at(...picture.view.toWorld(x * picture.ratio, y * picture.ratio));
  // The one above; clicked again, the next below.
  const place = picture.chosen.pair === undefined ? bodies.indexOf(picture.chosen.bodies[0]) : -1;
  const body = bodies.at(place > 0 ? place - 1 : -1);
  choose(body === undefined ? [] : [body]);
}

function listen() {
  element('text').addEventListener('input', typed);
  addEventListener('hashchange', follow);
  element('copy').addEventListener('click', copy);
  element('download').addEventListener('click', download);
  const file = element('file');
  element('open').addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    if (file.files.length > 0) open(file.files);
    file.value = '';
  });
  const examples = element('examples');
  examples.append(...['Choose', ...Object.keys(EXAMPLES)].map((name) => new Option(name)));
  examples.addEventListener('change', () => {
    const text = EXAMPLES[examples.value];
    examples.selectedIndex = 0;
    if (text === undefined) return;
    show(text);
    address(true);
  });

  const hasFiles = (event) => event.dataTransfer.types.includes('Files');
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    root.classList.add('dropping');
  });
  addEventListener('dragleave', (event) => event.relatedTarget === null && root.classList.remove('dropping'));
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    root.classList.remove('dropping');
    open(event.dataTransfer.files);
  });

  const { closer } = control(picture, { hover, click });
  element('closer').addEventListener('click', () => closer(1));
  element('farther').addEventListener('click', () => closer(-1));
  element('fit').addEventListener('click', () => picture.fit());
  dark.addEventListener('change', () => picture.paint(inksOf(dark.matches)));
  const stage = element('stage');
  const resize = () => picture.resize(stage.clientWidth, stage.clientHeight, devicePixelRatio);
  new ResizeObserver(resize).observe(stage);
  resize();
}

try {
  await load();
  listen();
  await follow();
} catch (error) {
  setState('stopped');
  say(`The page has failed: ${error.message}`);
}
