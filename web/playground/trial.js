// Runs the step of a scene in a worker first: one that takes too long, or all memory, does not take the page along.

/** The longest time for a step, in milliseconds. */
const MOST = 3000;

export class Trial {
  #worker;
  #settle;
  // Whether this browser has no such workers, so that nothing limits a step.
  #isMissing = false;

  /** Returns the error of the step of a text; `undefined` if it has none, and if another run has replaced this one. */
  run(text) {
    if (this.#settle) {
      this.#drop();
      this.#settle();
    }
    if (this.#isMissing) return Promise.resolve();
    this.#worker ??= new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
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
      this.#settle = settle;
      this.#worker.onmessage = ({ data: { end, message } }) => {
        if (end === 'begun') {
          limit = setTimeout(late, MOST);
          return;
        }
        if (end === 'trap') this.#drop();
        settle(end === 'trap' ? `the library fails on this scene: ${message}` : message);
      };
      this.#worker.onerror = () => {
        this.#isMissing = true;
        settle();
      };
      this.#worker.postMessage(text);
    });
  }

  #drop() {
    this.#worker.terminate();
    this.#worker = undefined;
  }
}
