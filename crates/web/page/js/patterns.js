// Boards of well-known shapes: which squares are left out of a rectangle.
//
// Idea: a shape is a rule on the distance from the middle, in halves of a square, so that it is symmetric on boards
// of any sides.
// Invariant: random holes are as many dark ones as light ones, since every jump changes the colour.

const KEPT = {
  cross: (x, y, files, ranks) => Math.abs(x) <= files / 3 || Math.abs(y) <= ranks / 3,
  ring: (x, y, files, ranks) => Math.abs(x) > files / 3 || Math.abs(y) > ranks / 3,
  diamond: (x, y, files, ranks) => Math.abs(x) / files + Math.abs(y) / ranks <= 1,
};

/** The names of all shapes. */
export const PATTERNS = ['cross', 'ring', 'diamond', 'random'];

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
    return Array.from(
      { length: Math.min(pairs, left.length) },
      () => left.splice(Math.floor(random() * left.length), 1)[0],
    );
  });
}
