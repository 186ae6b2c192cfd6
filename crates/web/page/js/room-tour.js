// The Tour room: a board, ends, holes, and a tour of it.
//
// Idea: a click with the tool in hand sets the start, the end or a hole; the fields say the same in words, so the
// keyboard can do all of it. Big tours are not listed by the server: they are looked at through tiles.

import { h, iconButton } from './dom.js';
import { Room } from './room.js';
import { Board } from './board.js';
import { TourFilm, WindowFilm } from './films.js';
import { TourGame } from './games.js';
import { Tiles } from './tiles.js';
import { Gallery } from './gallery.js';
import { api, run } from './api.js';
import { boardPhrase, refusalPhrase } from './phrases.js';
import { t, spell, sentence } from './i18n.js';
import {
  sizeField,
  shapeField,
  toolField,
  holesField,
  symmetryField,
  wrapField,
  limitFields,
  textField,
  numberField,
  checkField,
  more,
} from './form.js';

/** The most squares of a board whose tours are numbered at once. */
const MOST_NUMBERED = 42;

/** Can one of all tours be drawn at random, without a long wait? */
function numbered({ board, symmetry, wrap, leaper }) {
  const { files, ranks } = Board.size(board);
  return files * ranks <= MOST_NUMBERED && Math.min(files, ranks) <= 6 && !symmetry && !wrap && !leaper;
}

export class TourRoom extends Room {
  constructor(app) {
    super('tour', { app, playable: true, formats: ['svg', 'png', 'gif', 'list', 'json', 'csv'] });
    this.heard = 'backtrack';
    const changed = () => this.edited();
    const kept = () => this.kept();
    const fields = {
      board: sizeField({ changed, chips: ['5x5', '6x6', '8x8', '30x30', '2000x2000'] }),
      closed: shapeField({ changed }),
      from: textField('form.from', { hint: 'form.any', changed }),
      to: textField('form.to', { hint: 'form.any', changed }),
      symmetry: symmetryField({ changed, more: [['four-paths', 'symmetry.four']] }),
      method: this.methodField(() => this.traceable()),
      trace: checkField('form.trace', { changed: kept }),
      backtrack: checkField('form.backtrack', { changed: kept }),
      holes: holesField({ changed }),
      wrap: wrapField({ changed }),
      leaper: textField('form.leaper', { hint: 'form.leaper_hint', changed }),
      ...limitFields({ changed: kept }),
      seed: numberField('form.seed', { min: 0, changed: kept }),
      random: checkField('form.random', { changed: kept }),
      number: textField('form.number', { hint: 'form.number_hint', changed: kept }),
    };
    this.tool = toolField(
      [
        ['from', 'tool.start'],
        ['to', 'tool.end'],
        ['hole', 'tool.hole'],
      ],
      this.editBar(['form.clear', 'form.clear_marks', () => this.clearMarks()]),
    );
    const chip = (text, click) => h('button', { type: 'button', class: 'chip', text, on: { click } });
    this.anotherButton = chip('tour.another', () => this.another());
    this.randomButton = chip('tour.random', () => this.atRandom());
    this.pager = h(
      'span',
      { class: 'pager' },
      iconButton('back', 'tour.before', () => this.turnTo(-1n)),
      iconButton('forward', 'tour.after', () => this.turnTo(1n)),
    );
    this.numberButton = chip('tour.its_number', () => this.rank());
    this.allButton = chip('tour.all', () => this.turnPages());
    this.gallery = new Gallery((number) => this.byNumber(number));
    this.report.extras.append(this.anotherButton, this.randomButton, this.numberButton, this.pager, this.allButton);
    this.report.extras.after(this.gallery.root);
    this.furnish(
      fields,
      fields.board,
      fields.closed,
      this.tool,
      fields.symmetry,
      fields.method,
      fields.trace,
      more(
        'form.more',
        fields.from,
        fields.to,
        fields.holes,
        this.patternField(),
        fields.wrap,
        fields.leaper,
        fields.backtrack,
        fields.time_limit,
        fields.threads,
        fields.seed,
        fields.number,
        fields.random,
      ),
    );
    this.keepInPlay('board', 'closed');
    this.restore({});
  }

  get brush() {
    return this.tool.get() === 'hole';
  }

  traceable() {
    super.traceable();
    const { method, backtrack } = this.fields;
    const greedy = ['warnsdorff', 'pohl', 'roth'].includes(method.get());
    backtrack.control.disabled = !greedy;
    if (!greedy) backtrack.set(false);
  }

  restore(question) {
    const { fields } = this;
    fields.board.set(question.board && Board.size(question.board) ? question.board : '8x8');
    fields.closed.set(question.closed === true || question.closed === 'true' ? 'closed' : 'open');
    for (const name of ['holes', 'from', 'to', 'symmetry', 'wrap', 'leaper', 'method', 'time_limit', 'threads', 'seed'])
      fields[name].set(question[name]);
    this.traceable();
    fields.trace.set(question.trace);
    fields.backtrack.set(question.backtrack);
    fields.random.set(question.random);
    fields.number.set(question.number);
  }

  question() {
    const { fields } = this;
    const board = fields.board.get();
    if (!board) return null;
    const value = (name) => fields[name].get();
    return {
      kind: 'tour',
      ...this.problem(),
      method: value('method'),
      trace: value('trace'),
      backtrack: value('backtrack'),
      time_limit: value('time_limit'),
      threads: value('threads'),
      seed: value('seed'),
      random: value('random'),
      number: value('number'),
    };
  }

  problem() {
    const { fields } = this;
    return {
      kind: 'tour',
      board: fields.board.get() ?? undefined,
      holes: fields.holes.get(),
      wrap: fields.wrap.get(),
      leaper: fields.leaper.get(),
      closed: fields.closed.get() === 'closed' || undefined,
      from: fields.from.get(),
      to: fields.to.get(),
      symmetry: fields.symmetry.get(),
    };
  }

  draw() {
    const size = Board.size(this.fields.board.get() ?? '');
    if (!size) return;
    const legs = /^(\d+),(\d+)$/.exec(this.fields.leaper.get() ?? '');
    const board = new Board(size.files, size.ranks, {
      wrap: this.fields.wrap.get() ?? 'none',
      leaper: legs ? [Number(legs[1]), Number(legs[2])] : [1, 2],
    });
    this.cutHoles(board);
    this.stage.setBoard(board);
    this.stage.clear();
    this.stage.view.setMarks(this.marks());
    this.stage.say(t('tour.invite'), false);
  }

  marks() {
    const { board } = this.stage;
    const { from, to } = this.fields;
    return { start: board.square(from.get()), end: board.square(to.get()) };
  }

  /** Another board has other tours: a number means nothing there. */
  edited(joined = false) {
    this.fields.number.set('');
    this.fields.random.set(false);
    this.gallery.close();
    this.changed(joined);
  }

  paint(square, again) {
    const { board } = this.stage;
    const name = board.name(square);
    const tool = this.tool.get();
    if (tool === 'hole') {
      const on = this.dig(square, again);
      for (const end of ['from', 'to']) if (on && this.fields[end].get() === name) this.fields[end].set('');
    } else {
      if (board.holes.has(square)) return;
      const other = tool === 'from' ? 'to' : 'from';
      this.fields[tool].set(this.fields[tool].get() === name ? '' : name);
      if (this.fields[other].get() === name) this.fields[other].set('');
    }
    this.edited(again);
    this.stage.tellSquare(square);
  }

  /** Takes away what is on a square: a hole, the start, the end. */
  erase(square, again) {
    const name = this.stage.board.name(square);
    for (const end of ['from', 'to']) if (this.fields[end].get() === name) this.fields[end].set('');
    this.dig(square, again, false);
    this.edited(again);
    this.stage.tellSquare(square);
  }

  carries(square) {
    const { start, end } = this.marks();
    return square === start || square === end;
  }

  /** Drags the start or the end to another square, or off the board. */
  carry(from, to) {
    const { board } = this.stage;
    const { start } = this.marks();
    if (to >= 0 && (board.holes.has(to) || this.carries(to))) return;
    this.fields[from === start ? 'from' : 'to'].set(to < 0 ? '' : board.name(to));
    this.edited();
    if (to >= 0) this.stage.tellSquare(to);
  }

  clearMarks() {
    for (const name of ['from', 'to', 'holes']) this.fields[name].set('');
    this.edited();
  }

  /** Another tour of the same board: the same question with a new seed; there is only one tour by `compose`. */
  another() {
    this.anew(this.fields.method.get() === 'compose' ? undefined : this.fields.method.get(), false);
  }

  /** One of all tours, all equally likely. */
  atRandom() {
    this.anew(undefined, true);
  }

  /** Asks again with a new seed. */
  anew(by, atRandom) {
    const { seed, method, trace, random, number } = this.fields;
    method.set(by);
    this.traceable();
    if (atRandom) trace.set(false);
    random.set(atRandom);
    number.set('');
    seed.set(1 + Math.floor(Math.random() * 999_999));
    this.kept();
    this.solve();
  }

  /** The tour before or after this one in the list of all tours. */
  turnTo(by) {
    const { number, total } = this.ended[0].answer;
    this.byNumber(String((BigInt(number) + by + BigInt(total)) % BigInt(total)));
  }

  /** The tour with this number. */
  byNumber(number) {
    const { seed, random, method, trace } = this.fields;
    method.set('');
    this.traceable();
    trace.set(false);
    seed.set('');
    random.set(false);
    this.fields.number.set(number);
    this.kept();
    this.solve();
  }

  /** The number of the tour on the board among all tours: one that was found, opened, or played. */
  async rank() {
    const { tour, mode } = this;
    this.numberButton.disabled = true;
    const { answer, error } = await run({ ...this.problem(), tour }).answer.catch((refusal) => ({
      error: refusalPhrase(refusal),
    }));
    this.numberButton.disabled = false;
    if (this.tour !== tour || this.search.busy) return;
    if (!answer) this.report.effort.textContent = error ?? t('run.stopped');
    else if (mode === 'solve') this.byNumber(answer.number);
    else {
      this.numberButton.hidden = true;
      this.report.detail.textContent = this.told({ answer });
      this.report.detail.hidden = false;
    }
  }

  /** All tours in pages, at the page of this one; or no more. */
  turnPages() {
    this.gallery.toggle(this.problem(), this.stage.board, this.ended?.[0].answer?.number);
  }

  headline(job, question) {
    const size = boardPhrase(question);
    if (job.outcome === 'impossible')
      return sentence(t(question.closed ? 'tour.none_closed' : 'tour.none_open', { size }));
    return t(question.closed ? 'tour.found_closed' : 'tour.found_open', { size, n: job.answer?.length ?? 0 });
  }

  told({ answer }) {
    const [first, last] = [answer.first ?? answer.squares?.[0], answer.last ?? answer.squares?.at(-1)];
    if (!first) return '';
    if (answer.number !== undefined) {
      const told = { number: spell(answer.number), total: spell(answer.total), from: first };
      return t('told.numbered', told);
    }
    if (answer.access === 'window') return t('told.window', { from: first, to: last });
    return answer.closed ? t('told.round', { from: first }) : t('told.ends', { from: first, to: last });
  }

  retell() {
    super.retell();
    this.gallery.retell();
  }

  /** Where a proof points to squares, they are marked. */
  finish(job, question) {
    super.finish(job, question);
    this.offer(job.answer ?? {}, question, true);
    const { squares, removed } = job.certificate?.reason ?? {};
    const found = (squares ?? removed ?? [])
      .map((name) => this.stage.board.square(name))
      .filter((square) => square >= 0);
    if (job.outcome === 'impossible' && found.length) this.stage.view.setMarks({ ...this.marks(), reasons: found });
  }

  receive(verdict) {
    super.receive(verdict);
    this.offer((verdict.valid && verdict.answer) || {}, this.problem());
  }

  won(certificate, headline) {
    super.won(certificate, headline);
    this.offer({ squares: certificate.solution }, this.problem());
  }

  setMode(mode) {
    this.gallery.close();
    super.setMode(mode);
  }

  /** What else there is to see of a tour's board: other tours, its number, all tours; another one where it was `asked` for. */
  offer({ squares, number, total }, question, asked = false) {
    this.tour = squares;
    this.gallery.mark(number);
    const small = Boolean(squares) && numbered(question);
    this.anotherButton.hidden = !squares || !asked;
    this.randomButton.hidden = !small || !asked;
    this.pager.hidden = number === undefined || total === '1';
    this.numberButton.hidden = !small || number !== undefined;
    this.allButton.hidden = !small || this.mode === 'play';
  }

  show(answer, question, job) {
    const { board } = this.stage;
    if (answer.kind && answer.kind !== 'tour') return false;
    const closed = Boolean(answer.closed ?? question.closed);
    if (answer.access === 'window') {
      const tiles = new Tiles(
        this.problem(),
        board,
        () => this.arrived(),
        (error) => this.report.refuse(refusalPhrase(error)),
      );
      this.stage.view.fit();
      this.stage.showFilm(new WindowFilm(board, answer.length, closed, tiles), answer.length);
      const problem = this.problem();
      this.report.keep.offerLong(answer, problem, (from, count) =>
        api.steps({ question: problem, from_step: from, count: Math.min(count, answer.length - from + 1) }),
      );
      return true;
    }
    if (!answer.squares?.length) return false;
    this.stage.showFilm(
      new TourFilm(
        board,
        answer.squares.map((name) => board.square(name)),
        closed,
      ),
    );
    if (job?.fault) this.markFault(job.fault);
    return true;
  }

  /** Part of a big tour came: draw it, and the knight if it was missing. */
  arrived() {
    const { player, view } = this.stage;
    if (player.film && !view.pieces.length) player.go(player.step);
    view.redraw?.();
  }

  game() {
    const marks = this.marks();
    const { closed, symmetry } = this.problem();
    return new TourGame(this.stage.board, { closed, symmetry, from: marks.start, to: marks.end });
  }
}
