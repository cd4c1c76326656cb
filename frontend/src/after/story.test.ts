import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Story } from '../protocol';
import { offered } from '../shared/select.testing';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import { fakeAudio, touch } from '../table/audio.testing';
import Celebration from './Celebration.svelte';
import MatchEnd from './MatchEnd.svelte';
import Moments from './Moments.svelte';
import { HEIGHT, WIDTH, drawPicture, textOf } from './picture';
import type { PictureFacts } from './picture';
import Podium from './Podium.svelte';
import ShareResult from './ShareResult.svelte';
import { share } from './sharing';
import de from './story.de.json';
import en from './story.en.json';

beforeEach(() => {
  settings.lang = 'en';
  settings.motion = 'off';
});
afterEach(() => vi.unstubAllGlobals());

const MOMENTS: Story['moments'] = [
  {
    kind: 'best',
    index: 31,
    round: 1,
    trick: 7,
    cards: ['L10', 'L2', 'R3'],
    seat: 1,
    card: 'L10',
    changes: [0, -15, 0],
    title: 'Your best moment',
    text: 'Round 1, trick 7, won by L10: Ben −15',
  },
];
const FACTS: PictureFacts = {
  title: 'Sticheln',
  date: '18 November 2026',
  headline: 'Ada finishes one point ahead of Ben.',
  sentence: 'The very last trick decided it.',
  steps: [
    { marks: [0], place: 1, name: 'Ada', points: 3, decides: '♥♥' },
    { marks: [1], place: 2, name: 'Ben', points: 2, decides: '♥♡' },
    {
      marks: [2],
      place: 3,
      name: 'Cleopatra the Magnificent of Alexandria',
      points: -7,
      decides: '',
    },
  ],
};
const TEAM_RANKING = [
  [1, 3],
  [0, 2],
];
const TEAMS = [
  { letter: 'A', seats: [0, 2], points: 7 },
  { letter: 'B', seats: [1, 3], points: 17 },
];
const COLOURS = { mat: '#111', edge: '#000', seam: '#fc0', ink: '#fff', plate: '#222' };

/** A brush that notes what it writes and measures 10 pixels for a sign. */
class NotingBrush {
  written: string[] = [];
  font = '';
  fillStyle: unknown = '';
  strokeStyle: unknown = '';
  lineWidth = 1;
  textAlign = '';
  createRadialGradient = () => ({ addColorStop: () => undefined });
  measureText = (text: string) => ({ width: [...text].length * 10 });
  fillText = (text: string) => void this.written.push(text);
  drawn: unknown[] = [];
  drawImage = (image: unknown) => void this.drawn.push(image);
  fillRect = () => undefined;
  setLineDash = () => undefined;
  beginPath = () => undefined;
  roundRect = () => undefined;
  arc = () => undefined;
  fill = () => undefined;
  stroke = () => undefined;
}

describe('texts around the story', () => {
  it('have the same sorted ids in both languages', () => {
    expect(Object.keys(de)).toEqual(Object.keys(en));
    expect(Object.keys(en)).toEqual([...Object.keys(en)].sort());
  });
});

describe('Podium', () => {
  it('lists everyone by place, the winner with a crown in the middle', () => {
    render(Podium, {
      names: ['Ada', 'Ben', 'Cleo'],
      totals: [3, 5, -3],
      ranking: [[1], [0], [2]],
      own: 0,
    });
    const steps = within(screen.getByRole('list', { name: 'The result' })).getAllByRole('listitem');
    const texts = steps.map((step) => step.textContent.replace(/\s+/g, ' ').trim());
    expect(texts).toEqual(['1. Ben 5', '2. You 3', '3. Cleo −3']);
    expect(steps.map((step) => step.querySelector('.crown') !== null)).toEqual([
      true,
      false,
      false,
    ]);
    expect(steps.map((step) => step.style.order)).toEqual(['1', '0', '2']);
  });

  it('puts a team on one step with its sum: the second team is second', () => {
    render(Podium, {
      names: ['Ada', 'Ben', 'Cleo', 'Dan'],
      totals: [3, 9, 4, 8],
      ranking: TEAM_RANKING,
      teams: TEAMS,
      own: 2,
    });
    const steps = within(screen.getByRole('list', { name: 'The result' })).getAllByRole('listitem');
    const texts = steps.map((step) => step.textContent.replace(/\s+/g, ' ').trim());
    expect(texts).toEqual(['1. Ben and Dan 17', '2. Ada and you 7']);
  });

  it('shows what decided before the points', () => {
    const first = (seat: number) => ({
      count: 2 - seat,
      text: ['♥♥', '♥♡'][seat] ?? '',
      spoken: ['2 hearts', '1 heart'][seat] ?? '',
    });
    render(Podium, { names: ['Ada', 'Ben'], totals: [3, 8], ranking: [[0], [1]], first });
    const steps = screen.getAllByRole('listitem').map((step) => step.textContent);
    expect(steps[0]).toMatch(/Ada\s+♥♥\s*2 hearts\s+3/);
    expect(steps[1]).toMatch(/Ben\s+♥♡\s*1 heart\s+8/);
  });

  it('crowns all who share the win', () => {
    render(Podium, { names: ['Ada', 'Ben'], totals: [3, 3], ranking: [[0, 1]] });
    expect(document.querySelectorAll('.crown').length).toBe(2);
  });
});

describe('Moments', () => {
  it('leads into the replay at the step that completed the trick', () => {
    render(Moments, { match: 'm', moments: MOMENTS });
    const link = screen.getByRole('link');
    expect(link.getAttribute('href')).toBe('/replay/m/31');
    const spoken = link.textContent.replace(/\s+/g, ' ');
    expect(spoken).toMatch(/Your best moment : Round 1, trick 7, won by .*lilac 10: Ben −15/);
  });
});

describe('Celebration', () => {
  it('lets 60 shapes fall, hidden from screen readers, until the person does something', async () => {
    settings.motion = 'on';
    const { container } = render(Celebration);
    expect(container.querySelectorAll('.shapes span').length).toBe(60);
    expect(container.querySelector('.celebration')?.getAttribute('aria-hidden')).toBe('true');
    await fireEvent.keyDown(window, { key: 'Tab' });
    expect(container.querySelector('.shapes')).toBeNull();
  });

  it('takes the shapes away when all have fallen', async () => {
    settings.motion = 'on';
    const { container } = render(Celebration);
    const shapes = [...container.querySelectorAll('.shapes span')];
    for (const shape of shapes.slice(1)) shape.dispatchEvent(new Event('animationend'));
    await tick();
    expect(container.querySelector('.shapes')).not.toBeNull();
    shapes[0]?.dispatchEvent(new Event('animationend'));
    await tick();
    expect(container.querySelector('.shapes')).toBeNull();
  });

  it('lets nothing fall when motion is off', () => {
    const { container } = render(Celebration);
    expect(container.querySelector('.shapes')).toBeNull();
  });
});

describe('MatchEnd', () => {
  /** A table at the end of a match that seat 1 won, as seat `own` sees it. */
  const ended = (own: number | null) =>
    ({
      table: { match: 'm', game: 'sticheln', settings: { chat: false }, stage: 'over' },
      view: {
        table: {},
        seat: own,
        names: ['Ada', 'Ben', 'Cleo'],
        ranking: [[1], [0], [2]],
        totals: [3, 5, -3],
        scores: [],
        options: {},
        round: 1,
        rounds: 1,
      },
      deal: { words: [], own: 'unknown' },
      isHost: true,
      seat: own,
      events: [],
      frame: null,
      watching: 0,
      complaint: null,
    }) as unknown as TableStore;

  const served = { sentences: ['You finish one point ahead of Ada.'], moments: MOMENTS };

  it.each([
    [1, 'on', 1],
    [1, 'off', 0],
    [0, 'on', 0],
    [null, 'on', 0],
  ] as const)('celebrates a win only: seat %s, motion %s', (own, motion, times) => {
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(served)));
    settings.motion = motion;
    const { container } = render(MatchEnd, { store: ended(own) });
    expect(container.querySelectorAll('.celebration').length).toBe(times);
  });

  it.each([
    [1, [523, 659, 784, 1_047]],
    [0, []],
    [null, []],
  ])('a win is heard once, and nothing else: seat %s', async (own, notes) => {
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
    const audio = fakeAudio();
    settings.sound = true;
    touch();
    render(MatchEnd, { store: ended(own) });
    await tick();
    const heard = audio.started.map(({ pitch }) => pitch).filter((_, at) => at % 2 === 0);
    expect(heard).toEqual(notes);
    audio.started = [];
    for (const on of [false, true]) {
      settings.sound = on;
      await tick();
    }
    expect(audio.started, 'again when sounds are switched on').toEqual([]);
  });

  it('makes no sound at a win while sounds are off', async () => {
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
    const audio = fakeAudio();
    settings.sound = false;
    touch();
    render(MatchEnd, { store: ended(1) });
    await tick();
    expect(audio.started).toEqual([]);
  });

  it('offers the same cards from the seat you had in that match, not the one you have now', async () => {
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
    HTMLDialogElement.prototype.showModal ??= vi.fn();
    render(MatchEnd, { store: Object.assign(ended(1), { seat: 2 }) });
    await fireEvent.click(screen.getByRole('button', { name: 'Same cards again' }));
    expect(screen.getByLabelText('Whose cards do you play?').dataset.value).toBe('1');
  });

  it('addresses your seat, on the mat of the game', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: URL) => {
      asked.push(`${url.pathname}${url.search}`);
      return new Response(JSON.stringify(served));
    });
    const { container } = render(MatchEnd, { store: ended(1) });
    expect(await screen.findByText('You finish one point ahead of Ada.')).toBeTruthy();
    expect(asked).toEqual(['/api/matches/m/story?seat=1&lang=en']);
    expect(container.querySelector('main')?.dataset.game).toBe('sticheln');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2 }));
    expect(screen.getByRole('heading', { name: 'Worth a second look' })).toBeTruthy();
    expect(container.querySelectorAll('.fan [data-card]').length).toBe(3);
  });

  it('says "you" for your seat in the chart and where the same cards are offered', async () => {
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
    const store = ended(1);
    (store.view as unknown as { scores: number[][] }).scores = [[3, 5, -3]];
    const { container } = render(MatchEnd, { store });
    await tick();
    const chart = container.querySelector('.went')?.textContent ?? '';
    expect(chart).toContain('You, Round 1: 5');
    expect(chart).not.toContain('Ben');
    expect(await offered('Whose cards do you play?')).toEqual(['A – Ada', 'B – You', 'C – Cleo']);
  });

  it.each([
    [1, 'You win together with Dan!'],
    [0, 'Ben and Dan win together!'],
  ])('partners win together, they do not share the win: seat %s', (own, headline) => {
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
    const store = ended(own);
    const teams = TEAMS.map(({ seats }) => seats);
    const facts = { names: ['Ada', 'Ben', 'Cleo', 'Dan'], totals: [3, 9, 4, 8] };
    const view = { ...facts, ranking: TEAM_RANKING, table: { teams, team_totals: [7, 17] } };
    render(MatchEnd, { store: Object.assign(store, { view: { ...store.view, ...view } }) });
    expect(screen.getByRole('heading', { level: 2 }).textContent.trim()).toBe(headline);
  });

  it.each([
    ['friends', false, 6],
    ['bots alone', true, 0],
  ])(
    'has the six words of the deal under "Verify" after a match with %s',
    async (_, solo, count) => {
      history.replaceState(null, '');
      vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
      const words = ['one', 'two', 'three', 'four', 'five', 'six'];
      const store = Object.assign(ended(1), { solo, deal: { words, own: 'mine' } });
      const { container } = render(MatchEnd, { store });
      const fold = container.querySelector<HTMLDetailsElement>('#verify')!;
      expect(screen.queryByText('three'), 'nowhere else').toBeNull();
      fold.open = true;
      await fireEvent(fold, new Event('toggle'));
      expect(fold.querySelectorAll('.words li')).toHaveLength(count);
    },
  );

  it('has everything else when there is no story', async () => {
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
    render(MatchEnd, { store: ended(1) });
    await tick();
    expect(screen.getByRole('button', { name: 'Rematch' })).toBeTruthy();
    expect(screen.getByRole('list', { name: 'The result' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'Worth a second look' })).toBeNull();
  });
});

describe('the share picture', () => {
  it('has the size that previews of links expect', () => {
    expect([WIDTH, HEIGHT]).toEqual([1200, 630]);
  });

  it('writes the facts it was given and nothing else', () => {
    vi.stubGlobal('Path2D', class {});
    const brush = new NotingBrush();
    drawPicture(brush as unknown as CanvasRenderingContext2D, FACTS, COLOURS);
    expect(brush.written).toEqual([
      'Ada finishes one point ahead of Ben.',
      'The very last trick decided it.',
      'A',
      '1. Ada',
      '♥♥ 3',
      'B',
      '2. Ben',
      '♥♡ 2',
      'C',
      '3. Cleopatra th…',
      '−7',
      'Stichwerk · Sticheln',
      '18 November 2026',
    ]);
  });

  it('has the patches of people, and letters only where those cannot be drawn', () => {
    vi.stubGlobal('Path2D', class {});
    const brush = new NotingBrush();
    const steps = FACTS.steps.map((step, at) => ({ ...step, patches: [`patch ${at}`] }));
    const owl = {} as CanvasImageSource;
    const drawn = new Map([['patch 1', owl]]);
    drawPicture(brush as unknown as CanvasRenderingContext2D, { ...FACTS, steps }, COLOURS, drawn);
    expect(brush.drawn).toEqual([owl]);
    expect(brush.written.filter((text) => text.length === 1)).toEqual(['A', 'C']);
  });

  it('leaves no word of a long headline alone', () => {
    vi.stubGlobal('Path2D', class {});
    const brush = new NotingBrush();
    const headline = `${'word '.repeat(22)}end.`;
    drawPicture(brush as unknown as CanvasRenderingContext2D, { ...FACTS, headline }, COLOURS);
    const [first = '', second = ''] = brush.written;
    expect(`${first} ${second}`).toBe(headline);
    expect(Math.abs(first.length - second.length)).toBeLessThan(16);
  });

  it('says the same as text', () => {
    expect(textOf(FACTS).split('\n')).toEqual([
      'Stichwerk · Sticheln · 18 November 2026',
      'Ada finishes one point ahead of Ben.',
      '1. Ada: ♥♥ 3',
      '2. Ben: ♥♡ 2',
      '3. Cleopatra the Magnificent of Alexandria: −7',
    ]);
  });
});

describe('sharing', () => {
  const picture = new Blob(['png'], { type: 'image/png' });

  it('uses the way of the device where there is one', async () => {
    const shared: ShareData[] = [];
    vi.stubGlobal('navigator', {
      canShare: () => true,
      share: async (data: ShareData) => void shared.push(data),
    });
    expect(await share(picture, 'result.png', 'text')).toBe('shared');
    expect(shared[0]?.files?.map((file) => [file.name, file.type])).toEqual([
      ['result.png', 'image/png'],
    ]);
  });

  it('does nothing more when the person changes their mind', async () => {
    const stop = Object.assign(new Error('stop'), { name: 'AbortError' });
    vi.stubGlobal('navigator', { canShare: () => true, share: () => Promise.reject(stop) });
    expect(await share(picture, 'result.png', 'text')).toBe('dropped');
  });

  it('saves the picture where it cannot be shared', async () => {
    vi.stubGlobal('navigator', {});
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    expect(await share(picture, 'result.png', 'text')).toBe('saved');
    expect(saved).toHaveBeenCalledOnce();
    saved.mockRestore();
  });

  it('copies the text where there is no picture, or says that it failed', async () => {
    const copied: string[] = [];
    const clipboard = { writeText: async (text: string) => void copied.push(text) };
    vi.stubGlobal('navigator', { clipboard });
    expect(await share(null, 'result.png', 'text')).toBe('copied');
    expect(copied).toEqual(['text']);
    vi.stubGlobal('navigator', {});
    expect(await share(null, 'result.png', 'text')).toBe('failed');
  });

  it('shares the result of teams', async () => {
    const copied: string[] = [];
    vi.stubGlobal('fetch', async () => new Response('{"sentences": [], "moments": []}'));
    vi.stubGlobal('navigator', {
      language: 'en',
      clipboard: { writeText: async (text: string) => void copied.push(text) },
    });
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    render(ShareResult, {
      match: 'm',
      game: 'null-nichtig',
      names: ['Ada', 'Ben', 'Cleo', 'Dan'],
      totals: [3, 9, 4, 8],
      ranking: TEAM_RANKING,
      teams: TEAMS,
    });
    await fireEvent.click(screen.getByRole('button', { name: 'Share' }));
    await screen.findByText('The result is on your clipboard.');
    expect(copied[0]).toMatch(/1\. Ben and Dan: 17\n2\. Ada and Cleo: 7$/);
  });

  it('addresses spectators, and says what became of it', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: URL) => {
      asked.push(`${url.pathname}${url.search}`);
      return new Response(JSON.stringify({ sentences: ['Ada finishes ahead.'], moments: [] }));
    });
    const copied: string[] = [];
    vi.stubGlobal('navigator', {
      language: 'en',
      clipboard: { writeText: async (text: string) => void copied.push(text) },
    });
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    render(ShareResult, {
      match: 'm',
      game: 'sticheln',
      names: ['Ada', 'Ben'],
      totals: [3, 2],
      ranking: [[0], [1]],
    });
    await fireEvent.click(screen.getByRole('button', { name: 'Share' }));
    expect(await screen.findByText('The result is on your clipboard.')).toBeTruthy();
    expect(asked).toEqual(['/api/matches/m/story?seat=open&lang=en']);
    expect(copied[0]).toMatch(/Ada finishes ahead\.\n1\. Ada: 3\n2\. Ben: 2/);
  });
});
