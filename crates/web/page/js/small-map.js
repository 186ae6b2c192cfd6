// The small map in the corner of a large board: the whole tour, and the part that is in sight.
//
// Idea: the tour is sampled once for each pixel of the map, and again when more of it has come; moving the view draws
// the frame alone. A press on the map goes there.

import { h } from './dom.js';

export class SmallMap {
  /** `goTo` hears of a place, as parts of the board's width and height from the bottom left. */
  constructor(goTo) {
    this.canvas = h('canvas', { class: 'map', 'aria-hidden': 'true' });
    this.canvas.addEventListener('pointerdown', (event) => {
      event.stopPropagation();
      const box = this.canvas.getBoundingClientRect();
      goTo((event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height);
    });
  }

  /** The small map: the whole board, and the part in sight. */
  draw(view, sight, colours) {
    const { files, ranks } = view.board;
    const all = sight.east - sight.west >= files && sight.north - sight.south >= ranks;
    this.canvas.classList.toggle('off', all);
    if (all) return;
    const longer = Math.max(files, ranks);
    const [w, hh] = [Math.max(8, (96 * files) / longer), Math.max(8, (96 * ranks) / longer)];
    this.canvas.width = w * view.dense;
    this.canvas.height = hh * view.dense;
    this.canvas.style.width = `${w}px`;
    this.canvas.style.height = `${hh}px`;
    const pen = this.canvas.getContext('2d');
    pen.setTransform(view.dense, 0, 0, view.dense, 0, 0);
    pen.drawImage(this.overview(view, w, hh, colours), 0, 0, w, hh);
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
  overview(view, w, hh, colours) {
    const { board, film } = view;
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
        pen.fillStyle = colours.shades[view.shade(step)];
        pen.fillRect(x, y, 1, 1);
      }
    }
    this.seen = { key, canvas };
    return canvas;
  }
}
