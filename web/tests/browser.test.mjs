// The driver of Chromium, with no program in its place, and with programs that do not start as they should.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

// A browser in the shell. It notes its process and its folder, and fails as it is told to, or answers that it has these pages.
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

test('a browser that is not installed is an Error', async () => {
  await assert.rejects(Browser.open({ webgpu: false }), { message: `no ${program}: apt-get install chromium` });
});

// How often it was started.
let starts;

// Opens and closes a browser. Whatever comes of it, all that were started have ended, and their folders are gone.
async function start(text) {
  await rm(`${program}.started`, { force: true });
  await writeFile(program, text, { mode: 0o755 });
  try {
    await (await Browser.open({ webgpu: false })).close();
  } finally {
    const all = (await readFile(`${program}.started`, 'utf8')).trim().split('\n').map((line) => line.split(' '));
    starts = all.length;
    for (const [pid, data] of all) {
      assert.equal(existsSync(data), false);
      assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' });
    }
  }
}

test('a browser without a page is an Error after three starts', async () => {
  await assert.rejects(start(browser('', '')), { message: `${program} has no page` });
  assert.equal(starts, 3);
});

test('a browser that ends is an Error with what it wrote last', async () => {
  const failure = `printf '%3000s' long >&2; echo no memory >&2; exit 7`;
  const isRight = ({ message }) => message.startsWith(`${program} has ended with 7\n`) && message.endsWith(' longno memory');
  await assert.rejects(start(browser(failure, '')), isRight);
  assert.equal(starts, 3);
});

test('a browser that starts at the third try is taken', async () => {
  await start(browser(`(( $(wc -l <"$0.started") == 3 )) || kill -9 $$`, '{"type":"page","targetId":"7"}'));
  assert.equal(starts, 3);
});
