/** The symbols of the calendar: paths in a square of 24, to be filled evenodd. */
import type { SheetInfo } from '../../protocol';

/** A star, for a sheet that marks cards and has no drawing. */
const NEUTRAL =
  'M12 1l3.200 7.300 7.800.8-5.900 5.200 1.700 7.700L12 18l-6.800 4 1.700-7.700L1 9.100l7.800-.8z';

/** Return the symbol that a sheet draws on cards, as a path; empty if it draws none. */
export function pathOf(sheet: SheetInfo): string {
  return sheet.values.length ? sheet.drawing || NEUTRAL : '';
}
