// The pixels of the screen that an element fills.

/** Safari does not say how many pixels an element has. Others move its edges to whole pixels and count them. */
const SAYS = 'devicePixelContentBoxSize' in ResizeObserverEntry.prototype;

// Returns a side in whole pixels. A count far from the length belongs to another ratio: an earlier one, or it is not emulated.
const wholeOf = (length, counted) => (Math.abs(counted - length) < 1 ? counted : Math.round(length));

/** Calls `resize` with the width and height of an element in pixels of the screen, first and whenever they may have changed. */
export function watch(element, resize) {
  let counted = [];
  const measure = () => {
    const { width, height } = element.getBoundingClientRect();
    resize(...[width, height].map((side, axis) => wholeOf(side * devicePixelRatio, counted[axis])));
  };
  const observer = new ResizeObserver(([{ devicePixelContentBoxSize: [box] = [] }]) => {
    counted = [box?.inlineSize, box?.blockSize];
    measure();
  });
  observer.observe(element, { box: SAYS ? 'device-pixel-content-box' : 'content-box' });
  // A query names one ratio.
  const change = () => {
    measure();
    follow();
  };
  const follow = () => {
    const now = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    now.addEventListener('change', change, { once: true });
  };
  follow();
}
