/** What the server tells of now is gone for a moment with every move; so that nothing flickers, the last word
 * stays until there is a new one, or until it is over. */
export interface Steady<T> {
  readonly value: T | null;
}

/** `now`: what is told, null while it is not known; `over`: there is nothing to tell any more. */
export function steady<T>(now: () => T | null, over: () => boolean): Steady<T> {
  let last: T | null = $state.raw(null);
  $effect(() => {
    const told = now();
    if (over()) last = null;
    else if (told !== null) last = told;
  });
  return {
    get value() {
      return over() ? null : (now() ?? last);
    },
  };
}
