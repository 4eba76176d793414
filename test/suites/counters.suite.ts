/** What the counters of every store have to do: count in one step for all members, and forget after a time. */
import { describe, expect, test } from 'vitest';
import type { Counters, CountTime } from '../../server/storage/counters.ts';

export interface CountersSubject {
  /** The counters, as another member sees them. */
  open(): Counters;
  /** Lets this much time pass for the counters. */
  pass(ms: number): void | Promise<void>;
}

/** Long enough that a slow test doesn't lose a counter meanwhile. */
const minute: CountTime = { ms: 60_000, renewed: false };

export function describeCounters(name: string, start: () => CountersSubject | Promise<CountersSubject>): void {
  describe(`counters of ${name}`, () => {
    test('members that count at once see each number once', async () => {
      const { open } = await start();
      const members = [open(), open(), open()];
      const counted = await Promise.all(
        Array.from({ length: 30 }, (_, nth) => members[nth % 3]?.add('guesses', 1, minute)),
      );
      const numbers = counted.map((count) => count?.n ?? 0).toSorted((one, other) => one - other);
      expect(numbers).toEqual(Array.from({ length: 30 }, (_, nth) => nth + 1));
      expect(await open().read('guesses')).toMatchObject({ n: 30 });
      expect(await open().read('others')).toEqual({ n: 0, left: 0 });
    });

    test('a counter takes portions, gives them back, and begins again once it is forgotten', async () => {
      const counters = (await start()).open();
      expect(await counters.add('portions', 8, minute)).toMatchObject({ n: 8 });
      expect(await counters.add('portions', -3, minute)).toMatchObject({ n: 5 });
      await counters.forget('portions');
      expect(await counters.read('portions')).toEqual({ n: 0, left: 0 });
      expect(await counters.add('portions', 1, minute)).toMatchObject({ n: 1 });
    });

    test('its time begins with the first addition, or again with each', async () => {
      const { open, pass } = await start();
      const counters = open();
      const once: CountTime = { ms: 90_000, renewed: false };
      const again: CountTime = { ms: 90_000, renewed: true };
      expect((await counters.add('window', 1, once)).left).toBeLessThanOrEqual(90_000);
      await counters.add('failures', 1, again);
      await pass(50_000);
      expect((await counters.add('window', 1, once)).left).toBeLessThanOrEqual(40_000);
      expect((await counters.add('failures', 1, again)).left).toBeGreaterThan(40_000);
      await pass(50_000);
      expect(await counters.read('window')).toEqual({ n: 0, left: 0 });
      expect(await counters.read('failures')).toMatchObject({ n: 2 });
      expect(await counters.add('window', 1, once)).toMatchObject({ n: 1 });
    });
  });
}
