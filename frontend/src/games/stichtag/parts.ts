/** What Stichtag provides for the table. */
import type { GameParts } from '../parts';
import DayChoice from './DayChoice.svelte';
import { mat } from './mat';
import Middle from './Middle.svelte';
import Own from './Own.svelte';
import Seat from './Seat.svelte';
import { decidesFirst } from './result';
import { isUnread, symbolName, symbolOf } from './today.svelte';

export const parts: GameParts = {
  Seat,
  Middle,
  Own,
  mat,
  choices: { '*': DayChoice },
  introduces: isUnread,
  keepsMiddle: true,
  symbolOf,
  symbolName,
  decidesFirst,
};
