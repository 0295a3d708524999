// The line that names the engines and says whether they agree.

import { compare } from './compare.js';
import { isTrap } from './step.js';

/** The end of the comparison that runs, and its step. */
let compared = Promise.resolve();
let reading;

// Returns the words about the GPU, and their class.
async function compareStep(step) {
  reading = step;
  try {
    const found = await compare(step.world);
    if (found === undefined) return ['none in this browser'];
    const { device, difference } = found;
    return difference ? [`${device}: ${difference}`, 'different'] : [`${device}: the same answer`];
  } catch (error) {
    if (isTrap(error)) throw error;
    return [`not compared: ${error.message}`, 'uncompared'];
  } finally {
    reading = undefined;
  }
}

/** Shows the engines of a step, and, as long as `isShown`, whether they agree once the GPU has answered too. */
export async function showEngines(line, step, isShown) {
  const show = ([words, className = '']) => {
    const gpu = Object.assign(document.createElement('span'), { className, textContent: `${words}.` });
    line.replaceChildren(`CPU: ${step.engine}. GPU: `, gpu);
  };
  show(['comparing']);
  await compared;
  if (!isShown()) return;
  const comparison = compareStep(step);
  compared = comparison;
  const found = await comparison;
  if (isShown()) show(found);
}

/** Frees a step, after the comparison that reads it. */
export function release(step) {
  if (step === reading) compared.then(() => step.free());
  else step.free();
}
