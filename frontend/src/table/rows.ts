/**
 * The layout of a hand: a fan that keeps its height through a round, with so much of each card free
 * that it can be hit and its index read.
 */

const TALL = 1.4; // height of a card by its width
const STEP = 44; // pixels between two cards, if they fit
const NARROW = 700; // pixels below which a hand is in rows
const LOW = 480; // pixels of height below which a hand is one row, cut at its foot
const ONE_ROW = 8; // cards that share a row on a phone
const STRAIGHT = 12; // cards beyond which a low fan has no room to lean
const WIDEST = 8.6; // cards beside each other: a longer fan overlaps more
const FREE = 46; // pixels that a row leaves of the one behind it

export interface Fanned {
  /** Pixels of its middle from the middle of the hand, and of its top from the top. */
  x: number;
  y: number;
  /** Degrees. */
  turn: number;
}

export interface Laid {
  columns: number;
  /** Width of a card, and pixels from one to the next. */
  card: number;
  step: number;
  /** The height of all rows, the same through a round. */
  height: number;
  /** Pixels that a raised card rises. */
  rise: number;
  /** Pixels that a card which cannot be played sinks; none behind another row. */
  sink: number;
  places: readonly Fanned[];
}

interface Form {
  card: number;
  rows: number;
  /** Pixels from one row to the next. */
  apart: number;
  /** The share of a card's height that is visible. */
  seen: number;
  rise: number;
  /** Degrees from one card to the next. */
  turn: number;
  /** Pixels that the ends of a fan are lower than its middle. */
  sag: number;
}

const between = (least: number, value: number, most: number) =>
  Math.max(least, Math.min(value, most));

/** Return the layout of `count` cards, of originally `dealt` ones, in a window of this size. */
export function laid(count: number, dealt: number, width: number, windowHeight: number): Laid {
  const most = Math.max(count, dealt, 1);
  const form = formOf(most, width, windowHeight);
  const high = form.card * TALL;
  const columns = Math.max(1, Math.ceil(count / form.rows));
  const step = stepOf(columns, form.card, width, form.turn);
  const height = (form.rows - 1) * form.apart + high * form.seen;
  return {
    columns,
    card: form.card,
    step,
    height: Math.ceil(height),
    rise: form.rise,
    sink: form.rows > 1 ? 0 : Math.round(0.4 * form.rise),
    places: Array.from({ length: count }, (_, at) => placeOf(at, count, columns, step, form)),
  };
}

/** Return the pixels from one card to the next; the outer cards of a fan lean over its ends. */
function stepOf(columns: number, card: number, width: number, turn = 0): number {
  const lean = Math.sin((turn * (columns - 1) * Math.PI) / 360) * card * TALL;
  const room = Math.min(width - 2 * lean, Math.max(WIDEST * card, STEP * (columns - 1) + card));
  return Math.min(0.93 * card, columns > 1 ? (room - card) / (columns - 1) : card);
}

function placeOf(at: number, count: number, columns: number, step: number, form: Form): Fanned {
  const row = Math.floor(at / columns);
  const inRow = Math.min(columns, count - row * columns);
  const off = (at % columns) - (inRow - 1) / 2;
  const sag = form.turn ? form.sag * (off / Math.max(4, (inRow - 1) / 2)) ** 2 : 0;
  const used = Math.ceil(count / columns);
  return {
    x: Math.round(off * step),
    y: Math.round(sag + (row + form.rows - used) * form.apart),
    turn: off * form.turn,
  };
}

/** Return how large a full hand is, and in how many rows. */
function formOf(count: number, width: number, windowHeight: number): Form {
  if (windowHeight < LOW && width > LOW) {
    const card = Math.round(between(54, 0.18 * windowHeight, 84));
    const turn = count > STRAIGHT ? 0 : 0.6;
    return { card, rows: 1, apart: 0, seen: 0.8, rise: 12, turn, sag: 8 };
  }
  if (width >= NARROW) {
    const wanted = between(76, 0.1245 * windowHeight, 176);
    const card = Math.floor(Math.min(wanted, Math.max(76, width - STEP * (count - 1))));
    const rows = stepOf(count, card, width, 1) < STEP && count > 1 ? 2 : 1;
    return { card, rows, apart: 0.62 * card * TALL, seen: 1, rise: 36, turn: 1, sag: 16 };
  }
  const rows = count > ONE_ROW ? 2 : 1;
  const share = rows === 2 ? 0.088 : 0.098;
  const card = Math.round(between(54, share * windowHeight, 80));
  const apart = Math.max(FREE, (windowHeight < 720 ? 0.56 : 0.78) * card * TALL);
  return { card, rows, apart, seen: 1, rise: windowHeight < 720 ? 10 : 16, turn: 0, sag: 0 };
}
