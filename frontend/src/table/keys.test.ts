import { expect, test } from 'vitest';

import { isTaken, keyAct } from './keys';

const press = (key: string, held: object = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...held,
});
const MOVES = ['G8>1', 'G8>3', 'G8>new'];

test('each key has its act, in capitals too', () => {
  const acts = ['l', 'H', 'u', 'c', 't', '?'].map((key) => keyAct(press(key), []));
  expect(acts).toEqual(
    ['last', 'hint', 'take-back', 'chat', 'typed', 'rules'].map((act) => ({ act })),
  );
});

test('numbers and n send the raised card to its place', () => {
  expect(keyAct(press('3'), MOVES)).toEqual({ move: 'G8>3' });
  expect(keyAct(press('n'), MOVES)).toEqual({ move: 'G8>new' });
});

test('a place where the card may not go, or no card at all, is nothing', () => {
  expect(keyAct(press('2'), MOVES)).toBeNull();
  expect(keyAct(press('1'), [])).toBeNull();
  expect(keyAct(press('x'), MOVES)).toBeNull();
});

test('keys of the browser stay with it', () => {
  expect(keyAct(press('l', { ctrlKey: true }), [])).toBeNull();
  expect(keyAct(press('Escape'), [])).toEqual({ back: true });
});

test('whoever types is left alone', () => {
  document.body.innerHTML = '<input><p></p>';
  expect(isTaken(document.querySelector('input'))).toBe(true);
  expect(isTaken(document.querySelector('p'))).toBe(false);
});

test('a dialog that is open has the keys, but not the walk through a day', () => {
  document.body.innerHTML = '<dialog open><button></button></dialog><p></p>';
  expect(isTaken(document.querySelector('button'))).toBe(true);
  expect(isTaken(document.querySelector('p'))).toBe(true);
  document.body.innerHTML = '<dialog class="walk" open><button></button></dialog><p></p>';
  expect(isTaken(document.querySelector('button'))).toBe(true);
  expect(isTaken(document.querySelector('p'))).toBe(false);
});
