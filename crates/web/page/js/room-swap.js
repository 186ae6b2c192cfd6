// The Swap room: knights change places in the fewest moves.
//
// Idea: two placements on one board, the start and the goal; a switch says which of them is painted. Rings show the
// goal while the start is seen. Presets are the server's.

import { Room } from './room.js';
import { Board, toFen, fromFen } from './board.js';
import { SwapFilm } from './films.js';
import { SwapGame, side } from './games.js';
import { t } from './i18n.js';
import {
  sizeField,
  toolField,
  wrapField,
  limitFields,
  segmentedField,
  choiceField,
  textField,
  checkField,
  chips,
  more,
} from './form.js';

const FIRST = { start: 'nnn/3/3/NNN', goal: 'NNN/3/3/nnn' };

/** A FEN with its colours exchanged. */
const exchanged = (fen) =>
  fen.replace(/[a-z]/gi, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()));

export class SwapRoom extends Room {
  constructor(app) {
    super('swap', { app, playable: true, optimum: true });
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
      labelled: checkField('swap.labelled', { changed: kept }),
      wrap: wrapField({ changed }),
      method: this.methodField(),
      ...limitFields({ changed: kept }),
    };
    this.side = segmentedField(
      'swap.paint',
      [
        ['start', 'swap.start'],
        ['goal', 'swap.goal'],
      ],
      { changed: () => this.draw() },
    );
    this.tool = toolField(
      'form.tool',
      [
        ['N', 'tool.white'],
        ['n', 'tool.black'],
        ['hole', 'tool.hole'],
        ['erase', 'tool.erase'],
      ],
      {},
    );
    this.stage.paints = () => this.mode === 'solve';
    this.furnish(
      fields,
      fields.board,
      fields.preset,
      fields.method,
      this.side,
      this.tool,
      chips(['swap.mirror', () => this.exchange()], ['form.clear', () => this.clear()]),
      more(
        'form.more',
        fields.start,
        fields.goal,
        fields.alternate,
        fields.metric,
        fields.peaceful,
        fields.labelled,
        fields.wrap,
        fields.time_limit,
        fields.threads,
      ),
    );
    this.keepInPlay('preset', 'board');
    this.restore({});
  }

  learn(methods, presets) {
    super.learn(methods, presets);
    const known = this.presets.find(({ start, goal }) => start === this.fens().start && goal === this.fens().goal);
    if (known) this.fields.preset.set(known.name);
  }

  restore(question) {
    const { fields } = this;
    const start = question.start ?? question.from ?? FIRST.start;
    const goal = question.goal ?? question.to ?? exchanged(start);
    if (!this.load(start, goal)) this.load(FIRST.start, FIRST.goal);
    this.wanted = question.method ?? '';
    for (const name of ['alternate', 'metric', 'peaceful', 'labelled', 'wrap', 'method', 'time_limit', 'threads']) {
      fields[name].set(name === 'metric' && question[name] === 'moves' ? '' : question[name]);
    }
  }

  /** Takes two FENs; false when they do not fit together. */
  load(start, goal) {
    const [one, other] = [fromFen(start), fromFen(goal)];
    if (!one || !other || one.board.sizeName !== other.board.sizeName) return false;
    this.board = one.board;
    this.start = one.placement;
    this.goal = other.placement;
    this.fields.board.set(this.board.sizeName);
    this.fields.start.set(start);
    this.fields.goal.set(goal);
    return true;
  }

  fens() {
    return { start: toFen(this.board, this.start), goal: toFen(this.board, this.goal) };
  }

  loadPreset({ start, goal }) {
    this.load(start, goal);
  }

  clear() {
    this.start.clear();
    this.goal.clear();
    this.edited();
  }

  read() {
    const { start, goal } = this.fields;
    const fits = this.load(start.get() ?? '', goal.get() ?? '');
    if (fits) {
      this.fields.preset.set('');
      this.changed();
    } else (fromFen(start.get() ?? '') ? goal : start).complain(t('swap.fen_fault'));
  }

  resize() {
    const size = Board.size(this.fields.board.get() ?? '');
    if (!size) return;
    const old = this.board;
    this.board = old.resized(size.files, size.ranks);
    const moved = (placement) =>
      new Map(
        [...placement]
          .filter(([square]) => this.board.has(old.file(square), old.rank(square)))
          .map(([square, letter]) => [this.board.at(old.file(square), old.rank(square)), letter]),
      );
    this.start = moved(this.start);
    this.goal = moved(this.goal);
    this.edited();
  }

  /** The goal becomes the start with colours exchanged. */
  exchange() {
    this.goal = fromFen(exchanged(this.fens().start)).placement;
    this.edited();
  }

  edited() {
    const { start, goal } = this.fens();
    this.fields.start.set(start);
    this.fields.goal.set(goal);
    this.fields.preset.set('');
    this.changed();
  }

  paint(square, again) {
    const tool = this.tool.get();
    const placement = this.side.get() === 'goal' ? this.goal : this.start;
    if (tool === 'hole') {
      const on = again ? this.adding : !this.board.holes.has(square);
      this.adding = on;
      this.start.delete(square);
      this.goal.delete(square);
      if (on) this.board.holes.add(square);
      else this.board.holes.delete(square);
    } else {
      const on = tool !== 'erase' && (again ? this.adding : placement.get(square) !== tool);
      this.adding = on;
      this.board.holes.delete(square);
      placement.delete(square);
      if (on) placement.set(square, tool);
    }
    this.edited();
    this.stage.live.textContent = this.stage.view.cellName(square);
  }

  question() {
    const value = (name) => this.fields[name].get();
    return { ...this.problem(), method: value('method'), time_limit: value('time_limit'), threads: value('threads') };
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
    const board = new Board(this.board.files, this.board.ranks, {
      holes: this.board.holes,
      wrap: this.fields.wrap.get() ?? 'none',
    });
    this.stage.setBoard(board);
    this.stage.clear();
    const goal = this.side.get() === 'goal' && this.mode === 'solve';
    const seen = goal ? this.goal : this.start;
    this.stage.view.setPieces(
      [...seen]
        .filter(([, letter]) => letter !== '?')
        .map(([square, letter], index) => ({ id: `k${index}`, kind: side(letter), square })),
    );
    this.stage.view.setMarks(this.marks());
    this.stage.say(t(goal ? 'swap.goal_shown' : 'swap.invite'), false);
  }

  marks() {
    if (this.side.get() === 'goal') return {};
    return {
      goals: [...this.goal].filter(([, letter]) => letter !== '?').map(([square, letter]) => [square, side(letter)]),
    };
  }

  headline(job) {
    if (job.outcome === 'impossible') return `${t('swap.none')} ${this.reason(job)}`.trim();
    const { cost, proved, metric } = job.answer;
    if (metric === 'runs') return t(proved ? 'swap.proved_runs' : 'swap.found_runs', { n: cost });
    return t(proved ? 'swap.proved' : 'swap.found', { n: cost });
  }

  show(answer) {
    if (!answer.moves) return false;
    if (this.side.get() === 'goal') {
      this.side.set('start');
      this.draw();
    }
    const { board } = this.stage;
    const moves = answer.moves.map((move) => move.split('-').map((name) => board.square(name)));
    this.stage.showFilm(new SwapFilm(board, this.start, moves), 0);
    return true;
  }

  game() {
    if (this.start.size === 0) return null;
    const { alternate, metric, peaceful } = this.problem();
    return new SwapGame(this.stage.board, {
      start: this.start,
      goal: this.goal,
      fens: this.fens(),
      alternate,
      metric,
      peaceful,
    });
  }
}
