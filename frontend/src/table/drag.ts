/**
 * Dragging or swiping a card. It moves by a transform and falls back if it is not dropped on a
 * target.
 */

const STARTS = 12; // pixels after which it is no longer a tap
const SLIPPED = 26; // pixels within which a quick release still counts as a tap
const AT_ONCE = 350; // milliseconds

export interface Dragged {
  /** Returns whether it may be dragged now. */
  may(): boolean;
  /** Called when dragging starts: show where it can go. */
  lifted(): void;
  /** Called when it was a tap after all: undo `lifted`. */
  slipped(): void;
  /**
   * Called on release: over a target (`data-place` of the element there), or this many pixels
   * further up.
   */
  drop(place: string | null, up: number): void;
}

interface Start {
  x: number;
  y: number;
  pointer: number;
  time: number;
}

export function drag(dragged: Dragged) {
  return (element: HTMLElement) => {
    let from: Start | null = null;
    let moving = false;

    function down(event: PointerEvent): void {
      if (event.button !== 0) return;
      // Cards move under the finger when others come or go: a press that began here ends here.
      element.setPointerCapture?.(event.pointerId);
      if (!dragged.may()) return;
      from = {
        x: event.clientX,
        y: event.clientY,
        pointer: event.pointerId,
        time: event.timeStamp,
      };
      moving = false;
    }

    function move(event: PointerEvent): void {
      if (from?.pointer !== event.pointerId) return;
      const x = event.clientX - from.x;
      const y = event.clientY - from.y;
      if (!moving && Math.hypot(x, y) < STARTS) return;
      if (!moving) {
        moving = true;
        element.classList.add('dragged');
        dragged.lifted();
      }
      element.style.translate = `${x}px ${y}px`;
    }

    function up(event: PointerEvent): void {
      if (from?.pointer !== event.pointerId) return;
      const start = from;
      const wasMoving = moving;
      end();
      if (!wasMoving) return;
      if (event.type === 'pointercancel' || isSlip(start, event)) return dragged.slipped();
      addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener('click', swallow, { capture: true }), 50);
      dragged.drop(placeAt(event.clientX, event.clientY), start.y - event.clientY);
    }

    function end(): void {
      from = null;
      moving = false;
      element.style.removeProperty('translate');
      element.classList.remove('dragged');
    }

    /**
     * Prevent scrolling: otherwise the browser would scroll on, and swallow the next tap to stop
     * that.
     */
    function hold(event: TouchEvent): void {
      if (moving && event.cancelable) event.preventDefault();
    }

    element.addEventListener('touchmove', hold, { passive: false });
    const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up };
    for (const [name, listener] of Object.entries(listeners)) {
      element.addEventListener(name, listener as EventListener);
    }
    return () => {
      element.removeEventListener('touchmove', hold);
      for (const [name, listener] of Object.entries(listeners)) {
        element.removeEventListener(name, listener as EventListener);
      }
    };
  };
}

function isSlip(start: Start, end: PointerEvent): boolean {
  return (
    end.timeStamp - start.time < AT_ONCE &&
    Math.hypot(end.clientX - start.x, end.clientY - start.y) < SLIPPED
  );
}

/** Swallow the click that follows a drag. */
function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}

function placeAt(x: number, y: number): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const target = element.closest<HTMLElement>('[data-place]');
    if (target) return target.dataset.place ?? null;
  }
  return null;
}
