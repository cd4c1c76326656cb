/** How a hand is laid: as many rows as its cards need to stay easy to hit, in a box that keeps its height. */

const LEAST = 42; // pixels of a card, which leaves targets of 40 and more
const ONE_ROW = 8; // so many cards always try for one row
const COMFORT = 47; // pixels of a card from which on more cards go into one row, too
const LOW = 480; // pixels of a window that has no room for a second row
const LARGEST = 116;
const SHARE = 0.2; // of the window's height, for all rows
const TALL = 1.48; // a card's height by its width
const GAP = 4;

/** The number of columns for so many cards in so many pixels. */
export function columnsFor(count: number, width: number, comfort = COMFORT): number {
  if (count <= 1) return 1;
  const most = Math.max(1, Math.floor(width / LEAST));
  const atLeast = count > ONE_ROW && width / count < comfort ? 2 : 1;
  const rows = Math.max(atLeast, Math.ceil(count / most));
  return Math.ceil(count / rows);
}

export interface Laid {
  columns: number;
  /** The widest that a card may be. */
  card: number;
  /** The height of all rows, the same through a round. */
  height: number;
}

/** The layout of `count` cards that were `dealt` once, in a window of this size. */
export function laid(count: number, dealt: number, width: number, windowHeight: number): Laid {
  const comfort = windowHeight < LOW ? LEAST : COMFORT;
  const first = columnsFor(Math.max(count, dealt), width, comfort);
  const firstRows = Math.max(1, Math.ceil(Math.max(count, dealt) / first));
  const least = Math.max(LEAST, (windowHeight * SHARE) / firstRows / TALL);
  const firstCard = Math.min(LARGEST, least, width / first);
  const height = firstRows * firstCard * TALL + (firstRows - 1) * GAP;
  // Of the rows that there is room for, those in which the cards are largest.
  let best = { columns: columnsFor(count, width, comfort), card: 0 };
  for (let rows = 1; rows <= firstRows; rows += 1) {
    const columns = Math.max(1, Math.ceil(count / rows));
    const card = Math.min(LARGEST, (height - (rows - 1) * GAP) / rows / TALL, width / columns);
    if (card > best.card && (card >= LEAST || rows === firstRows)) best = { columns, card };
  }
  return { columns: best.columns, card: Math.floor(best.card), height: Math.ceil(height) };
}
