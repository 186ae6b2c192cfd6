// Keys that work everywhere, and the list of them.
//
// Idea: one table of keys, each with its words; the dialog behind `?` is made from the same table, so it cannot tell
// of a key that does nothing. Keys are quiet while someone types, and can be turned off.

import { h, iconButton } from './dom.js';
import { kept } from './kept.js';

const KEPT = 'destrier.keys';

export class Keys {
  constructor(table) {
    this.table = table;
    this.on = kept.get(KEPT) !== 'off';
    const allow = h('input', {
      type: 'checkbox',
      id: 'allow-keys',
      checked: this.on,
      on: {
        change: () => {
          this.on = allow.checked;
          kept.set(KEPT, this.on ? 'on' : 'off');
        },
      },
    });
    const row = (keys, text) =>
      h('tr', {}, h('th', { scope: 'row' }, ...keys.flatMap((key) => [h('kbd', {}, key), ' '])), h('td', { text }));
    this.dialog = h(
      'dialog',
      { class: 'dialog', 'aria-labelledby': 'keys-title' },
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', { id: 'keys-title', text: 'keys.title' }),
        iconButton('close', 'keys.close', () => this.dialog.close()),
      ),
      h(
        'table',
        { class: 'keys' },
        h(
          'tbody',
          {},
          row(['←', '↑', '→', '↓'], 'keys.cursor'),
          row(['Enter', '␣'], 'keys.act'),
          row(['Shift+→'], 'keys.far'),
          row(['Delete'], 'keys.erase'),
          row(['+', '−'], 'keys.zoom'),
          ...table.map(({ keys, text }) => row(keys, text)),
        ),
      ),
      h('p', { class: 'field check' }, allow, h('label', { for: 'allow-keys', text: 'keys.allow' })),
    );
    document.body.append(this.dialog);
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    document.addEventListener('keydown', (event) => this.hear(event));
  }

  show() {
    if (!this.dialog.open) this.dialog.showModal();
  }

  hear(event) {
    if (this.dialog.open) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const typing = event.target.closest?.(
      'input:not([type=checkbox]):not([type=radio]):not([type=range]), select, textarea',
    );
    const shortcut =
      ctrl && `Ctrl+${event.shiftKey ? 'Shift+' : ''}${event.key.length === 1 ? event.key.toUpperCase() : event.key}`;
    const meant = ctrl && this.table.find(({ keys }) => keys.includes(shortcut));
    // In a line of text, undo is the browser's own.
    if (meant && !(typing && shortcut !== 'Ctrl+Enter')) {
      event.preventDefault();
      if (typing) {
        // The browser tells of a changed field when it is left.
        event.target.blur();
        event.target.focus();
      }
      meant.act(shortcut);
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = this.table.find(({ keys }) => keys.includes(event.key));
    if (!found || (typing && event.key !== 'Escape') || (!this.on && event.key.length === 1)) return;
    event.preventDefault();
    found.act(event.key);
  }
}
