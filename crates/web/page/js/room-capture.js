// The Capture room: one knight takes all pieces in the fewest moves.
//
// Idea: pieces are painted on the board; the puzzle travels as FEN. A data file or a FEN can be pasted or dropped,
// and is read by the server, so the page has no second reader of files.

import { Room } from './room.js';
import { Board, toFen, fromFen } from './board.js';
import { CaptureFilm } from './films.js';
import { CaptureGame } from './games.js';
import { t } from './i18n.js';
import { sizeField, toolField, choiceField, textField, limitFields, chips, more } from './form.js';

const FIRST = '2p2p2/8/p4p2/2p4p/8/1p2p3/6p1/N2p4';

export class CaptureRoom extends Room {
  constructor(app) {
    super('capture', { app, playable: true, optimum: true });
    const kept = () => this.kept();
    const fields = {
      board: sizeField({ changed: () => this.resize(), chips: ['5x5', '8x8', '12x12', '20x20'], most: 1000 }),
      preset: this.presetField(),
      puzzle: textField('capture.fen', {
        changed: () => this.read(),
        wide: true,
        mono: true,
        help: 'capture.fen_help',
      }),
      method: this.methodField(),
      parallel: choiceField(
        'form.parallel',
        [
          ['', 'form.none'],
          ['task', 'parallel.task'],
          ['data', 'parallel.data'],
        ],
        { changed: kept },
      ),
      ...limitFields({ changed: kept }),
    };
    this.tool = toolField(
      'form.tool',
      [
        ['pawn', 'tool.piece'],
        ['knight', 'tool.knight'],
        ['hole', 'tool.hole'],
        ['erase', 'tool.erase'],
      ],
      {},
    );
    this.stage.paints = () => this.mode === 'solve' && this.tool.get() !== 'knight';
    this.furnish(
      fields,
      fields.board,
      this.tool,
      fields.preset,
      fields.method,
      fields.puzzle,
      chips(['form.clear', () => this.clear()]),
      more('form.more', fields.parallel, fields.time_limit, fields.threads),
    );
    this.keepInPlay('board', 'preset');
    this.restore({});
  }

  restore(question) {
    const { fields } = this;
    this.load(fromFen(question.puzzle ?? FIRST) ? (question.puzzle ?? FIRST) : FIRST);
    this.wanted = question.method ?? '';
    for (const name of ['method', 'parallel', 'time_limit', 'threads']) fields[name].set(question[name]);
  }

  /** Takes a FEN apart. */
  load(fen) {
    const { board, placement } = fromFen(fen);
    this.board = board;
    this.knight = -1;
    this.targets = new Set();
    for (const [square, letter] of placement) {
      if (letter === 'N' || letter === 'n') this.knight = square;
      else this.targets.add(square);
    }
    this.fields.board.set(board.sizeName);
    this.fields.puzzle.set(this.fen());
  }

  fen() {
    const placement = new Map([...this.targets].map((square) => [square, 'p']));
    if (this.knight >= 0) placement.set(this.knight, 'N');
    return toFen(this.board, placement);
  }

  loadPreset({ puzzle }) {
    this.load(puzzle);
  }

  clear() {
    this.targets.clear();
    this.edited();
  }

  /** The text field has a FEN, or the text of a data file: the server reads what we cannot. */
  async read() {
    const text = this.fields.puzzle.control.value;
    if (fromFen(text) && /\//.test(text)) {
      this.load(text);
      this.changed();
    } else this.app.take(text);
  }

  resize() {
    const size = Board.size(this.fields.board.get() ?? '');
    if (!size) return;
    const old = this.board;
    this.board = old.resized(size.files, size.ranks);
    const moved = (square) => {
      const [file, rank] = [old.file(square), old.rank(square)];
      return this.board.has(file, rank) ? this.board.at(file, rank) : -1;
    };
    this.targets = new Set([...this.targets].map(moved).filter((square) => square >= 0));
    this.knight = this.knight >= 0 ? moved(this.knight) : -1;
    if (this.knight < 0) this.knight = 0;
    this.edited();
  }

  edited() {
    this.targets.delete(this.knight);
    this.board.holes.delete(this.knight);
    for (const hole of this.board.holes) this.targets.delete(hole);
    this.fields.puzzle.set(this.fen());
    this.fields.preset.set('');
    this.changed();
  }

  paint(square, again) {
    const tool = this.tool.get();
    if (tool === 'knight') this.knight = square;
    else if (square === this.knight) return;
    else {
      const held = tool === 'hole' ? this.board.holes : this.targets;
      const on = tool !== 'erase' && (again ? this.adding : !held.has(square));
      this.adding = on;
      this.targets.delete(square);
      this.board.holes.delete(square);
      if (on) held.add(square);
    }
    this.edited();
    this.stage.live.textContent = this.stage.view.cellName(square);
  }

  question() {
    const value = (name) => this.fields[name].get();
    return {
      ...this.problem(),
      method: value('method'),
      parallel: value('method') === 'bb-dfs' ? value('parallel') : undefined,
      time_limit: value('time_limit'),
      threads: value('threads'),
    };
  }

  problem() {
    return { kind: 'capture', puzzle: this.fen() };
  }

  draw() {
    this.stage.setBoard(this.board);
    this.stage.clear();
    this.stage.view.setPieces([
      ...[...this.targets].map((square) => ({ id: `p${square}`, kind: 'pawn', square })),
      ...(this.knight >= 0 ? [{ id: 'knight', kind: 'knight', square: this.knight }] : []),
    ]);
    this.stage.say(this.targets.size ? t('capture.invite', { n: this.targets.size }) : t('capture.empty'), false);
  }

  headline(job) {
    if (job.outcome === 'impossible') return `${t('capture.none')} ${this.reason(job)}`.trim();
    const { moves, proved } = job.answer;
    return t(proved ? 'capture.proved' : 'capture.found', { n: moves });
  }

  show(answer) {
    if (!answer.squares?.length) return false;
    this.stage.showFilm(
      new CaptureFilm(
        this.board,
        [...this.targets],
        answer.squares.map((name) => this.board.square(name)),
      ),
    );
    return true;
  }

  game() {
    if (this.knight < 0 || this.targets.size === 0) return null;
    return new CaptureGame(this.board, { start: this.knight, targets: [...this.targets] });
  }
}
