/** Requests without any valid item, of Laudio and of services that know the specification alone. */
import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { refusedItems } from '../../src/client/refused-items.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { createWorklist, exam, refusal } from '../support/worklist.ts';

const wrong = fc.constantFrom<Record<string, unknown>>(
  { modality: 'XX' },
  { accession_number: 'A'.repeat(65) },
  { patient_name: '', exam_datetime: 'now' },
  { modality: 7, series_count: -1, metadata: 'urgent' },
);
const item = fc.oneof(
  wrong.map((fields) => exam(fields)),
  fc.constantFrom<unknown>(7, 'text', null, {}, []),
);

it('the shape of Laudio and that of the specification say the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 6 }), async (items) => {
      const error = await refusal(createWorklist().ingest(items));
      const { errors } = error.details as { errors: [] };
      const refused = refusedItems(error, items.length);
      expect(refused?.map(({ index }) => index)).toEqual(items.map((_, index) => index));
      expect(refusedItems(validationFailed(errors), items.length)).toEqual(
        refused?.map((each) => ({ ...each, accession_number: null })),
      );
    }),
    { numRuns: 15 },
  );
});

describe('an error is about something else', () => {
  const fields = (...names: string[]) =>
    validationFailed(names.map((field) => ({ field, message: 'no', code: 'INVALID_VALUE' })));
  const refused = { index: 0, accession_number: null, error: 'INVALID_VALUE', message: 'no', field: 'modality' };

  it.each<[string, AppError]>([
    ['of another kind', new AppError('UNAUTHORIZED', { details: { errors: [], refused: [refused] } })],
    ['without details', new AppError('VALIDATION_FAILED')],
    ['whose details are of another shape', new AppError('VALIDATION_FAILED', { details: { errors: 'items.0' } })],
    ['about a header', fields('items.0.modality', 'items.1.modality', 'X-Source-System')],
    ['about the list', fields('items')],
    ['that leaves an item out', fields('items.0.modality')],
    ['that lists one of two', new AppError('VALIDATION_FAILED', { details: { refused: [refused] } })],
  ])('%s', (_, error) => {
    expect(refusedItems(error, 2)).toBeUndefined();
  });
});
