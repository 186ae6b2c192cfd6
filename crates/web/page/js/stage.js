// The stage: a board, its player, and the words below it.
//
// Idea: a room asks the stage to show a film, a walk, pieces or a heat map, and hears which square was chosen. The
// stage takes the SVG board for small boards and the canvas for big ones, and a room never knows which.
// Invariant: everything that is shown is also said: the caption is a live region, and the cursor tells its square.

import { h, iconButton } from './dom.js';
import { t } from './i18n.js';
import { SvgBoard } from './board-svg.js';
import { CanvasBoard } from './board-canvas.js';
import { Player } from './player.js';

/** More squares than this go on the canvas. */
export const MOST_DRAWN = 2500;
const KEPT = 'destrier.style';

export class Stage {
  constructor() {
    this.act = () => {};
    this.paints = () => false;
    const hears = {
      act: (square, again) => this.act(square, again),
      cursor: (square) => {
        this.live.textContent = this.view.cellName(square);
      },
      paint: () => this.paints(),
    };
    this.views = { svg: new SvgBoard(hears), canvas: new CanvasBoard(hears) };
    this.player = new Player((step, playing) => this.showStep(step, playing));
    this.caption = h('p', { class: 'caption' });
    this.live = h('p', { class: 'unseen', 'aria-live': 'polite' });
    this.board = null;
    this.frame = h('div', { class: 'frame-box' });
    this.styleBar = h(
      'div',
      { class: 'segmented small', role: 'group', label: 'style.name' },
      ...['path', 'numbers', 'both'].map((style) =>
        h('button', {
          type: 'button',
          text: `style.${style}`,
          'data-style': style,
          on: { click: () => this.setStyle(style) },
        }),
      ),
    );
    this.zoomBar = h(
      'div',
      { class: 'zoom', role: 'group', label: 'zoom.name' },
      iconButton('plus', 'zoom.in', () => this.view.zoom(1.5)),
      iconButton('minus', 'zoom.out', () => this.view.zoom(1 / 1.5)),
      iconButton('fit', 'zoom.fit', () => this.view.fit()),
    );
    this.root = h(
      'div',
      { class: 'stage' },
      this.frame,
      h('div', { class: 'below' }, this.caption, this.styleBar),
      this.player.root,
      this.live,
    );
    this.frame.addEventListener('keydown', (event) => this.keyed(event));
    this.view = this.views.svg;
    this.setStyle(localStorage.getItem(KEPT) ?? 'both');
  }

  setBoard(board, label) {
    this.stopWalk();
    this.player.load(null);
    const wanted = board.size > MOST_DRAWN ? this.views.canvas : this.views.svg;
    const big = wanted === this.views.canvas;
    if (this.view !== wanted || !this.frame.firstChild) {
      this.view = wanted;
      this.frame.replaceChildren(wanted.root, ...(big ? [this.zoomBar] : []));
      this.frame.classList.toggle('big', big);
    }
    this.board = board;
    this.frame.style.setProperty('--aspect', Math.min(3, Math.max(0.5, board.files / board.ranks)).toFixed(4));
    this.view.setBoard(board);
    this.view.root.setAttribute('aria-label', label ?? t('board.name', { files: board.files, ranks: board.ranks }));
    this.view.setStyle(this.style);
  }

  setStyle(style) {
    this.style = style;
    localStorage.setItem(KEPT, style);
    for (const view of Object.values(this.views)) if (view.board || view === this.views.svg) view.setStyle(style);
    for (const button of this.styleBar.children)
      button.setAttribute('aria-pressed', String(button.dataset.style === style));
  }

  /** The next of path, numbers, both. */
  nextStyle() {
    const styles = ['path', 'numbers', 'both'];
    this.setStyle(styles[(styles.indexOf(this.style) + 1) % 3]);
  }

  /** Shows a film, at its end or at a step. */
  showFilm(film, step) {
    this.stopWalk();
    this.view.follow = false;
    this.view.setFilm(film);
    this.player.load(film, step);
    this.view.follow = true;
  }

  showStep(step, playing) {
    const { film } = this.player;
    this.view.setStep(step);
    this.caption.textContent = film.words(step);
    if (!playing || this.player.speed <= 2) this.live.textContent = film.words(step);
  }

  say(text, aloud = true) {
    this.caption.textContent = text;
    if (aloud) this.live.textContent = text;
  }

  /** Takes the answer away; the squares stay. */
  clear() {
    this.stopWalk();
    this.player.load(null);
    this.view.clear();
  }

  /**
   * Shows a search at the player's speed: events are queued, and the walk grows and shrinks. The promise ends when
   * `finish` was called and all is shown, or somebody skipped.
   */
  startWalk() {
    this.clear();
    const walk = [];
    const queue = [];
    let retreats = 0;
    let over = false;
    let last = performance.now();
    let owed = 0;
    let next = 0;
    const shown = new Promise((resolve) => {
      const end = () => {
        this.walking = null;
        this.player.follow(null);
        this.view.setWalk([]);
        resolve();
      };
      this.walking = end;
      this.player.follow(end);
      const tick = (now) => {
        if (this.walking !== end) return;
        owed += ((now - last) / 1000) * this.player.speed * 2;
        last = now;
        let left = Math.min(Math.floor(owed), queue.length - next);
        owed = queue.length > next ? owed - Math.floor(owed) : 0;
        const some = left > 0;
        for (; left > 0; left -= 1) {
          const [what, square] = queue[next];
          next += 1;
          if (what === 'begin') walk.length = 0;
          else if (what === 'move') walk.push(this.board.square(square));
          else if (what === 'back') {
            walk.pop();
            retreats += 1;
          }
        }
        if (some) {
          this.view.setWalk(walk);
          this.view.setPieces(walk.length ? [{ id: 'knight', kind: 'knight', square: walk.at(-1) }] : []);
          this.say(t('walk.caption', { step: walk.length, retreats }), false);
        }
        if (over && next >= queue.length) end();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    return {
      push: (events) => {
        for (const event of events) queue.push(event);
      },
      finish: () => {
        over = true;
        return shown;
      },
    };
  }

  stopWalk() {
    this.walking?.();
  }

  keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 5 : 1;
    const moves = {
      ArrowLeft: [-far, 0],
      ArrowRight: [far, 0],
      ArrowUp: [0, far],
      ArrowDown: [0, -far],
      Home: [-Infinity, 0],
      End: [Infinity, 0],
      PageUp: [0, Infinity],
      PageDown: [0, -Infinity],
    };
    if (event.target.closest('.zoom')) return;
    if (event.key in moves) this.view.moveCursor(...moves[event.key].map((by) => Math.min(1e9, Math.max(-1e9, by))));
    else if (event.key === 'Enter' || event.key === ' ') this.act(this.view.cursor, false);
    else if (event.key === '+' && this.view.zoom) this.view.zoom(1.5);
    else if (event.key === '-' && this.view.zoom) this.view.zoom(1 / 1.5);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
