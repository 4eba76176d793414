/** A mapping is tried on messages that a channel has received, and its rules decide what the channel takes. */
import { beforeAll, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { hl7Channels, segment } from '../../../support/hl7-channels.ts';
import { orderMessage } from '../../../support/mllp.ts';

const { audit, channels } = contract;
let api: Api;
beforeAll(async () => void (api = await startApi()));
const { listening, examOf } = hl7Channels(() => api);

test('a mapping is tried on stored messages, changes nothing, and then takes what was refused', async () => {
  const { peer, params, queue } = await listening();
  const odd = orderMessage({ id: 'T-1', accession: 'HSL-7' })
    .replaceAll('20260302093000', '02/03/2026 09h30')
    .replace(/CT\r$/, 'RAIOX\r');
  expect(segment(await peer.ask(odd), 'MSA')[1]).toBe('AE');
  await peer.ask(orderMessage({ id: 'T-2', accession: 'HSL-8' }));
  const mapping = {
    parts: { accession_number: { separator: '-', take: 2 } },
    dates: { exam_datetime: ['DD/MM/YYYY HH[h]mm', 'YYYYMMDDHHmmss'] },
    values: { modality: { RAIOX: 'CR' } },
  };
  const trial = succeeded(await api.call(channels.endpoints.try, { params, body: { mapping } }));
  const [newer, older] = await queue();
  expect(trial.items.map(({ id, outcome }) => [id, outcome])).toEqual([
    [newer?.id, 'changed'],
    [older?.id, 'mended'],
  ]);
  const [second, first] = trial.items;
  expect(second?.differences).toEqual([{ subject: 'exam 1', field: 'accession_number', before: 'HSL-8', after: '8' }]);
  // What was read of a refused exam is shown, and what the mapping adds.
  expect(first?.before.exams).toMatchObject([{ accession_number: 'HSL-7', patient_id: 'P1' }]);
  expect(first?.differences.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['exam_datetime', 'modality', 'accession_number']),
  );
  expect(first?.after.exams[0]).toMatchObject({
    accession_number: '7',
    modality: 'CR',
    exam_datetime: '2026-03-02T09:30:00-03:00',
  });
  expect(older?.state).toBe('refused');
  expect(await examOf('HSL-8')).toBeDefined();
  await eventually(async () => {
    const { items } = succeeded(await api.call(audit.endpoints.list, {}));
    expect(items.find(({ action }) => action === 'channels.try')?.ids).toEqual(trial.items.map(({ id }) => id));
  });

  succeeded(await api.call(channels.endpoints.change, { params, body: { mapping } }));
  expect(succeeded(await api.call(channels.endpoints.retryAll, { params }))).toEqual({ retried: 1, refused: 0 });
  expect(await examOf('7')).toMatchObject({ modality: 'CR' });
  // Without another mapping, the present one is compared with none.
  const own = succeeded(await api.call(channels.endpoints.try, { params, body: { message_ids: [older!.id] } }));
  expect(own.items.map(({ outcome }) => outcome)).toEqual(['mended']);
});

test('what rules drop is acknowledged and listed, and is no exam', async () => {
  const { peer, queue } = await listening({}, { drop: [{ event: 'DFT' }, { where: { 'ORC-1': ['SC'] } }] });
  const order = orderMessage({ id: 'D-1', accession: 'H-D1' }).replace('ORC|NW', 'ORC|SC');
  for (const message of [order, order.replace('ORM^O01', 'DFT^P03').replace('D-1', 'D-2')])
    expect(segment(await peer.ask(message), 'MSA')[1]).toBe('AA');
  expect((await queue()).map(({ state, warnings }) => [state, warnings])).toEqual([
    ['taken', ['Not taken: drop rule 1 of the mapping.']],
    ['taken', ['Not taken: drop rule 2 of the mapping.']],
  ]);
  expect(await examOf('H-D1')).toBeUndefined();
});
