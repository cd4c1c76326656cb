/** A board for tests: what it shows can be set, and it notes what is played. */
import type { Event, Outlook, View } from '../../protocol';
import type { Board } from '../../state/board';
import { still } from '../../state/frames';
import type { Frame } from '../../state/frames';
import { movesWith } from '../../state/moves';
import { moving } from '../../state/moves.testing';
import { Selection } from '../../state/selection.svelte';
import { outlookOf, viewOf } from '../board.fixture';

export class GameTestBoard implements Board {
  view: View | null = $state.raw(null);
  frame: Frame | null = $state.raw(null);
  outlook: Outlook | null = $state.raw(null);
  sending: string | null = $state(null);
  events: readonly Event[] = $state.raw([]);
  readonly table = null;
  readonly queued = null;
  readonly selection: Selection = new Selection(this);
  readonly played: string[] = [];
  readonly tried: string[] = [];

  constructor(view: Partial<View>) {
    this.show(view);
  }

  show(view: Partial<View>): void {
    this.view = { ...EMPTY, ...this.view, ...(view.moves && moving(view.moves)), ...view };
    this.frame = still(this.view);
  }

  get seat(): number | null {
    return this.view?.seat ?? null;
  }

  get myTurn(): boolean {
    return !!this.view?.moves.length;
  }

  nameOf(seat: number): string {
    return ['Ada', 'Ben', 'Cem', 'Dana', 'Eva', 'Finn'][seat] ?? '';
  }

  movesWith(card: string): readonly string[] {
    return movesWith(this.view, card);
  }

  async play(move: string): Promise<void> {
    this.played.push(move);
  }

  async tryOut(move: string): Promise<Outlook | null> {
    this.tried.push(move);
    const effect = { ...EFFECT, move, text: `tried ${move}` };
    return { ...OUTLOOK, one: { move, legal: true, text: '', error: null, effect } };
  }

  goOn(): void {}
}

export const EFFECT = {
  move: '',
  text: '',
  short: '',
  verdict: '',
  sentence: '',
  winner: null,
  takes_over: false,
  complete: false,
  place: 0,
  changes: [],
};

export const OUTLOOK: Outlook = outlookOf();

const EMPTY: View = viewOf({ game: '', names: [], hand: [], hand_sizes: [], moves: [] });
