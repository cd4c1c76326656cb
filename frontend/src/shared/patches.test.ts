import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import { patchOf, seatColour } from './patches';
import SeatMark from './SeatMark.svelte';

const SEATS = [0, 1, 2, 3, 4, 5];

function animalOf(seat: number): string {
  const svg = decodeURIComponent(patchOf(seat));
  return svg.slice(svg.indexOf('<g '), svg.lastIndexOf('</g>'));
}

test('six seats have six colours and six animals', () => {
  expect(new Set(SEATS.map(seatColour)).size).toBe(SEATS.length);
  expect(new Set(SEATS.map(animalOf)).size).toBe(SEATS.length);
});

test('patches are small drawings with a stitched ring, made once', () => {
  for (const seat of SEATS) {
    const svg = decodeURIComponent(patchOf(seat));
    expect(svg).toContain('stroke-dasharray');
    expect(svg).not.toMatch(/NaN|undefined|<text/);
    expect(svg.length).toBeLessThan(4_000);
    expect(patchOf(seat)).toBe(patchOf(seat));
  }
});

test('the mark of a seat is a picture without a name', () => {
  const { container } = render(SeatMark, { seat: 3 });
  const mark = container.querySelector('img')!;
  expect([mark.dataset.seat, mark.alt]).toEqual(['3', '']);
  expect(mark.getAttribute('aria-hidden')).toBe('true');
});
