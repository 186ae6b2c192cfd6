// The Count room: how many tours a board has.
//
// Idea: four things to ask (the total, the total from each start, the classes up to symmetry, a series of boards),
// each with its convention in words: a tour walked the other way is the same tour when counted undirected, and
// another one when directed.

import { Room } from './room.js';
import { Board } from './board.js';
import { h } from './dom.js';
import { boardPhrase } from './phrases.js';
import { run } from './api.js';
import { t, spell, brief, bytes as bytesOf, roughly, knows, sentence, told } from './i18n.js';
import {
  sizeField,
  shapeField,
  holesField,
  symmetryField,
  wrapField,
  limitFields,
  segmentedField,
  textField,
  more,
} from './form.js';

/** A count of fewer seconds is begun at once. */
const SHORT = 45;

/** Boards of so many squares and more are estimated before they are counted, where that can be done. */
const WEIGHED = 56;

/** May this count take so long that it is worth an estimate? */
function takesLong({ board, holes, wrap, from, to, symmetry, leaper, method, series, by_start: byStart }) {
  if (series || byStart || holes || wrap || from || to || symmetry || leaper) return false;
  const { files, ranks } = Board.size(board);
  return files * ranks >= WEIGHED && Math.min(files, ranks) > 5 && (!method || method === 'middle');
}

export class CountRoom extends Room {
  constructor(app) {
    super('count', { app, formats: ['json', 'csv', 'svg', 'png'] });
    const changed = () => this.changed();
    const fields = {
      what: segmentedField(
        'count.what',
        [
          ['total', 'count.total'],
          ['by_start', 'count.by_start'],
          ['classes', 'count.classes'],
          ['series', 'count.series'],
        ],
        {
          changed: () => {
            this.settle();
            changed();
          },
        },
      ),
      board: sizeField({ changed, chips: ['3x10', '5x5', '6x6', '7x7', '8x8'], most: 1000 }),
      series: textField('count.series_field', { hint: 'count.series_hint', changed, help: 'count.series_help' }),
      shape: shapeField({ changed, both: true }),
      holes: holesField({
        changed,
        help: 'count.holes_help',
        aside: this.editBar(['form.clear', 'form.clear_holes', () => this.clearHoles()]),
      }),
      from: textField('form.from', { hint: 'form.any', changed }),
      to: textField('form.to', { hint: 'form.any', changed }),
      symmetry: symmetryField({ changed }),
      wrap: wrapField({ changed }),
      leaper: textField('form.leaper', { hint: 'form.leaper_hint', changed }),
      method: this.methodField(),
      ...limitFields({ changed: () => this.kept() }),
    };
    this.stage.player.root.hidden = true;
    this.stage.styleBar.hidden = true;
    this.furnish(
      fields,
      fields.what,
      fields.board,
      fields.series,
      fields.shape,
      fields.holes,
      fields.method,
      more(
        'form.more',
        this.patternField(),
        fields.from,
        fields.to,
        fields.symmetry,
        fields.wrap,
        fields.leaper,
        fields.time_limit,
        fields.threads,
      ),
    );
    this.restore({});
  }

  learn(methods, presets, limits) {
    super.learn(methods, presets);
    this.limits = limits;
  }

  get brush() {
    return this.fields.what.get() !== 'series';
  }

  restore(question) {
    const { fields } = this;
    const yes = (value) => value === true || value === 'true';
    fields.what.set(
      question.series ? 'series' : yes(question.by_start) ? 'by_start' : yes(question.classes) ? 'classes' : 'total',
    );
    fields.series.set(question.series ?? '3x1..30');
    fields.board.set(question.board && Board.size(question.board) ? question.board : '6x6');
    fields.shape.set(question.shape ?? 'both');
    this.settle();
    for (const name of ['holes', 'from', 'to', 'symmetry', 'wrap', 'leaper', 'method', 'time_limit', 'threads'])
      fields[name].set(question[name]);
  }

  /** By start, and in a series, tours are open or closed: there is no "both". */
  settle() {
    const { what, shape } = this.fields;
    const one = what.get() === 'by_start' || what.get() === 'series';
    shape.allow('both', !one);
    if (one && shape.get() === 'both') shape.set(what.get() === 'series' ? 'closed' : 'open');
  }

  question() {
    const value = (name) => this.fields[name].get();
    const what = value('what');
    const shared = {
      kind: 'count',
      leaper: value('leaper'),
      time_limit: value('time_limit'),
      threads: value('threads'),
    };
    const shape = value('shape');
    // A series has one method.
    if (what === 'series') return { ...shared, series: value('series') ?? '3x1..30', shape };
    const board = value('board');
    if (!board) return null;
    const question = { ...shared, method: value('method'), board, holes: value('holes'), wrap: value('wrap') };
    if (what === 'by_start') return { ...question, by_start: true, shape };
    return {
      ...question,
      from: value('from'),
      to: value('to'),
      symmetry: value('symmetry'),
      shape: shape === 'both' ? undefined : shape,
      classes: what === 'classes' || undefined,
    };
  }

  draw() {
    const what = this.fields.what.get();
    this.fields.series.root.hidden = what !== 'series';
    this.fields.board.root.hidden = what === 'series';
    this.fields.holes.root.hidden = what === 'series';
    this.fields.method.root.hidden = what === 'series';
    const first = /^(\d+)x/.exec(this.fields.series.get() ?? '');
    const size =
      what === 'series' ? { files: Number(first?.[1] ?? 3), ranks: 10 } : Board.size(this.fields.board.get() ?? '');
    if (!size) return;
    const board = new Board(size.files, size.ranks, { wrap: this.fields.wrap.get() ?? 'none' });
    if (what !== 'series') this.cutHoles(board);
    this.stage.setBoard(board);
    this.stage.clear();
    this.stage.view.setMarks(this.marks());
    this.stage.say(t(`count.invite_${what}`), false);
  }

  marks() {
    const { board } = this.stage;
    return { start: board.square(this.fields.from.get()), end: board.square(this.fields.to.get()) };
  }

  paint(square, again) {
    if (this.fields.what.get() === 'series') return;
    this.dig(square, again);
    this.changed(again);
    this.stage.tellSquare(square);
  }

  erase(square, again) {
    if (this.fields.what.get() === 'series') return;
    this.dig(square, again, false);
    this.changed(again);
    this.stage.tellSquare(square);
  }

  clearHoles() {
    this.fields.holes.set('');
    this.changed();
  }

  /**
   * Asks. A count that may take long is estimated first; one that does take long is begun when it is asked for again,
   * now that its time and memory are known.
   */
  solve() {
    const question = this.question();
    if (!question || this.search.busy || this.weighed === this.hash || !takesLong(question)) {
      super.solve();
      return;
    }
    this.clearComplaints();
    const first = { ...question, estimate: true, classes: undefined };
    this.follow(first, (hears) => run(first, hears));
    this.report.weighing();
  }

  finish(job, question) {
    if (!question.estimate) {
      super.finish(job, question);
      return;
    }
    const { estimates = [] } = job.answer ?? {};
    const seconds = estimates.reduce((sum, one) => sum + one.seconds, 0);
    const bytes = estimates.reduce((most, one) => Math.max(most, one.bytes), 0);
    const isNew = this.weighed !== this.hash;
    this.weighed = this.hash;
    if (job.state === 'cancelled') {
      this.weighed = null;
      super.finish(job, question);
    } else if (!estimates.length || seconds < SHORT) super.solve();
    else {
      this.ended = [job, question];
      const size = boardPhrase(question);
      const told = { size, time: roughly(seconds * 1000), memory: bytesOf(bytes) };
      this.report.done('open', t('count.takes', told), job, this.limited(seconds * 1000, bytes));
      this.stage.say(this.report.headline.textContent);
      if (isNew) this.report.reveal();
    }
  }

  /** Says which limits a count of so much time and memory exceeds, and how to start it. */
  limited(ms, bytes) {
    const { time_ms: time = Infinity, memory = Infinity } = this.limits ?? {};
    const over = [];
    if (ms > time) over.push(t('count.takes_over', { limit: roughly(time) }));
    if (bytes > memory) over.push(t('count.takes_room', { limit: bytesOf(memory) }));
    return over.length ? [...over, t('count.takes_anyway')].join(' ') : t('count.takes_more');
  }

  refused(error, wanted) {
    // What cannot be estimated is counted.
    if (error.key === 'refused.unsuited' && this.weighed !== this.hash && takesLong(this.question())) {
      this.weighed = this.hash;
      super.solve();
    } else super.refused(error, wanted);
  }

  headline({ answer }, question) {
    const size = boardPhrase(question);
    if (answer?.kind === 'by-start') return sentence(t(`count.by_start_${question.shape ?? 'open'}`, { size }));
    if (answer?.kind === 'series')
      return t(`count.series_${answer.shape ?? 'open'}`, {
        n: answer.terms.length,
        width: answer.terms[0]?.board.split('x')[0] ?? '',
      });
    return counted(answer ?? {})
      .map(({ shape, undirected, complete }) =>
        t(complete === false ? `count.at_least_${shape}` : `count.has_${shape}`, { n: undirected, size }),
      )
      .join(' ');
  }

  best(job, question) {
    return this.headline(job, question);
  }

  told() {
    return '';
  }

  show(answer, question) {
    const { body } = this.report;
    if (answer.kind === 'by-start') this.heat(answer, body);
    else if (answer.kind === 'series') {
      body.append(series(answer));
      this.report.keep.offer({ ...answer, kind: 'count-series' });
    } else {
      if (counted(answer).length) body.append(totals(counted(answer)));
      if (question.classes) for (const count of answer.counts) if (count.fixed) body.append(fixed(count));
    }
    this.stage.say(this.report.headline.textContent);
    return true;
  }

  heat({ grid }, body) {
    const { board } = this.stage;
    const cells = [];
    const most = grid.flat().reduce((top, value) => Math.max(top, Number(value ?? 0)), 0);
    const written = most >= 1e6 ? (value) => brief(Number(value)) : spell;
    let sum = 0n;
    grid.forEach((row, down) =>
      row.forEach((value, file) => {
        if (value === null) return;
        sum += BigInt(value);
        cells.push({
          square: board.at(file, board.ranks - 1 - down),
          value: most ? Number(value) / most : 0,
          text: written(value),
          exact: spell(value),
        });
      }),
    );
    this.stage.view.setHeat(cells);
    body.append(
      table(
        ['count.square', 'count.directed_from'],
        cells.length > 64
          ? []
          : grid.flatMap((row, down) =>
              row
                .map((value, file) =>
                  value === null ? null : [board.name(board.at(file, board.ranks - 1 - down)), spell(value)],
                )
                .filter(Boolean),
            ),
        [t('count.sum'), spell(String(sum))],
      ),
    );
  }
}

function table(heads, rows, foot = null, label = 'count.table') {
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', label },
    h(
      'table',
      { class: 'numbers' },
      h('thead', {}, h('tr', {}, ...heads.map((key) => h('th', { text: key, scope: 'col' })))),
      h(
        'tbody',
        {},
        ...rows.map((row) =>
          h('tr', {}, ...row.map((cell, index) => h(index ? 'td' : 'th', index ? {} : { scope: 'row' }, cell))),
        ),
      ),
      foot ? h('tfoot', {}, h('tr', {}, ...foot.map((cell, index) => h(index ? 'td' : 'th', {}, cell)))) : null,
    ),
  );
}

/** The counts that say something: at least none says nothing. */
const counted = ({ counts = [] }) =>
  counts.filter(({ complete, undirected }) => complete !== false || undirected !== '0');

function totals(counts) {
  const classes = counts.some((count) => count.classes);
  const heads = ['count.shape', 'count.undirected', 'count.directed', ...(classes ? ['count.up_to_symmetry'] : [])];
  const rows = counts.map((count) => [
    t(`count.${count.shape}`),
    spell(count.undirected),
    spell(count.directed),
    ...(classes ? [count.classes ? spell(count.classes) : '–'] : []),
  ]);
  return h('div', {}, table(heads, rows), h('p', { class: 'help', text: 'count.convention' }));
}

/** The symmetries in the order of a table. */
const TURNS = [
  'identity',
  'half turn',
  'quarter turn',
  'three-quarter turn',
  'left-right mirror',
  'top-bottom mirror',
  'diagonal mirror',
  'antidiagonal mirror',
];

function fixed(count) {
  const rows = Object.entries(count.fixed)
    .sort(([one], [other]) => TURNS.indexOf(one) - TURNS.indexOf(other))
    .map(([name, value]) => [knows(`turns.${name}`) ? t(`turns.${name}`) : name, spell(String(value))]);
  const title = `count.fixed_${count.shape}`;
  return h('div', {}, h('h3', { text: title }), table(['count.symmetry', 'count.fixed'], rows, null, title));
}

function series({ terms, recurrence_told: recurrence }) {
  const rows = terms.map((term) => [term.board.replace('x', '×'), spell(term.undirected), spell(term.directed)]);
  return h(
    'div',
    {},
    table(['form.board', 'count.undirected', 'count.directed'], rows),
    recurrence ? h('p', { class: 'detail' }, told(recurrence)) : null,
  );
}
