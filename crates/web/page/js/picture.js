// A picture of the board as it is seen, for saving and copying.
//
// Idea: the SVG board is copied with the colours that it has on the page, so that the copy needs no style sheet; as PNG it
// is drawn from that copy, twice as large as on the screen. The canvas board is drawn again at twice its size.

import { s } from './dom.js';

/** What the look of a part of the drawing depends on. */
const LOOK = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-dasharray',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'transform',
];
const SCALE = 2;
/** A PNG has this side at least, and at most. */
const SIDES = [1200, 8000];

/** The SVG board as a file of its own. */
export function svgText(board, title) {
  const { width, height } = board.viewBox.baseVal;
  const copy = board.cloneNode(true);
  const from = [board, ...board.querySelectorAll('*')];
  const to = [copy, ...copy.querySelectorAll('*')];
  const unseen = [];
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    const drawn = to[index];
    if (style.display === 'none' || style.opacity === '0' || element.classList.contains('cursor')) {
      unseen.push(drawn);
      return;
    }
    for (const name of drawn.getAttributeNames().filter((one) => one.startsWith('aria-'))) drawn.removeAttribute(name);
    for (const name of ['class', 'role', 'tabindex', 'style', 'id', 'focusable'])
      if (name !== 'id' || !['clipPath', 'pattern'].includes(drawn.tagName)) drawn.removeAttribute(name);
    for (const name of LOOK) {
      const value = style.getPropertyValue(name);
      if (value && value !== 'none' && value !== 'normal') drawn.style.setProperty(name, value);
      else if (name === 'fill' && value === 'none') drawn.style.setProperty(name, value);
    }
  });
  for (const element of unseen) element.remove();
  for (const [name, value] of Object.entries({ xmlns: 'http://www.w3.org/2000/svg', width, height, role: 'img' }))
    copy.setAttribute(name, value);
  const { x, y } = board.viewBox.baseVal;
  const paper = getComputedStyle(document.body).backgroundColor;
  copy.prepend(s('title', {}, title), s('rect', { x, y, width, height, fill: paper }));
  return new XMLSerializer().serializeToString(copy);
}

/** A file with the SVG board. */
export const svgBlob = (board, title) => new Blob([svgText(board, title)], { type: 'image/svg+xml' });

/** What a view shows, as PNG. */
export async function pngBlob(view, title) {
  const canvas = view.canvas ? view.canvas(SCALE) : await drawn(view.root, title);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(Object.assign(new Error(), { key: 'keep.too_large' }))),
      'image/png',
    );
  });
}

async function drawn(board, title) {
  const { width, height } = board.viewBox.baseVal;
  const longer = Math.max(width, height);
  const seen = Math.max(...['width', 'height'].map((side) => board.getBoundingClientRect()[side]));
  const scale = Math.min(SIDES[1], Math.max(SIDES[0], seen * SCALE)) / longer;
  const address = URL.createObjectURL(svgBlob(board, title));
  const image = new Image(Math.round(width * scale), Math.round(height * scale));
  image.src = address;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d').drawImage(image, 0, 0, image.width, image.height);
  URL.revokeObjectURL(address);
  return canvas;
}
