/** What games are called: the same in both languages. */
const TITLES: Readonly<Record<string, string>> = {
  stichling: 'Stichling',
  'null-nichtig': 'Null & nichtig',
  sticheln: 'Sticheln',
  stichtag: 'Stichtag',
};

/** What a game is called; one of somebody's own goes by its name. */
export function titleOf(game: string): string {
  return TITLES[game] ?? game;
}
