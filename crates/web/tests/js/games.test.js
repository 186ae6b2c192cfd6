// The rules of play.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Board, fromFen, toFen } from '../../page/js/board.js';
import { TourGame, CaptureGame, SwapGame, labelled } from '../../page/js/games.js';

test('games allow legal moves only, and undo takes them back', () => {
  const board = new Board(3, 4);
  const tour = new TourGame(board, { from: 0, symmetry: 'half-turn' });
  assert.equal(tour.play(1), false);
  assert.equal(tour.play(board.square('b3')), true);
  assert.equal(tour.certificate().question.symmetry, 'half-turn');
  tour.undo();
  tour.undo();
  assert.deepEqual(tour.words, ['a1']);
  const capture = new CaptureGame(board, { start: 0, targets: [board.square('b3')] });
  assert.equal(capture.scene().numbered, false);
  capture.play(board.square('b3'));
  assert.equal(capture.won, true);
});

test('knights that are told apart have letters, and each has its own goal', () => {
  const start = fromFen('n1n/3/N1N');
  const goal = fromFen('N1N/3/n1n');
  const named = labelled(start.board, start.placement, goal.placement);
  assert.equal(toFen(start.board, named.start), 'a1b/3/A1B');
  assert.equal(toFen(start.board, named.goal), 'A1B/3/a1b');
  const game = new SwapGame(start.board, { ...named, fens: {} });
  assert.equal(game.won, false);
  assert.deepEqual(
    game
      .scene()
      .pieces.map(({ label }) => label)
      .sort(),
    ['A', 'B', 'a', 'b'],
  );
});

test('turns change with every run where runs are counted', () => {
  const start = fromFen('n3/4/4/N3');
  const fens = { start: '', goal: '' };
  const game = new SwapGame(start.board, {
    start: start.placement,
    goal: start.placement,
    fens,
    alternate: 'white',
    metric: 'runs',
  });
  game.goal = new Map([[start.board.square('d4'), 'N']]);
  const at = (name) => start.board.square(name);
  for (const name of ['a1', 'b3']) game.play(at(name));
  assert.equal(game.movable(game.placement(), at('b3')), true, 'the run goes on');
  assert.equal(game.movable(game.placement(), at('a4')), true, 'or black begins one');
  for (const name of ['a4', 'c3']) game.play(at(name));
  assert.deepEqual([game.moves, game.turn], [2, 'white']);
});
