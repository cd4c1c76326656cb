/**
 * Return `fresh` with every part of it that equals its counterpart in `old` replaced by that one.
 *
 * Messages from the server are new objects throughout. What has not changed stays the same object
 * this way, and nothing that depends on it is computed or drawn again.
 */
export function shared<T>(old: unknown, fresh: T): T {
  if (old === fresh || !isObject(old) || !isObject(fresh)) return fresh;
  if (Array.isArray(old) !== Array.isArray(fresh)) return fresh;
  const keys = Object.keys(fresh);
  let same = keys.length === Object.keys(old).length;
  const parts = Array.isArray(fresh) ? [...(fresh as unknown[])] : { ...fresh };
  for (const key of keys) {
    const part = shared(old[key], fresh[key]);
    (parts as Record<string, unknown>)[key] = part;
    same &&= part === old[key] && key in old;
  }
  return (same ? old : parts) as T;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Return a function that computes a value, and returns the old one as long as it is equal. */
export function steadily<T>(compute: () => T): () => T {
  let last: T | undefined;
  return () => {
    const value = shared(last, compute());
    last = value;
    return value;
  };
}
