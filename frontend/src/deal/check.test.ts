import { describe, expect, it } from 'vitest';

import type { Dealing, Event, HandDealt, RoundStarted, View } from '../protocol';
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
import honest from './fixtures/hands.json';
import { AnnouncedDeal } from './testing';
import { WORD_LIST } from './words-list';

const server = new AnnouncedDeal();
const { proof } = server;
const OTHER = 'f'.repeat(64);
const own = { ...ownShare(proof.match, 0, server.share(0)), sealed: true };
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
  const rest = dealt.slice(2);
  const shown = (cards: readonly string[], events: readonly Event[], facts: Partial<View> = {}) =>
    ids(
      checkShownHand(
        server.view(0, { hand: [...cards].sort(), ...facts }),
        [round, hand, ...events],
        0,
      ),
    );
  const own = (kind: 'choice' | 'play', move: string): Event =>
    kind === 'choice' ? { kind, seat: 0, move } : { kind, seat: 0, move, cards: [move] };

  it('is the dealt hand minus played cards plus received ones', () => {
    expect(shown(dealt, [])).toEqual([]);
    expect(shown([...dealt.slice(1), 'X9'], [])).toEqual(['deal-hand']);
    expect(shown(dealt.slice(1), [])).toEqual(['deal-hand']);
    const played = [own('choice', dealt[0]!), own('play', dealt[1]!)];
    expect(shown(rest, played)).toEqual([]);
    expect(
      shown(rest, [...played, { kind: 'play', seat: 1, move: rest[0]!, cards: [rest[0]!] }]),
      'by another',
    ).toEqual([]);
    expect(shown(rest.slice(1), played)).toEqual(['deal-hand']);
    expect(shown(dealt.slice(1), played)).toEqual(['deal-hand']);
    expect(
      shown([...rest, 'X9'], [...played, { kind: 'received', seat: 0, cards: ['X9'] }]),
    ).toEqual([]);
  });
  it('may keep a chosen card until it is passed', () => {
    const choice = own('choice', dealt[0]!);
    expect([shown(dealt, [choice]), shown(dealt.slice(1), [choice])]).toEqual([[], []]);
    expect(shown(dealt, [choice, { kind: 'passed' }])).toEqual(['deal-hand']);
    const back: Event = { kind: 'received', seat: 0, cards: [dealt[0]!] };
    expect(
      shown(dealt.slice(1), [choice, { kind: 'passed' }, back, own('play', dealt[0]!)]),
    ).toEqual([]);
  });
  it('handles one or both of two twins being chosen', () => {
    const twins = { ...hand, cards: ['L0', 'L0', 'R1'] };
    const left = (chosen: string, cards: string[], ...events: Event[]) =>
      ids(
        checkShownHand(
          server.view(0, { hand: cards }),
          [round, twins, own('choice', chosen), { kind: 'revealed', choices: [] }, ...events],
          0,
        ),
      );
    expect([
      left('L0', ['L0', 'R1']),
      left('L0', ['R1'], own('play', 'L0')),
      left('L0,L0', ['R1']),
    ]).toEqual([[], [], []]);
    expect([
      left('L0', ['L0', 'L0', 'R1']),
      left('L0', ['L0', 'R1'], own('play', 'L0')),
      left('L0,L0', ['L0', 'R1']),
    ]).toEqual([['deal-hand'], ['deal-hand'], ['deal-hand']]);
  });
  it('may lack cards that were set aside, but has no others', () => {
    expect(shown(rest, [{ kind: 'aside', counts: [] }])).toEqual([]);
    expect(shown([...rest, 'X9'], [{ kind: 'aside', counts: [] }])).toEqual(['deal-hand']);
  });
  it.each(honest)(
    'passes through a round played by Python: $game $options.date',
    ({ game, options, events, hands }) => {
      expect(hands.length).toBeGreaterThan(20);
      for (const [known, cards] of hands as [number, string][]) {
        const view = server.view(0, {
          game,
          options: options as View['options'],
          hand: cards.split(' ').filter(Boolean),
        });
        expect(
          checkShownHand(view, events.slice(0, known) as Event[], 0),
          `after ${known} events`,
        ).toEqual([]);
      }
    },
  );
  it('is checked only right after the deal in custom games', () => {
    const hash = 'a'.repeat(64);
    for (const facts of [{ game: 'own' }, { options: { sheets: [`month 5 ${hash}`] } }]) {
      expect(shown(rest, [{ kind: 'game', name: 'swap', seat: 0, move: 'x' }], facts)).toEqual([]);
      expect(shown(rest, [], facts)).toEqual(['deal-hand']);
    }
    expect(checkShownHand(server.view(0), [round], 0), 'with nothing to compare').toEqual([]);
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
