/** Sticheln: pictures of its rules. */
import { colours } from '../../rules/pictures/colours';
import type { RulePictures } from '../../rules/pictures/pictures';

export const pictures: RulePictures = {
  'setting-up-a-round': [colours, { cards: ['R0', 'Y4', 'G7', 'B11', 'L2', 'S9'] }],
  'who-takes-the-trick': [() => import('./TakerPicture.svelte')],
  scoring: [() => import('./PainPicture.svelte')],
};
