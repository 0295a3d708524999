// Computes steps in a worker, where the page can end them.

import { Step, isTrap, load } from './step.js';

const loaded = load();

addEventListener('message', async ({ data: text }) => {
  try {
    await loaded;
  } catch {
    postMessage({ end: 'unloaded' });
    return;
  }
  postMessage({ end: 'begun' });
  try {
    new Step(text).free();
    postMessage({ end: 'done' });
  } catch (error) {
    postMessage({ end: isTrap(error) ? 'trap' : 'refused', message: error.message });
  }
});
