// Tests of the playground: links, the history and files.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';

import { fragmentOf, textOf } from '../playground/link.js';
import { PAIR, browser, choose, drop, found, keep, open, type } from './playground.mjs';
import { serve } from './server.mjs';
import { read } from './worlds.mjs';

const here = (path) => new URL(path, import.meta.url);

test('a link leads to the same scene, bad or good', async () => {
  await open();
  for (const text of [PAIR.replace('"bar within', '"größer: 船 🚀'), '', '{ "shapes": ', '\t{}\n', '\ufeff{}']) {
    let { href } = await type(text);
    // The answer to a short text comes before its link.
    for (let tries = 0; tries < 20 && (await textOf(new URL(href).hash)) !== text; tries++) ({ href } = await found());
    assert.match(href, /#scene=[\w-]+$/);
    const again = await open({ fragment: new URL(href).hash });
    assert.equal(again.text, text);
    assert.equal(again.state, text.includes('bodies') || text.includes('{}') ? 'shown' : 'refused');
  }
});

test('copying gives the link, and the text can be saved', async () => {
  await browser.send('Browser.grantPermissions', { permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
  await open();
  const text = PAIR.replace('hook', 'crook');
  await type(text);
  await browser.run(`document.getElementById('copy').click()`);
  const { copied } = await found();
  assert.match(copied, /^(Copied|It is in the address bar)$/);
  const link = copied === 'Copied' ? await browser.run('return navigator.clipboard.readText()') : (await found()).href;
  assert.equal(await textOf(new URL(link).hash), text);
  const saved = await browser.run(`
    const blob = new Promise((found) => {
      const { createObjectURL } = URL;
      URL.createObjectURL = (blob) => (found(blob), createObjectURL.call(URL, blob));
    });
    addEventListener('click', (event) => event.target.download && event.preventDefault());
    document.getElementById('download').click();
    return (await blob).text();`);
  assert.equal(saved, text);
});

// Returns a scene that is too long for a link.
function longScene(factor) {
  const numbers = Array.from({ length: 14_000 }, (_, n) => (n * 7919 * factor) % 999_983);
  return `{ "shapes": { "s": { "circle": 1 } }, "bodies": [{ "shape": "s", "at": [0, 0], "name": "${numbers}" }] }`;
}

test('a scene that is too long for a link is said to be, beside the error of the text', async () => {
  await open();
  const text = longScene(104_729);
  assert.equal((await type(text)).state, 'shown');
  assert.ok(!(await found()).href.includes('#'));
  await browser.run(`document.getElementById('copy').click()`);
  const { note, copied, text: kept } = await found();
  assert.match(note, /^The link would have \d{5,6} characters; the limit is 60000\. Download the scene, and attach the file\.$/);
  assert.deepEqual([copied, kept], ['No link', text]);
  await browser.run(`await new Promise((next) => setTimeout(next, 3100))`);
  assert.equal((await found()).copied, '');
  await type(text.slice(0, -1));
  await browser.run(`document.getElementById('copy').click()`);
  const { note: again, problem, state } = await found();
  assert.match(again, /^The link would have/);
  assert.match(problem, /EOF while parsing/);
  assert.equal(state, 'refused');
});

async function reload() {
  const loaded = new Promise((resolve) => (browser.loaded = resolve));
  await browser.send('Page.reload');
  await loaded;
  return found();
}

test('what was typed just before a reload is not lost, and gets its link', async () => {
  await open();
  const text = PAIR.replace('"bar within', '"rod within');
  await browser.run(`const text = document.getElementById('text'); text.focus(); text.select();`);
  await browser.send('Input.insertText', { text });
  const again = await reload();
  assert.equal(again.text, text);
  assert.equal(await textOf(new URL((await found()).href).hash), text);
});

test('a scene that is too long for a link outlives a reload and a step back', async () => {
  await open();
  const [first, second] = [longScene(104_729), longScene(7853)];
  await type(first);
  assert.equal((await reload()).text, first);
  // Both entries have the same address.
  await drop(['second.json', second]);
  assert.equal((await found()).text, second);
  await browser.run('history.back()');
  assert.equal((await found()).text, first);
});

test('a scene that a link cannot hold, however short the link, outlives a reload', async () => {
  const path = '/web/playground/link.js';
  const small = await serve({ [path]: (await readFile(here('../playground/link.js'), 'utf8')).replace('1 << 24', '1000') });
  const cases = [
    ["'{}' + ' '.repeat(999)", /^The scene has 1001 bytes; a link holds at most 1000\. Download the scene, and attach the file\.$/],
    ["'{} ' + String.fromCharCode(0xd800)", /^The scene has half a surrogate pair, which is no character that a link can hold\. /],
  ];
  try {
    for (const [text, words] of cases) {
      await open({ url: small.url, fragment: await fragmentOf('{}') });
      await browser.run(`const text = document.getElementById('text');
        text.value = ${text};
        text.dispatchEvent(new Event('input'));`);
      assert.ok(!(await found()).href.includes('#'));
      await browser.run(`document.getElementById('copy').click()`);
      const { note, copied } = await found();
      assert.match(note, words);
      assert.equal(copied, 'No link');
      const { note: again } = await reload();
      assert.equal(again, '');
      assert.ok(await browser.run(`return document.getElementById('text').value === ${text}`));
    }
  } finally {
    small.server.close();
  }
});

test('a link that is broken is named, and shows no scene', async () => {
  const fragment = await fragmentOf(PAIR);
  const swapped = fragment.slice(0, 60) + (fragment[60] === 'A' ? 'B' : 'A') + fragment.slice(61);
  const packed = (bytes) => `#scene=${deflateSync(bytes).toString('base64url')}`;
  const wrong = [
    [fragment.slice(0, -9), /^the link is damaged: characters are missing or changed$/],
    [swapped, /^the link is damaged: characters are missing or changed$/],
    ['#scene=', /^the link is damaged: characters are missing or changed$/],
    [`${fragment}.`, /^the link is damaged: unexpected character `\.`$/],
    [`#code=abc`, /^the link has `#code=abc` where a scene begins with `#scene=`$/],
    [packed(Buffer.alloc((1 << 24) + 1, ' ')), /^the scene in the link is longer than 16777216 bytes$/],
    [packed(Buffer.of(0x7b, 0xff)), /^the link is damaged: what it holds is not text$/],
  ];
  for (const [link, words] of wrong) {
    const { state, note, text, pairs } = await open({ fragment: link });
    assert.match(note, words);
    assert.deepEqual([state, text, pairs], ['refused', '', []]);
  }
  await keep('playground-broken');
  // The page goes on, and leaves a scene alone for such a link.
  assert.deepEqual(await type(PAIR).then(({ state, note }) => [state, note]), ['shown', '']);
  await browser.run(`location.hash = ${JSON.stringify(wrong[0][0])}`);
  const { state, note, text, pairs } = await found();
  assert.match(note, wrong[0][1]);
  assert.deepEqual([state, text, pairs], ['shown', PAIR, ['0,1', '4,5']]);
});

test('a link that is pasted replaces the scene, and back brings the one before', async () => {
  await open();
  await type(PAIR);
  const other = PAIR.replace('hook', 'crook');
  await browser.run(`location.hash = ${JSON.stringify(await fragmentOf(other))}`);
  assert.equal((await found()).text, other);
  await choose('Touching');
  assert.match((await found()).text, /"touch": "included"/);
  for (const expected of [other, PAIR]) {
    await browser.run('history.back()');
    assert.equal((await found()).text, expected);
  }
});

test('there is nothing to undo in another text', async () => {
  const undo = async () => {
    await browser.run(`document.getElementById('text').focus()`);
    await browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'z', code: 'KeyZ', modifiers: 2, commands: ['undo'] });
    return (await found()).text;
  };
  await open();
  const { text: before } = await found();
  await type(PAIR);
  assert.equal(await undo(), before);
  const ways = [
    () => choose('Touching'),
    () => drop(['a.json', '{ "bodies": [] }']),
    () => browser.run('history.back()'),
  ];
  for (const [number, way] of ways.entries()) {
    const typed = `${PAIR}${' '.repeat(number)}`;
    await type(typed);
    await way();
    const { text } = await found();
    assert.notEqual(text, typed);
    assert.equal(await undo(), text, way);
    assert.ok(await browser.run(`return document.activeElement.id === 'text'`));
  }
});

test('an example is loaded by its button, and leaves a text that was edited one step back', async () => {
  await open();
  await type(PAIR);
  await browser.run(`const examples = document.getElementById('examples');
    examples.value = 'Touching';
    examples.dispatchEvent(new Event('change'));`);
  assert.equal((await found()).text, PAIR);
  // The button comes before the pause after which a text is read.
  const edited = PAIR.replace('hook', 'crook');
  await browser.run(`const text = document.getElementById('text');
    text.value = ${JSON.stringify(edited)};
    text.dispatchEvent(new Event('input'));
    document.getElementById('load').click();`);
  const { text, note } = await found();
  assert.match(text, /"touch": "included"/);
  assert.equal(note, 'The text before is one step back in the history of the browser.');
  await browser.run('history.back()');
  assert.equal((await found()).text, edited);
});

test('a text that was typed just before a step back is kept', async () => {
  await open();
  await type(PAIR);
  await choose('Touching');
  await found();
  const last = PAIR.replace('hook', 'crook');
  await browser.run(`const text = document.getElementById('text');
    text.value = ${JSON.stringify(last)};
    text.dispatchEvent(new Event('input'));
    history.back();`);
  const { text, note } = await found();
  assert.deepEqual([text, note], [PAIR, 'The text before is one step back in the history of the browser.']);
  await browser.run('history.back()');
  assert.equal((await found()).text, last);
});

test('an example that is loaded again takes no new step in the history', async () => {
  await open();
  const length = async () => (await found()) && browser.run('return history.length');
  await choose('Touching');
  const before = await length();
  await choose('Touching');
  assert.equal(await length(), before);
});

test('a file with other ends of lines counts as edited only if it is', async () => {
  await open();
  await drop(['pair.json', PAIR.replaceAll('\n', '\r\n')]);
  await choose('Touching');
  const { text, note } = await found();
  assert.match(text, /"touch": "included"/);
  assert.equal(note, '');
});

test('the page works under the name of its folder, with or without a slash', async () => {
  const clean = await serve({}, { clean: true });
  try {
    for (const path of ['', 'index.html', '../playground']) {
      const { state, pairs, href } = await open({ url: clean.url, path, fragment: await fragmentOf(PAIR) });
      assert.deepEqual([state, pairs], ['shown', ['0,1', '4,5']], path);
      assert.match(href, path === '' ? /\/playground\/#/ : /\/playground#/);
    }
  } finally {
    clean.server.close();
  }
});

test('files that are no scene are refused by name', async () => {
  await open();
  await type(PAIR);
  const saved = await read('corners.world');
  const damaged = Buffer.from(saved);
  damaged[100] ^= 1;
  const png = await readFile(here('../../assets/ship.png'));
  const sprite = '{ "shapes": { "ship": { "sprite": "ship.png" } } }';
  const wrong = [
    [[['damaged.world', damaged]], /^damaged\.world: .*(damaged|digest)/],
    [[['half.world', saved.subarray(0, 99)]], /^half\.world: /],
    [[['a.json', PAIR], ['b.json', PAIR]], /^a\.json, b\.json: more than one scene at once$/],
    [[['other.png', png]], /^other\.png: no shape in the scene uses this image$/],
    [[['s.json', sprite], ['ship.png', png], ['ship.png', png]], /^ship\.png: more than one image of this name at once$/],
    [[['s.json', sprite], ['ship.png', png.subarray(0, 40)]], /^ship\.png: the image: /],
    [[['noise.bin', Buffer.of(1, 2, 0xff)]], /^noise\.bin: not a scene \(UTF-8 text\), a saved world or a PNG$/],
    [[['large.json', Buffer.alloc((1 << 24) + 1, ' ')]], /^large\.json has 16777217 bytes; the limit here is 16777216: use hitmask check$/],
  ];
  for (const [files, words] of wrong) {
    const { state, problem, note, text } = await drop(...files);
    assert.match(note, words);
    // The scene is as before.
    assert.deepEqual([state, problem, text], ['shown', undefined, PAIR]);
  }
});

test('an image that the scene does not use is named, and the rest is taken', async () => {
  await open();
  const png = await readFile(here('../../assets/ship.png'));
  const sprite = '{ "shapes": { "ship": { "sprite": "ship.png" } } }';
  const words = 'other.png: no shape in the scene uses this image.';
  const both = await drop(['s.json', sprite], ['ship.png', png], ['other.png', png]);
  assert.deepEqual([both.state, both.note], ['shown', words]);
  assert.match(both.text, /"rows"/);
  const bare = await drop(['p.json', PAIR], ['other.png', png]);
  assert.deepEqual([bare.text, bare.note], [PAIR, words]);
});

test('a file can be chosen instead of dropped', async () => {
  await open();
  const file = here('../../assets/scenes/corners.json');
  const { root } = await browser.send('DOM.getDocument');
  const { nodeId } = await browser.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#file' });
  await browser.send('DOM.setFileInputFiles', { nodeId, files: [file.pathname] });
  const { state, text } = await found();
  assert.deepEqual([state, text], ['shown', await readFile(file, 'utf8')]);
});
