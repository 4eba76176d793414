/** Random batches against a reference that knows nothing of indexes, batches or versions: a list that is searched. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWorklist, exam } from '../../support/worklist.ts';

interface ModelItem {
  accession_number: string | null;
  study_uid: string | null;
  exam_room: string | null;
  patient_name: string;
}
interface SentItem {
  accession_number?: string;
  study_uid?: string;
  exam_room?: string | null;
  patient_name?: string;
  modality?: string;
}

const absent = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const sentItem: fc.Arbitrary<SentItem> = fc
  .record({
    accession_number: absent(fc.constantFrom('A1', 'A2', 'A3', 'A4')),
    study_uid: absent(fc.constantFrom('1.1', '1.2', '1.3', '1.4')),
    exam_room: absent(fc.constantFrom(null, 'Sala 1', 'Sala 2')),
    patient_name: absent(fc.constantFrom('Test Patient', 'Demo Patient')),
    modality: fc.constantFrom('CT', 'CT', 'CT', 'ZZ'),
  })
  .map((item) => JSON.parse(JSON.stringify(item)) as SentItem);

/** Applies one item to the list; the outcome, or the code of its error. */
function apply(list: ModelItem[], sent: SentItem): string {
  const { accession_number, study_uid, exam_room, patient_name, modality } = sent;
  if (accession_number === undefined && study_uid === undefined) return 'error';
  const byAccession = list.find((item) => accession_number !== undefined && item.accession_number === accession_number);
  const byStudy = list.find((item) => study_uid !== undefined && item.study_uid === study_uid);
  if (modality === 'ZZ' || (byAccession && byStudy && byAccession !== byStudy)) return 'error';
  const found = byAccession ?? byStudy;
  const target: ModelItem = found ?? { accession_number: null, study_uid: null, exam_room: null, patient_name: '' };
  if (!found && patient_name === undefined) return 'error';
  const before = JSON.stringify(target);
  Object.assign(target, JSON.parse(JSON.stringify({ accession_number, study_uid, exam_room, patient_name })));
  if (!found) list.push(target);
  return !found ? 'inserted' : JSON.stringify(target) === before ? 'deduped' : 'updated';
}

test('ingest does what a list that is searched would do', async () => {
  const full = ({ patient_name, ...sent }: SentItem) => {
    const { patient_name: _name, accession_number: _accession, ...core } = exam();
    return { ...core, ...sent, ...(patient_name !== undefined && { patient_name }) };
  };
  const batches = fc.array(fc.array(sentItem, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(batches, async (sequence) => {
      const worklist = createWorklist();
      const model: ModelItem[] = [];
      for (const batch of sequence) {
        const expected = batch.map((sent) => apply(model, sent));
        const answer = await worklist.ingest(batch.map(full)).catch(() => undefined);
        if (!answer) {
          expect(expected.every((outcome) => outcome === 'error')).toBe(true);
          continue;
        }
        const outcomes: string[] = answer.items.map(({ status }) => status);
        for (const { index } of answer.errors) outcomes.splice(index, 0, 'error');
        expect(outcomes).toEqual(expected);
        expect(answer.processed).toBe(answer.inserted + answer.updated + answer.deduped + answer.errors.length);
        expect(answer.processed).toBe(batch.length);
      }
      const stored = await worklist.store.find('items', { index: 'space', key: 'local' });
      expect(
        stored
          .map(({ accession_number, study_uid, exam_room, patient_name }) => ({
            accession_number,
            study_uid,
            exam_room,
            patient_name,
          }))
          .toReversed(),
      ).toEqual(model);
    }),
    { numRuns: 100 },
  );
});
