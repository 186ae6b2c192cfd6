// Where a board is looked at from: a centre in squares and a scale in pixels a square.
//
// Idea: everything on the canvas is placed through `left` and `top`, so zoom and pan change three numbers and nothing
// else. On the left and at the bottom a strip is left free for the names of ranks and files.
// Invariant: after `keepInside` at most a strip of one square lies outside the board, or the board is centred.

const LARGEST = 72;
/** A view that stays where it is need not be drawn again: less than this is no move. */
const STILL = 1e-9;

/** A view of `this.board` on a field of `this.wide` by `this.high` pixels; whoever has one says `redraw`. */
export class Camera {
  /** Pixels left free on the left and at the bottom. */
  inset = { left: 0, bottom: 0 };

  /** The width of the part that shows squares. */
  get across() {
    return this.wide - this.inset.left;
  }

  /** The height of the part that shows squares. */
  get up() {
    return this.high - this.inset.bottom;
  }

  /** The smallest scale: the whole board. */
  get smallest() {
    return Math.min(LARGEST, Math.min(this.across / this.board.files, this.up / this.board.ranks) * 0.98);
  }

  /** Is the whole board in sight? */
  get whole() {
    return this.scale <= this.smallest * 1.001;
  }

  /** Shows the whole board; of a long one the beginning, at a size that can be read. */
  fit() {
    if (!this.board || !this.wide) return;
    const { files, ranks, long } = this.board;
    const readable = Math.min(LARGEST / 2, Math.max(this.across / files, this.up / ranks) * 0.98);
    this.scale = long ? Math.max(this.smallest, readable) : this.smallest;
    this.x = files / 2;
    this.y = ranks / 2;
    if (long && files > ranks) this.x = this.across / this.scale / 2 - 0.5;
    if (long && ranks > files) this.y = this.up / this.scale / 2 - 0.5;
    this.keepInside();
    this.redraw();
  }

  /** The field has another size; a board that was wholly in sight is so again. */
  resize(wide, high) {
    const whole = !this.wide || !this.board || this.whole;
    this.wide = wide;
    this.high = high;
    if (whole) this.fit();
    else {
      this.scale = Math.max(this.scale, this.smallest);
      this.keepInside();
    }
  }

  zoom(by, left = this.inset.left + this.across / 2, top = this.up / 2) {
    const before = this.at(left, top);
    this.scale = Math.min(LARGEST, Math.max(this.smallest, this.scale * by));
    const after = this.at(left, top);
    this.x += before[0] - after[0];
    this.y += before[1] - after[1];
    this.keepInside();
    this.redraw();
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.keepInside();
    this.redraw();
  }

  keepInside() {
    const hold = (value, all, seen) =>
      seen >= all ? all / 2 : Math.min(all - seen / 2 + 1, Math.max(seen / 2 - 1, value));
    this.x = hold(this.x, this.board.files, this.across / this.scale);
    this.y = hold(this.y, this.board.ranks, this.up / this.scale);
  }

  /** Moves the view so that a square is well in sight. */
  reveal(square) {
    if (!this.wide) return;
    const reach = [(this.across / this.scale) * 0.4, (this.up / this.scale) * 0.4];
    const [file, rank] = [this.board.file(square) + 0.5, this.board.rank(square) + 0.5];
    const was = [this.x, this.y];
    if (Math.abs(file - this.x) > reach[0]) this.x = file;
    if (Math.abs(rank - this.y) > reach[1]) this.y = rank;
    this.keepInside();
    if (Math.abs(this.x - was[0]) + Math.abs(this.y - was[1]) > STILL) this.redraw();
  }

  /** The place on the board under a point, in squares from the bottom left. */
  at(left, top) {
    const [middle, centre] = [this.inset.left + this.across / 2, this.up / 2];
    return [this.x + (left - middle) / this.scale, this.y - (top - centre) / this.scale];
  }

  left(file) {
    return this.inset.left + this.across / 2 + (file - this.x) * this.scale;
  }

  top(rank) {
    return this.up / 2 - (rank - this.y) * this.scale;
  }

  centre(square) {
    return [this.left(this.board.file(square) + 0.5), this.top(this.board.rank(square) + 0.5)];
  }
}
