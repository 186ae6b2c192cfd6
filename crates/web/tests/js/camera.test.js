// Views of a board: zoom, pan, and what is drawn from far away.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Board } from '../../page/js/board.js';
import { Camera } from '../../page/js/camera.js';
import { firstAfter } from '../../page/js/trail.js';

test('a view keeps the place under the pointer, and stays on the board', () => {
  const camera = new Camera();
  Object.assign(camera, { board: new Board(100, 50), wide: 400, high: 300, redraw: () => {} });
  camera.fit();
  assert.equal(camera.whole, true);
  const before = camera.at(100, 100);
  camera.zoom(3, 100, 100);
  const after = camera.at(100, 100);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 2);
  camera.pan(1e6, -1e6);
  const [x, y] = camera.at(200, 150);
  assert.ok(x > 0 && x < 100 && y > 0 && y < 50);
});

test('a board that was wholly in sight is so again on a field of another size', () => {
  const camera = new Camera();
  Object.assign(camera, { board: new Board(50, 50), redraw: () => {} });
  for (const [wide, high] of [
    [800, 700],
    [366, 500],
    [820, 288],
  ]) {
    camera.resize(wide, high);
    assert.equal(camera.whole, true);
    assert.ok(camera.left(0) >= 0 && camera.left(50) <= wide && camera.top(50) >= 0 && camera.top(0) <= high);
  }
  // One that is looked at closely stays so.
  camera.zoom(4);
  const { scale } = camera;
  camera.resize(366, 500);
  assert.equal(camera.scale, scale);
  camera.resize(1e5, 1e5);
  assert.equal(camera.whole, true);
});

test('samples are found by their step', () => {
  const steps = [9, 2, 7, 2, 30];
  const order = [1, 3, 2, 0, 4];
  for (const [after, place] of [
    [0, 0],
    [1, 0],
    [2, 2],
    [6, 2],
    [7, 3],
    [29, 4],
    [30, 5],
  ])
    assert.equal(firstAfter(after, steps, order), place, `after ${after}`);
});
