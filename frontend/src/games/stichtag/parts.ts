/** What Stichtag provides for the table. */
import Choice from '../generic/Choice.svelte';
import type { GameParts } from '../parts';
import Announce from './Announce.svelte';
import Discard from './Discard.svelte';
import Gift from './Gift.svelte';
import { mat } from './mat';
import Middle from './Middle.svelte';
import Own from './Own.svelte';
import PassOn from './PassOn.svelte';
import Seat from './Seat.svelte';
import Take from './Take.svelte';
import { decidesFirst } from './result';
import { isUnread, symbolName, symbolOf } from './today.svelte';
import TrumpChoice from './TrumpChoice.svelte';
import Veto from './Veto.svelte';

export const parts: GameParts = {
  Seat,
  Middle,
  Own,
  mat,
  choices: {
    announce: Announce,
    discard: Discard,
    gift: Gift,
    pass: PassOn,
    take: Take,
    trump: TrumpChoice,
    veto: Veto,
    '*': Choice, // of a sheet that has no component of its own
  },
  introduces: isUnread,
  keepsMiddle: true,
  symbolOf,
  symbolName,
  decidesFirst,
};
