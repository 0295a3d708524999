// The tip beside the pointer: the bodies below it, and the pixel.

/** The space between the pointer and the tip, in pixels of the page. */
const GAP = 14;

// Puts the tip into the quarter of the stage that has most space.
function place({ style }, x, y, width, height) {
  const [right, low] = [x > width / 2, y > height / 2];
  style.left = right ? '' : `${x + GAP}px`;
  style.right = right ? `${width - x + GAP}px` : '';
  style.top = low ? '' : `${y + GAP}px`;
  style.bottom = low ? `${height - y + GAP}px` : '';
}

/** Shows a pixel of the world at a point of `stage`, and the labels of as many bodies as fit. */
export function showTip(tip, stage, [x, y], { pixel, bodies, label }) {
  const { clientWidth: width, clientHeight: height } = stage;
  place(tip, x, y, width, height);
  const last = `pixel (${pixel.join(', ')})`;
  tip.hidden = false;
  tip.textContent = last;
  const most = Math.max(1, Math.floor((height / 2 - GAP - tip.offsetHeight) / parseFloat(getComputedStyle(tip).lineHeight)));
  const named = bodies.length > most ? bodies.slice(0, most - 1) : bodies;
  const more = bodies.length > most ? [`and ${bodies.length - named.length} more`] : [];
  tip.textContent = [...named.map(label), ...more, last].join('\n');
}
