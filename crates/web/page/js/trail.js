// The path of an answer on a canvas: lines, colours and numbers.
//
// Idea: a listed tour is drawn jump by jump, so a step of the player adds the jumps that are new. Of a tour that is too
// long to be listed the view asks for the step on each square in sight and draws a line to the neighbour that has the
// next step; from far away it asks for one square in so many, and colours are all that is left.
// Invariant: after `drawPath` the layers `path` and `numbers` show the film up to `this.step`, and no further.
// Cost: a step of a listed tour is some lines, and of one seen from far away the samples that it reaches; a view follows the
// squares in sight, at most one a pixel.

import { Camera } from './camera.js';

/** Colours of a path from its start to its end. */
export const SHADES = 48;
/** Below so many pixels a square there are no lines, or no numbers. */
export const LINES = 3;
const NUMBERS = 22;
/** Samples are so many pixels apart at least. */
const SAMPLE = 1.5;

/** The first place in an order of steps that comes after this step. */
export function firstAfter(step, steps, order) {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[order[middle]] > step) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A view that draws paths; whoever has one gives a `pen` for a layer. */
export class Trail extends Camera {
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
    const far = !listed && this.scale < LINES;
    if (fresh && far) {
      film.tiles.forget();
      this.drawSamples(sight, colours, from);
    } else if (fresh && (listed || this.known(from, this.step))) this.drawSteps(sight, colours, from, this.step);
    else {
      this.pen('path');
      this.pen('numbers');
      film.tiles?.forget();
      if (listed) this.drawSteps(sight, colours, 0, this.step);
      else if (far) this.drawSamples(sight, colours, 0);
      else this.drawWindow(sight, colours);
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

  /** From far away: one square in so many, as a colour; those with a step after `from` up to the step of now. */
  drawSamples(sight, colours, from) {
    const { every, steps, squares, order } = this.samples(sight);
    const { board } = this;
    const brush = this.brush(colours);
    for (let at = firstAfter(from, steps, order); at < order.length && steps[order[at]] <= this.step; at += 1) {
      const [step, square] = [steps[order[at]], squares[order[at]]];
      brush.tint(step, board.file(square), board.rank(square), every);
    }
    brush.finish();
  }

  /** The samples in sight that have come, in the order of their steps; they stay the same while the view does. */
  samples(sight) {
    const { film, board } = this;
    const { tiles } = film;
    const every = tiles.every(SAMPLE / this.scale);
    const key = [film, tiles.tiles.size, every, ...Object.values(sight)];
    if (this.sampled?.key.every((part, index) => part === key[index])) return this.sampled;
    const [steps, squares] = [[], []];
    const first = (from) => Math.floor(from / every) * every;
    for (let rank = first(sight.south); rank < sight.north; rank += every) {
      for (let file = first(sight.west); file < sight.east; file += every) {
        const square = board.at(file, rank);
        const step = tiles.stepOf(square, every);
        if (step) {
          steps.push(step);
          squares.push(square);
        }
      }
    }
    const order = Uint32Array.from(steps.keys()).sort((a, b) => steps[a] - steps[b]);
    this.sampled = { key, every, steps, squares, order };
    return this.sampled;
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
        const snap = (length) => Math.round(length * this.dense) / this.dense;
        tints.forEach((list, shade) => {
          pen.fillStyle = colours.shades[shade];
          for (let i = 0; i < list.length; i += 3) {
            const [file, rank, side] = [list[i], list[i + 1], list[i + 2]];
            // On whole pixels, so that neighbours meet without a seam.
            const [x, y] = [snap(this.left(file)), snap(this.top(rank + side))];
            pen.fillRect(x, y, snap(this.left(file + side)) - x, snap(this.top(rank)) - y);
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
    const shade = (i) => i / Math.max(1, this.film.segmentCount);
    this.lines(pen, colours, to - from, (i) => this.film.segment(from + i), shade);
  }

  /** A walk that goes on: alone it changes its colour as it goes; of several, each has its own. */
  drawWalk(pen, colours, walk, walker) {
    const all = this.walks.length;
    const shade = all > 1 ? () => walker / (all - 1) : (i) => i / Math.max(1, this.board.open);
    this.lines(pen, colours, walk.length - 1, (i) => [walk[i], walk[i + 1]], shade);
  }

  lines(pen, colours, count, jump, shade) {
    pen.lineCap = 'round';
    pen.lineWidth = Math.max(1, Math.min(5, this.scale * 0.13));
    for (let i = 0; i < count; i += 1) {
      pen.strokeStyle = colours.shades[Math.min(SHADES - 1, Math.floor(shade(i) * SHADES))];
      pen.beginPath();
      for (const [x, y, u, v] of this.board.legs(...jump(i))) {
        pen.moveTo(this.left(x), this.top(y));
        pen.lineTo(this.left(u), this.top(v));
      }
      pen.stroke();
    }
  }
}
