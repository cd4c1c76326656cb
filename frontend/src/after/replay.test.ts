import { describe, expect, it } from 'vitest';

import type { Replay } from '../protocol';
import { settings } from '../state/settings.svelte';
import asBen from './fixtures/replay-sticheln-1.json';
import open from './fixtures/replay-stichling.json';
import { moveText, narrate, whereabouts } from './narration';
import { ReplayBoard, momentsOf } from './replay.svelte';
import { clearNames } from './texts';
import { tricksOf } from './tricks';

// A real match for two with open hands, up to the first cards of round 2; and the first plays of
// another one as Ben saw it.
const stichling = open as unknown as Replay;
const sticheln = asBen as unknown as Replay;
const second = stichling.rounds[1]!;

describe('replay moments', () => {
  it('has one moment per step and one per further deal', () => {
    const moments = momentsOf(stichling);
    expect(moments.length).toBe(stichling.steps.length + 1);
    expect(moments.filter((one) => one.kind === 'deal').map((one) => one.step.index)).toEqual([
      0,
      second.index,
    ]);
  });

  it('keeps a finished trick visible until the next play', () => {
    const moment = momentsOf(stichling).find((one) => one.frame.held.length)!;
    const { place, taker } = moment.frame.held[0]!;
    const taken = moment.step.events.find((event) => event.kind === 'trick')!;
    expect(taker).toBe(taken.seat);
    expect(
      moment.frame.view.tricks.find((trick) => trick.place === place)?.plays.map((play) => play[1]),
    ).toEqual(taken.cards);
  });

  it('shows the end of a round before the next deal', () => {
    const moments = momentsOf(stichling);
    const at = moments.findLastIndex((one) => one.kind === 'deal');
    const [end, deal] = [moments[at - 1]!, moments[at]!];
    expect(end.frame.view.round).toBe(1);
    expect(end.hands!.flat()).toEqual([]);
    expect(end.frame.view.hand_sizes).toEqual([0, 0]);
    expect(end.frame.view.totals).toEqual(stichling.rounds[0]!.scores);
    const played = end.step.events.find((event) => event.kind === 'play')!;
    const lying = end.frame.view.tricks.flatMap((trick) => trick.cards);
    expect(lying).toContainEqual(played.cards);
    expect(deal.frame.view.round).toBe(2);
    expect(deal.hands!.map((hand) => hand.length)).toEqual([12, 12]);
  });

  it('neither loses nor duplicates a card', () => {
    for (const { hands, frame, step } of momentsOf(stichling)) {
      const shown = [
        ...hands!.flat(),
        ...frame.view.tricks.flatMap((trick) => trick.plays.map((play) => play[1])),
      ];
      expect(new Set(shown).size, `play ${step.index}`).toBe(shown.length);
    }
  });
});

describe('ReplayBoard', () => {
  it('steps both ways and stops at its ends', () => {
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

  it('opens at the play in the URL, or at the nearest one', () => {
    expect(new ReplayBoard(stichling, second.index).moment.kind).toBe('play');
    expect(new ReplayBoard(stichling, second.index, 'deal').moment.kind).toBe('deal');
    expect(new ReplayBoard(stichling, 9_999).isLast).toBe(true);
  });

  it('offers no moves', () => {
    const board = new ReplayBoard(sticheln, 5);
    expect([board.myTurn, board.movesWith(), board.seat]).toEqual([false, [], 1]);
  });

  it('shows a seat only what it saw', () => {
    const moments = momentsOf(sticheln);
    expect(moments.every((one) => one.hands === null)).toBe(true);
    const others = moments.filter(
      ({ step }) => step.trick === null && step.seat !== null && step.seat !== 1,
    );
    expect(others.length).toBeGreaterThan(0);
    expect(others.map(({ step }) => moveText(step))).toEqual(others.map(() => 'face down'));
  });
});

describe('replay narration', () => {
  it('describes a play and the taker of the trick', () => {
    settings.lang = 'en';
    const board = new ReplayBoard(stichling, 0);
    const moment = board.moments.find((one) => one.frame.held.length)!;
    const lines = narrate(moment).join(' ');
    expect(lines).toMatch(
      /^(Ada|Ben) plays [RYGBL]\d+ to place \d\. (Ada|Ben) takes the trick from place \d\./,
    );
    expect(whereabouts(moment, board)).toMatch(/^Round 1, card \d+$/);
  });

  it('describes a deal separately from the play before it', () => {
    const board = new ReplayBoard(stichling, second.index);
    expect(narrate(board.moment).join(' ')).toMatch(/Scored: .*\.$/);
    board.go(board.at + 1);
    expect(narrate(board.moment)).toEqual([
      expect.stringMatching(/^Round 2 of 3: (Ada|Ben) starts\.$/),
    ]);
  });

  it('shows a move as the server writes it', () => {
    const moves = stichling.steps.filter((step) => step.trick !== null).map(moveText);
    expect(moves.length).toBeGreaterThan(0);
    for (const move of moves) expect(move).toMatch(/^[RYGBL]\d+ → (\d|new)$/);
  });
});

describe('player names', () => {
  it('are numbered when they would be equal', () => {
    expect(clearNames(['Ada', 'easy', 'hard', 'Ada'])).toEqual([
      'Ada 1',
      'Bot 1',
      'Bot 2',
      'Ada 2',
    ]);
    expect(clearNames(['Ada', 'easy'])).toEqual(['Ada', 'Bot']);
  });
});

describe('list of tricks', () => {
  it('contains every taken trick, numbered by round', () => {
    const tricks = tricksOf(stichling);
    const trickEvents = stichling.steps
      .flatMap((step) => step.events)
      .filter((event) => event.kind === 'trick');
    expect(tricks.map((trick) => trick.taker)).toEqual(trickEvents.map((event) => event.seat));
    expect(tricks.map((trick) => trick.number)).toEqual(tricks.map((_, at) => at + 1));
  });
});
