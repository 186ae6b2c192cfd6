// A room: a stage, a form, a button that asks, and a report.
//
// Idea: rooms differ in their fields, in how they draw the question and in how they show the answer; asking,
// cancelling, complaining, playing, undoing, digging holes and choosing a method are the same for all and live here.
// Invariant: what is shown belongs to the question in the form. Whoever changes the question drops the search
// (`search.js`); answers are kept by question, so undoing a change, or the browser's Back, shows them again.

import { h, say, iconButton } from './dom.js';
import { run, resume, api } from './api.js';
import { Asking } from './asking.js';
import { Search } from './search.js';
import { Undo } from './undo.js';
import { tab } from './kept.js';
import { toHash, fromHash } from './permalink.js';
import { refusalPhrase, faultPhrase } from './phrases.js';
import { t, knows, told } from './i18n.js';
import { Stage } from './stage.js';
import { Report } from './report.js';
import { Table } from './play.js';
import { WalkFilm } from './search-films.js';
import { MOST_SHAPED, PATTERNS, patternHoles } from './patterns.js';
import { segmentedField, choiceField } from './form.js';

/** Answers that a room keeps. */
const MOST_ANSWERS = 12;

/** A preset by its name in the reader's language, or in the server's words: an option of a choice. */
const named = ({ name, about }) => (knows(`preset.${name}`) ? [name, `preset.${name}`] : [name, null, about || name]);

export class Room extends Asking {
  constructor(name, { app, formats = ['svg', 'png', 'gif', 'json', 'fen'], playable = false, optimum = false }) {
    super(name, app);
    this.search = new Search((state) => this.stateChanged(state));
    this.undo = new Undo();
    this.answers = new Map();
    this.stage = new Stage();
    Object.assign(this.stage.hands, {
      tap: (square) => this.tap(square),
      paint: (square, again) => this.editing && this.paint(square, again),
      erase: (square, again) => this.editing && this.erase(square, again),
      carry: (from, to) => (this.mode === 'play' ? this.table.carry(from, to) : this.carry(from, to)),
      paints: () => this.editing && this.brush,
      carries: (square) => (this.mode === 'play' ? this.table.carries(square) : this.editing && this.carries(square)),
      erases: () => this.editing,
    });
    this.report = new Report({ formats, idle: `${name}.idle`, room: this });
    this.mode = 'solve';
    this.undoButton = iconButton('undo', 'form.undo', () => this.back());
    this.redoButton = iconButton('redo', 'form.redo', () => this.again());
    if (playable) {
      this.modeField = segmentedField(
        'play.mode',
        [
          ['solve', 'play.solve'],
          ['play', 'play.play'],
        ],
        { hidden: true, changed: () => this.setMode(this.modeField.get()) },
      );
      this.table = new Table({
        stage: this.stage,
        ask: () => ({ ...this.problem(), kind: 'hint', of: this.name }),
        optimum: optimum ? () => ({ ...this.problem(), kind: this.name }) : null,
        name: () => toHash(this.name, this.problem()),
        won: (certificate, headline) => this.won(certificate, headline),
        begun: () => {
          this.report.root.hidden = true;
        },
        played: (game) => tab.set(`destrier.game.${this.name}`, JSON.stringify(game)),
      });
      this.table.root.hidden = true;
    }
    this.lead = h('p', { class: 'lead', text: `${name}.lead` });
    this.root = h(
      'section',
      { class: 'room', id: `room-${name}`, label: `${name}.name`, hidden: true, 'data-state': 'idle' },
      this.stage.root,
      h(
        'div',
        { class: 'panel' },
        h('div', { class: 'panel-head' }, h('h2', { text: `${name}.title` }), this.modeField?.root ?? null),
        this.lead,
        this.table?.root ?? null,
        this.form,
        this.report.root,
      ),
    );
  }

  /** May the board be edited? Not while a search runs: a stray click would end it. */
  get editing() {
    return this.mode === 'solve' && !this.search.busy;
  }

  /** Does dragging over squares paint them? */
  get brush() {
    return false;
  }

  /** Is there something on this square that can be dragged elsewhere? */
  carries() {
    return false;
  }

  /** Things to do with what is being edited: undo, redo, and `[text key, key of its tip, what is done]`. */
  editBar(...deeds) {
    const chip = ([text, tip, click]) => h('button', { type: 'button', class: 'chip quiet', text, tip, on: { click } });
    return h('div', { class: 'aside edit' }, this.undoButton, this.redoButton, ...deeds.map(chip));
  }

  /** These fields stay while you play. */
  keepInPlay(...names) {
    for (const name of names) this.fields[name].root.classList.add('in-play');
  }

  /** The method: auto, until another is chosen. */
  methodField(chosen = () => {}) {
    const changed = () => {
      chosen();
      this.kept();
    };
    return choiceField('form.method', [['', 'form.auto']], { changed, open: true });
  }

  /** A puzzle of the server's, which `loadPreset` takes; or the visitor's own. */
  presetField() {
    const changed = () => {
      const preset = this.presets?.find(({ name }) => name === this.fields.preset.get());
      if (preset) this.loadPreset(preset);
      this.changed();
    };
    return choiceField('form.preset', [['', 'form.own']], { changed });
  }

  /** The server's methods have come, and its presets. */
  learn(methods, presets) {
    this.methods = methods[this.name];
    this.presets = presets[this.name] ?? [];
    const others = this.methods.filter(({ name }) => name !== 'auto');
    this.fields.method.fill([['', 'form.auto'], ...others.map(({ name }) => [name, null, name])]);
    this.fields.preset?.fill([['', 'form.own'], ...this.presets.map(named)]);
    this.markPreset();
    this.traceable();
  }

  /** Only some methods can be watched; in place of `auto` it is one of them. */
  traceable() {
    const { method: field, trace } = this.fields;
    if (!trace) return;
    const chosen = field.get();
    const able = !this.methods || Boolean(this.methods.find(({ name }) => name === (chosen ?? 'auto'))?.trace);
    trace.control.disabled = !able;
    if (!able) trace.set(false);
    trace.note(able ? 'form.trace_help' : 'form.trace_none', { method: chosen ?? this.heard });
  }

  /** A film of a search that is watched; it grows by the events of its trace. */
  watchFilm() {
    return new WalkFilm(this.stage.board);
  }

  /** The choice of puzzles says which one is on the board, if it is one of them. */
  markPreset() {
    const known = this.presets?.find((preset) => this.isPreset(preset));
    this.fields.preset?.set(known?.name ?? '');
  }

  /** Cuts the holes of the field out of a board; complains of one that is not on it. */
  cutHoles(board) {
    for (const name of this.fields.holes.get() ?? []) {
      const hole = board.square(name);
      if (hole >= 0) board.holes.add(hole);
      else this.fields.holes.complain(t('form.square_fault', { square: name }));
    }
  }

  /** Makes a hole or fills it, and says which; while the pointer is held, `again`, all become what the first did. */
  dig(square, again, digging = null) {
    const { holes } = this.stage.board;
    this.digging = digging ?? (again ? this.digging : !holes.has(square));
    if (this.digging) holes.add(square);
    else holes.delete(square);
    this.fields.holes.set(this.stage.board.holeNames());
    return this.digging;
  }

  /** Gives the board a well-known shape: `cut` takes its holes. */
  patternField(cut = (holes) => this.setHoles(holes)) {
    this.pattern = choiceField(
      'pattern.name',
      [['', 'pattern.choose'], ...PATTERNS.map((name) => [name, `pattern.${name}`])],
      {
        changed: () => {
          const { board } = this.stage;
          const name = this.pattern.get();
          this.pattern.set('');
          if (name && board) cut(patternHoles(board, name));
        },
      },
    );
    this.pattern.root.dataset.field = 'pattern';
    return this.pattern;
  }

  /** Writes these holes into their field; an end that falls into one goes. */
  setHoles(holes) {
    const { board } = this.stage;
    const names = holes.sort((a, b) => a - b).map((hole) => board.name(hole));
    this.fields.holes.set(names);
    for (const end of ['from', 'to']) if (names.includes(this.fields[end].get())) this.fields[end].set('');
    this.changed();
  }

  /** The parts of the question that define the problem: all but method and limits. */
  problem() {
    return this.question();
  }

  /** The question changed: draw it again, and remember it in the address. `joined` is the rest of a stroke. */
  changed(joined = false) {
    this.search.drop();
    this.ended = null;
    this.received = null;
    this.clearComplaints();
    this.report.reset();
    this.draw();
    this.remember(joined);
    if (this.mode === 'play') this.table.begin(() => this.game());
  }

  /** A field changed that leaves the board as it is. */
  kept() {
    if (this.search.busy) this.changed();
    else this.remember();
  }

  remember(joined = false) {
    if (this.pattern) this.pattern.root.hidden = this.stage.board?.size > MOST_SHAPED;
    this.app.remember(this);
    this.undo.keep(this.hash, joined);
    this.undoButton.disabled = !this.undo.past.length;
    this.redoButton.disabled = !this.undo.future.length;
  }

  /** Takes the last change back. */
  back() {
    this.reopen(this.undo.undo());
  }

  /** Makes the change again that was taken back. */
  again() {
    this.reopen(this.undo.redo());
  }

  /** Goes to the question of an address, and shows its answer if it is known. */
  reopen(hash) {
    if (hash === undefined) return;
    this.restore(fromHash(hash).question);
    this.changed();
    this.showKnown();
  }

  /** Shows the answer to the question in the form again, if there was one. */
  showKnown() {
    const known = this.mode === 'solve' && this.answers.get(this.hash);
    if (known) this.finish(...known);
  }

  /** Another language: says the same again. */
  retell() {
    if (this.mode === 'play') this.table.retell();
    else if (this.search.busy) this.report.retell();
    else if (this.ended) this.finish(...this.ended);
    else if (this.received) this.receive(this.received);
    else if (this.objection) this.refused(this.objection, false);
    else {
      this.report.reset();
      if (this.drawn) this.draw();
    }
  }

  clearComplaints() {
    this.objection = null;
    for (const field of Object.values(this.fields)) field.complain(null);
  }

  setMode(mode) {
    this.mode = mode;
    this.ended = null;
    this.clearComplaints();
    this.modeField.set(mode);
    this.search.drop();
    const playing = mode === 'play';
    this.root.classList.toggle('playing', playing);
    say(this.lead, 'text', playing ? `${this.name}.play_lead` : `${this.name}.lead`);
    this.table.root.hidden = !playing;
    this.asking.hidden = playing;
    this.report.reset();
    this.report.root.hidden = playing;
    this.draw();
    if (playing) this.table.begin(() => this.game());
    else {
      this.table.leave();
      tab.remove(`destrier.game.${this.name}`);
      this.showKnown();
    }
  }

  /** A game is won, and the checker has passed it. */
  won(certificate, headline) {
    this.report.root.hidden = false;
    this.report.done('good', headline(), { certificate });
  }

  tap(square) {
    if (this.mode === 'play') this.table.act(square);
    else if (this.editing) this.paint(square, false);
  }

  erase() {}

  carry() {}

  stateChanged(state) {
    this.root.dataset.state = state;
    const showing = state === 'showing';
    say(this.stopButton.firstChild, 'text', showing ? 'run.skip' : 'run.cancel');
    this.stopButton.classList.toggle('calm', showing);
    this.busy(this.search.busy);
    this.app.badge();
  }

  /** Asks what the form says. A game is not disturbed. */
  solve() {
    if (this.mode === 'play') this.app.tell(t('play.solve_first'));
    if (this.mode === 'play' || this.search.busy) return;
    this.clearComplaints();
    const question = this.question();
    if (!question) return;
    this.follow(question, (hears) => run(question, hears));
  }

  /** Listens to a search that `ask` begins, and shows it and what comes of it. */
  follow(question, ask) {
    this.ended = null;
    this.received = null;
    this.draw();
    this.report.start();
    let walk = null;
    this.search.start(ask, {
      begun: (job) => {
        this.root.dataset.job = job;
        tab.set(`destrier.job.${this.name}`, JSON.stringify({ job, hash: this.hash }));
        if (question.trace) {
          walk = this.stage.watch(this.watchFilm());
          this.stage.view.setMarks(this.marks?.() ?? {});
        } else this.stage.say(t('run.searching'));
      },
      queued: (position) => this.report.queued(position),
      progress: (now) => this.report.progress(now),
      trace: (heard) => walk?.grow(heard.events),
      show: () => {
        if (walk) this.report.watching();
        return walk && this.stage.watched(walk);
      },
      skip: () => this.stage.stopWatching(),
      done: (job) => {
        job.bound = this.report.bound;
        this.stopWatching(walk);
        this.report.keep.film = walk?.last ? { question, walk } : null;
        this.finish(job, question);
      },
      refused: (error) => {
        this.stopWatching(walk);
        this.refused(error);
      },
    });
  }

  /** The board is again as the question has it. */
  stopWatching(walk) {
    this.stage.stopWatching();
    if (walk) this.draw();
  }

  /** Shows the search once more, and then its answer. */
  watchAgain() {
    const { walk } = this.report.keep.film;
    this.stage.watch(walk);
    walk.live = false;
    this.stage.view.setMarks(this.marks?.() ?? {});
    walk.over = () => {
      this.stopWatching(walk);
      if (this.ended) this.finish(...this.ended);
    };
  }

  /** After a reload: goes on with the game of before, if it is one of this board. */
  resumeGame() {
    const game = JSON.parse(tab.get(`destrier.game.${this.name}`) ?? 'null');
    if (!game || game.name !== toHash(this.name, this.problem())) return;
    this.drawn = true;
    this.setMode('play');
    this.table.goOn(game);
  }

  /** After a reload: the game of before; or listens again to the search of before, or shows its answer. */
  async resume() {
    this.resumeGame();
    const { job, hash } = JSON.parse(tab.get(`destrier.job.${this.name}`) ?? '{}');
    if (!job || hash !== this.hash) return;
    const was = await api.result(job).catch(() => null);
    if (!was || this.search.state !== 'idle' || hash !== this.hash || this.mode === 'play') return;
    const question = { ...this.question(), ...(was.question?.estimate ? { estimate: true } : {}) };
    if (!this.drawn) this.draw();
    this.drawn = true;
    if (['queued', 'running'].includes(was.state)) this.follow(question, (hears) => resume(job, hears));
    else if (was.state === 'done' || was.answer) this.finish(was, question);
  }

  /** Stops the search, or what is still being shown of it. */
  cancel() {
    this.search.stop();
  }

  finish(job, question) {
    this.ended = [job, question];
    this.answers.delete(this.hash);
    this.answers.set(this.hash, this.ended);
    if (this.answers.size > MOST_ANSWERS) this.answers.delete(this.answers.keys().next().value);
    const tone = { solved: 'good', impossible: 'none' }[job.outcome] ?? 'open';
    const headline = tone === 'open' ? this.unfinished(job, question) : this.headline(job, question);
    const detail = this.detail(job, question);
    this.report.done(tone, headline, job, detail);
    if (job.answer) this.show(job.answer, question, job);
    this.stage.say(tone === 'none' && detail ? `${headline} ${detail}` : headline);
  }

  /** What to say of a search that did not come to its end: what it has, if it has something. */
  unfinished(job, question) {
    const stopped = job.state === 'cancelled';
    const best = job.answer && this.best(job, question);
    if (best) return `${t(stopped ? 'run.stopped_short' : 'run.limit_short')} ${best}`;
    const bound = this.bound(job);
    const least = bound ? ` ${t('told.least', { n: bound })}` : '';
    return `${t(stopped ? 'run.stopped' : 'run.undecided')}${least}`;
  }

  /** The lower bound that a search had when it stopped, if it had one. */
  bound({ answer, effort, bound }) {
    return answer?.lower_bound ?? effort?.lower_bound ?? bound;
  }

  /** The best so far in words; nothing where there is no such thing. */
  best() {
    return '';
  }

  /**
   * More than the headline, in the reader's language: why there is none, why the search stopped, or what `told` says of
   * an answer. Nothing where only the server has words for it.
   */
  detail(job, question) {
    if (job.reason?.key) return told(job.reason);
    if (job.outcome === 'impossible') return undefined;
    const stopped = job.effort?.stopped;
    if (stopped) return stopped === 'asked' ? '' : told({ key: `halt.${stopped}` });
    return job.answer ? this.told(job, question) : undefined;
  }

  /** More of an answer than its headline. */
  told({ certificate }) {
    const { kind, lower_bound: bound, proof } = certificate?.claim ?? {};
    if (kind === 'fewest' && proof?.kind === 'search') return t('told.searched', { n: proof.nodes });
    if (kind === 'fewest') return t('told.bound', { n: bound });
    return bound ? t('told.least', { n: bound }) : '';
  }

  /** The server does not take the question; the field that it is about gets the focus if that is `wanted`. */
  refused(error, wanted = true) {
    this.objection = error;
    // Where no method was chosen, it is not the method's fault.
    const unsuited = error.key === 'refused.unsuited' && !this.fields.method?.get() && error.values?.why?.key;
    const where = unsuited ? null : this.fields[error.field];
    const text = unsuited ? told(error.values.why) : refusalPhrase(error);
    where?.complain(text);
    this.report.refuse(text);
    const square = error.square ? this.stage.board.square(error.square) : -1;
    if (square >= 0) this.stage.view.setMarks({ ...this.marks?.(), fault: square });
    this.stage.say(text);
    if (!wanted) return;
    where?.control?.focus({ preventScroll: true });
    this.report.reveal();
  }

  /** Says which words of the address the form did not take. */
  misread(words) {
    this.refused({ key: 'page.unread', values: { words } }, false);
  }

  /** Shows what was brought in from a file: the question, and the answer with it if there is one. */
  receive(verdict) {
    if (this.mode === 'play') this.setMode('solve');
    const { fen } = verdict;
    this.restore({ ...verdict.question, ...(fen ? { puzzle: fen, start: fen } : {}) });
    this.changed();
    this.received = verdict;
    const fault = verdict.fault;
    if (!verdict.valid) {
      const tried = verdict.attempt;
      if (tried?.squares?.every((name) => this.stage.board.square(name) >= 0))
        this.show(tried, verdict.question, verdict);
      const told = faultPhrase(verdict);
      this.report.refuse(told);
      this.markFault(fault);
      this.stage.say(told);
      return;
    }
    const { outcome, answer, reason, certificate, claims = [] } = verdict;
    const open = claims.some(({ verdict: one }) => one === 'not rechecked') && !verdict.unchecked;
    const checked = open ? 'import.partly' : answer || outcome ? 'import.checked' : 'import.read';
    const headline = t(verdict.unchecked ? 'import.unchecked' : checked);
    // What is said of a bound holds only for one that the checker confirmed.
    const says = outcome && !(open && answer);
    const more = says ? [this.detail({ outcome, answer, reason, certificate }, verdict.question)] : [];
    if (open) more.push(t('import.not_rechecked'));
    this.report.done(outcome === 'impossible' ? 'none' : 'good', headline, { certificate }, more.join(' ').trim());
    if (verdict.answer) this.show(verdict.answer, verdict.question, verdict);
  }

  /** Marks the square of a fault, and goes to its step. */
  markFault(fault) {
    if (fault?.step && this.stage.player.film) this.stage.player.go(fault.step);
    const square = fault?.square ? this.stage.board.square(fault.square) : -1;
    if (square >= 0) this.stage.view.setMarks({ ...this.marks?.(), fault: square });
  }
}
