/**
 * Flying cards: from where they were to where they are now.
 *
 * Cards stay in the flow of the page, where people and screen readers find them. `before` notes
 * where each of them is, `after` moves it from there by a transform, which the browser's compositor
 * does without layout. Anything in flight can be stopped and redirected at any time. A card that
 * has left the page flies on as an image of itself to its anchor.
 */
import { moves } from '../state/settings.svelte';
import { COLLECT, DEAL, EASING, HOP, LANDING, PLAY, STAGGER } from './times';

const NEAR = 2; // invisible distance in pixels
const FROM_ANCHOR = 0.6; // times its size: an anchor is not a card
const TO_ANCHOR = 0.3;
const ARC = 0.09; // how high a flight rises, by its length
const HOP_ARC = 0.3;
const LIFTED = 1.05; // times its size: a card above the table, before it lands
const STEPS = 6; // points of an arc

interface Flying {
  element: HTMLElement;
  /** Where it comes from when it is new, and goes to when it leaves: names of anchors. */
  from: string | null;
  to: string | null;
  /** The name it had before: a card that was face down. */
  was: string | null;
  /** It hops from one card to another, as the crown does, once that has landed. */
  hops: boolean;
}

interface Flight {
  way: Way;
  /** How large it is at first, by its size at the end. */
  size: number;
  duration: number;
  delay: number;
  arc: number;
  /** It passes above the others. */
  above: boolean;
}

/** Registers an element; returns what does the opposite. */
type Attach = (element: HTMLElement) => () => void;

class MotionLayer {
  #cards = new Map<string, Flying>();
  #anchors = new Map<string, HTMLElement>();
  #seen = new Map<string, { rect: DOMRect; element: HTMLElement }>();
  #left = new Map<string, Flying>();
  #attachments = new Map<string, Attach>();

  /** Register a card under a name that it keeps wherever it is. */
  card(
    name: string,
    from: string | null = null,
    to: string | null = null,
    was: string | null = null,
  ) {
    return this.#register(name, { from, to, was, hops: false });
  }

  /** Register something that sits on cards and hops from one to the next: the crown of a trick. */
  hopper(name: string) {
    return this.#register(name, { from: null, to: null, was: null, hops: true });
  }

  #register(name: string, facts: Omit<Flying, 'element'>) {
    const { from, to, was, hops } = facts;
    return this.#attachment([name, from, to, was, `${hops}`], (element) => {
      const flying = { element, ...facts };
      this.#cards.set(name, flying);
      return () => {
        if (this.#cards.get(name) !== flying) return;
        this.#cards.delete(name);
        this.#left.set(name, flying);
      };
    });
  }

  /** Register a place that cards come from or go to: a seat, the stock. */
  anchor(name: string) {
    return this.#attachment(['anchor', name], (element) => {
      this.#anchors.set(name, element);
      return () => {
        if (this.#anchors.get(name) === element) this.#anchors.delete(name);
      };
    });
  }

  /** Return the one attachment with these facts: another one would be registered again. */
  #attachment(facts: readonly (string | null)[], attach: Attach): Attach {
    const key = JSON.stringify(facts);
    const known = this.#attachments.get(key) ?? attach;
    this.#attachments.set(key, known);
    return known;
  }

  /** Note where everything is. Call it just before something changes. */
  before(): void {
    this.#left.clear();
    this.#seen.clear();
    if (!moves()) return;
    for (const [name, { element }] of this.#cards) {
      this.#seen.set(name, { rect: element.getBoundingClientRect(), element });
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
      const known = this.#seen.get(name) ?? this.#seenBefore(card);
      const first = known?.rect ?? this.#anchorRect(card.from);
      if (!first) continue;
      const last = card.element.getBoundingClientRect();
      if (Math.abs(first.left - last.left) + Math.abs(first.top - last.top) < NEAR) continue;
      const flight = {
        way: between(first, last, turnOf(card.element)),
        size: known ? first.width / (last.width || 1) : FROM_ANCHOR,
        duration: card.hops ? HOP : known ? PLAY : DEAL,
        delay: card.hops ? PLAY - LANDING : known ? 0 : STAGGER * order++,
        arc: card.hops ? HOP_ARC : ARC,
        // What only moves aside stays in its order.
        above: known ? known.element !== card.element : card.from !== 'stock',
      };
      flights.push(() => fly(card.element, flight));
    }
    for (const [name, card] of this.#left) {
      const first = this.#seen.get(name)?.rect;
      const last = this.#anchorRect(card.to);
      if (first && last && !this.#cards.has(name) && !this.#isKept(name))
        flights.push(() => leave(card.element, first, last));
    }
    this.#left.clear();
    for (const flight of flights) flight();
  }

  /** Let everything arrive at once: somebody does not want to wait. */
  finish(): void {
    for (const animation of [...inFlight.values(), ...leaving]) animation.finish();
  }

  /** Return where a card was under its former name, if it was turned up just now. */
  #seenBefore({ was }: Flying) {
    return was !== null && !this.#cards.has(was) ? this.#seen.get(was) : undefined;
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
const leaving = new Set<Animation>();

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

/** Return the steps of a flight: a shallow arc that ends above its place, and a landing. */
function steps({ way, size, duration, arc }: Flight): Keyframe[] {
  const rise = arc * Math.hypot(way.x, way.y);
  const landing = 1 - LANDING / duration;
  const flown = Array.from({ length: STEPS + 1 }, (_, step) => {
    const time = step / STEPS;
    const done = 1 - (1 - time) ** 3; // fast at first, as if it was thrown
    const rest = 1 - done;
    const [x, y] = [way.x * rest, way.y * rest - 4 * rise * done * rest];
    const scale = (size || 1) * rest + LIFTED * done;
    return { offset: landing * time, transform: `translate(${x}px, ${y}px) scale(${scale})` };
  });
  return [...flown, { offset: 1, transform: 'none' }];
}

function fly(element: HTMLElement, flight: Flight): void {
  const { duration, delay, above } = flight;
  const animation = element.animate(steps(flight), { duration, delay, fill: 'backwards' });
  // Not animated: that would move it off the compositor.
  if (above) element.style.zIndex = '5';
  inFlight.set(element, animation);
  animation.onfinish = animation.oncancel = () => {
    if (inFlight.get(element) !== animation) return; // it is already flying again
    inFlight.delete(element);
    if (above) element.style.removeProperty('z-index');
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
  leaving.add(animation);
  animation.onfinish = animation.oncancel = () => {
    leaving.delete(animation);
    ghost.remove();
  };
}

export const motion = new MotionLayer();
