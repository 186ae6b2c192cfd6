// Answers as films: what stands where after each step, and how to say it.
//
// Idea: the player knows steps only; a film turns a step into pieces on squares, into the part of the path that has
// been walked, and into a sentence. A tour, a tour too big to be listed, a capture, a swap. Searches that are watched are
// films, too (`search-films.js`).
// Invariant: `shown(k)` grows with k, so a board may show and hide the difference alone.

import { knightsOf, captureOf } from './pieces.js';
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
    const isTaken = (square) => (this.taken.get(square) ?? Infinity) <= step;
    return captureOf(this.targets, isTaken, this.squares[step]);
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
    let standing = knightsOf(placement);
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
