/** Marks of SVG as text: drawings are pictures (`<img>`), which a browser paints once. */

/** Attributes of a mark; names with a dash are quoted. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Return a number as drawings write it: one decimal is a tenth of a hundredth of a card. */
export function fixed(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Return a point of a path. */
export function point(x: number, y: number): string {
  return `${fixed(x)} ${fixed(y)}`;
}

/** Return a mark with its attributes. */
export function mark(name: string, attributes: Attributes, inside = ''): string {
  const written = Object.entries(attributes).map(
    ([key, value]) =>
      ` ${key}="${typeof value === 'number' ? Math.round(value * 100) / 100 : value}"`,
  );
  return inside
    ? `<${name}${written.join('')}>${inside}</${name}>`
    : `<${name}${written.join('')}/>`;
}

/** Return a filled path. */
export function area(d: string, fill: string, more: Attributes = {}): string {
  return mark('path', { d, fill, ...more });
}

/** Return a path that is drawn as a line with round ends. */
export function line(d: string, stroke: string, width: number, more: Attributes = {}): string {
  return mark('path', {
    d,
    fill: 'none',
    stroke,
    'stroke-width': width,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    ...more,
  });
}

/** Return a disc. */
export function disc(cx: number, cy: number, r: number, fill: string, more: Attributes = {}) {
  return mark('circle', { cx, cy, r, fill, ...more });
}

/** Return a polygon through points. */
export function polygon(points: readonly (readonly [number, number])[], fill: string): string {
  return area(`M${points.map(([x, y]) => point(x, y)).join('L')}Z`, fill);
}

/** Return a whole picture as an address for `<img>`. */
export function picture(viewBox: string, inside: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${inside}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
