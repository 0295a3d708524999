// The saved worlds, and the golden hashes of their answers.

import { readdir, readFile } from 'node:fs/promises';

import { FILES } from './golden.js';

const here = (path) => new URL(path, import.meta.url);

export const names = (await readdir(here('worlds'))).sort();

const files = FILES.map((name) => readFile(here(`../../assets/golden/${name}`), 'utf8'));
export const golden = (await Promise.all(files)).join('').trim().split('\n').sort();

export const read = (name) => readFile(here(`worlds/${name}`));
