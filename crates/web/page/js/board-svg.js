// The board as a drawing: up to a few thousand squares.
//
// Idea: layers of SVG (squares, tints, path, numbers, marks, pieces, cursor), made once for a board; a step of the
// player shows or hides the difference alone. Colours come from the style sheet: each part of the path carries its
// place in the tour as the custom property `--t` between 0 and 1.
// Invariant: for a reader of the screen the drawing is a grid: rows of cells, each with its name and what is on it.

import { s, freshId } from './dom.js';
import { KNIGHT, MANE, EYE, PAWN } from './glyphs.js';
import { fileName } from './board.js';
import { t } from './i18n.js';

const UNIT = 64;

export class SvgBoard {
  constructor({ act, cursor, paint }) {
    this.act = act;
    this.onCursor = cursor;
    this.paint = paint;
    this.root = s('svg', { class: 'board', role: 'grid', tabindex: '0', focusable: 'true' });
    this.layers = {};
    this.cursor = 0;
    this.step = null;
    this.film = null;
    this.root.addEventListener('pointerdown', (event) => this.pointed(event));
    this.root.addEventListener('pointermove', (event) => this.dragged(event));
    this.root.addEventListener('pointerup', () => {
      this.stroke = null;
    });
  }

  /** Draws the squares of a board anew. */
  setBoard(board) {
    this.board = board;
    this.cursor = Math.min(this.cursor, board.size - 1);
    this.film = null;
    const wide = board.files * UNIT;
    const high = board.ranks * UNIT;
    const letter = Math.max(wide / 46, high / 34);
    const rim = Math.max(wide / 260, high / 170);
    this.edge = letter * 1.65;
    this.root.setAttribute(
      'viewBox',
      `${-this.edge} ${-letter * 0.4} ${wide + this.edge + letter * 0.4} ${high + this.edge + letter * 0.4}`,
    );
    this.root.setAttribute('aria-rowcount', board.ranks);
    this.root.setAttribute('aria-colcount', board.files);
    this.root.replaceChildren();
    const clip = freshId('clip');
    this.root.append(s('defs', {}, s('clipPath', { id: clip }, s('rect', { width: wide, height: high }))));
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
          class: board.holes.has(square) ? 'hole' : board.dark(square) ? 'dark' : 'light',
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
    this.pieces = new Map();
    this.content = new Map();
    this.named = null;
    this.describe();
    this.placeCursor();
  }

  top(rank) {
    return (this.board.ranks - 1 - rank) * UNIT;
  }

  centre(square) {
    return [this.board.file(square) * UNIT + UNIT / 2, this.top(this.board.rank(square)) + UNIT / 2];
  }

  edges(size) {
    const group = s('g', { class: 'edges', 'aria-hidden': 'true', 'font-size': size });
    const every = Math.max(1, Math.ceil((size * 1.6) / UNIT));
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

  /** What a cell is called: its name, what stands there, the step that has been there. */
  cellName(square) {
    const name = this.board.name(square);
    if (this.board.holes.has(square)) return t('cell.hole', { square: name });
    const on = this.content.get(square);
    if (on) return `${name}, ${on}`;
    const step = this.film?.stepOf?.(square);
    return step && step <= this.shown.visits ? t('cell.step', { square: name, step }) : name;
  }

  /** Says of every cell what is on it, once things are at rest: a film may pass in between. */
  describe() {
    this.describing ??= setTimeout(() => {
      this.describing = null;
      this.cells.forEach((cell, square) => cell.setAttribute('aria-label', this.cellName(square)));
    }, 120);
  }

  /** Puts pieces on the board; a piece with a known id glides to its new square. */
  setPieces(pieces) {
    const seen = new Set();
    this.content.clear();
    for (const piece of pieces) {
      seen.add(piece.id);
      let drawn = this.pieces.get(piece.id);
      if (drawn && drawn.kind !== piece.kind) {
        drawn.element.remove();
        drawn = null;
      }
      if (!drawn) {
        drawn = { kind: piece.kind, element: glyph(piece.kind) };
        this.pieces.set(piece.id, drawn);
        this.layers.pieces.append(drawn.element);
      }
      const [x, y] = this.centre(piece.square);
      drawn.element.style.transform = `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)`;
      drawn.element.classList.toggle('gone', Boolean(piece.gone));
      if (!piece.gone) this.content.set(piece.square, t(`piece.${piece.kind}`));
    }
    for (const [id, drawn] of this.pieces) {
      if (!seen.has(id)) {
        drawn.element.remove();
        this.pieces.delete(id);
      }
    }
    this.describe();
  }

  /** Marks squares: `{legal: [...], reasons: [...], start: 3, end: 5, fault: 7, hint: 9, picked: 2, goals: [[square, kind]]}`. */
  setMarks(marks) {
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
    for (const [square, kind] of marks.goals ?? [])
      put(square, s('circle', { class: `goal goal-${kind}`, cx: half * 0.72, cy: -half * 0.72, r: half * 0.15 }));
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
    this.layers.path.append(...this.segments);
    this.layers.tints.append(...this.visits.map((visit) => visit.tint));
    this.layers.numbers.append(...this.visits.map((visit) => visit.number));
  }

  segment(from, to, place) {
    const line = s('path', { class: 'segment off', d: this.lineOf(from, to) });
    line.style.setProperty('--t', place.toFixed(4));
    return line;
  }

  visit(square, number, place, over) {
    const [x, y] = this.centre(square);
    const size = UNIT * (number > 999 ? 0.28 : 0.34);
    const tint = s('rect', { class: 'tint off', x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT });
    const text = s(
      'text',
      { class: 'number off', x, y: y + size * 0.36, 'font-size': size, 'text-anchor': 'middle' },
      String(number),
    );
    tint.style.setProperty('--t', place.toFixed(4));
    return { tint, number: text, over };
  }

  /** The line of a jump; a jump over a joined edge leaves on one side and comes in on the other. */
  lineOf(from, to) {
    const [x, y] = this.centre(from);
    const [u, v] = this.centre(to);
    const { files, ranks, steps } = this.board;
    const dx = this.board.file(to) - this.board.file(from);
    const dy = this.board.rank(to) - this.board.rank(from);
    if (steps.some(([a, b]) => a === dx && b === dy)) return `M${x} ${y}L${u} ${v}`;
    const mod = (value, by) => ((value % by) + by) % by;
    const step = steps.find(([a, b]) => mod(a - dx, files) === 0 && mod(b - dy, ranks) === 0);
    if (!step) return `M${x} ${y}L${u} ${v}`;
    const [a, b] = [step[0] * UNIT, -step[1] * UNIT];
    return `M${x} ${y}L${x + a} ${y + b}M${u - a} ${v - b}L${u} ${v}`;
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

  /** Draws a walk that is still going on: all of its squares, the newest last. */
  setWalk(walk) {
    this.walk ??= [];
    let same = 0;
    while (same < this.walk.length && same < walk.length && this.walk[same].square === walk[same]) same += 1;
    while (this.walk.length > same) {
      const gone = this.walk.pop();
      gone.line?.remove();
      gone.visit.tint.remove();
      gone.visit.number.remove();
    }
    for (let i = same; i < walk.length; i += 1) {
      const place = i / Math.max(1, this.board.open);
      const line = i > 0 ? this.segment(walk[i - 1], walk[i], place) : null;
      const visit = this.visit(walk[i], i + 1, place);
      for (const element of [line, visit.tint, visit.number]) element?.classList.remove('off');
      if (line) this.layers.path.append(line);
      this.layers.tints.append(visit.tint);
      this.layers.numbers.append(visit.number);
      this.walk.push({ square: walk[i], line, visit });
    }
  }

  /** Colours squares by values between 0 and 1, each with a text. */
  setHeat(heat) {
    this.layers.heat.replaceChildren();
    if (!heat) return;
    for (const { square, value, text } of heat) {
      const [x, y] = this.centre(square);
      const warm = s('rect', { class: 'warm', x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT });
      warm.style.setProperty('--t', value.toFixed(4));
      const size = Math.min(UNIT * 0.3, (UNIT * 1.3) / Math.max(3, text.length));
      const label = s(
        'text',
        {
          class: value > 0.45 ? 'warm-text over' : 'warm-text',
          x,
          y: y + size * 0.36,
          'font-size': size,
          'text-anchor': 'middle',
        },
        text,
      );
      this.layers.heat.append(warm, label);
      this.content.set(square, text);
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
    this.setWalk([]);
    this.setHeat(null);
    this.setPieces([]);
    this.setMarks({});
  }

  squareOf(event) {
    const box = this.root.getScreenCTM();
    if (!box) return -1;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(box.inverse());
    const file = Math.floor(at.x / UNIT);
    const rank = this.board.ranks - 1 - Math.floor(at.y / UNIT);
    return this.board.has(file, rank) ? this.board.at(file, rank) : -1;
  }

  pointed(event) {
    if (event.button !== 0) return;
    const square = this.squareOf(event);
    if (square < 0) return;
    this.cursor = square;
    this.placeCursor();
    this.stroke = square;
    this.act(square, false);
  }

  dragged(event) {
    if (this.stroke === null || this.stroke === undefined || !this.paint() || !(event.buttons & 1)) return;
    const square = this.squareOf(event);
    if (square < 0 || square === this.stroke) return;
    this.stroke = square;
    this.act(square, true);
  }

  moveCursor(dx, dy) {
    const file = Math.min(this.board.files - 1, Math.max(0, this.board.file(this.cursor) + dx));
    const rank = Math.min(this.board.ranks - 1, Math.max(0, this.board.rank(this.cursor) + dy));
    this.cursor = this.board.at(file, rank);
    this.placeCursor();
    this.onCursor(this.cursor);
  }

  placeCursor() {
    const [x, y] = this.centre(this.cursor);
    this.ring.setAttribute('x', x - UNIT / 2 + 3);
    this.ring.setAttribute('y', y - UNIT / 2 + 3);
    this.root.setAttribute('aria-activedescendant', `${this.stem}-${this.cursor}`);
  }
}

function flag(half) {
  const inner = half - 6;
  return `M${inner} ${-inner}V${-inner + 20}L${inner - 20} ${-inner}Z`;
}

function glyph(kind) {
  const pawn = kind === 'pawn';
  const group = s('g', { class: `piece piece-${kind}` });
  group.append(s('path', { class: 'body', d: pawn ? PAWN : KNIGHT }));
  if (!pawn)
    group.append(
      s('path', { class: 'mane', d: MANE }),
      s('circle', { class: 'eye', cx: EYE[0], cy: EYE[1], r: EYE[2] }),
    );
  return group;
}
