// The page: five rooms, one language, one light.
//
// Idea: rooms are made once and keep their state; the address says which is open and what it asks. Everything the
// page knows comes from the server it was loaded from.

import { h, say, retell, icon, iconButton } from './dom.js';
import { api } from './api.js';
import { t, LANGUAGES, preferredLanguage, speakLanguage } from './i18n.js';
import { toHash, fromHash } from './permalink.js';
import { Keys } from './keys.js';
import { Import } from './import.js';
import { TourRoom } from './room-tour.js';
import { CountRoom } from './room-count.js';
import { CaptureRoom } from './room-capture.js';
import { SwapRoom } from './room-swap.js';
import { CompareRoom } from './room-compare.js';

const KEPT = 'destrier.theme';
const LIGHTS = ['auto', 'light', 'dark'];

class App {
  constructor() {
    this.rooms = Object.fromEntries(
      [TourRoom, CountRoom, CaptureRoom, SwapRoom, CompareRoom].map((Kind) => {
        const room = new Kind(this);
        return [room.name, room];
      }),
    );
    this.tabs = Object.keys(this.rooms).map((name) =>
      h('a', {
        href: `#${name}`,
        class: 'tab',
        text: `${name}.name`,
        'data-room': name,
        on: {
          click: (event) => {
            event.preventDefault();
            this.enter(name, true);
          },
        },
      }),
    );
    this.language = h(
      'select',
      { label: 'page.language', class: 'language', on: { change: () => this.speak(this.language.value) } },
      ...Object.entries(LANGUAGES).map(([tag, name]) =>
        h('option', { value: tag, lang: tag, 'aria-label': name }, tag.toUpperCase()),
      ),
    );
    this.light = iconButton('half', 'page.light_auto', () => this.nextLight(), { class: 'icon-button light-switch' });
    this.linkButton = iconButton('link', 'page.link', () => this.copyLink());
    this.notice = h('p', { class: 'notice', role: 'status' });
    document.querySelector('#top').append(
      h(
        'a',
        {
          class: 'brand',
          href: '#tour',
          label: 'page.home',
          on: {
            click: (event) => {
              event.preventDefault();
              this.enter('tour');
            },
          },
        },
        icon('knight'),
        h('span', {}, 'Destrier'),
      ),
      h('nav', { class: 'tabs', label: 'page.rooms' }, ...this.tabs),
      h(
        'div',
        { class: 'tools-bar' },
        iconButton('open', 'import.open', () => this.import.choose()),
        this.linkButton,
        this.language,
        this.light,
        iconButton('help', 'keys.title', () => this.keys.show()),
      ),
    );
    document.querySelector('#rooms').append(...Object.values(this.rooms).map((room) => room.root));
    document.body.append(this.notice);
    this.import = new Import(this);
    this.keys = new Keys(this.keyTable());
    this.setLight(localStorage.getItem(KEPT) ?? 'auto');
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.repaint());
    window.addEventListener('hashchange', () => this.open(location.hash));
    window.addEventListener('pagehide', () => {
      for (const room of Object.values(this.rooms)) room.cancel();
    });
  }

  keyTable() {
    const stage = (act) => () => {
      if (this.room.stage) act(this.room.stage);
    };
    const table = (act) => () => {
      if (this.room.mode === 'play') act(this.room.table);
    };
    return [
      {
        keys: ['1', '2', '3', '4', '5'],
        text: 'keys.rooms',
        act: (key) => this.enter(Object.keys(this.rooms)[Number(key) - 1], true),
      },
      { keys: ['s'], text: 'keys.solve', act: () => this.room.solve() },
      { keys: ['Escape'], text: 'keys.cancel', act: () => this.room.cancel() },
      { keys: ['p'], text: 'keys.play', act: stage(({ player }) => player.toggle()) },
      { keys: [','], text: 'keys.back', act: stage(({ player }) => player.film && player.by(-1)) },
      { keys: ['.'], text: 'keys.forward', act: stage(({ player }) => player.film && player.by(1)) },
      { keys: ['[', ']'], text: 'keys.speed', act: (key) => this.room.stage?.player.shift(key === ']' ? 1 : -1) },
      { keys: ['n'], text: 'keys.style', act: stage((one) => one.nextStyle()) },
      { keys: ['b'], text: 'keys.board', act: stage(({ view }) => view.root.focus()) },
      {
        keys: ['g'],
        text: 'keys.game',
        act: () => {
          if (this.room.table) this.room.setMode(this.room.mode === 'play' ? 'solve' : 'play');
        },
      },
      { keys: ['u'], text: 'keys.undo', act: table((one) => one.undo()) },
      { keys: ['h'], text: 'keys.hint', act: table((one) => one.hint()) },
      { keys: ['o'], text: 'keys.open', act: () => this.import.choose() },
      { keys: ['l'], text: 'keys.link', act: () => this.copyLink() },
      { keys: ['d'], text: 'keys.light', act: () => this.nextLight() },
      { keys: ['?'], text: 'keys.help', act: () => this.keys.show() },
    ];
  }

  /** Opens a room; going there oneself can be taken back with the browser's Back. */
  enter(name, visited = false) {
    const room = this.rooms[name] ?? this.rooms.tour;
    const first = this.room !== room;
    if (visited && first) history.pushState(null, '', `#${room.name}`);
    this.room = room;
    for (const one of Object.values(this.rooms)) one.root.hidden = one !== room;
    for (const tab of this.tabs) {
      if (tab.dataset.room === room.name) tab.setAttribute('aria-current', 'page');
      else tab.removeAttribute('aria-current');
    }
    say(document.querySelector('title'), 'text', `${room.name}.page_title`);
    if (first && !room.drawn) {
      room.drawn = true;
      room.draw();
    }
    this.remember(room);
  }

  /** Opens what an address says. */
  open(hash) {
    const { room, question } = fromHash(hash);
    const asked = this.rooms[room] ?? this.rooms.tour;
    if (Object.keys(question).length) {
      asked.cancel();
      if (asked.mode === 'play') asked.setMode('solve');
      asked.restore(question);
      asked.report?.reset();
      asked.ended = null;
      asked.drawn = false;
    }
    this.room = null;
    this.enter(asked.name);
  }

  /** The address follows the question. */
  remember(room) {
    if (room !== this.room) return;
    const hash = toHash(room.name, room.question() ?? {});
    if (hash !== location.hash) history.replaceState(null, '', hash);
  }

  take(text) {
    this.import.text(text);
  }

  async copyLink() {
    this.remember(this.room);
    try {
      await navigator.clipboard.writeText(location.href);
      this.tell(t('page.copied'));
    } catch {
      this.tell(location.href);
    }
  }

  tell(text) {
    this.notice.textContent = text;
    this.notice.classList.add('seen');
    clearTimeout(this.fading);
    this.fading = setTimeout(() => this.notice.classList.remove('seen'), 3000);
  }

  nextLight() {
    this.setLight(LIGHTS[(LIGHTS.indexOf(this.lit) + 1) % LIGHTS.length]);
    localStorage.setItem(KEPT, this.lit);
  }

  setLight(light) {
    this.lit = LIGHTS.includes(light) ? light : 'auto';
    document.documentElement.dataset.theme = this.lit;
    this.light.replaceChildren(icon({ auto: 'half', light: 'sun', dark: 'moon' }[this.lit]));
    for (const role of ['label', 'tip']) say(this.light, role, `page.light_${this.lit}`);
    this.repaint();
  }

  repaint() {
    for (const room of Object.values(this.rooms)) room.stage?.views.canvas.repaint();
  }

  async speak(language) {
    await speakLanguage(language, true);
    this.language.value = language;
    retell();
    for (const room of Object.values(this.rooms)) room.retell();
  }
}

async function begin() {
  const language = preferredLanguage();
  await speakLanguage(language);
  const app = new App();
  app.language.value = language;
  app.open(location.hash);
  document.documentElement.classList.add('ready');
  try {
    const [methods, presets] = await Promise.all([api.methods(), api.presets()]);
    for (const room of Object.values(app.rooms)) room.learn(methods, presets);
    app.remember(app.room);
  } catch {
    app.tell(t('error.server'));
  }
}

begin();
