// The pieces, drawn by hand on a field of 64 by 64.
//
// Idea: one outline each, as SVG path data, used by the SVG board (as a path) and by the canvas (as a Path2D).

import { s } from './dom.js';

/** The knight: head, ear and chest; then its foot. */
export const KNIGHT =
  'M23 49C22.5 42 27.5 38 31.5 32.5C28 35.5 24 36 20.5 38.2C17.5 40 14.2 38.5 13 35.8C12 33.5 12.7 31 14.5 29.2' +
  'C17 26.5 18.8 23 20.3 19.6C21.2 17.4 22.6 15.6 24.5 14.4C24.3 11.8 24.7 9.3 26 7C28.5 8.3 30.5 10 32 12.2C43.5 13.5 51 25 50.5 49Z' +
  'M20.5 51.5H52.5A3 3 0 0 1 52.5 57.5H20.5A3 3 0 0 1 20.5 51.5Z';

/** The line of its mane. */
export const MANE = 'M36 16.5C43 20 46.5 30 46 45';

/** Its eye: centre and radius. */
export const EYE = [25.8, 21.8, 1.8];

/** The piece to be taken: a pawn. */
export const PAWN =
  'M32 11A8.5 8.5 0 0 1 37.6 25.9C40.5 26.6 40.5 30 37.8 30.6C38.3 38 40.5 43.5 45 47.5H19C23.5 43.5 25.7 38 26.2 30.6C23.5 30 23.5 26.6 26.4 25.9A8.5 8.5 0 0 1 32 11Z' +
  'M19 50.5H45A3 3 0 0 1 45 56.5H19A3 3 0 0 1 19 50.5Z';

/** The flag in the corner of a square, half of whose side is given. */
export function flag(half) {
  const inner = half - 6;
  return `M${inner} ${-inner}V${-inner + 20}L${inner - 20} ${-inner}Z`;
}

/** A piece as a drawing, with a letter where knights differ. */
export function glyph(kind, label) {
  const pawn = kind === 'pawn';
  const group = s('g', { class: `piece piece-${kind}` });
  group.append(s('path', { class: 'body', d: pawn ? PAWN : KNIGHT }));
  if (!pawn)
    group.append(
      s('path', { class: 'mane', d: MANE }),
      s('circle', { class: 'eye', cx: EYE[0], cy: EYE[1], r: EYE[2] }),
    );
  if (label) group.append(s('text', { class: 'label', x: 37, y: 47, 'text-anchor': 'middle' }, label));
  return group;
}
