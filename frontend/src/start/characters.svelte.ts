/** Who may be chosen as an opponent, with a style and a rating, in the current language. */
import { get } from '../net/api';
import type { CharacterInfo, Characters } from '../protocol';
import { settings } from '../state/settings.svelte';

class CharacterList {
  all: readonly CharacterInfo[] = $state.raw([]);
  #lang = '';

  /** Load the characters, once per language; without an answer there are none. */
  async load(): Promise<void> {
    const { lang } = settings;
    if (this.#lang === lang) return;
    this.#lang = lang;
    try {
      const found = await get<Partial<Characters>>('characters'); // older servers have none
      if (this.#lang === lang) this.all = found.characters ?? [];
    } catch {
      this.#lang = '';
    }
  }

  of(bot: string | null): CharacterInfo | undefined {
    return this.all.find((one) => one.bot === bot);
  }
}

export const characters = new CharacterList();
