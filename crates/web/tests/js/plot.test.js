// What the figures of a comparison show, worked out from its rows.

import test from 'node:test';
import assert from 'node:assert/strict';
import { bars, speedUps, methodsOf } from '../../page/js/plot.js';

const row = (word, method, threads, median_s, note = '') => ({ word, method, threads, median_s, note });

test('bars are grouped by question and coloured by method, and what ran out of time is open', () => {
  const rows = [
    row('6x6', 'auto', 1, 0.5),
    row('6x6', 'naive', 1, null, 'the time limit was reached'),
    row('6x6', 'roth', 1, null, 'the method gave up'),
    row('8x8', 'naive', 1, 2),
    row('8x8', 'auto', 1, 0),
  ];
  assert.deepEqual(methodsOf(rows), ['auto', 'naive', 'roth']);
  const groups = bars(rows, 10_000);
  assert.deepEqual(
    groups.map(({ word, bars: list }) => [
      word,
      list.map(({ method, colour, time, open }) => [method, colour, time, open]),
    ]),
    [
      [
        '6x6',
        [
          ['auto', 0, 500, false],
          ['naive', 1, 10_000, true],
          ['roth', 2, null, true],
        ],
      ],
      [
        '8x8',
        [
          ['naive', 1, 2000, false],
          ['auto', 0, 0.001, false],
        ],
      ],
    ],
  );
  assert.equal(bars(rows, null)[0].bars[1].time, null, 'without a limit there is no length for an open bar');
});

test('speed-up is against the fewest threads, and efficiency is a part of the threads', () => {
  const rows = [row('6x6', 'auto', 4, 1), row('6x6', 'auto', 1, 2), row('6x6', 'auto', 2, 1), row('6x6', 'meet', 1, 3)];
  const [line, ...others] = speedUps(rows);
  assert.equal(others.length, 0, 'one number of threads makes no line');
  assert.equal(speedUps(rows.map((one) => ({ ...one, median_s: one.median_s / 1000 }))).length, 0, 'nor does noise');
  assert.deepEqual(line.points, [
    { threads: 1, speedUp: 1, efficiency: 1 },
    { threads: 2, speedUp: 2, efficiency: 1 },
    { threads: 4, speedUp: 2, efficiency: 0.5 },
  ]);
});
