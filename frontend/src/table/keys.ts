/** Keys of the table. One key, one action; none of them while somebody types. */
import type { Action } from './actions';
import type { MoveParts } from '../protocol';
import { targetOf } from './place';

/**
 * What a key requests: an action of the frame, a place for the raised card, or to put things back.
 */
export type KeyAction = { act: Action } | { move: string } | { back: true };

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  l: 'last',
  h: 'hint',
  u: 'take-back',
  c: 'chat',
  t: 'typed',
  '?': 'rules',
};

/** Return what a key means now. `moves`: of the raised card; `partsOf`: what each of them names. */
export function keyAct(
  press: KeyPress,
  moves: readonly string[],
  partsOf: (move: string) => MoveParts,
): KeyAction | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  if (press.key === 'Escape') return { back: true };
  const key = press.key.toLowerCase();
  const target = key === 'n' ? 'new' : /^[1-6]$/.test(key) ? key : null;
  if (target !== null) {
    const move = moves.find((one) => targetOf(partsOf(one)) === target);
    return move ? { move } : null;
  }
  const act = ACTIONS[key];
  return act ? { act } : null;
}

/**
 * Return whether keys belong to something else: a field, or an open dialog, wherever the focus is.
 * The tour of a day's sheets does not block the table.
 */
export function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]:not(.walk)')) return true;
  return (
    target instanceof Element &&
    target.closest('input, textarea, [role=combobox], [contenteditable], dialog[open]') !== null
  );
}
