// Pieces as a board draws them: `{id, kind, square}`, with a letter where knights differ.
//
// Idea: a piece keeps its id while it moves, so that a board can let it glide.

/** Upper case is white. */
export const side = (letter) => (letter === letter.toUpperCase() ? 'white' : 'black');

/** The letter of a knight, where knights of one colour differ. */
export const label = (letter, placement) =>
  [...placement.values()].some((one) => !'Nn?'.includes(one)) ? letter : undefined;

/** The knights of a placement; they are told apart as those of `named` are. */
export const knightsOf = (placement, named = placement) =>
  [...placement]
    .filter(([, letter]) => letter !== '?')
    .map(([square, letter], index) => ({
      id: `k${index}`,
      kind: side(letter),
      label: label(letter, named),
      square,
    }));

/** The pieces of a capture: those to take, of which some are gone, and the knight where it stands. */
export const captureOf = (targets, isTaken, knight) => [
  ...targets.map((square) => ({ id: `p${square}`, kind: 'pawn', square, gone: isTaken(square) })),
  ...(knight >= 0 ? [{ id: 'knight', kind: 'knight', square: knight }] : []),
];
