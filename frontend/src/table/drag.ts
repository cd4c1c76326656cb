/** A card that can be dragged or swiped up. It moves by a transform and falls back if nothing comes of it. */

const STARTS = 9; // pixels after which it is no tap any more

export interface Dragged {
  /** Whether it may be dragged now. */
  may(): boolean;
  /** It was let go: over a target (`data-place` of the element there), or so many pixels further up. */
  drop(place: string | null, up: number): void;
  /** It is being dragged: show where it can go. */
  lifted(): void;
}

export function drag(dragged: Dragged) {
  return (element: HTMLElement) => {
    let from: { x: number; y: number; pointer: number } | null = null;
    let moving = false;

    function down(event: PointerEvent): void {
      if (event.button !== 0 || !dragged.may()) return;
      from = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
      moving = false;
    }

    function move(event: PointerEvent): void {
      if (from?.pointer !== event.pointerId) return;
      const x = event.clientX - from.x;
      const y = event.clientY - from.y;
      if (!moving && Math.hypot(x, y) < STARTS) return;
      if (!moving) {
        moving = true;
        element.setPointerCapture(event.pointerId);
        element.classList.add('dragged');
        dragged.lifted();
      }
      element.style.translate = `${x}px ${y}px`;
    }

    function up(event: PointerEvent): void {
      if (from?.pointer !== event.pointerId) return;
      const risen = from.y - event.clientY;
      const wasMoving = moving;
      end();
      if (!wasMoving || event.type === 'pointercancel') return;
      addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener('click', swallow, { capture: true }), 50);
      dragged.drop(placeAt(event.clientX, event.clientY), risen);
    }

    function end(): void {
      from = null;
      moving = false;
      element.style.removeProperty('translate');
      element.classList.remove('dragged');
    }

    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', up);
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointercancel', up);
    };
  };
}

/** The click that follows a drag means nothing. */
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
