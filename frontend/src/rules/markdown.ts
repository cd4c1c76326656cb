/**
 * A parser for the small subset of Markdown that our texts use. Nothing of it ever becomes HTML
 * text: components create elements from it, so whatever a text contains is shown and never run.
 */
import { withCards } from '../cards/cards';

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'bold'; parts: readonly Inline[] }
  | { kind: 'italic'; parts: readonly Inline[] }
  | { kind: 'link'; href: string; parts: readonly Inline[] }
  | { kind: 'cards'; cards: readonly RunCard[] };

/** A card in a sequence, such as `R8, Y8, B5` or `G5 (Ada), G9 (Ben)`. */
export interface RunCard {
  card: string;
  name: string;
}

export type Block =
  | { kind: 'heading'; level: number; parts: readonly Inline[] }
  | { kind: 'paragraph'; parts: readonly Inline[] }
  | { kind: 'list'; ordered: boolean; items: readonly (readonly Block[])[] }
  | {
      kind: 'table';
      head: readonly (readonly Inline[])[];
      rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: readonly Block[] };

const ITEM = /^ {0,3}(?:[-*+]|(\d+)[.)]) +(.*)$/;
const TABLE_LINE = /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/;

/** Return the blocks of a text. */
export function blocksOf(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (!line.trim()) {
      at += 1;
    } else if (line.startsWith('```')) {
      at = codeBlock(lines, at, blocks);
    } else if (/^#{1,6} /.test(line)) {
      const [, signs = '#', words = ''] = /^(#{1,6}) +(.*?)(?: #+)?$/.exec(line) ?? [];
      blocks.push({ kind: 'heading', level: signs.length, parts: inlineOf(words) });
      at += 1;
    } else if (line.startsWith('>')) {
      at = quote(lines, at, blocks);
    } else if (line.includes('|') && TABLE_LINE.test(lines[at + 1] ?? '')) {
      at = table(lines, at, blocks);
    } else if (ITEM.test(line)) {
      at = list(lines, at, blocks);
    } else {
      at = paragraph(lines, at, blocks);
    }
  }
  return blocks;
}

function codeBlock(lines: readonly string[], from: number, blocks: Block[]): number {
  let end = from + 1;
  while (end < lines.length && !lines[end]!.startsWith('```')) end += 1;
  blocks.push({ kind: 'code', text: lines.slice(from + 1, end).join('\n') });
  return end + 1;
}

function quote(lines: readonly string[], from: number, blocks: Block[]): number {
  let end = from;
  while (end < lines.length && lines[end]!.startsWith('>')) end += 1;
  const inner = lines.slice(from, end).map((line) => line.replace(/^> ?/, ''));
  blocks.push({ kind: 'quote', blocks: blocksOf(inner.join('\n')) });
  return end;
}

function table(lines: readonly string[], from: number, blocks: Block[]): number {
  let end = from + 2;
  while (end < lines.length && lines[end]!.includes('|')) end += 1;
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((it) => inlineOf(it.trim()));
  blocks.push({
    kind: 'table',
    head: cells(lines[from]!),
    rows: lines.slice(from + 2, end).map(cells),
  });
  return end;
}

/** Parse a list: indented lines belong to the item above them. */
function list(lines: readonly string[], from: number, blocks: Block[]): number {
  const ordered = ITEM.exec(lines[from]!)?.[1] !== undefined;
  const items: string[][] = [];
  let at = from;
  for (; at < lines.length; at += 1) {
    const line = lines[at]!;
    const item = ITEM.exec(line);
    if (item && (item[1] !== undefined) === ordered) items.push([item[2]!]);
    else if (/^ {2,}\S/.test(line)) items.at(-1)!.push(line.replace(/^ {2,4}/, ''));
    else if (line.trim() || !/^( {2,}\S| {0,3}(?:[-*+]|\d+[.)]) )/.test(lines[at + 1] ?? '')) break;
    else items.at(-1)!.push('');
  }
  blocks.push({ kind: 'list', ordered, items: items.map((item) => blocksOf(item.join('\n'))) });
  return at;
}

function paragraph(lines: readonly string[], from: number, blocks: Block[]): number {
  let end = from + 1;
  while (
    end < lines.length &&
    lines[end]!.trim() &&
    !/^(```|#{1,6} |>)/.test(lines[end]!) &&
    !ITEM.test(lines[end]!)
  ) {
    end += 1;
  }
  const text = lines
    .slice(from, end)
    .map((line) => line.trim())
    .join(' ');
  blocks.push({ kind: 'paragraph', parts: inlineOf(text) });
  return end;
}

const MARKS =
  /`([^`]+)`|\*\*(.+?)\*\*|(?<![\w*])[*_](?=\S)(.+?)(?<=\S)[*_](?![\w*])|\[([^\]]+)\]\(([^)\s]+)\)/;

/** Return the inline parts of a line. */
export function inlineOf(text: string): Inline[] {
  const found = MARKS.exec(text);
  if (!found) return text ? runs(text) : [];
  const parts = [...runs(text.slice(0, found.index)), marked(found)];
  return [...parts, ...inlineOf(text.slice(found.index + found[0].length))];
}

/** Files of the repository that are pages here. */
const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^\.\.\/(calendar|yearbook)\.\w\w\.md$/, '/calendar#sheets'],
];

function marked(found: RegExpExecArray): Inline {
  const [, code, bold, italic, words, href] = found;
  if (code !== undefined) return coded(code);
  if (bold !== undefined) return { kind: 'bold', parts: inlineOf(bold) };
  if (italic !== undefined) return { kind: 'italic', parts: inlineOf(italic) };
  const parts = inlineOf(words ?? '');
  const page = PAGES.find(([file]) => file.test(href ?? ''))?.[1] ?? href ?? '';
  return isOurs(page) ? { kind: 'link', href: page, parts } : { kind: 'italic', parts };
}

function coded(code: string): Inline {
  return isCard(code) ? { kind: 'text', text: code } : { kind: 'code', text: code };
}

/**
 * Return whether a link leads to our pages, or to a section of this one; others are shown as text.
 */
function isOurs(href: string): boolean {
  return /^(\/(?!\/)|#)/.test(href);
}

function isCard(text: string): boolean {
  const parts = withCards(text);
  return parts.length === 3 && parts[0] === '' && parts[2] === '';
}

const CARD =
  '(?<![A-Za-z0-9])[RYGBLS](?:1[0-5]|[0-9])(?![A-Za-z0-9>+])(?: \\([A-ZÄÖÜ][a-zäöüß]+\\))?';
const RUN = new RegExp(`${CARD}(?:, ${CARD}){2,}`);

/**
 * Split off three or more cards in a row, which are drawn as cards; single ones stay in the text.
 */
function runs(text: string): Inline[] {
  const found = RUN.exec(text);
  if (!found) return text ? [{ kind: 'text', text }] : [];
  const cards = found[0].split(', ').map((one) => {
    const [card = '', name = ''] = one.split(' ');
    return { card, name: name.replace(/[()]/g, '') };
  });
  const before = text.slice(0, found.index);
  const rest = runs(text.slice(found.index + found[0].length));
  return [
    ...(before ? [{ kind: 'text' as const, text: before }] : []),
    { kind: 'cards', cards },
    ...rest,
  ];
}
