/**
 * The marks of people at a table: colour and letter. They belong to people, who keep them when they
 * move on for a rematch. Without a table, as in a replay, each seat has its own.
 */
import { getContext, setContext } from 'svelte';

const KEY = Symbol('marks');

/** Provide the marks of a table, by seat, to all components below. */
export function provideMarks(marks: () => readonly number[]): void {
  setContext(KEY, marks);
}

/** Return a function for the mark of a seat; to be called while a component is set up. */
export function useMarks(): (seat: number) => number {
  const marks = getContext<(() => readonly number[]) | undefined>(KEY);
  return (seat) => marks?.()[seat] ?? seat;
}
