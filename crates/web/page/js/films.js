// Answers as films: what stands where after each step, and how to say it.
//
// Idea: the player knows steps only; a film turns a step into pieces on squares, into the part of the path that has
// been walked, and into a sentence. A tour, a tour too big to be listed, a capture, a swap; and searches that are watched:
// one that walks, one that walks and takes pieces, one that looks at positions.
// Invariant: `shown(k)` grows with k, so a board may show and hide the difference alone.

import { side, label } from './games.js';
import { t } from './i18n.js';

/** A tour: step k is the k-th square. */
export class TourFilm {
  constructor(board, squares, closed) {
    this.board = board;
    this.squares = squares;
    this.closed = closed;
    this.first = 1;
    this.last = squares.length;
    this.visitCount = squares.length;
    this.segmentCount = squares.length - (closed && squares.length > 2 ? 0 : 1);
  }

  /** The i-th jump, from 0; the last one of a closed tour leads home. */
  segment(i) {
    return [this.squares[i], this.squares[(i + 1) % this.squares.length]];
  }

  visit(i) {
    return [this.squares[i], i + 1];
  }

  /** The square at a step. */
  squareAt(step) {
    return this.squares[step - 1];
  }

  shown(step) {
    return { from: 0, to: step === this.last ? this.segmentCount : step - 1, visits: step };
  }

  /** The step on a square, 0 for none. */
  stepOf(square) {
    if (!this.steps) {
      this.steps = new Uint32Array(this.board.size);
      this.squares.forEach((one, index) => {
        this.steps[one] = index + 1;
      });
    }
    return this.steps[square];
  }

  pieces(step) {
    return [{ id: 'knight', kind: 'knight', square: this.squares[step - 1] }];
  }

  words(step) {
    const square = this.board.name(this.squares[step - 1]);
    if (step === 1) return t('move.start', { square, total: this.last });
    return t('move.tour', { square, step, total: this.last });
  }
}

/** A tour that is asked for in parts; `tiles` knows what has arrived. */
export class WindowFilm {
  constructor(board, length, closed, tiles) {
    this.board = board;
    this.closed = closed;
    this.tiles = tiles;
    this.first = 1;
    this.last = length;
    this.visitCount = 0;
    this.segmentCount = 0;
  }

  shown(step) {
    return { from: 0, to: step, visits: step };
  }

  stepOf(square) {
    return this.tiles.stepOf(square);
  }

  /** The square at a step, or -1 while it is on its way. */
  squareAt(step) {
    return this.tiles.squareAt(step);
  }

  pieces(step) {
    const square = this.tiles.squareAt(step);
    return square < 0 ? [] : [{ id: 'knight', kind: 'knight', square }];
  }

  words(step) {
    const square = this.tiles.squareAt(step);
    return square < 0 ? '…' : t('move.tour', { square: this.board.name(square), step, total: this.last });
  }
}

/** A capture: step k is the position after k moves. */
export class CaptureFilm {
  constructor(board, targets, squares) {
    this.board = board;
    this.squares = squares;
    this.first = 0;
    this.last = squares.length - 1;
    this.segmentCount = squares.length - 1;
    this.visitCount = squares.length;
    this.taken = new Map();
    const left = new Set(targets);
    squares.forEach((square, step) => {
      if (step > 0 && left.delete(square)) this.taken.set(square, step);
    });
    this.targets = [...targets];
  }

  segment(i) {
    return [this.squares[i], this.squares[i + 1]];
  }

  visit(i) {
    return [this.squares[i], i];
  }

  shown(step) {
    return { from: 0, to: step, visits: step + 1 };
  }

  pieces(step) {
    const standing = this.targets.map((square) => ({
      id: `p${square}`,
      kind: 'pawn',
      square,
      gone: (this.taken.get(square) ?? Infinity) <= step,
    }));
    return [...standing, { id: 'knight', kind: 'knight', square: this.squares[step] }];
  }

  words(step) {
    const square = this.board.name(this.squares[step]);
    if (step === 0) return t('move.wait', { square });
    const takes = this.taken.get(this.squares[step]) === step;
    const left = this.targets.filter((target) => (this.taken.get(target) ?? Infinity) > step).length;
    return t(takes ? 'move.take' : 'move.hop', { square, step, total: this.last, left });
  }
}

/** A swap: step k is the placement after k moves; moves are pairs of squares. */
export class SwapFilm {
  constructor(board, placement, moves) {
    this.board = board;
    this.moves = moves;
    this.first = 0;
    this.last = moves.length;
    this.segmentCount = moves.length;
    this.visitCount = 0;
    let standing = [...placement].map(([square, letter], index) => ({
      id: `k${index}`,
      kind: side(letter),
      label: label(letter, placement),
      square,
    }));
    this.scenes = [standing];
    for (const [from, to] of moves) {
      standing = standing.map((piece) => (piece.square === from ? { ...piece, square: to } : piece));
      this.scenes.push(standing);
    }
  }

  segment(i) {
    return this.moves[i];
  }

  shown(step) {
    return { from: Math.max(0, step - 1), to: step, visits: 0 };
  }

  pieces(step) {
    return this.scenes[step];
  }

  words(step) {
    if (step === 0) return t('move.begin', { n: this.last });
    const [from, to] = this.moves[step - 1];
    const piece = this.scenes[step].find((one) => one.square === to);
    return t(piece?.kind === 'white' ? 'move.white' : 'move.black', {
      from: this.board.name(from),
      to: this.board.name(to),
      step,
      total: this.last,
    });
  }
}

/**
 * A search that is watched: step k is what the walk was after k events. It grows while the search runs (`live`), and
 * can be gone through in both directions.
 */
export class WalkFilm {
  constructor(board) {
    this.board = board;
    this.numbered = true;
    this.grown = () => {};
    this.heard = [];
    this.events = [];
    this.depth = 0;
    this.finds = [];
    this.first = 0;
    this.last = 0;
    this.live = true;
    this.at = 0;
    this.walk = [];
    this.ends = 0;
  }

  /** Takes events of the server: `["begin"]`, `["move", square]`, `["back"]`, `["found"]`. */
  grow(events) {
    for (const event of events) {
      const [what, square] = event;
      this.heard.push(event);
      if (what === 'found') {
        this.finds.push({ at: this.events.length, moves: this.depth - 1 });
        continue;
      }
      this.depth = { begin: 0, move: this.depth + 1, back: this.depth - 1 }[what];
      this.events.push({ what, square: what === 'move' ? this.board.square(square) : -1 });
    }
    this.last = this.events.length;
    this.grown();
  }

  /** The walk after a step; the same array each time, changed in place. */
  walkAt(step) {
    while (this.at < step) this.#forward(this.events[this.at++]);
    while (this.at > step) this.#backward(this.events[--this.at]);
    return this.walk;
  }

  #forward(event) {
    if (event.what === 'move') this.walk.push(event.square);
    else if (event.what === 'back') {
      event.square = this.walk.pop();
      if (this.events[this.at - 2]?.what === 'move') this.ends += 1;
    } else {
      event.before = this.walk.slice();
      if (this.walk.length) this.ends += 1;
      this.walk.length = 0;
    }
  }

  #backward(event) {
    if (event.what === 'move') this.walk.pop();
    else if (event.what === 'back') {
      this.walk.push(event.square);
      if (this.events[this.at - 1]?.what === 'move') this.ends -= 1;
    } else {
      this.walk.push(...event.before);
      if (event.before.length) this.ends -= 1;
    }
  }

  pieces(step) {
    const square = this.walkAt(step).at(-1);
    return square === undefined ? [] : [{ id: 'knight', kind: 'knight', square }];
  }

  words(step) {
    const walk = this.walkAt(step);
    return t('walk.caption', { step: walk.length, n: this.ends });
  }
}

/** A search for a capture that is watched: pieces go when the walk takes them, and come back with it. */
export class CaptureWalkFilm extends WalkFilm {
  constructor(board, { start, targets }) {
    super(board);
    this.numbered = false;
    this.start = start;
    this.targets = targets;
  }

  pieces(step) {
    const walk = this.walkAt(step);
    const seen = new Set(walk);
    const standing = this.targets.map((square) => ({
      id: `p${square}`,
      kind: 'pawn',
      square,
      gone: seen.has(square),
    }));
    return [...standing, { id: 'knight', kind: 'knight', square: walk.at(-1) ?? this.start }];
  }

  words(step) {
    const walk = this.walkAt(step);
    const seen = new Set(walk);
    const left = this.targets.filter((target) => !seen.has(target)).length;
    const told = t('walk.capture', { moves: Math.max(0, walk.length - 1), left, n: this.ends });
    const best = this.finds.findLast(({ at }) => at <= step);
    return best ? `${told} ${t('walk.best', { n: best.moves })}` : told;
  }
}

/**
 * A search of positions that is watched: step k is the k-th position that is looked at. Positions have numbers, and say from
 * which one they came, so that any of them can be set up from the start.
 */
export class LookFilm {
  constructor(board, placement) {
    this.board = board;
    this.numbered = false;
    this.grown = () => {};
    this.heard = [];
    this.start = [...placement].map(([square, letter], index) => ({
      id: `k${index}`,
      kind: side(letter),
      label: label(letter, placement),
      square,
    }));
    this.positions = new Map();
    this.looks = [0];
    this.ends = [0];
    this.first = 0;
    this.last = 0;
    this.live = true;
  }

  /** Takes events of the server: `["begin"]`, `["look", number, from which, square, square]`, `["dead-end"]`, `["found"]`. */
  grow(events) {
    for (const event of events) {
      const [what, number, from, ...move] = event;
      this.heard.push(event);
      if (what === 'dead-end') this.ends[this.ends.length - 1] += 1;
      if (what !== 'look') continue;
      this.positions.set(Number(number), { from: Number(from), move: move.map((name) => this.board.square(name)) });
      this.looks.push(Number(number));
      this.ends.push(this.ends.at(-1));
    }
    this.last = this.looks.length - 1;
    this.grown();
  }

  /** The moves from the start to the position of a step. */
  way(step) {
    const moves = [];
    for (let one = this.positions.get(this.looks[step]); one; one = this.positions.get(one.from)) moves.push(one.move);
    return moves.reverse();
  }

  /** The move that led to the position of a step. */
  walkAt(step) {
    return this.positions.get(this.looks[step])?.move ?? [];
  }

  pieces(step) {
    const pieces = this.start.map((piece) => ({ ...piece }));
    for (const [from, to] of this.way(step)) {
      const moved = pieces.find(({ square }) => square === from);
      if (moved) moved.square = to;
    }
    return pieces;
  }

  words(step) {
    return t('walk.look', { step, moves: this.way(step).length, n: this.ends[step] });
  }
}

/** A search of positions for a capture that is watched: the knight takes what it meets on the way to a position. */
export class CaptureLookFilm extends LookFilm {
  constructor(board, { start, targets }) {
    super(board, new Map());
    this.from = start;
    this.targets = targets;
  }

  /** All moves to the position of a step. */
  walkAt(step) {
    return [this.from, ...this.way(step).map(([, to]) => to)];
  }

  pieces(step) {
    const walk = this.walkAt(step);
    const seen = new Set(walk);
    const standing = this.targets.map((square) => ({
      id: `p${square}`,
      kind: 'pawn',
      square,
      gone: seen.has(square),
    }));
    return [...standing, { id: 'knight', kind: 'knight', square: walk.at(-1) }];
  }
}
