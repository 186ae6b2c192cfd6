// The question in words, for headlines: the board and all that was asked of the tour.
//
// Idea: what is said of an answer must be true of the question that was asked, so every option that changes its
// meaning has a phrase. Phrases follow the size, as in the command: that order suits all three languages.

import { t, knows, told } from './i18n.js';

/** More holes than this are counted, not named. */
const MOST_NAMED = 4;

const list = (value) => (Array.isArray(value) ? value : String(value ?? '').match(/[^\s,]+/g)) ?? [];

/** `8×8 from a1 with half-turn symmetry`: the board of a question, and what its tours must be like. */
export function boardPhrase(question) {
  const parts = [String(question.board).replace(/(\d)x(\d)/gi, '$1×$2')];
  if (question.from) parts.push(t('asked.from', { square: question.from }));
  if (question.to) parts.push(t('asked.to', { square: question.to }));
  const holes = list(question.holes);
  if (holes.length > MOST_NAMED) parts.push(t('asked.holes', { n: holes.length }));
  else if (holes.length) parts.push(t('asked.without', { squares: holes }));
  if (question.symmetry && knows(`asked.${question.symmetry}`)) parts.push(t(`asked.${question.symmetry}`));
  if (question.wrap && knows(`asked.wrap_${question.wrap}`)) parts.push(t(`asked.wrap_${question.wrap}`));
  if (question.leaper && question.leaper !== '1,2') parts.push(t('asked.leaper', { leaper: question.leaper }));
  return parts.join(' ');
}

/** What the server objects to, in the reader's language where we have the words. */
export const refusalPhrase = (error) => (error.key ? told(error) : error.message || t('error.server'));

/** What the checker found wrong, in the reader's language where we have the words. */
export const faultPhrase = ({ fault, says }) => (fault?.key ? told(fault) : says);

/** ` (in turn, white begins; peaceful)`: the rules of a swap beyond the plain ones, or nothing. */
export function rulesPhrase(question) {
  const parts = [];
  if (question.alternate) parts.push(t(question.alternate === 'black' ? 'swap.black_first' : 'swap.white_first'));
  if (question.peaceful) parts.push(t('asked.peaceful'));
  if (question.labelled) parts.push(t('asked.labelled'));
  if (question.wrap && knows(`asked.wrap_${question.wrap}`)) parts.push(t(`asked.wrap_${question.wrap}`));
  return parts.length ? ` (${parts.join('; ')})` : '';
}
