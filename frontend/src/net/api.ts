/** The HTTP side of the server. */
import type { NewFork, NewTable, Problem, TableMade } from '../protocol';
import { settings } from '../state/settings.svelte';

/** Why the server refused, in the person's language. */
export class ApiError extends Error {
  constructor(
    readonly id: string,
    text: string,
    readonly status: number,
  ) {
    super(text);
  }
}

/** Get something as JSON. `path` is below `/api/`, its query without the language. */
export async function get<T>(path: string, options: RequestInit = {}): Promise<T> {
  const url = new URL(`/api/${path}`, location.origin);
  url.searchParams.set('lang', settings.lang);
  const answer = await fetch(url, options);
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const problem = body as Problem | null;
    throw new ApiError(
      problem?.error ?? 'failed',
      problem?.text ?? answer.statusText,
      answer.status,
    );
  }
  return body as T;
}

/** Send something as JSON. */
export function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return get<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Create a table. */
export const makeTable = (wish: NewTable): Promise<TableMade> => post('tables', wish);

/** Continue a finished match. */
export const forkMatch = (match: string, wish: NewFork): Promise<TableMade> =>
  post(`matches/${match}/fork`, wish);
