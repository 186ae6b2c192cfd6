// The rules of play: you are the knight.
//
// Idea: a game is what has been played; everything else (legal squares, what stands where, whether it is won) is
// worked out from that, so undo is taking the last move away. Three games: a tour, a capture, a swap.
// Invariant: only legal moves are ever in `played`. A win is checked again by the server before it is called one.

import { side, label, captureOf } from './pieces.js';

const WRAPS = { x: 'files', y: 'ranks', both: 'both' };

/** The board of a certificate. */
export function boardOf(board) {
  const holes = board.holeNames();
  return {
    size: board.sizeName,
    ...(holes.length ? { holes } : {}),
    ...(WRAPS[board.wrap] ? { wrap: WRAPS[board.wrap] } : {}),
  };
}

function certificate(kind, question, solution) {
  return {
    destrier: 1,
    kind,
    question,
    answer: 'solved',
    solution,
    claim: { kind: 'valid' },
    origin: { program: 'destrier page', method: 'play' },
  };
}

/** Visit every square once. */
export class TourGame {
  constructor(board, { closed, symmetry, from = -1, to = -1 }) {
    this.board = board;
    this.closed = Boolean(closed);
    this.symmetry = symmetry;
    this.from = from;
    this.to = to;
    this.played = from >= 0 ? [from] : [];
  }

  get words() {
    return this.played.map((square) => this.board.name(square));
  }

  /** The first square, when the question fixes it, is not a move. */
  get moves() {
    return Math.max(0, this.played.length - 1);
  }

  /** What to do first, as a key of the texts. */
  get invite() {
    return this.played.length ? 'play.invite_move' : 'play.invite_start';
  }

  legal() {
    if (this.played.length === 0) return [];
    const seen = new Set(this.played);
    return this.board.jumps(this.played.at(-1)).filter((square) => !seen.has(square));
  }

  play(square) {
    if (this.played.length === 0 ? this.board.holes.has(square) : !this.legal().includes(square)) return false;
    this.played.push(square);
    return true;
  }

  get canUndo() {
    return this.played.length > (this.from >= 0 ? 1 : 0);
  }

  undo() {
    if (this.canUndo) this.played.pop();
  }

  get won() {
    if (this.played.length !== this.board.open) return false;
    if (this.to >= 0 && this.played.at(-1) !== this.to) return false;
    return !this.closed || this.board.jumps(this.played.at(-1)).includes(this.played[0]);
  }

  get stuck() {
    return this.played.length > 0 && !this.won && this.legal().length === 0;
  }

  scene() {
    const at = this.played.at(-1);
    return {
      walk: this.played,
      pieces: at === undefined ? [] : [{ id: 'knight', kind: 'knight', square: at }],
      marks: { legal: this.legal(), end: this.to },
    };
  }

  certificate() {
    return certificate(
      'tour',
      {
        board: boardOf(this.board),
        shape: this.closed ? 'closed' : 'open',
        ...(this.from >= 0 ? { start: this.board.name(this.from) } : {}),
        ...(this.to >= 0 ? { end: this.board.name(this.to) } : {}),
        ...(this.symmetry ? { symmetry: this.symmetry } : {}),
        ...(this.board.leaper.join() === '1,2' ? {} : { leaper: this.board.leaper.join(',') }),
      },
      this.words,
    );
  }
}

/** Take every piece. */
export class CaptureGame {
  constructor(board, { start, targets }) {
    this.board = board;
    this.start = start;
    this.targets = targets;
    this.played = [start];
  }

  get words() {
    return this.played.map((square) => this.board.name(square));
  }

  get moves() {
    return this.played.length - 1;
  }

  get invite() {
    return 'play.invite_move';
  }

  legal() {
    return this.board.jumps(this.played.at(-1));
  }

  play(square) {
    if (this.won || !this.legal().includes(square)) return false;
    this.played.push(square);
    return true;
  }

  get canUndo() {
    return this.moves > 0;
  }

  undo() {
    if (this.canUndo) this.played.pop();
  }

  get left() {
    const seen = new Set(this.played.slice(1));
    return this.targets.filter((square) => !seen.has(square));
  }

  get won() {
    return this.left.length === 0;
  }

  get stuck() {
    return !this.won && this.legal().length === 0;
  }

  scene() {
    const left = new Set(this.left);
    return {
      walk: this.played.slice(-12),
      numbered: false,
      pieces: captureOf(this.targets, (square) => !left.has(square), this.played.at(-1)),
      marks: { legal: this.won ? [] : this.legal() },
    };
  }

  certificate() {
    return certificate(
      'capture',
      {
        board: boardOf(this.board),
        start: this.board.name(this.start),
        targets: this.targets.map((square) => this.board.name(square)),
      },
      this.words,
    );
  }
}

/** Bring the knights to their goal. A move is picking a knight, then an empty square. */
export class SwapGame {
  constructor(board, { start, goal, fens, alternate, metric, peaceful }) {
    this.board = board;
    this.start = start;
    this.goal = goal;
    this.fens = fens;
    this.alternate = alternate;
    this.metric = metric ?? 'moves';
    this.peaceful = Boolean(peaceful);
    this.played = [];
    this.picked = -1;
  }

  get words() {
    return this.played.map(([from, to]) => `${this.board.name(from)}-${this.board.name(to)}`);
  }

  get moves() {
    if (this.metric === 'moves') return this.played.length;
    return this.played.filter(([from], index) => index === 0 || this.played[index - 1][1] !== from).length;
  }

  get invite() {
    return 'play.invite_pick';
  }

  placement() {
    const placed = new Map([...this.start].map(([square, letter], index) => [square, { letter, id: `k${index}` }]));
    for (const [from, to] of this.played) {
      placed.set(to, placed.get(from));
      placed.delete(from);
    }
    return placed;
  }

  /** Whose turn it is: turns change with every move, or with every run. */
  get turn() {
    if (!this.alternate) return null;
    const other = this.alternate === 'white' ? 'black' : 'white';
    return this.moves % 2 === 0 ? this.alternate : other;
  }

  movable(placed, square) {
    const piece = placed.get(square);
    if (!piece) return false;
    // A run goes on with the knight that moved last.
    if (this.metric === 'runs' && this.played.at(-1)?.[1] === square) return true;
    return !this.turn || side(piece.letter) === this.turn;
  }

  legalFrom(placed, from) {
    return this.board.jumps(from).filter((to) => {
      if (placed.has(to)) return false;
      if (!this.peaceful) return true;
      return !this.board
        .jumps(to)
        .some(
          (near) =>
            near !== from && placed.has(near) && side(placed.get(near).letter) !== side(placed.get(from).letter),
        );
    });
  }

  legal() {
    return this.picked < 0 ? [] : this.legalFrom(this.placement(), this.picked);
  }

  /** Picks a knight or moves the picked one; true when a move was made. */
  play(square) {
    if (this.won) return false;
    const placed = this.placement();
    if (this.picked >= 0 && this.legalFrom(placed, this.picked).includes(square)) {
      this.played.push([this.picked, square]);
      this.picked = -1;
      return true;
    }
    this.picked = this.movable(placed, square) && square !== this.picked ? square : -1;
    return false;
  }

  get canUndo() {
    return this.played.length > 0;
  }

  undo() {
    this.picked = -1;
    this.played.pop();
  }

  get won() {
    const placed = this.placement();
    for (const [square, letter] of this.goal) if (letter !== '?' && placed.get(square)?.letter !== letter) return false;
    for (const square of placed.keys()) if (!this.goal.has(square)) return false;
    return true;
  }

  get stuck() {
    const placed = this.placement();
    return (
      !this.won &&
      ![...placed.keys()].some((square) => this.movable(placed, square) && this.legalFrom(placed, square).length)
    );
  }

  scene() {
    return {
      walk: this.played.length ? this.played.at(-1) : [],
      numbered: false,
      pieces: [...this.placement()].map(([square, { letter, id }]) => ({
        id,
        kind: side(letter),
        label: label(letter, this.start),
        square,
      })),
      marks: { picked: this.picked, legal: this.legal(), goals: goalMarks(this.goal) },
    };
  }

  certificate() {
    return certificate(
      'swap',
      {
        start: this.fens.start,
        goal: this.fens.goal,
        wrap: WRAPS[this.board.wrap] ?? 'none',
        metric: this.metric,
        ...(this.alternate ? { alternate: this.alternate } : {}),
        peaceful: this.peaceful,
      },
      this.words,
    );
  }
}

/** The squares of a goal with the colours, and the letters, that belong there. */
export const goalMarks = (goal) =>
  [...goal]
    .filter(([, letter]) => letter !== '?')
    .map(([square, letter]) => [square, side(letter), label(letter, goal)]);

/**
 * Start and goal with letters that are all different, as the server gives them: in reading order, the k-th knight of
 * a letter goes to the k-th of that letter in the goal.
 */
export function labelled(board, start, goal) {
  const names = new Map();
  const next = { white: 'A'.charCodeAt(0), black: 'a'.charCodeAt(0) };
  const rename = (placement) => {
    const seen = new Map();
    const order = ([one], [other]) => board.rank(other) - board.rank(one) || board.file(one) - board.file(other);
    return new Map(
      [...placement].sort(order).map(([square, letter]) => {
        if (letter === '?') return [square, letter];
        const number = (seen.get(letter) ?? 0) + 1;
        seen.set(letter, number);
        const key = `${letter}${number}`;
        if (!names.has(key)) {
          names.set(key, String.fromCharCode(next[side(letter)]));
          next[side(letter)] += 1;
        }
        return [square, names.get(key)];
      }),
    );
  };
  return { start: rename(start), goal: rename(goal) };
}
