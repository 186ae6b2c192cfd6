// What came of a question: progress while it runs, the answer in words, what it took, and ways to keep it.
//
// Idea: one card with a fixed place for each of these, so nothing jumps. The headline is in the reader's language;
// below it stand the program's own words, which carry the exact reason. Pictures look like the page: the page draws
// them. Everything else is made by the server from the certificate, which it checks first.

import { h, icon } from './dom.js';
import { api } from './api.js';
import { svgBlob, pngBlob } from './picture.js';
import { refusalPhrase } from './phrases.js';
import { t, spell, brief, duration } from './i18n.js';

/** The names of formats that are not those of their files. */
const FILES = { list: 'txt', fen: 'txt' };
const NAMES = { list: 'TXT' };
/** The most steps, and squares, of a film; the server has the same limit. */
const MOST_PLAYED = 10_000;
/** A tour of more squares is not listed. */
const MOST_LISTED = 4_000_000;

export class Report {
  constructor({ formats, idle, room }) {
    this.idle = idle;
    this.room = room;
    this.bar = h('div', { class: 'bar', role: 'progressbar', label: 'run.progress' }, h('div', {}));
    this.facts = {};
    const facts = ['elapsed', 'nodes', 'rate', 'best', 'bound'].map((name) => {
      this.facts[name] = h('dd', {}, '–');
      return h('div', { class: `fact-${name}` }, h('dt', { text: `run.${name}` }), this.facts[name]);
    });
    this.busy = h('div', { class: 'busy' }, this.bar, h('dl', { class: 'facts' }, ...facts));
    this.headline = h('p', { class: 'headline' });
    this.detail = h('p', { class: 'detail' });
    this.body = h('div', { class: 'body' });
    this.effort = h('p', { class: 'effort' });
    this.keep = h(
      'div',
      { class: 'keep' },
      ...formats.map((format) =>
        h(
          'button',
          {
            type: 'button',
            class: 'chip',
            'data-format': format,
            on: { click: () => this.save(format) },
          },
          icon('save'),
          NAMES[format] ?? format.toUpperCase(),
        ),
      ),
      ...['image', 'list'].map((what) =>
        h(
          'button',
          { type: 'button', class: 'chip', 'data-copy': what, on: { click: () => this.copy(what) } },
          icon('copy'),
          h('span', { text: `keep.copy_${what}` }),
        ),
      ),
    );
    const watched = (name, sign, act) =>
      h(
        'button',
        { type: 'button', class: 'chip', 'data-watched': name, on: { click: act } },
        icon(sign),
        h('span', { text: `keep.${name}` }),
      );
    this.keep.append(
      watched('again', 'play', () => this.room.watchAgain()),
      watched('film', 'save', () => this.saveFilm()),
    );
    this.extras = h('div', { class: 'keep extras' });
    this.root = h(
      'section',
      { class: 'report', 'data-tone': 'idle', label: 'run.answer' },
      this.busy,
      h('div', { class: 'words' }, this.headline, this.detail),
      this.body,
      this.effort,
      this.extras,
      this.keep,
    );
    this.reset();
  }

  /** Nothing asked yet: says what to do. */
  reset() {
    this.certificate = null;
    this.film = null;
    this.long = null;
    this.state('idle', t(this.idle));
  }

  state(tone, headline, detail = '') {
    this.root.dataset.tone = tone;
    this.headline.textContent = headline;
    this.detail.textContent = detail;
    this.detail.hidden = !detail;
    this.effort.textContent = '';
    this.body.replaceChildren();
    this.busy.hidden = tone !== 'busy';
    this.extras.hidden = tone !== 'good';
    this.offer(this.certificate);
  }

  start() {
    this.detail.removeAttribute('lang');
    this.certificate = null;
    this.film = null;
    this.bound = null;
    this.last = null;
    this.waiting = false;
    this.watched = false;
    this.weighed = false;
    this.bar.hidden = false;
    for (const fact of Object.values(this.facts)) fact.textContent = '–';
    this.bar.classList.remove('known');
    this.bar.removeAttribute('aria-valuenow');
    this.bar.firstChild.style.removeProperty('inline-size');
    this.state('busy', t('run.searching'));
  }

  /** Before a long count: how long it would take is measured. */
  weighing() {
    this.headline.textContent = t('run.weighing');
    this.weighed = true;
  }

  queued(position) {
    this.headline.textContent = t('run.queued', { n: position + 1 });
    this.waiting = true;
  }

  progress(now) {
    const { facts } = this;
    if (this.waiting) this.headline.textContent = t(this.weighed ? 'run.weighing' : 'run.searching');
    this.waiting = false;
    this.last = now;
    facts.elapsed.textContent = duration(now.elapsed_ms ?? 0);
    if (now.nodes !== undefined) facts.nodes.textContent = brief(now.nodes);
    if (now.rate !== undefined) facts.rate.textContent = t('run.per_second', { n: brief(now.rate) });
    if (now.best !== undefined && now.best !== null) facts.best.textContent = spell(now.best);
    if (now.bound !== undefined && now.bound !== null) {
      facts.bound.textContent = spell(now.bound);
      this.bound = now.bound;
    }
    // A part that is all done says nothing of what comes after it.
    const known = typeof now.fraction === 'number' && now.fraction < 1;
    this.bar.classList.toggle('known', known);
    const percent = known ? Math.floor(now.fraction * 100) : null;
    if (known) {
      this.bar.firstChild.style.inlineSize = `${(now.fraction * 100).toFixed(1)}%`;
      this.bar.setAttribute('aria-valuenow', String(percent));
    } else {
      this.bar.firstChild.style.removeProperty('inline-size');
      this.bar.removeAttribute('aria-valuenow');
    }
    const parts = [];
    if (now.parts > 1) parts.push(t('run.part', { part: now.part, parts: now.parts }));
    if (known) parts.push(t('run.percent', { percent }));
    if (known && now.eta_ms && now.elapsed_ms > 2000 && now.fraction > 0.02)
      parts.push(t(now.parts > 1 ? 'run.left_part' : 'run.left', { time: duration(now.eta_ms) }));
    this.detail.textContent = parts.join(' · ');
    this.detail.hidden = !parts.length;
  }

  /** The search is over, and is still being watched. */
  watching() {
    this.watched = true;
    this.headline.textContent = t('run.watching');
    this.bar.hidden = true;
  }

  /** Another language, while a search runs. */
  retell() {
    if (this.waiting) return;
    this.headline.textContent = t(this.watched ? 'run.watching' : this.weighed ? 'run.weighing' : 'run.searching');
    if (this.last && !this.watched) this.progress(this.last);
  }

  /** The end of a job: tone is `good`, `none` (proved impossible), `open` (undecided); with more in the reader's words. */
  done(tone, headline, job, detail) {
    this.certificate = job.certificate ?? null;
    this.long = null;
    this.state(tone, headline, detail ?? job.says ?? '');
    // What the page has no words for is said in the server's.
    if (detail === undefined) this.detail.lang = 'en';
    else this.detail.removeAttribute('lang');
    const { method, nodes, elapsed_ms: time } = job.effort ?? {};
    const parts = [];
    if (method) parts.push(t('run.by', { method }));
    if (nodes) parts.push(t('unit.nodes', { n: nodes }));
    if (time !== undefined) parts.push(duration(time));
    this.effort.textContent = parts.join(' · ');
  }

  refuse(message) {
    this.certificate = null;
    this.state('bad', message || t('error.server'));
  }

  /** Offers what can be kept of a certificate: a game's as well as a job's; and of a tour that has none. */
  offer(certificate) {
    this.certificate = certificate;
    const able = this.formatsOf(certificate);
    for (const chip of this.keep.children) {
      const { format, copy, watched } = chip.dataset;
      chip.hidden = watched ? !this.film : !able.has(format ?? { image: 'png', list: 'list' }[copy]);
    }
    this.keep.hidden = !able.size && !this.film;
  }

  /** The forms in which something can be kept. */
  formatsOf(certificate) {
    const answer = this.long;
    if (!certificate) return new Set(answer ? ['png', ...(answer.length <= MOST_LISTED ? ['list'] : [])] : []);
    const one = Array.isArray(certificate) ? certificate[0] : certificate;
    if (one?.kind === 'count-by-start') return new Set(['json', 'csv', 'svg', 'png']);
    if (one?.kind === 'count-series') return new Set(['json', 'csv']);
    if (one?.kind === 'count' || one?.answer === 'impossible') return new Set(['json']);
    const all = new Set(['svg', 'png', 'gif', 'json', 'fen', 'list', 'csv']);
    if (one?.kind === 'tour') all.delete('fen');
    if (one?.kind === 'swap' && (one?.solution?.length ?? 0) > MOST_PLAYED) all.delete('gif');
    return all;
  }

  /** A tour that is too long to be listed can be kept, too: `steps(from, count)` gives its squares. */
  offerLong(answer, steps) {
    this.long = { length: answer.length, steps };
    this.offer(null);
  }

  /** The file of a format. */
  async file(format) {
    const { certificate, long, room } = this;
    const { view } = room.stage;
    const kind = certificate?.kind ?? certificate?.[0]?.kind;
    if (format === 'png') return pngBlob(view, this.headline.textContent);
    if (format === 'svg' && view.root.viewBox) return svgBlob(view.root, this.headline.textContent);
    if (kind === 'count-series' && format === 'csv') return new Blob([seriesCsv(certificate)], { type: 'text/csv' });
    if (kind?.startsWith('count') && format === 'json')
      return new Blob([`${JSON.stringify(certificate)}\n`], { type: 'application/json' });
    if (format === 'list' && !certificate) {
      const parts = [];
      for (let from = 1; from <= long.length; from += 65_536)
        parts.push((await long.steps(from, 65_536)).squares.join(' '), from + 65_536 > long.length ? '\n' : ' ');
      return new Blob(parts, { type: 'text/plain' });
    }
    return api.export(format, certificate);
  }

  async save(format) {
    const kind = this.certificate?.kind ?? this.certificate?.[0]?.kind ?? this.room.name;
    await this.kept(`[data-format="${format}"]`, async () => {
      saveBlob(await this.file(format), `destrier-${kind}.${FILES[format] ?? format}`);
    });
  }

  /** Saves the search that was watched. */
  async saveFilm() {
    const { question, walk } = this.film;
    await this.kept('[data-watched=film]', async () => {
      saveBlob(await api.film(question, walk.heard), `destrier-${this.room.name}-search.gif`);
    });
  }

  /** Puts the picture, or the list of squares, on the clipboard. */
  async copy(what) {
    await this.kept(`[data-copy="${what}"]`, async () => {
      const [type, blob] = what === 'image' ? ['image/png', this.file('png')] : ['text/plain', this.file('list')];
      const plain = blob.then(async (one) => (type === 'text/plain' ? new Blob([await one.text()], { type }) : one));
      await navigator.clipboard.write([new ClipboardItem({ [type]: plain })]);
      this.room.app.tell(t('keep.copied'));
    });
  }

  async kept(css, act) {
    const chip = this.keep.querySelector(css);
    chip.disabled = true;
    try {
      await act();
    } catch (error) {
      this.effort.textContent = refusalPhrase(error);
    }
    chip.disabled = false;
  }
}

/** A series as comma-separated values. */
const seriesCsv = ({ terms }) =>
  [
    'board,shape,undirected,directed',
    ...terms.map((one) => [one.board, one.shape, one.undirected, one.directed].join()),
  ]
    .map((line) => `${line}\n`)
    .join('');

/** Hands a file to the reader. */
export function saveBlob(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
