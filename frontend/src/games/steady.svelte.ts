/**
 * Keeps the last value while the server's answer is missing for a moment after each move, so that
 * nothing flickers, until there is a new one or it no longer applies.
 */
export interface Steady<T> {
  readonly value: T | null;
}

/** `now`: the current value, null while unknown; `over`: there is nothing to show any more. */
export function steady<T>(now: () => T | null, over: () => boolean): Steady<T> {
  let last: T | null = $state.raw(null);
  $effect(() => {
    const current = now();
    if (over()) last = null;
    else if (current !== null) last = current;
  });
  return {
    get value() {
      return over() ? null : (now() ?? last);
    },
  };
}
