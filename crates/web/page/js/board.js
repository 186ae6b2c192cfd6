// Boards and squares, in the page's own words.
//
// Idea: a square is a number, rank * files + file; names are algebraic (`a1` bottom left, `aa10` past `z`), FEN is the
// extended one (runs of several digits, `#` or `*` for a hole). The page decides legal moves for play and drawing
// only; answers are checked by the server.
// Invariant: `board.square(board.name(v)) === v` for every square of the board.

/** Files in letters: 0 is a, 25 is z, 26 is aa. */
export function fileName(file) {
  let name = '';
  for (let left = file + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    name = String.fromCharCode(97 + ((left - 1) % 26)) + name;
  }
  return name;
}

const MOST = 1_000_000_000;

export class Board {
  constructor(files, ranks, { holes = [], wrap = 'none', leaper = [1, 2] } = {}) {
    this.files = files;
    this.ranks = ranks;
    this.wrap = wrap;
    this.leaper = leaper;
    this.holes = new Set(holes);
  }

  /** Reads `8x8`; nothing if it is no size. */
  static size(text) {
    const found = /^\s*(\d+)\s*[x×]\s*(\d+)\s*$/i.exec(text);
    if (!found) return null;
    const files = Number(found[1]);
    const ranks = Number(found[2]);
    return files > 0 && ranks > 0 && files <= MOST && ranks <= MOST ? { files, ranks } : null;
  }

  get size() {
    return this.files * this.ranks;
  }

  get open() {
    return this.size - this.holes.size;
  }

  /** Is it so much longer than wide that it is looked at along its length? */
  get long() {
    const longer = Math.max(this.files, this.ranks);
    return longer > 20 && longer > 4 * Math.min(this.files, this.ranks);
  }

  get sizeName() {
    return `${this.files}x${this.ranks}`;
  }

  at(file, rank) {
    return rank * this.files + file;
  }

  /** The square so many files and ranks away, or the last one on the way there. */
  towards(square, dx, dy) {
    const within = (place, sides) => Math.min(sides - 1, Math.max(0, place));
    return this.at(within(this.file(square) + dx, this.files), within(this.rank(square) + dy, this.ranks));
  }

  file(square) {
    return square % this.files;
  }

  rank(square) {
    return Math.floor(square / this.files);
  }

  has(file, rank) {
    return file >= 0 && rank >= 0 && file < this.files && rank < this.ranks;
  }

  name(square) {
    return fileName(this.file(square)) + (this.rank(square) + 1);
  }

  /** The square of a name, or -1. */
  square(name) {
    const found = /^([a-z]+)([1-9]\d*)$/.exec(String(name).trim().toLowerCase());
    if (!found) return -1;
    let file = 0;
    for (const letter of found[1]) file = file * 26 + letter.charCodeAt(0) - 96;
    const rank = Number(found[2]) - 1;
    return this.has(file - 1, rank) ? this.at(file - 1, rank) : -1;
  }

  /** Is the square dark, as on a chessboard with a dark a1? */
  dark(square) {
    return (this.file(square) + this.rank(square)) % 2 === 0;
  }

  /** The eight jumps as steps of file and rank. */
  get steps() {
    const [a, b] = this.leaper;
    const steps = [];
    for (const [x, y] of [
      [a, b],
      [b, a],
    ]) {
      for (const dx of x ? [-x, x] : [0]) for (const dy of y ? [-y, y] : [0]) steps.push([dx, dy]);
    }
    return a === b ? steps.slice(0, 4) : steps;
  }

  /** The squares one jump away. */
  jumps(square) {
    const found = new Set();
    const wrapsX = this.wrap === 'x' || this.wrap === 'both';
    const wrapsY = this.wrap === 'y' || this.wrap === 'both';
    for (const [dx, dy] of this.steps) {
      let file = this.file(square) + dx;
      let rank = this.rank(square) + dy;
      if (wrapsX) file = ((file % this.files) + this.files) % this.files;
      if (wrapsY) rank = ((rank % this.ranks) + this.ranks) % this.ranks;
      if (!this.has(file, rank)) continue;
      const to = this.at(file, rank);
      if (to !== square && !this.holes.has(to)) found.add(to);
    }
    return [...found];
  }

  /**
   * The lines of a jump, in squares from the bottom left: one, or for a jump over a joined edge two, one that leaves
   * the board and one that comes in on the other side.
   */
  legs(from, to) {
    const [x, y] = [this.file(from) + 0.5, this.rank(from) + 0.5];
    const [u, v] = [this.file(to) + 0.5, this.rank(to) + 0.5];
    const [dx, dy] = [u - x, v - y];
    const { steps } = this;
    if (this.wrap === 'none' || steps.some(([a, b]) => a === dx && b === dy)) return [[x, y, u, v]];
    const same = (a, b, side) => (((a - b) % side) + side) % side === 0;
    const step = steps.find(([a, b]) => same(a, dx, this.files) && same(b, dy, this.ranks));
    if (!step) return [[x, y, u, v]];
    return [
      [x, y, x + step[0], y + step[1]],
      [u - step[0], v - step[1], u, v],
    ];
  }

  /** The holes by name, in reading order. */
  holeNames() {
    return [...this.holes].sort((a, b) => a - b).map((hole) => this.name(hole));
  }

  /** A board of another size that keeps the holes still on it. */
  resized(files, ranks) {
    const board = new Board(files, ranks, { wrap: this.wrap, leaper: this.leaper });
    for (const hole of this.holes) {
      if (board.has(this.file(hole), this.rank(hole))) board.holes.add(board.at(this.file(hole), this.rank(hole)));
    }
    return board;
  }
}

/** Writes a placement (square → letter) as extended FEN. */
export function toFen(board, placement) {
  const rows = [];
  for (let rank = board.ranks - 1; rank >= 0; rank -= 1) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < board.files; file += 1) {
      const square = board.at(file, rank);
      const letter = board.holes.has(square) ? '#' : placement.get(square);
      if (letter) {
        row += (empty || '') + letter;
        empty = 0;
      } else empty += 1;
    }
    rows.push(row + (empty || ''));
  }
  return rows.join('/');
}

/** Reads extended FEN into a board and a placement; nothing if rows differ in length. */
export function fromFen(text) {
  const rows = text.trim().split(/\s+/)[0].split('/').reverse();
  const read = rows.map((row) =>
    [...row.matchAll(/\d+|./g)].flatMap(([run]) =>
      /^\d/.test(run) ? Array(Math.min(Number(run), 4096)).fill('') : [run],
    ),
  );
  const files = read[0]?.length ?? 0;
  if (files === 0 || read.some((row) => row.length !== files)) return null;
  const board = new Board(files, read.length);
  const placement = new Map();
  read.forEach((row, rank) =>
    row.forEach((letter, file) => {
      if (letter === '#' || letter === '*') board.holes.add(board.at(file, rank));
      else if (letter) placement.set(board.at(file, rank), letter);
    }),
  );
  return { board, placement };
}
