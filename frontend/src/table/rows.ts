/**
 * The layout of a hand: in the rows in which its cards are largest, in a box that keeps its height.
 */

const LEAST = 42; // minimum pixels of a card, which leaves targets of 40 and more
const ONE_ROW = 8; // up to this many cards share a row wherever they can be hit
const NARROW = 600; // pixels below which more cards than that never do
const LARGEST = 116;
const SHARE = 0.2; // of the window's height, for all rows
const TALL = 1.48; // height of a card by its width
const WORTH_IT = 1.2; // how much larger cards must become for a row to be dropped
/**
 * Pixels between two rows: as much as a raised card rises, so that it never covers the row above.
 */
export const RISE = 10;

export interface Laid {
  columns: number;
  /** The maximum width of a card. */
  card: number;
  /** The height of all rows, the same through a round. */
  height: number;
}

/** Return the layout of `count` cards, of originally `dealt` ones, in a window of this size. */
export function laid(count: number, dealt: number, width: number, windowHeight: number): Laid {
  const first = firstLaid(Math.max(count, dealt, 1), width, windowHeight);
  const height = first.rows * first.card * TALL + (first.rows - 1) * RISE;
  let best = { columns: 1, card: 0 };
  for (let rows = first.rows; rows >= 1; rows -= 1) {
    const columns = Math.max(1, Math.ceil(count / rows));
    const card = Math.min(LARGEST, (height - (rows - 1) * RISE) / rows / TALL, width / columns);
    if (card > WORTH_IT * best.card) best = { columns, card };
  }
  return { columns: best.columns, card: Math.floor(best.card), height: Math.ceil(height) };
}

/** Return the rows of a full hand: as few as keep its cards large and easy to hit. */
function firstLaid(count: number, width: number, windowHeight: number) {
  const most = Math.max(1, Math.floor(width / LEAST));
  const least = Math.ceil(count / most);
  const sizes = [least, least + 1, least + 2].map((rows) => {
    const columns = Math.ceil(count / rows);
    const share = Math.max(LEAST, (windowHeight * SHARE - (rows - 1) * RISE) / rows / TALL);
    return { rows, columns, card: Math.min(LARGEST, share, width / columns) };
  });
  const allowed = sizes.filter(({ rows, columns }) => {
    if (count <= ONE_ROW) return rows === least;
    return width >= NARROW || columns <= ONE_ROW;
  });
  return allowed.reduce(
    (best, one) => (one.card > best.card + 1 ? one : best),
    allowed[0] ?? sizes[0]!,
  );
}
