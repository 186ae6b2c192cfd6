// What a pointer on a board means: a tap, a stroke of the brush, a piece that is carried, or a page that is scrolled.
//
//   mouse: a press on a piece and a move carries it, else a brush paints at once; without a brush a click is a tap, and
//          a drag moves a board that is larger than its frame.
//   touch: a tap is a tap. Resting a moment, or moving sideways, carries a piece or paints; a move up or down is left
//          to the browser, which scrolls.
//   The right button erases.
//
// Idea: the board says what is under the pointer (`squareAt`), whether a brush is in hand (`paints`) and whether there
// is something to carry (`carries`); it hears what happened (`tap`, `paint`, `erase`, `lift`, `carry`; `pan` where it has
// one).
// Invariant: a touch that becomes a scroll has changed nothing.

/** A touch that rests so long paints, in milliseconds. */
export const REST = 220;
/** A pointer that moved further is no longer where it was, in pixels. */
const NEAR = { mouse: 4, touch: 9, pen: 6 };

export class Gesture {
  constructor(board, { later = (act, ms) => setTimeout(act, ms), never = (timer) => clearTimeout(timer) } = {}) {
    this.board = board;
    this.later = later;
    this.never = never;
    this.end();
  }

  /** Does the gesture have the pointer, so that the browser must not scroll? */
  get active() {
    return ['painting', 'erasing', 'carrying'].includes(this.state);
  }

  down(event) {
    if (this.pointer !== null) return;
    const { board } = this;
    const square = board.squareAt(event);
    if (square < 0) return;
    this.pointer = event.pointerId;
    this.from = square;
    this.at = square;
    this.began = [event.clientX, event.clientY];
    this.near = NEAR[event.pointerType] ?? NEAR.mouse;
    if (event.button === 2) this.stroke('erasing');
    else if (event.button !== 0) this.end();
    else if (event.pointerType === 'touch') {
      this.state = 'resting';
      this.timer = this.later(() => this.rested(), REST);
    } else if (board.carries(square)) this.state = 'resting';
    else if (board.paints()) this.stroke('painting');
    else this.state = 'resting';
  }

  /** The finger has not moved: it paints, if there is a brush. */
  rested() {
    if (this.state !== 'resting') return;
    if (this.board.carries(this.from)) this.lift();
    else if (this.board.paints()) this.stroke('painting');
  }

  stroke(state) {
    this.state = state;
    this.never(this.timer);
    if (state === 'erasing') this.board.erase(this.from, false);
    else this.board.paint(this.from, false);
  }

  lift(event) {
    this.state = 'carrying';
    this.never(this.timer);
    this.board.lift(this.from, event);
  }

  move(event) {
    if (event.pointerId !== this.pointer) return;
    const { board } = this;
    if (this.state === 'resting') {
      const [dx, dy] = [event.clientX - this.began[0], event.clientY - this.began[1]];
      if (Math.hypot(dx, dy) <= this.near) return;
      const touch = event.pointerType === 'touch';
      const scrolls = touch && Math.abs(dx) <= Math.abs(dy);
      if (board.carries(this.from) && !scrolls) this.lift(event);
      else if (touch && board.paints() && !scrolls) this.stroke('painting');
      else if (!touch && board.pan) this.state = 'panning';
      else {
        this.end();
        return;
      }
    }
    if (this.state === 'panning') {
      board.pan(event.clientX - this.began[0], event.clientY - this.began[1]);
      this.began = [event.clientX, event.clientY];
      return;
    }
    if (this.state === 'carrying') {
      board.lift(this.from, event);
      return;
    }
    const square = board.squareAt(event);
    if (square < 0 || square === this.at) return;
    this.at = square;
    if (this.state === 'painting') board.paint(square, true);
    else if (this.state === 'erasing') board.erase(square, true);
  }

  up(event) {
    if (event.pointerId !== this.pointer) return;
    const { state, from } = this;
    const to = this.board.squareAt(event);
    this.end();
    if (state === 'resting') this.board.tap(from);
    else if (state === 'carrying' && to !== from) this.board.carry(from, to);
    else if (state === 'carrying') this.board.lift(-1);
  }

  /** The browser took the pointer away. */
  cancel(event) {
    if (event.pointerId !== this.pointer) return;
    if (this.state === 'carrying') this.board.lift(-1);
    this.end();
  }

  end() {
    this.never(this.timer);
    this.pointer = null;
    this.state = 'none';
  }

  /** Listens on an element. */
  listen(element) {
    element.addEventListener('pointerdown', (event) => {
      this.down(event);
      // A finger that carries or paints stays ours wherever it goes.
      if (this.pointer !== null && event.pointerType !== 'mouse') element.setPointerCapture?.(event.pointerId);
    });
    // On the window, so that a piece can be carried off the board.
    globalThis.addEventListener('pointermove', (event) => this.move(event));
    globalThis.addEventListener('pointerup', (event) => this.up(event));
    globalThis.addEventListener('pointercancel', (event) => this.cancel(event));
    element.addEventListener('contextmenu', (event) => {
      if (this.board.erases()) event.preventDefault();
    });
    element.addEventListener(
      'touchmove',
      (event) => {
        if (this.active && event.cancelable) event.preventDefault();
      },
      { passive: false },
    );
  }
}
