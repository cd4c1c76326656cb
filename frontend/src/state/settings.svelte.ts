/** The person's settings on this device. */
import { MediaQuery } from 'svelte/reactivity';

import type { Lang, Pace } from '../protocol';

export type Theme = 'auto' | 'light' | 'dark';
export type Motion = 'auto' | 'on' | 'off';

const KEY = 'stichwerk-settings';

const systemIsLight = new MediaQuery('(prefers-color-scheme: light)');
const systemIsCalm = new MediaQuery('(prefers-reduced-motion: reduce)');

interface Kept {
  lang: Lang;
  theme: Theme;
  motion: Motion;
  sound: boolean;
  haptics: boolean;
  oneTap: boolean;
  /** Seconds that a finished trick stays; 0: until it is tapped. */
  hold: number;
  /** How long bots seem to think. */
  pace: Pace;
  leftHanded: boolean;
  /** The column of scores, log and chat is folded away. */
  folded: boolean;
  letters: boolean;
  name: string;
  favourites: string[];
  /** A date of Stichtag's calendar, `MM-DD`, or nothing. */
  birthday: string;
  /** How many tips for the first match were read. */
  coached: number;
  /** Days and lessons that were looked at already. */
  seen: string[];
}

function defaults(): Kept {
  return {
    lang: navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en',
    theme: 'auto',
    motion: 'auto',
    sound: true,
    haptics: false,
    oneTap: false,
    hold: 1.2,
    pace: 'normal',
    leftHanded: false,
    folded: false,
    letters: false,
    name: '',
    favourites: [],
    birthday: '',
    coached: 0,
    seen: [],
  };
}

function kept(): Kept {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return { ...defaults(), ...(found as Partial<Kept>) };
  } catch {
    return defaults(); // unreadable settings are reset
  }
}

/** The settings; changes are stored. */
export const settings: Kept = $state(kept());

/** Store changes; called once, when the page starts. */
export function keepSettings(): void {
  $effect.root(() => {
    $effect(() => {
      const text = JSON.stringify(settings);
      try {
        localStorage.setItem(KEY, text);
      } catch {
        // Without storage the settings last as long as the page.
      }
    });
    $effect(() => {
      document.documentElement.lang = settings.lang;
      document.documentElement.dataset.theme = theme();
      document.documentElement.dataset.motion = moves() ? 'on' : 'off';
    });
  });
}

/** Return light or dark, as set by the person or else the system. */
export function theme(): 'light' | 'dark' {
  if (settings.theme !== 'auto') return settings.theme;
  return systemIsLight.current ? 'light' : 'dark';
}

/** Return whether animations are allowed. */
export function moves(): boolean {
  if (settings.motion !== 'auto') return settings.motion === 'on';
  return !systemIsCalm.current;
}

/** Vibrate briefly, if enabled. */
export function buzz(milliseconds = 12): void {
  if (settings.haptics && 'vibrate' in navigator) navigator.vibrate(milliseconds);
}
