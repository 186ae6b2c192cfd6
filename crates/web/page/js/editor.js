// One editor for pieces on a board: Capture has one placement, Swap has a start and a goal.
//
// Idea: a layer is a map from squares to letters; holes belong to the board and so to all layers. Tools are letters,
// `hole` and `erase`. A letter in `single` is there once: setting it moves it.
// Invariant: no layer has a letter on a hole.

import { Board, toFen, fromFen } from './board.js';

export class Editor {
  constructor({ layers = 1, single = [] } = {}) {
    this.single = single;
    this.board = new Board(1, 1);
    this.layers = Array.from({ length: layers }, () => new Map());
  }

  /** Takes a FEN for each layer; false, and nothing changes, when they do not fit together. */
  load(fens) {
    const read = fens.map((fen) => fromFen(fen ?? ''));
    if (read.some((one) => !one || one.board.sizeName !== read[0].board.sizeName)) return false;
    this.board = read[0].board;
    for (const { board } of read) for (const hole of board.holes) this.board.holes.add(hole);
    this.layers = read.map(({ placement }) => placement);
    this.tidy();
    return true;
  }

  /** The layers as FENs. */
  fens() {
    return this.layers.map((layer) => toFen(this.board, layer));
  }

  /** The only square with this letter, or -1. */
  find(letter, layer = 0) {
    for (const [square, one] of this.layers[layer]) if (one === letter) return square;
    return -1;
  }

  /** The squares with this letter. */
  all(letter, layer = 0) {
    return [...this.layers[layer]].filter(([, one]) => one === letter).map(([square]) => square);
  }

  /** Another size: what is still on the board stays where it was. */
  resize(files, ranks) {
    const old = this.board;
    this.board = old.resized(files, ranks);
    this.layers = this.layers.map(
      (layer) =>
        new Map(
          [...layer]
            .filter(([square]) => this.board.has(old.file(square), old.rank(square)))
            .map(([square, letter]) => [this.board.at(old.file(square), old.rank(square)), letter]),
        ),
    );
  }

  /** Makes these squares the holes of the board. What stands there goes; a single piece stays, and its square with it. */
  cut(holes) {
    const kept = new Set(this.single.flatMap((letter) => this.layers.map((_, layer) => this.find(letter, layer))));
    this.board.holes = new Set(holes.filter((hole) => !kept.has(hole)));
    this.tidy();
  }

  /** Takes away all pieces but the single ones. */
  clear() {
    for (const layer of this.layers)
      for (const [square, letter] of layer) if (!this.single.includes(letter)) layer.delete(square);
  }

  /**
   * Uses a tool on a square. The first square of a stroke sets or unsets; the others, `again`, do what it did.
   * Returns whether anything changed.
   */
  paint(square, tool, { again = false, layer = 0 } = {}) {
    const before = this.fens().join();
    const { holes } = this.board;
    const pieces = this.layers[layer];
    if (this.single.includes(pieces.get(square)) && tool !== pieces.get(square)) return false;
    if (tool === 'hole') {
      this.setting = again ? this.setting : !holes.has(square);
      for (const one of this.layers) one.delete(square);
      if (this.setting) holes.add(square);
      else holes.delete(square);
    } else if (tool === 'erase') {
      holes.delete(square);
      pieces.delete(square);
    } else {
      const single = this.single.includes(tool);
      this.setting = single || (again ? this.setting : pieces.get(square) !== tool);
      if (single) pieces.delete(this.find(tool, layer));
      holes.delete(square);
      pieces.delete(square);
      if (this.setting) pieces.set(square, tool);
    }
    return this.fens().join() !== before;
  }

  /** Is there a piece that can be carried? */
  carries(square, layer = 0) {
    return this.layers[layer].has(square);
  }

  /**
   * Carries a piece to another square, or off the board (-1), where only those that are not single go. From a square
   * with a piece it goes back: nothing is lost.
   */
  carry(from, to, layer = 0) {
    const pieces = this.layers[layer];
    const letter = pieces.get(from);
    if (!letter || from === to) return false;
    if (to < 0 ? this.single.includes(letter) : pieces.has(to)) return false;
    pieces.delete(from);
    if (to >= 0) {
      pieces.set(to, letter);
      this.board.holes.delete(to);
    }
    return true;
  }

  tidy() {
    for (const layer of this.layers) for (const hole of this.board.holes) layer.delete(hole);
  }
}
