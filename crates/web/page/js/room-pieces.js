// What Capture and Swap share: pieces are painted on the board, and the puzzle travels as FEN.
//
// Idea: the editor has the pieces; a room says which tool is in hand, which layer is painted, and how the fields tell what
// is on the board (`written`).
// Invariant: after every change the fields, the address and the board say the same.

import { Room } from './room.js';
import { Board, fromFen } from './board.js';
import { Editor } from './editor.js';
import { toolField } from './form.js';

/** The words of an address that are a FEN. */
const FENS = new Set(['puzzle', 'start', 'goal', 'from', 'to']);

export class PieceRoom extends Room {
  constructor(name, { layers, single, ...more }) {
    super(name, { ...more, playable: true, optimum: true });
    this.editor = new Editor({ layers, single });
  }

  /** Tools for these letters, for holes, and to erase. */
  paintTools(...letters) {
    return toolField(
      [...letters, ['hole', 'tool.hole'], ['erase', 'tool.erase']],
      this.editBar(['form.clear', 'form.clear_board', () => this.clear()]),
    );
  }

  /** The layer that is painted. */
  get layer() {
    return 0;
  }

  /** Takes a FEN for each layer; false when they do not fit together. */
  load(...fens) {
    if (!this.editor.load(fens)) return false;
    this.written();
    return true;
  }

  takes(name, value) {
    if (!FENS.has(name)) return super.takes(name, value);
    return fromFen(value)?.board.sizeName === this.editor.board.sizeName;
  }

  edited(joined = false) {
    this.written();
    this.changed(joined);
  }

  clear() {
    this.editor.clear();
    this.edited();
  }

  /** Cuts a shape out of the board. */
  cut(holes) {
    this.editor.cut(holes);
    this.edited();
  }

  resize() {
    const size = Board.size(this.fields.board.get() ?? '');
    if (!size) return;
    this.editor.resize(size.files, size.ranks);
    for (const letter of this.editor.single) if (this.editor.find(letter) < 0) this.editor.paint(0, letter);
    this.edited();
  }

  paint(square, again) {
    this.use(this.tool.get(), square, again);
  }

  erase(square, again) {
    this.use('erase', square, again);
  }

  use(tool, square, again) {
    if (this.editor.paint(square, tool, { again, layer: this.layer })) this.edited(again);
    this.stage.tellSquare(square);
  }

  carries(square) {
    return this.editor.carries(square, this.layer);
  }

  carry(from, to) {
    if (this.editor.carry(from, to, this.layer)) this.edited();
    this.stage.tellSquare(to < 0 ? from : to);
  }
}
