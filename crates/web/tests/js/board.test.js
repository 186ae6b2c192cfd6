// Squares, FENs, jumps, addresses and shapes: what can be said without a browser.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Board, toFen, fromFen } from '../../page/js/board.js';
import { toHash, fromHash } from '../../page/js/permalink.js';
import { PATTERNS, patternHoles } from '../../page/js/patterns.js';

test('a square is read back from its name', () => {
  const board = new Board(800, 3);
  for (let square = 0; square < board.size; square += 1) assert.equal(board.square(board.name(square)), square);
  assert.deepEqual(
    [0, 25, 26, 702].map((file) => board.name(file)),
    ['a1', 'z1', 'aa1', 'aaa1'],
  );
  assert.deepEqual([board.square('a4'), board.square('zzz1'), board.square('1a')], [-1, -1, -1]);
});

test('a cursor stays on the board', () => {
  const board = new Board(5, 4);
  assert.equal(board.name(board.towards(board.square('c2'), 1, -1)), 'd1');
  assert.equal(board.name(board.towards(board.square('c2'), -9, 9)), 'a4');
  assert.equal(board.name(board.towards(board.square('e4'), 1e9, 0)), 'e4');
});

test('a FEN is read back as it was written', () => {
  for (const fen of ['nnn/3/3/NNN', '4p/5/2#2/5/N3p', '12/5p6', '##1/N1?']) {
    const { board, placement } = fromFen(fen);
    assert.equal(toFen(board, placement), fen);
  }
  assert.equal(fromFen('3/4'), null);
});

test('a jump over a joined edge has two lines, which fit together', () => {
  const board = new Board(5, 5, { wrap: 'both' });
  for (const to of board.jumps(0)) {
    const legs = board.legs(0, to);
    const straight = legs.length === 1;
    const [dx, dy] = [legs[0][2] - legs[0][0], legs[0][3] - legs[0][1]];
    assert.deepEqual([Math.abs(dx), Math.abs(dy)].sort(), [1, 2]);
    if (straight) continue;
    assert.deepEqual([legs[1][2] - legs[1][0], legs[1][3] - legs[1][1]], [dx, dy]);
    assert.deepEqual([legs[1][2], legs[1][3]], [board.file(to) + 0.5, board.rank(to) + 0.5]);
  }
  assert.equal(new Board(5, 5).legs(0, 7).length, 1);
});

test('an address is read back as it was written', () => {
  const question = { kind: 'tour', board: '8x8', holes: ['c3', 'd4'], closed: true, seed: 7, trace: false };
  const hash = toHash('tour', question);
  assert.equal(hash, '#tour?board=8x8&holes=c3,d4&closed=true&seed=7');
  assert.deepEqual(fromHash(hash), {
    room: 'tour',
    question: { board: '8x8', holes: 'c3,d4', closed: 'true', seed: '7' },
  });
  assert.deepEqual(fromHash('#swap'), { room: 'swap', question: {} });
});

test('shapes are symmetric, leave squares, and random holes keep the colours even', () => {
  for (const [files, ranks] of [
    [8, 8],
    [9, 7],
    [12, 10],
  ]) {
    const board = new Board(files, ranks);
    for (const name of PATTERNS) {
      const holes = new Set(patternHoles(board, name));
      assert.ok(holes.size > 0 && holes.size < board.size, `${name} on ${board.sizeName}: ${holes.size}`);
      if (name === 'random') {
        const dark = [...holes].filter((hole) => board.dark(hole)).length;
        assert.equal(2 * dark, holes.size);
      } else for (const hole of holes) assert.ok(holes.has(board.size - 1 - hole), 'a half turn keeps the shape');
    }
  }
});
