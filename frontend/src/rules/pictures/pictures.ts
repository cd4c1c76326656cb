/** Which part of which rules has a picture; pictures load with the part they belong to. */
import type { Component } from 'svelte';

interface Loaded {
  Picture: Component<Record<string, unknown>>;
  props: Record<string, unknown>;
}

type Load = () => Promise<{ default: unknown }>;
const colours: Load = () => import('./ColoursPicture.svelte');

const PICTURES: Readonly<Record<string, readonly [Load, Record<string, unknown>?]>> = {
  'stichling what-you-need': [colours, { cards: ['G8', 'Y3', 'L12', 'B5'] }],
  'stichling playing-a-card': [() => import('./PlacesPicture.svelte')],
  'stichling end-of-a-round': [() => import('./ScoringPicture.svelte')],
  'null-nichtig what-you-need': [colours, { cards: ['R0', 'Y9', 'G11', 'B5', 'L3'] }],
  'null-nichtig an-example': [() => import('./PilesPicture.svelte')],
  'sticheln setting-up-a-round': [colours, { cards: ['R0', 'Y4', 'G7', 'B11', 'L2', 'S9'] }],
  'sticheln who-takes-the-trick': [() => import('./TakerPicture.svelte')],
  'sticheln scoring': [() => import('./PainPicture.svelte')],
  'stichtag the-calendar': [() => import('./CalendarPicture.svelte')],
  'stichtag what-you-need': [colours, { cards: ['R2', 'Y9', 'G5', 'B0', 'L7', 'S4'] }],
};

/** The picture of a part of the rules, if it has one. */
export function pictureOf(game: string, section: string): Promise<Loaded> | null {
  const found = PICTURES[`${game} ${section}`];
  if (!found) return null;
  const [load, props = {}] = found;
  return load().then((module) => ({ Picture: module.default as Loaded['Picture'], props }));
}
