/** The person's last choice for a game: seats, the bots' level, options. Stored in this browser. */
import { ourGames } from '../games/known.svelte';
import type { GameInfo, Level, Memory, OptionInfo, Opponent, Settings } from '../protocol';
import { isCharacter } from '../shared/characters.svelte';
import { today } from './play';
import type { Chosen, Value } from './play';

const KEY = 'stichwerk-choices';
const PICKED = 'stichwerk-picked';
const FIRST = ourGames().find((game) => game.first_choice)?.name ?? '';
export const LEVELS: readonly Level[] = ['easy', 'medium', 'hard', 'expert'];
/** Which put-away tricks may be looked at. */
export const MEMORIES: readonly Memory[] = ['last trick', 'none', 'open'];
const USUAL_SEATS = 4;
/** The settings of a new table. */
export const USUAL_SETTINGS: Settings = {
  watch: 'all',
  clock: null,
  away: 60,
  level: 'medium',
  hints: true,
  take_back: true,
  chat: true,
  listed: false,
  running_score: false,
  pace: 'normal',
  memory: 'last trick',
};

export interface Choice {
  seats: number;
  level: Level;
  /** Opponents with a name; bots of the level have the other seats. */
  characters: readonly Opponent[];
  /** Only what differs from the defaults. */
  options: Chosen;
  /** Whether the running score is shown where the rules hide it. */
  running: boolean;
}

/** Return the default choice. */
export function usualChoice(game: GameInfo): Choice {
  const seats = game.seats.includes(USUAL_SEATS) ? USUAL_SEATS : (game.seats[0] ?? USUAL_SEATS);
  return { seats, level: 'medium', characters: [], options: {}, running: true };
}

/** Return the last choice for a game, as far as it is still possible; otherwise the default. */
export function choiceFor(game: GameInfo): Choice {
  const last = kept()[game.name] ?? {};
  const usual = usualChoice(game);
  const seats = game.seats.includes(last.seats ?? 0) ? last.seats! : usual.seats;
  const level = LEVELS.includes(last.level!) ? last.level! : usual.level;
  const characters = (last.characters ?? []).filter(isCharacter).slice(0, seats - 1);
  const options = stillPossible(optionsOf(game, seats), last.options ?? {});
  return { seats, level, characters, options, running: last.running ?? usual.running };
}

/** Store a choice. A date is for one day only, and not stored. */
export function keepChoice(game: GameInfo, choice: Choice): void {
  const options = Object.fromEntries(
    Object.entries(choice.options).filter(([name, value]) => name !== 'date' || value === null),
  );
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [game.name]: { ...choice, options } }));
  } catch {
    // Then it lasts as long as the page.
  }
}

function kept(): Record<string, Partial<Choice>> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Record<string, Partial<Choice>>;
  } catch {
    return {};
  }
}

/** Return the game that was viewed last, where one at a time is shown. */
export function pickedBefore(): string {
  try {
    return localStorage.getItem(PICKED) ?? FIRST;
  } catch {
    return FIRST;
  }
}

/** Store which game is viewed. */
export function keepPicked(game: string): void {
  try {
    localStorage.setItem(PICKED, game);
  } catch {
    // Then it lasts as long as the page.
  }
}

/** Return the options of a game for this number of seats. */
export function optionsOf(game: GameInfo, seats: number): readonly OptionInfo[] {
  return game.options[String(seats)] ?? [];
}

/** Return the chosen options that exist with other seats, or in another game. */
export function stillPossible(options: readonly OptionInfo[], chosen: Chosen): Chosen {
  const fits = (name: string, value: Value) =>
    options.some((option) => option.name === name && allows(option, value));
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => fits(name, value)));
}

function allows(option: OptionInfo, value: Value): boolean {
  if (option.kind === 'date' || option.kind === 'sheets') return true; // the server knows
  if (option.values.includes(value)) return true;
  return (
    typeof value === 'number' && value >= (option.lowest ?? NaN) && value <= (option.highest ?? NaN)
  );
}

/** Options that a date decides: it stands for its sheets, and they say how long the match is. */
const BY_DATE = ['rounds', 'sheets'];

/**
 * Return a choice with one option changed; undefined stands for its default, which for a date is
 * today.
 */
export function picked(chosen: Chosen, name: string, value: Value | undefined): Chosen {
  const rest = without(chosen, name === 'date' && value !== null ? [name, ...BY_DATE] : [name]);
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** Return the options as they are sent: where a date can be chosen and none was, it is today. */
export function sentOptions(options: readonly OptionInfo[], chosen: Chosen, now?: Date): Chosen {
  const known = stillPossible(options, chosen);
  const hasDate = options.some((option) => option.kind === 'date');
  const dated = hasDate && known['date'] === undefined ? { ...known, date: today(now) } : known;
  if (typeof dated['date'] === 'string') return without(dated, BY_DATE);
  return dated['rounds'] === null ? without(dated, ['rounds']) : dated; // no day says how many
}

function without(chosen: Chosen, names: readonly string[]): Chosen {
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => !names.includes(name)));
}

/** Return a table's options as a choice: only what differs from the defaults. */
export function chosenOf(options: readonly OptionInfo[], given: Chosen): Chosen {
  const same = (one: Value, other: Value) => JSON.stringify(one) === JSON.stringify(other);
  const differs = options.filter((option) => {
    const value = given[option.name];
    return value !== undefined && (option.kind === 'date' || !same(value, option.default));
  });
  return Object.fromEntries(differs.map((option) => [option.name, given[option.name]!]));
}

/**
 * Return the options worth asking for now: not those with one answer, nor those that a date
 * decides.
 */
export function askable(options: readonly OptionInfo[], chosen: Chosen): readonly OptionInfo[] {
  const day = options.some((option) => option.kind === 'date') && chosen['date'] !== null;
  return options.filter((option) => {
    if (option.kind === 'choice' && option.values.length < 2) return false;
    return !day || !BY_DATE.includes(option.name);
  });
}
