/** Let the person save something as a JSON file. */
export function saveJson(name: string, content: object): void {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  saveFile(name, new Blob([text], { type: 'application/json' }));
}

/** Let the person save a file. */
export function saveFile(name: string, blob: Blob): void {
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
