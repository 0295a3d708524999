// The package's entry for Node, where a module is read from its file.

import { readFile } from 'node:fs/promises';
import { Hitmask } from './hitmask.js';

Hitmask.source = (name) => readFile(new URL(`./${name}/hitmask_bg.wasm`, import.meta.url));

export { Hitmask };
