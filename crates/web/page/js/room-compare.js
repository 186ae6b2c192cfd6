// The Compare room: several methods on the same questions, side by side.
//
// Idea: a comparison on the server for each question, one after the other. There every run is a process of its own,
// which times itself and has the machine to itself, and answers are held against each other. The table grows by the
// rows of a question; the plot draws them in the page's own colours, with time on a logarithmic scale.
// Invariant: what is seen is what was measured; answers that do not agree are told.

import { h, s, icon } from './dom.js';
import { run } from './api.js';
import { saveBlob } from './report.js';
import { Asking } from './asking.js';
import { refusalPhrase } from './phrases.js';
import { t, brief, duration, spell } from './i18n.js';
import { segmentedField, shapeField, textField, limitFields } from './form.js';

const FIRST = {
  tour: '6x6, 8x8, 20x20',
  count: '5x5, 6x6',
  capture: '4p/5/2p2/5/N3p, 2p2p2/8/p4p2/2p4p/8/1p2p3/6p1/N2p4',
  swap: 'guarini, six-knights',
};

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
    this.methods = h('fieldset', { class: 'field wide methods' });
    this.saveButton = h(
      'button',
      { type: 'button', class: 'chip', hidden: true, on: { click: () => this.save() } },
      icon('save'),
      'CSV',
    );
    const { of, boards, closed, threads, time_limit: limit } = fields;
    this.furnish(fields, of, this.methods, boards, closed, threads, limit);
    this.status = h('p', { class: 'caption', role: 'status' });
    this.rows = h('tbody');
    this.table = h(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', label: 'compare.table' },
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

  changed() {
    this.draw();
    this.remember();
  }

  draw() {
    if (!this.results.length && !this.running) {
      this.plot.replaceChildren(h('p', { class: 'empty', text: 'compare.idle' }));
      this.table.hidden = true;
    }
  }

  /** Another language: says the same again. */
  retell() {
    if (this.running || !this.results.length) return;
    this.rows.replaceChildren();
    this.write(this.results);
    this.judge();
  }

  /** The questions as the server takes them, each with the word that asks it. */
  jobs() {
    const { of, boards = '', closed, threads, time_limit } = this.question();
    const methods = this.picked();
    const counts = threads?.match(/\d+/g)?.map(Number);
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
    this.results = [];
    this.agreed = true;
    this.rows.replaceChildren();
    if (!jobs.length) {
      this.status.textContent = t('compare.nothing');
      return;
    }
    this.table.hidden = false;
    this.stopped = false;
    this.busy(true);
    for (const [index, { word, question }] of jobs.entries()) {
      const at = t('compare.at', { n: index + 1, total: jobs.length, board: shown(word) });
      this.status.textContent = at;
      this.running = run(question, {
        progress: ({ elapsed_ms: time = 0 }) => {
          if (time >= 1000) this.status.textContent = `${at} · ${duration(time)}`;
        },
      });
      const { answer, error } = await this.running.answer.catch((refusal) => ({
        error: refusalPhrase(refusal),
      }));
      this.take(word, answer?.table, error);
      if (this.stopped) break;
    }
    this.running = null;
    this.busy(false);
    this.app.badge();
    this.judge();
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

  /** Adds rows to the table, and draws the plot again. */
  write(results) {
    for (const result of results) {
      const cells = [
        shown(result.word),
        result.method,
        result.threads ? String(result.threads) : '–',
        told(result),
        timed(result) ? duration(spent(result)) : '–',
        typeof result.nodes === 'number' ? brief(result.nodes) : '–',
      ];
      this.rows.append(
        h(
          'tr',
          { 'data-tone': tone(result) },
          ...cells.map((cell, index) =>
            index ? h('td', { title: (index === 3 && result.note) || null }, cell) : h('th', { scope: 'row' }, cell),
          ),
        ),
      );
    }
    this.drawPlot();
  }

  /** Says how it ended, and whether the answers agree. */
  judge() {
    const verdict = this.stopped ? 'run.stopped' : this.agreed ? 'compare.agree' : 'compare.quarrel';
    this.status.textContent = t(verdict, { n: this.results.filter(({ threads }) => threads).length });
    this.saveButton.hidden = !this.results.length;
  }

  cancel() {
    if (!this.running) return;
    this.stopped = true;
    this.running.cancel();
  }

  /** Bars on a logarithmic scale, one a method and question. */
  drawPlot() {
    const bars = this.results.filter(timed).map((result) => ({ ...result, time: spent(result) }));
    if (!bars.length) return;
    const many = bars.some(({ threads }) => threads !== 1);
    const [row, name, wide] = [26, 190, 640];
    const logs = bars.map(({ time }) => Math.log10(time));
    const low = Math.floor(Math.min(...logs));
    const decades = Math.max(1, Math.ceil(Math.max(...logs)) - low);
    const long = (time) => Math.max(3, ((wide - name - 70) * (Math.log10(time) - low)) / decades);
    const high = bars.length * row + 40;
    const plot = s('svg', { viewBox: `0 0 ${wide} ${high}`, role: 'img', 'aria-label': t('compare.plot') });
    for (let decade = 0; decade <= decades; decade += 1) {
      const at = name + ((wide - name - 70) * decade) / decades;
      plot.append(
        s('line', { class: 'rule', x1: at, x2: at, y1: 8, y2: high - 28 }),
        s('text', { class: 'tick', x: at, y: high - 10, 'text-anchor': 'middle' }, duration(10 ** (low + decade))),
      );
    }
    bars.forEach((bar, index) => {
      const { method, threads, time } = bar;
      const y = 10 + index * row;
      const word = bar.word.length > 9 ? `${bar.word.slice(0, 8)}…` : shown(bar.word);
      plot.append(
        s(
          'text',
          { class: 'name', x: name - 10, y: y + 14, 'text-anchor': 'end' },
          `${word}  ${method}${many ? ` ·${threads}` : ''}`,
        ),
        s('rect', { class: `span ${tone(bar)}`, x: name, y: y + 3, width: long(time), height: 15, rx: 4 }),
        s('text', { class: 'value', x: name + long(time) + 7, y: y + 15 }, duration(time)),
      );
    });
    this.plot.replaceChildren(plot);
  }

  save() {
    const quote = (value) => `"${String(value ?? '').replaceAll('"', '""')}"`;
    const lines = [
      ['question', 'method', 'threads', 'result', 'ms', 'nodes'].join(','),
      ...this.results.map((one) =>
        [one.word, one.method, one.threads, told(one), timed(one) ? spent(one) : '', one.nodes].map(quote).join(','),
      ),
    ];
    saveBlob(new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' }), 'destrier-compare.csv');
  }
}

/** A question as it is shown: boards with a cross. */
const shown = (word) => word.replace(/^(\d+)x(\d+)$/, '$1×$2');

/** Was this row answered, and so timed? */
const timed = ({ median_s: median }) => typeof median === 'number';

/** The time of a row in milliseconds; a microsecond at the least, so that it has a logarithm. */
const spent = ({ median_s: median }) => Math.max(0.001, 1000 * median);

/** How a row is coloured: answered, proved impossible, not decided, or not done at all. */
function tone({ answer, solved, gave_up: gaveUp }) {
  if (solved) return answer === 'impossible' ? 'none' : 'good';
  return gaveUp ? 'open' : 'bad';
}

/** The answer of a row in the reader's language; what we have no words for, in the server's. */
function told({ answer, note, gave_up: gaveUp }) {
  const plan = /^(\d+), (not )?proved$/.exec(answer);
  if (plan) return t(plan[2] ? 'compare.moves' : 'compare.fewest', { n: Number(plan[1]) });
  if (/^\d+$/.test(answer)) return spell(answer);
  if (answer === 'a tour') return t('compare.found');
  if (answer === 'impossible') return t('compare.impossible');
  return gaveUp ? t('compare.undecided') : note;
}
