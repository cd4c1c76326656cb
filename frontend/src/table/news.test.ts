import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Notes } from '../protocol';
import { settings } from '../state/settings.svelte';
import de from './news.de.json';
import { noteText } from './news';
import type { Teller } from './news';

const NAMES = ['Ada', 'Ben', 'Cleo'];
const toAda: Teller = {
  me: 0,
  nameOf: (seat) => NAMES[seat] ?? '?',
  personName: () => 'Ben',
};

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

describe('noteText', () => {
  test.each(NOTES)('%j', (note, german) => {
    expect(noteText(note, toAda)).toBe(german);
    settings.lang = 'en';
    const english = noteText(note, toAda);
    expect(english === '').toBe(german === '');
    expect(Object.values(de)).not.toContain(english || 'silent');
  });
});
