import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';

import { TypeAhead, placeOf, stepTo } from './listbox';
import Select from './Select.svelte';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June'].map((label, at) => ({
  value: at + 1,
  label,
}));

function months(onpick = vi.fn()) {
  render(Select, { label: 'Month', choices: MONTHS, value: 2, onpick });
  return { button: screen.getByRole('combobox', { name: 'Month' }), onpick };
}

const press = (one: Element, key: string) => fireEvent.keyDown(one, { key });
const active = (one: Element) =>
  document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.textContent.trim();

test('a few short values are a row of radio buttons', async () => {
  const onpick = vi.fn();
  const choices = ['easy', 'hard'].map((value) => ({ value, label: value }));
  render(Select, { label: 'Level', choices, value: 'easy', onpick });
  expect(screen.getByRole('group', { name: 'Level' })).toBeTruthy();
  await fireEvent.click(screen.getByRole('radio', { name: 'hard' }));
  expect(onpick).toHaveBeenCalledExactlyOnceWith('hard');
});

test('many values, long ones, and those that shall be, are a list', () => {
  const long = ['a rather long value', 'and another of them'];
  const choicesOf = (labels: readonly string[]) => labels.map((label) => ({ value: label, label }));
  for (const [labels, listed] of [
    [long, false],
    [['a', 'b'], true],
    [['a'], false],
  ] as const) {
    const { unmount } = render(Select, {
      label: 'Which',
      choices: choicesOf(labels),
      value: labels[0],
      listed,
    });
    expect(screen.getByRole('combobox', { name: 'Which' }).textContent.trim()).toBe(labels[0]);
    unmount();
  }
});

test('a click opens the list, another picks from it', async () => {
  const { button, onpick } = months();
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByRole('listbox')).toBeNull();
  await fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('listbox', { name: 'Month' }).id).toBe(
    button.getAttribute('aria-controls'),
  );
  expect(screen.getByRole('option', { selected: true }).textContent.trim()).toBe('February');
  await fireEvent.click(screen.getByRole('option', { name: 'May' }));
  expect(onpick).toHaveBeenCalledExactlyOnceWith(5);
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(button.textContent.trim()).toBe('May');
});

test('keys move, pick and give up, and the button keeps the focus', async () => {
  const { button, onpick } = months();
  await press(button, 'ArrowDown');
  expect(document.activeElement).toBe(button);
  expect(active(button), 'it opens at the value').toBe('February');
  for (const [key, label] of [
    ['ArrowDown', 'March'],
    ['End', 'June'],
    ['ArrowDown', 'June'],
    ['Home', 'January'],
    ['ArrowUp', 'January'],
  ] as const) {
    await press(button, key);
    expect(active(button), key).toBe(label);
  }
  await press(button, 'Escape');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(onpick).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(button);
  await press(button, 'End');
  await press(button, 'Enter');
  expect(onpick).toHaveBeenCalledExactlyOnceWith(6);
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('its keys are its own, others pass', async () => {
  const { button } = months();
  const seen = vi.fn();
  window.addEventListener('keydown', seen);
  expect(await press(button, 'ArrowDown'), 'the page does not scroll').toBe(false);
  await press(button, 'Escape');
  expect(seen).not.toHaveBeenCalled();
  await press(button, 'Escape');
  expect(seen, 'closed, it leaves Esc to a dialog').toHaveBeenCalledOnce();
  window.removeEventListener('keydown', seen);
});

test('letters find an option', async () => {
  const { button } = months();
  await press(button, 'm');
  expect(active(button)).toBe('March');
  await press(button, 'a');
  await press(button, 'y');
  expect(active(button)).toBe('May');
});

test('a tap beside the list closes it', async () => {
  const { button, onpick } = months();
  await fireEvent.click(button);
  await fireEvent.pointerDown(screen.getByRole('option', { name: 'May' }));
  expect(screen.queryByRole('listbox')).toBeTruthy();
  await fireEvent.pointerDown(document.body);
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(onpick).not.toHaveBeenCalled();
});

test('the same letter goes on, and after a pause another word begins', () => {
  const labels = MONTHS.map((one) => one.label);
  const ahead = new TypeAhead();
  expect(ahead.find('j', labels, 2, 0)).toBe(5);
  expect(ahead.find('j', labels, 5, 100)).toBe(0);
  expect(ahead.find('x', labels, 0, 200)).toBe(0);
  expect(ahead.isTyping(300)).toBe(true);
  expect(ahead.find('f', labels, 0, 2000)).toBe(1);
});

test('steps end at the ends', () => {
  expect(stepTo('PageDown', 3, 31)).toBe(13);
  expect(stepTo('PageDown', 28, 31)).toBe(30);
  expect(stepTo('PageUp', 3, 31)).toBe(0);
  expect(stepTo('Shift', 3, 31)).toBeNull();
});

test('a list is below its button, above it, or on it, and always in the window', () => {
  const page = { width: 320, height: 568 };
  const at = (top: number) => ({ left: 200, top, width: 100, height: 44 });
  const small = { width: 160, height: 200 };
  expect(placeOf(at(100), small, page)).toEqual({ left: 152, top: 148, width: 160, height: 200 });
  expect(placeOf(at(400), small, page).top).toBe(196);
  const long = { width: 600, height: 1400 };
  expect(placeOf(at(100), long, page)).toEqual({ left: 8, top: 148, width: 304, height: 412 });
  const low = placeOf(at(150), long, { width: 640, height: 360 });
  expect(low).toEqual({ left: 32, top: 8, width: 600, height: 344 });
});
