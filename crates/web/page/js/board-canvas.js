// The board as pixels: thousands of squares, or millions, with zoom and pan.
//
// Idea: only what is seen is drawn. For a tour the board asks for the step on each square in sight and draws a line
// to the neighbour that has the next step, so it needs no list of squares; other films draw their jumps one by one.
// Below five pixels a square numbers and pieces go, below three only colours are left. A small map shows where we are.
// Invariant: the same calls as the SVG board, so that a stage does not know which of them it has.
// Cost: one frame follows the squares in sight, at most 250,000.

import { h } from './dom.js';
import { KNIGHT, PAWN } from './glyphs.js';
import { t } from './i18n.js';
import { fileName } from './board.js';
import { Camera } from './camera.js';

const SHADES = 48;

export class CanvasBoard extends Camera {
  constructor({ act, cursor, paint }) {
    super();
    this.act = act;
    this.onCursor = cursor;
    this.paint = paint;
    this.canvas = h('canvas', { class: 'pixels' });
    this.map = h('canvas', { class: 'map', 'aria-hidden': 'true' });
    this.root = h('div', { class: 'canvas-board', role: 'application', tabindex: '0' }, this.canvas, this.map);
    this.pieces = [];
    this.marks = {};
    this.film = null;
    this.walk = [];
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
    this.walk = [];
    this.heat = null;
    this.cursor = Math.min(this.cursor, board.size - 1);
    this.root.setAttribute('aria-label', t('board.big', { files: board.files, ranks: board.ranks }));
    if (!same) this.fit();
    this.redraw();
  }

  setPieces(pieces) {
    this.pieces = pieces;
    this.redraw();
  }

  setMarks(marks) {
    this.marks = marks;
    this.redraw();
  }

  setFilm(film) {
    this.film = film;
    this.step = film ? film.last : 0;
    this.redraw();
  }

  setStep(step) {
    this.step = step;
    this.setPieces(this.film.pieces(step));
    const knight = this.pieces.find((piece) => piece.kind === 'knight');
    if (knight && this.follow) this.reveal(knight.square);
  }

  setWalk(walk) {
    this.walk = [...walk];
    this.redraw();
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
    this.walk = [];
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

  palette() {
    if (this.colours) return this.colours;
    // A custom property is a pair of colours, light and dark; as the `color` of an element it is the one that holds.
    // An element that is not shown has no transitions, so it tells the colour at once.
    const probe = h('i', { hidden: true });
    this.root.append(probe);
    const style = getComputedStyle(probe);
    const colour = (name) => {
      probe.style.color = `var(${name})`;
      return style.color;
    };
    const shades = [];
    for (let i = 0; i < SHADES; i += 1) {
      shades.push(
        `color-mix(in oklch, ${colour('--path-end')} ${Math.round((100 * i) / (SHADES - 1))}%, ${colour('--path-start')})`,
      );
    }
    this.colours = {
      shades,
      light: colour('--square-light'),
      dark: colour('--square-dark'),
      hole: colour('--square-hole'),
      ink: colour('--ink'),
      accent: colour('--accent'),
      fault: colour('--fault'),
      paper: colour('--paper'),
      white: colour('--piece-white'),
      black: colour('--piece-black'),
      pawn: colour('--piece-pawn'),
      soft: colour('--ink-soft'),
      font: style.getPropertyValue('--sans').trim(),
    };
    probe.remove();
    return this.colours;
  }

  resized() {
    const box = this.root.getBoundingClientRect();
    if (box.width === 0) return;
    this.dense = window.devicePixelRatio || 1;
    const first = !this.wide;
    this.wide = box.width;
    this.high = box.height;
    this.canvas.width = Math.round(box.width * this.dense);
    this.canvas.height = Math.round(box.height * this.dense);
    if (first) this.fit();
    this.draw();
  }

  redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    if (!this.board || !this.wide || !this.scale) return;
    const pen = this.canvas.getContext('2d');
    pen.setTransform(this.dense, 0, 0, this.dense, 0, 0);
    pen.clearRect(0, 0, this.wide, this.high);
    const [west, north] = this.at(0, 0);
    const [east, south] = this.at(this.wide, this.high);
    const sight = {
      west: Math.max(0, Math.floor(west)),
      east: Math.min(this.board.files, Math.ceil(east)),
      south: Math.max(0, Math.floor(south)),
      north: Math.min(this.board.ranks, Math.ceil(north)),
    };
    const colours = this.palette();
    this.film?.tiles?.forget();
    this.drawSquares(pen, sight, colours);
    if (this.film?.stepOf) this.drawTour(pen, sight, colours);
    else if (this.film) this.drawJumps(pen, colours);
    if (this.walk.length) this.drawWalk(pen, colours);
    this.drawThings(pen, colours);
    this.drawEdges(pen, sight, colours);
    this.drawMap(sight, colours);
  }

  drawSquares(pen, sight, colours) {
    const [l, t0] = [this.left(sight.west), this.top(sight.north)];
    const [w, hh] = [(sight.east - sight.west) * this.scale, (sight.north - sight.south) * this.scale];
    pen.fillStyle = colours.light;
    pen.fillRect(l, t0, w, hh);
    if (this.scale >= 3) {
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
    for (const hole of this.board.holes)
      pen.fillRect(this.left(this.board.file(hole)), this.top(this.board.rank(hole) + 1), this.scale, this.scale);
    for (const { square, value } of this.heat ?? []) {
      pen.fillStyle = colours.shades[Math.round(value * (SHADES - 1))];
      pen.fillRect(this.left(this.board.file(square)), this.top(this.board.rank(square) + 1), this.scale, this.scale);
    }
  }

  drawTour(pen, sight, colours) {
    const { film, board } = this;
    const total = film.last;
    const lines = Array.from({ length: SHADES }, () => []);
    const tints = Array.from({ length: SHADES }, () => []);
    const numbers = [];
    const withPath = this.style !== 'numbers' && this.scale >= 3;
    const withNumbers = this.style !== 'path' && this.scale >= 22;
    const withTints = !withPath;
    for (let rank = sight.south; rank < sight.north; rank += 1) {
      for (let file = sight.west; file < sight.east; file += 1) {
        const square = board.at(file, rank);
        const step = film.stepOf(square);
        if (!step || step > this.step) continue;
        const shade = Math.min(SHADES - 1, Math.floor((step / total) * SHADES));
        if (withTints) tints[shade].push(file, rank);
        if (withNumbers) numbers.push(square, step);
        if (!withPath) continue;
        const next = step === total ? 1 : step + 1;
        const before = step === 1 ? total : step - 1;
        const nextSeen = step < total ? next <= this.step : film.closed && this.step === total;
        for (const [dx, dy] of board.steps) {
          let [to, up] = [file + dx, rank + dy];
          if (!board.has(to, up)) {
            if (board.wrap === 'none') continue;
            [to, up] = [(to + board.files) % board.files, (up + board.ranks) % board.ranks];
            if (!board.has(to, up)) continue;
          }
          const met = film.stepOf(board.at(to, up));
          if (nextSeen && met === next) lines[shade].push(file, rank, file + dx, rank + dy);
          else if (met === before && (step > 1 || (film.closed && this.step === total))) {
            const inSight = to >= sight.west && to < sight.east && up >= sight.south && up < sight.north;
            if (!inSight) lines[shade].push(file, rank, file + dx, rank + dy);
          }
        }
      }
    }
    tints.forEach((list, shade) => {
      pen.fillStyle = colours.shades[shade];
      pen.globalAlpha = this.scale < 3 ? 1 : 0.55;
      for (let i = 0; i < list.length; i += 2)
        pen.fillRect(this.left(list[i]), this.top(list[i + 1] + 1), this.scale, this.scale);
    });
    pen.globalAlpha = 1;
    pen.lineCap = 'round';
    pen.lineWidth = Math.max(0.8, Math.min(5, this.scale * 0.13));
    lines.forEach((list, shade) => {
      if (!list.length) return;
      pen.strokeStyle = colours.shades[shade];
      pen.beginPath();
      for (let i = 0; i < list.length; i += 4) {
        pen.moveTo(this.left(list[i] + 0.5), this.top(list[i + 1] + 0.5));
        pen.lineTo(this.left(list[i + 2] + 0.5), this.top(list[i + 3] + 0.5));
      }
      pen.stroke();
    });
    this.write(pen, numbers, colours.ink);
  }

  write(pen, numbers, colour) {
    if (!numbers.length) return;
    const longest = String(numbers.reduce((most, value, i) => (i % 2 ? Math.max(most, value) : most), 0)).length;
    pen.font = `600 ${Math.min(this.scale * 0.36, (this.scale * 1.25) / longest)}px ${this.palette().font}`;
    pen.fillStyle = colour;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (let i = 0; i < numbers.length; i += 2) pen.fillText(String(numbers[i + 1]), ...this.centre(numbers[i]));
  }

  drawJumps(pen, colours) {
    const { from, to } = this.film.shown(this.step);
    this.lines(pen, colours, to - from, (i) => this.film.segment(from + i), this.film.segmentCount);
  }

  drawWalk(pen, colours) {
    this.lines(pen, colours, this.walk.length - 1, (i) => [this.walk[i], this.walk[i + 1]], this.board.open);
  }

  lines(pen, colours, count, jump, total) {
    pen.lineCap = 'round';
    pen.lineWidth = Math.max(1, Math.min(5, this.scale * 0.13));
    for (let i = 0; i < count; i += 1) {
      const [from, to] = jump(i);
      pen.strokeStyle = colours.shades[Math.min(SHADES - 1, Math.floor((i / Math.max(1, total)) * SHADES))];
      pen.beginPath();
      pen.moveTo(...this.centre(from));
      pen.lineTo(...this.centre(to));
      pen.stroke();
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
      const [x, y] = this.centre(piece.square);
      const colour = { knight: colours.ink, white: colours.white, black: colours.black, pawn: colours.pawn }[
        piece.kind
      ];
      if (this.scale < 12) {
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
    if (this.scale >= 5) {
      pen.lineWidth = 2.5;
      pen.strokeStyle = document.activeElement === this.root ? colours.accent : colours.soft;
      pen.strokeRect(
        this.left(this.board.file(this.cursor)) + 1.5,
        this.top(this.board.rank(this.cursor) + 1) + 1.5,
        this.scale - 3,
        this.scale - 3,
      );
    }
  }

  drawEdges(pen, sight, colours) {
    const every = Math.max(1, 10 ** Math.ceil(Math.log10(36 / this.scale)));
    pen.font = `600 11px ${colours.font}`;
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    const tag = (text, x, y) => {
      const w = pen.measureText(text).width + 6;
      pen.globalAlpha = 0.85;
      pen.fillStyle = colours.paper;
      pen.fillRect(x - 3, y - 8, w, 16);
      pen.globalAlpha = 1;
      pen.fillStyle = colours.ink;
      pen.fillText(text, x, y);
    };
    for (let rank = Math.ceil(sight.south / every) * every; rank < sight.north; rank += every)
      tag(String(rank + 1), 5, this.top(rank + 0.5));
    for (let file = Math.ceil(sight.west / every) * every; file < sight.east; file += every)
      tag(fileName(file), this.left(file + 0.5) - 4, this.high - 10);
  }

  /** The small map: the whole board, and the part in sight. */
  drawMap(sight, colours) {
    const { files, ranks } = this.board;
    const all = sight.east - sight.west >= files && sight.north - sight.south >= ranks;
    this.map.classList.toggle('off', all);
    if (all) return;
    const longer = Math.max(files, ranks);
    const [w, hh] = [Math.max(8, (96 * files) / longer), Math.max(8, (96 * ranks) / longer)];
    this.map.width = w * this.dense;
    this.map.height = hh * this.dense;
    this.map.style.width = `${w}px`;
    this.map.style.height = `${hh}px`;
    const pen = this.map.getContext('2d');
    pen.setTransform(this.dense, 0, 0, this.dense, 0, 0);
    pen.fillStyle = colours.dark;
    pen.fillRect(0, 0, w, hh);
    pen.fillStyle = colours.accent;
    const [seenW, seenH] = [
      Math.max(4, ((sight.east - sight.west) / files) * w),
      Math.max(4, ((sight.north - sight.south) / ranks) * hh),
    ];
    pen.fillRect(
      Math.min(w - seenW, (sight.west / files) * w),
      Math.min(hh - seenH, hh - (sight.north / ranks) * hh),
      seenW,
      seenH,
    );
  }

  listen() {
    const place = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY * 0.0015), ...place(event));
      },
      { passive: false },
    );
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, place(event));
      this.moved = 0;
    });
    this.canvas.addEventListener('pointermove', (event) => {
      const was = this.pointers.get(event.pointerId);
      if (!was) return;
      const now = place(event);
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
        this.zoom(apart(now, other) / Math.max(1, apart(was, other)), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
      } else this.pan(now[0] - was[0], now[1] - was[1]);
      this.moved += Math.hypot(now[0] - was[0], now[1] - was[1]);
      this.pointers.set(event.pointerId, now);
    });
    const up = (event) => {
      const was = this.pointers.get(event.pointerId);
      this.pointers.delete(event.pointerId);
      if (!was || this.moved > 5 || event.type === 'pointercancel') return;
      const [file, rank] = this.at(...was).map(Math.floor);
      if (!this.board.has(file, rank)) return;
      this.cursor = this.board.at(file, rank);
      this.act(this.cursor, false);
      this.redraw();
    };
    this.canvas.addEventListener('pointerup', up);
    this.canvas.addEventListener('pointercancel', up);
    this.map.addEventListener('pointerdown', (event) => {
      const box = this.map.getBoundingClientRect();
      this.x = ((event.clientX - box.left) / box.width) * this.board.files;
      this.y = (1 - (event.clientY - box.top) / box.height) * this.board.ranks;
      this.keepInside();
      this.redraw();
    });
    for (const type of ['focus', 'blur']) this.root.addEventListener(type, () => this.redraw());
  }

  moveCursor(dx, dy) {
    const file = Math.min(this.board.files - 1, Math.max(0, this.board.file(this.cursor) + dx));
    const rank = Math.min(this.board.ranks - 1, Math.max(0, this.board.rank(this.cursor) + dy));
    this.cursor = this.board.at(file, rank);
    this.reveal(this.cursor);
    this.onCursor(this.cursor);
  }

  cellName(square) {
    const name = this.board.name(square);
    const piece = this.pieces.find((one) => one.square === square && !one.gone);
    if (piece) return `${name}, ${t(`piece.${piece.kind}`)}`;
    const step = this.film?.stepOf?.(square);
    return step ? t('cell.step', { square: name, step }) : name;
  }
}
