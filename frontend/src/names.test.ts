/** One name of a type or class for one thing, in all files of the page. */
import { expect, test } from 'vitest';

const SOURCES = import.meta.glob<string>(['./**/*.ts', './**/*.svelte', '!./**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const DEFINED =
  /^\s*(?:export )?(?:abstract )?(?:interface|type|class|enum) (\w+)(?=\s*[<={]|\s)/gm;
/** Each component has its own. */
const PER_FILE = ['Props'];

/** Return the names that several files define, with these files. */
function sharedNames(sources: Readonly<Record<string, string>>): Record<string, string[]> {
  const files = new Map<string, string[]>();
  for (const [path, text] of Object.entries(sources))
    for (const [, name] of text.matchAll(DEFINED))
      files.set(name!, [...(files.get(name!) ?? []), path]);
  const shared = [...files].filter(([name, found]) => found.length > 1 && !PER_FILE.includes(name));
  return Object.fromEntries(shared);
}

test('no two files define a type of the same name', () => {
  expect(Object.keys(SOURCES).length).toBeGreaterThan(100);
  expect(sharedNames(SOURCES)).toEqual({});
});

test('a shared name is found in every form', () => {
  const forms = [
    'export interface Line {\n}',
    '  type Line = string;',
    'export class Line implements Board {}',
    'interface Line<T> {\n}',
    'export abstract class Line {}',
  ];
  for (const form of forms)
    expect(sharedNames({ 'a.ts': form, 'b.svelte': forms[0]! })).toEqual({
      Line: ['a.ts', 'b.svelte'],
    });
  expect(sharedNames({ 'a.ts': 'const type = Line;', 'b.ts': forms[0]! })).toEqual({});
});
