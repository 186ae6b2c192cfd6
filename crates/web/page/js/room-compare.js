// The Compare room: several methods on the same questions, side by side.
//
// Idea: a comparison on the server for each question, one after the other. There every run is a process of its own,
// which times itself and has the machine to itself, and answers are held against each other. Without a server all runs
// share a thread of the browser, so that numbers of threads are not asked for. The table grows by the rows of a question;
// the figures (`plot.js`) are drawn in the page's own colours.
// Invariant: what is seen is what was measured; answers that do not agree are told.

import { h, s, icon } from './dom.js';
import { run } from './api.js';
import { saveBlob } from './report.js';
import { svgBlob, pngBlob } from './picture.js';
import { barFigure, threadFigure, shown, timed, spent } from './plot.js';
import { Asking } from './asking.js';
import { refusalPhrase } from './phrases.js';
import { t, brief, duration, spell } from './i18n.js';
import { segmentedField, shapeField, textField, limitFields } from './form.js';

const FIRST = {
  tour: '100x100, 200x200',
  count: '6x6, 4x12',
  capture: '2p2p2/8/p4p2/2p4p/8/1p2p3/6p1/N2p4, p2p2p1/8/p4p2/2p4p/8/1p2p3/6p1/N2p3p',
  swap: 'six-knights, 4x4',
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
    this.alone = h('p', { class: 'help wide alone', text: 'compare.alone', hidden: true });
    this.methods = h('fieldset', { class: 'field wide methods' });
    const chip = (name, save) =>
      h(
        'button',
        { type: 'button', class: 'chip', 'data-format': name, on: { click: save } },
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
      h('div', { class: 'stage' }, this.plot, this.status, this.table, this.saving),
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
    this.limit = this.question().time_limit;
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
            index ? h('td', { title: (index === 3 && noted(result)) || null }, cell) : h('th', { scope: 'row' }, cell),
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
    const figures = [
      barFigure(this.results, limit),
      threadFigure(this.results, 'speedUp'),
      threadFigure(this.results, 'efficiency'),
    ].filter(Boolean);
    if (figures.length) this.plot.replaceChildren(...figures);
  }

  /** The figures, one below the other, as a file. */
  saveFigure(format) {
    const figures = [...this.plot.querySelectorAll('svg')];
    if (!figures.length) return;
    const heights = figures.map((figure) => figure.viewBox.baseVal.height);
    const whole = s('svg', { viewBox: `0 0 640 ${heights.reduce((sum, height) => sum + height, 0)}` });
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

/** A time as it is typed, in milliseconds; nothing if it is none. */
function milliseconds(text) {
  const found = /^([\d.]+)\s*(ms|s|m|min|h)?$/.exec(text ?? '');
  return found ? Number(found[1]) * { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }[found[2] ?? 's'] : null;
}

/** What is noted of a row, in the reader's language. */
const noted = ({ note, note_told: words }) => (words?.key ? t(words.key, words.values) : note);

/** How a row is coloured: answered, proved impossible, not decided, or not done at all. */
function tone({ answer, solved, gave_up: gaveUp }) {
  if (solved) return answer === 'impossible' ? 'none' : 'good';
  return gaveUp ? 'open' : 'bad';
}

/** The answer of a row in the reader's language. */
function told(row) {
  const { answer, gave_up: gaveUp } = row;
  const plan = /^(\d+), (not )?proved$/.exec(answer);
  if (plan) return t(plan[2] ? 'unit.moves' : 'compare.fewest', { n: Number(plan[1]) });
  if (/^\d+$/.test(answer)) return spell(answer);
  if (answer === 'a tour') return t('compare.found');
  if (answer === 'impossible') return t('compare.impossible');
  return gaveUp ? t('compare.undecided') : noted(row);
}
