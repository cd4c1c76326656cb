/** Records animations for tests: the page of tests has no clock for them. */
import { vi } from 'vitest';

export class Recorded {
  state: 'running' | 'finished' | 'cancelled' = 'running';
  onfinish: (() => void) | null = null;
  oncancel: (() => void) | null = null;

  constructor(
    readonly element: Element,
    readonly steps: Keyframe[],
    readonly timing: KeyframeAnimationOptions,
  ) {}

  finish(): void {
    this.state = 'finished';
    this.onfinish?.();
  }

  cancel(): void {
    if (this.state !== 'running') return;
    this.state = 'cancelled';
    this.oncancel?.();
  }

  get first(): string {
    return String(this.steps[0]?.transform);
  }
}

/** Record everything that is animated from now on. */
export function recordAnimations(): Recorded[] {
  const all: Recorded[] = [];
  // Not every page of tests has it.
  Element.prototype.animate ??= () => ({}) as Animation;
  vi.spyOn(Element.prototype, 'animate').mockImplementation(function (
    this: Element,
    steps: Keyframe[] | PropertyIndexedKeyframes | null,
    timing?: number | KeyframeAnimationOptions,
  ) {
    const made = new Recorded(this, steps as Keyframe[], timing as KeyframeAnimationOptions);
    all.push(made);
    return made as unknown as Animation;
  });
  return all;
}
