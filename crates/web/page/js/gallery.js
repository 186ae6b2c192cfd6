// All tours of a small board, a page of them at a time.
//
// Idea: the server numbers all tours once, and gives any page of the list; each tour is a small drawing, and a press on it
// shows it on the board. Numbers are long (`BigInt`): a 6x7 board has 389,969,466 open tours.
// Invariant: what is shown belongs to the problem that it was opened for; whatever comes late is dropped.

import { h, s, iconButton } from './dom.js';
import { run } from './api.js';
import { refusalPhrase } from './phrases.js';
import { t, spell } from './i18n.js';

/** Tours of a page. */
const PAGE = 12n;

/** The first tour of a page that a step leads to: from the page of `first`, among so many tours. */
export function turned(first, step, total) {
  const last = ((total - 1n) / PAGE) * PAGE;
  const wanted = { first: 0n, before: first - PAGE, after: first + PAGE, last }[step];
  return wanted < 0n ? 0n : wanted > last ? last : wanted;
}

export class Gallery {
  /** `choose` hears of the number of a tour that was pressed. */
  constructor(choose) {
    this.choose = choose;
    this.tours = h('div', { class: 'thumbs' });
    this.status = h('output', { class: 'help' });
    this.pager = ['first', 'before', 'after', 'last'].map((step) =>
      iconButton({ before: 'back', after: 'forward' }[step] ?? step, `tour.page_${step}`, () =>
        this.turn(turned(this.first, step, this.total)),
      ),
    );
    const [first, before, after, last] = this.pager;
    const bar = h(
      'div',
      { class: 'pager', role: 'group', label: 'tour.pages' },
      first,
      before,
      this.status,
      after,
      last,
    );
    this.root = h('div', { class: 'gallery', hidden: true }, this.tours, bar);
  }

  /** Opens the list of a problem at the page of a tour; or closes it, where it is open. */
  toggle(problem, board, number = '0') {
    if (!this.root.hidden) {
      this.close();
      return;
    }
    this.problem = problem;
    this.board = board;
    this.root.hidden = false;
    this.turn((BigInt(number) / PAGE) * PAGE);
  }

  close() {
    this.running?.cancel();
    this.running = null;
    this.root.hidden = true;
    this.tours.replaceChildren();
  }

  /** Asks for the page that begins with this tour. */
  async turn(first) {
    this.running?.cancel();
    const running = run({ ...this.problem, number: String(first), tours: Number(PAGE) });
    this.running = running;
    for (const button of this.pager) button.disabled = true;
    this.status.textContent = t('tour.numbering');
    const { answer, error } = await running.answer.catch((refusal) => ({ error: refusalPhrase(refusal) }));
    if (this.running !== running) return;
    this.running = null;
    if (!answer) {
      this.status.textContent = error ?? t('run.stopped');
      return;
    }
    this.first = BigInt(answer.number);
    this.total = BigInt(answer.total);
    this.show(answer);
  }

  show(answer) {
    this.answer = answer;
    const { first, total } = this;
    const tours = answer.tours ?? [answer.squares];
    this.tours.replaceChildren(
      ...tours.map((squares, index) => this.thumb(squares, first + BigInt(index), answer.closed)),
    );
    const last = spell(String(first + BigInt(tours.length) - 1n));
    this.status.textContent = t('tour.some', { first: spell(String(first)), last, total: spell(String(total)) });
    const [atFirst, atLast] = [first === 0n, first + PAGE >= total];
    this.pager.forEach((button, index) => {
      button.disabled = index < 2 ? atFirst : atLast;
    });
  }

  /** The tour with this number is the one on the board. */
  mark(number) {
    this.marked = number;
    for (const thumb of this.tours.children)
      thumb.setAttribute('aria-pressed', String(thumb.dataset.number === String(number)));
  }

  /** Another language: says the same again. */
  retell() {
    if (!this.root.hidden && this.answer && !this.running) this.show(this.answer);
  }

  /** A tour as a small drawing that can be pressed. */
  thumb(squares, number, closed) {
    const { board } = this;
    const at = squares.map((name) => board.square(name));
    const [x, y] = [(square) => board.file(square) + 0.5, (square) => board.ranks - board.rank(square) - 0.5];
    const path = at.map((square, index) => `${index ? 'L' : 'M'}${x(square)} ${y(square)}`).join('');
    return h(
      'button',
      {
        type: 'button',
        class: 'thumb',
        'data-number': String(number),
        'aria-pressed': String(String(number) === this.marked),
        title: t('tour.nth', { number: spell(String(number)) }),
        'aria-label': t('tour.nth', { number: spell(String(number)) }),
        on: { click: () => this.choose(String(number)) },
      },
      s(
        'svg',
        { viewBox: `0 0 ${board.files} ${board.ranks}`, 'aria-hidden': 'true' },
        s('path', { class: 'segment', d: closed ? `${path}Z` : path }),
        s('circle', { class: 'begin', cx: x(at[0]), cy: y(at[0]), r: 0.28 }),
      ),
    );
  }
}
