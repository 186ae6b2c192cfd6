// Figures of a comparison: bars of time by question and method, and lines of speed-up and efficiency by threads.
//
// Idea: what is drawn is worked out first, from the rows alone (`bars`, `speedUps`), and tested without a browser; the
// drawing is plain SVG. A method has the same colour in all figures. A run that was not finished is an open bar as long
// as its time limit.
// Invariant: every row that was timed or ran out of time has a bar.

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

/** Bars by question: `[{word, bars: [{method, colour, threads, time, open}]}]`; `limit` is what was allowed, in ms. */
export function bars(rows, limit) {
  const methods = methodsOf(rows);
  const groups = new Map();
  for (const row of rows) {
    if (!timed(row) && !(late(row) && limit)) continue;
    if (!groups.has(row.word)) groups.set(row.word, []);
    groups.get(row.word).push({
      method: row.method,
      colour: methods.indexOf(row.method),
      threads: row.threads,
      time: timed(row) ? spent(row) : limit,
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

const WIDE = 640;
const LEFT = 150;
const RIGHT = 84;
const ROW = 22;

/** The bars as a drawing; nothing if there are none. */
export function barFigure(rows, limit) {
  const groups = bars(rows, limit);
  const all = groups.flatMap(({ bars: list }) => list);
  if (!all.length) return null;
  const many = new Set(all.map(({ threads }) => threads)).size > 1;
  const logs = all.map(({ time }) => Math.log10(time));
  const low = Math.floor(Math.min(...logs));
  const decades = Math.max(1, Math.ceil(Math.max(...logs)) - low);
  const space = WIDE - LEFT - RIGHT;
  const long = (time) => Math.max(3, (space * (Math.log10(time) - low)) / decades);
  const high = groups.reduce((sum, { bars: list }) => sum + 30 + list.length * ROW, 0) + 34;
  const figure = s('svg', { viewBox: `0 0 ${WIDE} ${high}`, role: 'img', 'aria-label': t('compare.plot') });
  for (let decade = 0; decade <= decades; decade += 1) {
    const at = LEFT + (space * decade) / decades;
    figure.append(
      s('line', { class: 'rule', x1: at, x2: at, y1: 4, y2: high - 28 }),
      s('text', { class: 'tick', x: at, y: high - 10, 'text-anchor': 'middle' }, duration(10 ** (low + decade))),
    );
  }
  let y = 0;
  for (const { word, bars: list } of groups) {
    const name = word.length > 44 ? `${word.slice(0, 43)}…` : shown(word);
    figure.append(s('text', { class: 'group', x: LEFT, y: y + 20 }, name));
    y += 28;
    for (const bar of list) {
      const value = bar.open ? t('compare.more_than', { time: duration(bar.time) }) : duration(bar.time);
      figure.append(
        s(
          'text',
          { class: 'name', x: LEFT - 8, y: y + 13, 'text-anchor': 'end' },
          `${bar.method}${many ? ` ·${bar.threads}` : ''}`,
        ),
        s('rect', {
          class: `span m${bar.colour % 12}${bar.open ? ' open' : ''}`,
          x: LEFT,
          y: y + 2,
          width: long(bar.time),
          height: 14,
          rx: 4,
        }),
        s('text', { class: 'value', x: LEFT + long(bar.time) + 6, y: y + 13 }, value),
      );
      y += ROW;
    }
    y += 2;
  }
  return figure;
}

/** Speed-up, or efficiency, by threads as a drawing; nothing where there is only one number of threads. */
export function threadFigure(rows, what) {
  const lines = speedUps(rows);
  if (!lines.length) return null;
  const most = Math.max(...lines.flatMap(({ points }) => points.map(({ threads }) => threads)));
  const least = Math.min(...lines.flatMap(({ points }) => points.map(({ threads }) => threads)));
  const values = lines.flatMap(({ points }) => points.map((point) => point[what]));
  const top = Math.max(what === 'speedUp' ? most : 1, ...values) * 1.08;
  const [wide, high, left, bottom] = [WIDE, 300, 52, 34];
  const x = (threads) => left + ((wide - left - 200) * (threads - least)) / Math.max(1, most - least);
  const y = (value) => high - bottom - ((high - bottom - 12) * value) / top;
  const label = t(what === 'speedUp' ? 'compare.speed_up' : 'compare.efficiency');
  const figure = s('svg', { viewBox: `0 0 ${wide} ${high}`, role: 'img', 'aria-label': label });
  const ideal = what === 'speedUp' ? [least, most] : [1, 1];
  figure.append(
    s('text', { class: 'group', x: left, y: 14 }, label),
    s('line', { class: 'ideal', x1: x(least), y1: y(ideal[0]), x2: x(most), y2: y(ideal[1]) }),
    s('line', { class: 'rule', x1: left, x2: wide - 190, y1: y(0), y2: y(0) }),
    s(
      'text',
      { class: 'tick', x: (left + wide - 200) / 2, y: high - 4, 'text-anchor': 'middle' },
      t('compare.threads_head'),
    ),
  );
  const marks =
    what === 'speedUp' ? [...new Set(lines.flatMap(({ points }) => points.map(({ threads }) => threads)))] : [0.5, 1];
  for (const mark of marks)
    figure.append(
      s('line', { class: 'rule', x1: left, x2: wide - 190, y1: y(mark), y2: y(mark) }),
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
    const name = word.length > 14 ? `${word.slice(0, 13)}…` : shown(word);
    figure.append(s('text', { class: 'name', x: wide - 182, y: lowest }, `${method}, ${name}`));
  }
  return figure;
}
