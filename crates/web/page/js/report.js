// What came of a question: progress while it runs, the answer in words, what it took, and ways to keep it (`keep.js`).
//
// Idea: one card with a fixed place for each of these, so nothing jumps. The headline is in the reader's language;
// below it stands the exact reason, in the program's own words where the page has none.

import { h } from './dom.js';
import { Keep } from './keep.js';
import { t, spell, brief, duration } from './i18n.js';

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
    this.keep = new Keep({
      formats,
      room,
      failed: (why) => {
        this.effort.textContent = why;
      },
    });
    this.extras = h('div', { class: 'keep extras' });
    this.root = h(
      'section',
      { class: 'report', 'data-tone': 'idle', label: 'run.answer' },
      this.busy,
      h('div', { class: 'words' }, this.headline, this.detail),
      this.body,
      this.effort,
      this.extras,
      this.keep.root,
    );
    this.reset();
  }

  /** Nothing asked yet: says what to do. */
  reset() {
    this.keep.forget();
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
  }

  start() {
    this.detail.removeAttribute('lang');
    this.keep.forget();
    this.bound = null;
    this.last = null;
    this.waiting = false;
    this.watched = false;
    this.weighed = false;
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
    this.busy.hidden = true;
  }

  /** Another language, while a search runs. */
  retell() {
    if (this.waiting) return;
    this.headline.textContent = t(this.watched ? 'run.watching' : this.weighed ? 'run.weighing' : 'run.searching');
    if (this.last && !this.watched) this.progress(this.last);
  }

  /** The end of a job: tone is `good`, `none` (proved impossible), `open` (undecided); with more in the reader's words. */
  done(tone, headline, job, detail) {
    this.keep.offer(job.certificate ?? null);
    this.state(tone, headline, detail ?? job.says ?? '');
    // What the page has no words for is said in the server's.
    if (detail === undefined) this.detail.lang = 'en';
    else this.detail.removeAttribute('lang');
    const { method, nodes, elapsed_ms: time } = job.effort ?? {};
    const parts = [];
    // That the best method was chosen says nothing.
    if (method && method !== 'auto') parts.push(t('run.by', { method }));
    if (nodes) parts.push(t('unit.nodes', { n: nodes }));
    if (time !== undefined) parts.push(duration(time));
    this.effort.textContent = parts.join(' · ');
  }

  /** Where the page is narrow, the card is far below: it is brought into sight. */
  reveal() {
    if (!matchMedia('(max-width: 55.99rem)').matches) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.root.scrollIntoView({ block: 'nearest', behavior: still ? 'instant' : 'smooth' });
  }

  refuse(message) {
    this.keep.offer(null);
    this.state('bad', message || t('error.server'));
  }
}
