import { expect, test } from 'vitest';

import { partsOf } from '../state/moves';
import { moving } from '../state/moves.testing';
import { isTaken, keyAct } from './keys';

const press = (key: string, held: object = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...held,
});
const VIEW = moving(['G8>1', 'G8>3', 'G8>new']);
const parts = (move: string) => partsOf(VIEW, move);

test('each key has its action, upper case too', () => {
  const acts = ['l', 'H', 'u', 'c', 't', '?'].map((key) => keyAct(press(key), [], parts));
  expect(acts).toEqual(
    ['last', 'hint', 'take-back', 'chat', 'typed', 'rules'].map((act) => ({ act })),
  );
});

test('digits and n play the raised card to a place', () => {
  expect(keyAct(press('3'), VIEW.moves, parts)).toEqual({ move: 'G8>3' });
  expect(keyAct(press('n'), VIEW.moves, parts)).toEqual({ move: 'G8>new' });
});

test('an illegal place or a missing card does nothing', () => {
  expect(keyAct(press('2'), VIEW.moves, parts)).toBeNull();
  expect(keyAct(press('1'), [], parts)).toBeNull();
  expect(keyAct(press('x'), VIEW.moves, parts)).toBeNull();
});

test('browser shortcuts are ignored', () => {
  expect(keyAct(press('l', { ctrlKey: true }), [], parts)).toBeNull();
  expect(keyAct(press('Escape'), [], parts)).toEqual({ back: true });
});

test('keys typed into a field are ignored', () => {
  document.body.innerHTML = '<input><p></p>';
  expect(isTaken(document.querySelector('input'))).toBe(true);
  expect(isTaken(document.querySelector('p'))).toBe(false);
});

test('an open dialog takes the keys, except the tour of a day', () => {
  document.body.innerHTML = '<dialog open><button></button></dialog><p></p>';
  expect(isTaken(document.querySelector('button'))).toBe(true);
  expect(isTaken(document.querySelector('p'))).toBe(true);
  document.body.innerHTML = '<dialog class="walk" open><button></button></dialog><p></p>';
  expect(isTaken(document.querySelector('button'))).toBe(true);
  expect(isTaken(document.querySelector('p'))).toBe(false);
});
