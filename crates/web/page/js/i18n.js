// The texts, in three languages.
//
// Idea: every sentence is in `texts/LANGUAGE.json` under the same key; `{name}` in it is filled in, and a text that
// depends on a number is an object of plural forms, chosen by the language's own rules (`Intl.PluralRules`). The
// command tells its answers from the same files (`crates/ask/texts`), in clauses; `sentence` makes a sentence of one.
// Invariant: the three files have the same keys; a test holds them to it.

import { kept } from './kept.js';

export const LANGUAGES = { en: 'English', cs: 'Čeština', pl: 'Polski' };
const KEPT = 'destrier.language';

let language = 'en';
let texts = {};
let plural = new Intl.PluralRules('en');
let number = new Intl.NumberFormat('en');

/** The language that was chosen before, or the browser's first that we speak. */
export function preferredLanguage() {
  const chosen = kept.get(KEPT);
  if (chosen && chosen in LANGUAGES) return chosen;
  const spoken = (navigator.languages ?? []).map((tag) => tag.slice(0, 2));
  return spoken.find((tag) => tag in LANGUAGES) ?? 'en';
}

/** Loads a language; every later `t` speaks it. */
export async function speakLanguage(wanted, keep = false) {
  const answer = await fetch(`texts/${wanted}.json`);
  texts = await answer.json();
  language = wanted;
  plural = new Intl.PluralRules(wanted);
  number = new Intl.NumberFormat(wanted);
  document.documentElement.lang = wanted;
  if (keep) kept.set(KEPT, wanted);
}

/** The plural form of a number, or of a decimal string of any length: the last digits decide. */
function form(n) {
  const digits = String(n);
  return plural.select(digits.length > 15 && /^\d+$/.test(digits) ? Number(`1${digits.slice(-6)}`) : Number(n));
}

/** The text under a key, with `{name}`s filled in; `n`, a number or a decimal string, chooses the plural form. */
export function t(key, values = {}) {
  let text = key.split('.').reduce((table, word) => table?.[word], texts);
  if (text === undefined) return key;
  if (typeof text === 'object') text = text[form(values.n)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (Array.isArray(value)) return listed(value);
    if (value?.key) return t(value.key, value.values);
    if (value?.exact) return value.exact;
    if (name === 'size') return String(value).replace(/(\d)x(\d)/gi, '$1×$2');
    return typeof value === 'number' || (name === 'n' && /^\d+$/.test(value)) ? spell(value) : String(value);
  });
}

/** `a1, b2 and c3`; after six it is said how many more there are. */
function listed(list) {
  const names = list.slice(0, 6).map(String);
  if (list.length > names.length) names.push(t('list.more', { n: list.length - names.length }));
  const last = names.pop() ?? '';
  return names.length ? t('list.and', { first: names.join(', '), last }) : last;
}

/** A clause as a sentence: a capital, unless it begins with a square, and a full stop. */
export function sentence(clause) {
  const text = clause.replace(/(\p{L})'(\p{L})/gu, '$1’$2').replace(/(\d)x(\d)/g, '$1×$2');
  const begun = /^[a-z]{1,3}\d/.test(text) ? text : text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
  return /[.!?:…]$/.test(begun) ? begun : `${begun}.`;
}

/** What the server says by a key, as a sentence. */
export const told = ({ key, values }) => sentence(t(key, values));

/** Is there a text under this key? */
export const knows = (key) => key.split('.').reduce((table, word) => table?.[word], texts) !== undefined;

/** A number as the language writes it; decimal strings of any length too. */
export function spell(value) {
  if (typeof value === 'string' && /^\d+$/.test(value)) return BigInt(value).toLocaleString(language);
  return number.format(value);
}

/** A short number: 1.2 M. */
export function brief(value) {
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** An amount of memory as people write it. */
export function bytes(value) {
  const [size, unit] = value >= 2 ** 30 ? [2 ** 30, 'gb'] : [2 ** 20, 'mb'];
  return t(`unit.${unit}`, { n: value < 10 * size ? Math.round((10 * value) / size) / 10 : Math.round(value / size) });
}

/** A time in milliseconds that is only estimated. */
export function roughly(ms) {
  if (ms < 60_000 || ms > 36e5 * 2) return duration(ms);
  return t('unit.minutes', { n: Math.round(ms / 60_000) });
}

/** A time in milliseconds as people write it; 0 is a time that was too short for the clock. */
export function duration(ms) {
  if (ms === 0) return t('unit.under');
  if (ms < 1) return t('unit.us', { n: Math.max(1, Math.round(ms * 1000)) });
  if (ms < 1000) return t('unit.ms', { n: ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms) });
  if (ms < 60_000) return t('unit.s', { n: Math.round(ms / 100) / 10 });
  if (ms > 36e5 * 48) return t('unit.days', { n: Math.round(ms / 864e5) });
  if (ms > 36e5 * 2) return t('unit.hours', { n: Math.round(ms / 36e4) / 10 });
  const minutes = Math.floor(ms / 60_000);
  return t('unit.min', { n: minutes, s: String(Math.floor((ms % 60_000) / 1000)).padStart(2, '0') });
}
