// The page around the demo's canvas: arguments, files, and keys for fingers.

import init, { Demo } from './module/hitmask.js';

/** The largest file, in bytes. */
const MOST = 1 << 24;
/** The narrowest page, in pixels, that shows the panel at first. */
const WIDE = 720;

const root = document.documentElement;
const [canvas, error, file, pad] = ['canvas', 'error', 'file', 'pad'].map((id) => document.getElementById(id));
let demo;
// The files that were opened before the demo had started.
let early = [];
// The error of the files that were opened last, before the demo has seen them, and the title of the scene that goes on.
let refused;
let title;

function tell(text) {
  error.textContent = text ?? '';
  error.hidden = text === undefined;
}

function stop(text) {
  const { state } = root.dataset;
  if (state === 'stopped') return;
  root.dataset.state = 'stopped';
  tell(state === 'loading' ? `The demo cannot start: ${text}` : `The demo has stopped: ${text.replace(/\.$/, '')}. Reload the page.`);
}

/** Has the browser ask before the page is left. */
function ask(event) {
  event.preventDefault();
}

/** What the demo tells the page. */
const page = {
  show(scene, text, isPlayed, problem) {
    if (root.dataset.state === 'stopped') return;
    root.dataset.state = 'shown';
    canvas.ariaLabel = text;
    root.toggleAttribute('data-played', isPlayed);
    if (title !== undefined && title !== scene) refused = undefined;
    title = scene;
    tell(refused ?? problem);
  },
  fail: stop,
  hold(isUnsaved) {
    // A page that listens is not kept for the way back.
    if (isUnsaved) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  },
  save(name, bytes) {
    const href = URL.createObjectURL(new Blob([bytes]));
    Object.assign(document.createElement('a'), { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  },
};

/** Returns the arguments in the page's address: `?scene=cave&bodies=50&paused`. */
function argumentsOf(address) {
  const given = [...new URL(address).searchParams].map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`));
  return innerWidth < WIDE && !given.includes('--no-panel') ? [...given, '--no-panel'] : given;
}

async function open(files) {
  if (files.length === 0) return;
  if (demo === undefined) {
    early = files;
    return;
  }
  refused = undefined;
  try {
    const large = files.find(({ size }) => size > MOST);
    if (large) throw new Error(`${large.name} has ${large.size} bytes; the limit here is ${MOST}`);
    const bytes = await Promise.all(files.map(async (each) => new Uint8Array(await each.arrayBuffer())));
    demo.open(files.map(({ name }) => name), bytes);
  } catch (problem) {
    if (problem instanceof WebAssembly.RuntimeError) stop(problem.message);
    else tell((refused = problem.message));
  }
  canvas.focus();
}

canvas.addEventListener('pointerdown', () => (refused = undefined));

// The demo takes every key from the browser, except those of the browser itself, and Tab, which moves the focus.
const isOfBrowser = ({ ctrlKey, metaKey, altKey, key }) => ctrlKey || metaKey || altKey || key === 'F5' || key === 'Tab';
const kept = new Set();
addEventListener('keydown', (event) => {
  // The buttons' own.
  if (!event.isTrusted) return;
  const isKept = isOfBrowser(event);
  if (isKept) event.stopImmediatePropagation();
  // A key that repeats went down before.
  if (event.repeat) return;
  if (isKept) kept.add(event.code);
  else kept.delete(event.code);
}, { capture: true });
addEventListener('keyup', (event) => {
  if (event.isTrusted && kept.delete(event.code)) event.stopImmediatePropagation();
}, { capture: true });

addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  open([...event.dataTransfer.files]);
});
document.getElementById('open').addEventListener('click', () => file.click());
file.addEventListener('change', () => {
  open([...file.files]);
  file.value = '';
});

// A button is a key of the keyboard, as long as it is held and shown.
const releases = [];
new ResizeObserver(() => {
  if (!pad.checkVisibility()) for (const release of releases) release();
}).observe(pad);
for (const button of document.querySelectorAll('[data-key]')) {
  const { key } = button.dataset;
  const send = (type) => canvas.dispatchEvent(new KeyboardEvent(type, { key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key }));
  let isDown = false;
  const press = (event) => {
    // The canvas keeps the focus.
    event.preventDefault();
    canvas.focus();
    isDown = true;
    send('keydown');
  };
  const release = () => {
    if (isDown) send('keyup');
    isDown = false;
  };
  releases.push(release);
  button.addEventListener('pointerdown', press);
  for (const type of ['pointerup', 'pointercancel', 'pointerleave']) button.addEventListener(type, release);
  // From a keyboard or a screen reader, which press no pointer.
  button.addEventListener('click', (event) => {
    if (event.detail !== 0) return;
    press(event);
    release();
  });
}

// The demo itself reports a lost WebGPU device.
canvas.addEventListener('webglcontextlost', () => stop('the browser has taken WebGL back'));

// A trap, also within a callback of the browser.
addEventListener('error', ({ error: problem }) => {
  if (problem instanceof WebAssembly.RuntimeError) stop(problem.message);
});
addEventListener('unhandledrejection', ({ reason }) => {
  if (reason instanceof WebAssembly.RuntimeError) stop(reason.message);
});

try {
  await init();
  demo = Demo.start(canvas, argumentsOf(location.href), page);
  canvas.focus();
  open(early);
} catch (problem) {
  const simd = problem instanceof WebAssembly.CompileError ? ' (this browser may lack WebAssembly SIMD)' : '';
  stop(`${problem.message}${simd}`);
}
