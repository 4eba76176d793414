/** Second hearings that end after their records were made, while something fails. */
import { expect, test } from 'vitest';
import { createCheckWatch } from '../../../server/records/check-watch.ts';
import type { Store } from '../../../server/storage/store.ts';
import { createRecordService, dictated } from '../../support/record-service.ts';

test('a check that cannot be applied is tried ever later, and at last its words count as heard once', async () => {
  const service = await createRecordService();
  const { store, clock } = service;
  const { id } = await service.generate({ text: dictated });
  const created_at = new Date(clock.now()).toISOString();
  await store.transact(async (tx) => {
    const record = (await tx.get('records', id))!;
    const heard_sound = { voiced: 9, unchecked: [{ from: 1, to: 4 }] };
    tx.put('records', { ...record, transcript: dictated, heard_sound, checking: [{ id: 'trs_1' }] });
    tx.put('transcriptions', {
      id: 'trs_1',
      owner: 'usr_1',
      family: 'fam_1',
      space: record.space,
      language: 'en-US',
      status: 'ended',
      record_id: id,
      created_at,
      updated_at: created_at,
    } as never);
  });
  const tries: number[] = [];
  const failing: Store = Object.create(store, {
    find: {
      value: (...[name, query]: Parameters<Store['find']>) => {
        if (name !== 'phrases' && !name.startsWith('sound')) return store.find(name, query);
        tries.push(clock.now());
        throw new Error('broken');
      },
    },
  });
  const watch = createCheckWatch({ ...service, store: failing, random: () => 0 });
  await watch.start();
  await watch.idle();
  for (let minutes = 0; minutes < 20; minutes += 0.05) {
    clock.advance(3000);
    await watch.idle();
  }
  const pauses = tries.slice(1).map((at, nth) => at - tries[nth]!);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect([tries.length, pauses.at(-1)! > 20 * pauses[0]!]).toEqual([8, true]);
  const record = await service.get(id);
  expect(record.findings_to_review).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ kind: 'heard_differently', status: 'open' })]),
  );
  expect(await store.get('transcriptions', 'trs_1')).toBeUndefined();
  await watch.stop();
});
