/**
 * What a page keeps in its entry of the browser's history: someone who comes back finds it as they
 * left it.
 */
function kept(): Readonly<Record<string, unknown>> {
  return (history.state as Record<string, unknown> | null) ?? {};
}

/** Return what was kept under this name; undefined if nothing was. */
export function remembered(name: string): unknown {
  return kept()[name];
}

/** Keep something for a return to this page. */
export function remember(name: string, value: unknown): void {
  history.replaceState({ ...kept(), [name]: value }, '');
}
