/** A generic table, for any game with one trick at a time. */
import type { GameParts } from '../parts';
import Choice from './Choice.svelte';
import Middle from './Middle.svelte';
import Own from './Own.svelte';
import Seat from './Seat.svelte';

export const parts: GameParts = { Seat, Middle, Own, choices: { '*': Choice } };
