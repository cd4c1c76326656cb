/** The symbols of the calendar, in a square of 24, to be filled evenodd. */
import type { SheetInfo } from '../../protocol';

function disc(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

function round(count: number, radius: number, petal: number): string {
  return Array.from({ length: count }, (_, at) => {
    const angle = (2 * Math.PI * at) / count - Math.PI / 2;
    const [x, y] = [12 + radius * Math.cos(angle), 12 + radius * Math.sin(angle)];
    return disc(Number(x.toFixed(2)), Number(y.toFixed(2)), petal);
  }).join('');
}

function rays(count: number, from: number, to: number, width: number): string {
  return Array.from({ length: count }, (_, at) => {
    const angle = (2 * Math.PI * at) / count;
    const point = (r: number, turn: number): string =>
      `${(12 + r * Math.cos(angle + turn)).toFixed(2)} ${(12 + r * Math.sin(angle + turn)).toFixed(2)}`;
    return `M${point(from, -width)}L${point(to, 0)}L${point(from, width)}z`;
  }).join('');
}

/** By month; 0: the switch of red 5. */
const PATHS: readonly string[] = [
  'M10.500 1h3v11h-3zM7.500 4.500v3.400a7 7 0 1 0 9 0V4.500a10 10 0 1 1-9 0z',
  `${disc(7.7, 7, 4.2)}${disc(16.3, 7, 4.2)}${disc(7.7, 15.6, 4.2)}${disc(16.3, 15.6, 4.2)}M11.200 12h1.600c.2 4 1.200 7.500 4.200 10.500l-1.500.9C12.500 20.500 11.200 16.500 11.200 12z`,
  `M1 7c4-2.500 8-2 11 0 3-2 7-2.500 11 0 0 7-2.500 11.500-6 11.500-2.600 0-3.400-3.500-5-3.500s-2.400 3.500-5 3.500C3.500 18.500 1 14 1 7z${'M4.500 10.500c1.500-1.600 4-1.600 5.300.6-1.500 1.500-4 1.500-5.300-.6z'}M14.200 11.100c1.300-2.200 3.800-2.200 5.300-.6-1.300 2.100-3.800 2.100-5.300.6z`,
  'M13 1 20 8 12.500 17 6 8.500zM12.200 3.500 12.600 14.500l.7-.1-.4-11zM12 17.500l2.500 2-3.500 1.200 2.200 2.500-1.200.8-3.400-3.800 3.600-1.300-1.400-1.100z',
  'M12 1.500c4.300 0 7.800 6.600 7.800 12A7.800 8.500 0 0 1 12 22.500a7.800 8.500 0 0 1-7.800-9c0-5.400 3.500-12 7.800-12zM5.400 11.500l2.300 2.300 2.200-2.300 2.100 2.300 2.100-2.300 2.200 2.300 2.300-2.300v3l-2.300 2.300-2.200-2.300-2.100 2.300-2.100-2.300-2.200 2.300-2.300-2.300z',
  'M12 0l2.600 5.700L20.500 3.500l-2.200 5.900L24 12l-5.700 2.600 2.200 5.900-5.900-2.200L12 24l-2.600-5.700-5.900 2.200 2.200-5.900L0 12l5.700-2.600L3.500 3.500l5.900 2.200zM10.600 6.500h2.800l-.6 7h-1.600zM10.700 15h2.600v2.600h-2.600z',
  `${round(6, 7.4, 3.6)}${disc(12, 12, 3.4)}`,
  `${disc(12, 12, 5.6)}${rays(8, 7.2, 11.9, 0.33)}M13 7.500l-3.500 5h2.300l-1 4 3.700-5.300h-2.300z`,
  'M1 7.500h9.500c1-.7 2-.7 3 0H23V10c0 4.600-2 7.500-5 7.500-2.900 0-4.500-2.600-4.800-6.200-.8-.5-1.600-.5-2.400 0-.3 3.600-1.900 6.200-4.800 6.200-3 0-5-2.900-5-7.500z',
  'M2 22c0-1.500.6-3.200 1.400-4.600C1.500 8 9 2.200 22 2c.6 12.500-5.500 20-15 17.700-1 .8-1.900 1.600-2.500 2.300zM5.500 17 16.500 6.800l.9.9L6.700 18z',
  `M12 1.500c4.700 0 8.300 3.600 8.300 8.300V22l-2.800-2.300L14.800 22 12 19.700 9.200 22l-2.700-2.300L3.700 22V9.800c0-4.700 3.600-8.300 8.300-8.300z${disc(8.8, 9.5, 1.8)}${disc(15.2, 9.5, 1.8)}M9.500 13.500h5c0 3.600-5 3.600-5 0z`,
  'M10.500 0h3v2.500h-3zM7 3.500h10l2.500 4.500v9L17 21.500H7L4.500 17V8zM7.500 8.500h3.300v8H7.500zM13.200 8.500h3.300v8h-3.300zM9 22.500h6V24H9z',
  'M2.500 8.500h8.300v3.700H2.500zM13.200 8.500h8.300v3.700h-8.300zM3.700 13.700h7.100v9H3.700zM13.200 13.700h7.100v9h-7.100zM11.400 7.400C7.500 8 4.300 6.600 4.900 3.800 5.500 1 10 1.500 11.400 7.400zM12.600 7.400c3.900.6 7.100-.8 6.500-3.600-.6-2.800-5.100-2.300-6.500 3.600z',
];

/** Return the symbol that a sheet draws on cards, as a path; empty if it draws none. */
export function pathOf(sheet: SheetInfo): string {
  if (!sheet.values.length) return '';
  return PATHS[sheet.kind === 'month' ? sheet.number : 0] ?? '';
}
