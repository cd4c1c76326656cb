/** Whether something that was face down is just being turned up: its back is shown until then. */
import { moves } from '../state/settings.svelte';

export class Turning {
  now = $state(false);
  #wasHidden = false;

  /** Follow whether it is face down; call it in a component. */
  constructor(hidden: () => boolean) {
    $effect.pre(() => {
      const isHidden = hidden();
      if (this.#wasHidden && !isHidden) this.now = moves();
      this.#wasHidden = isHidden;
    });
  }

  /** End it: the animation is over. */
  end(): void {
    this.now = false;
  }
}
