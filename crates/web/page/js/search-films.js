// Searches that are watched, as films: what a search did, step by step.
//
// Idea: events of the server become steps, while they come. A search that walks goes and steps back, alone or in a race; one
// that takes pieces has them go and come back with it; a search of positions jumps about in its tree.
// Invariant: a film can be gone through in both directions, and shows the same at the same step.

import { knightsOf, captureOf } from './pieces.js';
import { t } from './i18n.js';

/**
 * A search that is watched: step k is what the walk was after k events. It grows while the search runs (`live`), and
 * can be gone through in both directions. In a race several walk at the same time, and take turns.
 */
export class WalkFilm {
  constructor(board) {
    this.board = board;
    this.numbered = true;
    this.grown = () => {};
    this.heard = [];
    this.events = [];
    this.turn = 0;
    this.latest = [];
    this.depth = 0;
    this.finds = [];
    this.first = 0;
    this.last = 0;
    this.live = true;
    this.at = 0;
    this.walks = [[]];
    this.ends = 0;
  }

  /** Takes events of the server: `["turn", walker]`, `["begin"]`, `["move", square]`, `["back"]`, `["found"]`. */
  grow(events) {
    for (const event of events) {
      const [what, word] = event;
      this.heard.push(event);
      if (what === 'turn') {
        this.turn = Number(word);
        while (this.walks.length <= this.turn) this.walks.push([]);
      } else if (what === 'found') this.finds.push({ at: this.events.length, moves: this.depth - 1 });
      else {
        this.depth = { begin: 0, move: this.depth + 1, back: this.depth - 1 }[what];
        const after = this.latest[this.turn];
        this.events.push({ what, after, walker: this.turn, square: what === 'move' ? this.board.square(word) : -1 });
        this.latest[this.turn] = what;
      }
    }
    this.last = this.events.length;
    this.grown();
  }

  /** The walks after a step; the same arrays each time, changed in place. */
  walksAt(step) {
    while (this.at < step) this.#forward(this.events[this.at++]);
    while (this.at > step) this.#backward(this.events[--this.at]);
    return this.walks;
  }

  /** The walk after a step; of several, the longest. */
  walkAt(step) {
    return this.walksAt(step).reduce((longest, walk) => (walk.length > longest.length ? walk : longest));
  }

  #forward(event) {
    const walk = this.walks[event.walker];
    if (event.what === 'move') walk.push(event.square);
    else if (event.what === 'back') {
      event.square = walk.pop();
      if (event.after === 'move') this.ends += 1;
    } else {
      event.before = walk.slice();
      if (walk.length) this.ends += 1;
      walk.length = 0;
    }
  }

  #backward(event) {
    const walk = this.walks[event.walker];
    if (event.what === 'move') walk.pop();
    else if (event.what === 'back') {
      walk.push(event.square);
      if (event.after === 'move') this.ends -= 1;
    } else {
      walk.push(...event.before);
      if (event.before.length) this.ends -= 1;
    }
  }

  pieces(step) {
    return this.walksAt(step).flatMap((walk, walker) =>
      walk.length ? [{ id: `knight${walker || ''}`, kind: 'knight', square: walk.at(-1) }] : [],
    );
  }

  words(step) {
    const n = this.ends;
    const longest = this.walkAt(step).length;
    if (this.walks.length === 1) return t('walk.caption', { step: longest, n });
    return t('walk.race', { walkers: this.walks.length, step: longest, n });
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
    return captureOf(this.targets, (square) => seen.has(square), walk.at(-1) ?? this.start);
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
    this.start = knightsOf(placement);
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
    return captureOf(this.targets, (square) => seen.has(square), walk.at(-1));
  }
}
