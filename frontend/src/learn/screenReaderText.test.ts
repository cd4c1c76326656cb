import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import { partsOf } from '../games/parts';
import { settings } from '../state/settings.svelte';
import Lesson from './Lesson.svelte';
import { LessonBoard } from './lessonBoard.svelte';
import { lessonOf } from './lessons';
import { eventTexts, currentTexts } from './screenReaderText';

beforeEach(() => {
  localStorage.clear();
  settings.lang = 'en';
  settings.motion = 'off';
});

async function open(at: number): Promise<LessonBoard> {
  return new LessonBoard((await lessonOf('sticheln'))!, () => 'you', at);
}

test('announces what others played, then the task, with cards spelled out', async () => {
  const board = await open(3);
  expect(eventTexts(board).join(' ')).toContain('Ada plays green 5');
  const text = currentTexts(board).join(' ');
  expect(text).toContain('green 5');
  expect(text).not.toMatch(/\*|G5/);
});

test('answers a wrong move first', async () => {
  const board = await open(3);
  await board.play('G7');
  expect(currentTexts(board)[0]).toMatch(/^Not quite: .*Ben keeps the trick with green 9/);
});

test('moves focus from the text to the hand', async () => {
  Element.prototype.scrollIntoView = vi.fn();
  render(Lesson, { script: (await lessonOf('sticheln'))!, parts: await partsOf('sticheln') });
  const go = screen.getByRole('button', { name: 'Continue' });
  go.focus();
  await fireEvent.click(go);
  await vi.waitFor(() => expect(document.activeElement?.closest('.bottom')).toBeTruthy(), {
    timeout: 5_000,
  });
  expect(screen.getByRole('status').textContent).toContain('pain card');
});
