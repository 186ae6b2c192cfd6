// A search: idle, queued, running, showing, over.
//
//   idle ──start──► queued ──► running ──► showing ──► over
//     ▲                │          │           │          │
//     └──────drop──────┴──────────┴───────────┴──────────┘
//
// Idea: every search has a token, and what is heard of it counts only while that token is the one of now. Whoever
// changes the question drops the search; whatever still comes of it is then nobody's.
// Invariant: after `drop` or another `start`, nothing is heard of the search before.

const BUSY = new Set(['queued', 'running', 'showing']);

export class Search {
  #token = null;

  /** `changed` hears of each new state. */
  constructor(changed = () => {}) {
    this.changed = changed;
    this.state = 'idle';
  }

  get busy() {
    return BUSY.has(this.state);
  }

  /**
   * Begins a search: `ask` starts it and gives `{answer, cancel}`, like `run` of `api.js`. `hear` may have `begun`, `queued`, `progress` and
   * `trace`; `show`, whose promise lasts while the search is being shown, and `skip`, which ends that; then `done` or
   * `refused`.
   */
  async start(ask, hear) {
    this.drop();
    const token = { hear };
    this.#token = token;
    const mine = () => this.#token === token;
    const guarded = (name, state) => (heard) => {
      if (!mine()) return;
      if (state) this.#become(state);
      hear[name]?.(heard);
    };
    this.#become('queued');
    try {
      token.running = ask({
        begun: guarded('begun'),
        queued: guarded('queued', 'queued'),
        progress: guarded('progress', 'running'),
        trace: guarded('trace', 'running'),
      });
      const job = await token.running.answer;
      if (!mine()) return;
      if (job.state === 'failed') throw Object.assign(new Error(job.error), job);
      this.#become('showing');
      if (job.state !== 'cancelled') await hear.show?.(job);
      if (!mine()) return;
      this.#become('over');
      hear.done?.(job);
    } catch (error) {
      if (!mine()) return;
      this.#become('over');
      hear.refused?.(error);
    }
  }

  /** Stops the search, and waits for what it has; or ends the showing of it. */
  stop() {
    if (!this.busy) return;
    const { running, hear } = this.#token;
    if (this.state === 'showing') hear.skip?.();
    else running?.cancel();
  }

  /** Lets go of the search: nothing more is heard of it. */
  drop() {
    const token = this.#token;
    const running = this.busy && this.state !== 'showing';
    this.#token = null;
    if (running) token?.running?.cancel();
    this.#become('idle');
  }

  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.changed(state);
  }
}
