// The driver of Chromium, with no program in its place, and with one that opens no page.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

// A program that answers the first message, and ends after the second.
const PROGRAM = `#!/usr/bin/env bash
echo "$$ \${1#--user-data-dir=}" >"$0.started"
read -r -d '' <&3
printf '{"id":1,"result":{"targetInfos":[]}}\\0' >&4
read -r -d '' <&3
`;

const folder = await mkdtemp(join(tmpdir(), 'hitmask-web-'));
const program = (process.env.CHROMIUM = join(folder, 'chromium'));
const { Browser } = await import('./browser.mjs');

after(() => rm(folder, { recursive: true }));

test('a browser that is not installed is an Error', async () => {
  await assert.rejects(Browser.open({ webgpu: false }), { message: `no ${program}: apt-get install chromium` });
});

test('a browser without a page is an Error, and is ended', async () => {
  await writeFile(program, PROGRAM, { mode: 0o755 });
  await assert.rejects(Browser.open({ webgpu: false }), { message: `${program} has no page` });
  const [pid, data] = (await readFile(`${program}.started`, 'utf8')).trim().split(' ');
  assert.equal(existsSync(data), false);
  assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' });
});
