/** Null & nichtig: only the top of each pile counts. */
import type { GameParts } from '../parts';
import LayChoice from './LayChoice.svelte';
import { mat } from './mat';
import Middle from './Middle.svelte';
import Own from './Own.svelte';
import Seat from './Seat.svelte';

export const parts: GameParts = {
  Seat,
  Middle,
  Own,
  mat,
  choices: { lay: LayChoice },
  seatsInExamples: true,
};
