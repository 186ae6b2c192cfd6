// Playing: the timer, the hint, the optimum to beat, and the moment of winning.
//
// Idea: a `Table` seats one game at a time. Hints come from the solver and are true: "it can still be finished" is
// said only when the solver finished it, "it cannot" only when that is proved, and else "not known".
// Invariant: a win is announced after the server's checker has agreed; the sentence is seen once, in the table, and what
// comes with it takes no place that was not left free.

import { h, icon } from './dom.js';
import { api, run } from './api.js';
import { kept } from './kept.js';
import { refusalPhrase, faultPhrase } from './phrases.js';
import { t, knows } from './i18n.js';

const BESTS = 'destrier.bests';
/** Games of which the best is kept. */
const MOST_BESTS = 100;

/** The best results by game. */
function bests() {
  try {
    return JSON.parse(kept.get(BESTS) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

export class Table {
  /** `won` hears of a game that the checker passed, `begun` of a new one, `played` of all that a reload must know. */
  constructor({ stage, ask, optimum, name, won, begun, played }) {
    this.stage = stage;
    this.ask = ask;
    this.optimumOf = optimum;
    this.nameOf = name;
    this.onWin = won;
    this.onBegin = begun;
    this.onPlayed = played;
    window.addEventListener('pagehide', () => this.keepGame());
    this.game = null;
    const button = (name, key, click) =>
      h('button', { type: 'button', class: 'button', on: { click } }, icon(name), h('span', { text: key }));
    this.undoButton = button('undo', 'play.undo', () => this.undo());
    this.hintButton = button('bulb', 'play.hint', () => this.hint());
    this.againButton = button('first', 'play.again', () => this.begin(this.make));
    this.time = h('dd', { class: 'clock' }, '0:00');
    this.moves = h('dd', {}, '0');
    this.best = h('dd', {}, '–');
    this.bestRow = h('div', {}, h('dt', { text: 'play.best' }), this.best);
    this.yours = h('dd', {}, '–');
    this.word = h('p', { class: 'word', role: 'status' });
    this.root = h(
      'div',
      { class: 'table' },
      h('div', { class: 'buttons' }, this.undoButton, this.hintButton, this.againButton),
      this.word,
      h(
        'dl',
        { class: 'facts' },
        h('div', {}, h('dt', { text: 'play.time' }), this.time),
        h('div', {}, h('dt', { text: 'play.moves' }), this.moves),
        this.bestRow,
        h('div', { class: 'yours' }, h('dt', { text: 'play.yours' }), this.yours),
      ),
    );
  }

  /** Sits down to a new game; `make` gives it, or nothing when the question is no game yet. */
  begin(make) {
    this.leave();
    this.make = make;
    this.game = make();
    this.began = null;
    this.over = false;
    this.onBegin();
    this.time.textContent = '0:00';
    this.hintSquare = -1;
    this.root.dataset.over = 'false';
    this.hintPick = -1;
    for (const button of [this.undoButton, this.hintButton, this.againButton]) button.disabled = !this.game;
    this.bestText = null;
    this.best.textContent = '–';
    this.yours.textContent = '–';
    this.moves.textContent = '0';
    const { invite = 'play.nothing' } = this.game ?? {};
    this.tell(() => t(invite));
    this.stage.say(t(invite), false);
    if (!this.game) return;
    this.stage.clear();
    this.show();
    this.showYours();
    this.bestRow.hidden = !this.optimumOf;
    if (this.optimumOf) this.lookUp();
  }

  /** Shows the reader's best at this game so far. */
  showYours() {
    const { moves, time } = bests()[this.nameOf()] ?? {};
    this.yours.textContent = moves === undefined ? '–' : `${moves} · ${time}`;
  }

  /** Keeps a win if it is the best so far: the fewest moves, then the least time. */
  keepYours(moves, seconds, time) {
    const all = bests();
    const name = this.nameOf();
    const before = all[name];
    if (before && (before.moves < moves || (before.moves === moves && before.seconds <= seconds))) return;
    delete all[name];
    all[name] = { moves, seconds, time };
    const names = Object.keys(all);
    for (const old of names.slice(0, Math.max(0, names.length - MOST_BESTS))) delete all[old];
    kept.set(BESTS, JSON.stringify(all));
    this.showYours();
  }

  /** The game as the tab keeps it; a win as it was before its last look. */
  keepGame() {
    if (!this.game || this.over) return;
    const seconds = this.began === null ? null : (performance.now() - this.began) / 1000;
    this.onPlayed({ name: this.nameOf(), played: this.game.played, seconds });
  }

  /** Goes on with a game of before. */
  goOn({ played, seconds }) {
    const { game } = this;
    for (const step of played.slice(game?.played.length)) {
      const [from, to] = [step].flat();
      if (to !== undefined) game.picked = from;
      if (!game.play(to ?? from)) break;
    }
    if (!game?.played.length) return;
    if (seconds !== null) {
      this.began = performance.now() - seconds * 1000;
      this.tick();
    }
    this.tell();
    this.show();
    this.root.dataset.over = String(game.won);
    if (game.won) this.win();
  }

  leave() {
    clearInterval(this.clock);
    this.asked?.cancel();
    this.asked = null;
    this.looking?.cancel();
    this.looking = null;
    this.optimum = null;
    this.game = null;
  }

  /** The optimum to beat, found by the solver meanwhile. */
  async lookUp() {
    const { game } = this;
    this.best.textContent = '…';
    this.looking = run({ ...this.optimumOf(), time_limit: '20s' });
    const job = await this.looking.answer.catch(() => null);
    if (this.game !== game) return;
    const found = job?.answer?.moves?.length ?? job?.answer?.moves;
    const cost = job?.answer?.cost ?? found;
    if (job?.outcome === 'impossible') this.bestText = () => t('play.no_way');
    else if (cost === undefined) this.bestText = () => t('play.unknown');
    else {
      this.optimum = job.answer.proved ? cost : null;
      this.bestText = () => t(job.answer.proved ? 'play.proved' : 'play.at_most', { n: cost });
    }
    this.best.textContent = this.bestText();
  }

  /** Can the piece on this square be dragged? */
  carries(square) {
    if (!this.game || this.over) return false;
    return this.game.movable ? this.game.movable(this.game.placement(), square) : this.game.played.at(-1) === square;
  }

  /** A piece was dragged: the same as choosing it and then the square. */
  carry(from, to) {
    if (!this.game || this.over || to < 0) return;
    if (this.game.movable) this.game.picked = from;
    this.act(to);
  }

  act(square) {
    if (!this.game || this.over) return;
    this.hintSquare = -1;
    const name = this.stage.board.name(square);
    const was = this.game.played.length;
    if (this.game.play(square)) {
      if (was > 0 || !('from' in this.game)) this.start();
      this.tell();
      this.show();
      this.stage.say(`${t('play.moved', { square: name, n: this.game.moves })} ${this.choices()}`.trim());
      this.root.dataset.over = String(this.game.won);
      if (this.game.won) this.win();
      else if (this.game.stuck) this.tell(() => t('play.stuck'), 'bad');
    } else {
      this.show();
      if (this.game.picked === undefined || this.game.picked < 0) this.tell(() => t('play.illegal', { square: name }));
      else this.stage.say(`${t('play.picked', { square: name })} ${this.choices()}`.trim());
    }
  }

  /** The squares that can be gone to, in words. */
  choices() {
    const legal = this.game.legal().map((square) => this.stage.board.name(square));
    return legal.length && !this.game.won ? t('play.choices', { squares: legal.sort().join(', ') }) : '';
  }

  start() {
    if (this.began !== null) return;
    this.began = performance.now();
    this.tick();
  }

  /** The clock runs, or goes on. */
  tick() {
    clearInterval(this.clock);
    this.clock = setInterval(() => {
      this.time.textContent = this.elapsed();
    }, 250);
  }

  elapsed() {
    const seconds = Math.floor((performance.now() - this.began) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }

  show() {
    const { walk, pieces, marks, numbered = true } = this.game.scene();
    this.stage.view.setWalks([walk], numbered);
    this.stage.view.setPieces(pieces);
    this.stage.view.setMarks({
      ...marks,
      hint: this.hintSquare,
      ...(this.hintPick >= 0 ? { picked: this.hintPick } : {}),
    });
    this.hintPick = -1;
    this.moves.textContent = String(this.game.moves);
    this.undoButton.disabled = !this.game.canUndo;
    this.keepGame();
  }

  undo() {
    if (!this.game || this.over) return;
    this.game.undo();
    this.root.dataset.over = 'false';
    this.hintSquare = -1;
    this.tell();
    this.show();
    this.stage.say(`${t('play.undone', { n: this.game.moves })} ${this.choices()}`.trim());
  }

  /** Asks the solver whether this can still be finished, and how to go on. */
  async hint() {
    if (!this.game || this.over || this.asked) return;
    const { game } = this;
    const played = game.words;
    this.tell(() => t('play.thinking'));
    this.hintButton.disabled = true;
    let asked = null;
    try {
      asked = run({ ...this.ask(), played, time_limit: '10s' });
      this.asked = asked;
      const job = await asked.answer;
      if (this.game !== game || game.words.join() !== played.join()) return;
      if (job.state === 'failed') throw Object.assign(new Error(job.error), job);
      this.advise(job.answer ?? { can_finish: null }, game);
    } catch (error) {
      if (this.game === game) this.tell(() => refusalPhrase(error), 'bad');
    } finally {
      if (this.asked === asked) {
        this.asked = null;
        this.hintButton.disabled = !this.game;
      }
    }
  }

  advise(answer, game) {
    if (answer.can_finish === null || answer.can_finish === undefined) {
      const why = `play.not_known_${answer.why}`;
      this.tell(() => t(knows(why) ? why : 'play.not_known'));
      return;
    }
    if (!answer.can_finish) {
      this.tell(() => t('play.cannot'), 'bad');
      return;
    }
    const [first, second] = String(answer.next ?? '').split('-');
    this.hintSquare = this.stage.board.square(second ?? first);
    this.hintPick = second ? this.stage.board.square(first) : -1;
    if (game.picked !== undefined && this.hintPick >= 0) game.picked = this.hintPick;
    this.show();
    const next = second ? `${first} → ${second}` : first;
    const n = answer.best_total;
    const sure = answer.optimal === false ? 'play.can_at_most' : 'play.can_total';
    this.tell(() => (n ? t(sure, { next, n }) : t('play.can', { next })), 'good');
    this.stage.say(this.word.textContent, false);
  }

  async win() {
    clearInterval(this.clock);
    const { game } = this;
    const time = this.began === null ? '0:00' : this.elapsed();
    this.time.textContent = time;
    const certificate = game.certificate();
    const verdict = await api.verify(JSON.stringify(certificate)).catch(() => null);
    if (this.game !== game || !game.won) return;
    if (!verdict?.valid) {
      // A whole walk that is not what was asked for, say without the symmetry, or that nobody could check: it can be
      // taken back.
      this.root.dataset.over = 'false';
      if (this.began !== null) this.tick();
      this.tell(() => (verdict ? t('play.not_accepted', { why: faultPhrase(verdict) }) : t('play.not_checked')), 'bad');
      return;
    }
    this.over = true;
    this.show();
    this.undoButton.disabled = true;
    this.hintButton.disabled = true;
    const best = this.optimum && this.optimum === game.moves;
    const headline = () => `${t('play.won', { time, n: game.moves })}${best ? ` ${t('play.is_best')}` : ''}`;
    this.tell(headline, 'good');
    this.stage.say(headline(), false);
    this.stage.root.classList.add('won');
    setTimeout(() => this.stage.root.classList.remove('won'), 1600);
    this.keepYours(game.moves, this.began === null ? 0 : (performance.now() - this.began) / 1000, time);
    this.wonWith = verdict.certificate ?? certificate;
    this.onWin(this.wonWith, headline);
  }

  /** Says something, which another language can say again. */
  tell(words = () => '', tone = '') {
    this.words = words;
    this.word.textContent = words();
    this.word.dataset.tone = tone;
  }

  /** Another language: says the same again. */
  retell() {
    this.word.textContent = this.words?.() ?? '';
    if (this.bestText) this.best.textContent = this.bestText();
    this.stage.say((this.game && !this.over && this.choices()) || this.words(), false);
    if (!this.game) return;
    this.show();
    if (this.over) this.onWin(this.wonWith, this.words);
  }
}
