/** Stichtag: pictures of its rules. */
import { colours } from '../../rules/pictures/colours';
import type { RulePictures } from '../../rules/pictures/pictures';

export const pictures: RulePictures = {
  'the-calendar': [() => import('./CalendarPicture.svelte')],
  'what-you-need': [colours, { cards: ['R2', 'Y9', 'G5', 'B0', 'L7', 'S4'] }],
};
