/** Let the person save something as a JSON file. */
export function saveJson(name: string, content: object): void {
  const blob = new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Return the current time, for saved files. */
export function timestamp(): string {
  return new Date().toISOString();
}
