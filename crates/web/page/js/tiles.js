// A tour too big to be listed, in tiles that arrive as they are looked at.
//
// Idea: the server knows the step on any square and the square at any step without keeping the tour. Tiles of
// 128 by 128 steps and runs of 1,024 squares are asked for when someone looks, a few at a time, and kept while they
// are in use. From far away a tile has the steps of one square in so many, a power of two each way.
// Invariant: an answer is never guessed: what has not arrived is 0 (no step known) or -1 (no square known).
// Cost: 128 tiles of 128 kB at most.

import { api } from './api.js';

const SIDE = 128;
const RUN = 1024;
const KEPT = 128;
const AT_ONCE = 3;

export class Tiles {
  constructor(question, board, arrived, failed) {
    this.question = question;
    this.board = board;
    this.arrived = arrived;
    this.failed = failed;
    this.tiles = new Map();
    this.runs = new Map();
    this.waiting = new Map();
    this.asked = 0;
  }

  /** The distance of samples that are at least so many squares apart. */
  every(apart) {
    return 2 ** Math.max(0, Math.ceil(Math.log2(apart)));
  }

  /** The step on a square, or 0 while it is on its way; among samples so far apart, on one of which the square is. */
  stepOf(square, every = 1) {
    const file = Math.floor(this.board.file(square) / every);
    const rank = Math.floor(this.board.rank(square) / every);
    const column = Math.floor(file / SIDE);
    const row = Math.floor(rank / SIDE);
    const key = `${every} ${column} ${row}`;
    const tile = this.tiles.get(key);
    if (tile) return tile.rows[rank - row * SIDE]?.[file - column * SIDE] ?? 0;
    if (!this.waiting.has(key)) this.want(key, () => this.tile(key, column * SIDE * every, row * SIDE * every, every));
    return 0;
  }

  /** The square at a step, or -1 while it is on its way. */
  squareAt(step) {
    const key = Math.floor((step - 1) / RUN);
    const run = this.runs.get(key);
    if (run) return run[step - 1 - key * RUN] ?? -1;
    if (!this.waiting.has(`r${key}`)) this.want(`r${key}`, () => this.run(key));
    return -1;
  }

  /** Forgets tiles that were wanted and are no longer looked at. */
  forget() {
    for (const [key, ask] of this.waiting) if (ask) this.waiting.delete(key);
  }

  want(key, ask) {
    this.waiting.set(key, ask);
    this.next();
  }

  async next() {
    if (this.asked >= AT_ONCE) return;
    const newest = [...this.waiting].reverse().find(([, ask]) => ask);
    if (!newest) return;
    const [key, ask] = newest;
    this.waiting.set(key, null);
    this.asked += 1;
    try {
      await ask();
      this.arrived();
    } catch (error) {
      this.failed(error);
    }
    this.waiting.delete(key);
    this.asked -= 1;
    this.next();
  }

  async tile(key, file, rank, every) {
    const answer = await api.window({
      question: this.question,
      file,
      rank,
      files: Math.min(SIDE, Math.ceil((this.board.files - file) / every)),
      ranks: Math.min(SIDE, Math.ceil((this.board.ranks - rank) / every)),
      ...(every > 1 ? { every } : {}),
    });
    keep(this.tiles, key, { rows: answer.rows });
  }

  async run(key) {
    const from = key * RUN + 1;
    const answer = await api.steps({
      question: this.question,
      from_step: from,
      count: Math.min(RUN, this.board.open - from + 1),
    });
    keep(
      this.runs,
      key,
      answer.squares.map((name) => this.board.square(name)),
    );
  }
}

function keep(cache, key, value) {
  cache.set(key, value);
  if (cache.size > KEPT) cache.delete(cache.keys().next().value);
}
