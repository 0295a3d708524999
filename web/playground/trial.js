// Runs the step of a scene in a worker first: one that takes too long, or all memory, does not take the page along.

/** The longest time for a step, in milliseconds. */
const MOST = 3000;

/** Starts the worker. Returns `undefined` in a browser without module workers, which does not read the type. */
function start() {
  let isModule = false;
  const worker = new Worker(new URL('worker.js', import.meta.url), {
    get type() {
      isModule = true;
      return 'module';
    },
  });
  if (isModule) return worker;
  worker.terminate();
  return undefined;
}

export class Trial {
  #worker;
  #settle;

  /** Returns the error of the step of a text; `undefined` if it has none, and if another run has replaced this one. */
  run(text) {
    if (this.#settle) {
      this.#drop();
      this.#settle();
    }
    this.#worker ??= start();
    // Nothing limits a step then.
    if (this.#worker === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      let limit;
      const settle = (problem) => {
        clearTimeout(limit);
        this.#settle = undefined;
        resolve(problem);
      };
      const late = () => {
        this.#drop();
        settle(`the step takes more than ${MOST / 1000} seconds, the limit of this page: use hitmask check`);
      };
      const unloaded = () => {
        this.#drop();
        settle('the library could not be loaded to check this scene; the next edit loads it again');
      };
      this.#settle = settle;
      this.#worker.onmessage = ({ data: { end, message } }) => {
        if (end === 'begun') {
          limit = setTimeout(late, MOST);
          return;
        }
        if (end === 'unloaded') {
          unloaded();
          return;
        }
        if (end === 'trap') this.#drop();
        settle(end === 'trap' ? `the library fails on this scene: ${message}` : message);
      };
      this.#worker.onerror = unloaded;
      this.#worker.postMessage(text);
    });
  }

  #drop() {
    this.#worker.terminate();
    this.#worker = undefined;
  }
}
