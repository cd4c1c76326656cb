/** Woven pictures of play mats: tone on tone, calm in the middle, drawn by each game's `mat.ts`. */

export interface MatLook {
  /** The size to draw for: only its proportions matter, the picture is scaled to the mat. */
  width: number;
  height: number;
  /** By day or by night. */
  light: boolean;
}

export type Mat = (look: MatLook) => string;

/** Return a number from 0 to 1 that looks random, the same one every time. */
export function scattered(at: number): number {
  const value = Math.sin(at * 12.9898 + 4.1414) * 43758.5453;
  return value - Math.floor(value);
}

/** Return what `draw` makes of the numbers from 0 on. */
export function repeat(count: number, draw: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => draw(at)).join('');
}

/** Return a picture as the value of `background-image`. */
export function asBackground({ width, height }: MatLook, body: string): string {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice">${body}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(picture)}")`;
}

/** A plain mat: one ring of stitches. */
export function plainMat({ width, height, light }: MatLook): string {
  const thread = light ? '#6a4a1c' : '#ffffff';
  const radius = Math.min(width, height) * 0.4;
  return `<g fill="none" stroke="${thread}" stroke-width="2" stroke-linecap="round" opacity=".22"><circle cx="${width / 2}" cy="${height * 0.46}" r="${radius}" stroke-dasharray="10 9"/><circle cx="${width / 2}" cy="${height * 0.46}" r="${radius * 1.25}" stroke-dasharray="2 9"/></g>`;
}
