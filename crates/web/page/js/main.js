// The page: five rooms, one language, one light.
//
// Idea: rooms are made once and keep their state; the address says which is open and what it asks. Everything the
// page knows comes from the server it was loaded from.

import { h, say, retell, icon, iconButton } from './dom.js';
import { api } from './api.js';
import { kept, tab } from './kept.js';
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
/** Letters of a word of the address that is quoted. */
const MOST_QUOTED = 40;
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
        h('option', { value: tag, lang: tag }, `${tag.toUpperCase()} – ${name}`),
      ),
    );
    this.light = iconButton('half', 'page.light_auto', () => this.nextLight(), { class: 'icon-button light-switch' });
    this.linkButton = iconButton('link', 'page.link', () => this.copyLink());
    this.notice = h('p', { class: 'notice', role: 'status' });
    document.querySelector('#top').append(
      h(
        'h1',
        { class: 'brand' },
        h(
          'a',
          {
            href: '#tour',
            label: 'page.home',
            on: {
              click: (event) => {
                event.preventDefault();
                this.enter('tour', true);
              },
            },
          },
          icon('knight'),
          h('span', {}, 'Destrier'),
        ),
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
    this.setLight(kept.get(KEPT) ?? 'auto');
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.repaint());
    window.addEventListener('hashchange', () => this.open(location.hash));
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
      { keys: ['s', 'Ctrl+Enter'], text: 'keys.solve', act: () => this.room.solve() },
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
          if (this.room.modeField) this.room.setMode(this.room.mode === 'play' ? 'solve' : 'play');
        },
      },
      {
        keys: ['Ctrl+Z'],
        text: 'keys.take_back',
        act: () => (this.room.mode === 'play' ? this.room.table.undo() : this.room.back?.()),
      },
      {
        keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
        text: 'keys.redo',
        act: () => this.room.mode === 'solve' && this.room.again(),
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
    this.badge();
    if (first && !room.drawn) {
      room.drawn = true;
      room.draw();
    }
    room.remember();
  }

  /**
   * Opens what an address says. A room that asks just that is left as it is, with its answer or its search. What could
   * not be read is said.
   */
  open(hash) {
    const { room, question } = fromHash(hash);
    const asked = this.rooms[room] ?? this.rooms.tour;
    const unread = room && asked.name !== room ? [`#${room}`] : [];
    if (Object.keys(question).length && !asked.asks(question)) {
      if (asked.mode === 'play') asked.setMode('solve');
      asked.restore(question);
      asked.openOptions();
      asked.drawn = true;
      asked.changed();
      asked.showKnown?.();
      const words = asked.question() ? Object.entries(question) : [];
      unread.push(...words.filter((word) => !asked.takes(...word)).map((word) => word.join('=')));
    }
    this.room = null;
    this.enter(asked.name);
    const idle = asked.mode !== 'play' && !asked.search?.busy && !asked.running;
    if (unread.length && idle) asked.misread(unread.map((word) => word.slice(0, MOST_QUOTED)));
  }

  /** The address follows the question, and the tab keeps what all rooms ask. */
  remember(room) {
    if (!this.ready) return;
    const hash = toHash(room.name, room.question() ?? {});
    tab.set(`destrier.room.${room.name}`, hash);
    if (room === this.room && hash !== location.hash) history.replaceState(null, '', hash);
  }

  /** After a reload, rooms ask what they asked before. */
  recall() {
    for (const room of Object.values(this.rooms)) {
      const { question } = fromHash(tab.get(`destrier.room.${room.name}`) ?? '');
      if (!Object.keys(question).length) continue;
      room.restore(question);
      room.openOptions();
    }
  }

  /** The title has a dot while something is searched. */
  badge() {
    const title = document.querySelector('title');
    const busy = Object.values(this.rooms ?? {}).some((room) => room.search?.busy || room.running);
    title.textContent = `${busy ? '● ' : ''}${t(`${this.room?.name ?? 'tour'}.page_title`)}`;
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
    kept.set(KEPT, this.lit);
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
    this.badge();
    for (const room of Object.values(this.rooms)) room.retell();
  }
}

async function begin() {
  const language = preferredLanguage();
  await speakLanguage(language);
  const app = new App();
  app.language.value = language;
  const [{ type } = {}] = performance.getEntriesByType('navigation');
  const again = type === 'reload' || type === 'back_forward';
  if (again) app.recall();
  app.ready = true;
  app.open(location.hash);
  document.documentElement.classList.add('ready');
  try {
    const [methods, presets, limits] = await Promise.all([api.methods(), api.presets(), api.limits()]);
    for (const room of Object.values(app.rooms)) room.learn(methods, presets, limits);
    app.room.remember();
    if (again) for (const room of Object.values(app.rooms)) room.resume?.();
  } catch {
    app.tell(t('error.server'));
  }
}

begin();
