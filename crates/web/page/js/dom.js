// Small words for making elements.
//
// Idea: `h('button', {text: 'run.cancel', on: {click}})` makes an element; `text`, `label` and `tip` are keys of the
// texts, kept on the element so that a change of language can say them again.
// Invariant: no inline style and no inline script, so that the page lives under a strict content policy.

import { t } from './i18n.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an HTML element. Children are elements, strings, or nothing. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'on') for (const [type, heard] of Object.entries(value)) element.addEventListener(type, heard);
    else if (key === 'text') say(element, 'text', value);
    else if (key === 'label') say(element, 'label', value);
    else if (key === 'tip') say(element, 'tip', value);
    else if (key === 'hint') say(element, 'hint', value);
    else if (key === 'class') element.className = value;
    else if (key in element && typeof value !== 'string') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Makes an SVG element with attributes. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const FILLED = new WeakMap();

/** Puts a text of the tables on an element, and remembers its key and what is filled in. */
export function say(element, role, key, values) {
  element.dataset[`say${role[0].toUpperCase()}${role.slice(1)}`] = key;
  if (values) FILLED.set(element, values);
  speak(element, role, key);
}

function speak(element, role, key) {
  const text = t(key, FILLED.get(element));
  if (role === 'text') element.textContent = text;
  else if (role === 'label') element.setAttribute('aria-label', text);
  else if (role === 'hint') element.setAttribute('placeholder', text);
  else element.title = text;
}

/** Says every remembered text again, in the language of now. */
export function retell(root = document) {
  for (const role of ['text', 'label', 'tip', 'hint']) {
    for (const element of root.querySelectorAll(`[data-say-${role}]`)) {
      speak(element, role, element.dataset[`say${role[0].toUpperCase()}${role.slice(1)}`]);
    }
  }
}

/** An icon of the sprite in `icons.svg`. */
export function icon(name) {
  return s(
    'svg',
    { class: 'icon', 'aria-hidden': 'true', viewBox: '0 0 24 24' },
    s('use', { href: `icons.svg#${name}` }),
  );
}

/** A button with an icon and a spoken name. */
export function iconButton(name, label, click, more = {}) {
  return h('button', { type: 'button', class: 'icon-button', label, tip: label, on: { click }, ...more }, icon(name));
}

let numbered = 0;

/** A name for an element that no other has. */
export function freshId(stem) {
  numbered += 1;
  return `${stem}-${numbered}`;
}
