/** A table for tests: no server, no socket. */
import { vi } from 'vitest';

import { threeSeatView } from '../games/board.fixture';
import type { Outlook, View } from '../protocol';
import type { Board } from '../state/board';
import { still } from '../state/frames';
import type { Frame } from '../state/frames';
import { movesWith } from '../state/moves';
import { moving } from '../state/moves.testing';
import { Selection } from '../state/selection.svelte';

const NOTHING = threeSeatView({ starter: 1, hand: [], hand_sizes: [0, 0, 0], moves: [] });

/** Return a view with the facts that the test sets. */
export function aView(facts: Partial<View>): View {
  return { ...NOTHING, ...(facts.moves && moving(facts.moves)), ...facts };
}

/** A board that only records moves. */
export class TestBoard implements Board {
  view: View = $state.raw(NOTHING);
  frame: Frame = $derived(still(this.view));
  around: Frame = $derived(still(this.view));
  seat: number | null = 0;
  table = null;
  outlook: Outlook | null = $state.raw(null);
  sending: string | null = $state(null);
  queued: string | null = $state(null);
  selection: Selection = new Selection(this);
  played = vi.fn<(move: string) => void>();
  tried: Outlook | null = null;

  constructor(facts: Partial<View>) {
    this.view = aView(facts);
  }

  get myTurn(): boolean {
    return this.view.moves.length > 0;
  }

  nameOf(seat: number): string {
    return this.view.names[seat] ?? '';
  }

  movesWith(card: string): readonly string[] {
    return movesWith(this.view, card);
  }

  play(move: string): Promise<void> {
    this.played(move);
    return Promise.resolve();
  }

  tryOut(): Promise<Outlook | null> {
    return Promise.resolve(this.tried);
  }

  goOn(): void {
    // nothing is held
  }
}

/** Return an object whose changes components see. */
export function reactive<T extends object>(facts: T): T {
  let now = $state.raw(facts);
  return new Proxy(facts, {
    get: (_, key) => Reflect.get(now, key),
    set: (_, key, value) => {
      now = { ...now, [key]: value };
      return true;
    },
  });
}

/** Give the window another size, as by turning a phone; tests give it back. */
export function resize(width = 1024, height = 768): void {
  const { happyDOM } = window as unknown as {
    happyDOM: { setViewport: (size: { width: number; height: number }) => void };
  };
  happyDOM.setViewport({ width, height });
}
