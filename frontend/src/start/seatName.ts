/** Seats in words: by their letter, as at the table, and by who sits there. */
import type { Table } from '../protocol';
import { characterName, isCharacter } from '../shared/characters.svelte';
import { letterOf } from '../shared/seats';
import { say } from './gatherTexts';

/** Return `A – Ada`; for an empty seat `Seat A`. */
export function seatName(seat: number, name?: string): string {
  const letter = letterOf(seat);
  return name ? `${letter} – ${name}` : say('seat-letter', { letter });
}

/** Return who sits where at a table before the match; an empty name for nobody. */
export function namesAt({ places, people }: Table): string[] {
  const nameOf = (id: string) => people.find((one) => one.id === id)?.name ?? '';
  return places.map(({ person, level }) => {
    if (person) return nameOf(person);
    if (isCharacter(level)) return characterName(level);
    return level ? say('bot') : '';
  });
}
