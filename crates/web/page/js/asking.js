// A form that asks: fields, a button that asks, and one that stops what was asked.
//
// Idea: rooms differ in their fields and in what they do with an answer; that Enter asks, that the two buttons change
// places while something runs, and that the address follows the fields, is the same for all.
// Invariant: one of the two buttons is there at any time, and the focus stays on it.

import { h, icon } from './dom.js';
import { toHash, fromHash } from './permalink.js';

/** What asks for nothing, in the words of the API. */
const NOTHING = new Set(['', 'false', 'none', 'moves']);

/** A value of an address or of a field, however it is spaced. */
const plain = (value) => String(value ?? '').toLowerCase().replaceAll('×', 'x').match(/[^\s,]+/g)?.join() ?? '';

export class Asking {
  constructor(name, app) {
    this.name = name;
    this.app = app;
    this.fields = {};
    this.askButton = h(
      'button',
      { type: 'submit', class: 'button primary' },
      icon('knight'),
      h('span', { text: `${name}.ask` }),
    );
    this.stopButton = h(
      'button',
      { type: 'button', class: 'button stop', hidden: true, on: { click: () => this.cancel() } },
      h('span', { text: 'run.cancel' }),
    );
    this.asking = h('div', { class: 'asking' }, this.askButton, this.stopButton);
    this.form = h('form', {
      class: 'fields',
      novalidate: true,
      on: {
        submit: (event) => {
          event.preventDefault();
          this.solve();
        },
      },
    });
  }

  /** Puts fields into the form, under the names that the API knows; `order` is how they stand, with what is between. */
  furnish(fields, ...order) {
    Object.assign(this.fields, fields);
    for (const [name, field] of Object.entries(fields)) field.root.dataset.field = name;
    this.form.replaceChildren(...order.map((part) => part.root ?? part), this.asking);
  }

  /** A field changed that leaves the board as it is: only the address follows. */
  kept() {
    this.remember();
  }

  remember() {
    this.app.remember(this);
  }

  /** Opens the parts of the form in which something is set. */
  openOptions() {
    const set = Object.values(this.fields).filter(({ root, get }) => !root.dataset.always && get() !== undefined);
    for (const part of this.form.querySelectorAll('details'))
      if (set.some(({ root }) => part.contains(root))) part.open = true;
  }

  /** The question as it stands in the address. */
  get hash() {
    return toHash(this.name, this.question() ?? {});
  }

  /** Does the form ask this? */
  asks(question) {
    const words = (hash) => hash.split(/[?&]/).sort().join();
    return words(toHash(this.name, question)) === words(this.hash);
  }

  /** Did the form take this word of an address? */
  takes(name, value) {
    if (name === 'kind' || NOTHING.has(value)) return true;
    const field = this.fields[name];
    if (field?.control?.disabled) return true;
    return [fromHash(this.hash).question[name], field?.get()].some((taken) => plain(taken) === plain(value));
  }

  busy(on) {
    this.root.classList.toggle('running', on);
    const held = [this.askButton, this.stopButton].includes(document.activeElement);
    this.askButton.hidden = on;
    this.stopButton.hidden = !on;
    if (held) (on ? this.stopButton : this.askButton).focus({ preventScroll: true });
    else if (on && document.activeElement === document.body) this.stopButton.focus({ preventScroll: true });
  }
}
