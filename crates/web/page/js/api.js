// The server's HTTP API, as `openapi.json` has it.
//
// Idea: one function a path. A refusal becomes a `Refusal` with the server's own sentence, the key under which the page
// may have it in other languages, and the field and the square it is about, so that a room can show it where it belongs.

import { EventSource, fetch } from './carrier.js';

/** What the server objects to. */
export class Refusal extends Error {
  constructor({ error, field, square, step, key, values }, status) {
    super(error);
    this.key = key;
    this.values = values;
    this.field = field;
    this.square = square;
    this.step = step;
    this.status = status;
  }
}

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, { cache: 'no-store', ...options });
  } catch {
    throw new Refusal({ error: '', field: 'server' }, 0);
  }
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => ({ error: `${answer.status} ${answer.statusText}` }));
  throw new Refusal(body, answer.status);
}

const json = (value) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

export const api = {
  submit: async (question) => (await (await ask('api/jobs', json(question))).json()).job,
  result: async (job) => (await ask(`api/jobs/${job}`)).json(),
  cancel: async (job) => (await ask(`api/jobs/${job}`, { method: 'DELETE', keepalive: true })).json(),
  methods: async () => (await ask('api/methods')).json(),
  limits: async () => (await ask('api/limits')).json(),
  presets: async () => (await ask('api/presets')).json(),
  window: async (wanted) => (await ask('api/window', json(wanted))).json(),
  steps: async (wanted) => (await ask('api/steps', json(wanted))).json(),
  export: async (format, certificate) => (await ask(`api/export?format=${format}`, json(certificate))).blob(),

  /** The film of a search that was watched. */
  film: async (question, events) =>
    (await ask('api/export?format=gif', json({ kind: 'trace', question, events }))).blob(),

  /** Checks an answer or reads a question, as text. */
  verify: async (text, query = {}) => {
    const more = new URLSearchParams(query).toString();
    const kind = /^\s*[[{]/.test(text) ? 'application/json' : 'text/plain';
    const path = `api/verify${more ? `?${more}` : ''}`;
    return (await ask(path, { method: 'POST', headers: { 'content-type': kind }, body: text })).json();
  },
};

/** Asks a question and listens until its answer is there. */
export const run = (question, hears) => listen(() => api.submit(question), hears);

/** Listens to a job that was asked for before. */
export const resume = (job, hears) => listen(async () => job, hears);

/**
 * Listens to a job. `begun` hears of its number, `queued` of the jobs before it, `progress` and `trace` of the
 * search. The `cancel` of what is returned stops the search on the server; so does closing the tab, because the
 * server notices that nobody listens. `answer` is a promise of the job.
 */
function listen(begin, { begun, queued, progress, trace } = {}) {
  let job = null;
  let stopped = false;
  let giveUp = () => {};
  const answer = (async () => {
    job = await begin();
    begun?.(job);
    if (stopped) return api.cancel(job);
    return new Promise((resolve, reject) => {
      const source = new EventSource(`api/jobs/${job}/events`);
      const settle = (done, value) => {
        source.close();
        done(value);
      };
      giveUp = (error) => settle(reject, error);
      const hear = (type, heard) => source.addEventListener(type, (event) => heard?.(JSON.parse(event.data)));
      hear('queued', queued && (({ position }) => queued(position)));
      hear('progress', progress);
      hear('trace', trace);
      hear('done', (result) => settle(resolve, result));
      source.addEventListener('error', () => {
        api.result(job).then(
          (state) => {
            if (['done', 'cancelled', 'failed'].includes(state.state)) settle(resolve, state);
            else if (source.readyState === EventSource.CLOSED)
              settle(reject, new Refusal({ error: '', field: 'server' }, 0));
          },
          (error) => settle(reject, error),
        );
      });
    });
  })();
  const cancel = async () => {
    stopped = true;
    // A server that cannot be told to stop is not waited for.
    if (job) await api.cancel(job).catch((error) => giveUp(error));
  };
  return { answer, cancel };
}
