/** Messages are found by what they are about, shown with what was read of them, and tried again together. */
import { beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import type { MessageQuery } from '../../../../src/contract/channel-message.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { dictated, startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { hl7Channels } from '../../../support/hl7-channels.ts';
import { orderMessage } from '../../../support/mllp.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { audit, channels, patients, records } = contract;
let api: Api;
const clock = manualClock(Date.parse('2026-03-02T11:00:00Z'));
beforeAll(async () => void (api = await startApi({ clock })));
const { listening } = hl7Channels(() => api);
const search = async (body: MessageQuery) => succeeded(await api.call(channels.endpoints.search, { body }));
const found = async (body: MessageQuery) => (await search(body)).items.map(({ key }) => key?.split('|').at(-1));

describe('orders that came in', () => {
  test('are found by each fact, refused ones too, and by all of them together', async () => {
    const { peer: first, name, connect } = await listening();
    await first.ask(orderMessage({ id: 'F-1', accession: 'F-A1', patient: 'F-P1' }));
    clock.advance(1800_000);
    const peer = await connect();
    await peer.ask(orderMessage({ id: 'F-2', accession: 'F-A2', patient: 'F-P1' }));
    const broken = orderMessage({ id: 'F-3', accession: 'F-A3', patient: 'F-P2' }).replace('20260302093000', 'soon');
    await peer.ask(broken);
    const merge = [
      'MSH|^~\\&|RIS|HSL|||20260302083000||ADT^A40|F-4|P|2.5',
      'PID|||F-P9^^^HSL||TESTE^PACIENTE',
      'MRG|F-P1^^^HSL',
    ];
    await peer.ask(`${merge.join('\r')}\r`);
    expect(await found({ patient_id: 'F-P1' })).toEqual(['F-4', 'F-2', 'F-1']);
    expect(await found({ patient_id: 'F-P2', state: ['refused'] })).toEqual(['F-3']);
    expect(await found({ accession_number: 'F-A2' })).toEqual(['F-2']);
    expect(await found({ control_id: 'F-3' })).toEqual(['F-3']);
    expect(await found({ channel: name, until: '2026-03-02T11:20:00Z' })).toEqual(['F-1']);
    const reversed = { since: '2026-03-02T11:20:00Z', until: '2026-03-02T11:10:00Z' };
    expect((await api.call(channels.endpoints.search, { body: reversed })).error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { errors: [{ field: 'until' }] },
    });
    expect(await found({ patient_id: 'F-P1', since: '2026-03-02T11:20:00Z', state: ['taken'] })).toEqual([
      'F-4',
      'F-2',
    ]);
    expect(await found({ patient_id: 'F-P1', accession_number: 'F-A3' })).toEqual([]);
    const newest = await search({ channel: name, limit: 3 });
    expect((await search({ channel: name, limit: 3, cursor: newest.next_cursor! })).items).toHaveLength(1);
    expect(newest.items.at(-1)).toMatchObject({ patient_ids: ['F-P1'], accession_numbers: ['F-A2'] });
    await eventually(async () => {
      const { items } = succeeded(await api.call(audit.endpoints.list, {}));
      const looks = items.filter(({ action }) => action === 'channels.search');
      expect(looks.flatMap(({ ids }) => ids)).toContain(newest.items[0]?.id);
    });
  });

  test('are shown as they came, beside what was read of them', async () => {
    const { peer, queue } = await listening();
    const sent = orderMessage({ id: 'S-1', accession: 'S-A1', charset: 'UNICODE UTF-8' });
    const answer = await peer.ask(sent);
    const id = (await queue())[0]!.id;
    const shown = succeeded(await api.call(channels.endpoints.message, { params: { id }, query: { content: true } }));
    expect(Buffer.from(shown.content!, 'base64').toString()).toBe(sent);
    expect(shown.answer).toBe(answer);
    expect(shown.reading?.exams[0]).toMatchObject({
      accession_number: 'S-A1',
      modality: 'CT',
      'metadata.patient_class': 'O',
    });
    expect(succeeded(await api.call(channels.endpoints.message, { params: { id } }))).not.toHaveProperty('reading');
  });

  test('are tried again together, those that are done passed over', async () => {
    const { peer, params, queue } = await listening();
    const odd = (id: string) => orderMessage({ id, accession: `R-${id}` }).replace(/CT\r$/, 'ODD\r');
    for (const id of ['R-1', 'R-2', 'R-3']) await peer.ask(odd(id));
    const all = await queue();
    const mapping = { values: { modality: { ODD: 'CR' } } };
    succeeded(await api.call(channels.endpoints.change, { params, body: { mapping } }));
    const ids = all.slice(1).map(({ id }) => id);
    const retrySome = async () => succeeded(await api.call(channels.endpoints.retrySome, { body: { ids } }));
    expect(await retrySome()).toEqual({ retried: 2, refused: 0 });
    expect(await retrySome()).toEqual({ retried: 0, refused: 0 });
    expect((await queue()).map(({ state }) => state)).toEqual(['refused', 'taken', 'taken']);
  });

  test('are erased with the patient that they name, even where their bytes are not kept', async () => {
    const { peer } = await listening();
    const order = { accession: 'E-A1', patient: 'E-P1' };
    const long = `${orderMessage({ ...order, id: 'E-1' })}NTE|1||${'x'.repeat(20_000)}\r`;
    await peer.ask(long);
    expect(await found({ patient_id: 'E-P1' })).toEqual(['E-1']);
    const { items } = succeeded(await api.call(patients.endpoints.find, { body: { patient_id: 'E-P1' } }));
    succeeded(await api.call(patients.endpoints.erase, { params: { id: items[0]!.id } }));
    expect(await found({ patient_id: 'E-P1' })).toEqual([]);
  });
});

test('a report that goes out is found by its exam, and shown as it goes', async () => {
  const path = await temporaryDirectory();
  const body = { name: 'out', kind: 'folder-out', space: 'test_tc_local', settings: { path, format: 'hl7' } };
  succeeded(await api.call(channels.endpoints.add, { body }), 201);
  const latin = { host: '127.0.0.1', port: 1, pdf: 'none', character_set: '8859/1', unknown_letters: 'replace' };
  const other = { name: 'latin', kind: 'hl7-out', space: 'test_tc_local', settings: latin };
  const { id: latinId } = succeeded(await api.call(channels.endpoints.add, { body: other }), 201);
  const item = await api.exam({ accession_number: 'O-A1', patient_id: 'O-P1', exam_description: 'Tórax α' });
  const { id } = await api.generate({ text: dictated, worklist_item_id: item });
  const signed = { status: 'final', require_resolved: false } as const;
  succeeded(await api.call(records.endpoints.update, { params: { id }, body: signed }));
  const messages = (await search({ accession_number: 'O-A1' })).items;
  const message = messages.find(({ channel_id }) => channel_id !== latinId);
  expect(message).toMatchObject({ direction: 'out', record_id: id, patient_ids: ['O-P1'] });
  const show = async (of: string, encoding?: 'latin1') => {
    const query = { content: true };
    const { content } = succeeded(await api.call(channels.endpoints.message, { params: { id: of }, query }));
    return Buffer.from(content!, 'base64').toString(encoding);
  };
  const sent = await show(message!.id);
  expect(sent).toContain('ORU^R01');
  expect(await show(messages.find(({ channel_id }) => channel_id === latinId)!.id, 'latin1')).toContain('Tórax alpha');
  const named = (await search({ control_id: sent.split('|')[9]! })).items;
  expect(named.map(({ id: each }) => each)).toEqual(messages.map(({ id: each }) => each));
});
