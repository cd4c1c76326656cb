/** A lesson in words for the ears: cards are named, marks of emphasis are left out. */
import { spoken } from '../cards/cards';
import { settings } from '../state/settings.svelte';
import type { LessonBoard } from './lessonBoard.svelte';
import { say } from './texts';

const plain = (text: string) => spoken(text.replaceAll(/\*\*?|`/g, ''));

/** What has happened since the words before. */
export function happened(board: LessonBoard): string[] {
  return board.stop.words[settings.lang].map(spoken).filter(Boolean);
}

/** What is said now: first to a move or a card that will not do, then what there is to see and to do. */
export function toldTo(board: LessonBoard): string[] {
  const { lang } = settings;
  const { praise, reply, stop } = board;
  const asked = board.myTurn ? board.selection.asked : null;
  const reason =
    asked === null ? '' : `${say('cannot')} ${board.outlook?.reasons[asked] || say('is-illegal')}`;
  const but = reply ? `${say('but')} ${reply.words[lang]}` : '';
  return [reason || but, praise?.[lang] ?? '', stop.say[lang]].filter(Boolean).map(plain);
}
