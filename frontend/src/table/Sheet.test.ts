import { render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, test, vi } from 'vitest';

import Sheet from './Sheet.svelte';

function sheet(): { dialog: HTMLElement; onclose: () => void } {
  const onclose = vi.fn();
  const children = createRawSnippet(() => ({ render: () => '<p>words</p>' }));
  render(Sheet, { title: 'Last trick', onclose, children });
  return { dialog: screen.getByRole('dialog'), onclose };
}

test('closing a sheet calls onclose', () => {
  const { dialog, onclose } = sheet();
  dialog.dispatchEvent(new Event('close'));
  expect(onclose).toHaveBeenCalledOnce();
});

test('a replaced sheet does not close its successor', () => {
  const { dialog, onclose } = sheet();
  dialog.remove();
  dialog.dispatchEvent(new Event('close'));
  expect(onclose).not.toHaveBeenCalled();
});
