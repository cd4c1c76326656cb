/** What somebody said, in the language of the one who reads it. */
import type { Preset, Said } from '../protocol';
import { PRESETS, say } from './texts';

export function saidText({ text, preset }: Said): string {
  const known = PRESETS.find((one): one is Preset => one === preset);
  return known ? say(`preset-${known}`) : (text ?? preset ?? '');
}
