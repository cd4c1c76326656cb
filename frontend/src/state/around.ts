/** A table as its surroundings show it: seats, plates and texts, a moment after the cards. */
import type { Board } from './board';
import type { Frame } from './frames';

type Followed = Board & { readonly around: Frame | null };

/** Return the table itself, for surroundings that share cards with the trick: both change together. */
export function whole(board: Board): Board {
  return board instanceof Around ? board.board : board;
}

export class Around implements Board {
  constructor(readonly board: Followed) {}

  get frame() {
    return this.board.around;
  }
  get view() {
    return this.board.view;
  }
  get seat() {
    return this.board.seat;
  }
  get table() {
    return this.board.table;
  }
  get events() {
    return this.board.events ?? [];
  }
  get received() {
    return this.board.received ?? [];
  }
  get outlook() {
    return this.board.outlook;
  }
  get myTurn() {
    return this.board.myTurn;
  }
  get sending() {
    return this.board.sending;
  }
  get queued() {
    return this.board.queued;
  }
  get selection() {
    return this.board.selection;
  }
  nameOf(seat: number) {
    return this.board.nameOf(seat);
  }
  movesWith(card: string) {
    return this.board.movesWith(card);
  }
  play(move: string) {
    return this.board.play(move);
  }
  tryOut(move: string) {
    return this.board.tryOut(move);
  }
  goOn() {
    this.board.goOn();
  }
}
