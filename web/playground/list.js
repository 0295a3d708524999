// The pairs of an answer as a list, in the order of `hitmask check --details`.

import { TICKS } from './step.js';

/** The most pairs in the list. */
const MOST = 500;

export const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

const span = (className, text) => Object.assign(document.createElement('span'), { className, textContent: text });

/** Returns when and how a pair hits, in words. */
function wordsOf({ tick, area }, { normal, pushX, pushY }) {
  const words = [];
  if (tick !== undefined) words.push(`tick ${tick} of ${TICKS}`);
  if (area !== undefined) words.push(area === 0 ? 'they only touch' : counted(area, 'pixel', 'pixels'));
  // Adding 0 turns -0 into 0.
  const [x, y] = [pushX + 0, pushY + 0];
  words.push(x === 0 && y === 0 ? `no push; normal (${normal.map((part) => part + 0).join(', ')})` : `push (${x}, ${y})`);
  return words.join(' · ');
}

/** Fills a list with the pairs of a step; calls `choose` with the index of one that is chosen. */
export function list(element, step, choose) {
  const rows = [];
  for (let pair = 0; pair < Math.min(step.pairCount, MOST); pair++) {
    const button = Object.assign(document.createElement('button'), { type: 'button' });
    const [a, b] = step.pairOf(pair);
    const text = wordsOf(step.world.detail(pair), step.world.contact(pair));
    button.append(span('body', step.label(a)), span('hits', ' hits '), span('body', step.label(b)), span('words', text));
    button.setAttribute('aria-pressed', 'false');
    button.addEventListener('click', () => choose(pair));
    const row = document.createElement('li');
    row.dataset.pair = `${a},${b}`;
    row.append(button);
    rows.push(row);
  }
  if (step.pairCount === 0) rows.push(Object.assign(document.createElement('li'), { className: 'more', textContent: 'No bodies hit.' }));
  if (step.pairCount > MOST) {
    const more = `and ${step.pairCount - MOST} more: hitmask check prints all`;
    rows.push(Object.assign(document.createElement('li'), { className: 'more', textContent: more }));
  }
  element.replaceChildren(...rows);
}

/** Shows which pairs are chosen, and scrolls the list to the first of them. */
export function press(element, isChosen) {
  const buttons = [...element.querySelectorAll('button')];
  buttons.forEach((button, pair) => button.setAttribute('aria-pressed', String(isChosen(pair))));
  const first = buttons.find((button) => button.getAttribute('aria-pressed') === 'true');
  if (first === undefined) return;
  // Not by `scrollIntoView`, which may move the page too.
  const { offsetTop: top, offsetHeight: height } = first;
  element.scrollTop = Math.min(Math.max(element.scrollTop, top + height - element.clientHeight), top);
}
