// A room: a stage, a form, a button that asks, and a report.
//
// Idea: rooms differ in their fields, in how they draw the question and in how they show the answer; asking,
// cancelling, complaining, playing, digging holes and choosing a method are the same for all and live here.
// Invariant: a room runs at most one search; leaving the question changes nothing until it is asked again.

import { h } from './dom.js';
import { run } from './api.js';
import { Asking } from './asking.js';
import { t, knows } from './i18n.js';
import { Stage } from './stage.js';
import { Report } from './report.js';
import { Table } from './play.js';
import { segmentedField, choiceField } from './form.js';

/** A preset by its name in the reader's language, or in the server's words: an option of a choice. */
const named = ({ name, about }) =>
  knows(`preset.${name}`) ? [name, `preset.${name}`] : [name, null, about || name];

export class Room extends Asking {
  constructor(name, { app, formats = ['svg', 'png', 'gif', 'json', 'fen'], playable = false, optimum = false }) {
    super(name, app);
    this.stage = new Stage();
    this.stage.act = (square, again) => this.act(square, again);
    this.report = new Report({ formats, idle: `${name}.idle` });
    this.mode = 'solve';
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
        exported: (certificate) => this.report.offer(certificate),
      });
      this.table.root.hidden = true;
    }
    this.root = h(
      'section',
      { class: 'room', id: `room-${name}`, label: `${name}.name`, hidden: true },
      this.stage.root,
      h(
        'div',
        { class: 'panel' },
        h('div', { class: 'panel-head' }, h('h2', { text: `${name}.title` }), this.modeField?.root ?? null),
        h('p', { class: 'lead', text: `${name}.lead` }),
        this.table?.root ?? null,
        this.form,
        this.report.root,
      ),
    );
  }

  /** These fields stay while you play. */
  keepInPlay(...names) {
    for (const name of names) this.fields[name].root.classList.add('in-play');
  }

  /** The method: auto, until another is chosen. */
  methodField(chosen = () => {}) {
    const changed = () => {
      this.wanted = this.fields.method.get() ?? '';
      chosen();
      this.kept();
    };
    return choiceField('form.method', [['', 'form.auto']], { changed });
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
    if (this.wanted) this.fields.method.set(this.wanted);
    this.fields.preset?.fill([['', 'form.own'], ...this.presets.map(named)]);
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
  dig(square, again) {
    const { holes } = this.stage.board;
    this.digging = again ? this.digging : !holes.has(square);
    if (this.digging) holes.add(square);
    else holes.delete(square);
    this.fields.holes.set(this.stage.board.holeNames());
    return this.digging;
  }

  /** The parts of the question that define the problem: all but method and limits. */
  problem() {
    return this.question();
  }

  /** The question changed: draw it again, and remember it in the address. */
  changed() {
    this.cancel();
    this.ended = null;
    this.clearComplaints();
    this.report.reset();
    this.draw();
    this.app.remember(this);
    if (this.mode === 'play') this.table.begin(() => this.game());
  }

  /** Another language: says the same again. */
  retell() {
    if (this.running || this.mode === 'play') return;
    if (this.ended) this.finish(...this.ended);
    else {
      this.report.reset();
      if (this.drawn) this.draw();
    }
  }

  clearComplaints() {
    for (const field of Object.values(this.fields)) field.complain(null);
  }

  setMode(mode) {
    this.mode = mode;
    this.ended = null;
    this.modeField.set(mode);
    this.cancel();
    const playing = mode === 'play';
    this.root.classList.toggle('playing', playing);
    this.table.root.hidden = !playing;
    this.asking.hidden = playing;
    this.report.reset();
    this.report.root.hidden = playing;
    this.draw();
    if (playing) this.table.begin(() => this.game());
    else this.table.leave();
  }

  act(square, again) {
    if (this.mode === 'play') {
      if (!again) this.table.act(square);
      if (this.table.game?.won) this.report.root.hidden = false;
    } else if (!this.running) this.paint(square, again);
  }

  async solve() {
    if (this.running) return;
    this.clearComplaints();
    const question = this.question();
    if (!question) return;
    this.ended = null;
    this.draw();
    this.report.start();
    this.busy(true);
    const walk = question.trace ? this.stage.startWalk() : null;
    if (!walk) this.stage.say(t('run.searching'));
    const running = run(question, {
      progress: (now) => this.report.progress(now),
      trace: (heard) => walk?.push(heard.events),
      begun: (job) => {
        this.root.dataset.job = job;
      },
      queued: (position) => this.report.queued(position),
    });
    this.running = running;
    try {
      const job = await running.answer;
      if (this.running !== running) return;
      if (job.state === 'failed') throw Object.assign(new Error(job.error), { field: job.field });
      if (walk && job.state !== 'cancelled') await walk.finish();
      if (this.running !== running) return;
      this.stage.stopWalk();
      this.finish(job, question);
    } catch (error) {
      if (this.running === running) this.refused(error);
    } finally {
      if (this.running === running) {
        this.running = null;
        this.busy(false);
      }
    }
  }

  /** Stops the search, or what is still being shown of it. */
  cancel() {
    if (!this.running) return;
    this.running.cancel();
    this.stage.stopWalk();
  }

  finish(job, question) {
    this.ended = [job, question];
    const stopped = job.state === 'cancelled';
    const tone = { solved: 'good', impossible: 'none' }[job.outcome] ?? 'open';
    const headline = tone === 'open' ? t(stopped ? 'run.stopped' : 'run.undecided') : this.headline(job, question);
    this.report.done(tone, headline, job);
    if (job.answer) this.show(job.answer, question, job);
    this.stage.say(headline);
  }

  /** Why there is none, in the reader's language where we have the words. */
  reason(job) {
    const kind = job.certificate?.reason?.kind;
    return kind && knows(`reason.${kind}`) ? t(`reason.${kind}`) : '';
  }

  refused(error) {
    const where = this.fields[error.field];
    const text = error.message || t('error.server');
    where?.complain(text);
    this.report.refuse(text);
    const square = error.square ? this.stage.board.square(error.square) : -1;
    if (square >= 0) this.stage.view.setMarks({ ...this.marks?.(), fault: square });
    this.stage.say(text);
    where?.control?.focus({ preventScroll: true });
  }

  /** Shows what was brought in from a file: the question, and the answer with it if there is one. */
  receive(verdict) {
    if (this.mode === 'play') this.setMode('solve');
    const { fen } = verdict;
    this.restore({ ...verdict.question, ...(fen ? { puzzle: fen, start: fen } : {}) });
    this.draw();
    this.app.remember(this);
    const fault = verdict.fault;
    if (!verdict.valid) {
      const tried = verdict.attempt;
      if (tried?.squares?.every((name) => this.stage.board.square(name) >= 0))
        this.show(tried, verdict.question, verdict);
      this.report.refuse(verdict.says);
      this.markFault(fault);
      this.stage.say(verdict.says);
      return;
    }
    if (verdict.answer) this.show(verdict.answer, verdict.question, verdict);
    const headline = t(verdict.answer || verdict.outcome ? 'import.checked' : 'import.read');
    this.report.done(verdict.outcome === 'impossible' ? 'none' : 'good', headline, {
      says: verdict.says,
      certificate: verdict.certificate,
    });
  }

  /** Marks the square of a fault, and goes to its step. */
  markFault(fault) {
    if (fault?.step && this.stage.player.film) this.stage.player.go(fault.step);
    const square = fault?.square ? this.stage.board.square(fault.square) : -1;
    if (square >= 0) this.stage.view.setMarks({ ...this.marks?.(), fault: square });
  }
}
