// What came of a question: progress while it runs, the answer in words, what it took, and ways to keep it.
//
// Idea: one card with a fixed place for each of these, so nothing jumps. The headline is in the reader's language;
// below it stand the program's own words, which carry the exact reason.

import { h, icon } from './dom.js';
import { api } from './api.js';
import { t, spell, brief, duration } from './i18n.js';

export class Report {
  constructor({ formats, idle }) {
    this.idle = idle;
    this.bar = h('div', { class: 'bar', role: 'progressbar', label: 'run.progress' }, h('div', {}));
    this.facts = {};
    const facts = ['elapsed', 'nodes', 'rate', 'best', 'bound'].map((name) => {
      this.facts[name] = h('dd', {}, '–');
      return h('div', { class: `fact-${name}` }, h('dt', { text: `run.${name}` }), this.facts[name]);
    });
    this.busy = h('div', { class: 'busy' }, this.bar, h('dl', { class: 'facts' }, ...facts));
    this.headline = h('p', { class: 'headline' });
    this.detail = h('p', { class: 'detail', lang: 'en' });
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
          format.toUpperCase(),
        ),
      ),
    );
    this.root = h(
      'section',
      { class: 'report', 'data-tone': 'idle', label: 'run.answer' },
      this.busy,
      h('div', { class: 'words' }, this.headline, this.detail),
      this.body,
      this.effort,
      this.keep,
    );
    this.reset();
  }

  /** Nothing asked yet: says what to do. */
  reset() {
    this.certificate = null;
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
    this.offer(this.certificate);
  }

  start() {
    this.certificate = null;
    for (const fact of Object.values(this.facts)) fact.textContent = '–';
    this.bar.classList.remove('known');
    this.bar.removeAttribute('aria-valuenow');
    this.bar.firstChild.style.removeProperty('inline-size');
    this.state('busy', t('run.searching'));
  }

  queued(position) {
    this.headline.textContent = t('run.queued', { n: position });
  }

  progress(now) {
    const { facts } = this;
    facts.elapsed.textContent = duration(now.elapsed_ms ?? 0);
    if (now.nodes !== undefined) facts.nodes.textContent = brief(now.nodes);
    if (now.rate !== undefined) facts.rate.textContent = t('run.per_second', { n: brief(now.rate) });
    if (now.best !== undefined && now.best !== null) facts.best.textContent = spell(now.best);
    if (now.bound !== undefined && now.bound !== null) facts.bound.textContent = spell(now.bound);
    if (typeof now.fraction === 'number') {
      this.bar.classList.add('known');
      this.bar.firstChild.style.inlineSize = `${(now.fraction * 100).toFixed(1)}%`;
      this.bar.setAttribute('aria-valuenow', String(Math.round(now.fraction * 100)));
    }
    const left = now.eta_ms ? t('run.left', { time: duration(now.eta_ms) }) : '';
    this.detail.textContent = [now.text, left].filter(Boolean).join(' · ');
    this.detail.hidden = !this.detail.textContent;
  }

  /** The end of a job: tone is `good`, `none` (proved impossible), `open` (undecided). */
  done(tone, headline, job) {
    this.certificate = job.certificate ?? null;
    this.state(tone, headline, job.says ?? '');
    const { method, nodes, elapsed_ms: time } = job.effort ?? {};
    const parts = [];
    if (method) parts.push(t('run.by', { method }));
    if (nodes) parts.push(t('run.looked', { n: nodes }));
    if (time !== undefined) parts.push(duration(time));
    this.effort.textContent = parts.join(' · ');
  }

  refuse(message) {
    this.certificate = null;
    this.state('bad', message || t('error.server'));
  }

  /** Offers what can be kept of a certificate: a game's as well as a job's. */
  offer(certificate) {
    this.certificate = certificate;
    this.keep.hidden = !certificate;
    const one = Array.isArray(certificate) ? certificate[0] : certificate;
    const words = one?.kind === 'count' || one?.kind === 'count-series' || one?.answer === 'impossible';
    for (const chip of this.keep.children) chip.hidden = words && chip.dataset.format !== 'json';
  }

  async save(format) {
    const chip = this.keep.querySelector(`[data-format="${format}"]`);
    chip.disabled = true;
    try {
      const kind = this.certificate.kind ?? this.certificate[0]?.kind ?? 'answer';
      const counted = kind.startsWith('count') && format === 'json';
      const blob = counted
        ? new Blob([`${JSON.stringify(this.certificate)}\n`], { type: 'application/json' })
        : await api.export(format, this.certificate);
      saveBlob(blob, `destrier-${kind}.${format === 'fen' || format === 'list' ? 'txt' : format}`);
    } catch (error) {
      this.effort.textContent = error.message || t('error.server');
    }
    chip.disabled = false;
  }
}

/** Hands a file to the reader. */
export function saveBlob(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
