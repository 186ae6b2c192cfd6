// Squares, FENs, jumps, addresses, films, games, views: what can be said without a browser.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Board, toFen, fromFen } from '../../page/js/board.js';
import { toHash, fromHash } from '../../page/js/permalink.js';
import { TourFilm, CaptureFilm, WalkFilm, CaptureWalkFilm, LookFilm, CaptureLookFilm } from '../../page/js/films.js';
import { TourGame, CaptureGame, SwapGame, labelled } from '../../page/js/games.js';
import { PATTERNS, patternHoles } from '../../page/js/patterns.js';
import { Camera } from '../../page/js/camera.js';

test('a square is read back from its name', () => {
  const board = new Board(800, 3);
  for (let square = 0; square < board.size; square += 1) assert.equal(board.square(board.name(square)), square);
  assert.deepEqual(
    [0, 25, 26, 702].map((file) => board.name(file)),
    ['a1', 'z1', 'aa1', 'aaa1'],
  );
  assert.deepEqual([board.square('a4'), board.square('zzz1'), board.square('1a')], [-1, -1, -1]);
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

test('a search can be gone through in both directions, and its dead ends are counted', () => {
  const board = new Board(5, 5);
  const film = new WalkFilm(board);
  film.grow([['begin'], ['move', 'a1'], ['move', 'b3'], ['back'], ['move', 'c2'], ['move', 'e1']]);
  film.grow([['begin'], ['move', 'b1'], ['found']]);
  assert.equal(film.last, 8);
  const walks = [];
  for (let step = 0; step <= film.last; step += 1)
    walks.push(
      [
        film
          .walkAt(step)
          .map((at) => board.name(at))
          .join(),
        film.ends,
      ].join(' '),
    );
  assert.deepEqual(walks, [' 0', ' 0', 'a1 0', 'a1,b3 0', 'a1 1', 'a1,c2 1', 'a1,c2,e1 1', ' 2', 'b1 2']);
  for (let step = film.last; step >= 0; step -= 1)
    assert.equal(
      [
        film
          .walkAt(step)
          .map((at) => board.name(at))
          .join(),
        film.ends,
      ].join(' '),
      walks[step],
    );
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
