import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Event, Notes } from '../protocol';
import { settings } from '../state/settings.svelte';
import de from './news.de.json';
import { eventText, noteText } from './news';
import type { Teller } from './news';

const NAMES = ['Ada', 'Ben', 'Cleo'];
const toAda: Teller = {
  me: 0,
  game: 'stichtag',
  seats: 3,
  events: [],
  nameOf: (seat) => NAMES[seat] ?? '?',
  personName: () => 'Ben',
};
const told = (event: Event, to: Partial<Teller> = {}): string =>
  eventText(event, { ...toAda, ...to });

/** Everything that a match can tell, each with the words in both languages. */
const EVENTS: [Event, string, string][] = [
  [
    { kind: 'round', round: 2, starter: 0, stock: 0 },
    'Runde 2: Du beginnst.',
    'Round 2: you start.',
  ],
  [
    { kind: 'hand', seat: 0, cards: ['R1', 'R2'] },
    'Du bekommst 2 Karten.',
    'You are dealt 2 cards.',
  ],
  [{ kind: 'play', seat: 1, move: 'G3', cards: ['G3'] }, 'Ben spielt G3.', 'Ben plays G3.'],
  [
    { kind: 'play', seat: 1, move: 'G3+G4', cards: ['G3', 'G4'] },
    'Ben spielt G3+G4.',
    'Ben plays G3+G4.',
  ],
  [
    { kind: 'play', seat: 1, move: 'G3>1', cards: ['G3'], place: 0 },
    'Ben spielt G3 zu Stich 1.',
    'Ben plays G3 to trick 1.',
  ],
  [
    { kind: 'play', seat: 0, move: 'G3>new', cards: ['G3'], place: 0, opens: true },
    'Du eröffnest mit G3 einen neuen Stich.',
    'You open a new trick with G3.',
  ],
  [{ kind: 'trick', seat: 0, cards: ['G3'] }, 'Du nimmst den Stich.', 'You take the trick.'],
  [{ kind: 'trick', seat: 1, place: 2, cards: [] }, 'Ben nimmt Stich 3.', 'Ben takes trick 3.'],
  [
    { kind: 'trick', seat: null, cards: [] },
    'Den Stich bekommt niemand.',
    'Nobody gets the trick.',
  ],
  [{ kind: 'chosen', seat: 2 }, 'Cleo hat gewählt.', 'Cleo has chosen.'],
  [{ kind: 'choice', seat: 0, move: '3' }, '', ''],
  [
    { kind: 'revealed', choices: ['3', '0', '1'] },
    'Angesagt: du 3 · Ben 0 · Cleo 1.',
    'Announced: you 3 · Ben 0 · Cleo 1.',
  ],
  [
    { kind: 'revealed', choices: ['', 'take', 'leave'] },
    'Ben hat die Ansage getroffen und nimmt die Punkte. Cleo hat die Ansage getroffen und lässt die Punkte liegen.',
    'Ben hit the announcement and takes the points. Cleo hit the announcement and leaves the points.',
  ],
  [
    { kind: 'turned', seat: 1, position: 0, value: 6 },
    'Ben deckt ein Punktekärtchen auf: 6.',
    'Ben turns up a scoring card: 6.',
  ],
  [
    { kind: 'scored', scores: [3, -4, 0], totals: [3, -4, 0] },
    'Abgerechnet: du 3 · Ben −4 · Cleo 0.',
    'Scored: you 3 · Ben −4 · Cleo 0.',
  ],
  [
    { kind: 'ended', ranking: [[1], [0], [2]] },
    'Die Partie ist zu Ende. Ben gewinnt.',
    'The match is over. Ben wins.',
  ],
  [
    { kind: 'ended', ranking: [[0, 2], [1]] },
    'Die Partie ist zu Ende. Du gewinnst zusammen mit Cleo!',
    'The match is over. You win together with Cleo!',
  ],
  [{ kind: 'trump', move: 'B' }, 'Trumpf ist Blau.', 'Trump is blue.'],
  [
    { kind: 'partner', seat: 0, value: 2 },
    'Dein geheimer Partner in dieser Runde: Cleo.',
    'Your secret partner in this round: Cleo.',
  ],
  [
    { kind: 'partners', counts: [2, 0, 1] },
    'Partner waren: du → Cleo · Ben → du · Cleo → Ben.',
    'Partners were: you → Cleo · Ben → you · Cleo → Ben.',
  ],
  [
    { kind: 'aside', counts: [1, 2, 0] },
    'Beiseite liegen: du 1 · Ben 2 · Cleo 0.',
    'Cards set aside: you 1 · Ben 2 · Cleo 0.',
  ],
  [
    { kind: 'named', seat: 1, move: 'G' },
    'Ben legt verdeckt eine Karte und sagt Grün.',
    'Ben lays a card face down and says green.',
  ],
  [
    { kind: 'veto', seat: 1, move: 'veto 0', struck: 0 },
    'Ben legt ein Veto ein: Deine Karte gilt nicht.',
    'Ben vetoes: what you played does not count.',
  ],
  [
    { kind: 'veto', seat: 0, move: 'veto 2', struck: 2 },
    'Du legst ein Veto ein: Die Karte von Cleo gilt nicht.',
    'You veto: what Cleo played does not count.',
  ],
  [
    { kind: 'veto', seat: 2, move: 'pass' },
    'Cleo legt kein Veto ein.',
    'Cleo does not use the veto.',
  ],
  [
    { kind: 'stays', seat: 1, cards: ['G6'] },
    'Ben gewinnt den Stich, aber er bleibt liegen.',
    'Ben wins the trick, but it stays on the table.',
  ],
  [{ kind: 'egg', seat: 0 }, 'Du nimmst ein Ei.', 'You take an egg.'],
  [
    { kind: 'passed', counts: [1, 1, 1] },
    'Alle geben eine Karte nach links.',
    'Everyone passes a card to the left.',
  ],
  [
    { kind: 'passed', counts: [1, 0, 1] },
    'Eine Karte nach links geben: du, Cleo.',
    'A card to the left from: you, Cleo.',
  ],
  [
    { kind: 'received', seat: 0, cards: ['B7'] },
    'Von Cleo bekommst du B7.',
    'From Cleo you get B7.',
  ],
  [
    { kind: 'discard', seat: 1, move: 'R3,B0', cards: ['R3', 'B0'] },
    'Ben legt R3, B0 ab und zieht nach.',
    'Ben discards R3, B0 and draws.',
  ],
  [{ kind: 'drew', seat: 0, cards: ['L4'] }, 'Du ziehst L4.', 'You draw L4.'],
  [{ kind: 'drew', seat: 1 }, '', ''],
  [
    { kind: 'gift', seat: 1, move: 'Y5>0', cards: ['Y5'], target: 0 },
    'Ben schenkt dir die Karte Y5.',
    'Ben gives Y5 to you.',
  ],
  [
    { kind: 'sunstroke', seat: 0, giver: 1 },
    'Du bekommst die Sonnenstich-Karte.',
    'You get the Sonnenstich card.',
  ],
  [
    { kind: 'switch', on: false },
    'Der Schalter springt um: Jetzt ist nichts Trumpf.',
    'The switch flips: there is no trump now.',
  ],
  [
    { kind: 'direction', direction: -1 },
    'Die Spielrichtung dreht sich: Jetzt geht es gegen den Uhrzeigersinn weiter.',
    'The direction of play turns: anticlockwise now.',
  ],
  [{ kind: 'game', name: 'thunder', seat: 1 }, '', ''],
];

const NOTES: [Notes, string][] = [
  [{ note: 'joined', person: 'b', name: 'Ben', seat: 1 }, 'Ben setzt sich an den Tisch.'],
  [{ note: 'joined', person: 'b', name: 'Ben', seat: null }, 'Ben ist dazugekommen.'],
  [
    { note: 'moved', seat: 1, place: { person: null, level: 'easy' } },
    'Ein Bot spielt jetzt auf Platz B.',
  ],
  [{ note: 'moved', seat: 1, place: { person: 'b', level: null } }, 'Ben sitzt jetzt auf Platz B.'],
  [{ note: 'moved', seat: 1, place: { person: null, level: null } }, 'Platz B ist frei.'],
  [{ note: 'renamed', person: 'b', name: 'Benno' }, 'Ein neuer Name am Tisch: Benno.'],
  [{ note: 'changed' }, 'Die Einstellungen des Tischs haben sich geändert.'],
  [{ note: 'away', seat: 1 }, 'Ben ist gerade weg. Solange spielt ein Bot.'],
  [{ note: 'back', seat: 1 }, 'Ben ist wieder da und spielt selbst.'],
  [{ note: 'sealing', match: 'm' }, 'Die Karten werden gemischt, alle mischen mit.'],
  [{ note: 'sealed', seat: 1 }, ''],
  [{ note: 'opened', seat: 1 }, ''],
  [
    { note: 'aborted', match: 'm', seats: [1] },
    'Das Mischen ist gescheitert. Anteil nicht geöffnet: Ben.',
  ],
  [{ note: 'agreed', seat: 1 }, 'Ben ist einverstanden, neu auszuteilen.'],
  [{ note: 'begun', match: 'm' }, 'Die Karten sind verteilt.'],
  [{ note: 'published', round: 1, seed: '' }, ''],
  [{ note: 'asked', seat: 1 }, 'Ben möchte den letzten Zug zurücknehmen.'],
  [{ note: 'declined', seat: 0 }, 'Du bist mit dem Zurücknehmen nicht einverstanden.'],
  [{ note: 'took-back', seat: 1, events: 1 }, 'Ben nimmt den letzten Zug zurück.'],
  [{ note: 'hinted', seat: 1 }, 'Ben hat sich einen Tipp geholt.'],
  [{ note: 'stood-in', seat: 1, why: 'clock' }, 'Die Zeit von Ben war um: ein Bot hat gezogen.'],
  [
    { note: 'stood-in', seat: 0, why: 'bot' },
    'Für dich wurde ein Zug gemacht, weil der Bot nicht weiterkam.',
  ],
  [{ note: 'said', person: 'b', text: 'hi', preset: null, name: 'Ben' }, ''],
  [{ note: 'hosts', person: 'b', for_good: false }, 'Ben leitet jetzt den Tisch.'],
  [{ note: 'hosts', person: 'b', for_good: true }, 'Der Tisch gehört jetzt Ben.'],
  [{ note: 'removed', person: 'x', name: 'Eva', blocked: true }, 'Eva wurde vom Tisch entfernt.'],
  [{ note: 'muted', person: 'b', muted: true }, 'Ben darf gerade nicht mehr chatten.'],
];

beforeEach(() => (settings.lang = 'de'));
afterEach(() => (settings.lang = 'en'));

describe('events', () => {
  test.each(EVENTS)('%j', (event, german, english) => {
    expect(told(event)).toBe(german);
    settings.lang = 'en';
    expect(told(event)).toBe(english);
  });

  test('eggs go to those who took them in this round', () => {
    const events: Event[] = [
      { kind: 'egg', seat: 2 },
      { kind: 'round', round: 2, starter: 0, stock: 0 },
      { kind: 'egg', seat: 1 },
      { kind: 'egg', seat: 1 },
      { kind: 'eggs', counts: [3, -2] },
    ];
    expect(told(events[4]!, { events })).toBe(
      'Die Eier sind aufgedeckt: du – · Ben 3 + −2 · Cleo –.',
    );
  });

  test('each game names what was chosen secretly', () => {
    const event: Event = { kind: 'revealed', choices: ['G3,G4', 'R1', 'B2'] };
    expect(told(event, { game: 'null-nichtig' })).toBe('Ausgelegt: du G3 G4 · Ben R1 · Cleo B2.');
    expect(told(event, { game: 'sticheln' })).toMatch(/^Ärgerkarten/);
    expect(told(event, { game: 'stichling' })).toMatch(/^Punktekärtchen/);
    expect(told(event, { game: 'mine' })).toMatch(/^Gewählt/);
  });

  test('whoever watches is nobody', () => {
    expect(told({ kind: 'trick', seat: 0, cards: [] }, { me: null })).toBe('Ada nimmt den Stich.');
  });

  test('unknown kinds are passed over', () =>
    expect(told({ kind: 'new' } as unknown as Event)).toBe(''));
});

describe('notes', () => {
  test.each(NOTES)('%j', (note, german) => {
    expect(noteText(note, toAda)).toBe(german);
    settings.lang = 'en';
    const english = noteText(note, toAda);
    expect(english === '').toBe(german === '');
    expect(Object.values(de)).not.toContain(english || 'silent');
  });
});
