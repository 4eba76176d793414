import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addId, newestFirst, removeId } from '../../../server/store/sorted-ids.ts';
import type { SortedIds } from '../../../server/store/sorted-ids.ts';

const name = (n: number): string => String(n).padStart(6, '0');

test('keeps thousands of ids in order through additions and removals anywhere', () => {
  const step = fc.record({
    add: fc.boolean(),
    from: fc.nat(5000),
    count: fc.nat(1500),
    stride: fc.integer({ min: 1, max: 7 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.nat(6000), (steps, before) => {
      const chunks: SortedIds = [];
      const model = new Set<string>();
      for (const { add, from, count, stride } of steps) {
        for (let n = 0; n < count; n++) {
          const id = name((from + n * stride) % 6000);
          if (add) addId(chunks, id);
          else removeId(chunks, id);
          if (add) model.add(id);
          else model.delete(id);
        }
      }
      const expected = [...model].toSorted().toReversed();
      expect([...newestFirst(chunks)]).toEqual(expected);
      expect([...newestFirst(chunks, name(before))]).toEqual(expected.filter((id) => id < name(before)));
    }),
    { numRuns: 60 },
  );
});
