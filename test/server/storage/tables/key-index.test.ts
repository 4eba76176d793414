import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { hashOfName, KeyIndex } from '../../../../server/storage/tables/key-index.ts';

const slotBits = 2;
const rowCount = 64;
const row = fc.nat(rowCount - 1);
/** Few hashes, some of which want the same place. */
const hash = fc.integer({ min: 1, max: 6 }).map((n) => (n % 2 === 0 ? n : 2 ** 24 * n + n));
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), row, hash, age: fc.nat(1000) }),
  fc.record({ kind: fc.constant('remove' as const), row }),
  fc.record({ kind: fc.constant('move' as const), row, to: row }),
);

test('leads to the rows of a hash, newest first, whatever is added, removed and moved', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      /** What each row has: the model. */
      const rows = new Map<number, { readonly hash: number; readonly age: number }>();
      const ages = new Set<number>();
      const index = new KeyIndex(slotBits, (one, other) => rows.get(one)!.age < rows.get(other)!.age);
      for (const each of steps) {
        if (each.kind === 'add') {
          if (rows.has(each.row) || ages.has(each.age)) continue;
          const isNewest = [...ages].every((age) => age < each.age);
          rows.set(each.row, each);
          ages.add(each.age);
          index.add(each.row, each.hash, isNewest);
        } else if (each.kind === 'remove') {
          index.remove(each.row);
          ages.delete(rows.get(each.row)?.age ?? -1);
          rows.delete(each.row);
        } else if (!rows.has(each.to)) {
          index.move(each.row, each.to);
          const moved = rows.get(each.row);
          rows.delete(each.row);
          if (moved) rows.set(each.to, moved);
        }
        for (const wanted of new Set(steps.flatMap((step) => (step.kind === 'add' ? [step.hash] : [])))) {
          const expected = [...rows]
            .filter(([, { hash }]) => hash === wanted)
            .toSorted(([, a], [, b]) => b.age - a.age);
          const found: number[] = [];
          for (let at = index.newest(wanted); at >= 0; at = index.nextOlder(at)) found.push(at);
          expect(found).toEqual(expected.map(([at]) => at));
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('names have separate hashes within their scope', () => {
  const names = Array.from({ length: 20_000 }, (_, n) => `A${n}`);
  const hashes = new Set(['', 'local', 'other'].flatMap((within) => names.map((name) => hashOfName(within, name))));
  expect(hashes.size).toBeGreaterThan(59_990);
  expect(hashOfName('ab', 'c')).not.toBe(hashOfName('a', 'bc'));
  expect(hashOfName('', 'a')).toBe(hashOfName('', 'a'));
  expect(hashOfName('local', 'A7')).toBe(hashOfName('local', 'A7'));
});
