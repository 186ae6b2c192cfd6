// Play, pause, step, speed and scrubber for a film.
//
// Idea: the player owns the step and the clock; whoever shows the film is told of each new step. At high speed it
// skips frames of the screen, never steps of the film.
// Invariant: `film.first <= step <= film.last` while there is a film.

import { h, icon, iconButton, say } from './dom.js';
import { kept } from './kept.js';
import { t } from './i18n.js';

/** Steps a second. */
const SPEEDS = [1, 2, 4, 8, 16, 32, 64, 128, 512];
/** Or the whole film in so many seconds. */
const WHOLE = 20;
const KEPT = 'destrier.speed';

export class Player {
  constructor(show) {
    this.show = show;
    this.film = null;
    this.playing = false;
    const speed = kept.get(KEPT);
    this.speed = speed === 'whole' || SPEEDS.includes(Number(speed)) ? speed : '8';
    this.toggleButton = iconButton('play', 'player.play', () => this.toggle(), { class: 'icon-button strong' });
    this.slider = h('input', {
      type: 'range',
      class: 'scrubber',
      label: 'player.scrub',
      min: '0',
      max: '1',
      value: '0',
      step: '1',
      on: { input: () => this.go(Number(this.slider.value)) },
    });
    this.count = h('output', { class: 'count' }, '–');
    this.speedChoice = h(
      'select',
      {
        label: 'player.speed',
        tip: 'player.speed',
        class: 'speed',
        on: { change: () => this.setSpeed(this.speedChoice.value) },
      },
      ...SPEEDS.map((each) => h('option', { value: String(each) }, `${each}×`)),
      h('option', { value: 'whole', text: 'player.whole' }),
    );
    this.speedChoice.value = this.speed;
    this.buttons = [
      iconButton('first', 'player.first', () => this.go(this.film.first)),
      iconButton('back', 'player.back', () => this.by(-1)),
      this.toggleButton,
      iconButton('forward', 'player.forward', () => this.by(1)),
      iconButton('last', 'player.last', () => this.end()),
    ];
    this.root = h(
      'div',
      { class: 'player', role: 'group', label: 'player.name' },
      ...this.buttons,
      this.slider,
      this.count,
      this.speedChoice,
    );
    this.load(null);
  }

  /** Takes a film; the scrubber stands at `step`, or at the end. */
  load(film, step = film?.last) {
    this.pause();
    this.film = film;
    for (const button of this.buttons) button.disabled = !film;
    this.slider.disabled = !film;
    this.slider.min = film?.first ?? 0;
    this.slider.max = film?.last ?? 1;
    if (film) this.go(step);
    else {
      this.slider.value = 0;
      this.fill(0);
      this.count.textContent = '–';
    }
  }

  /** The steps of a second. */
  get rate() {
    if (this.speed !== 'whole') return Number(this.speed);
    return Math.max(8, (this.film.last - this.film.first) / WHOLE);
  }

  /** Goes to the end; a search that is watched is over with that. */
  end() {
    this.pause();
    this.film.skipped = true;
    this.go(this.film.last);
    this.film.over?.();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.speedChoice.value = speed;
    kept.set(KEPT, speed);
  }

  /** One speed up or down. */
  shift(by) {
    const speeds = [...SPEEDS.map(String), 'whole'];
    const at = speeds.indexOf(this.speed);
    this.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, at + by))]);
  }

  /** The film has more steps than before. */
  grown() {
    this.slider.max = this.film.last;
    this.mark();
  }

  /** Shows where the film stands. */
  mark() {
    const { first, last } = this.film;
    this.slider.value = this.step;
    this.fill((this.step - first) / Math.max(1, last - first));
    this.count.textContent = t('player.count', { step: this.step, total: last });
  }

  go(step) {
    if (!this.film) return;
    this.step = Math.min(this.film.last, Math.max(this.film.first, step));
    this.mark();
    this.slider.setAttribute('aria-valuetext', this.film.words(this.step));
    this.show(this.step, this.playing);
  }

  fill(part) {
    this.slider.style.setProperty('--fill', `${(part * 100).toFixed(2)}%`);
  }

  by(steps) {
    this.pause();
    this.go((this.step ?? 0) + steps);
  }

  toggle() {
    if (!this.film) return;
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.step >= this.film.last && !this.film.live) this.go(this.film.first);
    this.setPlaying(true);
    const { film } = this;
    // Only the latest to start it moves the film on.
    const run = {};
    this.run = run;
    let last = performance.now();
    let owed = 0;
    const tick = (now) => {
      if (!this.playing || this.film !== film || this.run !== run) return;
      owed += ((now - last) / 1000) * this.rate;
      last = now;
      const whole = Math.min(Math.floor(owed), film.last - this.step);
      owed = whole < Math.floor(owed) ? 0 : owed - whole;
      if (whole > 0) this.go(this.step + whole);
      if (this.step >= film.last && !film.live) {
        this.pause();
        film.over?.();
      } else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (this.playing) this.setPlaying(false);
  }

  setPlaying(playing) {
    this.playing = playing;
    this.toggleButton.replaceChildren(icon(playing ? 'pause' : 'play'));
    for (const role of ['label', 'tip']) say(this.toggleButton, role, playing ? 'player.pause' : 'player.play');
    if (this.film) this.show(this.step, playing);
  }
}
