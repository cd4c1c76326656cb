/** Descriptions of sheets for tests, as the server sends them. */
import { vi } from 'vitest';

import type { FactInfo, MarkInfo, PanelInfo, SheetInfo, ShownInfo } from '../../protocol';

export function sheet(
  name: string,
  kind: SheetInfo['kind'],
  number: number,
  more: Partial<SheetInfo> = {},
): SheetInfo {
  return {
    name,
    kind,
    number,
    label: name,
    title: name,
    short: 'short',
    text: [],
    symbol: null,
    drawing: '',
    facts: [],
    shown: [],
    marks: [],
    panels: [],
    values: [],
    origin: 'own',
    origin_text: '',
    replaces: [],
    extends: [],
    notes: [],
    ...more,
  };
}

export function fact(name: string, form: FactInfo['form'], more: Partial<FactInfo> = {}): FactInfo {
  const texts = { text: name, short: null, sentence: '' };
  return { name, form, ...texts, most: 0, signs: ['', ''], lost: '', ...more };
}

export function shown(
  name: string,
  form: ShownInfo['form'],
  more: Partial<ShownInfo> = {},
): ShownInfo {
  const texts = { text: name, counted: '', states: {}, instead: '', until: '', event: '', by: '' };
  return { name, form, own: false, stock: false, ...texts, ...more };
}

export function mark(name: string, look: MarkInfo['look'], more: Partial<MarkInfo> = {}): MarkInfo {
  return { name, look, text: name, event: '', led: '', ...more };
}

export function panel(
  phase: string,
  widget: PanelInfo['widget'],
  more: Partial<PanelInfo> = {},
): PanelInfo {
  const texts = { title: phase, note: '', which: '', action: '', idle: '', hint: '', chosen: '' };
  return { phase, widget, ...texts, moves: {}, receivers: '', ...more };
}

export function serveSheets(all: readonly SheetInfo[]): void {
  const body = JSON.stringify({ sheets: all, parts: [] });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)));
}
