/** Which section of which rules has a picture; pictures load with their section. */
import type { Component } from 'svelte';

import { known } from '../../games/known.svelte';

interface Loaded {
  Picture: Component<Record<string, unknown>>;
  props: Record<string, unknown>;
}

type Load = () => Promise<{ default: unknown }>;
/** By section of the rules: the component, and its data. */
export type RulePictures = Readonly<Record<string, readonly [Load, Record<string, unknown>?]>>;

const PICTURES = import.meta.glob<RulePictures>('../../games/*/rulePictures.ts', {
  eager: true,
  import: 'pictures',
});

/** Return the picture of a section of the rules, if it has one. */
export function pictureOf(game: string, section: string): Promise<Loaded> | null {
  const found = PICTURES[`../../games/${known(game).page}/rulePictures.ts`]?.[section];
  if (!found) return null;
  const [load, props = {}] = found;
  return load().then((module) => ({ Picture: module.default as Loaded['Picture'], props }));
}
