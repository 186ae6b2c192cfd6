// What a pointer on a board means.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Gesture } from '../../page/js/gesture.js';

/** Squares are ten pixels wide, in one row; pieces stand on `pieces`. */
function board({ brush = true, pieces = [], pans = false } = {}) {
  const told = [];
  const tell =
    (name) =>
    (...heard) =>
      told.push([name, ...heard.filter((one) => typeof one !== 'object')]);
  let timer = null;
  const gesture = new Gesture(
    {
      squareAt: ({ clientX, clientY }) => (clientY < 0 || clientX < 0 ? -1 : Math.floor(clientX / 10)),
      paints: () => brush,
      carries: (square) => pieces.includes(square),
      erases: () => true,
      tap: tell('tap'),
      paint: tell('paint'),
      erase: tell('erase'),
      lift: tell('lift'),
      carry: tell('carry'),
      pan: pans ? tell('pan') : undefined,
    },
    { later: (act) => (timer = act), never: () => (timer = null) },
  );
  const at =
    (pointerType, button) =>
    (clientX, clientY = 5) => ({ pointerId: 1, pointerType, button, clientX, clientY });
  const hand = (pointerType, button = 0) => {
    const point = at(pointerType, button);
    return {
      down: (...place) => gesture.down(point(...place)),
      move: (...place) => gesture.move(point(...place)),
      up: (...place) => gesture.up(point(...place)),
      cancel: (...place) => gesture.cancel(point(...place)),
    };
  };
  return { told, gesture, hand, rest: () => timer?.() };
}

test('a mouse with a brush paints at once, and each square of a stroke once', () => {
  const { told, hand } = board();
  const mouse = hand('mouse');
  mouse.down(5);
  mouse.move(8);
  mouse.move(15);
  mouse.move(17);
  mouse.move(25);
  mouse.up(25);
  assert.deepEqual(told, [
    ['paint', 0, false],
    ['paint', 1, true],
    ['paint', 2, true],
  ]);
});

test('a piece is carried by a drag, and tapped by a click', () => {
  const { told, hand } = board({ pieces: [0] });
  const mouse = hand('mouse');
  mouse.down(5);
  mouse.up(5);
  mouse.down(5);
  mouse.move(25);
  mouse.up(25);
  mouse.down(5);
  mouse.move(5, -20);
  mouse.up(5, -20);
  assert.deepEqual(
    told.filter(([name]) => name !== 'lift'),
    [
      ['tap', 0],
      ['carry', 0, 2],
      ['carry', 0, -1],
    ],
  );
});

test('the right button erases', () => {
  const { told, hand } = board({ pieces: [0] });
  const mouse = hand('mouse', 2);
  mouse.down(5);
  mouse.move(15);
  mouse.up(15);
  assert.deepEqual(told, [
    ['erase', 0, false],
    ['erase', 1, true],
  ]);
});

test('a finger that scrolls changes nothing', () => {
  const { told, hand, gesture } = board();
  const finger = hand('touch');
  finger.down(5);
  finger.move(6, 30);
  assert.equal(gesture.active, false);
  finger.cancel(6, 40);
  assert.deepEqual(told, []);
});

test('a finger taps, paints sideways, and paints in any direction after a rest', () => {
  const { told, hand, rest, gesture } = board();
  const finger = hand('touch');
  finger.down(5);
  finger.up(5);
  finger.down(5);
  finger.move(18);
  finger.up(18);
  finger.down(5);
  rest();
  assert.equal(gesture.active, true);
  finger.move(15, 200);
  finger.up(15, 200);
  assert.deepEqual(told, [
    ['tap', 0],
    ['paint', 0, false],
    ['paint', 1, true],
    ['paint', 0, false],
    ['paint', 1, true],
  ]);
});

test('a finger that moves up or down from a piece scrolls; sideways, or after a rest, it carries the piece', () => {
  const { told, hand, rest, gesture } = board({ pieces: [0] });
  const finger = hand('touch');
  finger.down(5);
  finger.move(12, 40);
  assert.equal(gesture.active, false);
  finger.up(12, 40);
  assert.deepEqual(told, []);
  finger.down(5);
  finger.move(25, 12);
  finger.up(25, 12);
  assert.deepEqual(told.at(-1), ['carry', 0, 2]);
  finger.down(5);
  rest();
  assert.equal(gesture.active, true);
  finger.move(15, 90);
  finger.up(15, 90);
  assert.deepEqual(told.at(-1), ['carry', 0, 1]);
});

test('a mouse moves a board that is larger than its frame', () => {
  const { told, hand } = board({ brush: false, pieces: [0], pans: true });
  const mouse = hand('mouse');
  mouse.down(25);
  mouse.move(15, 9);
  mouse.move(10, 9);
  mouse.up(10, 9);
  assert.deepEqual(told, [
    ['pan', -10, 4],
    ['pan', -5, 0],
  ]);
});

test('a finger puts a piece back when the browser takes over', () => {
  const { told, hand } = board({ pieces: [0] });
  const finger = hand('touch');
  finger.down(5);
  finger.move(40, 5);
  finger.cancel(40, 5);
  assert.deepEqual(told.at(-1), ['lift', -1]);
  assert.equal(
    told.some(([name]) => name === 'carry'),
    false,
  );
});

test('without a brush a press is a tap, and a drag is nothing', () => {
  const { told, hand } = board({ brush: false });
  const mouse = hand('mouse');
  mouse.down(5);
  mouse.move(35);
  mouse.up(35);
  mouse.down(15);
  mouse.up(15);
  assert.deepEqual(told, [['tap', 1]]);
});
