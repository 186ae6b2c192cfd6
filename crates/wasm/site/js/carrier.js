// What carries questions here: not HTTP, but threads of this browser that run the engine as WebAssembly.
//
// Idea: the page talks to `fetch` and `EventSource` of this module, and the paths are those of the HTTP API, so that the
// page is the same with and without a server (`openapi.json` has the contract). A job is a run of the engine in a worker.
// Cancelling sets a flag that the engine looks at, where the host isolates the page (`sw.js` sees to it after the first visit);
// elsewhere the worker is ended, and the best answer so far is lost with it.
// Invariant: as many workers run jobs as there are cores, less one for the page; the rest of the jobs wait.

/** Workers that run jobs at a time. */
const MOST_JOBS = Math.max(1, (navigator.hardwareConcurrency || 2) - 1);
/** Jobs that may wait. */
const MOST_WAITING = 64;
/** Jobs that are remembered when they are over. */
const MOST_KEPT = 200;
/** A question that is refused within this time is refused in the answer to its request. */
const AT_ONCE = 20;
/** How long a cancelled job is waited for, before its worker is ended. */
const WINDING_UP = 1000;

const here = (path) => new URL(path, new URL('../', import.meta.url));

const compiled = (async () => {
  const answer = await globalThis.fetch(here('destrier.wasm'));
  if (!answer.ok) throw new Error(`destrier.wasm: ${answer.status} ${answer.statusText}`);
  // Compiled as it arrives, and kept by the browser, where the host knows its media type.
  if (answer.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
})();

const idle = [];

async function worker() {
  const module = await compiled;
  if (idle.length > 0) return idle.pop();
  const fresh = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  fresh.postMessage({ module });
  return fresh;
}

/** Runs a request on a worker; `stop` of what is returned ends it whatever it does. */
function start(request, hear = () => {}, flag = undefined) {
  let stop = () => {};
  const last = worker().then(
    (thread) =>
      new Promise((resolve) => {
        const settle = (value, reusable) => {
          thread.onmessage = thread.onerror = null;
          if (reusable) idle.push(thread);
          else thread.terminate();
          resolve(value);
        };
        thread.onmessage = ({ data }) => (data.last ? settle(data.last, true) : hear(data.word, data.value));
        thread.onerror = (event) => settle({ word: 'refused', status: 500, value: { error: event.message } }, false);
        stop = () => settle(null, false);
        thread.postMessage({ request, flag });
      }),
  );
  return { last, stop: () => stop() };
}

const jobs = new Map();
const waiting = [];
let running = 0;

class Job extends EventTarget {
  constructor(text) {
    super();
    this.id = [...crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    this.text = text;
    this.traces = [];
    this.progress = null;
    this.result = null;
    this.refusal = null;
    this.started = null;
    this.cancelled = false;
    this.flag = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
    this.over = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  get question() {
    try {
      return JSON.parse(this.text);
    } catch {
      return null;
    }
  }

  state() {
    if (this.result) return this.result;
    const position = waiting.indexOf(this);
    const state = position < 0 ? { state: 'running' } : { state: 'queued', position };
    return { job: this.id, question: this.question, ...state };
  }

  run() {
    running += 1;
    this.started = performance.now();
    const { last, stop } = start(
      { call: 'work', job: this.id, body: this.text },
      (word, value) => this.hear(word, value),
      this.flag,
    );
    this.stop = stop;
    last
      .catch((error) => ({ word: 'refused', status: 500, value: { error: error.message } }))
      .then((line) => {
        running -= 1;
        this.finish(line);
        next();
      });
  }

  hear(word, value) {
    if (word === 'trace') this.traces.push(value);
    if (word === 'progress') this.progress = value;
    if (word === 'trace' || word === 'progress') this.tell(word, value);
  }

  tell(word, value) {
    this.dispatchEvent(new CustomEvent(word, { detail: value }));
  }

  finish(line) {
    if (this.result) return;
    if (line?.word === 'done') this.result = line.value;
    else if (line === null) {
      const effort = { effort: { nodes: this.progress?.nodes ?? 0, stopped: 'asked' } };
      const waited = this.started === null;
      const says = waited ? 'cancelled before it started' : 'undecided: stopped on request';
      const reason = waited ? { reason: { key: 'said.cancelled_first' } } : {};
      this.result = {
        job: this.id,
        question: this.question,
        state: 'cancelled',
        outcome: 'undecided',
        says,
        ...reason,
        ...effort,
      };
    } else {
      this.refusal = line;
      this.result = { job: this.id, question: this.question, state: 'failed', ...line.value };
      if (line.complaint) console.warn(line.complaint);
    }
    this.end();
    this.tell('done', this.result);
    const ended = [...jobs.values()].filter((job) => job.result);
    for (const job of ended.slice(0, Math.max(0, ended.length - MOST_KEPT))) jobs.delete(job.id);
  }

  /** Stops it, and waits for what it has. */
  async cancel() {
    if (this.result || this.cancelled) return this.over;
    this.cancelled = true;
    const at = waiting.indexOf(this);
    if (at >= 0) {
      waiting.splice(at, 1);
      this.finish(null);
      return this.over;
    }
    if (this.flag) {
      Atomics.store(this.flag, 0, 1);
      setTimeout(() => this.stop(), WINDING_UP);
    } else this.stop();
    return this.over;
  }
}

function next() {
  while (running < MOST_JOBS && waiting.length > 0) waiting.shift().run();
  waiting.forEach((job, position) => job.tell('queued', { position }));
}

const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const reply = (value, status = 200) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });

async function submit(text) {
  if (running >= MOST_JOBS && waiting.length >= MOST_WAITING) {
    const error = `the queue is full: ${running} running, ${waiting.length} waiting`;
    return reply({ error, key: 'said.queue_full', values: { running, waiting: waiting.length } }, 429);
  }
  const job = new Job(text);
  jobs.set(job.id, job);
  waiting.push(job);
  next();
  // The first answer waits for the engine to be loaded; then a wrong question is refused at once.
  await compiled.catch(() => {});
  await Promise.race([job.over, later(AT_ONCE)]);
  if (job.refusal) return reply(job.refusal.value, job.refusal.status);
  return reply({ job: job.id }, 202);
}

/** The reply to a request that is no job. */
async function call(name, query, body) {
  const begun = performance.now();
  const line = await start({ call: name, query, body }).last;
  if (line.word === 'refused') return reply(line.value, line.status);
  const words = new URLSearchParams(query).toString();
  performance.measure(`engine/api/${name}${words && '?'}${words}`, { start: begun }); // as browsers do for requests
  const queue = { jobs: MOST_JOBS, queue: MOST_WAITING, running, waiting: waiting.length };
  if (line.word === 'done') return reply(name === 'limits' ? { ...line.value, ...queue } : line.value);
  const { media_type, name: file } = line.value;
  const headers = { 'content-type': media_type, 'content-disposition': `attachment; filename="${file}"` };
  return new Response(line.bytes, { headers });
}

/** As the browser's own `fetch`, for the paths of the API. */
export async function fetch(path, { method = 'GET', body = '' } = {}) {
  const { pathname, searchParams } = new URL(path, 'http://engine/');
  const [root, name, id] = pathname.slice(1).split('/');
  if (root !== 'api') return globalThis.fetch(path);
  if (name === 'jobs' && id === undefined && method === 'POST') return submit(body);
  if (name === 'jobs' && id !== undefined) {
    const job = jobs.get(id);
    if (!job) return reply({ error: 'there is no such job, or it was dropped', key: 'said.no_job' }, 404);
    if (method === 'DELETE') await job.cancel();
    return reply(job.state());
  }
  const calls = method === 'POST' ? ['verify', 'export', 'window', 'steps'] : ['methods', 'presets', 'limits'];
  if (calls.includes(name)) return call(name, Object.fromEntries(searchParams), body);
  return reply({ error: `there is no \`${pathname}\`; openapi.json lists what there is` }, 404);
}

/** As the browser's own `EventSource`, for the events of a job. */
export class EventSource extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 2;

  constructor(path) {
    super();
    this.readyState = EventSource.OPEN;
    const job = jobs.get(path.split('/')[2]);
    const send = (word, value) => {
      if (this.readyState !== EventSource.CLOSED)
        this.dispatchEvent(new MessageEvent(word, { data: JSON.stringify(value) }));
    };
    // Listeners are added after this; what has happened already comes to them then.
    queueMicrotask(() => {
      if (!job) {
        this.readyState = EventSource.CLOSED;
        this.dispatchEvent(new Event('error'));
        return;
      }
      if (waiting.includes(job)) send('queued', { position: waiting.indexOf(job) });
      for (const trace of job.traces) send('trace', trace);
      if (job.progress) send('progress', job.progress);
      if (job.result) send('done', job.result);
      for (const word of ['queued', 'trace', 'progress', 'done'])
        job.addEventListener(word, (event) => send(word, event.detail));
    });
  }

  close() {
    this.readyState = EventSource.CLOSED;
  }
}

// What is kept for the next visit, with or without a network. Pages opened as files have no such thing.
if ('serviceWorker' in navigator && isSecureContext) navigator.serviceWorker.register(here('sw.js')).catch(() => {});
