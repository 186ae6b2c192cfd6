// Answers and searches as films: what stands where at each step, forwards and backwards.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Board, fromFen } from '../../page/js/board.js';
import { TourFilm, CaptureFilm } from '../../page/js/films.js';
import { WalkFilm, CaptureWalkFilm, LookFilm, CaptureLookFilm } from '../../page/js/search-films.js';

test('a search can be gone through in both directions, and its dead ends are counted', () => {
  const board = new Board(5, 5);
  const film = new WalkFilm(board);
  film.grow([['begin'], ['move', 'a1'], ['move', 'b3'], ['back'], ['move', 'c2'], ['move', 'e1']]);
  film.grow([['begin'], ['move', 'b1'], ['found']]);
  assert.equal(film.last, 8);
  const shown = (step) => {
    const names = film.walkAt(step).map((at) => board.name(at));
    return `${names.join()} ${film.ends}`;
  };
  const walks = [];
  for (let step = 0; step <= film.last; step += 1) walks.push(shown(step));
  assert.deepEqual(walks, [' 0', ' 0', 'a1 0', 'a1,b3 0', 'a1 1', 'a1,c2 1', 'a1,c2,e1 1', ' 2', 'b1 2']);
  for (let step = film.last; step >= 0; step -= 1) assert.equal(shown(step), walks[step]);
});

test('a search for a capture takes pieces and puts them back', () => {
  const board = new Board(5, 5);
  const squares = (names) => names.map((name) => board.square(name));
  const film = new CaptureWalkFilm(board, { start: board.square('a1'), targets: squares(['b3', 'd2']) });
  film.grow([['begin'], ['move', 'a1'], ['move', 'b3'], ['back'], ['move', 'c2'], ['back'], ['move', 'b3']]);
  film.grow([['move', 'd2'], ['found'], ['back']]);
  const gone = (step) => film.pieces(step).filter((piece) => piece.gone).length;
  const seen = [0, 0, 0, 1, 0, 0, 0, 1, 2, 1];
  for (let step = 0; step <= film.last; step += 1) assert.equal(gone(step), seen[step], `step ${step}`);
  for (let step = film.last; step >= 0; step -= 1) assert.equal(gone(step), seen[step], `back at ${step}`);
  assert.equal(film.pieces(0).at(-1).square, board.square('a1'), 'the knight stands there before it moves');
  assert.deepEqual(film.finds, [{ at: 8, moves: 2 }]);
});

test('a search of positions is set up from the start wherever it looks', () => {
  const { board, placement } = fromFen('n2/3/2N');
  const film = new LookFilm(board, placement);
  film.grow([['begin'], ['look', '1', '0', 'a3', 'b1'], ['look', '4', '0', 'c1', 'a2']]);
  film.grow([['dead-end'], ['look', '7', '1', 'b1', 'c3'], ['found']]);
  const standing = (step) =>
    film
      .pieces(step)
      .map((piece) => board.name(piece.square))
      .sort()
      .join();
  assert.equal(film.last, 3);
  assert.deepEqual([0, 1, 2, 3].map(standing), ['a3,c1', 'b1,c1', 'a2,a3', 'c1,c3']);
  assert.deepEqual([3, 2, 1, 0].map(standing), ['c1,c3', 'a2,a3', 'b1,c1', 'a3,c1']);
  assert.deepEqual(film.ends, [0, 0, 1, 1]);
  assert.deepEqual(
    film.walkAt(3).map((square) => board.name(square)),
    ['b1', 'c3'],
  );
});

test('films show more with every step', () => {
  const board = new Board(3, 4);
  const squares = board.jumps(0).flatMap((to) => [0, to]);
  const tour = new TourFilm(board, squares, false);
  assert.deepEqual(tour.shown(1), { from: 0, to: 0, visits: 1 });
  assert.equal(tour.shown(tour.last).to, squares.length - 1);
  const capture = new CaptureFilm(board, [squares[1]], squares.slice(0, 2));
  assert.deepEqual(
    capture.pieces(0).map(({ gone }) => Boolean(gone)),
    [false, false],
  );
  assert.deepEqual(
    capture.pieces(1).map(({ gone }) => Boolean(gone)),
    [true, false],
  );
});

test('a race is watched in turns, forwards and backwards', () => {
  const board = new Board(5, 5);
  const film = new WalkFilm(board);
  const names = (step) => film.walksAt(step).map((walk) => walk.map((square) => board.name(square)).join(' '));
  film.grow([
    ['turn', '0'],
    ['begin'],
    ['turn', '1'],
    ['begin'],
    ['turn', '0'],
    ['move', 'a1'],
    ['turn', '1'],
    ['move', 'a1'],
  ]);
  film.grow([
    ['turn', '0'],
    ['move', 'b3'],
    ['turn', '1'],
    ['move', 'c2'],
    ['turn', '0'],
    ['back'],
    ['turn', '1'],
    ['move', 'd4'],
    ['found'],
  ]);
  assert.equal(film.last, 8);
  assert.deepEqual(names(8), ['a1', 'a1 c2 d4']);
  assert.equal(film.ends, 1, 'one of them met a dead end');
  assert.deepEqual(names(6), ['a1 b3', 'a1 c2']);
  assert.deepEqual([film.ends, names(0)], [0, ['', '']]);
  assert.deepEqual(
    film.pieces(8).map(({ id, square }) => `${id} ${board.name(square)}`),
    ['knight a1', 'knight1 d4'],
  );
});

test('a search of positions for a capture takes what it meets on the way', () => {
  const board = new Board(5, 5);
  const squares = (names) => names.map((name) => board.square(name));
  const film = new CaptureLookFilm(board, { start: board.square('a1'), targets: squares(['b3', 'd4']) });
  film.grow([['begin'], ['look', '9', '0', 'a1', 'b3'], ['look', '4', '0', 'a1', 'c2'], ['dead-end']]);
  film.grow([['look', '7', '9', 'b3', 'd4'], ['found']]);
  assert.deepEqual([film.first, film.last], [0, 3]);
  const standing = (step) =>
    film
      .pieces(step)
      .filter((piece) => !piece.gone)
      .map(({ kind, square }) => `${kind} ${board.name(square)}`);
  assert.deepEqual(standing(0), ['pawn b3', 'pawn d4', 'knight a1']);
  assert.deepEqual(standing(1), ['pawn d4', 'knight b3']);
  assert.deepEqual(standing(2), ['pawn b3', 'pawn d4', 'knight c2']);
  assert.deepEqual(standing(3), ['knight d4']);
  assert.deepEqual(film.walkAt(3), squares(['a1', 'b3', 'd4']));
});
