// The Swap room: knights change places in the fewest moves.
//
// Idea: two placements on one board, the start and the goal; a switch says which of them is painted. Rings show the
// goal while the start is seen. Presets are the server's.

import { h } from './dom.js';
import { PieceRoom } from './room-pieces.js';
import { Board, toFen, fromFen } from './board.js';
import { SwapFilm } from './films.js';
import { LookFilm } from './search-films.js';
import { knightsOf } from './pieces.js';
import { SwapGame, labelled, goalMarks } from './games.js';
import { rulesPhrase } from './phrases.js';
import { t, sentence } from './i18n.js';
import { sizeField, wrapField, limitFields, segmentedField, choiceField, textField, checkField, more } from './form.js';

const FIRST = { start: 'nnn/3/3/NNN', goal: 'NNN/3/3/nnn' };

/** A FEN with its colours exchanged. */
const exchanged = (fen) =>
  fen.replace(/[a-z]/gi, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()));

export class SwapRoom extends PieceRoom {
  constructor(app) {
    super('swap', {
      app,
      layers: 2,
      formats: ['svg', 'png', 'gif', 'list', 'json', 'fen', 'csv'],
    });
    this.heard = 'astar';
    const changed = () => this.changed();
    const kept = () => this.kept();
    const fields = {
      preset: this.presetField(),
      board: sizeField({ changed: () => this.resize(), chips: ['3x3', '3x4', '4x4', '5x5'], most: 64 }),
      start: textField('swap.start', { changed: () => this.read(), mono: true, wide: true }),
      goal: textField('swap.goal', { changed: () => this.read(), mono: true, wide: true }),
      alternate: choiceField(
        'swap.alternate',
        [
          ['', 'swap.free'],
          ['white', 'swap.white_first'],
          ['black', 'swap.black_first'],
        ],
        { changed },
      ),
      metric: choiceField(
        'swap.metric',
        [
          ['', 'swap.moves'],
          ['runs', 'swap.runs'],
        ],
        { changed },
      ),
      peaceful: checkField('swap.peaceful', { changed }),
      labelled: checkField('swap.labelled', { changed }),
      wrap: wrapField({ changed }),
      method: this.methodField(() => this.traceable()),
      trace: checkField('form.trace', { changed: kept }),
      ...limitFields({ changed: kept }),
    };
    this.side = segmentedField(
      'swap.paint',
      [
        ['start', 'swap.start'],
        ['goal', 'swap.goal'],
      ],
      {
        changed: () => {
          this.draw();
          if (this.layer === 0) this.showKnown();
        },
        aside: h(
          'div',
          { class: 'aside' },
          h('button', {
            type: 'button',
            class: 'chip quiet',
            text: 'swap.mirror',
            tip: 'swap.mirror_tip',
            on: { click: () => this.exchange() },
          }),
        ),
      },
    );
    this.tool = this.paintTools(['N', 'tool.white'], ['n', 'tool.black']);
    this.furnish(
      fields,
      fields.board,
      fields.preset,
      fields.method,
      fields.trace,
      this.side,
      this.tool,
      more(
        'form.more',
        fields.start,
        fields.goal,
        this.patternField((holes) => this.cut(holes)),
        fields.alternate,
        fields.metric,
        fields.peaceful,
        fields.labelled,
        fields.wrap,
        fields.time_limit,
        fields.threads,
      ),
    );
    // These two always say something.
    for (const field of [fields.start, fields.goal]) field.root.dataset.always = 'true';
    this.keepInPlay('preset', 'board');
    this.restore({});
  }

  get brush() {
    return true;
  }

  /** The layer that is painted: the start or the goal. */
  get layer() {
    return this.side.get() === 'goal' ? 1 : 0;
  }

  restore(question) {
    const { fields } = this;
    const start = question.start ?? question.from ?? FIRST.start;
    const goal = question.goal ?? question.to ?? exchanged(start);
    if (!this.load(start, goal)) this.load(FIRST.start, FIRST.goal);
    for (const name of ['alternate', 'metric', 'peaceful', 'labelled', 'wrap', 'method', 'time_limit', 'threads']) {
      fields[name].set(name === 'metric' && question[name] === 'moves' ? '' : question[name]);
    }
    this.traceable();
    fields.trace.set(question.trace);
  }

  fens() {
    const [start, goal] = this.editor.fens();
    return { start, goal };
  }

  /** Start and goal as they are played: with letters of their own where all knights are told apart. */
  placements() {
    const [start, goal] = this.editor.layers;
    return this.fields.labelled.get() ? labelled(this.editor.board, start, goal) : { start, goal };
  }

  isPreset({ start, goal }) {
    const fens = this.fens();
    return start === fens.start && goal === fens.goal;
  }

  loadPreset({ start, goal }) {
    this.load(start, goal);
  }

  read() {
    const { start, goal } = this.fields;
    const fits = this.load(start.get() ?? '', goal.get() ?? '');
    if (fits) this.changed();
    else (fromFen(start.get() ?? '') ? goal : start).complain(t('swap.fen_fault'));
  }

  /** The goal becomes the start with colours exchanged. */
  exchange() {
    const { start } = this.fens();
    this.editor.load([start, exchanged(start)]);
    this.edited();
  }

  /** The fields say what is on the board. */
  written() {
    const { start, goal } = this.fens();
    this.fields.board.set(this.editor.board.sizeName);
    this.fields.start.set(start);
    this.fields.goal.set(goal);
    this.markPreset();
  }

  question() {
    const value = (name) => this.fields[name].get();
    return {
      ...this.problem(),
      method: value('method'),
      trace: value('trace'),
      time_limit: value('time_limit'),
      threads: value('threads'),
    };
  }

  problem() {
    const value = (name) => this.fields[name].get();
    return {
      kind: 'swap',
      ...this.fens(),
      alternate: value('alternate'),
      metric: value('metric'),
      peaceful: value('peaceful'),
      labelled: value('labelled'),
      wrap: value('wrap'),
    };
  }

  draw() {
    const { board: drawn } = this.editor;
    const board = new Board(drawn.files, drawn.ranks, {
      holes: drawn.holes,
      wrap: this.fields.wrap.get() ?? 'none',
    });
    this.stage.setBoard(board);
    this.stage.clear();
    const goal = this.layer === 1 && this.mode === 'solve';
    const { start, goal: wanted } = this.placements();
    this.stage.view.setPieces(knightsOf(goal ? wanted : start, start));
    this.stage.view.setMarks(this.marks());
    this.stage.say(t(goal ? 'swap.goal_shown' : 'swap.invite'), false);
  }

  marks() {
    return this.layer === 1 && this.mode === 'solve' ? {} : { goals: goalMarks(this.placements().goal) };
  }

  headline(job, question) {
    const rules = rulesPhrase(question);
    if (job.outcome === 'impossible') return sentence(t('swap.none', { rules }));
    const { cost, proved, metric } = job.answer;
    if (metric === 'runs') return t(proved ? 'swap.proved_runs' : 'swap.found_runs', { n: cost, rules });
    return t(proved ? 'swap.proved' : 'swap.found', { n: cost, rules });
  }

  best(job, question) {
    const { answer } = job;
    if (!answer.moves) return '';
    const rules = rulesPhrase(question);
    const bound = this.bound(job);
    const runs = answer.metric === 'runs' ? '_runs' : '';
    return bound
      ? t(`swap.between${runs}`, { n: answer.cost, bound, rules })
      : t(`swap.found${runs}`, { n: answer.cost, rules });
  }

  show(answer) {
    if (!answer.moves) return false;
    if (this.layer === 1) {
      this.side.set('start');
      this.draw();
    }
    const { board } = this.stage;
    const moves = answer.moves.map((move) => move.split('-').map((name) => board.square(name)));
    this.stage.showFilm(new SwapFilm(board, this.placements().start, moves), 0);
    return true;
  }

  watchFilm() {
    return new LookFilm(this.stage.board, this.placements().start);
  }

  game() {
    const { start, goal } = this.placements();
    if (start.size === 0) return null;
    const { board } = this.stage;
    const { alternate, metric, peaceful } = this.problem();
    const fens = { start: toFen(board, start), goal: toFen(board, goal) };
    return new SwapGame(board, { start, goal, fens, alternate, metric, peaceful });
  }
}
