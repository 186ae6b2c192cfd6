// Pieces on a board: painting, carrying, erasing, undoing.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Editor } from '../../page/js/editor.js';
import { Undo } from '../../page/js/undo.js';

const puzzle = (fen) => {
  const editor = new Editor({ single: ['N'] });
  assert.equal(editor.load([fen]), true);
  return editor;
};

test('a stroke does to all squares what it did to the first', () => {
  const editor = puzzle('3/p2/N2');
  const [a2, b2, a1] = ['a2', 'b2', 'a1'].map((name) => editor.board.square(name));
  editor.paint(b2, 'p');
  editor.paint(a2, 'p', { again: true });
  assert.equal(editor.fens()[0], '3/pp1/N2');
  editor.paint(b2, 'p');
  editor.paint(a2, 'p', { again: true });
  assert.equal(editor.fens()[0], '3/3/N2');
  assert.equal(editor.paint(a1, 'p'), false, 'the only knight is not painted over');
});

test('the knight is there once, and is not carried off the board', () => {
  const editor = puzzle('3/p2/N2');
  const [a1, c3, a2] = ['a1', 'c3', 'a2'].map((name) => editor.board.square(name));
  editor.paint(c3, 'N');
  assert.equal(editor.fens()[0], '2N/p2/3');
  assert.equal(editor.carry(c3, -1), false);
  assert.equal(editor.carry(a2, a1), true);
  assert.equal(editor.carry(a1, c3), false, 'nothing is put on the knight');
  assert.equal(editor.carry(a1, -1), true);
  assert.equal(editor.fens()[0], '2N/3/3');
});

test('a piece that is dropped on another goes back, and none is lost', () => {
  const editor = puzzle('2p/p2/N2');
  const [a1, a2, c3] = ['a1', 'a2', 'c3'].map((name) => editor.board.square(name));
  for (const [from, to] of [
    [a2, c3],
    [a2, a1],
    [a1, a2],
  ])
    assert.equal(editor.carry(from, to), false);
  assert.equal(editor.fens()[0], '2p/p2/N2');
});

test('holes belong to all layers, and take what stands on them', () => {
  const editor = new Editor({ layers: 2 });
  editor.load(['n1/1N', 'N1/1n']);
  editor.paint(editor.board.square('a2'), 'hole');
  assert.deepEqual(editor.fens(), ['#1/1N', '#1/1n']);
  editor.paint(editor.board.square('a2'), 'n', { layer: 1 });
  assert.deepEqual(editor.fens(), ['2/1N', 'n1/1n']);
  assert.equal(editor.load(['n1/1N', 'N2/3']), false, 'two sizes do not fit together');
  assert.deepEqual(editor.fens(), ['2/1N', 'n1/1n']);
});

test('another size keeps what is still on the board', () => {
  const editor = puzzle('2p/p#1/N2');
  editor.resize(2, 4);
  assert.equal(editor.fens()[0], '2/2/p#/N1');
});

test('undo and redo go through the states, a stroke being one', () => {
  const undo = new Undo('a');
  undo.keep('b');
  undo.keep('c', true);
  undo.keep('c');
  undo.keep('d');
  assert.deepEqual([undo.undo(), undo.undo(), undo.undo()], ['c', 'a', undefined]);
  assert.deepEqual([undo.redo(), undo.redo(), undo.redo()], ['c', 'd', undefined]);
  undo.undo();
  undo.keep('e');
  assert.equal(undo.redo(), undefined);
});

test('a shape is cut out of the board, and the only knight keeps its square', () => {
  const editor = puzzle('pp1/1p1/N2');
  const [a1, b2, c3] = ['a1', 'b2', 'c3'].map((name) => editor.board.square(name));
  editor.cut([a1, b2, c3]);
  assert.equal(editor.fens()[0], 'pp#/1#1/N2');
  editor.cut([]);
  assert.equal(editor.fens()[0], 'pp1/3/N2', 'what stood on a hole is gone');
});
