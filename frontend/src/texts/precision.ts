/** Figures with an uncertainty: no more digits than are known, as in `locale/precision.py`. */
const SURE = 2;
const STEPS = [0.1, 0.5, 1, 5, 10, 50, 100];
const TINY = 0.15;
const NEAR = 1;
const FINEST = 25;

/** Round to what the standard error allows, and large figures to what people would say. */
export function rounded(value: number, error: number): number {
  const size = Math.abs(value);
  const step = STEPS.find((one) => one >= Math.max(error, size / FINEST)) ?? 100;
  let shown = Math.floor(size / step + 0.5) * step;
  if (!shown && size > SURE * error) shown = Math.max(0.1, Math.floor(size / 0.1 + 0.5) * 0.1);
  return (Math.sign(value) * Math.round(shown * 10)) / 10;
}

/** Return the same for a gain or loss in a table: 0 if it may be nothing. */
export const sure = (value: number, error: number): number =>
  Math.abs(value) <= SURE * error ? 0 : rounded(value, error);

/** Return how many points worse a move is, or in which words it is not. */
export function behind(value: number, error: number): number | 'equal' | 'unsure' {
  if (value > Math.max(SURE * error, TINY)) return rounded(value, error);
  return value + SURE * error <= NEAR ? 'equal' : 'unsure';
}
