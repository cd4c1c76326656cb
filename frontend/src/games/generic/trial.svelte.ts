/** A choice that is being made, judged by the server while it changes. */
import type { One } from '../../protocol';
import type { Board } from '../../state/board';

export class Trial {
  /** What the server said of the newest choice; the last word stays until there is a new one. */
  told: One | null = $state.raw(null);
  #newest = 0;

  constructor(readonly board: Board) {}

  /** Ask about a choice, half-made or whole. */
  async ask(move: string): Promise<void> {
    const mine = ++this.#newest;
    const told = (await this.board.tryOut(move))?.one ?? null;
    if (mine === this.#newest) this.told = told; // a slower answer to an older question is void
  }
}
