/** Null & nichtig: pictures of its rules. */
import { colours } from '../../rules/pictures/colours';
import type { RulePictures } from '../../rules/pictures/pictures';

export const pictures: RulePictures = {
  'what-you-need': [colours, { cards: ['R0', 'Y9', 'G11', 'B5', 'L3'] }],
  'an-example': [() => import('./PilesPicture.svelte')],
};
