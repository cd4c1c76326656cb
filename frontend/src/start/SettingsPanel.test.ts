import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';

import { settings } from '../state/settings.svelte';
import SettingsPanel from './SettingsPanel.svelte';

beforeEach(() => {
  Object.assign(settings, {
    lang: 'en',
    theme: 'auto',
    hold: 1.2,
    letters: false,
    oneTap: false,
    name: '',
  });
});

test('each setting takes effect immediately', async () => {
  render(SettingsPanel);
  await fireEvent.click(screen.getByRole('radio', { name: 'until tapped' }));
  await fireEvent.click(screen.getByRole('radio', { name: 'dark' }));
  await fireEvent.click(screen.getByRole('switch', { name: 'Play with one tap' }));
  await fireEvent.input(screen.getByLabelText('Your name'), { target: { value: 'Ada' } });
  expect(settings).toMatchObject({ hold: 0, theme: 'dark', oneTap: true, name: 'Ada' });
});

test('a language switch takes effect immediately', async () => {
  render(SettingsPanel);
  await fireEvent.click(screen.getByRole('radio', { name: 'Deutsch' }));
  expect(screen.getByRole('heading', { name: 'Aussehen' })).toBeTruthy();
  expect(screen.getByRole('radio', { name: '1,2 s' })).toHaveProperty('checked', true);
});

test('letters appear on the preview cards', async () => {
  const { container } = render(SettingsPanel);
  expect(container.querySelectorAll('.letter')).toHaveLength(0);
  await fireEvent.click(screen.getByRole('switch', { name: 'Letters on the cards' }));
  expect(container.querySelectorAll('.letter')).toHaveLength(6);
});
