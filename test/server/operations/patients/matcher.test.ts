/** What belongs to a patient, collection by collection, where the API offers no short way to make it. */
import { expect, test } from 'vitest';
import { collectDocuments, createMatcher, recognise } from '../../../../server/operations/patients/matcher.ts';
import type { StoredDocument } from '../../../../server/storage/store.ts';
import { storedItem } from '../../../support/stored-item.ts';

const person = {
  patient_id: 'KANARI77',
  patient_name: 'DEMO^PATIENT',
  patient_birth_date: '1961-04-12',
  issuer: null,
};
const item = 'wli_01JNBK4V9Q0000000000000001';
const record = 'rec_01JNBK4V9Q0000000000000002';
const other = 'wli_01JNBK4V9Q0000000000000009';
const stored = (collection: string, document: object) =>
  ({ collection, document: { id: 'x', space: 'local', ...document } }) as unknown as StoredDocument;
const message = (text: string, more = {}) =>
  stored('messages', { content: Buffer.from(text).toString('base64'), ...more });

function matcher() {
  const made = createMatcher(recognise({ space: 'local', person }), []);
  made.matches({ collection: 'items', document: storedItem(item, { ...person }) });
  made.matches(stored('records', { id: record, worklist_item_id: item }));
  return made;
}

test.each<[string, StoredDocument]>([
  ['history', stored('history', { item_id: item })],
  ['a version', stored('versions', { record_id: record })],
  ['a job of the report', stored('jobs', { worklist_item_id: null, record_id: record })],
  ['a live transcription', stored('transcriptions', { worklist_item_id: item })],
  ['an announcement of the report', stored('deliveries', { event: { data: { record_id: record } } })],
  ['a report on its way', stored('messages', { record_id: record })],
  ['an order', message('PID|1||KANARI77^^^HSL||DEMO^PATIENT')],
  ['an order in other letters', message('PID|1||KANARI77||Demo^Patiént')],
  ['an answer to a repeated request', stored('idempotency', { data: { items: [{ id: item }] } })],
  ['a merge into the patient', stored('told_patients', merged('KANARI77'))],
  [
    'an exam in the trash',
    stored('trash', { documents: [{ collection: 'items', document: storedItem('b', person) }] }),
  ],
])('%s is the patient’s', (_what, document) => {
  expect(matcher().matches(document)).toBe(true);
});

test.each<[string, StoredDocument]>([
  ['an order with the number alone', message('PID|1||KANARI77||SILVA^MARIA')],
  ['an order whose number only begins so', message('PID|1||KANARI778||DEMO^PATIENT')],
  ['an order in another space', message('PID|1||KANARI77||DEMO^PATIENT', { space: 'elsewhere' })],
  ['another exam', { collection: 'items', document: storedItem(other) }],
  ['an exam of the number by another issuer', exam({ metadata: { patient_id_issuer: 'B' } })],
  [
    'an exam of the number with another name and birth',
    exam({ patient_name: 'SILVA^MARIA', patient_birth_date: '1990-01-01' }),
  ],
  ['an exam in another space', exam({ space: 'elsewhere' })],
  ['an answer about another', stored('idempotency', { data: { items: [{ id: other }] } })],
  ['the audit trail', stored('audit', { ids: [item] })],
  ['a merge of others', stored('told_patients', merged('0045871'))],
])('%s is not', (_what, document) => {
  const known = createMatcher(recognise({ space: 'local', person: { ...person, issuer: 'A' } }), []);
  known.matches({ collection: 'items', document: storedItem(item, { ...person }) });
  expect(known.matches(document)).toBe(false);
});

test('all is read once, and again only if the trash names what may be named before it', async () => {
  const trashed = 'wli_01JNBK4V9Q0000000000000003';
  const documents = [
    { collection: 'items', document: storedItem(item, { ...person }) } as StoredDocument,
    stored('records', { id: record, worklist_item_id: item }),
    stored('versions', { record_id: record }),
    stored('messages', { id: 'of a report', record_id: record }),
  ];
  const collect = async (all: readonly StoredDocument[]) => {
    let reads = 0;
    async function* dump() {
      reads += 1;
      yield* all;
    }
    const found = await collectDocuments({ dump }, createMatcher(recognise({ space: 'local', person }), []));
    return { reads, found };
  };
  expect(await collect(documents)).toEqual({ reads: 1, found: documents });
  const left = stored('messages', { id: 'of a trashed exam', worklist_item_id: trashed });
  const trash = stored('trash', { documents: [{ collection: 'items', document: storedItem(trashed, person) }] });
  const all = [...documents, left, trash];
  expect(await collect(all)).toEqual({ reads: 2, found: all });
});

function exam(changes: object): StoredDocument {
  return { collection: 'items', document: storedItem('wli_x', { ...person, ...changes }) };
}

function merged(into: string) {
  return {
    patient_id: 'former',
    patient_id_issuer: null,
    facts: {},
    merge: { event: 'A40', into: { patient_id: into, patient_id_issuer: null } },
  };
}
