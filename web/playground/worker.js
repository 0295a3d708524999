// Computes steps in a worker, where the page can end them.

import { Step, isTrap, load } from './step.js';

// The page meets an error of loading itself.
const loaded = load().catch(() => undefined);

addEventListener('message', async ({ data: text }) => {
  await loaded;
  postMessage({ end: 'begun' });
  try {
    new Step(text).free();
    postMessage({ end: 'done' });
  } catch (error) {
    postMessage({ end: isTrap(error) ? 'trap' : 'refused', message: error.message });
  }
});
