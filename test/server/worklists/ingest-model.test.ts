/** Random batches against a reference that knows nothing of indexes, transactions or shortcuts: a list that is searched. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from '../../support/properties.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Documents } from '../../../server/storage/collections.ts';
import { contract } from '../../../src/contract/index.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { WorklistStatus } from '../../../src/contract/worklist.ts';
import { examFields, startApi } from '../../support/api.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { createWorklist, exam } from '../../support/worklist.ts';

/** The contract's order of the fields that are sent here; errors are told in it. */
const fieldOrder = [
  'accession_number',
  'study_uid',
  'patient_name',
  'modality',
  'exam_datetime',
  'exam_room',
  'series_count',
  'metadata',
] as const;
type Field = (typeof fieldOrder)[number];
const coreFields: readonly string[] = ['patient_name', 'modality', 'exam_datetime'];

type Fields = Record<string, unknown>;

/** An item as the reference keeps it. `meta` and `extra` make up its metadata. */
interface Kept {
  id: string;
  fields: Fields;
  meta: Fields | null;
  extra: Fields | undefined;
  source: string | null;
  status: WorklistStatus;
  version: number;
}

type Problem = readonly [field: string, code: string];

/** Ways of writing a value → what it stands for, or the code of what is wrong with it. `undefined`: not there. */
const meanings: Readonly<Record<Field, readonly (readonly [sent: unknown, meant: unknown, wrong?: string])[]>> = {
  accession_number: [
    ['A1', 'A1'],
    [' A1', 'A1'],
    ['A2', 'A2'],
    ['A3', 'A3'],
    ['', undefined],
    [null, undefined],
    ['A\u200b1', undefined, 'INVALID_FORMAT'],
    ['A'.repeat(65), undefined, 'TOO_LONG'],
  ],
  study_uid: [
    ['1.1', '1.1'],
    ['1.2', '1.2'],
    ['urn:oid:1.2', '1.2'],
    ['1.3', '1.3'],
    [null, undefined],
    ['1.02', undefined, 'INVALID_FORMAT'],
    [13, undefined, 'INVALID_TYPE'],
  ],
  patient_name: [
    ['Test Patient', 'Test Patient'],
    ['Demo Patient', 'Demo Patient'],
    ['Anoˆnimo', 'Anoˆnimo'],
    ['Paciente Ano\u0302nimo', 'Paciente Anônimo'],
    ['', undefined, 'FIELD_REQUIRED'],
    [null, undefined, 'FIELD_REQUIRED'],
    ['a\nb', undefined, 'INVALID_FORMAT'],
  ],
  modality: [
    ['CT', 'CT'],
    ['ct ', 'CT'],
    ['MR', 'MR'],
    ['ZZ', undefined, 'INVALID_MODALITY'],
  ],
  exam_datetime: [
    ['2026-03-02T08:30:00-03:00', '2026-03-02T08:30:00-03:00'],
    ['2026-03-02 08:30 -03', undefined, 'INVALID_FORMAT'],
    ['2026-03-02 08:30-03', '2026-03-02T08:30:00-03:00'],
    ['2026-02-30T08:30:00Z', undefined, 'INVALID_FORMAT'],
  ],
  exam_room: [
    ['Sala 1', 'Sala 1'],
    ['  Sala 1 ', 'Sala 1'],
    ['Sala 2', 'Sala 2'],
    ['', null],
    [null, null],
    [2, undefined, 'INVALID_TYPE'],
  ],
  series_count: [
    [1, 1],
    [2, 2],
    [null, null],
    [-1, undefined, 'INVALID_VALUE'],
    ['1', undefined, 'INVALID_TYPE'],
  ],
  metadata: [
    [{ a: 1 }, { a: 1 }],
    [
      { a: 1, b: [2] },
      { a: 1, b: [2] },
    ],
    [{}, {}],
    [null, null],
    ['text', undefined, 'INVALID_TYPE'],
  ],
};

/** What was sent for one item, as it was meant. */
interface Meant {
  readonly sent: unknown;
  readonly fields: Fields;
  readonly extra: Fields | undefined;
  readonly problems: readonly Problem[];
}

/** Good values far more often than bad ones, or no batch would have much to store. */
const fieldValue = (name: Field) => {
  const good = meanings[name].filter(([, , wrong]) => wrong === undefined);
  const bad = meanings[name].filter(([, , wrong]) => wrong !== undefined);
  return fc.oneof(
    { weight: 24, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );
};
const rarely = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });
const mostly = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 12 });

const sentItem: fc.Arbitrary<Meant> = fc
  .record({
    accession_number: mostly(fieldValue('accession_number')),
    study_uid: rarely(fieldValue('study_uid')),
    patient_name: mostly(fieldValue('patient_name')),
    modality: mostly(fieldValue('modality')),
    exam_datetime: mostly(fieldValue('exam_datetime')),
    exam_room: rarely(fieldValue('exam_room')),
    series_count: rarely(fieldValue('series_count')),
    metadata: rarely(fieldValue('metadata')),
    ward: rarely(fc.constantFrom('north', 'south', null)),
    bed: fc.option(fc.constantFrom(1, 2), { nil: undefined, freq: 1 }),
  })
  .map(({ ward, bed, ...chosen }) => {
    const { accession_number: _number, patient_name: _name, modality: _modality, exam_datetime: _at, ...rest } = exam();
    const sent: Fields = { ...rest };
    const fields: Fields = { ...rest };
    const problems: Problem[] = [];
    for (const name of fieldOrder) {
      const value = chosen[name];
      if (!value) continue;
      const [written, meant, wrong] = value;
      sent[name] = written;
      if (wrong !== undefined) problems.push([name, wrong]);
      else if (meant !== undefined) fields[name] = meant;
    }
    const extra = Object.fromEntries(Object.entries({ ward, bed }).filter(([, value]) => value !== undefined));
    const isIdentified = ['accession_number', 'study_uid'].some(
      (name) => name in fields || problems.some(([field]) => field === name),
    );
    return {
      sent: { ...sent, ...extra },
      fields,
      extra: Object.keys(extra).length === 0 ? undefined : extra,
      problems: isIdentified ? problems : [['accession_number', 'FIELD_REQUIRED'], ...problems],
    };
  });
const noItem: fc.Arbitrary<Meant> = fc
  .constantFrom<unknown>(null, 'A1', 7, [])
  .map((sent) => ({ sent, fields: {}, extra: undefined, problems: [['', 'INVALID_TYPE']] }));
const anyItem = fc.oneof({ weight: 40, arbitrary: sentItem }, { weight: 1, arbitrary: noItem });

type Step =
  | { readonly kind: 'batch'; readonly items: readonly Meant[]; readonly source: string | null }
  | { readonly kind: 'move'; readonly which: number; readonly to: WorklistStatus };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      items: fc.array(anyItem, { minLength: 1, maxLength: 8 }),
      source: fc.constantFrom(null, 'RIS-1', 'RIS-2'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      which: fc.nat(),
      to: fc.constantFrom('new', 'in_progress', 'completed', 'cancelled'),
    }),
  },
);

const metadataOf = ({ meta, extra }: Pick<Kept, 'meta' | 'extra'>): Fields | null =>
  meta === null && !extra ? null : { ...meta, ...(extra && { extra }) };

/** Metadata that is sent replaces, `null` clears, and fields that are not the contract's are merged. */
function changedMetadata(before: Pick<Kept, 'meta' | 'extra'>, { fields, extra }: Meant): Pick<Kept, 'meta' | 'extra'> {
  const given = fields['metadata'] as Fields | null | undefined;
  if (given === null) return { meta: null, extra };
  const merged = before.extra || extra ? { ...before.extra, ...extra } : undefined;
  return { meta: given ?? before.meta, extra: merged };
}

type Outcome = { readonly status: 'inserted' | 'updated' | 'deduped'; readonly kept: Kept } | readonly Problem[];

/** Applies one item to the list. */
function apply(list: Kept[], item: Meant, source: string | null): Outcome {
  const { accession_number: accession, study_uid: study, metadata: _metadata, ...others } = item.fields;
  const byAccession =
    accession === undefined ? undefined : list.find((kept) => kept.fields['accession_number'] === accession);
  const byStudy = study === undefined ? undefined : list.find((kept) => kept.fields['study_uid'] === study);
  const problems: Problem[] = [...item.problems];
  const has = (name: string): boolean => problems.some(([field]) => field === name);
  if (byAccession && byStudy && byAccession !== byStudy) {
    problems.push(['study_uid', 'IDENTIFIER_CONFLICT']);
  } else if (!byAccession && !byStudy && !has('')) {
    for (const name of coreFields) if (!(name in others) && !has(name)) problems.push([name, 'FIELD_REQUIRED']);
  }
  const order: readonly string[] = fieldOrder;
  if (problems.length > 0) return problems.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));

  const identifiers = {
    ...(accession !== undefined && { accession_number: accession }),
    ...(study !== undefined && { study_uid: study }),
  };
  const found = byAccession ?? byStudy;
  if (!found) {
    const blank = { accession_number: null, study_uid: null, exam_room: null, series_count: null };
    const kept: Kept = {
      id: '',
      fields: { ...blank, ...identifiers, ...others },
      ...changedMetadata({ meta: null, extra: undefined }, item),
      source,
      status: 'new',
      version: 1,
    };
    list.push(kept);
    return { status: 'inserted', kept };
  }
  const fields = { ...found.fields, ...identifiers, ...others };
  const metadata = changedMetadata(found, item);
  const isSame = isDeepStrictEqual(fields, found.fields) && isDeepStrictEqual(metadataOf(metadata), metadataOf(found));
  if (isSame) return { status: 'deduped', kept: found };
  Object.assign(found, { fields, ...metadata, source: source ?? found.source, version: found.version + 1 });
  return { status: 'updated', kept: found };
}

type Worklist = ReturnType<typeof createWorklist>;

async function ingestBoth(
  worklist: Worklist,
  list: Kept[],
  { items, source }: Step & { kind: 'batch' },
): Promise<void> {
  const outcomes = items.map((item) => apply(list, item, source));
  const bodyItems = items.map(({ sent }) => sent);
  const headers = source === null ? {} : { 'X-Source-System': source };
  const answer = await worklist.ingest(bodyItems, { headers }).catch((error: unknown) => error);
  const refused = outcomes.flatMap((outcome, index) => ('status' in outcome ? [] : [{ index, problems: outcome }]));
  if (refused.length === items.length) {
    expect(answer).toBeInstanceOf(AppError);
    const told = (answer as AppError).details?.['errors'] as { field: string; code: string }[];
    expect(told.map(({ field, code }) => [field, code])).toEqual(
      refused.flatMap(({ index, problems }) =>
        problems.map(([field, code]) => [field === '' ? `items.${index}` : `items.${index}.${field}`, code]),
      ),
    );
    return;
  }
  const result = answer as Awaited<ReturnType<Worklist['ingest']>>;
  expect(result.errors.map(({ index, field, error }) => ({ index, field, error }))).toEqual(
    refused.map(({ index, problems: [[field, code] = ['', '']] }) => ({ index, field, error: code })),
  );
  const taken = outcomes.filter((outcome) => 'status' in outcome);
  expect(result.items.map(({ status }) => status)).toEqual(taken.map(({ status }) => status));
  taken.forEach(({ status, kept }, at) => {
    const { id } = result.items[at]!;
    if (status === 'inserted') kept.id = id!;
    expect(id).toBe(kept.id);
  });
  const count = (wanted: string): number => taken.filter(({ status }) => status === wanted).length;
  expect(result).toMatchObject({
    processed: items.length,
    inserted: count('inserted'),
    updated: count('updated'),
    deduped: count('deduped'),
  });
}

const allowed: Readonly<Record<WorklistStatus, readonly WorklistStatus[]>> = {
  new: ['in_progress', 'completed', 'cancelled'],
  in_progress: ['new', 'completed', 'cancelled'],
  completed: ['in_progress'],
  cancelled: ['new'],
};

async function moveBoth(worklist: Worklist, list: Kept[], { which, to }: Step & { kind: 'move' }): Promise<void> {
  const kept = list[which % Math.max(1, list.length)];
  if (!kept) return;
  const moved = await worklist.setStatus(kept.id, { status: to }).catch((error: unknown) => error);
  if (kept.status !== to && !allowed[kept.status].includes(to)) {
    expect(moved).toMatchObject({ code: 'INVALID_TRANSITION' });
  } else if (kept.status !== to) {
    kept.status = to;
    kept.version += 1;
  }
}

const seen = ({ id, status, version, source_system, metadata, ...item }: Documents['items']) => ({
  id,
  status,
  version,
  source_system,
  metadata,
  fields: Object.fromEntries(
    [...fieldOrder.slice(0, -1), 'patient_id'].map((name) => [name, item[name as 'patient_id']]),
  ),
});

const expected = (kept: Kept): ReturnType<typeof seen> => ({
  id: kept.id,
  status: kept.status,
  version: kept.version,
  source_system: kept.source,
  metadata: metadataOf(kept),
  fields: Object.fromEntries(
    [...fieldOrder.slice(0, -1), 'patient_id'].map((name) => [name, kept.fields[name] as string]),
  ),
});

describe('ingest', () => {
  test('answers and stores what a list that is searched would', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        const worklist = createWorklist();
        const list: Kept[] = [];
        for (const each of steps) {
          if (each.kind === 'batch') await ingestBoth(worklist, list, each);
          else await moveBoth(worklist, list, each);
        }
        const stored = await worklist.store.find('items', { is: { space: 'local' } });
        expect(stored.map(seen).toReversed()).toEqual(list.map(expected));
      }),
      { numRuns: 80 },
    );
  });

  test('with keys, at once and again after a restart, has one effect a key', async () => {
    const { ingest, list } = contract.worklists.endpoints;
    const directory = await temporaryDirectory();
    const start = () => startApi({ dataDir: directory }, onTestFinished);
    let api = await start();
    const answers = new Map<string, unknown>();
    const inserted = new Set<unknown>();
    const request = fc.record({ key: fc.constantFrom('K1', 'K2', 'K3', 'K4'), body: fc.constantFrom(0, 1) });
    const bodies = [examFields(), examFields()];
    const payloads = new Map<string, number>();

    const ask = async ({ key, body }: { key: string; body: number }) => {
      const answer = await api.call(ingest, {
        body: [{ ...bodies[body], accession_number: `${key}-${body}` }],
        headers: { 'idempotency-key': key },
      });
      if (answer.status !== 200) return expect([409, 422]).toContain(answer.status);
      // Whatever was answered first under a key is the only answer that it ever has.
      expect(payloads.get(key) ?? body).toBe(body);
      payloads.set(key, body);
      expect(answer.data).toEqual(answers.get(key) ?? answer.data);
      answers.set(key, answer.data);
      inserted.add(`${key}-${body}`);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), fc.boolean(), async (requests, restarts) => {
        await Promise.all(requests.map(ask));
        if (restarts) {
          await api.close();
          api = await start();
        }
        const { data } = await api.call(list, { query: { limit: 200 } });
        expect(new Set(data.items.map(({ accession_number }) => accession_number))).toEqual(inserted);
        expect(data.items.length).toBe(inserted.size);
      }),
      { numRuns: 4 },
    );
  });
});
