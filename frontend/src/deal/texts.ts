/** What is said about deals. */
import { words } from '../texts/words';
import type { Finding } from './check';
import de from './deal.de.json';
import en from './deal.en.json';

export const say = words(de, en);
export type DealTextId = keyof typeof en;

/** A finding as one sentence. */
export function sentence({ id, data }: Finding): string {
  if (id === 'deal-changed') return say(id, { what: say(`changed-${data.what}` as DealTextId) });
  if (id === 'deal-record') return say(id, { what: say(`record-${data.what}` as DealTextId) });
  if (id === 'deal-server-seed' && data.round === 0) return say('deal-server-seed-start');
  return say(id, data);
}
