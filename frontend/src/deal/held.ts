/** Our seat in a match, and the cards first sent as dealt to us, round by round. */
export interface Held {
  match: string;
  seat: number;
  over: boolean;
  hands: ReadonlyMap<number, string>;
}

/** Return a seat of which no cards are known yet. */
export function holding(match: string, seat: number, over: boolean): Held {
  return { match, seat, over, hands: new Map() };
}

/** Add new cards; what was sent first is kept. */
export function withHands(held: Held, dealt: ReadonlyMap<number, string>): Held {
  return { ...held, hands: new Map([...dealt, ...held.hands]) };
}
