/** What somebody said, in the language of the one who reads it. */
import type { Person, Preset, Said } from '../protocol';
import { PRESETS, say } from './texts';

/** Who said it: by the name of now, or of then, for people who are gone. */
export function speaker({ person, name }: Said, people: readonly Person[] = []): string {
  return people.find((one) => one.id === person)?.name ?? (name || '?');
}

export function saidText({ text, preset }: Said): string {
  const known = PRESETS.find((one): one is Preset => one === preset);
  return known ? say(`preset-${known}`) : (text ?? preset ?? '');
}
