/** Load what the server stores of a finished match. */
import { ApiError, get } from '../net/api';
import type { Problem, Replay, Review, ReviewProgress, Story } from '../protocol';
import { settings } from '../state/settings.svelte';

const AGAIN_AFTER = 1_500; // milliseconds between two requests for a review
const loaded = new Map<string, Promise<Replay>>();

/**
 * Load a replay, as a seat saw it, or open to all, in words for the person whose seat is `you`; cached
 * for each language.
 */
export function loadReplay(
  match: string,
  seat: number | null,
  you: number | null = null,
): Promise<Replay> {
  const key = `${match} ${seat} ${you} ${settings.lang}`;
  const known = loaded.get(key) ?? wholeReplay(match, seat, you);
  loaded.set(key, known);
  known.catch(() => loaded.delete(key));
  return known;
}

/** Very long matches come in several responses. */
async function wholeReplay(
  match: string,
  seat: number | null,
  you: number | null,
): Promise<Replay> {
  const told = you === null ? '' : `&you=${you}`;
  const path = `matches/${match}/replay?seat=${seat ?? 'open'}${told}`;
  const first = await get<Replay>(path);
  const steps = [...first.steps];
  while (steps.length < first.of) {
    const more = await get<Replay>(`${path}&from=${steps.length}`);
    if (!more.steps.length) break;
    steps.push(...more.steps);
  }
  return { ...first, steps };
}

/** Load the story of a match, told to a seat, or to spectators. */
export function loadStory(match: string, seat: number | null): Promise<Story> {
  return get<Story>(`matches/${match}/story?seat=${seat ?? 'open'}`);
}

/** Load the review of a match; `tell` receives the progress until it is done. */
export async function loadReview(
  match: string,
  seat: number | null,
  tell: (progress: ReviewProgress) => void,
  wanted: AbortSignal,
): Promise<Review> {
  const query = seat === null ? '' : `&seat=${seat}`;
  for (;;) {
    const answer = await fetch(`/api/matches/${match}/review?lang=${settings.lang}${query}`, {
      signal: wanted,
    });
    const body: unknown = await answer.json();
    if (answer.status === 200) return body as Review;
    if (answer.status !== 202) {
      const { error, text } = body as Problem;
      throw new ApiError(error, text, answer.status);
    }
    tell(body as ReviewProgress);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER));
  }
}

/** Load the record of a match, exactly as the server stores it. */
export async function loadRecord(match: string): Promise<string> {
  const answer = await fetch(`/api/matches/${match}?lang=${settings.lang}`);
  if (answer.ok) return answer.text();
  const { error, text } = (await answer.json()) as Problem;
  throw new ApiError(error, text, answer.status);
}

/** Return the file name of a record. */
export function fileName(match: string, game: string): string {
  return `stichwerk-${game}-${match}.json`;
}
