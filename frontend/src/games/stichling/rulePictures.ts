/** Stichling: pictures of its rules. */
import { colours } from '../../rules/pictures/colours';
import type { RulePictures } from '../../rules/pictures/pictures';

export const pictures: RulePictures = {
  'what-you-need': [colours, { cards: ['G8', 'Y3', 'L12', 'B5'] }],
  'playing-a-card': [() => import('./PlacesPicture.svelte')],
  'end-of-a-round': [() => import('./ScoringPicture.svelte')],
};
