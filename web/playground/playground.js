// The page: a scene on the left, the picture of its step on the right; a link holds the scene.
//
// `data-state` of the root element is `loading`, `shown`, `refused` (there is no valid scene) or `stopped`. While a text is
// read, `main` is busy.

import { entryOf, entryWithoutLink, isWithoutLink, linkOf, textOfEntry } from './address.js';
import { Editor } from './editor.js';
import { release, showEngines } from './engines.js';
import { EXAMPLES } from './examples.js';
import { advise, sceneOfFiles, unusedWords } from './files.js';
import { inksOf } from './inks.js';
import { counted, list, press } from './list.js';
import { Picture } from './picture.js';
import { placeOf, placesOf } from './places.js';
import { control } from './pointer.js';
import { watch } from './screen.js';
import { Step, isTrap, load } from './step.js';
import { showTip } from './tip.js';
import { Trial } from './trial.js';

/** The time without typing after which the scene is read, in milliseconds. */
const PAUSE = 150;
/** The time for which a word beside the buttons stays, in milliseconds. */
const WORD = 3000;
/** The time after which a download has surely begun, in milliseconds. */
const BEGUN = 60_000;

const element = (id) => document.getElementById(id);
const root = document.documentElement;
const main = document.querySelector('main');
const dark = matchMedia('(prefers-color-scheme: dark)');

const editor = new Editor({ text: element('text'), numbers: element('numbers'), marks: element('marks') });
const picture = new Picture(element('picture'), inksOf(dark.matches));
const trial = new Trial();
/** The end of loading the library. The page shows a text before. */
const loaded = load();
/** The step that is shown. */
let step;
/** The last text that was not typed. */
let given = '';
/** The number of the last edit, so that what began earlier is dropped. */
let edit = 0;
/** Whether the history does not have what was typed last. */
let isUnkept = false;
let pause;
let fade;
/** The point of the picture where the pointer is. */
let hovered;

const state = () => root.dataset.state;

function setState(state) {
  root.dataset.state = state;
  element('text').setAttribute('aria-invalid', String(state === 'refused'));
  element('stale').hidden = state !== 'refused' || step === undefined;
}

// Shows the error of the text, with its place in the text if it has one.
function say(message, place) {
  const where = element('where');
  element('problem').hidden = message === '';
  element('what').textContent = message;
  where.hidden = place === undefined;
  where.textContent = place === undefined ? '' : `Line ${editor.lineOf(place[0])}`;
  where.onclick = () => editor.go(place[0]);
}

// Shows what is not about the text: an error of a file, or of a link.
function note(message) {
  element('note').hidden = message === '';
  element('note').textContent = message;
}

function refuse(message, place) {
  setState('refused');
  if (step === undefined) element('counts').textContent = 'No scene';
  choose([]);
  say(message, place);
  editor.mark(place ? [[...place, 'wrong']] : []);
}

// Shows an error that nothing has caught. After a trap the library cannot go on.
function fail(error) {
  if (state() === 'stopped') return;
  if (isTrap(error)) stop(`The library has stopped: ${error.message}. Reload the page.`);
  else if (state() === 'loading') stop(`The page has failed: ${error.message}`);
  else note(`The page has failed: ${error.message}`);
}

// Enables these buttons, and no others.
function enable(ids) {
  for (const control of document.querySelectorAll('header :is(button, select)')) control.disabled = !ids.includes(control.id);
}

function stop(message) {
  edit++;
  clearTimeout(pause);
  [step, picture.step] = [undefined, undefined];
  setState('stopped');
  main.inert = true;
  main.setAttribute('aria-busy', 'false');
  // The text can still be saved.
  enable(['download', 'copy']);
  element('stopped').hidden = false;
  element('stopped').textContent = message;
}

// Marks bodies, or a pair and its bodies, in the text, in the list and in the picture.
function choose(bodies, pair) {
  picture.chosen = { bodies, pair };
  picture.draw();
  press(element('pairs'), (row) => row === pair || (pair === undefined && bodies.some((body) => step.pairOf(row).includes(body))));
  // Another text has other places.
  if (step?.text !== editor.text) return;
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

function showCounts() {
  const hit = step.hits.reduce((sum, isHit) => sum + isHit, 0);
  const [bodies, pairs] = [counted(step.count, 'body', 'bodies'), counted(step.pairCount, 'pair', 'pairs')];
  const area = step.area > 0 ? `, ${counted(step.area, 'shared pixel', 'shared pixels')}` : '';
  const counts = `${bodies}, ${pairs}, ${hit} bodies hit${area}`;
  element('counts').textContent = counts;
  element('picture').setAttribute('aria-label', `Bodies, and where they hit: ${counts}`);
}

// Reads the text, and shows its step or what is wrong with it.
async function read() {
  const { text } = editor;
  const now = edit;
  main.setAttribute('aria-busy', 'true');
  await loaded;
  if (now !== edit) return;
  const problem = await trial.run(text);
  if (now !== edit) return;
  main.setAttribute('aria-busy', 'false');
  if (problem === undefined) answer(text);
  else refuse(advise(problem), placeOf(problem, text));
}

function answer(text) {
  let next;
  try {
    next = new Step(text);
  } catch (error) {
    if (isTrap(error)) throw error;
    // Without a worker, nothing has read it before.
    refuse(advise(error.message), placeOf(error.message, text));
    return;
  }
  if (step) release(step);
  step = next;
  say('');
  setState('shown');
  list(element('pairs'), step, choosePair);
  choose([]);
  picture.show(step);
  showCounts();
  showEngines(element('engines'), next, () => step === next);
}

function typed() {
  edit++;
  isUnkept = true;
  note('');
  clearTimeout(pause);
  pause = setTimeout(() => {
    read();
    keep();
  }, PAUSE);
}

// Brings the address up to date with the text.
async function keep() {
  const now = edit;
  const entry = await entryOf(editor.text);
  if (now !== edit || !isUnkept) return;
  history.replaceState(...entry);
  isUnkept = false;
}

// Shows another text.
function show(text) {
  edit++;
  note('');
  clearTimeout(pause);
  isUnkept = false;
  editor.text = text;
  // The editor has its own ends of lines.
  given = editor.text;
  picture.follows = true;
  return read();
}

// Shows another text in a new entry of the history, unless it is the text of this one, and words about it. The entry before
// keeps the text before.
async function replace(text, ...words) {
  const now = edit;
  const before = editor.text;
  const entries = [await entryOf(before), await entryOf(text)];
  if (now !== edit || state() === 'stopped') return;
  const wasEdited = before !== given && before !== text;
  if (wasEdited) history.replaceState(...entries[0]);
  history[before === text ? 'replaceState' : 'pushState'](...entries[1]);
  const shown = show(text);
  if (wasEdited) words.push('The text before is one step back in the history of the browser.');
  note(words.join(' '));
  await shown;
}

// Shows the text of the entry of the history; without one, an example. A text that the entry before has not kept comes first.
async function follow() {
  const now = edit;
  const wasUnkept = isUnkept;
  isUnkept = false;
  let text;
  try {
    text = (await textOfEntry()) ?? Object.values(EXAMPLES)[0];
  } catch (error) {
    await loaded;
    if (now === edit) noteLink(error.message);
    return;
  }
  if (now !== edit || state() === 'stopped') return;
  await (wasUnkept ? replace(text) : show(text));
}

// Shows the error of a link. The scene stays, if there is one.
function noteLink(message) {
  note(message);
  if (state() !== 'loading') return;
  setState('refused');
  element('counts').textContent = 'No scene';
}

async function open(files) {
  if (state() === 'stopped') return;
  await loaded;
  const now = edit;
  note('');
  try {
    const { text, unused } = await sceneOfFiles(files, editor.text);
    if (now === edit) await replace(text, ...(unused.length > 0 ? [`${unusedWords(unused)}.`] : []));
  } catch (error) {
    if (isTrap(error)) throw error;
    if (now === edit) note(error.message);
  }
}

// Shows a word beside the buttons, for a while.
function tell(word) {
  element('copied').value = word;
  clearTimeout(fade);
  fade = setTimeout(() => (element('copied').value = ''), WORD);
}

async function copy() {
  let link;
  try {
    link = await linkOf(editor.text);
  } catch (error) {
    tell('No link');
    note(`${error.message} Download the scene, and attach the file.`);
    return;
  }
  history.replaceState(null, '', link);
  try {
    await navigator.clipboard.writeText(link);
    tell('Copied');
  } catch {
    tell('It is in the address bar');
  }
}

function download() {
  const url = URL.createObjectURL(new Blob([editor.text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: 'scene.json' }).click();
  setTimeout(() => URL.revokeObjectURL(url), BEGUN);
}

// Takes the point of the picture where the pointer is, in pixels of the page; none if it has left the picture.
function hover(...point) {
  hovered = point.length === 0 ? undefined : point;
  updateTip();
}

// Names the bodies that are below the pointer now.
function updateTip() {
  const tip = element('tip');
  tip.hidden = hovered === undefined || step === undefined;
  if (tip.hidden) return;
  const [u, v] = picture.view.toWorld(...hovered.map((part) => part * picture.ratio));
  showTip(tip, element('stage'), hovered, { pixel: [Math.floor(u), Math.floor(v)], bodies: at(u, v), label: (body) => step.label(body) });
}

// Returns the bodies at a point; none beyond the world's edge.
function at(x, y) {
  try {
    return step.at(x, y);
  } catch (error) {
    if (isTrap(error)) throw error;
    return [];
  }
}

function click(x, y) {
  if (step === undefined || state() !== 'shown') return;
  const bodies = at(...picture.view.toWorld(x * picture.ratio, y * picture.ratio));
  // The one above; clicked again, the next below.
  const place = picture.chosen.pair === undefined ? bodies.indexOf(picture.chosen.bodies[0]) : -1;
  const body = bodies.at(place > 0 ? place - 1 : -1);
  choose(body === undefined ? [] : [body]);
}

function listenToText() {
  element('text').addEventListener('input', typed);
  // Links that are pasted, and steps in the history.
  addEventListener('popstate', follow);
  // The page goes before what was typed last has a link.
  addEventListener('beforeunload', () => isUnkept && history.replaceState(...entryWithoutLink(editor.text)));
  element('copy').addEventListener('click', copy);
  element('download').addEventListener('click', download);
  const examples = element('examples');
  examples.append(...Object.keys(EXAMPLES).map((name) => new Option(name)));
  element('load').addEventListener('click', () => replace(EXAMPLES[examples.value]));
}

function listenToFiles() {
  const file = element('file');
  element('open').addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    if (file.files.length > 0) open([...file.files]);
    file.value = '';
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
    open([...event.dataTransfer.files]);
  });
}

function listenToPicture() {
  const { closer } = control(picture, { hover, click });
  picture.onDraw = updateTip;
  element('closer').addEventListener('click', () => closer(1));
  element('farther').addEventListener('click', () => closer(-1));
  element('fit').addEventListener('click', () => picture.fit());
  dark.addEventListener('change', () => picture.paint(inksOf(dark.matches)));
  watch(element('picture'), (width, height) => picture.resize(width, height, devicePixelRatio));
}

// Shows the first text. The buttons wait for the library; typing and dropping need not.
async function begin() {
  let shown;
  if (editor.text === '') {
    shown = follow();
  } else {
    // This was typed before the page listened: the entry before keeps the link.
    history.pushState(null, '', location.href);
    typed();
  }
  await loaded;
  if (state() === 'stopped') return;
  enable(['examples', 'load', 'open', 'download', 'copy']);
  await shown;
  if (!isWithoutLink()) return;
  isUnkept = true;
  await keep();
}

// Errors of all events, frames and promises. One without an object is of the browser, or of another page's script.
addEventListener('error', ({ error }) => error && fail(error));
addEventListener('unhandledrejection', ({ reason }) => fail(reason));
try {
  listenToText();
  listenToFiles();
  listenToPicture();
  await begin();
} catch (error) {
  fail(error);
}
