// The colours of the style sheet, for a canvas.

import { h } from './dom.js';
import { SHADES } from './trail.js';

/** The colours that hold in an element, in the light of now. */
export function paletteOf(root) {
  // A custom property is a pair of colours, light and dark; as the `color` of an element it is the one that holds.
  // An element that is not shown has no transitions, so it tells the colour at once.
  const probe = h('i', { hidden: true });
  root.append(probe);
  const style = getComputedStyle(probe);
  const colour = (name) => {
    probe.style.color = `var(${name})`;
    return style.color;
  };
  const shades = [];
  for (let i = 0; i < SHADES; i += 1) {
    shades.push(
      `color-mix(in oklch, ${colour('--path-end')} ${Math.round((100 * i) / (SHADES - 1))}%, ${colour('--path-start')})`,
    );
  }
  const colours = {
    shades,
    light: colour('--square-light'),
    dark: colour('--square-dark'),
    hole: colour('--square-hole'),
    hatch: colour('--hole-line'),
    ink: colour('--ink'),
    accent: colour('--accent'),
    fault: colour('--fault'),
    paper: colour('--paper'),
    white: colour('--piece-white'),
    black: colour('--piece-black'),
    pawn: colour('--piece-pawn'),
    soft: colour('--ink-soft'),
    halo: colour('--number-halo'),
    font: style.getPropertyValue('--sans').trim(),
  };
  probe.remove();
  return colours;
}
