import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import hearts from './fixtures/hearts.json';
import { LessonBoard } from './lessonBoard.svelte';
import { LESSONS, lessonOf } from './lessons';
import { isDone, keepAt, keepDone, leftAt } from './progress';

beforeEach(() => {
  vi.useFakeTimers();
  settings.lang = 'en';
  settings.seen = [];
});
afterEach(() => {
  vi.useRealTimers();
});

async function open(game: string): Promise<LessonBoard> {
  return new LessonBoard((await lessonOf(game))!, () => 'you');
}

/** Wait until all cards are placed. */
function waitUntilReady(board: LessonBoard): void {
  for (let waits = 0; !board.ready && !board.done && waits < 50; waits += 1)
    vi.advanceTimersByTime(2_000);
}

/** Make all good moves and return their number. */
async function playGoodMoves(board: LessonBoard): Promise<number> {
  let asked = 0;
  while (!board.done) {
    waitUntilReady(board);
    const { good } = board.stop;
    if (good === undefined) board.next();
    else {
      expect(board.myTurn).toBe(true);
      expect(board.frame?.view).toBe(board.view);
      expect(board.view.moves).toContain(good);
      asked += 1;
      await board.play(good);
    }
  }
  return asked;
}

test.each(LESSONS)('the lesson for %s can be finished with good moves', async (game) => {
  expect(await playGoodMoves(await open(game))).toBeGreaterThanOrEqual(5);
});

test('the lesson of a custom game comes from the server', async () => {
  vi.stubGlobal('fetch', async (url: URL) =>
    url.pathname === '/api/lessons/hearts'
      ? Response.json(hearts)
      : new Response('{}', { status: 404 }),
  );
  expect(await playGoodMoves(await open('hearts'))).toBe(4);
  expect(await lessonOf('tarock')).toBeNull();
  vi.unstubAllGlobals();
});

test('a stop without a question accepts no move', async () => {
  const board = await open('sticheln');
  expect(board.stop.good).toBeUndefined();
  expect(board.myTurn).toBe(false);
  expect(board.view.moves).toEqual([]);
  await board.play('Y0');
  expect(board.at).toBe(0);
});

test('another legal move gets a reply and is not played', async () => {
  const board = await open('sticheln');
  board.next();
  waitUntilReady(board);
  await board.play('R11');
  expect(board.reply?.move).toBe('R11');
  expect(board.reply?.words.en).toContain('Possible');
  expect(board.view.hand).toContain('R11');
  await board.play('Y0');
  expect(board.reply).toBeNull();
  expect(board.praise?.en).toContain('Y0');
});

test('an illegal card shows the reason from the rules', async () => {
  const board = await open('stichtag');
  board.next();
  waitUntilReady(board);
  expect(board.movesWith('R7')).toEqual([]);
  board.selection.tap('R7');
  expect(board.selection.asked).toBe('R7');
  expect(board.outlook?.reasons.R7).toMatch(/green/);
  settings.lang = 'de';
  expect(board.outlook?.reasons.R7).toMatch(/Grün/);
});

test('trying out a choice uses the prepared answers', async () => {
  const board = await open('null-nichtig');
  board.next();
  waitUntilReady(board);
  expect((await board.tryOut('R10,Y9'))?.one?.legal).toBe(false);
  expect((await board.tryOut('R10,Y9,B8'))?.one?.effect?.text).toContain('27');
  expect((await board.tryOut('R1'))?.one).toBeNull();
});

test('a finished trick stays while it is explained', async () => {
  const board = await open('sticheln');
  const at = board.stops.findIndex((stop) => stop.say.en.startsWith('L5 and L8'));
  board.jump(at - 1);
  await board.play('G4');
  waitUntilReady(board);
  expect(board.at).toBe(at);
  expect(board.frame?.held).toEqual([{ place: 0, taker: 3 }]);
  board.next();
  expect(board.frame?.held).toEqual([]);
});

test('back and skip move between stops and scenes', async () => {
  const board = await open('stichtag');
  board.next();
  waitUntilReady(board);
  board.back();
  expect(board.at).toBe(0);
  board.skip();
  expect(board.stop.scene).toBe(1);
  board.skip();
  expect(board.done).toBe(true);
});

test('progress is stored per game', () => {
  keepAt('sticheln', 4);
  keepAt('stichling', 2);
  expect(leftAt('sticheln')).toBe(4);
  keepDone('sticheln');
  expect(leftAt('sticheln')).toBe(0);
  expect(isDone('sticheln')).toBe(true);
  expect(leftAt('stichling')).toBe(2);
});
