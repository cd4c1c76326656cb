/** Names of people in a list. */
import { settings } from '../state/settings.svelte';

/** Return names in a list; a family name that all share appears only once. */
export function authors(names: readonly string[]): string {
  const family = ` ${names[0]?.split(' ').at(-1) ?? ''}`;
  const shared = names.length > 1 && names.every((name) => name.endsWith(family));
  const short = (name: string, at: number) =>
    shared && at < names.length - 1 ? name.slice(0, -family.length) : name;
  return new Intl.ListFormat(settings.lang).format(names.map(short));
}
