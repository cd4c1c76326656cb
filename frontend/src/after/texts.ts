/** The texts of what comes after a match, and figures as people write them. */
import { settings } from '../state/settings.svelte';
import { words } from '../texts/words';
import de from './after.de.json';
import en from './after.en.json';

export const say = words(de, en);
export type AfterTextId = keyof typeof en;
export { letterOf } from '../shared/seats';
export { roundName } from '../table/rounds';

const LEVELS: readonly string[] = ['easy', 'medium', 'hard', 'expert'];

/**
 * Return distinguishable names: in records bots are named after their level, which several may
 * share.
 */
export function clearNames(names: readonly string[]): string[] {
  const called = names.map((name) => (LEVELS.includes(name) ? say('bot') : name));
  return called.map((name, seat) => {
    const number = called.slice(0, seat + 1).filter((one) => one === name).length;
    return called.indexOf(name) === called.lastIndexOf(name) ? name : `${name} ${number}`;
  });
}

/** Format a number with one decimal, or none if it is an integer. */
export function figure(value: number): string {
  return value.toLocaleString(settings.lang, { maximumFractionDigits: 1 }).replace('-', '−');
}

/** Format a number with its sign: `+3,2`, `−1`, `±0`. */
export function signed(value: number): string {
  const text = figure(Math.abs(value));
  if (text === '0') return '±0';
  return `${value < 0 ? '−' : '+'}${text}`;
}
