// The rules of play: you are the knight.
//
// Idea: a game is what has been played; everything else (legal squares, what stands where, whether it is won) is
// worked out from that, so undo is taking the last move away. Three games: a tour, a capture, a swap.
// Invariant: only legal moves are ever in `played`. A win is checked again by the server before it is called one.

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
  constructor(board, { closed, from, to }) {
    this.board = board;
    this.closed = Boolean(closed);
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

  undo() {
    if (this.played.length > (this.from >= 0 ? 1 : 0)) this.played.pop();
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

  legal() {
    return this.board.jumps(this.played.at(-1));
  }

  play(square) {
    if (this.won || !this.legal().includes(square)) return false;
    this.played.push(square);
    return true;
  }

  undo() {
    if (this.played.length > 1) this.played.pop();
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
      pieces: [
        ...this.targets.map((square) => ({ id: `p${square}`, kind: 'pawn', square, gone: !left.has(square) })),
        { id: 'knight', kind: 'knight', square: this.played.at(-1) },
      ],
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

  placement() {
    const placed = new Map([...this.start].map(([square, letter], index) => [square, { letter, id: `k${index}` }]));
    for (const [from, to] of this.played) {
      placed.set(to, placed.get(from));
      placed.delete(from);
    }
    return placed;
  }

  get turn() {
    if (!this.alternate) return null;
    const other = this.alternate === 'white' ? 'black' : 'white';
    return this.played.length % 2 === 0 ? this.alternate : other;
  }

  movable(placed, square) {
    const piece = placed.get(square);
    return Boolean(piece) && (!this.turn || side(piece.letter) === this.turn);
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
      pieces: [...this.placement()].map(([square, { letter, id }]) => ({ id, kind: side(letter), square })),
      marks: {
        picked: this.picked,
        legal: this.legal(),
        goals: [...this.goal].filter(([, letter]) => letter !== '?').map(([square, letter]) => [square, side(letter)]),
      },
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

/** Upper case is white. */
export const side = (letter) => (letter === letter.toUpperCase() ? 'white' : 'black');
