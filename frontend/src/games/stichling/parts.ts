/** Stichling: four open tricks, and scoring cards in an order of the player's choice. */
import type { GameParts } from '../parts';
import { mat } from './mat';
import Middle from './Middle.svelte';
import OrderChoice from './OrderChoice.svelte';
import Own from './Own.svelte';
import Seat from './Seat.svelte';

export const parts: GameParts = {
  Seat,
  Middle,
  Own,
  mat,
  choices: { order: OrderChoice },
  needsRoom: true,
  seatsInExamples: true,
};
