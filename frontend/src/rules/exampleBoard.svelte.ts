/** An example as a read-only board, step by step and back. */
import { asOutlook, heldFrame, stopsOf } from '../learn/script';
import type { Scene, Stop } from '../learn/script';
import type { Outlook, View } from '../protocol';
import type { Board } from '../state/board';
import type { Frame } from '../state/frames';
import { Selection } from '../state/selection.svelte';
import { settings } from '../state/settings.svelte';

export class ExampleBoard implements Board {
  readonly seat = null;
  readonly table = null;
  readonly myTurn = false;
  readonly sending = null;
  readonly queued = null;
  readonly selection: Selection = new Selection(this);
  readonly stops: readonly Stop[];
  at = $state(0);

  constructor(scene: Scene) {
    this.stops = stopsOf(scene);
  }

  get stop(): Stop {
    return this.stops[this.at]!;
  }

  get frame(): Frame {
    return heldFrame(this.stop);
  }

  get view(): View {
    return this.frame.view;
  }

  get outlook(): Outlook {
    return asOutlook(this.stop.outlook[settings.lang]);
  }

  get isLast(): boolean {
    return this.at === this.stops.length - 1;
  }

  go(step: number): void {
    this.at = Math.max(0, Math.min(this.stops.length - 1, this.at + step));
  }

  nameOf(seat: number): string {
    return this.view.names[seat] ?? '';
  }

  movesWith(): readonly string[] {
    return [];
  }

  async play(): Promise<void> {}

  async tryOut(): Promise<Outlook | null> {
    return null;
  }

  goOn(): void {}
}
