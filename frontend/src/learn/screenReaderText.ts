/** The text of a lesson for screen readers: cards are named, emphasis marks are left out. */
import { spoken } from '../cards/cards';
import { settings } from '../state/settings.svelte';
import type { LessonBoard } from './lessonBoard.svelte';
import { say } from './texts';

const plain = (text: string) => spoken(text.replaceAll(/\*\*?|`/g, ''));

/** Return what has happened since the previous text. */
export function eventTexts(board: LessonBoard): string[] {
  return board.stop.words[settings.lang].map(spoken).filter(Boolean);
}

/** Return the current text: first the reply to a wrong move or card, then what to see and to do. */
export function currentTexts(board: LessonBoard): string[] {
  const { lang } = settings;
  const { praise, reply, stop } = board;
  const asked = board.myTurn ? board.selection.asked : null;
  const reason =
    asked === null ? '' : `${say('cannot')} ${board.outlook?.reasons[asked] || say('is-illegal')}`;
  const but = reply ? `${say('but')} ${reply.words[lang]}` : '';
  return [reason || but, praise?.[lang] ?? '', stop.say[lang]].filter(Boolean).map(plain);
}
