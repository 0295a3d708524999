// The page around the demo's canvas: arguments, files, and keys for fingers.

import init, { Demo } from './module/hitmask.js';

/** The largest file, in bytes. */
const MOST = 1 << 24;
/** The narrowest page, in pixels, that shows the panel at first. */
const WIDE = 720;

const root = document.documentElement;
const [canvas, error, file] = ['canvas', 'error', 'file'].map((id) => document.getElementById(id));
let demo;
// The error of the files that were opened last, before the demo has seen them.
let refused;

function tell(text) {
  error.textContent = text ?? '';
  error.hidden = text === undefined;
}

function stop(text) {
  if (root.dataset.state === 'stopped') return;
  root.dataset.state = 'stopped';
  tell(`The demo has stopped: ${text.replace(/\.$/, '')}. Reload the page.`);
}

/** What the demo tells the page. */
const page = {
  show(text, problem) {
    if (root.dataset.state === 'stopped') return;
    root.dataset.state = 'shown';
    canvas.ariaLabel = text;
    root.toggleAttribute('data-played', /^(Cave|Laser):/.test(text));
    tell(refused ?? problem);
  },
  fail: stop,
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
  if (demo === undefined || files.length === 0) return;
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

// A button is a key of the keyboard, as long as it is held.
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
  button.addEventListener('pointerdown', press);
  for (const type of ['pointerup', 'pointercancel', 'pointerleave']) button.addEventListener(type, release);
  // From a keyboard or a screen reader, which press no pointer.
  button.addEventListener('click', (event) => {
    if (event.detail !== 0) return;
    press(event);
    release();
  });
}

// WebGPU's loss is told by the demo.
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
} catch (problem) {
  const simd = problem instanceof WebAssembly.CompileError ? ' (this browser may lack WebAssembly SIMD)' : '';
  root.dataset.state = 'stopped';
  tell(`The demo cannot start: ${problem.message}${simd}`);
}
