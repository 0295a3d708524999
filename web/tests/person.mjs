// A person at a page in a browser: mouse, keys, files that are dropped, and pictures to look at.

import { writeFile } from 'node:fs/promises';

export async function mouse(browser, type, x, y, more = {}) {
  await browser.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1, ...more });
}

export async function click(browser, x, y) {
  await mouse(browser, 'mouseMoved', x, y, { button: 'none' });
  await mouse(browser, 'mousePressed', x, y);
  await mouse(browser, 'mouseReleased', x, y);
}

export async function drag(browser, [x, y], [toX, toY]) {
  await mouse(browser, 'mouseMoved', x, y, { button: 'none' });
  await mouse(browser, 'mousePressed', x, y);
  await mouse(browser, 'mouseMoved', (x + toX) / 2, (y + toY) / 2, { buttons: 1 });
  await mouse(browser, 'mouseMoved', toX, toY, { buttons: 1 });
  await mouse(browser, 'mouseReleased', toX, toY);
}

/** Sends an event of the keyboard, as the browser does: keyDown or keyUp. */
export async function key(browser, type, key, modifiers = 0) {
  const code = key.length === 1 && /[a-z]/i.test(key) ? `Key${key.toUpperCase()}` : key;
  const text = type === 'keyDown' && key.length === 1 && modifiers === 0 ? key : undefined;
  await browser.send('Input.dispatchKeyEvent', { type, key, code, text, modifiers });
}

export async function press(browser, name, modifiers) {
  await key(browser, 'keyDown', name, modifiers);
  await key(browser, 'keyUp', name, modifiers);
}

/** Returns a script that drops files on an element of the page, given by its selector: [name, bytes]. */
export function dropping(selector, ...files) {
  const list = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  return `
    const dataTransfer = new DataTransfer();
    for (const [name, base64] of ${JSON.stringify(list)}) {
      dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name));
    }
    for (const type of ['dragover', 'drop']) {
      document.querySelector('${selector}').dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }`;
}

/** Keeps a picture of the page, to be looked at, in the folder of HITMASK_PICTURES. */
export async function keep(browser, name) {
  if (process.env.HITMASK_PICTURES) await writeFile(`${process.env.HITMASK_PICTURES}/${name}.png`, await browser.picture());
}
