/** What the program asserts to be there without looking, counted room by room: the numbers may only fall. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { filesBelow, root, walk } from './support/modules.ts';
import type { Node } from './support/modules.ts';

/** A room that is not named has none. */
const most: Readonly<Record<string, number>> = {
  'server/delivery': 1,
  'server/records': 1,
  'server/storage': 4,
  'src/domain': 1,
};

const roomOf = (path: string): string => path.split('/').slice(0, 2).join('/');

function countIn(path: string): number {
  const text = readFileSync(join(root, path), 'utf8');
  // The tree of a file costs much more than a look at its characters.
  if (!/[\w)\]]!(?!=)/.test(text)) return 0;
  let count = 0;
  walk(parseSync(path, text).program as unknown as Node, ({ type }) => {
    if (type === 'TSNonNullExpression') count += 1;
  });
  return count;
}

test('no room asserts more than it did', () => {
  const counts: Record<string, number> = {};
  for (const path of filesBelow(root, ['src', 'server', 'cli', 'desktop'], /\.c?tsx?$/)) {
    const count = countIn(path);
    if (count > 0) counts[roomOf(path)] = (counts[roomOf(path)] ?? 0) + count;
  }
  const grown = Object.entries(counts).filter(([room, count]) => count > (most[room] ?? 0));
  expect(grown, 'types, a loop or src/domain/elements.ts say it without an assertion').toEqual([]);
});

test('an assertion is found wherever it is', () => {
  const seen: string[] = [];
  walk(parseSync('a.ts', 'const a = b[0]!; if (!a != !c) d(e!);').program as unknown as Node, ({ type }) => {
    if (type === 'TSNonNullExpression') seen.push(type);
  });
  expect(seen).toHaveLength(2);
});
