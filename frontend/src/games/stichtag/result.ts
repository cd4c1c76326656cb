/** What decides a day's match before the points do: signs that seats can lose. */
import type { View } from '../../protocol';
import { filled } from '../../texts/words';
import type { DecidesFirst } from '../parts';
import { learnDay, todayOf } from './today.svelte';

/** Return the signs that a seat has left; null on days without any. */
export function decidesFirst(view: View, seat: number): DecidesFirst | null {
  void learnDay(view);
  const facts = todayOf({ view })?.sheets.flatMap((sheet) => sheet.facts) ?? [];
  const signs = facts.find((fact) => fact.form === 'signs');
  if (!signs) return null;
  const count = (view.table[signs.name] as readonly number[] | undefined)?.[seat] ?? 0;
  const gone = (view.table[signs.lost] as readonly number[] | undefined)?.[seat] ?? 0;
  const text = signs.signs[0].repeat(count) + signs.signs[1].repeat(gone);
  return { count, text, spoken: filled(signs.text, { count }) };
}
