// What can be kept of an answer: files, the picture or the list on the clipboard, a print, a film of the search.
//
// Idea: each button says what it needs (a form of the answer, or a search that was watched), and is there when that is
// to be had. Pictures look like the page: the page draws them. All else is made by the server from the certificate,
// which it checks first.
// Invariant: what is offered can be made.

import { h, icon } from './dom.js';
import { api } from './api.js';
import { svgBlob, pngBlob } from './picture.js';
import { refusalPhrase } from './phrases.js';
import { t } from './i18n.js';

/** The names of formats that are not those of their files. */
const FILES = { list: 'txt', fen: 'txt' };
const NAMES = { list: 'TXT' };
/** The most moves of a film; the server has the same limit. */
const MOST_PLAYED = 10_000;
/** A tour of more squares is not listed. */
const MOST_LISTED = 4_000_000;
/** Squares that are asked for at a time. */
const PART = 65_536;

export class Keep {
  /** `failed` hears why something could not be kept. */
  constructor({ formats, room, failed }) {
    this.room = room;
    this.failed = failed;
    this.certificate = null;
    this.long = null;
    this.film = null;
    this.chips = [];
    for (const format of formats)
      this.add(format, 'save', NAMES[format] ?? format.toUpperCase(), format, () => this.save(format));
    this.add('copy_image', 'copy', null, 'png', () => this.copy('image/png', this.file('png')));
    this.add('copy_list', 'copy', null, 'list', () => this.copy('text/plain', this.file('list')));
    this.add('print', 'print', null, 'png', () => globalThis.print());
    this.add('again', 'play', null, 'film', () => this.room.watchAgain());
    this.add('film', 'save', null, 'film', () => this.saveFilm());
    this.root = h('div', { class: 'keep' }, ...this.chips.map(({ chip }) => chip));
  }

  /** A button that needs one of the forms; while it works it cannot be pressed again. */
  add(name, sign, text, needs, act) {
    const click = async () => {
      chip.disabled = true;
      try {
        await act();
      } catch (error) {
        this.failed(refusalPhrase(error));
      }
      chip.disabled = false;
    };
    const words = text ?? h('span', { text: `keep.${name}` });
    const chip = h('button', { type: 'button', class: 'chip', 'data-keep': name, on: { click } }, icon(sign), words);
    this.chips.push({ chip, needs });
  }

  /** Nothing to keep. */
  forget() {
    this.film = null;
    this.offer(null);
  }

  /** A certificate to keep, a game's as well as a job's; or none. */
  offer(certificate) {
    this.certificate = certificate;
    this.long = null;
    this.show();
  }

  /** A tour that is too long to have a certificate: `steps(from, count)` gives its squares. */
  offerLong({ length }, question, steps) {
    this.certificate = null;
    this.long = { length, question, steps };
    this.show();
  }

  show() {
    const able = this.forms();
    if (this.film) able.add('film');
    for (const { chip, needs } of this.chips) chip.hidden = !able.has(needs);
    this.root.hidden = !able.size;
  }

  /** The forms in which there is something to keep. */
  forms() {
    const { certificate, long } = this;
    if (!certificate) return new Set(long ? ['png', 'gif', ...(long.length <= MOST_LISTED ? ['list'] : [])] : []);
    const one = Array.isArray(certificate) ? certificate[0] : certificate;
    if (one?.kind === 'count-by-start') return new Set(['json', 'csv', 'svg', 'png']);
    if (one?.kind === 'count-series') return new Set(['json', 'csv']);
    if (one?.kind === 'count' || one?.answer === 'impossible') return new Set(['json']);
    const all = new Set(['svg', 'png', 'gif', 'json', 'fen', 'list', 'csv']);
    if (one?.kind === 'tour') all.delete('fen');
    if (one?.kind === 'swap' && (one?.solution?.length ?? 0) > MOST_PLAYED) all.delete('gif');
    return all;
  }

  get kind() {
    return this.certificate?.kind ?? this.certificate?.[0]?.kind;
  }

  /** The file of a format. */
  async file(format) {
    const { certificate, kind, room } = this;
    const { view } = room.stage;
    const title = room.report.headline.textContent;
    if (format === 'png') return pngBlob(view, title);
    if (format === 'svg' && view.root.viewBox) return svgBlob(view.root, title);
    if (kind === 'count-series' && format === 'csv') return new Blob([seriesCsv(certificate)], { type: 'text/csv' });
    if (kind?.startsWith('count') && format === 'json')
      return new Blob([`${JSON.stringify(certificate)}\n`], { type: 'application/json' });
    if (format === 'list' && !certificate) return this.longList();
    if (!certificate) return api.export(format, { kind: 'window', question: this.long.question });
    return api.export(format, certificate);
  }

  async longList() {
    const { length, steps } = this.long;
    const parts = [];
    for (let from = 1; from <= length; from += PART)
      parts.push((await steps(from, PART)).squares.join(' '), from + PART > length ? '\n' : ' ');
    return new Blob(parts, { type: 'text/plain' });
  }

  async save(format) {
    saveBlob(await this.file(format), `destrier-${this.kind ?? this.room.name}.${FILES[format] ?? format}`);
  }

  /** Saves the search that was watched. */
  async saveFilm() {
    const { question, walk } = this.film;
    saveBlob(await api.film(question, walk.heard), `destrier-${this.room.name}-search.gif`);
  }

  /** Puts something on the clipboard. */
  async copy(type, coming) {
    const blob = coming.then((one) => (one.type === type ? one : new Blob([one], { type })));
    await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
    this.room.app.tell(t('keep.copied'));
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
