import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { drag } from './drag';

let card: HTMLElement;
const handlers = { may: vi.fn(() => true), lifted: vi.fn(), slipped: vi.fn(), drop: vi.fn() };

function point(type: string, x: number, y: number, timeStamp = 0): void {
  const event = new MouseEvent(type, { clientX: x, clientY: y, button: 0, bubbles: true });
  Object.defineProperties(event, { pointerId: { value: 1 }, timeStamp: { value: timeStamp } });
  card.dispatchEvent(event);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  document.elementsFromPoint = () => [];
  card = document.createElement('button');
  card.setPointerCapture = vi.fn();
  document.body.replaceChildren(card);
  drag(handlers)(card);
});

afterEach(() => {
  vi.runAllTimers(); // no timer may survive the page
  vi.useRealTimers();
});

test('swiping a card up drops it with the distance', () => {
  point('pointerdown', 0, 200);
  point('pointermove', 0, 150, 50);
  expect(card.style.translate).toBe('0px -50px');
  point('pointerup', 0, 120, 100);
  expect(handlers.lifted).toHaveBeenCalledOnce();
  expect(handlers.drop).toHaveBeenCalledExactlyOnceWith(null, 80);
  expect(card.style.translate).toBe('');
});

test('a tap with a small movement is still a tap', () => {
  point('pointerdown', 0, 200);
  point('pointermove', 14, 200, 40);
  point('pointerup', 16, 200, 90);
  expect(handlers.slipped).toHaveBeenCalledOnce();
  expect(handlers.drop).not.toHaveBeenCalled();
});

test('a card that cannot be dragged stays in place', () => {
  handlers.may.mockReturnValueOnce(false);
  point('pointerdown', 0, 200);
  point('pointermove', 0, 100);
  point('pointerup', 0, 100);
  expect(handlers.lifted).not.toHaveBeenCalled();
});
