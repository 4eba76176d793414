/** Two patients under one accession number never become one (contract: Worklists, Identity). */
import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { createWorklist, exam, fieldErrorsOf, refusal } from '../../support/worklist.ts';
import type { Documents } from '../../../server/storage/collections.ts';
import type { Reader } from '../../../server/storage/store.ts';
import { PreviousPatients } from '../../../server/worklists/patients/check-patient.ts';
import { rehearsal } from '../../../server/index.ts';
import { manualClock } from '../../../src/domain/clock.ts';

const ana = {
  patient_id: '0045871',
  patient_name: 'SOUZA^ANA',
  patient_birth_date: '1971-06-14',
  patient_sex: 'F',
  patient_age: '054Y',
};
const rui = { patient_id: '77', patient_name: 'COSTA^RUI' };
const accepted = { accept_patient_change: true };

/** A worklist with one exam of Ana's, and its id. */
async function withAna(fields: Record<string, unknown> = {}) {
  const worklist = createWorklist();
  const { items } = await worklist.ingest(exam({ ...ana, study_uid: '1.2.1', ...fields }));
  return { ...worklist, id: items[0]!.id! };
}

describe('an item of another patient', () => {
  test.each([
    ['by accession number', rui, 'patient_id'],
    ['by study UID', { ...rui, accession_number: 'SL-2', study_uid: '1.2.1' }, 'patient_id'],
    ['with the same name and no birth date', { patient_id: '77', patient_birth_date: undefined }, 'patient_id'],
    ['with the same name and another birth date', { patient_id: '77', patient_birth_date: '1990-01-01' }, 'patient_id'],
    ['with another name and the same birth date', { patient_id: '77', patient_name: 'COSTA^RUI' }, 'patient_id'],
    ['with a birth date that is cleared', { patient_id: '77', patient_birth_date: null }, 'patient_id'],
    ['with the same id', { patient_name: 'COSTA^RUI', patient_birth_date: '1990-01-01' }, 'patient_name'],
  ])('%s is refused, and changes nothing', async (_how, fields, field) => {
    const worklist = await withAna();
    const before = await worklist.item(worklist.id);
    const sent = JSON.parse(JSON.stringify(exam({ ...ana, exam_room: 'Sala 9', ...fields }))) as object;
    const error = await refusal(worklist.ingest(sent));
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
    expect(fieldErrorsOf(error)).toEqual([{ field, code: 'PATIENT_MISMATCH', message: expect.any(String) }]);
    expect(JSON.stringify(error.details)).not.toMatch(/SOUZA|COSTA|Ana|Rui|0045871|1971|1990/i);
    expect(await worklist.item(worklist.id)).toEqual(before);
    expect(await worklist.history(worklist.id)).toEqual([]);

    const result = await worklist.ingest([sent, exam({ accession_number: 'SL-9' })]);
    expect(result).toMatchObject({ inserted: 1, updated: 0, deduped: 0 });
    expect(result.errors).toEqual([
      { index: 0, accession_number: expect.any(String), error: 'PATIENT_MISMATCH', field, message: expect.any(String) },
    ]);
  });

  test.each([
    ['another issuer', 'SP', 'PATIENT_MISMATCH'],
    ['the same issuer', 'HSL', undefined],
    ['no issuer', undefined, undefined],
  ])('the same id of %s, with another name and the same birth date', async (_issuer, issuer, code) => {
    const of = (patient_id_issuer: string | undefined) => ({ metadata: { patient_id_issuer, keep_absent: true } });
    const worklist = await withAna(of('HSL'));
    const { errors } = await worklist.ingest([
      JSON.parse(JSON.stringify(exam({ ...ana, patient_name: 'COSTA^RUI', ...of(issuer) }))) as object,
      exam({ accession_number: 'SL-9' }),
    ]);
    expect(errors.map(({ error }) => error)).toEqual(code === undefined ? [] : [code]);
    expect(await worklist.item(worklist.id)).toMatchObject({ patient_name: code ? 'SOUZA^ANA' : 'COSTA^RUI' });
  });

  test('is refused in the batch that brought the first one as well', async () => {
    const worklist = createWorklist();
    const result = await worklist.ingest([exam(ana), exam(rui), exam({ ...ana, exam_room: 'Sala 1' })]);
    expect(result).toMatchObject({ inserted: 1, updated: 1, errors: [{ index: 1, error: 'PATIENT_MISMATCH' }] });
    expect((await worklist.list()).items).toMatchObject([{ ...ana, exam_room: 'Sala 1' }]);
  });

  test.each([
    ['45871', true],
    ['004-5871', true],
    ['0045872', false],
  ])('with the id %s, that differs in its writing alone: %s', async (patient_id, isAlike) => {
    const worklist = createWorklist();
    await worklist.ingest(exam());
    const [problem] = fieldErrorsOf(await refusal(worklist.ingest(exam({ patient_id }))));
    expect(problem!.message.includes('zeros')).toBe(isAlike);
  });

  test('is reported together with other faults, but a wrong name is reported as such', async () => {
    const worklist = await withAna();
    const both = await refusal(worklist.ingest(exam({ ...rui, modality: 'ZZ' })));
    expect(fieldErrorsOf(both).map(({ code }) => code)).toEqual(['PATIENT_MISMATCH', 'INVALID_MODALITY']);
    const wrong = await refusal(worklist.ingest(exam({ ...rui, patient_name: 7 })));
    expect(fieldErrorsOf(wrong)).toMatchObject([{ field: 'patient_name', code: 'INVALID_TYPE' }]);
  });

  test('is refused of test patients like of others', async () => {
    const worklist = createWorklist();
    const testClient = { caller: { test_mode: true } };
    await worklist.ingest(exam({ patient_name: 'Test Patient' }), testClient);
    const other = exam({ patient_id: '9', patient_name: 'Demo Patient' });
    expect(fieldErrorsOf(await refusal(worklist.ingest(other, testClient)))).toMatchObject([
      { code: 'PATIENT_MISMATCH' },
    ]);
  });

  test('of another space has nothing to do with it', async () => {
    const worklist = await withAna();
    expect(await worklist.ingest(exam(rui), { caller: { space: 'elsewhere' } })).toMatchObject({ inserted: 1 });
  });

  test('is refused in a rehearsal', async () => {
    const { createRehearsal } = await rehearsal();
    const rehearse = createRehearsal(manualClock(0), false);
    expect(await rehearse([exam(ana)])).toMatchObject({ inserted: 1 });
    expect(await rehearse([exam({ patient_name: 'SOUSA^ANA' }), exam(rui)])).toMatchObject({
      updated: 1,
      errors: [{ index: 1, error: 'PATIENT_MISMATCH' }],
    });
    expect(await rehearse([exam({ ...rui, metadata: accepted })])).toMatchObject({ updated: 1 });
  });
});

describe('a correction', () => {
  test.each([
    ['name', { patient_name: 'SOUSA^ANA' }, { field: 'patient_name', before: 'SOUZA^ANA', after: 'SOUSA^ANA' }],
    ['id', { patient_id: '45871' }, { field: 'patient_id', before: '0045871', after: '45871' }],
    [
      'birth date',
      { patient_birth_date: '1971-06-15' },
      { field: 'patient_birth_date', before: '1971-06-14', after: '1971-06-15' },
    ],
  ])('of the %s is accepted, reported, and kept in the history', async (what, fields, change) => {
    const worklist = await withAna();
    worklist.clock.advance(1000);
    const { items } = await worklist.ingest(exam({ ...ana, ...fields }), { headers: { 'X-Source-System': 'RIS-2' } });
    const message = `The patient was corrected: ${what}.`;
    expect(items).toEqual([
      {
        id: worklist.id,
        accession_number: 'SL-1',
        status: 'updated',
        message,
        warnings: [{ code: 'PATIENT_CORRECTED', message }],
      },
    ]);
    expect(await worklist.item(worklist.id)).toMatchObject({ ...ana, ...fields });
    expect(await worklist.history(worklist.id)).toEqual([
      {
        id: expect.stringMatching(/^his_/),
        item_id: worklist.id,
        space: 'local',
        at: '2026-03-02T11:00:01.000Z',
        who: 'Dra. Helena Prado',
        from: 'new',
        to: 'new',
        reason: message,
        source_system: 'RIS-2',
        changes: [change],
      },
    ]);
  });

  test('is reported once: the same item again changes nothing', async () => {
    const worklist = await withAna();
    const corrected = exam({ ...ana, patient_name: 'SOUSA^ANA' });
    await worklist.ingest(corrected);
    expect((await worklist.ingest(corrected)).items).toEqual([
      { id: worklist.id, accession_number: 'SL-1', status: 'deduped', message: 'Known already; nothing changed.' },
    ]);
    expect(await worklist.history(worklist.id)).toHaveLength(1);
  });

  test.each([
    ['another way of writing the name', { patient_name: 'Ana Souza' }],
    ['a birth date that is cleared', { patient_birth_date: null }],
    ['a sex', { patient_sex: 'U' }],
  ])('is not %s', async (_what, fields) => {
    const worklist = await withAna();
    const { items } = await worklist.ingest(exam({ ...ana, ...fields }));
    expect(items).toEqual([{ id: worklist.id, accession_number: 'SL-1', status: 'updated' }]);
    expect(await worklist.history(worklist.id)).toEqual([]);
  });
});

describe('metadata.accept_patient_change', () => {
  test('makes the exam the other patient’s, and nothing of the former one stays', async () => {
    const worklist = await withAna({ exam_room: 'Sala 1', metadata: { allergies: 'Iodine' }, ward: 'north' });
    const { items } = await worklist.ingest(exam({ ...rui, metadata: { ...accepted, priority: 'STAT' } }));
    expect(items).toMatchObject([{ status: 'updated', warnings: [{ code: 'PATIENT_CHANGED' }] }]);
    expect(await worklist.item(worklist.id)).toMatchObject({
      ...rui,
      display_name: 'Rui Costa',
      patient_birth_date: null,
      patient_sex: null,
      patient_age: null,
      metadata: { priority: 'STAT' },
      study_uid: '1.2.1',
      exam_room: 'Sala 1',
      version: 2,
    });
    const [entry] = await worklist.history(worklist.id);
    expect(entry).toMatchObject({ from: 'new', to: 'new', who: 'Dra. Helena Prado' });
    expect(entry!.changes).toEqual([
      { field: 'patient_id', before: '0045871', after: '77' },
      { field: 'patient_name', before: 'SOUZA^ANA', after: 'COSTA^RUI' },
      { field: 'patient_birth_date', before: '1971-06-14', after: null },
      { field: 'patient_sex', before: 'F', after: null },
      { field: 'patient_age', before: '054Y', after: null },
    ]);
    // The former patient’s order, sent once more, is another patient’s now.
    expect(fieldErrorsOf(await refusal(worklist.ingest(exam(ana))))).toMatchObject([{ code: 'PATIENT_MISMATCH' }]);
  });

  test('is obeyed and not kept, and does nothing where it is the same patient or a new exam', async () => {
    const worklist = await withAna({ metadata: { ward: 3 } });
    for (const metadata of [accepted, { accept_patient_change: false }]) {
      expect(await worklist.ingest(exam({ ...ana, metadata }))).toMatchObject({ deduped: 1 });
    }
    expect((await worklist.item(worklist.id)).metadata).toEqual({ ward: 3 });
    const fresh = await worklist.ingest(exam({ accession_number: 'SL-2', metadata: { ...accepted, bed: 4 } }));
    expect((await worklist.item(fresh.items[0]!.id!)).metadata).toEqual({ bed: 4 });
  });

  test.each([false, 'true', 1, null])('%j does not accept', async (value) => {
    const worklist = await withAna();
    const sent = exam({ ...rui, metadata: { accept_patient_change: value } });
    const codes = fieldErrorsOf(await refusal(worklist.ingest(sent))).map(({ field, code }) => [field, code]);
    expect(codes).toContainEqual(['patient_id', 'PATIENT_MISMATCH']);
    if (value !== false) expect(codes).toContainEqual(['metadata', 'INVALID_TYPE']);
  });

  test.each([
    [{ patient_id: '77', patient_name: undefined }, 'patient_name'],
    [{ patient_id: undefined, patient_name: 'COSTA^RUI', patient_birth_date: '1990-01-01' }, 'patient_id'],
  ])('needs the whole patient: %j', async (fields, field) => {
    const worklist = await withAna();
    const sent = JSON.parse(JSON.stringify(exam({ ...fields, metadata: accepted }))) as object;
    expect(fieldErrorsOf(await refusal(worklist.ingest(sent)))).toMatchObject([{ field, code: 'FIELD_REQUIRED' }]);
    expect(await worklist.item(worklist.id)).toMatchObject(ana);
  });

  test.each([
    ['draft', true],
    ['final', false],
  ] as const)('with a %s: %s', async (status, isTaken) => {
    const worklist = await withAna();
    await worklist.store.transact(async (tx) => {
      const item = (await tx.get('items', worklist.id))!;
      tx.put('items', { ...item, record_id: 'rec_1' });
      tx.put('records', { id: 'rec_1', space: 'local', status, title: 'Report', text: 'Clear.' } as never);
    });
    const sent = exam({ ...rui, metadata: accepted });
    if (isTaken) {
      expect((await worklist.ingest(sent)).items[0]!.message).toContain('a draft');
      expect(await worklist.item(worklist.id)).toMatchObject(rui);
      return;
    }
    const [problem] = fieldErrorsOf(await refusal(worklist.ingest(sent)));
    expect(problem).toMatchObject({ code: 'PATIENT_MISMATCH', message: expect.stringContaining('signed') });
    expect(await worklist.item(worklist.id)).toMatchObject(ana);
    // A correction is about the same patient, whatever was signed.
    expect(await worklist.ingest(exam({ ...ana, patient_name: 'SOUSA^ANA' }))).toMatchObject({ updated: 1 });
  });
});

test('in any order of messages, all data of an exam is of one patient', async () => {
  const patients = [1, 2, 3].map((n) => ({
    patient_id: String(n),
    patient_name: `FAMILY${'ABC'[n - 1]}^GIVEN`,
    patient_birth_date: `1970-01-0${n}`,
    patient_age: `0${n}0Y`,
    metadata: { of: n },
  }));
  const sent = fc
    .record({
      of: fc.constantFrom(...patients),
      brings: fc.subarray(['patient_name', 'patient_birth_date', 'patient_age', 'metadata'] as const),
      accepts: fc.boolean(),
      keeps: fc.boolean(),
    })
    .map(({ of, brings, accepts, keeps }) => {
      const { patient_name: _name, ...rest } = exam({ patient_id: of.patient_id });
      const brought = Object.fromEntries(brings.map((name) => [name, of[name]]));
      const instructions = { accept_patient_change: accepts, keep_absent: keeps };
      return { ...rest, ...brought, metadata: { ...(brought['metadata'] as object), ...instructions } };
    });
  const batches = fc.array(fc.array(sent, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(batches, async (bodies) => {
      const worklist = createWorklist();
      for (const body of bodies) await worklist.ingest(body).catch(() => undefined);
      for (const item of (await worklist.list()).items) {
        const { patient_id, patient_name, patient_birth_date, patient_age, metadata } = item;
        const owner = patients.find((patient) => patient.patient_id === patient_id)!;
        expect(patient_name).toBe(owner.patient_name);
        expect([owner.patient_birth_date, null]).toContain(patient_birth_date);
        expect([owner.patient_age, null]).toContain(patient_age);
        expect([owner.metadata.of, undefined]).toContain(metadata?.['of']);
      }
    }),
    { numRuns: 40 },
  );
});

test('of an exam in somebody’s hands is reported', async () => {
  const worklist = await withAna();
  await worklist.setStatus(worklist.id, { status: 'in_progress' });
  const { items } = await worklist.ingest(exam({ ...rui, metadata: accepted }));
  expect(items[0]!.message).toContain('Somebody is reporting on the exam');
});

describe('metadata.keep_absent', () => {
  const keep = { keep_absent: true };
  test.each([
    [null, { a: 1, ...keep }, { a: 1 }],
    [
      { a: 1, b: 2 },
      { b: 3, ...keep },
      { a: 1, b: 3 },
    ],
    [{ a: 1, b: 2 }, { b: null, ...keep }, { a: 1 }],
    [{ a: 1 }, { ...keep }, { a: 1 }],
    [{ a: 1 }, { b: 2, keep_absent: false }, { b: 2 }],
    [{ a: { x: 1, z: 1 } }, { a: { y: 1, z: null }, ...keep }, { a: { x: 1, y: 1 } }],
    [{ a: 1 }, { a: { y: [1, null], z: null }, ...keep }, { a: { y: [1, null] } }],
  ])('%j and then %j make %j', async (stored, sent, result) => {
    const worklist = createWorklist();
    const { items } = await worklist.ingest(exam({ metadata: stored }));
    await worklist.ingest(exam({ metadata: sent }));
    expect((await worklist.item(items[0]!.id!)).metadata).toEqual(result);
    expect(await worklist.ingest(exam({ metadata: sent }))).toMatchObject({ deduped: 1 });
  });
});

test('merges do not grow for ever, request by request', async () => {
  const worklist = createWorklist();
  const { items } = await worklist.ingest(exam());
  const part = (at: number) => ({ [`part${at}`]: 'x'.repeat(100_000), keep_absent: true });
  const outcomes: unknown[] = [];
  for (let at = 0; at < 8; at++) {
    const sent = exam(at % 2 === 0 ? { metadata: part(at) } : { [`own${at}`]: 'x'.repeat(100_000) });
    outcomes.push(
      await worklist.ingest(sent).then(
        () => 'taken',
        (error) => fieldErrorsOf(error)[0]!.code,
      ),
    );
  }
  expect(outcomes).toEqual([...Array(5).fill('taken'), ...Array(3).fill('TOO_LONG')]);
  expect(JSON.stringify(await worklist.item(items[0]!.id!)).length).toBeLessThan(600_000);
});

test('a cancelled exam stays cancelled, which is reported', async () => {
  const worklist = await withAna();
  await worklist.setStatus(worklist.id, { status: 'cancelled' });
  for (const [fields, status] of [
    [{}, 'deduped'],
    [{ exam_room: 'Sala 2' }, 'updated'],
  ] as const) {
    expect((await worklist.ingest(exam({ ...ana, ...fields }))).items).toMatchObject([
      { status, warnings: [{ code: 'EXAM_CANCELLED' }] },
    ]);
  }
  expect((await worklist.item(worklist.id)).status).toBe('cancelled');
});

test('a request reads the history of an exam once, however many items are about the exam', async () => {
  let reads = 0;
  const find = async () => {
    reads += 1;
    return [{ reason: null, changes: [{ field: 'patient_name', before: 'TESTE^PACIENTE', after: 'DEMO^PATIENT' }] }];
  };
  const former = new PreviousPatients({ find } as unknown as Reader);
  const exam = { id: 'wli_1', patient_id: 'P', patient_name: 'DEMO^PATIENT', patient_birth_date: null };
  const sent = { fields: { patient_id: 'P' }, extra: undefined, instructions: {}, errors: [] };
  for (let at = 0; at < 3; at += 1) {
    const persons = await former.of(exam as unknown as Documents['items'], sent);
    expect(persons).toEqual([{ patient_name: 'TESTE^PACIENTE', patient_birth_date: null, isMerged: false }]);
  }
  expect(reads).toBe(1);
});

describe('another study UID of a known exam', () => {
  test('is taken with a warning, and the history keeps the former one', async () => {
    const worklist = await withAna();
    const other = exam({ ...ana, study_uid: '1.2.2' });
    const { items } = await worklist.ingest(other);
    expect(items[0]!.warnings).toEqual([{ code: 'STUDY_CHANGED', message: expect.stringContaining('study UID') }]);
    expect((await worklist.history(worklist.id))[0]).toMatchObject({
      changes: [{ field: 'study_uid', before: '1.2.1', after: '1.2.2' }],
    });
    expect(await worklist.ingest(other)).toMatchObject({ deduped: 1 });
  });

  test('that comes first, or comes again, is nothing to look at', async () => {
    const worklist = await withAna({ study_uid: undefined });
    for (const _ of [1, 2]) {
      const { items } = await worklist.ingest(exam({ ...ana, study_uid: '1.2.1' }));
      expect(items[0]!.warnings).toBeUndefined();
    }
    expect(await worklist.history(worklist.id)).toEqual([]);
  });
});
