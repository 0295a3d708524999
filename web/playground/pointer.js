// Moves a picture by pointer and keyboard: drag, pinch, wheel, arrow keys, plus, minus and 0.

/** The way of a pointer that is no longer a click, in pixels of the page. */
const DRAG = 4;
/** The way of a wheel for a level of zoom, in pixels. */
const NOTCH = 60;
/** The step of an arrow key, in pixels of the page. */
const STEP = 40;

/** Lets pointers and keys move a picture; calls `hover` and `click` with points of the page within its element. */
export function control(picture, { hover, click }) {
  const { canvas } = picture;
  const pointers = new Map();
  let [way, turned] = [0, 0];
  // The part of a drag that the picture has not followed, as it may be a click.
  let owed = [0, 0];

  const change = (edit) => {
    edit(picture.view);
    picture.follows = false;
    picture.draw();
  };
  const closer = (levels, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) =>
    change((view) => view.closer(levels, x * picture.ratio, y * picture.ratio));
  const move = (dx, dy) => change((view) => view.move(dx * picture.ratio, dy * picture.ratio));
  const placeOf = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  // Returns the distance between two fingers, at least a pixel, and the point between them.
  const pinchOf = ([[ax, ay], [bx, by]]) => [Math.max(1, Math.hypot(ax - bx, ay - by)), (ax + bx) / 2, (ay + by) / 2];

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) [way, owed] = [0, [0, 0]];
    pointers.set(event.pointerId, placeOf(event));
    turned = 0;
  });
  canvas.addEventListener('pointermove', (event) => {
    // Where the button was let go was not seen.
    if (event.buttons === 0) pointers.delete(event.pointerId);
    const place = placeOf(event);
    // A finger covers what is below it.
    if (event.pointerType !== 'touch') hover(...place);
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const pinch = pointers.size === 2 ? pinchOf([...pointers.values()]) : undefined;
    pointers.set(event.pointerId, place);
    const [dx, dy] = [place[0] - before[0], place[1] - before[1]];
    way += Math.hypot(dx, dy);
    if (pinch) {
      const [distance, x, y] = pinchOf([...pointers.values()]);
      move(x - pinch[1], y - pinch[2]);
      // A level is a third to a half more.
      turned += Math.log(distance / pinch[0]) / Math.log(1.4);
      const levels = Math.trunc(turned);
      if (levels !== 0) closer(levels, x, y);
      turned -= levels;
    } else {
      owed = [owed[0] + dx, owed[1] + dy];
      if (way <= DRAG) return;
      move(...owed);
      owed = [0, 0];
    }
  });
  const lift = (event) => {
    const wasClick = pointers.delete(event.pointerId) && pointers.size === 0 && way <= DRAG;
    if (wasClick && event.type === 'pointerup') click(...placeOf(event));
  };
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) canvas.addEventListener(type, lift);
  canvas.addEventListener('pointerleave', () => hover());

  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    // Lines and pages are much more than a notch.
    turned -= event.deltaMode === 0 ? event.deltaY / NOTCH : Math.sign(event.deltaY);
    const levels = Math.trunc(turned);
    turned -= levels;
    if (levels !== 0) closer(levels, ...placeOf(event));
  }, { passive: false });

  const keys = {
    ArrowLeft: () => move(STEP, 0), ArrowRight: () => move(-STEP, 0),
    ArrowUp: () => move(0, STEP), ArrowDown: () => move(0, -STEP),
    '+': () => closer(1), '=': () => closer(1), '-': () => closer(-1), 0: () => picture.fit(),
  };
  canvas.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !Object.hasOwn(keys, key)) return;
    event.preventDefault();
    keys[key]();
  });
  return { closer };
}
