// Figures of a comparison: bars of time by question and method, and lines of speed-up and efficiency by threads.
//
// Idea: what is drawn is worked out first, from the rows alone (`bars`, `speedUps`), and tested without a browser; the
// drawing is plain SVG. A method has the same colour in all figures. A run that was not finished is an open bar as long
// as its time limit. The drawing is as wide as its place, so that its letters are as large as those of the page.
// Invariant: every row is named; one that was timed or ran out of time has a bar.

import { s } from './dom.js';
import { t, duration } from './i18n.js';

/** Methods in the order in which they appear: the place of a method is its colour. */
export const methodsOf = (rows) => [...new Set(rows.map(({ method }) => method))];

/** A question as it is shown: boards with a cross. */
export const shown = (word) => word.replace(/^(\d+)x(\d+)$/, '$1×$2');

/** Was this row answered, and so timed? */
export const timed = ({ median_s: median }) => typeof median === 'number';

/** The time of a row in milliseconds; a microsecond at the least, so that it has a logarithm. */
export const spent = ({ median_s: median }) => Math.max(0.001, 1000 * median);

/** Did this row run into its limit of time? */
const late = (row) => !timed(row) && /time limit/.test(row.note ?? '');

/**
 * Bars by question: `[{word, bars: [{method, colour, threads, time, open}]}]`; `limit` is what was allowed, in ms. A row that
 * was not timed and has no limit to show has no `time`, and so no bar.
 */
export function bars(rows, limit) {
  const methods = methodsOf(rows);
  const groups = new Map();
  for (const row of rows) {
    if (!groups.has(row.word)) groups.set(row.word, []);
    groups.get(row.word).push({
      row,
      method: row.method,
      colour: methods.indexOf(row.method),
      threads: row.threads,
      time: timed(row) ? spent(row) : late(row) && limit ? limit : null,
      open: !timed(row),
    });
  }
  return [...groups].map(([word, list]) => ({ word, bars: list }));
}

/** Runs of fewer milliseconds say nothing of threads. */
const NOISE = 10;

/** Lines by question and method: `[{word, method, colour, points: [{threads, speedUp, efficiency}]}]`, where there are several numbers of threads. */
export function speedUps(rows) {
  const methods = methodsOf(rows);
  const lines = new Map();
  for (const row of rows.filter(timed)) {
    const key = `${row.word} ${row.method}`;
    if (!lines.has(key))
      lines.set(key, { word: row.word, method: row.method, colour: methods.indexOf(row.method), rows: [] });
    lines.get(key).rows.push(row);
  }
  return [...lines.values()]
    .map(({ rows: list, ...line }) => {
      const [first, ...rest] = [...list].sort((a, b) => a.threads - b.threads);
      const points = [first, ...rest].map((row) => {
        const speedUp = (first.threads * spent(first)) / spent(row);
        return { threads: row.threads, speedUp, efficiency: speedUp / row.threads };
      });
      return { ...line, points, least: spent(first) };
    })
    .filter(({ points, least }) => points.length > 1 && least >= NOISE);
}

/** Pixels for the value behind a bar, for a bar, and for a letter of a name. */
const RIGHT = 84;
const ROW = 24;
const LETTER = 7.4;

/** A text that is cut to so many letters. */
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/**
 * The bars as a drawing, so many pixels wide; nothing if there are none. A row without a bar says what came of it, in the words
 * of `told`.
 */
export function barFigure(rows, limit, { wide, told }) {
  const groups = bars(rows, limit);
  const all = groups.flatMap(({ bars: list }) => list);
  const logs = all.filter(({ time }) => time !== null).map(({ time }) => Math.log10(time));
  if (!logs.length) return null;
  const many = new Set(all.map(({ threads }) => threads)).size > 1;
  const named = ({ method, threads }) => (many && threads ? `${method} ·${threads}` : method);
  const left = Math.min(0.42 * wide, 16 + LETTER * Math.max(...all.map((bar) => named(bar).length)));
  const low = Math.floor(Math.min(...logs));
  const decades = Math.max(1, Math.ceil(Math.max(...logs)) - low);
  const space = wide - left - RIGHT;
  const long = (time) => Math.max(3, (space * (Math.log10(time) - low)) / decades);
  const high = groups.reduce((sum, { bars: list }) => sum + 34 + list.length * ROW, 0) + 30;
  const figure = s('svg', { viewBox: `0 0 ${wide} ${high}`, role: 'img', 'aria-label': t('compare.plot') });
  const sparse = decades > 4 && wide < 520 ? 2 : 1;
  for (let decade = 0; decade <= decades; decade += sparse) {
    const at = left + (space * decade) / decades;
    figure.append(
      s('line', { class: 'rule', x1: at, x2: at, y1: 4, y2: high - 26 }),
      s('text', { class: 'tick', x: at, y: high - 10, 'text-anchor': 'middle' }, duration(10 ** (low + decade))),
    );
  }
  let y = 0;
  for (const { word, bars: list } of groups) {
    const most = Math.floor((wide - left) / LETTER);
    figure.append(s('text', { class: 'group', x: left, y: y + 20 }, cut(shown(word), most)));
    y += 30;
    const best = Math.min(...list.filter(({ open }) => !open).map(({ time }) => time));
    for (const bar of list) {
      figure.append(s('text', { class: 'name', x: left - 8, y: y + 14, 'text-anchor': 'end' }, named(bar)));
      if (bar.time === null) {
        figure.append(
          s('text', { class: 'value', x: left + 6, y: y + 14 }, cut(told(bar.row), Math.floor(most * 1.1))),
        );
      } else {
        const value = bar.open ? t('compare.more_than', { time: duration(bar.time) }) : duration(bar.time);
        const look = `span m${bar.colour % 12}${bar.open ? ' open' : ''}`;
        figure.append(
          s('rect', { class: look, x: left, y: y + 2, width: long(bar.time), height: 16, rx: 4 }),
          s(
            'text',
            { class: bar.time === best ? 'value best' : 'value', x: left + long(bar.time) + 6, y: y + 14 },
            value,
          ),
        );
      }
      y += ROW;
    }
    y += 4;
  }
  return figure;
}

/** Speed-up, or efficiency, by threads as a drawing, so many pixels wide; nothing where there is only one number of threads. */
export function threadFigure(rows, what, { wide }) {
  const lines = speedUps(rows);
  if (!lines.length) return null;
  const most = Math.max(...lines.flatMap(({ points }) => points.map(({ threads }) => threads)));
  const least = Math.min(...lines.flatMap(({ points }) => points.map(({ threads }) => threads)));
  const values = lines.flatMap(({ points }) => points.map((point) => point[what]));
  const top = Math.max(what === 'speedUp' ? most : 1, ...values) * 1.08;
  const [high, left, bottom] = [300, 52, 34];
  // On the right stand the names of the lines.
  const right = wide - Math.min(200, 0.4 * wide);
  const x = (threads) => left + ((right - 10 - left) * (threads - least)) / Math.max(1, most - least);
  const y = (value) => high - bottom - ((high - bottom - 12) * value) / top;
  const label = t(what === 'speedUp' ? 'compare.speed_up' : 'compare.efficiency');
  const figure = s('svg', { viewBox: `0 0 ${wide} ${high}`, role: 'img', 'aria-label': label });
  const ideal = what === 'speedUp' ? [least, most] : [1, 1];
  figure.append(
    s('text', { class: 'group', x: left, y: 14 }, label),
    s('line', { class: 'ideal', x1: x(least), y1: y(ideal[0]), x2: x(most), y2: y(ideal[1]) }),
    s('line', { class: 'rule', x1: left, x2: right, y1: y(0), y2: y(0) }),
    s(
      'text',
      { class: 'tick', x: (left + right) / 2, y: high - 4, 'text-anchor': 'middle' },
      t('compare.threads_head'),
    ),
  );
  const marks =
    what === 'speedUp' ? [...new Set(lines.flatMap(({ points }) => points.map(({ threads }) => threads)))] : [0.5, 1];
  for (const mark of marks)
    figure.append(
      s('line', { class: 'rule', x1: left, x2: right, y1: y(mark), y2: y(mark) }),
      s('text', { class: 'tick', x: left - 8, y: y(mark) + 4, 'text-anchor': 'end' }, t('compare.times', { n: mark })),
    );
  for (const threads of new Set(lines.flatMap(({ points }) => points.map((point) => point.threads))))
    figure.append(s('text', { class: 'tick', x: x(threads), y: high - 20, 'text-anchor': 'middle' }, String(threads)));
  // Names beside the ends of their lines, and apart from each other.
  let lowest = -Infinity;
  const ends = lines.map((line) => ({ ...line, at: y(line.points.at(-1)[what]) })).sort((a, b) => a.at - b.at);
  for (const { word, method, colour, points, at } of ends) {
    const path = points.map(
      (point, index) => `${index ? 'L' : 'M'}${x(point.threads).toFixed(1)} ${y(point[what]).toFixed(1)}`,
    );
    figure.append(s('path', { class: `line m${colour % 12}`, d: path.join('') }));
    for (const point of points)
      figure.append(s('circle', { class: `dot m${colour % 12}`, cx: x(point.threads), cy: y(point[what]), r: 4 }));
    lowest = Math.max(at + 4, lowest + 14);
    const name = cut(`${method}, ${shown(word)}`, Math.floor((wide - right - 8) / LETTER));
    figure.append(s('text', { class: 'name', x: right + 8, y: lowest }, name));
  }
  return figure;
}
