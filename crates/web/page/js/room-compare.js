// The Compare room: several methods on the same questions, side by side.
//
// Idea: a comparison on the server for each question, one after the other. There every run is a process of its own,
// which times itself and has the machine to itself, and answers are held against each other. Without a server all runs
// share a thread of the browser, so that numbers of threads are not asked for. The table grows by the rows of a question;
// the figures (`plot.js`) are drawn in the page's own colours.
// Invariant: what is seen is what was measured; answers that do not agree are told. The tab keeps the rows and the job
// that runs, so that a reload shows them and goes on.

import { h, s, icon } from './dom.js';
import { run, resume, api } from './api.js';
import { saveBlob } from './keep.js';
import { svgBlob, pngBlob } from './picture.js';
import { barFigure, threadFigure, shown } from './plot.js';
import { CompareTable, csv, told } from './compare-table.js';
import { Asking } from './asking.js';
import { tab } from './kept.js';
import { refusalPhrase } from './phrases.js';
import { t, duration } from './i18n.js';
import { segmentedField, shapeField, textField, limitFields } from './form.js';

/** Where the tab keeps a comparison. */
const KEPT = 'destrier.comparison';

/** Pixels of the figures at most and at least. */
const WIDEST = 760;
const NARROWEST = 320;

/** Questions that take most methods longer than the clock's noise, and none of them minutes. */
const FIRST = {
  tour: '100x100, 250x250',
  count: '4x8, 5x6',
  capture: 'p2p2p1/8/p4p2/2p4p/8/1p2p3/6p1/N2p3p, p2p4/1p4p1/4p3/2p4p/p5p1/3p4/1p3p2/N2p2p1',
  swap: '5x5, seventh-guest',
};

/** Methods that are compared only when they are chosen. */
const HOPELESS = { tour: ['naive', 'random-walk'], count: ['naive'], capture: [], swap: ['naive'] };

export class CompareRoom extends Asking {
  constructor(app) {
    super('compare', app);
    this.chosen = {};
    const kept = () => this.kept();
    const fields = {
      of: segmentedField(
        'compare.of',
        [
          ['tour', 'tour.name'],
          ['count', 'count.name'],
          ['capture', 'capture.name'],
          ['swap', 'swap.name'],
        ],
        {
          changed: () => {
            this.turn();
            kept();
          },
        },
      ),
      boards: textField('compare.boards', { changed: kept, wide: true, mono: true, help: 'compare.boards_help' }),
      closed: shapeField({ changed: kept }),
      ...limitFields({ changed: kept }),
      threads: textField('compare.threads', { changed: kept, hint: 'compare.threads_hint' }),
    };
    this.alone = h('p', { class: 'help wide alone', text: 'compare.alone', hidden: true });
    this.methods = h('fieldset', { class: 'field wide methods' });
    const chip = (name, save) =>
      h(
        'button',
        { type: 'button', class: 'chip', 'data-keep': name, on: { click: save } },
        icon('save'),
        name.toUpperCase(),
      );
    this.saving = h(
      'div',
      { class: 'keep', hidden: true },
      chip('csv', () => this.save()),
      chip('svg', () => this.saveFigure('svg')),
      chip('png', () => this.saveFigure('png')),
    );
    const { of, boards, closed, threads, time_limit: limit } = fields;
    this.furnish(fields, of, this.methods, boards, closed, threads, limit, this.alone);
    this.status = h('p', { class: 'caption', role: 'status' });
    this.table = new CompareTable();
    this.plot = h('div', { class: 'plot' });
    new ResizeObserver(() => this.resized()).observe(this.plot);
    this.root = h(
      'section',
      { class: 'room room-compare', id: 'room-compare', label: 'compare.name', hidden: true },
      h('div', { class: 'stage' }, this.plot, this.status, this.table.root, this.saving),
      h(
        'div',
        { class: 'panel' },
        h('h2', { text: 'compare.title' }),
        h('p', { class: 'lead', text: 'compare.lead' }),
        this.form,
      ),
    );
    this.results = [];
    this.restore({});
  }

  learn(methods, _presets, { processes }) {
    this.all = methods;
    this.alone.hidden = processes;
    this.fields.threads.root.hidden = !processes;
    this.turn();
  }

  /** Another kind of question: its methods, its examples. */
  turn() {
    const of = this.fields.of.get();
    if (Object.values(FIRST).includes(this.fields.boards.get()) || !this.fields.boards.get())
      this.fields.boards.set(FIRST[of]);
    this.fields.closed.root.hidden = of === 'capture' || of === 'swap';
    const list = this.all?.[of] ?? [];
    const kept = this.chosen[of];
    this.methods.replaceChildren(
      h('legend', { text: 'compare.methods' }),
      h(
        'div',
        { class: 'checks' },
        ...list.map(({ name, about }) => {
          const on = kept ? kept.includes(name) : !HOPELESS[of].includes(name);
          const input = h('input', {
            type: 'checkbox',
            value: name,
            id: `compare-${of}-${name}`,
            checked: on,
            on: {
              change: () => {
                this.chosen[of] = this.picked();
                this.kept();
              },
            },
          });
          return h('label', { class: 'pick', for: input.id, title: about }, input, name);
        }),
      ),
    );
    this.draw();
  }

  picked() {
    return [...this.methods.querySelectorAll('input:checked')].map((input) => input.value);
  }

  restore(question) {
    const of = question.of && FIRST[question.of] ? question.of : 'tour';
    this.fields.of.set(of);
    this.fields.boards.set(question.boards ?? FIRST[of]);
    this.fields.closed.set(question.closed === 'true' || question.closed === true ? 'closed' : 'open');
    this.fields.threads.set(question.threads);
    this.fields.time_limit.set(question.time_limit ?? '5s');
    if (question.methods) this.chosen[of] = String(question.methods).split(',');
    this.turn();
  }

  question() {
    const of = this.fields.of.get();
    return {
      of,
      boards: this.fields.boards.get(),
      closed: this.fields.closed.get() === 'closed' || undefined,
      methods: this.chosen[of],
      threads: this.fields.threads.get(),
      time_limit: this.fields.time_limit.get(),
    };
  }

  changed() {
    this.draw();
    this.remember();
  }

  draw() {
    if (!this.results.length && !this.running) {
      const bar = (part) =>
        s('rect', { class: 'ghost', y: 24 * part, width: [58, 92, 34, 76][part] * 3, height: 16, rx: 4 });
      this.plot.replaceChildren(
        h(
          'div',
          { class: 'empty' },
          s('svg', { viewBox: '0 0 280 90', 'aria-hidden': 'true' }, ...[0, 1, 2, 3].map(bar)),
          h('p', { text: 'compare.idle' }),
        ),
      );
      this.table.root.hidden = true;
    }
  }

  /** Another language: says the same again. */
  retell() {
    if (this.running || !this.results.length) return;
    this.table.clear();
    this.write(this.results);
    this.judge();
  }

  /** The questions as the server takes them, each with the word that asks it. */
  jobs() {
    const { of, boards = '', closed, threads, time_limit } = this.question();
    const methods = this.picked();
    const counts = this.fields.threads.root.hidden ? undefined : threads?.match(/\d+/g)?.map(Number);
    const asked = {
      tour: (board) => ({ board, closed }),
      count: (board) => ({ board, shape: closed ? 'closed' : 'open' }),
      capture: (puzzle) => ({ puzzle }),
      swap: (word) => (/^\d+x\d+$/.test(word) ? { board: word } : { preset: word }),
    }[of];
    const words = methods.length ? boards.split(/\s*,\s*/).filter(Boolean) : [];
    const shared = { kind: 'compare', of, methods, thread_counts: counts, time_limit, repeat: 1 };
    return words.map((word) => ({ word, question: { ...shared, ...asked(word) } }));
  }

  async solve() {
    if (this.running) return;
    const jobs = this.jobs();
    Object.assign(this, { asked: this.hash, limit: this.question().time_limit });
    Object.assign(this, { results: [], agreed: true, stopped: false });
    this.table.clear();
    if (jobs.length) await this.compare(jobs);
    else this.status.textContent = t('compare.nothing');
  }

  /** Compares from the question at `next`; `job` is its number if it was asked before. */
  async compare(jobs, next = 0, job = null) {
    this.table.root.hidden = false;
    this.busy(true);
    for (let index = next; index < jobs.length && !this.stopped; index += 1) {
      await this.measure(jobs, index, index === next ? job : null);
    }
    this.running = null;
    this.busy(false);
    this.app.badge();
    this.judge();
  }

  /** Runs the methods on one question, or listens again to the job that does. */
  async measure(jobs, index, before) {
    const { word, question } = jobs[index];
    const at = t('compare.at', { n: index + 1, total: jobs.length, board: shown(word) });
    this.status.textContent = at;
    const hears = {
      begun: (job) => this.store(index, job),
      progress: ({ elapsed_ms: time = 0 }) => {
        if (time >= 1000) this.status.textContent = `${at} · ${duration(time)}`;
      },
    };
    this.running = before ? resume(before, hears) : run(question, hears);
    this.app.badge();
    const ended = await this.running.answer.catch((refusal) => ({ refusal }));
    const failed = ended.state === 'failed' ? Object.assign(new Error(ended.error), ended) : ended.refusal;
    this.stopped ||= ended.state === 'cancelled';
    this.take(word, ended.answer?.table, failed && refusalPhrase(failed));
    // Where the server does not answer, the job may still run, as it does while the page is loaded again.
    if (failed?.field !== 'server') this.store(this.stopped ? jobs.length : index + 1);
  }

  /** The tab keeps the rows so far, and the job of the question at `next`. */
  store(next, job = null) {
    const { asked, limit, results, agreed, stopped } = this;
    tab.set(KEPT, JSON.stringify({ asked, limit, results, agreed, stopped, next, job }));
  }

  /** After a reload: shows the rows of before, and goes on. */
  async resume() {
    const { next, job, ...before } = JSON.parse(tab.get(KEPT) ?? '{}');
    if (before.asked !== this.hash || this.running) return;
    const jobs = this.jobs();
    const gone = job && !(await api.result(job).catch(() => null));
    if (before.asked !== this.hash || this.running) return;
    Object.assign(this, before);
    this.stopped ||= Boolean(gone);
    this.table.root.hidden = false;
    this.write(this.results);
    if (this.stopped || next >= jobs.length) this.judge();
    else this.compare(jobs, next, job);
  }

  /** Says which words of the address the form did not take. */
  misread(words) {
    this.status.textContent = refusalPhrase({ key: 'page.unread', values: { words } });
  }

  /** Keeps what came of a question: its rows, or a row that says why there are none. */
  take(word, table, error) {
    const rows = error ? [{ method: '–', note: error, failed: 1 }] : (table?.rows ?? []);
    // What was stopped before its turn has nothing to say.
    const begun = rows.filter(({ solved, gave_up: gaveUp, failed, note }) => solved || gaveUp || failed || note);
    const results = begun.map((row) => ({ ...row, word }));
    this.agreed &&= table?.agreed !== false;
    this.results.push(...results);
    this.write(results);
  }

  /** Adds the rows of a question, or of several, to the table, and draws the figures again. */
  write(results) {
    this.table.add(results);
    this.drawPlot();
  }

  /** Says how it ended, and whether the answers agree. */
  judge() {
    const verdict = this.stopped ? 'compare.stopped' : this.agreed ? 'compare.agree' : 'compare.disagree';
    this.status.textContent = t(verdict, { n: this.results.filter(({ threads }) => threads).length });
    this.saving.hidden = !this.results.length;
  }

  cancel() {
    if (!this.running) return;
    this.stopped = true;
    this.running.cancel();
  }

  /** Bars on a logarithmic scale by question, and lines by threads where there are several numbers of them. */
  drawPlot() {
    const limit = milliseconds(this.limit);
    const look = { wide: Math.min(WIDEST, Math.max(NARROWEST, this.plot.clientWidth)), told };
    this.wide = look.wide;
    const figures = [
      barFigure(this.results, limit, look),
      threadFigure(this.results, 'speedUp', look),
      threadFigure(this.results, 'efficiency', look),
    ].filter(Boolean);
    if (figures.length) this.plot.replaceChildren(...figures);
  }

  /** The page is wider or narrower: so are the figures. */
  resized() {
    const wide = Math.min(WIDEST, Math.max(NARROWEST, this.plot.clientWidth));
    if (this.results.length && this.plot.clientWidth && wide !== this.wide) this.drawPlot();
  }

  /** The figures, one below the other, as a file. */
  saveFigure(format) {
    const figures = [...this.plot.querySelectorAll('svg')];
    if (!figures.length) return;
    const heights = figures.map((figure) => figure.viewBox.baseVal.height);
    const whole = s('svg', { viewBox: `0 0 ${this.wide} ${heights.reduce((sum, height) => sum + height, 0)}` });
    let y = 0;
    figures.forEach((figure, index) => {
      whole.append(s('g', { transform: `translate(0 ${y})` }, ...[...figure.cloneNode(true).childNodes]));
      y += heights[index];
    });
    // It needs the style sheet to have colours, and so a place on the page.
    whole.classList.add('figure-file');
    this.plot.append(whole);
    const title = t('compare.plot');
    const file = format === 'svg' ? Promise.resolve(svgBlob(whole, title)) : pngBlob({ root: whole }, title);
    file
      .then((blob) => saveBlob(blob, `destrier-compare.${format}`))
      .catch((error) => this.app.tell(refusalPhrase(error)))
      .finally(() => whole.remove());
  }

  save() {
    saveBlob(new Blob([csv(this.results)], { type: 'text/csv' }), 'destrier-compare.csv');
  }
}

/** A time as it is typed, in milliseconds; nothing if it is none. */
function milliseconds(text) {
  const found = /^([\d.]+)\s*(ms|s|m|min|h)?$/.exec(text ?? '');
  return found ? Number(found[1]) * { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }[found[2] ?? 's'] : null;
}
