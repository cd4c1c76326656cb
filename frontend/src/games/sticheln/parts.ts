/** What Sticheln brings to the table. */
import type { GameParts } from '../parts';
import { mat } from './mat';
import Middle from './Middle.svelte';
import Own from './Own.svelte';
import PainChoice from './PainChoice.svelte';
import Seat from './Seat.svelte';
import { hurts, say } from './sticheln';

export const parts: GameParts = {
  Seat,
  Middle,
  Own,
  mat,
  choices: { pain: PainChoice },
  isMarked: hurts,
  markName: () => say('marked'),
};
