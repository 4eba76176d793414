import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  beginSignature,
  documentOfRecord,
  recordOfDocument,
  reopen,
  sendBack,
  signFinally,
  signPreliminary,
  withoutPending,
  withTransition,
} from '../../../server/records/signature-state.ts';
import type { DraftRecord, FinalRecord, StoredRecord } from '../../../server/records/signature-state.ts';
import type { Documents } from '../../../server/storage/collections.ts';

type StoredDocument = Documents['records'];

const at = '2026-11-29T10:00:00.000Z';
const body = {
  id: 'rec_1',
  space: 'clinic',
  version: 3,
  title: 'Chest CT',
  template_id: 'general',
  language: 'en-US',
  sections: [{ key: 'findings', title: 'Findings', text: 'Clear.' }],
  text: 'Findings\nClear.',
  transcript: null,
  source: { kind: 'text' },
  worklist_item_id: null,
  job_id: null,
  test_mode: false,
  metadata: {},
  created_at: at,
  updated_at: at,
  audio_blob: null,
} as const;
const document = (fields: Partial<StoredDocument>): StoredDocument => ({
  ...body,
  sections: [...body.sections],
  status: 'draft',
  ...fields,
});

const resident = { by: 'Dr. Lima', at, version: 2 };
const request = { by: 'Dr. Nunes', at, note: 'See the left lung.' };
const signing = { by: 'Dr. Lima', at, final_at: '2026-11-29T10:01:00.000Z' };
const pending = { user_id: 'usr_1', source_system: null };
const replaces = { record_id: 'rec_0', version: 2 };
const every = {
  signing,
  pending_signature: { ...pending, as: 'preliminary' as const },
  preliminary: resident,
  signatory_id: 'usr_1',
  sent_back: request,
  replaces,
};

const states: readonly [string, Partial<StoredDocument>][] = [
  ['a draft', {}],
  ['a draft that was sent back', { sent_back: request }],
  ['a draft in its grace period', { signing, pending_signature: pending, sent_back: request }],
  ['a draft that becomes preliminary', { signing, pending_signature: { ...pending, as: 'preliminary' } }],
  ['a preliminary record', { status: 'preliminary', preliminary: resident, signatory_id: 'usr_1' }],
  [
    'a preliminary record in its grace period',
    { status: 'preliminary', preliminary: resident, signing, pending_signature: pending },
  ],
  ['a final record', { status: 'final' }],
  ['a co-signed record that replaces another', { status: 'final', preliminary: resident, signatory_id: 'u', replaces }],
];

test.each(states)('%s is stored as it was', (_name, fields) => {
  const stored = document(fields);
  expect(documentOfRecord(recordOfDocument(stored))).toEqual(stored);
});

test.each<[string, Partial<StoredDocument>, Partial<StoredDocument>]>([
  ['a draft', every, { signing, pending_signature: every.pending_signature, sent_back: request }],
  ['a signature without its signer', { signing }, {}],
  ['a preliminary record that nobody signed', { status: 'preliminary', signatory_id: 'usr_1' }, {}],
  [
    'a preliminary record',
    { status: 'preliminary', ...every },
    { status: 'preliminary', preliminary: resident, signatory_id: 'usr_1', signing, pending_signature: pending },
  ],
  [
    'a final record',
    { status: 'final', ...every },
    { status: 'final', preliminary: resident, signatory_id: 'usr_1', replaces },
  ],
])('%s of data that no version wrote keeps what its state has', (_name, fields, kept) => {
  expect(recordOfDocument(document(fields))).toEqual(document(kept));
});

const draft: DraftRecord = { ...body, sections: [...body.sections], status: 'draft' };
const preliminary = signPreliminary({ ...draft, sent_back: request }, { by: 'Dr. Lima', at, id: 'usr_1' });
const maker = { by: 'Dr. Nunes', at };

describe('a step', () => {
  test('leads to exactly the fields of its state', () => {
    expect(preliminary).toEqual(
      document({ status: 'preliminary', preliminary: { by: 'Dr. Lima', at, version: 3 }, signatory_id: 'usr_1' }),
    );
    expect(reopen(preliminary)).toEqual(draft);
    expect(sendBack(preliminary, request)).toEqual({ ...draft, sent_back: request });
    expect(signFinally({ ...draft, sent_back: request }, replaces)).toEqual({ ...draft, status: 'final', replaces });
    expect(signFinally(preliminary, undefined)).toEqual({ ...preliminary, status: 'final' });
    expect(withTransition(preliminary, 'edited', { maker })).toEqual(preliminary);
    expect(withTransition(preliminary, 'sent_back', { maker })).toEqual({ ...draft, sent_back: maker });
    expect(withTransition(preliminary, 'signed', { maker, replaces })).toEqual(signFinally(preliminary, replaces));
  });

  test.each([draft, { ...draft, sent_back: request }, preliminary])('that is taken back leaves $status', (record) => {
    const begun = beginSignature(record, { as: 'final', signing, pending });
    expect(begun).toEqual({ ...record, signing, pending_signature: pending });
    expect(withoutPending(begun)).toEqual(record);
  });

  test('of a client, which is no user, names no signatory', () => {
    expect(signPreliminary(preliminary, { by: 'client', at })).not.toHaveProperty('signatory_id');
  });
});

test('a state with fields of another does not compile', () => {
  const final = signFinally(preliminary, replaces);
  // @ts-expect-error a final record is sent back no more
  const sentBack: StoredRecord = { ...final, sent_back: request };
  // @ts-expect-error a preliminary record has its signature
  const unsigned: StoredRecord = { ...draft, status: 'preliminary' };
  // @ts-expect-error a signature that can be taken back has its signer
  const signerless: StoredRecord = { ...draft, signing };
  // @ts-expect-error a draft replaces nothing
  const replacing: StoredRecord = { ...draft, replaces };
  for (const record of [sentBack, unsigned, signerless, replacing])
    expect(recordOfDocument(record)).not.toEqual(record);
  expectTypeOf<FinalRecord>().toExtend<StoredDocument>();
});
