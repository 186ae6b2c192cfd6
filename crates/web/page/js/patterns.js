// Boards of well-known shapes: which squares are left out of a rectangle.
//
// Idea: a shape is a rule on the distance from the middle, in halves of a square, so that it is symmetric on boards
// of any sides.
// Invariant: random holes are as many dark ones as light ones, since every jump changes the colour.
// Cost: linear in the squares; a board of more than `MOST_SHAPED` has none of them, as its tours are not listed either.

const KEPT = {
  cross: (x, y, files, ranks) => Math.abs(x) <= files / 3 || Math.abs(y) <= ranks / 3,
  ring: (x, y, files, ranks) => Math.abs(x) > files / 3 || Math.abs(y) > ranks / 3,
  diamond: (x, y, files, ranks) => Math.abs(x) / files + Math.abs(y) / ranks <= 1,
};

/** The names of all shapes. */
export const PATTERNS = ['cross', 'ring', 'diamond', 'random'];

/** Boards of more squares stay whole. */
export const MOST_SHAPED = 65_536;

/** The holes that give a board this shape; `random` gives numbers from 0 to 1. */
export function patternHoles(board, name, random = Math.random) {
  const squares = Array.from({ length: board.size }, (_, square) => square);
  if (name !== 'random') {
    const from = (at, side) => 2 * at - side + 1;
    return squares.filter(
      (square) =>
        !KEPT[name]?.(
          from(board.file(square), board.files),
          from(board.rank(square), board.ranks),
          board.files,
          board.ranks,
        ),
    );
  }
  const pairs = Math.floor(board.size / 20);
  return [true, false].flatMap((dark) => {
    const left = squares.filter((square) => board.dark(square) === dark);
    // The first squares of a shuffle.
    for (let at = 0; at < Math.min(pairs, left.length); at += 1) {
      const other = at + Math.floor(random() * (left.length - at));
      [left[at], left[other]] = [left[other], left[at]];
    }
    return left.slice(0, pairs);
  });
}
