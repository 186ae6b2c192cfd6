// The board as a drawing: up to a few thousand squares.
//
// Idea: layers of SVG (squares, tints, path, numbers, marks, pieces, cursor), made once for a board; a step of the
// player shows or hides the difference alone. Colours come from the style sheet: each part of the path carries its
// place in the tour as the custom property `--t` between 0 and 1.
// Invariant: for a reader of the screen the drawing is a grid: rows of cells, each with its name and what is on it.

import { s, freshId } from './dom.js';
import { flag, glyph } from './glyphs.js';
import { markWords } from './cells.js';
import { fileName } from './board.js';
import { Gesture } from './gesture.js';
import { t } from './i18n.js';

const UNIT = 64;

/** Squares of a board much longer than wide are drawn at this size, and the board is scrolled. */
const LONG = 38;
/** Names of files and ranks are so many of them in the height of the board; on a small screen they are larger. */
const NAMES = { small: 34, large: 50 };
/** Pixels of a square that is looked at most closely. */
const MOST_ZOOM = 120;
/** A square of a heat map that is warmer has white text. */
const OVER = 0.82;
/** A board of more squares changes at once; fading would cost it its frames. */
const MOST_FADING = 150;

export class SvgBoard {
  constructor({ hands, cursor }) {
    this.onCursor = cursor;
    this.root = s('svg', { class: 'board', role: 'grid', tabindex: '0', focusable: 'true' });
    this.layers = {};
    this.cursor = 0;
    this.film = null;
    this.marks = {};
    const at =
      (act) =>
      (square, ...more) => {
        this.cursor = square;
        this.placeCursor();
        act(square, ...more);
      };
    this.gesture = new Gesture({
      squareAt: (event) => this.squareOf(event),
      paints: () => hands.paints(),
      carries: (square) => hands.carries(square),
      erases: () => hands.erases(),
      tap: at((square) => hands.tap(square)),
      paint: at((square, again) => hands.paint(square, again)),
      erase: at((square, again) => hands.erase(square, again)),
      lift: (square, event) => this.lift(square, event),
      carry: (from, to) => {
        this.lift(-1);
        hands.carry(from, to);
      },
      pan: (dx, dy) => this.pan(dx, dy),
    });
    this.hands = hands;
    this.gesture.listen(this.root);
  }

  /** Takes a board. The squares of one of the same size stay: a finger that paints may be on them. */
  setBoard(board) {
    const same = this.board?.sizeName === board.sizeName;
    this.board = board;
    this.cursor = Math.min(this.cursor, board.size - 1);
    this.film = null;
    this.walks = [];
    this.marks = {};
    if (!same) this.build(board);
    this.cells.forEach((cell, square) => {
      cell.setAttribute('class', board.holes.has(square) ? 'hole' : board.dark(square) ? 'dark' : 'light');
    });
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.layers.cursor.append(this.ring);
    this.pieces = new Map();
    this.content = new Map();
    this.names = [];
    this.describe();
    this.placeCursor();
  }

  /** Closer or farther: the drawing grows beyond its frame, which is then scrolled. */
  zoom(by) {
    const { width, height } = this.root.viewBox.baseVal;
    const seen = this.root.getBoundingClientRect();
    const fitted = this.long ? LONG / UNIT : Math.min(seen.width / width, seen.height / height);
    const least = this.fitted ?? fitted;
    const scale = Math.min(Math.max(MOST_ZOOM / UNIT, 4 * least), (this.zoomed ?? fitted) * by);
    const middle = this.middle();
    this.fitted = least;
    this.size(scale <= least * 1.01 ? null : scale);
    this.bringBack(middle);
  }

  /** The point of the drawing in the middle of the frame. */
  middle() {
    const box = this.root.parentElement;
    const { left, top } = box.getBoundingClientRect();
    return this.pointOf({ clientX: left + box.clientWidth / 2, clientY: top + box.clientHeight / 2 });
  }

  /** Scrolls the frame until this point of the drawing is in the middle, or as near as it comes. */
  bringBack({ x, y }) {
    const now = this.middle();
    const scale = this.root.clientWidth / this.root.viewBox.baseVal.width;
    this.pan((now.x - x) * scale, (now.y - y) * scale);
  }

  /** Moves a drawing that is larger than its frame, by so many pixels. */
  pan(dx, dy) {
    const box = this.root.parentElement;
    box.scrollLeft -= dx;
    box.scrollTop -= dy;
  }

  /** The whole board again. */
  fit() {
    this.size(null);
  }

  /** Pixels for a unit of the drawing; none fits the frame, or is the usual size of a long board. */
  size(scale) {
    this.zoomed = scale;
    if (scale === null) this.fitted = null;
    const { width, height } = this.root.viewBox.baseVal;
    const pixels = scale ?? (this.long ? LONG / UNIT : 0);
    this.root.classList.toggle('long', pixels > 0);
    for (const [side, length] of [
      ['width', width],
      ['height', height],
    ])
      this.root.style[side] = pixels ? `${Math.round(length * pixels)}px` : '';
  }

  /** Draws the squares of a board anew, and empty layers above them. */
  build(board) {
    const wide = board.files * UNIT;
    const high = board.ranks * UNIT;
    this.long = board.long;
    // On a small board squares are large; lines and numbers need not be.
    this.fine = Math.min(1, Math.sqrt(Math.max(board.files, board.ranks) / 8));
    this.root.style.setProperty('--fine', this.fine.toFixed(3));
    const { [matchMedia('(max-width: 40rem)').matches ? 'small' : 'large']: names } = NAMES;
    const letter = this.long ? UNIT * 0.32 : Math.max(wide / (1.35 * names), high / names);
    const rim = this.long ? UNIT / 10 : Math.max(wide / 260, high / 170);
    this.edge = letter * (this.long ? 2.4 : 1.65);
    const box = [-this.edge, -letter * 0.4, wide + this.edge + letter * 0.4, high + letter * 2.05];
    this.root.setAttribute('viewBox', box.join(' '));
    this.root.classList.toggle('still', board.size > MOST_FADING);
    this.size(null);
    this.root.setAttribute('aria-rowcount', board.ranks);
    this.root.setAttribute('aria-colcount', board.files);
    this.root.replaceChildren();
    const clip = freshId('clip');
    const hatch = freshId('hatch');
    this.root.append(
      s(
        'defs',
        {},
        s('clipPath', { id: clip }, s('rect', { width: wide, height: high })),
        s(
          'pattern',
          { id: hatch, width: UNIT / 4, height: UNIT / 4, patternUnits: 'userSpaceOnUse' },
          s('rect', { class: 'pit', width: UNIT / 4, height: UNIT / 4 }),
          s('path', { class: 'hatch', d: `M-2 ${UNIT / 4 + 2}L${UNIT / 4 + 2} -2M-2 2L2 -2M14 18L18 14` }),
        ),
      ),
    );
    this.root.style.setProperty('--hole', `url(#${hatch})`);
    this.root.append(
      s('rect', { class: 'frame', x: -rim, y: -rim, width: wide + 2 * rim, height: high + 2 * rim, rx: rim * 2 }),
    );
    this.cells = new Array(board.size);
    this.stem = freshId('square');
    const squares = s('g', { class: 'squares' });
    for (let rank = board.ranks - 1; rank >= 0; rank -= 1) {
      const row = s('g', { role: 'row' });
      for (let file = 0; file < board.files; file += 1) {
        const square = board.at(file, rank);
        const cell = s('rect', {
          role: 'gridcell',
          id: `${this.stem}-${square}`,
          'data-square': board.name(square),
          x: file * UNIT,
          y: this.top(rank),
          width: UNIT,
          height: UNIT,
        });
        this.cells[square] = cell;
        row.append(cell);
      }
      squares.append(row);
    }
    this.root.append(squares, this.edges(letter));
    for (const name of ['heat', 'tints', 'path', 'numbers', 'marks', 'pieces', 'cursor']) {
      this.layers[name] = s('g', { class: name, 'aria-hidden': 'true' });
      this.root.append(this.layers[name]);
    }
    this.layers.path.setAttribute('clip-path', `url(#${clip})`);
    this.ring = s('rect', { class: 'ring', width: UNIT - 6, height: UNIT - 6, rx: 8 });
    this.layers.cursor.append(this.ring);
  }

  top(rank) {
    return (this.board.ranks - 1 - rank) * UNIT;
  }

  centre(square) {
    return [this.board.file(square) * UNIT + UNIT / 2, this.top(this.board.rank(square)) + UNIT / 2];
  }

  edges(size) {
    const group = s('g', { class: 'edges', 'aria-hidden': 'true', 'font-size': size });
    const every = this.long ? 1 : Math.max(1, Math.ceil((size * 1.6) / UNIT));
    const last = (this.board.ranks - 1) * UNIT + UNIT;
    for (let file = 0; file < this.board.files; file += every) {
      group.append(
        s('text', { x: file * UNIT + UNIT / 2, y: last + size * 1.25, 'text-anchor': 'middle' }, fileName(file)),
      );
    }
    for (let rank = 0; rank < this.board.ranks; rank += every) {
      group.append(
        s(
          'text',
          { x: -size * 0.65, y: this.top(rank) + UNIT / 2 + size * 0.34, 'text-anchor': 'end' },
          String(rank + 1),
        ),
      );
    }
    return group;
  }

  /** What a cell is called: its name, what stands there, what it is marked as, the step that has been there. */
  cellName(square) {
    const name = this.board.name(square);
    if (this.board.holes.has(square)) return t('cell.hole', { square: name });
    const parts = [name];
    const on = this.content.get(square);
    if (on) parts.push(on);
    parts.push(...markWords(this.marks, square));
    const step = this.film?.stepOf?.(square);
    if (parts.length === 1 && step && step <= this.shown.visits) return t('cell.step', { square: name, step });
    return parts.join(', ');
  }

  /** Says of every cell what is on it, once things are at rest: a film may pass in between. */
  describe() {
    clearTimeout(this.describing);
    this.describing = setTimeout(() => {
      this.cells.forEach((cell, square) => {
        cell.classList.toggle('carried', this.hands.carries(square));
        const name = this.cellName(square);
        if (this.names[square] === name) return;
        this.names[square] = name;
        cell.setAttribute('aria-label', name);
      });
    }, 120);
  }

  /** Puts pieces on the board; a piece with a known id glides to its new square. */
  setPieces(pieces) {
    const seen = new Set();
    this.content.clear();
    for (const piece of pieces) {
      seen.add(piece.id);
      const look = `${piece.kind} ${piece.label ?? ''}`;
      let drawn = this.pieces.get(piece.id);
      if (drawn && drawn.look !== look) {
        drawn.element.remove();
        drawn = null;
      }
      if (!drawn) {
        drawn = { look, element: glyph(piece.kind, piece.label) };
        this.pieces.set(piece.id, drawn);
        this.layers.pieces.append(drawn.element);
      }
      const [x, y] = this.centre(piece.square);
      drawn.square = piece.gone ? -1 : piece.square;
      drawn.element.classList.remove('lifted');
      drawn.element.style.transform = `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)`;
      drawn.element.classList.toggle('gone', Boolean(piece.gone));
      const name = t(`piece.${piece.kind}`);
      if (!piece.gone) this.content.set(piece.square, piece.label ? `${name} ${piece.label}` : name);
    }
    for (const [id, drawn] of this.pieces) {
      if (!seen.has(id)) {
        drawn.element.remove();
        this.pieces.delete(id);
      }
    }
    this.describe();
  }

  /** Shows the piece of a square under the pointer; -1 puts it back. */
  lift(square, event) {
    if (square < 0) {
      for (const { square: home, element } of this.pieces.values()) {
        if (!element.classList.contains('lifted')) continue;
        const [x, y] = this.centre(home);
        element.classList.remove('lifted');
        element.style.transform = `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)`;
      }
      return;
    }
    const carried = [...this.pieces.values()].find((drawn) => drawn.square === square);
    if (!carried) return;
    carried.element.classList.add('lifted');
    this.layers.pieces.append(carried.element);
    if (!event) return;
    const { x, y } = this.pointOf(event);
    carried.element.style.transform = `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)`;
  }

  /** Marks squares: `{legal: [...], reasons: [...], start: 3, end: 5, fault: 7, hint: 9, picked: 2, goals: [[square, kind]]}`. */
  setMarks(marks) {
    this.marks = marks;
    const layer = this.layers.marks;
    layer.replaceChildren();
    const half = UNIT / 2;
    const put = (square, element) => {
      const [x, y] = this.centre(square);
      element.setAttribute('transform', `translate(${x} ${y})`);
      layer.append(element);
    };
    if (marks.picked >= 0)
      put(marks.picked, s('rect', { class: 'picked', x: -half, y: -half, width: UNIT, height: UNIT }));
    for (const [square, kind, label] of marks.goals ?? []) {
      const [x, y] = [half * 0.72, -half * 0.72];
      const dot = s('circle', { class: `goal goal-${kind}`, cx: x, cy: y, r: half * (label ? 0.26 : 0.15) });
      const letter = label
        ? s('text', { class: `goal-letter goal-letter-${kind}`, x, y: y + 4.4, 'text-anchor': 'middle' }, label)
        : '';
      put(square, s('g', {}, dot, letter));
    }
    for (const square of marks.reasons ?? []) put(square, s('circle', { class: 'reason', r: half * 0.62 }));
    for (const square of marks.legal ?? []) put(square, s('circle', { class: 'legal', r: half * 0.24 }));
    if (marks.start >= 0)
      put(
        marks.start,
        s('rect', { class: 'start', x: -half + 4, y: -half + 4, width: UNIT - 8, height: UNIT - 8, rx: 10 }),
      );
    if (marks.end >= 0) put(marks.end, s('path', { class: 'end', d: flag(half) }));
    if (marks.hint >= 0) put(marks.hint, s('circle', { class: 'hinted', r: half * 0.78 }));
    if (marks.fault >= 0)
      put(
        marks.fault,
        s('rect', { class: 'fault', x: -half + 3, y: -half + 3, width: UNIT - 6, height: UNIT - 6, rx: 8 }),
      );
    this.describe();
  }

  /** Shows a film from its first step; none takes path and numbers away. */
  setFilm(film) {
    this.film = film;
    this.segments = [];
    this.visits = [];
    this.shown = { from: 0, to: 0, visits: 0 };
    this.layers.path.replaceChildren();
    this.layers.numbers.replaceChildren();
    this.layers.tints.replaceChildren();
    if (!film) return;
    const span = Math.max(1, film.segmentCount);
    for (let i = 0; i < film.segmentCount; i += 1) this.segments.push(this.segment(...film.segment(i), i / span));
    const before = new Map();
    for (let i = 0; i < film.visitCount; i += 1) {
      const [square, number] = film.visit(i);
      this.visits.push(this.visit(square, number, i / span, before.get(square)));
      before.set(square, i);
    }
    if (this.segments.length) this.layers.path.append(this.beginning(film.segment(0)[0]));
    this.layers.path.append(...this.segments);
    this.layers.tints.append(...this.visits.map((visit) => visit.tint));
    this.layers.numbers.append(...this.visits.map((visit) => visit.number));
  }

  /** A dot where the path begins. */
  beginning(square) {
    const [cx, cy] = this.centre(square);
    return s('circle', { class: 'begin', cx, cy, r: UNIT * 0.13 * this.fine });
  }

  segment(from, to, place) {
    const line = s('path', { class: 'segment off', d: this.lineOf(from, to) });
    line.style.setProperty('--t', place.toFixed(4));
    return line;
  }

  visit(square, number, place, over) {
    const [x, y] = this.centre(square);
    const size = UNIT * (number > 999 ? 0.27 : 0.31) * this.fine;
    const tint = s('rect', { class: 'tint off', x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT });
    const text = s(
      'text',
      { class: 'number off', x, y: y + size * 0.36, 'font-size': size, 'text-anchor': 'middle' },
      String(number),
    );
    tint.style.setProperty('--t', place.toFixed(4));
    return { tint, number: text, over };
  }

  /** The line of a jump, in the units of the drawing. */
  lineOf(from, to) {
    const { ranks } = this.board;
    const [across, down] = [(x) => x * UNIT, (y) => (ranks - y) * UNIT];
    return this.board
      .legs(from, to)
      .map(([x, y, u, v]) => `M${across(x)} ${down(y)}L${across(u)} ${down(v)}`)
      .join('');
  }

  /** Goes to a step of the film. */
  setStep(step) {
    const next = this.film.shown(step);
    const was = this.shown;
    const low = Math.min(was.from, next.from);
    for (let i = low; i < Math.max(was.to, next.to); i += 1) {
      this.segments[i].classList.toggle('off', i < next.from || i >= next.to);
    }
    for (let i = was.visits; i < next.visits; i += 1) this.showVisit(i, true);
    for (let i = was.visits - 1; i >= next.visits; i -= 1) this.showVisit(i, false);
    this.shown = next;
    this.setPieces(this.film.pieces(step));
    this.reveal();
  }

  showVisit(index, on) {
    const { tint, number, over } = this.visits[index];
    tint.classList.toggle('off', !on);
    number.classList.toggle('off', !on);
    if (over !== undefined) {
      this.visits[over].tint.classList.toggle('off', on);
      this.visits[over].number.classList.toggle('off', on);
    }
  }

  /** Draws walks that are still going on, all of their squares, the newest last; with their numbers, or without. */
  setWalks(walks, numbered = true) {
    while (this.walks.length > walks.length) this.cutWalk(this.walks.pop(), 0);
    walks.forEach((walk, walker) => this.drawWalk(walk, walker, numbered, walks.length));
    const first = walks[0]?.at(-1);
    if (first !== undefined) this.reveal(first);
  }

  /** What is drawn of a walk goes, from a step on. */
  cutWalk(drawn, length) {
    while (drawn.length > length) {
      const gone = drawn.pop();
      for (const element of [gone.line, gone.visit?.tint, gone.visit?.number]) element?.remove();
    }
  }

  /** Draws what is new of a walk. Alone it changes its colour as it goes; of several, each has its own. */
  drawWalk(walk, walker, numbered, all) {
    this.walks[walker] ??= [];
    const drawn = this.walks[walker];
    let same = 0;
    while (same < drawn.length && same < walk.length && drawn[same].square === walk[same]) same += 1;
    this.cutWalk(drawn, same);
    for (let i = same; i < walk.length; i += 1) {
      const place = all > 1 ? walker / (all - 1) : i / Math.max(1, this.board.open);
      const line = i > 0 ? this.segment(walk[i - 1], walk[i], place) : null;
      const visit = numbered ? this.visit(walk[i], i + 1, place) : null;
      for (const element of [line, visit?.tint, visit?.number]) element?.classList.remove('off');
      if (line) this.layers.path.append(line);
      if (visit) {
        this.layers.tints.append(visit.tint);
        this.layers.numbers.append(visit.number);
      }
      drawn.push({ square: walk[i], line, visit });
    }
  }

  /** Scrolls a long board so that a square, or the knight, is in sight. */
  reveal(square = [...this.pieces.values()].find(({ look }) => look.startsWith('knight'))?.square) {
    const box = this.root.parentElement;
    if (!(this.long || this.zoomed) || !box || !(square >= 0)) return;
    const size = this.root.clientWidth / this.root.viewBox.baseVal.width;
    const [x, y] = this.centre(square);
    const [left, top] = [(x + this.edge) * size, (y + UNIT * 0.2) * size];
    const [wide, high] = [box.clientWidth, box.clientHeight];
    if (left < box.scrollLeft + 40 || left > box.scrollLeft + wide - 40) box.scrollLeft = left - wide / 2;
    if (top < box.scrollTop + 40 || top > box.scrollTop + high - 40) box.scrollTop = top - high / 2;
  }

  /** Colours squares by values between 0 and 1, each with a text. */
  setHeat(heat) {
    this.layers.heat.replaceChildren();
    if (!heat) return;
    const longest = heat.reduce((most, { text }) => Math.max(most, text.length), 3);
    const size = Math.min(UNIT * 0.3, (UNIT * 1.3) / longest);
    for (const { square, value, text, exact } of heat) {
      const [x, y] = this.centre(square);
      const warm = s('rect', { class: 'warm', x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT });
      warm.style.setProperty('--t', value.toFixed(4));
      const label = s(
        'text',
        {
          class: value > OVER ? 'warm-text over' : 'warm-text',
          x,
          y: y + size * 0.36,
          'font-size': size,
          'text-anchor': 'middle',
        },
        text,
      );
      this.layers.heat.append(warm, label);
      this.content.set(square, exact);
    }
    this.describe();
  }

  /** Shows path, numbers, or both. */
  setStyle(style) {
    this.root.classList.toggle('no-path', style === 'numbers');
    this.root.classList.toggle('no-numbers', style === 'path');
  }

  /** Takes everything off the squares. */
  clear() {
    this.setFilm(null);
    this.setWalks([]);
    this.setHeat(null);
    this.setPieces([]);
    this.setMarks({});
  }

  /** The point of an event in the units of the drawing. */
  pointOf(event) {
    const box = this.root.getScreenCTM();
    return box ? new DOMPoint(event.clientX, event.clientY).matrixTransform(box.inverse()) : { x: -1, y: -1 };
  }

  squareOf(event) {
    const at = this.pointOf(event);
    const file = Math.floor(at.x / UNIT);
    const rank = this.board.ranks - 1 - Math.floor(at.y / UNIT);
    return this.board.has(file, rank) ? this.board.at(file, rank) : -1;
  }

  moveCursor(dx, dy) {
    this.cursor = this.board.towards(this.cursor, dx, dy);
    this.placeCursor();
    this.reveal(this.cursor);
    this.onCursor(this.cursor);
  }

  placeCursor() {
    const [x, y] = this.centre(this.cursor);
    this.ring.setAttribute('x', x - UNIT / 2 + 3);
    this.ring.setAttribute('y', y - UNIT / 2 + 3);
    this.root.setAttribute('aria-activedescendant', `${this.stem}-${this.cursor}`);
  }
}
