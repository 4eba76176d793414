import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addRow, newestFirst, removeRow, rowOf } from '../../../server/store/sorted-rows.ts';
import type { SortedRows } from '../../../server/store/sorted-rows.ts';

const name = (n: number): string => String(n).padStart(6, '0');

test('keeps thousands of rows in order through additions and removals anywhere', () => {
  const step = fc.record({
    add: fc.boolean(),
    from: fc.nat(5000),
    count: fc.nat(1500),
    stride: fc.integer({ min: 1, max: 7 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.nat(6000), (steps, before) => {
      const rows: SortedRows<number> = [];
      const model = new Map<string, number>();
      let made = 0;
      for (const { add, from, count, stride } of steps) {
        for (let n = 0; n < count; n++) {
          const id = name((from + n * stride) % 6000);
          if (add) addRow(rows, { id, document: ++made });
          else removeRow(rows, id);
          // One that is already there stays.
          if (!add) model.delete(id);
          else if (!model.has(id)) model.set(id, made);
        }
      }
      const expected = Array.from(model, ([id, document]) => ({ id, document })).toSorted((a, b) =>
        a.id < b.id ? 1 : -1,
      );
      expect([...newestFirst(rows)]).toEqual(expected);
      expect([...newestFirst(rows, name(before))]).toEqual(expected.filter(({ id }) => id < name(before)));
      expect(rowOf(rows, name(before))?.document).toBe(model.get(name(before)));
    }),
    { numRuns: 60 },
  );
});
