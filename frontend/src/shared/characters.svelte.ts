/** Characters at a table: bots with a name and a face of their own. */
import { getContext, setContext } from 'svelte';

import type { Level, Opponent } from '../protocol';
import type { Face } from './patches';

const KEY = Symbol('faces');
export const CHARACTERS: readonly Exclude<Opponent, Level>[] = [
  ...(['rocco', 'tilda', 'zora', 'otto', 'luna', 'kiki'] as const),
];

/** Return whether a bot is a character, and not of some level. */
export function isCharacter(bot: string | null | undefined): bot is Opponent {
  return CHARACTERS.some((one) => one === bot);
}

/** Return what people call a character. */
export function characterName(bot: string): string {
  return bot[0]!.toUpperCase() + bot.slice(1);
}

/** Return the character with this name, possibly with a number behind it, as in a record. */
export function characterNamed(name: string): string | undefined {
  return CHARACTERS.find((one) => characterName(one) === name.replace(/ \d$/, ''));
}

let faces: Readonly<Record<string, Face>> | null = $state.raw(null);
let asked = false;

/** Return the face of a character, as soon as the drawings are loaded. */
export function faceOf(bot: string | null | undefined): Face | undefined {
  if (!isCharacter(bot)) return undefined;
  if (!asked) {
    asked = true;
    void import('./faces').then((found) => (faces = found.FACES));
  }
  return faces?.[bot];
}

/** Provide the characters by seat, if any, to all components below. */
export function provideFaces(bots: () => readonly (string | null | undefined)[]): void {
  setContext(KEY, bots);
}

/** Return a function for the face in a seat; to be called while a component is set up. */
export function useFaces(): (seat: number) => Face | undefined {
  const bots = getContext<(() => readonly (string | null | undefined)[]) | undefined>(KEY);
  return (seat) => faceOf(bots?.()[seat]);
}
