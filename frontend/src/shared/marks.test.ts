import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import SeatMark from './SeatMark.svelte';
import MarksFixture from './Marks.testing.svelte';

function marks(container: Element): (string | undefined)[] {
  return [...container.querySelectorAll<HTMLElement>('.mark')].map((one) => one.dataset['seat']);
}

test('people keep their marks when they move on for a rematch', () => {
  const { container } = render(MarksFixture, { marks: [2, 0, 1] });
  expect(marks(container)).toEqual(['2', '0', '1']);
});

test('without a table each seat has its own mark', () => {
  const { container } = render(SeatMark, { seat: 1 });
  expect(marks(container)).toEqual(['1']);
});
