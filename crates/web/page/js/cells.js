// What a square is called, for those who listen: beyond its name, what it is marked as.

import { t } from './i18n.js';

/** What a square is marked as, in words. */
export function markWords(marks, square) {
  const words = [];
  if (marks.start === square) words.push(t('cell.start'));
  if (marks.end === square) words.push(t('cell.end'));
  const goal = marks.goals?.find(([one]) => one === square);
  if (goal) words.push(`${t(`cell.goal_${goal[1]}`)}${goal[2] ? ` ${goal[2]}` : ''}`);
  if (marks.picked === square) words.push(t('cell.picked'));
  if (marks.legal?.includes(square)) words.push(t('cell.legal'));
  if (marks.hint === square) words.push(t('cell.hint'));
  return words;
}
