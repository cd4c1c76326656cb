import type { GameInfo, OptionInfo } from '../protocol';

/** Return the options of every number of seats, each once, with all its values. */
export function allOptions({ options: bySeats }: GameInfo): OptionInfo[] {
  const most = new Map<string, OptionInfo>();
  for (const option of Object.values(bySeats).flat()) {
    if (option.values.length >= (most.get(option.name)?.values.length ?? 0))
      most.set(option.name, option);
  }
  return [...most.values()];
}
