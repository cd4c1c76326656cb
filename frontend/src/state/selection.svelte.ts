/** What the person has picked but not yet played. */
import type { Board, Selected } from './board';
import { cardsOf, cardsOfMoves } from './moves';
import { settings } from './settings.svelte';

export class Selection implements Selected {
  /** The card that is raised, if one is. */
  raised: string | null = $state(null);
  /** Cards picked for a choice of several, in the order of picking. */
  picked: readonly string[] = $state.raw([]);
  /** A card that cannot be played, whose reason is shown. */
  asked: string | null = $state(null);
  /** How many cards a choice needs: set by its component. 0: a tap raises a card to play it. */
  picking = $state(0);

  constructor(readonly board: Board) {}

  /** Handle a tap on a card of the hand: raise it, or play it if it is already raised. */
  tap(card: string): void {
    if (this.picking) return this.#pick(card);
    if (this.#pairs(card)) return;
    this.picked = [];
    const moves = this.board.movesWith(card);
    if (!moves.length) {
      this.raised = null;
      this.asked = this.asked === card ? null : card;
      return;
    }
    this.asked = null;
    const only = moves.length === 1 ? moves[0]! : null;
    if (only !== null && (this.raised === card || settings.oneTap)) this.playNow(only);
    else this.raised = this.raised === card ? null : card;
  }

  /**
   * Handle a tap where two cards may be played together: a second one is added, another tap on it
   * plays both, and one on the first removes the second.
   */
  #pairs(card: string): boolean {
    const first = this.raised;
    if (first === null) return false;
    if (first === card) {
      const had = this.picked.length > 0;
      this.picked = [];
      return had;
    }
    const both = this.board.movesWith(first).find((move) => {
      const cards = cardsOf(this.board.view, move);
      return cards.length === 2 && cards.includes(first) && cards.includes(card);
    });
    if (both === undefined) return false;
    if (settings.oneTap || this.picked.includes(card)) this.playNow(both);
    else this.picked = [first, card];
    this.asked = null;
    return true;
  }

  /** Return whether some move has this card besides those that are picked. */
  canPick(card: string): boolean {
    const wanted = [...this.picked, card];
    return cardsOfMoves(this.board.view).some((cards) => holdsAll(cards, wanted));
  }

  /** Pick a card, or put it back; twins one after the other. */
  #pick(card: string): void {
    const at = this.picked.lastIndexOf(card);
    if (this.picking === 1 && at < 0) this.picked = []; // another card instead
    const twins = this.board.view?.hand.filter((one) => one === card).length ?? 0;
    const again = this.picked.filter((one) => one === card).length < twins;
    if (again && this.picked.length < this.picking && this.canPick(card)) {
      this.picked = [...this.picked, card];
    } else if (at >= 0) {
      this.picked = this.picked.filter((_, index) => index !== at);
    }
  }

  /** Make a move. */
  playNow(move: string): void {
    this.clear();
    void this.board.play(move);
  }

  clear(): void {
    this.raised = null;
    this.asked = null;
    this.picked = [];
  }
}

/** Return whether a move contains at least these cards, twins counted. */
function holdsAll(cards: readonly string[], wanted: readonly string[]): boolean {
  const left = [...cards];
  return wanted.every((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
