/** Chat messages, in the reader's language. */
import type { Person, Preset, Said } from '../protocol';
import { PRESETS, say } from './texts';

/** Return the sender's current name, or the one at the time for people who have left. */
export function speaker({ person, name }: Said, people: readonly Person[] = []): string {
  return people.find((one) => one.id === person)?.name ?? (name || '?');
}

export function saidText({ text, preset }: Said): string {
  const known = PRESETS.find((one): one is Preset => one === preset);
  return known ? say(`preset-${known}`) : (text ?? preset ?? '');
}
