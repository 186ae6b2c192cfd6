// Undo and redo for what is asked.
//
// Idea: a question is a short text, so each state is kept whole. A stroke of the brush is one step, however many
// squares it painted.
// Invariant: `undo` and then `redo` give the same state again; a new state ends what could be redone.

const MOST = 200;

export class Undo {
  constructor(first) {
    this.now = first;
    this.past = [];
    this.future = [];
  }

  /** A new state; `joined` to the step before when it belongs to the same stroke. */
  keep(state, joined = false) {
    if (state === this.now) return;
    if (!joined && this.now !== undefined) this.past.push(this.now);
    if (this.past.length > MOST) this.past.shift();
    this.now = state;
    this.future = [];
  }

  /** The state before, or nothing. */
  undo() {
    return this.#go(this.past, this.future);
  }

  /** The state that was undone last, or nothing. */
  redo() {
    return this.#go(this.future, this.past);
  }

  #go(from, to) {
    if (!from.length) return undefined;
    to.push(this.now);
    this.now = from.pop();
    return this.now;
  }
}
