/** Null & nichtig: only the top of each pile counts. */
import type { GameParts } from '../parts';
import LayChoice from './LayChoice.svelte';
import Middle from './Middle.svelte';
import Own from './Own.svelte';
import Seat from './Seat.svelte';

export const parts: GameParts = {
  Seat,
  Middle,
  Own,
  choices: { lay: LayChoice },
  seatsInExamples: true,
};
