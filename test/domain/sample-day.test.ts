import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { createValidation } from '../../server/runtime/validation.ts';
import { languages } from '../../src/contract/shared.ts';
import { WorklistItemInput } from '../../src/contract/worklist.ts';
import { sampleDay } from '../../src/domain/sample-day.ts';
import { isTestPatientName } from '../../src/domain/test-data.ts';
import { dueAt } from '../../src/domain/turnaround.ts';

const validate = createValidation()(WorklistItemInput);

test('whenever it is asked for, its exams are of test patients, valid, of the last day, and some are urgent', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2026-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
      fc.constantFrom(...languages),
      (date, language) => {
        const now = date.getTime();
        const items = sampleDay(now, language);
        expect(items.flatMap((item) => validate(item))).toEqual([]);
        expect(new Set(items.map(({ accession_number }) => accession_number)).size).toBe(items.length);
        for (const { patient_name, exam_datetime } of items) {
          expect(isTestPatientName(patient_name!)).toBe(true);
          const age = now - Date.parse(exam_datetime!);
          expect(age).toBeGreaterThan(0);
          expect(age).toBeLessThan(86_400_000);
        }
        expect(items.map((item) => item.metadata!['priority'])).toEqual(
          expect.arrayContaining(['STAT', 'HIGH', 'ROUTINE']),
        );
        const due = items.map((item) =>
          dueAt({ hospital_name: null, ...item, exam_datetime: item.exam_datetime!, metadata: item.metadata! }, []),
        );
        expect(Math.min(...due)).toBeGreaterThan(now);
      },
    ),
  );
});
