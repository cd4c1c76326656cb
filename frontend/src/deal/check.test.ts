import { describe, expect, it } from 'vitest';

import type { Dealing, Event, HandChange, HandDealt, RoundStarted, Step, View } from '../protocol';
import {
  checkBlame,
  checkHands,
  checkKept,
  checkOpen,
  checkOrder,
  checkOwn,
  checkPublished,
  checkRecord,
  checkReplayed,
  checkSameHands,
  checkSetUp,
  checkShownHand,
  checkHandsAnnounced,
  checkView,
  checkWords,
  announcedHands,
  ownShare,
  ownTranscript,
  ownWords,
} from './check';
import { optionsText } from './shuffle';
import honest from './fixtures/hands.json';
import { UNCHANGED, afterStep } from './handChange';
import { AnnouncedDeal } from './testing';
import { WORD_LIST } from './words-list';

const server = new AnnouncedDeal();
const { proof } = server;
const OTHER = 'f'.repeat(64);
const own = { ...ownShare(proof.match, 0, server.share(0)), sealed: true };
interface Moment {
  events: Event[];
  change: HandChange | null;
  hand: string;
  mine: View['mine'];
}

const ids = (findings: readonly { id: string }[]) => findings.map((one) => one.id);
const swapped = <T>(list: readonly T[], at: number, value: T): T[] =>
  list.map((one, index) => (index === at ? value : one));

describe('honest deal', () => {
  const stages: [string, Dealing, 'dealing' | 'playing' | 'over', number][] = [
    ['while shares are asked for', server.asking(), 'dealing', 0],
    ['when all are sealed', server.sealed(), 'dealing', 0],
    ['when it is dealt', server.dealing(0), 'playing', 0],
    ['after a round', server.dealing(1), 'playing', 1],
    ['after the match', server.dealing(2), 'over', 2],
  ];
  it.each(stages)('has no finding %s', (_when, dealing, stage, over) => {
    const table = server.tableWith(stage, dealing);
    const words = ownWords(dealing, WORD_LIST);
    const found = [
      ...checkSetUp(dealing, table),
      ...checkOrder(dealing, stage),
      ...checkOpen(dealing),
      ...checkWords(dealing, words),
      ...checkOwn(dealing, { ...own, sealed: dealing.client_commits[0] !== null }),
    ];
    if (stage !== 'dealing') {
      found.push(
        ...checkView(dealing, server.view(over)),
        ...checkPublished(dealing, server.view(over)),
      );
      found.push(...checkHands(dealing, server.events(0, 2)));
    }
    expect(found).toEqual([]);
  });

  it('may add facts but not change them', () => {
    const told = stages.map(([, dealing]) => dealing);
    told.slice(1).forEach((now, at) => expect(checkKept(told[at]!, now)).toEqual([]));
  });

  it('has the same transcript and words as in Python', () => {
    expect(ownTranscript(server.dealing(0))).toBe(proof.transcript);
    expect(ownTranscript(server.asking())).toBeNull();
    expect(ownWords(server.asking(), WORD_LIST)).toEqual([]);
  });
});

describe('set-up', () => {
  const found = (changes: Partial<Dealing>) => {
    const dealing = server.asking(changes);
    return ids(checkSetUp(dealing, server.tableWith('dealing', dealing, { match: proof.match })));
  };
  it('needs every commitment of the server', () => {
    expect(found({ server_commits: proof.server_commits.slice(1) })).toEqual(['deal-incomplete']);
    expect(found({ server_commits: swapped(proof.server_commits, 1, 'secret') })).toEqual([
      'deal-incomplete',
    ]);
    expect(found({ client_commits: [null, null] })).toEqual(['deal-incomplete']);
  });
  it('must match the game, options and match id of the table', () => {
    expect(found({ match: 'another' })).toEqual(['deal-match']);
    expect(found({ rules: 'stichling/1' })).toEqual(['deal-rules']);
    expect(found({ options: '{}' })).toEqual(['deal-rules']);
  });
  it('may follow an older version of the rules, with the options of that version', () => {
    for (const [rules, options] of [
      ['null-nichtig/1', { target: 60 }],
      ['null-nichtig/2', { collect: 'clockwise', target: 60 }],
    ] as const) {
      const dealing = server.asking({ rules, options: optionsText(options) });
      const table = { game: 'null-nichtig', options, match: proof.match };
      expect(checkSetUp(dealing, server.tableWith('dealing', dealing, table))).toEqual([]);
      const other = { ...table, options: { ...options, target: 40 } };
      expect(ids(checkSetUp(dealing, server.tableWith('dealing', dealing, other)))).toEqual([
        'deal-rules',
      ]);
    }
  });
  it('must commit before it reveals, and reveal before it deals', () => {
    expect(ids(checkOrder(server.asking(), 'playing'))).toEqual(['deal-early']);
    expect(
      ids(checkOrder(server.asking({ client_seeds: [null, null, OTHER, null] }), 'dealing')),
    ).toEqual(['deal-early']);
    expect(checkOrder(server.sealed(), 'playing')).toEqual([
      { id: 'deal-unopened', data: { seat: 0 } },
    ]);
  });
});

describe('revealed shares', () => {
  it('must fit their commitments', () => {
    const shares = server.dealing(0, { client_seeds: swapped(proof.client_seeds, 2, OTHER) });
    expect(checkOpen(shares)).toEqual([{ id: 'deal-share-wrong', data: { seat: 2 } }]);
    const seeds = server.dealing(1, { server_seeds: [proof.server_seeds[0]!, OTHER] });
    expect(checkOpen(seeds)).toEqual([{ id: 'deal-server-seed', data: { round: 1 } }]);
  });
  it('must give the published transcript', () => {
    expect(ids(checkOpen(server.dealing(0, { transcript: OTHER })))).toEqual(['deal-transcript']);
    expect(ids(checkOpen(server.dealing(0, { transcript: null })))).toEqual(['deal-transcript']);
    expect(ids(checkOpen(server.dealing(0, { deck: 'R1\nR1' })))).toEqual(['deal-transcript']);
  });
  it('must give the words shown by the server', () => {
    const dealing = server.dealing(0, { words: ['six', 'nice', 'words', 'of', 'the', 'host'] });
    const [finding] = checkWords(dealing, ownWords(dealing, WORD_LIST));
    expect(finding).toMatchObject({
      id: 'deal-words',
      data: { told: 'six nice words of the host' },
    });
  });
});

describe('earlier facts', () => {
  const changes: [string, Partial<Dealing>][] = [
    ['rules', { rules: 'sticheln/2' }],
    ['options', { options: '{}' }],
    ['deck', { deck: '' }],
    ['rounds', { rounds: 9 }],
    ['server_commits', { server_commits: swapped(proof.server_commits, 2, OTHER) }],
    ['client_commits', { client_commits: swapped(proof.client_commits, 1, OTHER) }],
    ['client_seeds', { client_seeds: swapped(proof.client_seeds, 1, OTHER) }],
    ['server_seeds', { server_seeds: [] }],
    ['transcript', { transcript: OTHER }],
    ['trusted', { trusted: [true, true, true, false] }],
  ];
  it.each(changes)('must not change: %s', (what, change) => {
    expect(checkKept(server.dealing(0), server.dealing(0, change))).toEqual([
      { id: 'deal-changed', data: { what } },
    ]);
  });
});

describe('committed match', () => {
  it('must not be dealt again', () => {
    expect(ids(checkReplayed(server.sealed(), server.asking()))).toEqual(['deal-replayed']);
    expect(checkReplayed(server.asking(), server.sealed())).toEqual([]);
  });
});

describe('our share', () => {
  const replaced = server.asking({ client_commits: [OTHER, null, OTHER, OTHER] });
  it('must be the acknowledged one, whatever the server claims', () => {
    expect(checkOwn(replaced, own)).toEqual([{ id: 'deal-share-replaced', data: { seat: 0 } }]);
    expect(ids(checkOwn({ ...replaced, trusted: [false, false, false, false] }, own))).toEqual([
      'deal-share-replaced',
    ]);
    expect(ids(checkOwn(server.asking(), own))).toEqual(['deal-share-missing']);
    expect(ids(checkOwn(server.dealing(0, { trusted: [false, true, false, false] }), own))).toEqual(
      ['deal-changed'],
    );
  });
  it('raises a question if it was never acknowledged: another device may have been faster', () => {
    const open = { ...own, sealed: false };
    expect(checkOwn(replaced, open)).toEqual([
      { id: 'deal-share-replaced', data: { seat: 0 }, askable: true },
    ]);
    expect(checkOwn(replaced, { ...open, elsewhere: true })).toEqual([]);
    expect(checkOwn({ ...replaced, trusted: [false, true, false, false] }, open)).toEqual([]);
  });
});

describe('dealt cards', () => {
  it('must follow from all shares once the seed is known', () => {
    const events = server.events(0, 2);
    const [other] = server.events(1, 1).slice(1);
    const forged = [events[0]!, { ...other!, seat: 0 }, ...events.slice(2)];
    expect(checkHands(server.dealing(0), forged)).toEqual([]);
    expect(checkHands(server.dealing(1), forged)).toEqual([
      { id: 'deal-hand', data: { round: 1 } },
    ]);
  });
  it('must be sent in every round', () => {
    const events = server.events(0, 2);
    const without = (round: number) =>
      events.filter((event, at) => {
        const before = events[at - 1];
        return event.kind !== 'hand' || before?.kind !== 'round' || before.round !== round;
      });
    expect(checkHandsAnnounced(server.dealing(1), server.view(1), events, 0)).toEqual([]);
    expect(checkHandsAnnounced(server.dealing(1), server.view(1), without(1), 0)).toEqual([
      { id: 'deal-hand', data: { round: 1 } },
    ]);
    expect(checkHandsAnnounced(server.dealing(1), server.view(1), without(2), 0)).toEqual([
      { id: 'deal-hand', data: { round: 2 } },
    ]);
    expect(checkHandsAnnounced(server.dealing(1), server.view(1), [], 0)).toEqual([
      { id: 'deal-hand', data: { round: 1 } },
    ]);
    expect(checkHandsAnnounced(server.dealing(1), server.view(1), events, 1), 'ours').toHaveLength(
      1,
    );
  });
  it('must not change after they were sent', () => {
    const told = announcedHands(server.events(0, 2), 0);
    expect([...told.keys()]).toEqual([1, 2]);
    expect(checkSameHands(new Map(), told)).toEqual([]);
    expect(checkSameHands(told, told)).toEqual([]);
    expect(checkSameHands(told, new Map([[2, 'R1']]))).toEqual([
      { id: 'deal-hand', data: { round: 2 } },
    ]);
  });
  it('must be led by the starter that was drawn', () => {
    const [first, ...rest] = server.events(0, 1) as [RoundStarted, ...Event[]];
    const events = [{ ...first, starter: (first.starter + 1) % 4 }, ...rest];
    expect(ids(checkHands(server.dealing(0), events))).toEqual(['deal-starter']);
  });
  it('must belong to the committed match, with a seed published after each round', () => {
    expect(
      ids(checkView(server.dealing(0), { ...server.view(0), options: { rounds: 2 } })),
    ).toEqual(['deal-rules']);
    expect(checkPublished(server.dealing(0), server.view(1))).toEqual([
      { id: 'deal-seed-missing', data: { round: 1 } },
    ]);
  });
});

describe('shown hand', () => {
  const [round, hand] = server.events(0, 1) as [RoundStarted, HandDealt];
  const dealt = hand.cards;
  const rest = dealt.slice(1);
  const first = dealt[0]!;
  const change = (left: string[], entered: string[] = []): HandChange => ({ left, entered });
  const shown = (
    cards: readonly string[],
    events: readonly Event[],
    stated: HandChange | null,
    facts: Partial<View> = {},
  ) =>
    ids(
      checkShownHand(
        server.view(0, { hand: [...cards].sort(), ...facts }),
        [round, hand, ...events],
        0,
        stated,
      ),
    );
  const about = (...cards: string[]): Event => ({ kind: 'game', name: 'swap', cards });
  const named = [about(first, 'X9')];

  it('is the dealt hand after the stated changes, by whatever event', () => {
    expect(shown(dealt, [], UNCHANGED)).toEqual([]);
    expect(shown(rest, named, change([first]))).toEqual([]);
    expect(shown([...rest, 'X9'], named, change([first], ['X9']))).toEqual([]);
    expect(shown(dealt, named, change([first], [first]))).toEqual([]);
  });
  it('has no other cards than those', () => {
    const wrong = [
      shown([...rest, 'X9'], named, UNCHANGED),
      shown(rest, named, UNCHANGED),
      shown(dealt, named, change([first])),
      shown([...dealt, 'X9'], named, change([])),
      shown(rest, named, change([first], ['X9'])),
      shown([...rest, first], named, change(['X9'])),
    ];
    expect(wrong).toEqual(wrong.map(() => ['deal-hand']));
  });
  it('changes only by cards that are named to us', () => {
    const silent = [
      shown(rest, [], change([first])),
      shown(rest, [about(`${first}0`)], change([first])),
      shown([...rest, 'X9'], [about(first)], change([first], ['X9'])),
      shown([...rest, 'X9'], [about('X9')], change([first], ['X9'])),
      shown([...dealt, 'X9'], [], change([], ['X9']), { mine: { aside: ['X9'] } }),
    ];
    expect(silent).toEqual(silent.map(() => ['deal-hand']));
    expect(shown(rest, [], change([first]), { mine: { aside: [first] } })).toEqual([]);
  });
  it('counts twins', () => {
    const twins = { ...hand, cards: ['L0', 'L0', 'R1'] };
    const left = (cards: string[], stated: HandChange) =>
      ids(checkShownHand(server.view(0, { hand: cards }), [round, twins, about('L0')], 0, stated));
    expect(left(['L0', 'R1'], change(['L0']))).toEqual([]);
    expect(left(['R1'], change(['L0', 'L0']))).toEqual([]);
    expect(left(['L0', 'R1'], change(['L0', 'L0']))).toEqual(['deal-hand']);
    expect(left(['R1'], change(['L0']))).toEqual(['deal-hand']);
  });
  it('must at least be named if changes were missed', () => {
    expect(shown(rest, named, null)).toEqual([]);
    expect(shown([...rest, 'X9'], [], null)).toEqual(['deal-hand']);
    expect(checkShownHand(server.view(0), [round], 0, null), 'with nothing to compare').toEqual([]);
  });
  it.each(honest)(
    'passes through a round played by Python: $game $options.date',
    ({ game, options, moments }) => {
      expect(moments.length).toBeGreaterThan(20);
      let stated: HandChange | null = null;
      const events: Event[] = [];
      for (const [at, one] of (moments as unknown as Moment[]).entries()) {
        const step = {
          seq: at,
          notes: [],
          events: one.events,
          words: [],
          note_words: [],
          hand: one.change,
        };
        stated = afterStep(stated, step);
        events.push(...one.events);
        const facts = { game, options: options as View['options'], mine: one.mine };
        const view = server.view(0, { ...facts, hand: one.hand.split(' ').filter(Boolean) });
        expect(checkShownHand(view, events, 0, stated), `after step ${at}`).toEqual([]);
      }
      expect(stated?.left.length).toBeGreaterThan(5);
    },
  );
  it('may change unnamed in custom games, but not unstated', () => {
    const hash = 'a'.repeat(64);
    for (const facts of [{ game: 'own' }, { options: { sheets: [`month 5 ${hash}`] } }]) {
      expect(shown(rest, [about()], change([first]), facts)).toEqual([]);
      expect(shown(rest, [about()], UNCHANGED, facts)).toEqual(['deal-hand']);
    }
  });
});

describe('stated changes', () => {
  const step = (hand: HandChange | null, ...events: Event[]): Step => ({
    seq: 1,
    notes: [],
    events,
    words: [],
    note_words: [],
    hand,
  });
  const deal: Event = { kind: 'round', round: 1, starter: 0, stock: 0 };

  it('add up from the deal on', () => {
    const steps = [
      step({ left: ['R9'], entered: [] }),
      step({ left: [], entered: ['R8'] }, deal),
      step(null),
      step({ left: ['R1'], entered: ['R2'] }),
    ];
    expect(steps.reduce(afterStep, UNCHANGED)).toEqual({ left: ['R1'], entered: ['R8', 'R2'] });
  });
  it('are unknown until the next deal if some were missed', () => {
    expect(afterStep(null, step({ left: ['R1'], entered: [] }))).toBeNull();
    expect(afterStep(null, step(null, deal))).toEqual(UNCHANGED);
  });
});

describe('failed set-up', () => {
  it('must not be blamed on a seat that revealed its share', () => {
    const note = { note: 'aborted' as const, match: proof.match, seats: [0, 2] };
    expect(checkBlame(note, server.sealed(), own)).toEqual([
      { id: 'deal-blamed', data: { seat: 2 } },
    ]);
    expect(
      ids(checkBlame({ ...note, seats: [0] }, server.sealed(), { ...own, opened: true })),
    ).toEqual(['deal-blamed']);
    expect(checkBlame({ ...note, seats: [0, 1] }, server.sealed(), own)).toEqual([]);
    expect(checkBlame({ ...note, match: 'another' }, server.sealed(), null)).toEqual([]);
  });
});

describe('match record', () => {
  it('must contain our share and the transcript', () => {
    const { fairness } = server.record;
    expect(checkRecord(server.record, own, proof.transcript)).toEqual([]);
    const wrong = (what: string) => [{ id: 'deal-record', data: { what } }];
    expect(checkRecord({}, own, null)).toEqual(wrong('fairness'));
    const seeds = { ...fairness!, client_seeds: swapped(proof.client_seeds, 0, OTHER) };
    expect(checkRecord({ fairness: seeds }, own, null)).toEqual(wrong('client_seeds'));
    expect(checkRecord({ fairness: { ...fairness!, match: 'another' } }, own, null)).toEqual(
      wrong('match'),
    );
    expect(checkRecord(server.record, own, OTHER)).toEqual(wrong('transcript'));
  });
});
