/** Changes that wait for their author, who may withdraw them. */
import { expect, it, onTestFinished } from 'vitest';
import { createChangeOutbox } from '../../../desktop/app/changes/change-outbox.ts';
import type { Change } from '../../../desktop/app/changes/change-outbox.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const start = Date.parse('2026-03-02T11:30:00Z');
const change = (id: string, fields: Partial<Change> = {}): Change => ({
  id,
  kind: 'record.addendum',
  subject: 'rec_1',
  payload: { text: id },
  created_at: '2026-03-02T11:30:00.000Z',
  ...fields,
});

it('a change that is held back is sent at its time, after a restart too, and can be withdrawn until then', async () => {
  const sent: string[] = [];
  const send = async ({ id }: Change): Promise<void> => void sent.push(id);
  const not_before = new Date(start + 60_000).toISOString();
  const directory = await temporaryDirectory();
  const clock = manualClock(start);
  const held: string[][] = [];
  const opened = async () => {
    const onChange = (): void => void held.push(outbox.waiting().map(({ id }) => id));
    const outbox = await createChangeOutbox({ clock, random: () => 0.5, send, directory, onChange });
    onTestFinished(() => outbox.close());
    return outbox;
  };
  const outbox = await opened();
  await outbox.enqueue(change('held', { not_before }));
  await outbox.enqueue(change('after it'));
  await outbox.enqueue(change('withdrawn', { subject: 'rec_2', not_before }));
  await outbox.enqueue(change('other', { subject: 'rec_3' }));
  await outbox.flush();
  expect(sent).toEqual(['other']);
  expect([await outbox.cancel('withdrawn'), await outbox.cancel('withdrawn')]).toEqual([true, false]);
  await outbox.close();
  const again = await opened();
  clock.advance(59_999);
  await again.flush();
  expect(sent).toEqual(['other']);
  held.length = 0;
  clock.advance(1);
  // It now waits for the network, which the page shows.
  expect(held).toEqual([['held', 'after it']]);
  await again.flush();
  expect(sent).toEqual(['other', 'held', 'after it']);
  expect(again.waiting()).toEqual([]);
});
