// Bringing a file in: drop it anywhere, choose it, or paste it.
//
// Idea: the page does not read files itself. The server's checker says what the text is (a certificate, a puzzle, a
// FEN, a board) and whether it is right; the room it belongs to shows it, a fault at its square.

import { h } from './dom.js';
import { api } from './api.js';
import { refusalPhrase, faultPhrase } from './phrases.js';
import { t } from './i18n.js';
import { fromFen } from './board.js';

const ROOMS = {
  tour: 'tour',
  board: 'tour',
  count: 'count',
  capture: 'capture',
  puzzle: 'capture',
  swap: 'swap',
  position: 'swap',
};
const MOST = 16 * 1024 * 1024;

export class Import {
  constructor(app) {
    this.app = app;
    this.veil = h('div', { class: 'veil', hidden: true }, h('p', { text: 'import.drop' }));
    this.input = h('input', {
      type: 'file',
      label: 'import.open',
      accept: '.json,.txt,.fen,.csv,.in,.dat,text/*,application/json',
      on: { change: () => this.chosen() },
    });
    this.input.hidden = true;
    document.body.append(this.veil, this.input);
    let depth = 0;
    const over = (by) => {
      depth = Math.max(0, depth + by);
      this.veil.hidden = depth === 0;
    };
    // Text that is dragged or pasted into a field is the field's.
    const field = ({ target }) => target.closest?.('input, select, textarea');
    const files = ({ dataTransfer }) => dataTransfer?.types.includes('Files');
    window.addEventListener('dragenter', (event) => {
      if (files(event)) over(1);
    });
    window.addEventListener('dragleave', (event) => {
      if (files(event)) over(-1);
    });
    window.addEventListener('dragover', (event) => {
      if (files(event) || !field(event)) event.preventDefault();
    });
    window.addEventListener('paste', (event) => {
      const pasted = event.clipboardData?.files?.[0] ?? event.clipboardData?.getData('text');
      if (field(event) || !pasted) return;
      event.preventDefault();
      if (typeof pasted === 'string') this.text(pasted);
      else this.file(pasted);
    });
    window.addEventListener('drop', (event) => {
      if (!files(event) && field(event)) return;
      event.preventDefault();
      depth = 0;
      this.veil.hidden = true;
      const file = event.dataTransfer?.files?.[0];
      if (file) this.file(file);
      else if (event.dataTransfer?.getData('text')) this.text(event.dataTransfer.getData('text'));
    });
  }

  choose() {
    this.input.click();
  }

  chosen() {
    const [file] = this.input.files;
    if (file) this.file(file);
    this.input.value = '';
  }

  async file(file) {
    if (file.size > MOST) this.refuse(t('import.too_big'));
    else this.text(file.text());
  }

  /** Takes any text that the checker can read, unless another comes, or the reader goes elsewhere, meanwhile. */
  async text(coming) {
    const here = this.app.room;
    const token = {};
    this.latest = token;
    const late = () => this.latest !== token || this.app.room !== here;
    const text = await coming;
    if (late()) return;
    const board = here.name === 'tour' ? here.problem().board : undefined;
    const plain = !/^\s*[[{]/.test(text) && !/[/#*]/.test(text) && /[a-z]+\d/.test(text);
    try {
      const verdict = await api.verify(text, plain && board ? { board } : {});
      if (late()) return;
      const name = ROOMS[verdict.kind] ?? ROOMS[verdict.question?.kind];
      const puzzle = verdict.fen ?? verdict.question?.puzzle;
      if (name === 'capture' && !fromFen(puzzle ?? '')) this.refuse(t('import.strange'));
      else if (name && verdict.question) {
        this.app.enter(name);
        this.app.room.receive(verdict);
      } else if (verdict.valid) this.refuse(t('import.strange'));
      else {
        this.refuse(faultPhrase(verdict));
        here.markFault?.(verdict.fault);
      }
    } catch (error) {
      if (!late()) this.refuse(refusalPhrase(error));
    }
  }

  refuse(text) {
    const { room } = this.app;
    room.report?.refuse(text);
    room.stage?.say(text);
    if (!room.report) room.status.textContent = text;
  }
}
