// The board as pixels: thousands of squares, or millions, with zoom and pan.
//
// Idea: four canvases one above the other: the ground, the path, the numbers, and what moves. A step of the player adds
// a few lines to the path and draws what moves again; only a new view draws everything. Only what is seen is drawn. A
// listed tour is drawn jump by jump. Of a tour that is too long to be listed the board asks for the step on each
// square in sight and draws a line to the neighbour that has the next step; from far away it asks for one square in so
// many, and colours are all that is left. A small map shows where we are.
// Invariant: the same calls as the SVG board, so that a stage does not know which of them it has.
// Cost: a step of a listed tour is some lines; a view follows the squares in sight, at most one a pixel.

import { h } from './dom.js';
import { KNIGHT, PAWN } from './glyphs.js';
import { markWords } from './board-svg.js';
import { t } from './i18n.js';
import { fileName } from './board.js';
import { Camera } from './camera.js';
import { Gesture } from './gesture.js';

const SHADES = 48;
/** Below so many pixels a square there are no lines, and no pieces. */
const LINES = 3;
const PIECES = 12;
const NUMBERS = 22;
/** Samples are so many pixels apart at least. */
const SAMPLE = 1.5;

export class CanvasBoard extends Camera {
  constructor({ hands, cursor }) {
    super();
    this.hands = hands;
    this.onCursor = cursor;
    const layer = (name) => h('canvas', { class: `layer ${name}`, 'aria-hidden': 'true' });
    this.layers = { ground: layer('pixels'), path: layer('path'), numbers: layer('digits'), things: layer('things') };
    this.map = h('canvas', { class: 'map', 'aria-hidden': 'true' });
    this.root = h(
      'div',
      { class: 'canvas-board', role: 'application', tabindex: '0' },
      ...Object.values(this.layers),
      this.map,
    );
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
    this.marks = {};
    this.cursor = Math.min(this.cursor, board.size - 1);
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

  setWalk(walk) {
    this.walk = [...walk];
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
      hatch: colour('--hole-line'),
      ink: colour('--ink'),
      accent: colour('--accent'),
      fault: colour('--fault'),
      paper: colour('--paper'),
      white: colour('--piece-white'),
      black: colour('--piece-black'),
      pawn: colour('--piece-pawn'),
      soft: colour('--ink-soft'),
      halo: colour('--number-halo'),
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
    for (const canvas of Object.values(this.layers)) {
      canvas.width = Math.round(box.width * this.dense);
      canvas.height = Math.round(box.height * this.dense);
    }
    if (first) this.fit();
    this.keepInside();
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
    const [west, north] = this.at(0, 0);
    const [east, south] = this.at(this.wide, this.high);
    const sight = {
      west: Math.max(0, Math.floor(west)),
      east: Math.min(this.board.files, Math.ceil(east)),
      south: Math.max(0, Math.floor(south)),
      north: Math.min(this.board.ranks, Math.ceil(north)),
    };
    const colours = this.palette();
    if (stale === 'all') {
      this.drawSquares(this.pen('ground'), sight, colours);
      this.drawMap(sight, colours);
      this.root.classList.toggle('whole', this.whole);
    }
    if (stale !== 'things') this.drawPath(sight, colours, stale === 'all');
    const pen = this.pen('things');
    if (this.walk.length) this.drawWalk(pen, colours);
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

  /** The path up to the step of now: the part that is new, or all of it. */
  drawPath(sight, colours, all) {
    const { film } = this;
    if (!film) {
      this.pen('path');
      this.pen('numbers');
      return;
    }
    if (!film.stepOf) {
      this.drawJumps(this.pen('path'), colours);
      return;
    }
    const listed = Boolean(film.squares);
    const from = this.drawn?.film === film && !all ? this.drawn.step : 0;
    const fresh = from > 0 && this.step >= from;
    if (fresh && (listed || this.known(from, this.step))) this.drawSteps(sight, colours, from, this.step);
    else {
      this.pen('path');
      this.pen('numbers');
      film.tiles?.forget();
      if (listed) this.drawSteps(sight, colours, 0, this.step);
      else if (this.scale >= LINES) this.drawWindow(sight, colours);
      else this.drawSamples(sight, colours);
    }
    this.drawn = { film, step: this.step };
  }

  /** Are all squares of these steps there, and few enough to be drawn one by one? */
  known(from, to) {
    if (to - from > 4096) return false;
    for (let step = Math.max(1, from); step <= to; step += 1) if (this.film.squareAt(step) < 0) return false;
    return true;
  }

  shade(step) {
    return Math.min(SHADES - 1, Math.floor((step / this.film.last) * SHADES));
  }

  get shows() {
    const lines = this.style !== 'numbers' && this.scale >= LINES;
    return { lines, tints: !lines, numbers: this.style !== 'path' && this.scale >= NUMBERS };
  }

  /** The steps after `from` up to `to`, jump by jump. */
  drawSteps(sight, colours, from, to) {
    const { film, board } = this;
    const shows = this.shows;
    const brush = this.brush(colours);
    const seen = (x, y) => x > sight.west - 4 && x < sight.east + 4 && y > sight.south - 4 && y < sight.north + 4;
    for (let step = from + 1; step <= to; step += 1) {
      const square = film.squareAt(step);
      const [file, rank] = [board.file(square), board.rank(square)];
      if (!seen(file, rank)) continue;
      if (shows.tints) brush.tint(step, file, rank, 1);
      if (shows.numbers) brush.number(square, step);
      if (shows.lines && step > 1) brush.jump(step - 1, film.squareAt(step - 1), square);
    }
    if (film.closed && to === film.last && from < to && shows.lines)
      brush.jump(to, film.squareAt(to), film.squareAt(1));
    brush.finish();
  }

  /** A tour that is not listed, near enough for lines: each square in sight asks its neighbours for the next step. */
  drawWindow(sight, colours) {
    const { film, board } = this;
    const shows = this.shows;
    const brush = this.brush(colours);
    const inSight = (file, rank) =>
      file >= sight.west && file < sight.east && rank >= sight.south && rank < sight.north;
    for (let rank = sight.south; rank < sight.north; rank += 1) {
      for (let file = sight.west; file < sight.east; file += 1) {
        const square = board.at(file, rank);
        const step = film.stepOf(square);
        if (!step || step > this.step) continue;
        if (shows.tints) brush.tint(step, file, rank, 1);
        if (shows.numbers) brush.number(square, step);
        if (!shows.lines) continue;
        const next = step === film.last ? (film.closed ? 1 : 0) : step + 1;
        const before = step === 1 ? (film.closed && this.step === film.last ? film.last : 0) : step - 1;
        for (const [dx, dy] of board.steps) {
          const [to, up] = [file + dx, rank + dy];
          if (!board.has(to, up)) continue;
          const met = film.stepOf(board.at(to, up));
          if (!met || met > this.step) continue;
          if (met === next) brush.jump(step, square, board.at(to, up));
          else if (met === before && !inSight(to, up)) brush.jump(before, board.at(to, up), square);
        }
      }
    }
    brush.finish();
  }

  /** From far away: one square in so many, as a colour. */
  drawSamples(sight, colours) {
    const { film, board } = this;
    const brush = this.brush(colours);
    const every = film.tiles.every(SAMPLE / this.scale);
    const first = (from) => Math.floor(from / every) * every;
    for (let rank = first(sight.south); rank < sight.north; rank += every) {
      for (let file = first(sight.west); file < sight.east; file += every) {
        const step = film.tiles.stepOf(board.at(file, rank), every);
        if (step && step <= this.step) brush.tint(step, file, rank, every);
      }
    }
    brush.finish();
  }

  /** Collects what is to be drawn by shade, and draws each shade at once. */
  brush(colours) {
    const lines = Array.from({ length: SHADES }, () => []);
    const tints = Array.from({ length: SHADES }, () => []);
    const numbers = [];
    const { board } = this;
    return {
      tint: (step, file, rank, every) => tints[this.shade(step)].push(file, rank, every),
      jump: (step, from, to) => {
        for (const leg of board.legs(from, to)) lines[this.shade(step)].push(...leg);
      },
      number: (square, step) => numbers.push(square, step),
      finish: () => {
        const pen = this.pen('path', true);
        pen.save();
        pen.beginPath();
        pen.rect(this.left(0), this.top(board.ranks), board.files * this.scale, board.ranks * this.scale);
        pen.clip();
        pen.globalAlpha = this.scale < LINES ? 1 : 0.55;
        tints.forEach((list, shade) => {
          pen.fillStyle = colours.shades[shade];
          for (let i = 0; i < list.length; i += 3) {
            const side = list[i + 2] * this.scale;
            pen.fillRect(this.left(list[i]), this.top(list[i + 1] + list[i + 2]), side, side);
          }
        });
        pen.globalAlpha = 1;
        pen.lineCap = 'round';
        pen.lineWidth = Math.max(0.8, Math.min(5, this.scale * 0.13));
        lines.forEach((list, shade) => {
          if (!list.length) return;
          pen.strokeStyle = colours.shades[shade];
          pen.beginPath();
          for (let i = 0; i < list.length; i += 4) {
            pen.moveTo(this.left(list[i]), this.top(list[i + 1]));
            pen.lineTo(this.left(list[i + 2]), this.top(list[i + 3]));
          }
          pen.stroke();
        });
        pen.restore();
        if (numbers.length) this.write(this.pen('numbers', true), numbers, colours);
      },
    };
  }

  write(pen, numbers, colours) {
    const longest = Math.max(3, String(this.film.last).length);
    const size = Math.min(this.scale * 0.36, (this.scale * 1.25) / longest);
    pen.font = `600 ${size}px ${colours.font}`;
    pen.fillStyle = colours.ink;
    pen.strokeStyle = colours.halo;
    pen.lineWidth = size / 4;
    pen.lineJoin = 'round';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (let i = 0; i < numbers.length; i += 2) {
      const [x, y] = this.centre(numbers[i]);
      pen.strokeText(String(numbers[i + 1]), x, y);
      pen.fillText(String(numbers[i + 1]), x, y);
    }
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
      pen.strokeStyle = colours.shades[Math.min(SHADES - 1, Math.floor((i / Math.max(1, total)) * SHADES))];
      pen.beginPath();
      for (const [x, y, u, v] of this.board.legs(...jump(i))) {
        pen.moveTo(this.left(x), this.top(y));
        pen.lineTo(this.left(u), this.top(v));
      }
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
    const every = (room) => Math.max(1, 10 ** Math.ceil(Math.log10(room / this.scale)));
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
    const [up, across] = [every(24), every(36)];
    // The corner is the ranks'; a file's name there would run into theirs.
    const widest = pen.measureText(String(sight.north)).width + 14;
    for (let rank = Math.ceil(sight.south / up) * up; rank < sight.north; rank += up)
      if (this.top(rank + 0.5) < this.high - 22) tag(String(rank + 1), 5, this.top(rank + 0.5));
    for (let file = Math.ceil(sight.west / across) * across; file < sight.east; file += across)
      if (this.left(file + 0.5) > widest) tag(fileName(file), this.left(file + 0.5) - 4, this.high - 10);
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
    pen.drawImage(this.overview(w, hh, colours), 0, 0, w, hh);
    const [seenW, seenH] = [
      Math.max(7, ((sight.east - sight.west) / files) * w),
      Math.max(7, ((sight.north - sight.south) / ranks) * hh),
    ];
    const [x, y] = [
      Math.min(w - seenW, (sight.west / files) * w),
      Math.min(hh - seenH, hh - (sight.north / ranks) * hh),
    ];
    pen.fillStyle = colours.paper;
    pen.globalAlpha = 0.55;
    pen.fillRect(x, y, seenW, seenH);
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.5;
    pen.strokeRect(x + 0.75, y + 0.75, seenW - 1.5, seenH - 1.5);
  }

  /** The whole tour, a sample for each pixel of the map; drawn again when more of it has come. */
  overview(w, hh, colours) {
    const { board, film } = this;
    const key = [w, hh, colours, film, film?.tiles?.tiles.size];
    if (this.seen && key.every((part, index) => part === this.seen.key[index])) return this.seen.canvas;
    const canvas = h('canvas', { width: Math.ceil(w), height: Math.ceil(hh) });
    const pen = canvas.getContext('2d');
    pen.fillStyle = colours.dark;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    const apart = Math.max(board.files, board.ranks) / 96;
    const every = film?.tiles?.every(apart) ?? 1;
    const at = (pixel, pixels, side) => Math.floor(((pixel + 0.5) / pixels) * side);
    for (let y = 0; film?.stepOf && y < canvas.height; y += 1) {
      const rank = at(canvas.height - 1 - y, canvas.height, board.ranks);
      for (let x = 0; x < canvas.width; x += 1) {
        const square = board.at(at(x, canvas.width, board.files), rank);
        const step = film.tiles ? film.tiles.stepOf(square, every) : film.stepOf(square);
        if (!step) continue;
        pen.fillStyle = colours.shades[this.shade(step)];
        pen.fillRect(x, y, 1, 1);
      }
    }
    this.seen = { key, canvas };
    return canvas;
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
    const [file, rank] = this.at(...this.place(event)).map(Math.floor);
    return this.board.has(file, rank) ? this.board.at(file, rank) : -1;
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
      if (event.target === this.map) return;
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
    this.map.addEventListener('pointerdown', (event) => {
      event.stopPropagation();
      const box = this.map.getBoundingClientRect();
      this.x = ((event.clientX - box.left) / box.width) * this.board.files;
      this.y = (1 - (event.clientY - box.top) / box.height) * this.board.ranks;
      this.keepInside();
      this.redraw();
    });
    for (const type of ['focus', 'blur']) root.addEventListener(type, () => this.later('things'));
  }

  moveCursor(dx, dy) {
    const file = Math.min(this.board.files - 1, Math.max(0, this.board.file(this.cursor) + dx));
    const rank = Math.min(this.board.ranks - 1, Math.max(0, this.board.rank(this.cursor) + dy));
    this.cursor = this.board.at(file, rank);
    this.reveal(this.cursor);
    this.later('things');
    this.onCursor(this.cursor);
  }

  cellName(square) {
    const name = this.board.name(square);
    if (this.board.holes.has(square)) return t('cell.hole', { square: name });
    const piece = this.pieces.find((one) => one.square === square && !one.gone);
    const parts = [name, ...(piece ? [t(`piece.${piece.kind}`)] : []), ...markWords(this.marks, square)];
    const step = this.film?.stepOf?.(square);
    if (parts.length === 1 && step) return t('cell.step', { square: name, step });
    return parts.join(', ');
  }
}
