/** Signing with a grace period: the signature can be taken back, and becomes final once, whatever happens meanwhile. */
import * as fc from '../../support/properties.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import type { RecordUpdate } from '../../../src/contract/record.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { simulatedClock } from '../../../src/node/simulated-clock.ts';
import { dictated as dictatedByApi, startApi, startOfTests, succeeded } from '../../support/api.ts';
import { colleague, createRecordService, dictated, elsewhere } from '../../support/record-service.ts';
import type { RecordService } from '../../support/record-service.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { refusal } from '../../support/worklist.ts';
import type { CallOptions } from '../../support/call.ts';

const sign: RecordUpdate = { status: 'final', grace_seconds: 60 };
const at = (seconds: number) => new Date(Date.parse('2026-03-02T11:00:00Z') + seconds * 1000).toISOString();

async function withDraft() {
  const service = await createRecordService();
  const item = await service.exam();
  const record = await service.generate({ text: dictated, worklist_item_id: item });
  const { id } = record;
  const input = { params: { id } };
  return {
    service,
    item,
    record,
    id,
    update: async (body: RecordUpdate, options?: CallOptions): Promise<MedicalRecord> =>
      (await service.routes.records.update({ ...input, body }, service.call(options))).data,
    takeBack: async (options?: CallOptions): Promise<MedicalRecord> =>
      (await service.routes.signatures.takeBack(input, service.call(options))).data,
    versions: async () => versionsOf(service, id),
    read: async () => service.get(id),
    exam: async () => service.worklist.item(item),
  };
}
const versionsOf = async (service: RecordService, id: string) =>
  (await service.routes.records.versions({ params: { id }, query: {} }, service.call())).data.items;

describe('a signature with a grace period', () => {
  test('shows who signed and until when, and does nothing else before the end', async () => {
    const { service, item, record, update, versions, exam, read } = await withDraft();
    const before = await exam();
    service.clock.advance(1000);
    const answer = await update(sign);
    const signing = { by: 'Dra. Helena Prado', at: at(1), final_at: at(61) };
    expect(answer).toEqual({ ...record, signing });
    await service.pass(59_999);
    expect(await read()).toEqual(answer);
    expect(await versions()).toHaveLength(1);
    expect(await service.announced()).toEqual([]);
    expect(await exam()).toMatchObject({ status: 'in_progress', report: { status: 'signing', at: at(1) } });
    expect((await exam()).version).toBe(before.version + 1);
    expect(service.changes.at(-1)).toMatchObject({ id: item, change: 'updated' });
    expect(service.told.at(-1)).toMatchObject({ id: record.id, version: 1, change: 'signing' });
  });

  test('becomes final at its end, as it would have at once', async () => {
    const { service, id, update, versions, exam, read } = await withDraft();
    await update({ ...sign, acknowledged: [] });
    await service.pass(60_000);
    const final = await read();
    expect(final).toMatchObject({ status: 'final', version: 2, updated_at: at(60) });
    expect(final).not.toHaveProperty('signing');
    const [signature] = await versions();
    expect(signature).toMatchObject({ version: 2, change: 'signed', who: 'Dra. Helena Prado', at: at(60), signer: {} });
    expect(await service.announced()).toMatchObject([
      { type: 'worklist.document.completed', data: { record_id: id, status: 'completed' } },
    ]);
    expect(await exam()).toMatchObject({ status: 'completed', record_id: id, report: { status: 'final', at: at(60) } });
    const provenance = await service.routes.reviews.provenance({ params: { id }, query: {} }, service.call());
    expect(provenance.data.version).toBe(2);

    const other = await createRecordService();
    const itemAtOnce = await other.exam();
    const atOnce = await other.generate({ text: dictated, worklist_item_id: itemAtOnce });
    const body: RecordUpdate = { status: 'final' };
    const signed = (await other.routes.records.update({ params: { id: atOnce.id }, body }, other.call())).data;
    const timeless = ({ id: _id, worklist_item_id: _item, updated_at: _at, ...rest }: MedicalRecord) => rest;
    expect(timeless(final)).toEqual(timeless(signed));
  });

  test('keeps who signed, under which licence, and over which warnings', async () => {
    const { service, id, update, versions, read } = await withDraft();
    await service.store.transact(async (tx) =>
      tx.put('users', {
        id: 'usr_1',
        username: 'helena',
        display_name: 'Dra. Helena Prado',
        licence: 'CRM-SP 123456',
        space: 'local',
        created_at: at(0),
        password_hash: '',
      }),
    );
    await update({ sections: [{ key: 'findings', title: 'Findings', text: 'Clear.' }] });
    const [open] = (await read()).findings_to_review!;
    expect(await refusal(update({ ...sign, require_resolved: true }))).toMatchObject({ code: 'OPEN_FINDINGS' });
    expect(await read()).not.toHaveProperty('signing');
    await update({ ...sign, require_resolved: true, acknowledged: [open!.id] });
    await service.store.transact(async (tx) => tx.remove('users', 'usr_1'));
    await service.pass(60_000);
    const [signature] = await versions();
    expect(signature).toMatchObject({
      signer: { licence: 'CRM-SP 123456' },
      open_findings: [{ id: open!.id, acknowledged: true }],
    });
    expect((await read()).findings_to_review![0]).toMatchObject({ id: open!.id, status: 'dismissed' });
    expect(id).toBe((await read()).id);
  });

  test('saves what comes with it as a version of the draft', async () => {
    const { service, update, versions, read } = await withDraft();
    const answer = await update({ ...sign, title: 'Another' });
    expect(answer).toMatchObject({ status: 'draft', title: 'Another', version: 2, signing: {} });
    const stored = await service.routes.records.version({ params: { id: answer.id, n: 2 } }, service.call());
    expect(stored.data).not.toHaveProperty('signing');
    await service.pass(60_000);
    expect(await read()).toMatchObject({ status: 'final', title: 'Another', version: 3 });
    expect((await versions()).map(({ change }) => change)).toEqual(['signed', 'edited', 'generated']);
  });

  test('refuses every other change meanwhile, and says how to make it', async () => {
    const { service, id, update, read } = await withDraft();
    await update({ title: 'Other' });
    const { signing } = await update(sign);
    const before = await read();
    const call = service.call();
    const input = { params: { id } };
    for (const attempt of [
      () => update({ title: 'Another' }),
      () => update({ ...sign, title: 'Another' }),
      () => update({ metadata: { a: 1 } }, { caller: colleague }),
      () => update(sign, { caller: colleague }),
      () =>
        service.routes.records.correct({ ...input, body: { text: 'In the findings, replace clear with dark.' } }, call),
      () => service.routes.reviews.undo({ ...input, body: { operation: 'x' } }, call),
      () => service.generate({ text: dictated, worklist_item_id: before.worklist_item_id! }),
    ]) {
      expect(await refusal(attempt())).toMatchObject({
        code: 'INVALID_TRANSITION',
        details: { status: 'draft', signing },
        hint: expect.stringContaining('takes the signature back'),
      });
    }
    expect(await read()).toEqual(before);
  });

  test('is unchanged when it is sent again, and does not restart', async () => {
    const { service, update, read } = await withDraft();
    const first = await update(sign);
    service.clock.advance(30_000);
    expect(await update(sign)).toEqual(first);
    expect(await update({ title: first.title, status: 'draft' })).toEqual(first);
    await service.pass(30_000);
    const final = await read();
    expect(await update(sign)).toEqual(final);
  });

  test('is final at once when the signer signs again without one', async () => {
    const { service, update } = await withDraft();
    await update(sign);
    expect(await update({ status: 'final' })).toMatchObject({ status: 'final', version: 2 });
    await service.pass(600_000);
    expect(await service.announced()).toHaveLength(1);
  });

  test('needs a person, an exam that was not cancelled, and the status final', async () => {
    const { service, item, update, read } = await withDraft();
    expect(await refusal(update(sign, { caller: { user: null } }))).toMatchObject({ code: 'FORBIDDEN' });
    const misplaced = await refusal(update({ title: 'Other', grace_seconds: 60 }));
    expect(misplaced.details).toMatchObject({ errors: [{ field: 'grace_seconds', code: 'INVALID_VALUE' }] });
    await service.worklist.setStatus(item, { status: 'cancelled' });
    expect(await refusal(update(sign))).toMatchObject({ code: 'INVALID_TRANSITION', details: { status: 'cancelled' } });
    expect(await read()).not.toHaveProperty('signing');
  });

  test('becomes final although the exam is cancelled meanwhile, which stays as it is', async () => {
    const { service, item, update, read, exam } = await withDraft();
    await update(sign);
    await service.worklist.setStatus(item, { status: 'cancelled' });
    await service.pass(60_000);
    expect(await read()).toMatchObject({ status: 'final' });
    expect(await exam()).toMatchObject({ status: 'cancelled', report: { status: 'final' } });
    expect(await service.announced()).toEqual([]);
  });

  test('ends with a record that is deleted', async () => {
    const { service, id, update } = await withDraft();
    await update(sign);
    await service.routes.records.delete({ params: { id } }, service.call());
    await service.pass(60_000);
    expect(await service.announced()).toEqual([]);
    expect(service.log_entries).toEqual([]);
  });

  test('ends when storage works again, where storage failed', async () => {
    const { service, update, read } = await withDraft();
    await update(sign);
    const { transact } = service.store;
    service.store.transact = () => Promise.reject(new Error('disk'));
    await service.pass(60_000);
    expect(service.log_entries).toMatchObject([{ level: 'error', event: 'signature_not_ended' }]);
    service.store.transact = transact;
    await service.pass(5000);
    expect(await read()).toMatchObject({ status: 'final' });
  });
});

describe('taking a signature back', () => {
  test('makes the record what it was, as often as it is asked for', async () => {
    const { service, record, update, takeBack, versions, exam } = await withDraft();
    await update(sign);
    service.clock.advance(59_999);
    expect(await takeBack()).toEqual(record);
    expect(await takeBack()).toEqual(record);
    expect(service.told.map(({ change }) => change)).toEqual(['generated', 'signing', 'taken_back']);
    expect(await exam()).toMatchObject({ status: 'in_progress', report: { status: 'draft' } });
    await service.pass(600_000);
    expect(await versions()).toHaveLength(1);
    expect(await service.announced()).toEqual([]);
    expect(await update({ title: 'Other' })).toMatchObject({ version: 2 });
  });

  test('is for who signed', async () => {
    const { update, takeBack, read } = await withDraft();
    await update(sign);
    expect(await refusal(takeBack({ caller: colleague }))).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusal(takeBack({ caller: { user: null } }))).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusal(takeBack({ caller: elsewhere }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await read()).toHaveProperty('signing');
  });

  test('is refused once the record is final', async () => {
    const { service, update, takeBack } = await withDraft();
    await update(sign);
    await service.pass(60_000);
    expect(await refusal(takeBack())).toMatchObject({ code: 'INVALID_TRANSITION', details: { status: 'final' } });
  });

  test('lets the record be signed again, with a new grace period', async () => {
    const { service, update, takeBack, read } = await withDraft();
    await update(sign);
    await service.pass(50_000);
    await takeBack();
    await update(sign);
    await service.pass(59_999);
    expect(await read()).toHaveProperty('signing');
    await service.pass(1);
    expect(await read()).toMatchObject({ status: 'final' });
  });
});

test('a server that was killed ends the signatures once another starts, each once', async () => {
  const { service, update, read } = await withDraft();
  await update(sign);
  const start = service.halt();
  await service.pass(3_600_000);
  expect(await read()).toMatchObject({ status: 'draft', signing: { final_at: at(60) } });
  await start();
  expect(await read()).toMatchObject({ status: 'final', updated_at: at(3600) });
  await service.halt()();
  expect(await service.announced()).toHaveLength(1);
});

test('in any order of actions, a signature becomes final once, at its time, or never', async () => {
  type Step = 'sign' | 'take back' | 'edit' | 'kill' | number;
  const step = fc.oneof(
    fc.constantFrom<Step>('sign', 'take back', 'edit', 'kill'),
    fc.constantFrom<Step>(1, 20_000, 59_999, 60_000, 61_000),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { service, update, takeBack, read, versions, exam } = await withDraft();
      const model = { due: undefined as number | undefined, final: false, version: 1 };
      const now = () => service.clock.now();
      const expectRefused = async (isRefused: boolean, work: () => Promise<unknown>) =>
        isRefused ? expect(await refusal(work())).toMatchObject({ code: 'INVALID_TRANSITION' }) : await work();
      for (const [n, each] of steps.entries()) {
        if (each === 'sign') {
          await update(sign);
          if (!model.final) model.due ??= now() + 60_000;
        } else if (each === 'take back') {
          await expectRefused(model.final, takeBack);
          if (!model.final) model.due = undefined;
        } else if (each === 'edit') {
          const refused = model.final || model.due !== undefined;
          await expectRefused(refused, () => update({ title: `Title ${n}` }));
          if (!refused) model.version += 1;
        } else if (each === 'kill') await service.halt()();
        else await service.pass(each);
        if (model.due !== undefined && model.due <= now()) {
          Object.assign(model, { due: undefined, final: true, version: model.version + 1 });
        }
        const { status, version, signing } = await read();
        const due = signing && Date.parse(signing.final_at);
        expect({ due, final: status === 'final', version }).toEqual(model);
      }
      expect((await versions()).filter(({ change }) => change === 'signed')).toHaveLength(Number(model.final));
      expect(await service.announced()).toHaveLength(Number(model.final));
      expect((await exam()).status).toBe(model.final ? 'completed' : 'in_progress');
    }),
    { numRuns: 25 },
  );
});

describe('of a taking back and the end that meet', () => {
  test('one counts, and the other is refused', async () => {
    const { service, update, takeBack, read } = await withDraft();
    await update(sign);
    await service.pass(0);
    service.clock.advance(60_000);
    const back = await takeBack().then(
      () => 'taken back',
      () => 'refused',
    );
    await service.pass(0);
    const { status } = await read();
    expect([back, status]).toEqual(back === 'refused' ? ['refused', 'final'] : ['taken back', 'draft']);
    expect(await service.announced()).toHaveLength(status === 'final' ? 1 : 0);
  });
});

describe('over the API', () => {
  const { clock, records, signatures, worklists, audit } = contract;

  test('a clock that is moved stops at the end of the signature, and the trail says what ended it', async () => {
    const simulated = simulatedClock(`fixed:${startOfTests}`);
    const api = await startApi({ isPrompt: true, simulated, seed: 'demo' }, onTestFinished);
    const item = await api.exam();
    const { id } = await api.generate({ text: dictatedByApi, worklist_item_id: item });
    const params = { id };
    const signed = succeeded(await api.call(records.endpoints.update, { params, body: sign }));
    expect(succeeded(await api.call(clock.endpoints.show)).next_due_at).toBe(signed.signing!.final_at);
    const refused = await api.call(records.endpoints.update, { params, body: { title: 'Other' } });
    expect([refused.status, refused.error.code]).toEqual([409, 'INVALID_TRANSITION']);
    succeeded(await api.call(signatures.endpoints.takeBack, { params }));
    succeeded(await api.call(records.endpoints.update, { params, body: sign }));
    succeeded(await api.call(clock.endpoints.advance, { body: { by: '2h' } }));
    const token = (await api.tokens()).access_token;
    const final = succeeded(await api.call(records.endpoints.get, { params, token }));
    expect(final).toMatchObject({ status: 'final', updated_at: signed.signing!.final_at });
    expect(succeeded(await api.call(worklists.endpoints.get, { params: { id: item }, token })).status).toBe(
      'completed',
    );
    const entries = succeeded(await api.call(audit.endpoints.list, { query: { limit: 200 } })).items;
    const ofRecord = entries.filter(({ kind, ids }) => kind === 'records' && ids.includes(id));
    expect(ofRecord.map(({ action, by }) => [action, by])).toContainEqual(['records.signing', 'service']);
    expect(ofRecord.map(({ action }) => action)).toContain('signatures.takeBack');
  });

  test('a server that is stopped within the grace period finds the signature again', async () => {
    const directory = await temporaryDirectory();
    const [machine, later] = [manualClock(Date.parse(startOfTests)), manualClock(Date.parse(startOfTests) + 3_600_000)];
    const api = await startApi({ dataDir: directory, clock: machine }, onTestFinished);
    const { id } = await api.generate({ text: dictatedByApi });
    succeeded(await api.call(records.endpoints.update, { params: { id }, body: sign }));
    await api.close();
    const again = await startApi({ dataDir: directory, clock: later }, onTestFinished);
    later.advance(1);
    await expect
      .poll(async () => succeeded(await again.call(records.endpoints.get, { params: { id } })).status)
      .toBe('final');
  });
});
