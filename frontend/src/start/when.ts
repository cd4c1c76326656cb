/** How long ago something was, in words. */
import { settings } from '../state/settings.svelte';
import { say } from './texts';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Return `2 hours ago`. */
export function whenWas(at: number, now: number = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(settings.lang, { numeric: 'auto' });
  const passed = now - at;
  const found = UNITS.find(([, long]) => passed >= long);
  return found ? format.format(-Math.floor(passed / found[1]), found[0]) : say('just-now');
}
