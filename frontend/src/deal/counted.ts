/** Return how often each name occurs, in order of first occurrence. */
export function counted(names: readonly string[]): readonly [string, number][] {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times];
}
