// Headless Chromium, driven over a pipe by its DevTools protocol: no driver program, no packages.

import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHROMIUM = process.env.CHROMIUM ?? 'chromium';
// Without features that use the network.
const ARGUMENTS = [
  '--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--remote-debugging-pipe',
  '--window-size=900,700', 'about:blank',
];
// WebGPU on SwiftShader, in software; without it, a browser that has no WebGPU, but WebGL in software.
const WEBGPU = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan'];
const NO_WEBGPU = ['--disable-gpu', '--enable-unsafe-swiftshader', '--disable-features=WebGPU', '--disable-webgpu'];

// The number of characters of Chromium's stderr that are kept: the last ones.
const KEPT_ERRORS = 2000;

export class Browser {
  // The time in milliseconds that a browser may take to start.
  static startLimit = 60_000;

  // Starts Chromium and returns a browser that is attached to its page. `more` are further arguments. As Chromium sometimes
  // fails to start on a busy machine, this tries up to three times; the third failure is thrown. Each failed browser is ended,
  // and its folder removed.
  static async open({ webgpu, more = [] }) {
    for (let tries = 3; ; tries--) {
      const browser = new Browser(webgpu, more);
      const late = setTimeout(() => browser.process.kill('SIGKILL'), Browser.startLimit);
      try {
        await browser.attach();
        return browser;
      } catch (error) {
        await browser.close().catch((why) => console.error(why.message));
        if (tries === 1 || browser.isMissing) throw error;
        console.error(`${error.message}\nIt is started again.`);
      } finally {
        clearTimeout(late);
      }
    }
  }

  constructor(webgpu, given) {
    this.folder = mkdtempSync(join(tmpdir(), 'hitmask-web-'));
    const more = [`--user-data-dir=${this.folder}`, ...(webgpu ? WEBGPU : NO_WEBGPU), ...given];
    this.process = spawn(CHROMIUM, [...more, ...ARGUMENTS], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    this.exit = new Promise((resolve) => this.process.on('exit', resolve).on('error', resolve));
    // The exit says what went wrong.
    this.process.stdio[3].on('error', () => {});
    this.waiting = new Map();
    this.console = [];
    // The kinds of the dialogs that pages have opened.
    this.dialogs = [];
    // Downloads have a GUID, which is the name of the file; by it, the name that the page gave.
    this.names = new Map();
    // The GUIDs of the files that are complete and that no test has read.
    this.saved = [];
    const ended = (why) => {
      for (const { reject } of this.waiting.values()) reject(new Error(why));
      this.waiting.clear();
    };
    this.isMissing = false;
    this.process.on('error', ({ code, message }) => {
      this.isMissing = code === 'ENOENT';
      ended(this.isMissing ? `no ${CHROMIUM}: apt-get install chromium` : message);
    });
    let errors = '';
    this.process.stderr.setEncoding('utf8').on('data', (more) => {
      errors = (errors + more).slice(-KEPT_ERRORS);
    });
    // What it wrote last may arrive after its end.
    const exited = (code, signal) => ended(`${CHROMIUM} has ended with ${code ?? signal}\n${errors}`.trim());
    this.process.on('exit', (...how) => setTimeout(exited, 100, ...how));
    let text = '';
    this.process.stdio[4].setEncoding('utf8').on('data', (more) => {
      const messages = (text + more).split('\0');
      text = messages.pop();
      for (const message of messages) this.hear(JSON.parse(message));
    });
  }

  // Connects to the browser's page.
  async attach() {
    const { targetInfos } = await this.send('Target.getTargets');
    const page = targetInfos.find(({ type }) => type === 'page');
    if (page === undefined) throw new Error(`${CHROMIUM} has no page`);
    ({ sessionId: this.session } = await this.send('Target.attachToTarget', { targetId: page.targetId, flatten: true }));
    await this.send('Runtime.enable');
    await this.send('Page.enable');
  }

  hear({ id, result, error, method, params }) {
    if (id === undefined) {
      if (method === 'Runtime.consoleAPICalled') this.console.push(params.args.map((arg) => arg.value ?? arg.description).join(' '));
      if (method === 'Runtime.exceptionThrown') {
        this.console.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      }
      if (method === 'Page.loadEventFired') this.loaded?.();
      if (method === 'Page.javascriptDialogOpening') this.answer(params.type);
      if (method === 'Browser.downloadWillBegin') this.names.set(params.guid, params.suggestedFilename);
      if (method === 'Browser.downloadProgress' && params.state === 'completed') this.saved.push(params.guid);
      return;
    }
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    const { resolve, reject } = waiting;
    this.waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  send(method, params = {}) {
    const id = (this.last = (this.last ?? 0) + 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    });
  }

  async visit(url) {
    const loaded = new Promise((resolve) => (this.loaded = resolve));
    await this.send('Page.navigate', { url });
    await loaded;
  }

  // Accepts a dialog, such as that of a page with unsaved changes that is left. Until then, the page stands still.
  answer(type) {
    this.dialogs.push(type);
    this.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
  }

  // Runs the body of an async function in the page, and returns its value.
  async run(body) {
    const expression = `(async () => { ${body} })()`;
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async picture() {
    return Buffer.from((await this.send('Page.captureScreenshot')).data, 'base64');
  }

  async close() {
    // Asked to close, it ends its own processes first; killed, it leaves them, and they go on writing to its folder.
    this.send('Browser.close').catch(() => {});
    const kill = setTimeout(() => this.process.kill('SIGKILL'), 10_000);
    await this.exit;
    clearTimeout(kill);
    // Chromium's own processes can outlive it and keep the pipe open, and with it Node.
    this.process.stderr.destroy();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
