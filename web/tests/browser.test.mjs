// Tests of Chromium's driver: with no program installed, and with scripts that fail to start.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

// Returns a script that stands in for Chromium. It notes its process and its folder in a file, runs `failure`, and answers each
// message by a list of pages.
const browser = (failure, pages) => `#!/usr/bin/env bash
echo "$$ \${1#--user-data-dir=}" >>"$0.started"
${failure}
while read -r -d '' message <&3 && [[ $message != *'"Browser.close"'* ]]; do
  id=\${message#*'"id":'}
  printf '{"id":%d,"result":{"targetInfos":[%s]}}\\0' "\${id%%,*}" '${pages}' >&4
done
`;

const folder = await mkdtemp(join(tmpdir(), 'hitmask-web-'));
const program = (process.env.CHROMIUM = join(folder, 'chromium'));
const { Browser } = await import('./browser.mjs');

after(() => rm(folder, { recursive: true }));

test('a browser that is not installed is an Error at once', async (t) => {
  const told = t.mock.method(console, 'error', () => {});
  await assert.rejects(Browser.open({ webgpu: false }), { message: `no ${program}: apt-get install chromium` });
  assert.equal(told.mock.callCount(), 0);
});

// How often the last call of `start` has started the script.
let starts;

// Opens and closes a browser. Also where that is an Error, checks that each process that was started has ended, that its
// folder is gone, and that all failures but the last are told.
async function start(t, text) {
  const told = t.mock.method(console, 'error', () => {});
  await rm(`${program}.started`, { force: true });
  await writeFile(program, text, { mode: 0o755 });
  try {
    await (await Browser.open({ webgpu: false })).close();
  } finally {
    const all = (await readFile(`${program}.started`, 'utf8')).trim().split('\n').map((line) => line.split(' '));
    starts = all.length;
    assert.equal(told.mock.callCount(), starts - 1);
    for (const [pid, data] of all) {
      assert.equal(existsSync(data), false);
      assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' });
    }
  }
}

test('a browser without a page is an Error after three starts', async (t) => {
  await assert.rejects(start(t, browser('', '')), { message: `${program} has no page` });
  assert.equal(starts, 3);
});

test('a browser that ends is an Error with what it wrote last', async (t) => {
  const failure = `printf '%3000s' long >&2; echo no memory >&2; exit 7`;
  await assert.rejects(start(t, browser(failure, '')), ({ message }) => {
    const [first, last] = message.split('\n');
    assert.equal(first, `${program} has ended with 7`);
    assert.match(last, /^ *longno memory$/);
    assert.ok(last.length <= 2000, `${last.length}`);
    return true;
  });
  assert.equal(starts, 3);
});

test('a browser that takes too long to start is ended', async (t) => {
  const { startLimit } = Browser;
  Browser.startLimit = 300;
  t.after(() => (Browser.startLimit = startLimit));
  await assert.rejects(start(t, browser('exec sleep 100', '')), { message: `${program} has ended with SIGKILL` });
  assert.equal(starts, 3);
});

test('a browser that starts at the third try is taken', async (t) => {
  await start(t, browser(`(( $(wc -l <"$0.started") == 3 )) || kill -9 $$`, '{"type":"page","targetId":"7"}'));
  assert.equal(starts, 3);
});
