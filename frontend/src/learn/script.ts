/**
 * Lessons and examples as written by `python -m stichwerk.lessons`: played by the real rules.
 *
 * A script is a list of stops. Before each something happens (frames), then text is shown, and
 * perhaps a move is asked for. The result of every move is in the script; nothing is judged here.
 */
import type { Event, Lang, TypedMove, Outlook, View } from '../protocol';
import { framesBetween, still } from '../state/frames';
import type { Frame } from '../state/frames';

export type Words = Readonly<Record<Lang, string>>;
export type LessonFocus = '' | 'seats' | 'middle' | 'own' | 'hand';
export type OutlookTexts = Pick<Outlook, 'effects' | 'reasons' | 'standing' | 'situation'>;

interface Beat {
  readonly beat: string;
  readonly events: readonly Event[];
  /** For each event what happened, or '' where there is nothing to say. */
  readonly words: Readonly<Record<Lang, readonly string[]>>;
  readonly view: Partial<View>;
}

interface LessonText {
  readonly say: Words;
  readonly look: LessonFocus;
  readonly outlook: Readonly<Record<Lang, OutlookTexts>>;
  readonly good?: string;
  readonly praise?: Words | null;
  readonly otherwise?: Words | null;
  readonly replies?: Readonly<Record<string, Words>>;
  readonly tries?: Readonly<Record<Lang, readonly TypedMove[]>>;
}

export interface Scene {
  readonly title: Words;
  /** The section of the rules to which an example belongs. */
  readonly section: string;
  readonly seat: number | null;
  readonly view: View;
  readonly steps: readonly (Beat | LessonText)[];
}

export interface Script {
  readonly game: string;
  readonly scenes: readonly Scene[];
}

export interface Stop extends LessonText {
  readonly title: Words;
  /** From 0, and how many there are in this scene. */
  readonly scene: number;
  readonly seat: number | null;
  /** The frames before it; the last one is `still` and shows `view`. */
  readonly frames: readonly Frame[];
  readonly events: readonly Event[];
  /** What has happened since the words before. */
  readonly words: Readonly<Record<Lang, readonly string[]>>;
  readonly view: View;
}

/** Return all stops of a scene. Moves are possible only where one is asked for. */
export function stopsOf(scene: Scene, number = 0): Stop[] {
  const stops: Stop[] = [];
  let view = scene.view;
  let frames: Frame[] = [];
  let events: Event[] = [];
  let words = { de: [] as string[], en: [] as string[] };
  for (const step of scene.steps) {
    if ('beat' in step) {
      const after = { ...view, ...step.view };
      frames.push(...framesBetween(view, after, step.events).map(silent));
      events.push(...step.events);
      words.de.push(...step.words.de);
      words.en.push(...step.words.en);
      view = after;
    } else {
      const shown = step.good ? view : { ...view, moves: [] };
      const before = frames.slice(0, -1);
      const played = frames.at(-1)?.played ?? null;
      stops.push({
        ...step,
        title: scene.title,
        scene: number,
        seat: scene.seat,
        view: shown,
        events,
        words,
        frames: [...before, { ...still(shown), played }],
      });
      frames = [];
      events = [];
      words = { de: [], en: [] };
    }
  }
  return stops;
}

/** Return a frame without moves: nobody can move while something happens. */
function silent(frame: Frame): Frame {
  return { ...frame, view: { ...frame.view, moves: [] } };
}

/** Return a stop with its finished trick still shown; without one as it is. */
export function heldFrame(stop: Stop): Frame {
  const last = stop.frames.at(-1)!;
  const before = stop.frames.at(-2);
  return before?.held.length ? before : last;
}

/** Return an outlook as a server would send it. */
export function asOutlook(texts: OutlookTexts, one: TypedMove | null = null): Outlook {
  return { type: 'outlook', id: 0, seq: 0, ...texts, one };
}
