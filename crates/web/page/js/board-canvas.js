// The board as pixels: thousands of squares, or millions, with zoom and pan.
//
// Idea: four canvases one above the other: the ground, the path (`trail.js`), the numbers, and what moves. A step of the
// player adds a few lines to the path and draws what moves again; only a new view draws everything, and of that only
// what is seen. A small map shows where we are.
// Invariant: the same calls as the SVG board, so that a stage does not know which of them it has.

import { h } from './dom.js';
import { KNIGHT, PAWN } from './glyphs.js';
import { markWords } from './cells.js';
import { t } from './i18n.js';
import { fileName } from './board.js';
import { paletteOf } from './palette.js';
import { SmallMap } from './small-map.js';
import { Trail, SHADES, LINES } from './trail.js';
import { Gesture } from './gesture.js';

/** Below so many pixels a square there are no pieces. */
const PIECES = 12;
/** Pixels below the board for the names of files, and pixels of a letter or digit there. */
const BELOW = 22;
const LETTER = 7;

/** Places from `from` on before `to` that are named: every one, or those whose number is a multiple of 2, 5, 10, 20, …, so far apart. */
function ticks(from, to, apart) {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, apart)));
  const every = [1, 2, 5, 10].find((few) => few * ten >= apart) * ten;
  const places = [];
  for (let place = Math.ceil((from + 1) / every) * every - 1; place < to; place += every) places.push(place);
  if (from === 0 && every > 1 && every - 1 >= apart) places.unshift(0);
  return places;
}

export class CanvasBoard extends Trail {
  constructor({ hands, cursor }) {
    super();
    this.hands = hands;
    this.onCursor = cursor;
    const layer = (name) => h('canvas', { class: `layer ${name}`, 'aria-hidden': 'true' });
    this.layers = { ground: layer('pixels'), path: layer('path'), numbers: layer('digits'), things: layer('things') };
    this.map = new SmallMap((x, y) => {
      this.x = x * this.board.files;
      this.y = y * this.board.ranks;
      this.keepInside();
      this.redraw();
    });
    this.root = h(
      'div',
      { class: 'canvas-board', role: 'application', tabindex: '0' },
      ...Object.values(this.layers),
      this.map.canvas,
    );
    this.pieces = [];
    this.marks = {};
    this.film = null;
    this.walks = [];
    this.style = 'both';
    this.cursor = 0;
    this.pointers = new Map();
    this.glyphs = { knight: new Path2D(KNIGHT), pawn: new Path2D(PAWN) };
    this.listen();
    new ResizeObserver(() => this.resized()).observe(this.root);
  }

  setBoard(board) {
    const same = this.board && this.board.sizeName === board.sizeName;
    this.board = board;
    this.film = null;
    this.walks = [];
    this.heat = null;
    this.marks = {};
    this.cursor = Math.min(this.cursor, board.size - 1);
    this.inset = { left: 14 + LETTER * String(board.ranks).length, bottom: BELOW };
    if (!same) this.fit();
    this.redraw();
  }

  setPieces(pieces) {
    this.pieces = pieces;
    this.later('things');
  }

  setMarks(marks) {
    this.marks = marks;
    this.later('things');
  }

  setFilm(film) {
    this.film = film;
    this.step = film ? film.last : 0;
    this.redraw();
  }

  setStep(step) {
    this.step = step;
    this.later('path');
    this.setPieces(this.film.pieces(step));
    const knight = this.pieces.find((piece) => piece.kind === 'knight');
    if (knight && this.follow) this.reveal(knight.square);
  }

  setWalks(walks) {
    this.walks = walks.map((walk) => [...walk]);
    this.later('things');
  }

  setHeat(heat) {
    this.heat = heat;
    this.redraw();
  }

  setStyle(style) {
    this.style = style;
    this.redraw();
  }

  clear() {
    this.film = null;
    this.walks = [];
    this.heat = null;
    this.pieces = [];
    this.marks = {};
    this.redraw();
  }

  /** Colours from the style sheet; asked again when light and dark change. */
  repaint() {
    this.colours = null;
    this.redraw();
  }

  /** The colours; asked for again when light and dark change. */
  palette() {
    this.colours ??= paletteOf(this.root);
    return this.colours;
  }

  resized() {
    const box = this.root.getBoundingClientRect();
    if (box.width === 0) return;
    this.dense = window.devicePixelRatio || 1;
    for (const canvas of Object.values(this.layers)) {
      canvas.width = Math.round(box.width * this.dense);
      canvas.height = Math.round(box.height * this.dense);
    }
    this.resize(box.width, box.height);
    this.stale = 'all';
    this.draw();
  }

  /** Everything is drawn again in the next frame. */
  redraw() {
    this.later('all');
  }

  /** In the next frame these are drawn again: `all`, the `path` and the `things` above it, or the `things` alone. */
  later(what) {
    const order = ['things', 'path', 'all'];
    if (!this.stale || order.indexOf(what) > order.indexOf(this.stale)) this.stale = what;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  /** A clean pen for a layer. */
  pen(name, keep = false) {
    const pen = this.layers[name].getContext('2d');
    pen.setTransform(this.dense, 0, 0, this.dense, 0, 0);
    if (!keep) pen.clearRect(0, 0, this.wide, this.high);
    return pen;
  }

  draw() {
    if (!this.board || !this.wide || !this.scale) return;
    const { stale } = this;
    this.stale = null;
    const [west, north] = this.at(this.inset.left, 0);
    const [east, south] = this.at(this.wide, this.up);
    const sight = {
      west: Math.max(0, Math.floor(west)),
      east: Math.min(this.board.files, Math.ceil(east)),
      south: Math.max(0, Math.floor(south)),
      north: Math.min(this.board.ranks, Math.ceil(north)),
    };
    const colours = this.palette();
    if (stale === 'all') {
      this.drawSquares(this.pen('ground'), sight, colours);
      this.map.draw(this, sight, colours);
      this.root.classList.toggle('whole', this.whole);
    }
    if (stale !== 'things') this.drawPath(sight, colours, stale === 'all');
    const pen = this.pen('things');
    this.walks.forEach((walk, walker) => this.drawWalk(pen, colours, walk, walker));
    this.drawThings(pen, colours);
    this.drawEdges(pen, sight, colours);
  }

  drawSquares(pen, sight, colours) {
    const [l, t0] = [this.left(sight.west), this.top(sight.north)];
    const [w, hh] = [(sight.east - sight.west) * this.scale, (sight.north - sight.south) * this.scale];
    pen.fillStyle = colours.light;
    pen.fillRect(l, t0, w, hh);
    if (this.scale >= LINES) {
      pen.fillStyle = colours.dark;
      pen.beginPath();
      for (let rank = sight.south; rank < sight.north; rank += 1) {
        const top = this.top(rank + 1);
        for (let file = sight.west + ((sight.west + rank) % 2); file < sight.east; file += 2) {
          pen.rect(this.left(file), top, this.scale, this.scale);
        }
      }
      pen.fill();
    }
    pen.fillStyle = colours.hole;
    pen.strokeStyle = colours.hatch;
    pen.lineWidth = 1.2;
    for (const hole of this.board.holes) {
      const [x, y] = [this.left(this.board.file(hole)), this.top(this.board.rank(hole) + 1)];
      pen.fillRect(x, y, this.scale, this.scale);
      if (this.scale < 6) continue;
      pen.beginPath();
      pen.moveTo(x, y + this.scale);
      pen.lineTo(x + this.scale, y);
      pen.stroke();
    }
    for (const { square, value } of this.heat ?? []) {
      pen.fillStyle = colours.shades[Math.round(value * (SHADES - 1))];
      pen.fillRect(this.left(this.board.file(square)), this.top(this.board.rank(square) + 1), this.scale, this.scale);
    }
  }

  drawThings(pen, colours) {
    const dot = (square, size, colour, line) => {
      const [x, y] = this.centre(square);
      pen.beginPath();
      pen.arc(x, y, Math.max(2, this.scale * size), 0, Math.PI * 2);
      if (line) {
        pen.lineWidth = Math.max(1.5, this.scale * 0.08);
        pen.strokeStyle = colour;
        pen.stroke();
      } else {
        pen.fillStyle = colour;
        pen.fill();
      }
    };
    for (const [square, kind] of this.marks.goals ?? []) dot(square, 0.42, colours[kind], true);
    for (const square of this.marks.legal ?? []) dot(square, 0.14, colours.accent, false);
    if (this.marks.start >= 0) dot(this.marks.start, 0.4, colours.accent, true);
    if (this.marks.end >= 0) dot(this.marks.end, 0.4, colours.ink, true);
    if (this.marks.picked >= 0) dot(this.marks.picked, 0.46, colours.accent, true);
    if (this.marks.hint >= 0) dot(this.marks.hint, 0.4, colours.accent, true);
    if (this.marks.fault >= 0) dot(this.marks.fault, 0.5, colours.fault, true);
    for (const piece of this.pieces) {
      if (piece.gone) continue;
      const lifted = this.lifted?.square === piece.square;
      const [x, y] = lifted ? this.lifted.at : this.centre(piece.square);
      const colour = { knight: colours.ink, white: colours.white, black: colours.black, pawn: colours.pawn }[
        piece.kind
      ];
      if (this.scale < PIECES) {
        const knight = piece.kind === 'knight';
        if (knight) dot(piece.square, 8 / this.scale, colours.paper, false);
        dot(piece.square, knight ? 6 / this.scale : 0.5, knight ? colours.ink : colour, false);
        continue;
      }
      pen.save();
      pen.translate(x - this.scale / 2, y - this.scale / 2);
      pen.scale(this.scale / 64, this.scale / 64);
      pen.fillStyle = colour;
      pen.strokeStyle = piece.kind === 'white' ? colours.black : colours.paper;
      pen.lineWidth = 3;
      pen.lineJoin = 'round';
      const shape = piece.kind === 'pawn' ? this.glyphs.pawn : this.glyphs.knight;
      pen.stroke(shape);
      pen.fill(shape);
      pen.restore();
    }
    if (this.scale >= 5 && this.root.matches(':focus-visible')) {
      pen.lineWidth = 2.5;
      pen.strokeStyle = colours.accent;
      pen.strokeRect(
        this.left(this.board.file(this.cursor)) + 1.5,
        this.top(this.board.rank(this.cursor) + 1) + 1.5,
        this.scale - 3,
        this.scale - 3,
      );
    }
  }

  /** The names of ranks and files, on the strips that are left free for them. */
  drawEdges(pen, sight, colours) {
    const { left } = this.inset;
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, left, this.high);
    pen.fillRect(0, this.up, this.wide, this.inset.bottom);
    pen.fillStyle = colours.soft;
    pen.font = `500 11.5px ${colours.font}`;
    pen.textBaseline = 'middle';
    pen.textAlign = 'right';
    for (const rank of ticks(sight.south, sight.north, 22 / this.scale)) {
      const y = this.top(rank + 0.5);
      if (y > 6 && y < this.up - 4) pen.fillText(String(rank + 1), left - 7, y);
    }
    pen.textAlign = 'center';
    const widest = fileName(sight.east - 1).length * LETTER + 14;
    for (const file of ticks(sight.west, sight.east, widest / this.scale)) {
      const x = this.left(file + 0.5);
      if (x > left && x < this.wide - widest / 2) pen.fillText(fileName(file), x, this.up + BELOW / 2);
    }
  }

  /** What is seen, on one canvas, so many times as large. */
  canvas(scale) {
    const { dense, layers } = this;
    const side = (length) => Math.round(length * scale);
    const fresh = () =>
      Object.assign(document.createElement('canvas'), { width: side(this.wide), height: side(this.high) });
    const picture = fresh();
    const pen = picture.getContext('2d');
    pen.fillStyle = this.palette().paper;
    pen.fillRect(0, 0, picture.width, picture.height);
    this.layers = Object.fromEntries(Object.keys(layers).map((name) => [name, fresh()]));
    this.dense = scale;
    this.stale = 'all';
    this.draw();
    for (const layer of Object.values(this.layers)) pen.drawImage(layer, 0, 0);
    this.layers = layers;
    this.dense = dense;
    this.redraw();
    return picture;
  }

  place(event) {
    const box = this.root.getBoundingClientRect();
    return [event.clientX - box.left - 1, event.clientY - box.top - 1];
  }

  squareOf(event) {
    const [x, y] = this.place(event);
    const [file, rank] = this.at(x, y).map(Math.floor);
    const named = x < this.inset.left || y > this.up;
    return !named && this.board.has(file, rank) ? this.board.at(file, rank) : -1;
  }

  /** Shows the piece of a square under the pointer; -1 puts it back. */
  lift(square, event) {
    this.lifted = square < 0 ? null : { square, at: event ? this.place(event) : this.centre(square) };
    this.later('things');
  }

  /** Dragging moves the view, unless a piece is dragged or the right button erases; two fingers zoom. */
  listen() {
    const { root, hands } = this;
    root.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY * 0.0015), ...this.place(event));
      },
      { passive: false },
    );
    const at =
      (act) =>
      (square, ...more) => {
        this.cursor = square;
        act(square, ...more);
        this.later('things');
      };
    this.gesture = new Gesture({
      squareAt: (event) => this.squareOf(event),
      paints: () => false,
      carries: (square) => this.scale >= PIECES && hands.carries(square),
      erases: () => hands.erases(),
      tap: at((square) => hands.tap(square)),
      paint: () => {},
      erase: at((square, again) => hands.erase(square, again)),
      lift: (square, event) => this.lift(square, event),
      carry: (from, to) => {
        this.lift(-1);
        hands.carry(from, to);
      },
    });
    this.gesture.listen(root);
    root.addEventListener('pointerdown', (event) => {
      this.pointers.set(event.pointerId, this.place(event));
    });
    globalThis.addEventListener('pointermove', (event) => {
      const was = this.pointers.get(event.pointerId);
      if (!was || this.gesture.active) return;
      const now = this.place(event);
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        this.gesture.end();
        const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
        this.zoom(apart(now, other) / Math.max(1, apart(was, other)), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
      } else this.pan(now[0] - was[0], now[1] - was[1]);
      this.pointers.set(event.pointerId, now);
    });
    const up = (event) => this.pointers.delete(event.pointerId);
    globalThis.addEventListener('pointerup', up);
    globalThis.addEventListener('pointercancel', up);
    for (const type of ['focus', 'blur']) root.addEventListener(type, () => this.later('things'));
  }

  moveCursor(dx, dy) {
    this.cursor = this.board.towards(this.cursor, dx, dy);
    this.reveal(this.cursor);
    this.later('things');
    this.onCursor(this.cursor);
  }

  cellName(square) {
    const name = this.board.name(square);
    if (this.board.holes.has(square)) return t('cell.hole', { square: name });
    const piece = this.pieces.find((one) => one.square === square && !one.gone);
    const on = piece ? t(`piece.${piece.kind}`) : this.heat?.find((one) => one.square === square)?.exact;
    const parts = [name, ...(on ? [on] : []), ...markWords(this.marks, square)];
    const step = this.film?.stepOf?.(square);
    if (parts.length === 1 && step) return t('cell.step', { square: name, step });
    return parts.join(', ');
  }
}
