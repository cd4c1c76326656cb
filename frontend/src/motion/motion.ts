/**
 * Flying cards: from where they were to where they are now.
 *
 * Cards stay in the flow of the page, where people and screen readers find them. `before` notes
 * where each of them is, `after` moves it from there by a transform, which the browser's compositor
 * does without layout. Anything in flight can be stopped and redirected at any time. A card that
 * has left the page flies on as an image of itself to its anchor.
 */
import { moves } from '../state/settings.svelte';

const FLIGHT = 260; // milliseconds from the hand to the table
const DEAL = 220;
const STAGGER = 35;
const COLLECT = 420;
const EASING = 'cubic-bezier(0.2, 0.8, 0.2, 1)';
const NEAR = 2; // invisible distance in pixels
const FROM_ANCHOR = 0.6; // times its size: an anchor is not a card
const TO_ANCHOR = 0.3;
const ARC = 0.09; // how high a flight rises, by its length
const LANDED = 0.7; // the share of a flight after which a card only settles

interface Flying {
  element: HTMLElement;
  /** Where it comes from when it is new, and goes to when it leaves: names of anchors. */
  from: string | null;
  to: string | null;
  /** The name it had before: a card that was face down. */
  was: string | null;
}

class MotionLayer {
  #cards = new Map<string, Flying>();
  #anchors = new Map<string, HTMLElement>();
  #rects = new Map<string, DOMRect>();
  #left = new Map<string, Flying>();

  /** Register a card under a name that it keeps wherever it is. */
  card(
    name: string,
    from: string | null = null,
    to: string | null = null,
    was: string | null = null,
  ) {
    return (element: HTMLElement) => {
      const flying = { element, from, to, was };
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
      const known = this.#rects.get(name) ?? this.#rectBefore(card);
      const first = known ?? this.#anchorRect(card.from);
      if (!first) continue;
      const last = card.element.getBoundingClientRect();
      if (Math.abs(first.left - last.left) + Math.abs(first.top - last.top) < NEAR) continue;
      const size = known ? first.width / (last.width || 1) : FROM_ANCHOR;
      const turn = turnOf(card.element);
      const way = between(first, last, turn);
      const delay = known ? 0 : STAGGER * order++;
      flights.push(() => fly(card.element, way, size, known ? FLIGHT : DEAL, delay));
    }
    for (const [name, card] of this.#left) {
      const first = this.#rects.get(name);
      const last = this.#anchorRect(card.to);
      if (first && last && !this.#cards.has(name) && !this.#isKept(name))
        flights.push(() => leave(card.element, first, last));
    }
    this.#left.clear();
    for (const flight of flights) flight();
  }

  /** Return where a card was under its former name, if it was turned up just now. */
  #rectBefore({ was }: Flying): DOMRect | undefined {
    return was !== null && !this.#cards.has(was) ? this.#rects.get(was) : undefined;
  }

  /** Return whether something on the page was called that before. */
  #isKept(name: string): boolean {
    return [...this.#cards.values()].some((card) => card.was === name);
  }

  #anchorRect(name: string | null): DOMRect | undefined {
    return name === null ? undefined : this.#anchors.get(name)?.getBoundingClientRect();
  }
}

const inFlight = new Map<HTMLElement, Animation>();

interface Way {
  x: number;
  y: number;
}

/** Return how far an element is turned, in radians: its own transform is turned, too. */
function turnOf(element: HTMLElement): number {
  const degrees = Number.parseFloat(getComputedStyle(element).rotate);
  return Number.isNaN(degrees) ? 0 : (degrees * Math.PI) / 180;
}

/** Return the way from the middle of `to` to that of `from`, as an element that is turned sees it. */
function between(from: DOMRect, to: DOMRect, turn: number): Way {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return { x: x * cos + y * sin, y: y * cos - x * sin };
}

/** Return the steps of a flight: a shallow arc, and a landing. */
function arc({ x, y }: Way, size: number): Keyframe[] {
  const rise = ARC * Math.hypot(x, y);
  return [
    { transform: `translate(${x}px, ${y}px) scale(${size || 1})` },
    { transform: `translate(${x * 0.1}px, ${y * 0.1 - rise}px) scale(1.04)`, offset: LANDED },
    { transform: 'none' },
  ];
}

function fly(element: HTMLElement, way: Way, size: number, duration: number, delay: number): void {
  const timing = { duration, easing: EASING, delay, fill: 'backwards' } as const;
  const animation = element.animate(arc(way, size), timing);
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
  // At the table, whose colours it wears.
  (document.querySelector('.table[data-game]') ?? document.body).append(ghost);
  const { x, y } = between(last, first, 0);
  const animation = ghost.animate(
    [
      { transform: 'none', opacity: 1 },
      { transform: `translate(${x}px, ${y}px) scale(${TO_ANCHOR})`, opacity: 0.2 },
    ],
    { duration: COLLECT, easing: EASING },
  );
  animation.onfinish = animation.oncancel = () => ghost.remove();
}

export const motion = new MotionLayer();
