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

test('a sheet that is closed says so', () => {
  const { dialog, onclose } = sheet();
  dialog.dispatchEvent(new Event('close'));
  expect(onclose).toHaveBeenCalledOnce();
});

test('one that another has replaced by then does not close that one', () => {
  const { dialog, onclose } = sheet();
  dialog.remove();
  dialog.dispatchEvent(new Event('close'));
  expect(onclose).not.toHaveBeenCalled();
});
