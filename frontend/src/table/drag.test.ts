import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { drag } from './drag';

let card: HTMLElement;
const told = { may: vi.fn(() => true), lifted: vi.fn(), slipped: vi.fn(), drop: vi.fn() };

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
  drag(told)(card);
});

afterEach(() => {
  vi.runAllTimers(); // nothing may be left to do when the page is gone
  vi.useRealTimers();
});

test('a card that is swiped up is dropped so far up', () => {
  point('pointerdown', 0, 200);
  point('pointermove', 0, 150, 50);
  expect(card.style.translate).toBe('0px -50px');
  point('pointerup', 0, 120, 100);
  expect(told.lifted).toHaveBeenCalledOnce();
  expect(told.drop).toHaveBeenCalledExactlyOnceWith(null, 80);
  expect(card.style.translate).toBe('');
});

test('a tap that slips a little is a tap', () => {
  point('pointerdown', 0, 200);
  point('pointermove', 14, 200, 40);
  point('pointerup', 16, 200, 90);
  expect(told.slipped).toHaveBeenCalledOnce();
  expect(told.drop).not.toHaveBeenCalled();
});

test('what may not be dragged stays where it is', () => {
  told.may.mockReturnValueOnce(false);
  point('pointerdown', 0, 200);
  point('pointermove', 0, 100);
  point('pointerup', 0, 100);
  expect(told.lifted).not.toHaveBeenCalled();
});
