/** Takes that were cut off, since the page, the app or the way between them was gone, and go on. */
import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { beginning, crashed, openDesk, rate, samples } from './open-dictations.ts';
import type { Desk } from './open-dictations.ts';

describe('a take that was cut off', () => {
  const resumed = { ...beginning, from: 0 };
  const desks = async (mode: 'insert' | 'overwrite' | 'append', at: number | null) => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(1, 6));
    await desk.take(id, { take: 'cut', mode, at: at === null ? null : at / rate });
    await desk.block(id, samples(2, 2));
    return { desk, id, again: await openDesk({ directory: await crashed(desk) }) };
  };
  const rest = (desk: Desk, id: string) => desk.block(id, samples(2, 3), { take: 'cut', from: 1 });

  it.each([
    ['insert', 2, [1, 1, 2, 2, 2, 2, 1, 1, 1, 1]],
    ['overwrite', 1, [1, 2, 2, 2, 2, 1]],
    ['overwrite', 4, [1, 1, 1, 1, 2, 2, 2, 2]],
    ['append', null, [1, 1, 1, 1, 1, 1, 2, 2, 2, 2]],
  ] as const)('is the same as if it had not been: %s at %s', async (mode, at, whole) => {
    const { id, again } = await desks(mode, at);
    expect(await again.get(id)).toMatchObject({ state: 'paused', recovered: true });
    const take = { take: 'cut', mode, at: at === null ? null : at / rate, resumed };
    expect(await again.take(id, take)).toMatchObject({
      stored: 2,
      dictation: { state: 'recording', recovered: false },
    });
    expect(await again.take(id, take)).toMatchObject({ stored: 2 });
    expect(await rest(again, id)).toMatchObject({ stored: 4, is_current: true });
    expect(await again.heard(id)).toEqual(whole);
    await again.call['dictation.pause']({ id });
    const later = await openDesk({ directory: await crashed(again) });
    expect(await later.heard(id)).toEqual(whole);
    // It is one take: taken back as a whole.
    await later.call['dictation.undo']({ id });
    expect(await later.heard(id)).toEqual(Array(6).fill(1));
  });

  it('overwrites nothing recorded meanwhile', async () => {
    const { id, again } = await desks('overwrite', 4);
    await again.take(id, { take: 'other' });
    await again.block(id, samples(3, 2));
    await again.call['dictation.pause']({ id });
    expect(await rest(again, id)).toMatchObject({ stored: 4, is_current: false });
    expect(await again.heard(id)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
  });

  it('is still kept if it was undone before the rest arrived', async () => {
    const { id, again } = await desks('insert', 2);
    await again.call['dictation.undo']({ id });
    await rest(again, id);
    expect(await again.heard(id)).toEqual([1, 1, 1, 1, 1, 1, 2, 2]);
  });

  it.each([
    ['discarded', async (desk: Desk, id: string) => void (await desk.call['dictation.discard']({ id }))],
    ['on its way to the service', async (desk: Desk, id: string) => void (await desk.send(id))],
  ])('goes on in another dictation of the exam, once, where its own is %s', async (_, leave) => {
    const { id, again } = await desks('insert', 2);
    await leave(again, id);
    await expect(rest(again, id)).rejects.toMatchObject({
      code: expect.stringMatching(/NOT_FOUND|INVALID_TRANSITION/),
    });
    const announce = () => again.take(id, { take: 'cut', resumed: { ...resumed, from: 1 } });
    const [one, two] = await Promise.all([announce(), announce()]);
    // What came to the first one is not repeated in the other.
    expect(one).toMatchObject({ stored: 2, dictation: { item_id: 'wli_1' } });
    const other = one.dictation.id;
    expect([two.dictation.id, other === id]).toEqual([other, false]);
    await rest(again, other);
    await again.call['dictation.pause']({ id: other, take: 'cut', interrupted: true });
    expect(await again.heard(other)).toEqual([2, 2]);
    const later = await openDesk({ directory: await crashed(again) });
    expect(await later.get(other)).toMatchObject({ state: 'paused', recovered: true });
    expect(await later.take(id, { take: 'cut', resumed: { ...resumed, from: 1 } })).toMatchObject({
      stored: 4,
      dictation: { id: other },
    });
  });

  it('continues past audio that its page has lost', async () => {
    const { id, again } = await desks('insert', 2);
    expect(await again.take(id, { take: 'cut', resumed: { ...resumed, from: 5 } })).toMatchObject({ stored: 5 });
    await again.block(id, samples(3, 1), { take: 'cut', from: 5 });
    expect(await again.heard(id)).toEqual([1, 1, 2, 2, 3, 1, 1, 1, 1]);
  });
});

describe('takes of two windows', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('begin' as const), window: fc.nat(1), at: fc.option(fc.nat(30)) }),
    fc.record({ do: fc.constant('speak' as const), window: fc.nat(1), samples: fc.integer({ min: 1, max: 5 }) }),
    fc.record({
      do: fc.constant('deliver' as const),
      take: fc.nat(9),
      back: fc.nat(3),
      samples: fc.integer({ min: 1, max: 9 }),
    }),
    fc.record({ do: fc.constant('resume' as const), take: fc.nat(9) }),
    fc.record({ do: fc.constant('pause' as const), window: fc.nat(1) }),
    fc.constant({ do: 'crash' as const }),
  );

  it('come in any order and pieces, and every sample is heard once, those of a take in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        let desk = await openDesk({ sealing: undefined });
        const { id } = await desk.call['dictation.start'](beginning);
        /** What was spoken in each take, and how much of that is said to be on disk. */
        const takes: { name: string; page: string; values: number[]; stored: number }[] = [];
        const live: (number | undefined)[] = [undefined, undefined];
        let value = 0;
        const deliver = async (at: number, from: number, count: number): Promise<void> => {
          const take = takes[at]!;
          const bytes = Buffer.from(Int16Array.from(take.values.slice(from, from + count)).buffer);
          if (bytes.length === 0) return;
          const { stored } = await desk.block(id, bytes, { take: take.name, from });
          expect(stored).toBe(Math.max(take.stored, from + bytes.length / 2));
          take.stored = stored;
        };
        for (const each of steps) {
          if (each.do === 'begin') {
            const [name, page] = [`take_${takes.length}`, `page_${each.window}`];
            const length = (await desk.get(id))!.seconds * rate;
            const at = each.at === null ? null : Math.min(each.at, length) / rate;
            await desk.take(id, { take: name, page, mode: 'insert', at, take_over: true });
            live[each.window] = takes.push({ name, page, values: [], stored: 0 }) - 1;
          } else if (each.do === 'speak') {
            const take = takes[live[each.window] ?? -1];
            for (let n = 0; take && n < each.samples; n++) take.values.push(++value);
          } else if (each.do === 'deliver') {
            const take = takes[each.take];
            if (take) await deliver(each.take, Math.max(0, take.stored - each.back), each.samples);
          } else if (each.do === 'resume') {
            const take = takes[each.take];
            const resumed = { ...beginning, from: take?.stored ?? 0 };
            if (take) await desk.take(id, { take: take.name, page: take.page, take_over: true, resumed });
          } else if (each.do === 'pause') {
            const take = takes[live[each.window] ?? -1];
            if (take) await desk.call['dictation.pause']({ id, take: take.name });
            live[each.window] = undefined;
          } else desk = await openDesk({ sealing: undefined, directory: await crashed(desk) });
        }
        for (const [at, take] of takes.entries()) await deliver(at, take.stored, take.values.length);
        const heard = await desk.heard(id);
        const again = await openDesk({ sealing: undefined, directory: await crashed(desk) });
        expect(await again.heard(id)).toEqual(heard);
        expect(heard.toSorted((a, b) => a - b)).toEqual(Array.from({ length: value }, (_, at) => at + 1));
        for (const { values } of takes) {
          const own = new Set(values);
          expect(heard.filter((sample) => own.has(sample))).toEqual(values);
        }
      }),
      { numRuns: 20 },
    );
  });
});
