// The table of a comparison: a row for each run, grouped by question; and the same as comma-separated values.
//
// Idea: what a row says is worked out from the row alone (`told`), for the table, the figures and the file.

import { h } from './dom.js';
import { shown, timed, spent } from './plot.js';
import { t, brief, duration, spell } from './i18n.js';

/** What is noted of a row, in the reader's language. */
const noted = ({ note, note_told: words }) => (words?.key ? t(words.key, words.values) : note);

/** How a row is coloured: answered, proved impossible, not decided, or not done at all. */
function tone({ answer, solved, gave_up: gaveUp }) {
  if (solved) return answer === 'impossible' ? 'none' : 'good';
  return gaveUp ? 'open' : 'bad';
}

/** What came of a row, in the reader's language. */
export function told(row) {
  const { answer, gave_up: gaveUp } = row;
  const plan = /^(\d+), (not )?proved$/.exec(answer);
  if (plan) return t(plan[2] ? 'unit.moves' : 'compare.fewest', { n: Number(plan[1]) });
  if (/^\d+$/.test(answer)) return spell(answer);
  if (answer === 'a tour') return t('compare.found');
  if (answer === 'impossible') return t('compare.impossible');
  return gaveUp ? t('compare.undecided') : noted(row);
}

/** The columns after the question; the time stands where a narrow screen shows it. */
const COLUMNS = {
  method: ({ method }) => method,
  threads_head: ({ threads }) => (threads ? String(threads) : '–'),
  time: (row) => (timed(row) ? duration(spent(row)) : '–'),
  result: told,
  nodes: ({ nodes }) => (typeof nodes === 'number' ? brief(nodes) : '–'),
};

export class CompareTable {
  constructor() {
    this.rows = h('tbody');
    const heads = ['question', ...Object.keys(COLUMNS)];
    this.root = h(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', label: 'compare.table' },
      h(
        'table',
        { class: 'numbers compare' },
        h(
          'thead',
          {},
          h('tr', {}, ...heads.map((name) => h('th', { class: name, text: `compare.${name}`, scope: 'col' }))),
        ),
        this.rows,
      ),
    );
  }

  clear() {
    this.rows.replaceChildren();
  }

  /** Adds rows; those of one question stand together, below its name. */
  add(rows) {
    rows.forEach((row, index) => {
      const others = rows.slice(index).findIndex(({ word }) => word !== row.word);
      const name = shown(row.word);
      const first = rows[index - 1]?.word !== row.word;
      const rowspan = String(others < 0 ? rows.length - index : others);
      const cell = ([column, text]) =>
        h('td', { class: column, title: (column === 'result' && noted(row)) || null }, text(row));
      this.rows.append(
        h(
          'tr',
          { 'data-tone': tone(row), class: first ? 'first' : '' },
          first ? h('th', { scope: 'rowgroup', rowspan, title: name }, name) : null,
          ...Object.entries(COLUMNS).map(cell),
        ),
      );
    });
  }
}

/** The rows as comma-separated values. */
export function csv(rows) {
  const quote = (value) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = rows.map((one) =>
    [one.word, one.method, one.threads, told(one), timed(one) ? spent(one) : '', one.nodes].map(quote).join(','),
  );
  return `${['question,method,threads,result,ms,nodes', ...lines].join('\n')}\n`;
}
