import { describe, expect, it } from 'vitest';

import type { Replay } from '../protocol';
import { settings } from '../state/settings.svelte';
import asBen from './fixtures/replay-sticheln-1.json';
import open from './fixtures/replay-stichling.json';
import { moveText, narrate, whereabouts } from './narration';
import { ReplayBoard, momentsOf } from './replay.svelte';
import { clearNames } from './texts';
import { tricksOf } from './tricks';

// The beginning of a real match for two, hands open, to the first cards of its second round; and the
// first plays of another, as Ben saw them.
const stichling = open as unknown as Replay;
const sticheln = asBen as unknown as Replay;
const second = stichling.rounds[1]!;

describe('moments', () => {
  it('are one for each step, and one more for each further deal', () => {
    const moments = momentsOf(stichling);
    expect(moments.length).toBe(stichling.steps.length + 1);
    expect(moments.filter((one) => one.kind === 'deal').map((one) => one.step.index)).toEqual([
      0,
      second.index,
    ]);
  });

  it('let a finished trick lie until the next play', () => {
    const moment = momentsOf(stichling).find((one) => one.frame.held.length)!;
    const { place, taker } = moment.frame.held[0]!;
    const told = moment.step.events.find((event) => event.kind === 'trick')!;
    expect(taker).toBe(told.seat);
    expect(
      moment.frame.view.tricks.find((trick) => trick.place === place)?.plays.map((play) => play[1]),
    ).toEqual(told.cards);
  });

  it('end a round with what lay there, before new cards are dealt', () => {
    const moments = momentsOf(stichling);
    const at = moments.findLastIndex((one) => one.kind === 'deal');
    const [end, deal] = [moments[at - 1]!, moments[at]!];
    expect(end.frame.view.round).toBe(1);
    expect(end.hands!.flat()).toEqual([]);
    expect(end.frame.view.hand_sizes).toEqual([0, 0]);
    expect(end.frame.view.totals).toEqual(stichling.rounds[0]!.scores);
    const card = end.step.move!.split('>')[0];
    expect(
      end.frame.view.tricks.some((trick) => trick.plays.some((play) => play[1] === card)),
    ).toBe(true);
    expect(deal.frame.view.round).toBe(2);
    expect(deal.hands!.map((hand) => hand.length)).toEqual([12, 12]);
  });

  it('lose and double no card', () => {
    for (const { hands, frame, step } of momentsOf(stichling)) {
      const shown = [
        ...hands!.flat(),
        ...frame.view.tricks.flatMap((trick) => trick.plays.map((play) => play[1])),
      ];
      expect(new Set(shown).size, `play ${step.index}`).toBe(shown.length);
    }
  });
});

describe('a replay', () => {
  it('goes forwards and backwards, not beyond its ends', () => {
    const board = new ReplayBoard(stichling, 3);
    expect(board.index).toBe(3);
    board.go(board.at - 1);
    expect(board.index).toBe(2);
    board.go(-5);
    expect([board.index, board.isFirst]).toEqual([0, true]);
    board.go(1_000);
    expect([board.index, board.isLast]).toEqual([stichling.steps.length - 1, true]);
  });

  it('jumps to rounds and tricks', () => {
    const board = new ReplayBoard(stichling, 0);
    board.go(board.momentOfRound(second));
    expect([board.moment.kind, board.view.round, board.index]).toEqual(['deal', 2, second.index]);
    board.go(board.trickFrom(-1));
    expect([board.moment.step.round, board.moment.step.trick]).toEqual([1, 12]);
    board.go(board.trickFrom(1));
    expect(board.moment.kind).toBe('deal');
  });

  it('opens at the play of an address, or the nearest there is', () => {
    expect(new ReplayBoard(stichling, second.index).moment.kind).toBe('play');
    expect(new ReplayBoard(stichling, second.index, 'deal').moment.kind).toBe('deal');
    expect(new ReplayBoard(stichling, 9_999).isLast).toBe(true);
  });

  it('lets nobody play', () => {
    const board = new ReplayBoard(sticheln, 5);
    expect([board.myTurn, board.movesWith(), board.seat]).toEqual([false, [], 1]);
  });

  it('shows a seat no more than it saw', () => {
    const moments = momentsOf(sticheln);
    expect(moments.every((one) => one.hands === null)).toBe(true);
    const others = moments.filter(
      ({ step }) => step.trick === null && step.seat !== null && step.seat !== 1,
    );
    expect(others.length).toBeGreaterThan(0);
    expect(others.map(({ step }) => moveText(step.move))).toEqual(others.map(() => 'face down'));
  });
});

describe('in words', () => {
  it('tells a play and who takes the trick', () => {
    settings.lang = 'en';
    const board = new ReplayBoard(stichling, 0);
    const moment = board.moments.find((one) => one.frame.held.length)!;
    const lines = narrate(moment).join(' ');
    expect(lines).toMatch(
      /^(Ada|Ben) plays [RYGBL]\d+ to place \d\. (Ada|Ben) takes the trick from place \d\./,
    );
    expect(whereabouts(moment, board)).toMatch(/^Round 1, card \d+$/);
  });

  it('tells of a deal apart from the play before it', () => {
    const board = new ReplayBoard(stichling, second.index);
    expect(narrate(board.moment).join(' ')).toMatch(/Scored: .*\.$/);
    board.go(board.at + 1);
    expect(narrate(board.moment)).toEqual([
      expect.stringMatching(/^Round 2 of 3: (Ada|Ben) starts\.$/),
    ]);
  });

  it('makes places readable', () => {
    expect([moveText('G8>2'), moveText('G8>new'), moveText('R3,R9')]).toEqual([
      'G8 → 2',
      'G8 → new',
      'R3, R9',
    ]);
  });
});

describe('names', () => {
  it('tell bots of the same level apart', () => {
    expect(clearNames(['Ada', 'easy', 'hard', 'Ada'])).toEqual([
      'Ada 1',
      'Bot 1',
      'Bot 2',
      'Ada 2',
    ]);
    expect(clearNames(['Ada', 'easy'])).toEqual(['Ada', 'Bot']);
  });
});

describe('tricks', () => {
  it('are all those that were taken, numbered by round', () => {
    const tricks = tricksOf(stichling);
    const told = stichling.steps
      .flatMap((step) => step.events)
      .filter((event) => event.kind === 'trick');
    expect(tricks.map((trick) => trick.taker)).toEqual(told.map((event) => event.seat));
    expect(tricks.map((trick) => trick.number)).toEqual(tricks.map((_, at) => at + 1));
  });
});
