// The stage: a board, its player, and the words below it.
//
// Idea: a room asks the stage to show a film, a walk, pieces or a heat map, and hears which square was chosen. The
// stage takes the SVG board for small boards and the canvas for big ones, and a room never knows which.
// Invariant: everything that is shown is also said: the caption is a live region, and the cursor tells its square.

import { h, iconButton } from './dom.js';
import { kept } from './kept.js';
import { t } from './i18n.js';
import { SvgBoard } from './board-svg.js';
import { CanvasBoard } from './board-canvas.js';
import { Player } from './player.js';

/** More squares than this go on the canvas; a board that is scrolled along may have more. */
const MOST_DRAWN = 1024;
const MOST_LONG = 2500;
const KEPT = 'destrier.style';

export class Stage {
  constructor() {
    // What a hand on the board does; a room says what it means.
    this.hands = {
      tap: () => {},
      paint: () => {},
      erase: () => {},
      carry: () => {},
      paints: () => false,
      carries: () => false,
      erases: () => false,
    };
    const hears = {
      hands: this.hands,
      cursor: (square) => {
        this.live.textContent = this.view.cellName(square);
      },
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
      h('div', { class: 'below' }, this.caption, h('div', { class: 'looks' }, this.zoomBar, this.styleBar)),
      this.player.root,
      this.live,
    );
    this.frame.addEventListener('keydown', (event) => this.keyed(event));
    this.view = this.views.svg;
    this.setStyle(kept.get(KEPT) ?? 'both');
  }

  setBoard(board) {
    this.player.load(null);
    const big = board.size > (board.long ? MOST_LONG : MOST_DRAWN);
    const wanted = big ? this.views.canvas : this.views.svg;
    if (this.view !== wanted || !this.frame.firstChild) {
      this.view = wanted;
      this.frame.replaceChildren(wanted.root);
      this.frame.classList.toggle('big', big);
    }
    this.board = board;
    this.frame.style.setProperty('--aspect', Math.min(3, Math.max(0.5, board.files / board.ranks)).toFixed(4));
    this.view.setBoard(board);
    const { files, ranks } = board;
    this.view.root.setAttribute('aria-label', t(big ? 'board.big' : 'board.name', { files, ranks }));
    this.view.setStyle(this.style);
  }

  setStyle(style) {
    this.style = style;
    kept.set(KEPT, style);
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
    this.view.follow = false;
    this.view.setFilm(film);
    this.player.load(film, step);
    this.view.follow = true;
  }

  showStep(step, playing) {
    const { film } = this.player;
    if (film.walkAt) {
      const walks = film.walksAt?.(step) ?? [film.walkAt(step)];
      this.view.setWalks(walks, film.numbered && walks.length === 1);
      this.view.setPieces(film.pieces(step));
    } else this.view.setStep(step);
    const words = film.words(step);
    this.caption.textContent = words;
    if (!playing || this.player.rate <= 2) this.live.textContent = words;
  }

  /** Puts words below the board; what was said before is over, also where the new words are not said aloud. */
  say(text, aloud = true) {
    this.caption.textContent = text;
    this.live.textContent = aloud ? text : '';
  }

  /** Says what is now on a square that was edited. */
  tellSquare(square) {
    this.live.textContent = this.view.cellName(square);
  }

  /** Takes the answer away; the squares stay. */
  clear() {
    this.player.load(null);
    this.view.clear();
  }

  /** Shows a search at the speed of the player while it runs; it can be paused, and gone through step by step. */
  watch(film) {
    this.clear();
    film.grown = () => {
      if (this.player.film === film) this.player.grown();
    };
    this.player.load(film, 0);
    this.player.play();
    return film;
  }

  /** The search is over: the promise ends when all of it was seen, or somebody skipped to the end. */
  watched(film) {
    film.live = false;
    if (this.player.film !== film || film.skipped) return null;
    return new Promise((resolve) => {
      film.over = resolve;
    });
  }

  /** Ends the watching: takes the walk away. */
  stopWatching() {
    const { film } = this.player;
    if (!film?.walkAt) return;
    this.clear();
    film.over?.();
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
    if (event.key in moves) this.view.moveCursor(...moves[event.key].map((by) => Math.min(1e9, Math.max(-1e9, by))));
    else if (event.key === 'Enter' || event.key === ' ') this.hands.tap(this.view.cursor);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.hands.erase(this.view.cursor, false);
    else if (event.key === '+' && this.view.zoom) this.view.zoom(1.5);
    else if (event.key === '-' && this.view.zoom) this.view.zoom(1 / 1.5);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
