// The Compare room: several methods on the same questions, side by side.
//
// Idea: one job after the other through the same API as everywhere, so that a time is a time of one method that has
// the machine to itself. The table fills as answers come; the plot draws time on a logarithmic scale.
// Invariant: methods that both claim the fewest moves, or a number of tours, must agree; if they do not, it is said.

import { h, s, icon } from './dom.js';
import { run } from './api.js';
import { saveBlob } from './report.js';
import { t, brief, duration, spell } from './i18n.js';
import { segmentedField, textField } from './form.js';

const FIRST = {
  tour: '6x6, 8x8, 20x20',
  count: '5x5, 6x6',
  capture: '4p/5/2p2/5/N3p, 2p2p2/8/p4p2/2p4p/8/1p2p3/6p1/N2p4',
  swap: 'guarini, six-knights',
};

export class CompareRoom {
  constructor(app) {
    this.name = 'compare';
    this.app = app;
    this.chosen = {};
    const kept = () => this.app.remember(this);
    this.fields = {
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
      closed: segmentedField(
        'form.shape',
        [
          ['open', 'form.open'],
          ['closed', 'form.closed'],
        ],
        { changed: kept },
      ),
      threads: textField('compare.threads', { changed: kept, hint: 'compare.threads_hint' }),
      time_limit: textField('form.time', { changed: kept, hint: 'form.time_hint' }),
    };
    this.methods = h('fieldset', { class: 'field wide methods' });
    this.askButton = h(
      'button',
      { type: 'submit', class: 'button primary' },
      icon('knight'),
      h('span', { text: 'compare.ask' }),
    );
    this.stopButton = h(
      'button',
      { type: 'button', class: 'button stop', hidden: true, on: { click: () => this.cancel() } },
      h('span', { text: 'run.cancel' }),
    );
    this.saveButton = h(
      'button',
      { type: 'button', class: 'chip', hidden: true, on: { click: () => this.save() } },
      icon('save'),
      'CSV',
    );
    const { of, boards, closed, threads, time_limit: limit } = this.fields;
    this.form = h(
      'form',
      {
        class: 'fields',
        novalidate: true,
        on: {
          submit: (event) => {
            event.preventDefault();
            this.solve();
          },
        },
      },
      of.root,
      this.methods,
      boards.root,
      closed.root,
      threads.root,
      limit.root,
      h('div', { class: 'asking' }, this.askButton, this.stopButton),
    );
    this.status = h('p', { class: 'caption', role: 'status' });
    this.rows = h('tbody');
    this.table = h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        { class: 'numbers compare' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ...[
              'compare.question',
              'compare.method',
              'compare.threads_head',
              'compare.result',
              'compare.time',
              'compare.nodes',
            ].map((key) => h('th', { text: key, scope: 'col' })),
          ),
        ),
        this.rows,
      ),
    );
    this.plot = h('div', { class: 'plot' });
    this.root = h(
      'section',
      { class: 'room room-compare', id: 'room-compare', label: 'compare.name', hidden: true },
      h('div', { class: 'stage' }, this.plot, this.status, this.table, this.saveButton),
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

  learn(methods) {
    this.all = methods;
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
          const on = kept ? kept.includes(name) : name !== 'naive';
          const input = h('input', {
            type: 'checkbox',
            value: name,
            id: `compare-${of}-${name}`,
            checked: on,
            on: {
              change: () => {
                this.chosen[of] = this.picked();
                this.app.remember(this);
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
    this.fields.time_limit.set(question.time_limit ?? '10s');
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

  draw() {
    if (!this.results.length && !this.running) {
      this.plot.replaceChildren(h('p', { class: 'empty', text: 'compare.idle' }));
      this.table.hidden = true;
    }
  }

  retell() {
    if (this.results.length && !this.running) this.judge(false);
  }

  /** All jobs of this comparison, in order. */
  jobs() {
    const { of, boards = '', closed, threads, time_limit } = this.question();
    const counts = (threads ?? '')
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number)
      .filter((count) => count > 0);
    const jobs = [];
    for (const board of boards.split(/\s*,\s*/).filter(Boolean)) {
      for (const method of this.picked()) {
        for (const count of counts.length ? counts : [undefined]) {
          const asked = {
            tour: { board, closed },
            count: { board, shape: closed ? 'closed' : 'open' },
            capture: { puzzle: board },
            swap: /^\d+x\d+$/.test(board) ? { board } : { preset: board },
          }[of];
          jobs.push({
            board,
            method,
            threads: count,
            question: { kind: of, ...asked, method, time_limit, threads: count },
          });
        }
      }
    }
    return jobs;
  }

  async solve() {
    if (this.running) return;
    const jobs = this.jobs();
    this.results = [];
    this.rows.replaceChildren();
    if (!jobs.length) {
      this.status.textContent = t('compare.nothing');
      return;
    }
    this.table.hidden = false;
    this.running = { stopped: false };
    const { running } = this;
    this.busy(true);
    for (const [index, job] of jobs.entries()) {
      this.status.textContent = t('compare.at', {
        n: index + 1,
        total: jobs.length,
        method: job.method,
        board: job.board,
      });
      const going = run(job.question);
      running.cancel = going.cancel;
      const answer = await going.answer.catch((error) => ({
        state: 'failed',
        error: error.message || t('error.server'),
      }));
      if (running.stopped && answer.state !== 'done') break;
      this.add({ ...job, ...read(answer) });
      if (running.stopped) break;
    }
    this.running = null;
    this.busy(false);
    this.judge(running.stopped);
  }

  add(result) {
    this.results.push(result);
    const cells = [
      result.board.replace(/^(\d+)x(\d+)$/, '$1×$2'),
      result.method,
      result.threads ? String(result.threads) : '–',
      result.text,
      result.time === null ? '–' : duration(result.time),
      result.nodes === null ? '–' : brief(result.nodes),
    ];
    this.rows.append(
      h(
        'tr',
        { 'data-tone': result.tone },
        ...cells.map((cell, index) => h(index ? 'td' : 'th', index ? {} : { scope: 'row' }, cell)),
      ),
    );
    this.drawPlot();
  }

  /** Says whether those who proved something agree. */
  judge(stopped) {
    const proved = new Map();
    let quarrel = false;
    for (const { board, sure } of this.results) {
      if (sure === null) continue;
      if (proved.has(board) && proved.get(board) !== sure) quarrel = true;
      proved.set(board, sure);
    }
    this.status.textContent = t(stopped ? 'run.stopped' : quarrel ? 'compare.quarrel' : 'compare.agree', {
      n: this.results.length,
    });
    this.saveButton.hidden = !this.results.length;
  }

  busy(on) {
    this.root.classList.toggle('running', on);
    this.askButton.hidden = on;
    this.stopButton.hidden = !on;
  }

  cancel() {
    if (!this.running) return;
    this.running.stopped = true;
    this.running.cancel?.();
  }

  /** Bars on a logarithmic scale, one a method and question. */
  drawPlot() {
    const timed = this.results.filter(({ time }) => time !== null);
    if (!timed.length) return;
    const [row, name, wide] = [26, 190, 640];
    const most = Math.max(10, ...timed.map(({ time }) => time));
    const decades = Math.max(1, Math.ceil(Math.log10(most)));
    const x = (time) => name + ((wide - name - 70) * Math.log10(Math.max(1, time) + 0.15)) / decades;
    const high = timed.length * row + 40;
    const plot = s('svg', { viewBox: `0 0 ${wide} ${high}`, role: 'img', 'aria-label': t('compare.plot') });
    for (let decade = 0; decade <= decades; decade += 1) {
      const at = name + ((wide - name - 70) * decade) / decades;
      plot.append(
        s('line', { class: 'rule', x1: at, x2: at, y1: 8, y2: high - 28 }),
        s('text', { class: 'tick', x: at, y: high - 10, 'text-anchor': 'middle' }, duration(10 ** decade)),
      );
    }
    timed.forEach(({ board, method, threads, time, tone }, index) => {
      const y = 10 + index * row;
      const label = `${method}${threads ? ` ·${threads}` : ''}`;
      plot.append(
        s(
          'text',
          { class: 'name', x: name - 10, y: y + 14, 'text-anchor': 'end' },
          `${board.length > 9 ? `${board.slice(0, 8)}…` : board.replace('x', '×')}  ${label}`,
        ),
        s('rect', { class: `span ${tone}`, x: name, y: y + 3, width: Math.max(3, x(time) - name), height: 15, rx: 4 }),
        s('text', { class: 'value', x: Math.max(name + 3, x(time)) + 7, y: y + 15 }, duration(time)),
      );
    });
    this.plot.replaceChildren(plot);
  }

  save() {
    const quote = (value) => `"${String(value ?? '').replaceAll('"', '""')}"`;
    const lines = [
      ['question', 'method', 'threads', 'result', 'ms', 'nodes'].join(','),
      ...this.results.map((one) =>
        [one.board, one.method, one.threads, one.text, one.time, one.nodes].map(quote).join(','),
      ),
    ];
    saveBlob(new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' }), 'destrier-compare.csv');
  }
}

/** What a job gave, for a row: `sure` is what must agree. */
function read(job) {
  if (job.state === 'failed') return { tone: 'bad', text: job.error, time: null, nodes: null, sure: null };
  const time = job.effort?.elapsed_ms ?? null;
  const nodes = job.effort?.nodes ?? null;
  const { answer = {} } = job;
  if (job.outcome === 'impossible') return { tone: 'none', text: t('compare.impossible'), time, nodes, sure: 'none' };
  if (job.outcome !== 'solved') return { tone: 'open', text: t('compare.undecided'), time, nodes, sure: null };
  if (answer.kind === 'count') {
    const text = answer.counts.map(({ undirected }) => spell(undirected)).join(' / ');
    return { tone: 'good', text, time, nodes, sure: text };
  }
  const moves = answer.cost ?? (typeof answer.moves === 'number' ? answer.moves : answer.moves?.length);
  if (moves === undefined) return { tone: 'good', text: t('compare.found'), time, nodes, sure: null };
  return {
    tone: 'good',
    text: t(answer.proved ? 'compare.fewest' : 'compare.moves', { n: moves }),
    time,
    nodes,
    sure: answer.proved ? moves : null,
  };
}
