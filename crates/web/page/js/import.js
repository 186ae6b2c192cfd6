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
    window.addEventListener('dragenter', (event) => {
      if (event.dataTransfer?.types.includes('Files')) over(1);
    });
    window.addEventListener('dragleave', (event) => {
      if (event.dataTransfer?.types.includes('Files')) over(-1);
    });
    window.addEventListener('dragover', (event) => event.preventDefault());
    window.addEventListener('drop', (event) => {
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
    else this.text(await file.text());
  }

  /** Takes any text that the checker can read. */
  async text(text) {
    const here = this.app.room;
    const board = here.name === 'tour' ? here.problem().board : undefined;
    const plain = !/^\s*[[{]/.test(text) && !/[/#*]/.test(text) && /[a-z]+\d/.test(text);
    try {
      const verdict = await api.verify(text, plain && board ? { board } : {});
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
      this.refuse(refusalPhrase(error));
    }
  }

  refuse(text) {
    const { room } = this.app;
    room.report?.refuse(text);
    room.stage?.say(text);
    if (!room.report) room.status.textContent = text;
  }
}
