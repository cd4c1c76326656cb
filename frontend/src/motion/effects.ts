/**
 * Small movements of something that stays where it is: a counter ticks, a plate shakes, water
 * ripples. Each is an attachment that runs again when its value changes, and moves its element then;
 * when the element is new, nothing has happened yet.
 */
import type { Attachment } from 'svelte/attachments';

import { moves } from '../state/settings.svelte';
import { COLLECT, EASING, RIPPLE, SHAKE, TICK } from './times';

/** What each element has shown last. */
const shown = new WeakMap<HTMLElement, unknown>();

/** Return whether an element has shown something else before. */
function changes(element: HTMLElement, value: unknown): boolean {
  const fresh = !shown.has(element);
  const same = shown.get(element) === value;
  shown.set(element, value);
  return !fresh && !same;
}

/** Move an element; a newer animation hides an older one. */
function move(element: HTMLElement, steps: Keyframe[], timing: KeyframeAnimationOptions): void {
  element.animate(steps, { easing: EASING, ...timing });
}

/** Make a counter tick when its value changes; by default when the trick arrives that it counts. */
export function ticking(value: unknown, delay = COLLECT / 2): Attachment<HTMLElement> {
  return (element) => {
    if (!changes(element, value) || !moves()) return;
    const steps = [
      { transform: 'none' },
      { transform: 'translateY(-3px) scale(1.45)', offset: 0.35 },
      { transform: 'none' },
    ];
    move(element, steps, { duration: TICK, delay });
  };
}

/** Make a seat's plate shake while the value is true: somebody takes pain. */
export function shaking(value: boolean): Attachment<HTMLElement> {
  return (element) => {
    if (!changes(element, value) || !value || !moves()) return;
    const steps = [0, -5, 5, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    move(shakenWith(element), steps, { duration: SHAKE, easing: 'linear' });
  };
}

/** Return what shakes with a part of a seat: its plate, or the patch where that is all one sees. */
function shakenWith(element: HTMLElement): HTMLElement {
  const plate = element.closest<HTMLElement>('.plate');
  return plate?.parentElement?.querySelector<HTMLElement>(':scope > .chip') ?? plate ?? element;
}

/** Make a ring spread when the value changes, unless it is null. */
export function rippling(value: unknown): Attachment<HTMLElement> {
  return (element) => {
    if (!changes(element, value) || value === null || !moves()) return;
    const steps = [
      { transform: 'scale(0.15)', opacity: 0.9 },
      { transform: 'scale(1)', opacity: 0 },
    ];
    move(element, steps, { duration: RIPPLE });
  };
}
