/** A choice that is being made, judged by the server while it changes. */
import type { TypedMove } from '../../protocol';
import type { Board } from '../../state/board';

export class Trial {
  /** The server's answer to the newest choice; the last answer stays until there is a new one. */
  answer: TypedMove | null = $state.raw(null);
  #newest = 0;

  constructor(readonly board: Board) {}

  /** Ask about a choice, complete or not. */
  async ask(move: string): Promise<void> {
    const mine = ++this.#newest;
    const answer = (await this.board.tryOut(move))?.one ?? null;
    if (mine === this.#newest) this.answer = answer; // discard a slower answer to an older question
  }
}
