/** What can be used without a connection, and whether this browser has it already. */
const KEY = 'stichwerk-ready';

/** The games that have lessons and rules; their names are the same in all languages. */
export const OFFLINE_GAMES = [
  { name: 'stichling', title: 'Stichling' },
  { name: 'null-nichtig', title: 'Null & nichtig' },
  { name: 'sticheln', title: 'Sticheln' },
  { name: 'stichtag', title: 'Stichtag' },
] as const;

/** Whether there is a lesson and a page of rules: a game of someone's own has neither. */
export function isTaught(game: string): boolean {
  return OFFLINE_GAMES.some((one) => one.name === game);
}

/** Everything is here now: all files of the page, and the rules. */
export function keepReady(): void {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // Then it is not offered.
  }
}

/** Whether lessons and rules open without a connection. */
export function isReady(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
}
