/**
 * Flying cards: from where they were to where they are now.
 *
 * Cards stay in the flow of the page, where people and screen readers find them. `before` notes
 * where each of them is, `after` moves it from there by a transform, which the browser's compositor
 * does without layout. Anything in flight can be stopped and redirected at any time. A card that
 * has left the page flies on as an image of itself to its anchor.
 */
import { moves } from '../state/settings.svelte';

const FLIGHT = 260; // milliseconds
const EASING = 'cubic-bezier(0.2, 0.7, 0.3, 1)';
const NEAR = 2; // invisible distance in pixels
const FROM_ANCHOR = 0.6; // times its size: an anchor is not a card
const TO_ANCHOR = 0.5;

interface Flying {
  element: HTMLElement;
  /** Where it comes from when it is new, and goes to when it leaves: names of anchors. */
  from: string | null;
  to: string | null;
}

class MotionLayer {
  #cards = new Map<string, Flying>();
  #anchors = new Map<string, HTMLElement>();
  #rects = new Map<string, DOMRect>();
  #left = new Map<string, Flying>();

  /** Register a card under a name that it keeps wherever it is. */
  card(name: string, from: string | null = null, to: string | null = null) {
    return (element: HTMLElement) => {
      const flying = { element, from, to };
      this.#cards.set(name, flying);
      return () => {
        if (this.#cards.get(name) !== flying) return;
        this.#cards.delete(name);
        this.#left.set(name, flying);
      };
    };
  }

  /** Register a place that cards come from or go to: a seat, the stock. */
  anchor(name: string) {
    return (element: HTMLElement) => {
      this.#anchors.set(name, element);
      return () => {
        if (this.#anchors.get(name) === element) this.#anchors.delete(name);
      };
    };
  }

  /** Note where everything is. Call it just before something changes. */
  before(): void {
    this.#left.clear();
    this.#rects.clear();
    if (!moves()) return;
    for (const [name, { element }] of this.#cards) {
      this.#rects.set(name, element.getBoundingClientRect());
    }
  }

  /** Animate everything to where it is now. Call it when the page has changed. */
  after(): void {
    if (!moves()) return;
    // First stop everything, then measure, then change: one layout for all.
    for (const { element } of this.#cards.values()) inFlight.get(element)?.cancel();
    const flights: (() => void)[] = [];
    let order = 0;
    for (const [name, card] of this.#cards) {
      const first = this.#rects.get(name) ?? this.#anchorRect(card.from);
      if (!first) continue;
      const fresh = !this.#rects.has(name);
      const last = card.element.getBoundingClientRect();
      if (Math.abs(first.left - last.left) + Math.abs(first.top - last.top) < NEAR) continue;
      const delay = fresh ? 18 * order++ : 0;
      const size = fresh ? FROM_ANCHOR : first.width / (last.width || 1);
      flights.push(() => fly(card.element, between(first, last, size), delay));
    }
    for (const [name, card] of this.#left) {
      const first = this.#rects.get(name);
      const last = this.#anchorRect(card.to);
      if (first && last && !this.#cards.has(name))
        flights.push(() => leave(card.element, first, last));
    }
    this.#left.clear();
    for (const flight of flights) flight();
  }

  #anchorRect(name: string | null): DOMRect | undefined {
    return name === null ? undefined : this.#anchors.get(name)?.getBoundingClientRect();
  }
}

const inFlight = new Map<HTMLElement, Animation>();

/** Return the transform that shows at `from` what is at `to`, scaled. */
function between(from: DOMRect, to: DOMRect, size: number): string {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  return `translate(${x}px, ${y}px) scale(${size || 1})`;
}

function fly(element: HTMLElement, from: string, delay: number): void {
  const animation = element.animate([{ transform: from }, { transform: 'none' }], {
    duration: FLIGHT,
    easing: EASING,
    delay,
    fill: 'backwards',
  });
  // Above the others; animating it would move it off the compositor.
  element.style.zIndex = '5';
  inFlight.set(element, animation);
  animation.onfinish = animation.oncancel = () => {
    if (inFlight.get(element) !== animation) return; // it is already flying again
    inFlight.delete(element);
    element.style.removeProperty('z-index');
  };
}

function leave(element: HTMLElement, first: DOMRect, last: DOMRect): void {
  const ghost = element.cloneNode(true) as HTMLElement;
  ghost.setAttribute('aria-hidden', 'true');
  ghost.inert = true;
  ghost.removeAttribute('id');
  ghost.classList.add('ghost');
  Object.assign(ghost.style, {
    left: `${first.left}px`,
    top: `${first.top}px`,
    width: `${first.width}px`,
    height: `${first.height}px`,
  });
  document.body.append(ghost);
  const animation = ghost.animate(
    [
      { transform: 'none', opacity: 1 },
      { transform: between(last, first, TO_ANCHOR), opacity: 0.2 },
    ],
    { duration: 1.4 * FLIGHT, easing: EASING },
  );
  animation.onfinish = animation.oncancel = () => ghost.remove();
}

export const motion = new MotionLayer();
