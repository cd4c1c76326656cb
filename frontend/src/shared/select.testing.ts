/** How tests choose from a list of values. */
import { fireEvent, screen } from '@testing-library/svelte';

/** Return what a list offers, and close it again. */
export async function offered(label: string): Promise<string[]> {
  const button = screen.getByLabelText(label);
  await fireEvent.click(button);
  const found = screen.getAllByRole('option', { hidden: true });
  const labels = found.map((one) => one.textContent.trim());
  await fireEvent.click(button);
  return labels;
}

export async function pick(label: string, option: string): Promise<void> {
  await fireEvent.click(screen.getByLabelText(label));
  await fireEvent.click(screen.getByRole('option', { name: option, hidden: true }));
}
