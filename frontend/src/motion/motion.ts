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
const SAME = 0.02; // invisible difference in size, by that
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

/** Something on the page as it was. */
interface Seen {
  element: HTMLElement;
  rect: DOMRect;
  /** Its own measures: where it is turned, `rect` is larger. */
  width: number;
  height: number;
  rotate: string;
}

/** Registers an element; returns what does the opposite. */
type Attach = (element: HTMLElement) => () => void;

class MotionLayer {
  #cards = new Map<string, Flying>();
  #anchors = new Map<string, HTMLElement>();
  #seen = new Map<string, Seen>();
  #left = new Map<string, Flying>();
  #attachments = new Map<string, Attach>();
  /** Cards that will fly in a moment, and images of those that left. */
  #prepared: Set<HTMLElement> | null = null;
  #ghosts = new Map<string, HTMLElement>();
  /** What cards have flown from, until it is gone, too: they are seen only once. */
  #vacated = new Set<HTMLElement>();

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

  /**
   * Note where everything is. Call it just before something changes; with an anchor if only cards that
   * come from there do.
   */
  before(from?: string): void {
    this.#unhide();
    for (const ghost of this.#ghosts.values()) ghost.remove();
    this.#ghosts.clear();
    this.#left.clear();
    this.#seen.clear();
    if (!moves()) return;
    for (const [name, { element }] of this.#of(from)) {
      this.#seen.set(name, seen(element));
    }
  }

  /**
   * Let `start` come a frame later, instead of `after` at once, so that neither is late. Meanwhile cards
   * that came are not seen, and those that left are where they were. What only moves does not fly then.
   */
  prepare(): void {
    if (!moves()) return;
    this.#prepared = new Set();
    for (const [name, { element, from }] of this.#cards) {
      const known = this.#seen.get(name);
      if (known ? known.element === element : from === null) continue;
      this.#prepared.add(element);
      element.style.visibility = 'hidden';
    }
    for (const [name, { element, to }] of this.#left) {
      const first = this.#seen.get(name);
      if (first && to !== null && !this.#cards.has(name) && !this.#isKept(name))
        this.#ghosts.set(name, ghostOf(element, first));
    }
  }

  /** Let fly what was prepared, unless something newer is shown by now. */
  start(): void {
    if (this.#prepared) this.after();
  }

  /** Show again what cards have flown from: by now it is another card's. */
  #fill(): void {
    for (const element of this.#vacated) element.style.removeProperty('visibility');
    this.#vacated.clear();
  }

  #unhide(): void {
    for (const element of this.#prepared ?? []) element.style.removeProperty('visibility');
    this.#prepared = null;
  }

  /** Animate everything to where it is now. Call it when the page has changed. */
  after(from?: string): void {
    if (!moves()) return;
    const prepared = this.#prepared;
    if (!prepared) this.#fill();
    const cards = this.#of(from).filter(([, { element }]) => prepared?.has(element) ?? true);
    // First stop everything, then measure, then change: one layout for all.
    for (const [, { element }] of cards) inFlight.get(element)?.cancel();
    const flights: (() => void)[] = [];
    let order = 0;
    for (const [name, card] of cards) {
      const known = this.#seen.get(name) ?? this.#seenBefore(card);
      const first = known?.rect ?? this.#anchorRect(card.from);
      if (!first) continue;
      const last = card.element.getBoundingClientRect();
      if (Math.abs(first.left - last.left) + Math.abs(first.top - last.top) < NEAR) continue;
      if (known?.element === card.element && !card.hops) {
        const way = between(first, last, turnOf(card.element));
        const size = first.width / (last.width || 1);
        flights.push(() => moveAside(card.element, way, size));
        continue;
      }
      const flight = {
        way: between(first, last, turnOf(card.element)),
        size: known ? first.width / (last.width || 1) : FROM_ANCHOR,
        duration: card.hops ? HOP : known ? PLAY : DEAL,
        delay: card.hops ? PLAY - LANDING : known ? 0 : STAGGER * order++,
        arc: card.hops ? HOP_ARC : ARC,
        above: known !== undefined || card.from !== 'stock',
      };
      if (known?.element.isConnected && known.element !== card.element && prepared)
        this.#vacated.add(known.element);
      flights.push(() => fly(card.element, flight));
    }
    for (const [name, card] of this.#left) {
      const first = this.#seen.get(name);
      const last = this.#anchorRect(card.to);
      if (first && last && !this.#cards.has(name) && !this.#isKept(name)) {
        const ghost = this.#ghosts.get(name);
        this.#ghosts.delete(name);
        flights.push(() => leave(ghost ?? ghostOf(card.element, first), first, last));
      }
    }
    for (const ghost of this.#ghosts.values()) ghost.remove(); // to nowhere
    this.#ghosts.clear();
    this.#unhide();
    for (const element of this.#vacated) element.style.visibility = 'hidden';
    this.#left.clear();
    for (const flight of flights) flight();
  }

  /** Return the cards that come from an anchor; without one all of them. */
  #of(from?: string): [string, Flying][] {
    const cards = [...this.#cards];
    return from === undefined ? cards : cards.filter(([, card]) => card.from === from);
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

/** Return how something is shown now. */
function seen(element: HTMLElement): Seen {
  const rect = element.getBoundingClientRect();
  const { width, height, rotate } = getComputedStyle(element);
  const [wide, high] = [Number.parseFloat(width), Number.parseFloat(height)];
  return { element, rect, width: wide || rect.width, height: high || rect.height, rotate };
}

/** Return how far an element is turned, in radians: its own transform is turned, too. */
function turnOf(element: HTMLElement): number {
  return radians(getComputedStyle(element).rotate);
}

function radians(rotate: string): number {
  const degrees = Number.parseFloat(rotate);
  return Number.isNaN(degrees) ? 0 : (degrees * Math.PI) / 180;
}

/** Return how large something is shown, by its own size: less or more than 1 while it flies. */
function scaleOf({ rect, width, height, rotate }: Seen): number {
  const turn = radians(rotate);
  return rect.width / (width * Math.abs(Math.cos(turn)) + height * Math.abs(Math.sin(turn)) || 1);
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
  // Not animated: that would move it off the compositor.
  if (above) element.style.zIndex = '5';
  run(element, steps(flight), { duration, delay, fill: 'backwards' }, above);
}

/** Move an element that is the same as before: it stays in its order. */
function moveAside(element: HTMLElement, { x, y }: Way, size: number): void {
  const scale = Math.abs(size - 1) < SAME ? '' : ` scale(${size})`;
  const path = [{ transform: `translate(${x}px, ${y}px)${scale}` }, { transform: 'none' }];
  run(element, path, { duration: PLAY, easing: EASING }, false);
}

function run(
  element: HTMLElement,
  path: Keyframe[],
  timing: KeyframeAnimationOptions,
  above: boolean,
): void {
  const animation = element.animate(path, timing);
  inFlight.set(element, animation);
  animation.onfinish = animation.oncancel = () => {
    if (inFlight.get(element) !== animation) return; // it is already flying again
    inFlight.delete(element);
    if (above) element.style.removeProperty('z-index');
  };
}

/**
 * Show an image of a card that has left, as large as the card is itself and turned as it was: at any
 * other size the browser would draw its picture anew, just when it should fly.
 */
function ghostOf(element: HTMLElement, { rect, width, height, rotate }: Seen): HTMLElement {
  // What Svelte has taken out of the page is free.
  const ghost = element.isConnected ? (element.cloneNode(true) as HTMLElement) : element;
  ghost.setAttribute('aria-hidden', 'true');
  ghost.inert = true;
  ghost.removeAttribute('id');
  ghost.classList.add('ghost');
  Object.assign(ghost.style, {
    left: `${rect.left + (rect.width - width) / 2}px`,
    top: `${rect.top + (rect.height - height) / 2}px`,
    width: `${width}px`,
    height: `${height}px`,
    rotate,
  });
  // At the table, whose colours it wears.
  (document.querySelector('.table[data-game]') ?? document.body).append(ghost);
  return ghost;
}

function leave(ghost: HTMLElement, first: Seen, last: DOMRect): void {
  const { x, y } = between(last, first.rect, radians(first.rotate));
  const size = scaleOf(first);
  const scale = Math.abs(size - 1) < SAME ? 'none' : `scale(${size})`;
  const animation = ghost.animate(
    [
      { transform: scale, opacity: 1 },
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
