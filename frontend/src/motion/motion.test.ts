import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import { recordAnimations } from './animations.testing';
import type { Recorded } from './animations.testing';
import { motion } from './motion';

let animations: Recorded[];
let clean: (() => void)[] = [];

beforeEach(() => {
  settings.motion = 'on';
  animations = recordAnimations();
});
afterEach(() => {
  clean.forEach((end) => end());
  clean = [];
  motion.before();
  vi.restoreAllMocks();
  settings.motion = 'auto';
  document.body.replaceChildren();
});

/** Put an element somewhere on the page. */
function at(left: number, top: number): HTMLElement {
  const element = document.createElement('span');
  document.body.append(element);
  place(element, left, top);
  return element;
}

function place(element: HTMLElement, left: number, top: number): void {
  element.getBoundingClientRect = () => new DOMRect(left, top, 50, 70);
}

/** Register something, and return how to take it away. */
function put(attach: (element: HTMLElement) => () => void, element: HTMLElement): () => void {
  const end = attach(element);
  clean.push(end);
  return end;
}

test('cards are dealt from the stock one after the other, 220 ms each', () => {
  put(motion.anchor('stock'), at(300, 100));
  motion.before();
  ['R1', 'R2', 'R3'].forEach((card, nth) => put(motion.card(card, 'stock'), at(50 * nth, 500)));
  motion.after();
  expect(animations.map(({ timing }) => timing.duration)).toEqual([220, 220, 220]);
  expect(animations.map(({ timing }) => timing.delay)).toEqual([0, 35, 70]);
  expect(animations[0]?.first).toBe('translate(300px, -400px) scale(0.6)');
});

test('a played card flies from the hand in an arc, and lands in the last 90 of 260 ms', () => {
  const taken = put(motion.card('R1'), at(100, 500));
  motion.before();
  put(motion.card('R1'), at(300, 500));
  taken();
  motion.after();
  const [flight] = animations;
  expect(flight?.timing.duration).toBe(260);
  expect(flight?.first).toBe('translate(-200px, 0px) scale(1)');
  const heights = flight!.steps.map(({ transform }) =>
    Number(/, (-?[\d.]+)px/.exec(String(transform))?.[1] ?? 0),
  );
  expect(Math.min(...heights)).toBeLessThan(-15); // it rises above the straight line
  const [above, landed] = flight!.steps.slice(-2);
  expect(above?.offset).toBeCloseTo(1 - 90 / 260);
  expect(above?.transform).toMatch(/translate\(0px, -?0px\) scale\(1\.05\)/);
  expect(landed?.transform).toBe('none');
});

test('a card that left flies to its anchor, and is gone then', () => {
  put(motion.anchor('seat 2'), at(400, 0));
  const end = put(motion.card('R1', null, 'seat 2'), at(100, 200));
  motion.before();
  end();
  motion.after();
  const [flight] = animations;
  expect(flight?.timing.duration).toBe(420);
  expect(flight?.steps.at(-1)?.transform).toBe('translate(300px, -200px) scale(0.3)');
  expect(document.querySelectorAll('.ghost[aria-hidden=true]')).toHaveLength(1);
  flight?.finish();
  expect(document.querySelector('.ghost')).toBeNull();
});

test('an image of a card that left has the size of the card, not of the box around it', () => {
  put(motion.anchor('seat 2'), at(400, 0));
  const card = at(100, 200); // 50 by 70 pixels on the page
  Object.assign(card.style, { width: '48px', height: '68px', rotate: '2deg' });
  const end = put(motion.card('R1', null, 'seat 2'), card);
  motion.before();
  end();
  motion.after();
  const { left, top, width, height, rotate } = document.querySelector<HTMLElement>('.ghost')!.style;
  expect([left, top, width, height, rotate]).toEqual(['101px', '201px', '48px', '68px', '2deg']);
  expect(animations[0]?.first, 'no jump').toBe('none');
});

test('an image of a card that was in flight begins as large as that was', () => {
  put(motion.anchor('seat 2'), at(400, 0));
  const card = at(100, 200);
  Object.assign(card.style, { width: '100px', height: '140px' });
  const end = put(motion.card('R1', null, 'seat 2'), card);
  motion.before();
  end();
  motion.after();
  expect(animations[0]?.first).toBe('scale(0.5)');
});

test('the crown hops to the next card once that has landed', () => {
  const taken = put(motion.hopper('crown 0'), at(100, 200));
  motion.before();
  put(motion.hopper('crown 0'), at(260, 200));
  taken();
  motion.after();
  expect(animations[0]?.timing).toMatchObject({ duration: 240, delay: 170, fill: 'backwards' });
  expect(animations[0]?.first).toMatch(/^translate\(-160px, 0px\)/);
});

test('a card that is turned up stays where it was: it neither leaves nor returns', () => {
  put(motion.anchor('seat 1'), at(0, 0));
  const end = put(motion.card('face down 1', 'seat 1', 'seat 1'), at(100, 200));
  motion.before();
  put(motion.card('R1', 'seat 1', 'seat 1', 'face down 1'), at(100, 200));
  end();
  motion.after();
  expect(animations).toEqual([]);
});

test('a newer state stops what is in flight, and begins where that was', () => {
  const element = at(0, 0);
  put(motion.card('R1'), element);
  motion.before();
  place(element, 100, 0);
  motion.after();
  place(element, 60, 0); // on its way
  motion.before();
  place(element, 300, 0);
  motion.after();
  expect(animations.map(({ state }) => state)).toEqual(['cancelled', 'running']);
  expect(animations[1]?.first).toBe('translate(-240px, 0px)');
});

test('what moves aside keeps its order; what comes from elsewhere passes above', () => {
  const stays = at(0, 0);
  put(motion.card('R1'), stays);
  const taken = put(motion.card('R2'), at(50, 0));
  motion.before();
  place(stays, 20, 0);
  const played = at(300, 0);
  put(motion.card('R2'), played);
  taken();
  motion.after();
  expect([stays.style.zIndex, played.style.zIndex]).toEqual(['', '5']);
  animations.forEach((one) => one.finish());
  expect(played.style.zIndex).toBe('');
});

test('a tap lets everything arrive at once', () => {
  put(motion.anchor('seat 2'), at(400, 0));
  const element = at(0, 0);
  put(motion.card('R1'), element);
  const end = put(motion.card('R2', null, 'seat 2'), at(100, 200));
  motion.before();
  place(element, 100, 0);
  end();
  motion.after();
  motion.finish();
  expect(animations.map(({ state }) => state)).toEqual(['finished', 'finished']);
  expect(document.querySelector('.ghost')).toBeNull();
});

test('nothing moves when motion is off', () => {
  settings.motion = 'off';
  put(motion.anchor('stock'), at(300, 100));
  put(motion.anchor('seat 2'), at(400, 0));
  const end = put(motion.card('R1', null, 'seat 2'), at(100, 200));
  motion.before();
  put(motion.card('R2', 'stock'), at(0, 500));
  end();
  motion.after();
  expect(animations).toEqual([]);
  expect(document.querySelector('.ghost')).toBeNull();
});

test('the same facts give the same attachment, so that nothing is registered again', () => {
  expect(motion.card('R1', 'seat 1', 'seat 2')).toBe(motion.card('R1', 'seat 1', 'seat 2'));
  expect(motion.anchor('seat 1')).toBe(motion.anchor('seat 1'));
  const others = [
    motion.card('R1', 'seat 1', 'seat 3'),
    motion.card('R1', 'seat 1', null, 'R1 back'),
    motion.card('R1'),
    motion.hopper('R1'),
    motion.anchor('R1'),
  ];
  expect(new Set(others).size).toBe(others.length);
});

test('a flight can be prepared a frame ahead: who comes is not seen, who left stays', () => {
  put(motion.anchor('seat 1'), at(0, 0));
  put(motion.anchor('seat 2'), at(400, 0));
  const moved = at(0, 500);
  put(motion.card('R5', 'stock'), moved);
  const gone = at(100, 200);
  const end = put(motion.card('R1', null, 'seat 2'), gone);
  motion.before();
  const played = at(200, 200);
  put(motion.card('R2', 'seat 1'), played);
  place(moved, 50, 500);
  end();
  gone.remove();
  motion.prepare();
  expect(played.style.visibility).toBe('hidden');
  expect(document.querySelector<HTMLElement>('.ghost')?.style.left).toBe('100px');
  expect(animations).toEqual([]);
  motion.start();
  expect(played.style.visibility).toBe('');
  expect(animations.map(({ timing }) => timing.duration)).toEqual([220, 420]);
  motion.start();
  expect(animations, 'once').toHaveLength(2);
});

test('what was prepared is forgotten when something newer is shown', () => {
  put(motion.anchor('seat 1'), at(0, 0));
  put(motion.anchor('seat 2'), at(400, 0));
  const gone = at(100, 200);
  const end = put(motion.card('R1', null, 'seat 2'), gone);
  motion.before();
  const played = at(200, 200);
  put(motion.card('R2', 'seat 1'), played);
  end();
  gone.remove();
  motion.prepare();
  motion.before();
  expect(played.style.visibility).toBe('');
  expect(document.querySelector('.ghost')).toBeNull();
  motion.start();
  expect(animations).toEqual([]);
});

test('only cards of the hand move when it closes up', () => {
  const [held, lying] = [at(0, 500), at(100, 200)];
  put(motion.card('R5', 'stock'), held);
  put(motion.card('R1', 'seat 1'), lying);
  motion.before('stock');
  place(held, 50, 500);
  place(lying, 150, 200);
  motion.after('stock');
  expect(animations).toHaveLength(1);
  expect(animations[0]?.first).toBe('translate(-50px, 0px)');
});

test('a card is seen in the hand until it flies, and not twice then', () => {
  const held = at(100, 500);
  put(motion.card('R1', 'stock'), held);
  motion.before();
  put(motion.card('R1', null, 'seat 2'), at(100, 200));
  motion.prepare();
  expect(held.style.visibility).toBe('');
  motion.start();
  expect(animations).toHaveLength(1);
  expect(held.style.visibility).toBe('hidden');
  motion.before('stock');
  motion.after('stock');
  expect(held.style.visibility, 'another card may have its place').toBe('');
});
